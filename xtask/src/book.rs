//! `cargo xtask book`: builds the guide as a book with mdBook, and checks the links of the HTML.
//!
//! mdBook calls `cargo xtask book-links`, a preprocessor. A page links to another file of the repository with a path
//! such as `../examples/README.md`. The book does not contain that file, so the preprocessor replaces the path by the
//! URL in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use serde_json::Value;

use crate::pages::{REPOSITORY, definition};
use crate::result::Result;

/// Builds the book in `target/book`.
///
/// # Errors
///
/// Returns an error if mdBook fails, or if the book has broken links or no search.
pub(crate) fn build() -> Result {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    let directory = root.join("target/book");
    // mdBook keeps pages that are no longer in the table of contents.
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    let status = Command::new("mdbook").arg("build").current_dir(root).status();
    if !status.map_err(|error| format!("cannot run mdbook: {error}"))?.success() {
        return Err("mdbook cannot build the book".into());
    }
    let mut pages = BTreeMap::new();
    let mut has_search = false;
    for entry in fs::read_dir(&directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        has_search |= name.starts_with("searchindex");
        // `print.html` repeats all pages, with other anchors.
        if name.ends_with(".html") && name != "print.html" {
            let text = fs::read_to_string(directory.join(&name))?;
            pages.insert(name, text);
        }
    }
    let mut problems = broken_links(&pages, |file| directory.join(file).is_file());
    if !has_search {
        problems.push("the book has no search: install mdbook with the feature `search`".into());
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// The links of the pages to files of the book that do not exist, or to headings that do not exist.
fn broken_links(pages: &BTreeMap<String, String>, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let anchors: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(name, html)| (name.as_str(), values(html, "id").into_iter().collect())).collect();
    let mut problems = Vec::new();
    for (name, html) in pages {
        for target in values(html, "href") {
            // A URL, or the base of the page for missing pages.
            if target.contains(':') || target.starts_with('/') {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { name } else { file };
            let has_anchor = || anchors.get(file).is_none_or(|it| anchor.is_empty() || it.contains(anchor));
            if !exists(file) || !has_anchor() {
                problems.push(format!("{name}: {target} does not exist in the book"));
            }
        }
    }
    problems
}

/// The values of an attribute in a page that mdBook has generated.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    html.split(&format!(" {attribute}=\"")).skip(1).filter_map(|it| it.split('"').next()).collect()
}

/// Reads a book as mdBook passes it to a preprocessor, and writes it with links to the repository.
///
/// # Errors
///
/// Returns an error if the input is not a book.
pub(crate) fn link_to_repository() -> Result {
    let (_context, mut book): (Value, Value) = serde_json::from_reader(io::stdin().lock())?;
    replace_links(&mut book);
    Ok(serde_json::to_writer(io::stdout().lock(), &book)?)
}

fn replace_links(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(replace_links),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if name == "content" => *text = with_repository_links(text),
                    _ => replace_links(field),
                }
            }
        }
        _ => {}
    }
}

fn with_repository_links(text: &str) -> String {
    let line = |line: &str| match definition(line) {
        Some((label, target)) if target.starts_with("../") => {
            format!("[{label}]: {REPOSITORY}{}\n", &target["../".len()..])
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_other_files_lead_to_the_repository() {
        let page = "See [examples] and [a page].\n\n[a page]: page.md\n[examples]: ../examples/README.md\n";
        let chapter = |content: &str| serde_json::json!({"Chapter": {"name": "../a", "content": content, "sub_items": []}});
        let mut book = serde_json::json!({"items": [chapter(page), "Separator"]});
        replace_links(&mut book);
        let expected = format!(
            "{}{REPOSITORY}examples/README.md\n",
            &page[..page.len() - "../examples/README.md\n".len()]
        );
        assert_eq!(book, serde_json::json!({"items": [chapter(&expected), "Separator"]}));
    }

    #[test]
    fn missing_files_and_headings_are_broken_links() {
        let page = r##"<h2 id="one"><a class="header" href="#one">One</a></h2> <a href="https://example.com/#x">x</a>
            <a href="other.html#two">y</a> <a href="other.html#three">z</a> <a href="missing.html">m</a>"##;
        let pages = [("page.html", page), ("other.html", r#"<h2 id="two">"#)];
        let pages: BTreeMap<_, _> = pages.map(|(name, html)| (name.to_owned(), html.to_owned())).into();
        assert_eq!(
            broken_links(&pages, |file| pages.contains_key(file)),
            [
                "page.html: other.html#three does not exist in the book",
                "page.html: missing.html does not exist in the book"
            ]
        );
    }
}
