//! `cargo xtask pages`: checks the Markdown pages of the repository, and writes their link targets for rustdoc.
//!
//! A page of the guide is published twice. On a site that hosts the sources, its links lead to files. In rustdoc, they
//! lead to modules. A link such as `[prior state]` therefore names a label, and the page defines the label at its end:
//! `[prior state]: glossary.md#prior-state`. For rustdoc, `crates/ferroform/src/guide/links.md` defines
//! the same label as `crate::guide::glossary#prior-state`.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The definitions for rustdoc.
const LINKS: &str = "crates/ferroform/src/guide/links.md";

/// The base URL for links from rustdoc to other files of the repository.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// One Markdown file without its code blocks.
struct Page {
    /// The path, relative to the root of the repository.
    path: PathBuf,
    /// The lines outside of code blocks without inline code, each with its number.
    prose: Vec<(usize, String)>,
    anchors: BTreeSet<String>,
    /// The label and the target of each `[label]: target`.
    definitions: BTreeMap<String, String>,
    problems: Vec<String>,
}

/// Checks every page. With `check`, a `links.md` that is not up to date is an error, otherwise it is written.
pub(crate) fn run(check: bool) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    let mut pages = BTreeMap::new();
    for path in markdown_files(root)? {
        let text = fs::read_to_string(root.join(&path))?;
        pages.insert(path.clone(), Page::parse(path, &text));
    }
    let mut problems: Vec<String> = pages.values().flat_map(|page| page.problems.clone()).collect();
    let guide: Vec<&Page> = pages.values().filter(|page| page.path.starts_with("docs")).collect();
    let links = rustdoc_definitions(&guide, &mut problems);
    for page in pages.values() {
        check_links(page, &pages, root, &mut problems);
    }
    for page in &guide {
        check_labels(page, &links, &mut problems);
        if !page.path.ends_with("glossary.md")
            && !page.definitions.values().any(|it| it.starts_with("glossary.md"))
        {
            problems.push(format!("{}: no link to the glossary", page.path.display()));
        }
    }
    check_platforms(root, &mut problems)?;
    let text = links_file(&links);
    let file = root.join(LINKS);
    if check {
        if fs::read_to_string(&file)? != text {
            problems.push(format!("{LINKS} is not up to date: run cargo xtask pages"));
        }
    } else {
        fs::write(&file, text)?;
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// Checks that the README and the guide have the same table of platforms, except for the targets of its links.
fn check_platforms(root: &Path, problems: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let table = |file: &str| -> Result<Vec<String>, Box<dyn Error>> {
        let text = fs::read_to_string(root.join(file))?;
        let rows = text
            .lines()
            .skip_while(|it| !it.starts_with("| platform |"))
            .take_while(|it| it.starts_with('|'));
        let label = |row: String, name: &str| {
            row.replace(&format!("[{name}]"), &format!("(docs/platforms.md#{name})"))
        };
        Ok(rows.map(|it| ["freebsd", "macos", "windows"].into_iter().fold(it.to_owned(), label)).collect())
    };
    let platforms = table("docs/platforms.md")?;
    if platforms.is_empty() || table("README.md")? != platforms {
        problems.push("README.md and docs/platforms.md have different tables of platforms".into());
    }
    Ok(())
}

fn markdown_files(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
    let output = Command::new("git").args(arguments).current_dir(root).output()?;
    let listed = String::from_utf8(output.stdout)?;
    let exists = |path: &PathBuf| root.join(path).is_file() && path != Path::new(LINKS);
    Ok(listed.lines().map(PathBuf::from).filter(exists).collect())
}

impl Page {
    fn parse(path: PathBuf, text: &str) -> Page {
        let (prose, anchors, definitions) = Default::default();
        let mut page = Page { path, prose, anchors, definitions, problems: Vec::new() };
        // The language of the code block that contains the line.
        let mut code: Option<String> = None;
        for (index, line) in text.lines().enumerate() {
            if let Some(fence) = line.trim_start().strip_prefix("```") {
                code = if code.is_none() { Some(fence.to_owned()) } else { None };
            } else if let Some(language) = &code {
                // rustdoc hides such a line, but other renderers show it.
                if language.starts_with("rust") && (line == "#" || line.starts_with("# ")) {
                    page.problems.push(format!(
                        "{}:{}: a hidden line in an example",
                        page.path.display(),
                        index + 1
                    ));
                }
            } else {
                page.read_prose(index + 1, line);
            }
        }
        page
    }

    fn read_prose(&mut self, number: usize, line: &str) {
        if let Some((label, target)) = definition(line) {
            self.definitions.insert(label.to_lowercase(), target.to_owned());
        } else if line.starts_with('#') {
            self.anchors.insert(anchor(line.trim_start_matches('#').trim()));
        } else {
            // Every second element is inline code.
            let prose: Vec<&str> = line.split('`').step_by(2).collect();
            self.prose.push((number, prose.join("`")));
        }
    }
}

/// Parses `[label]: target`.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (label, target) = line.strip_prefix('[')?.split_once(']')?;
    Some((label, target.strip_prefix(": ")?.trim()))
}

/// Returns the anchor of a heading, as rustdoc and the hosting sites derive it.
fn anchor(heading: &str) -> String {
    let keep = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ if letter.is_alphanumeric() => Some(letter.to_ascii_lowercase()),
        _ => None,
    };
    heading.chars().filter_map(keep).collect()
}

/// Returns every label of the guide with its target in rustdoc.
fn rustdoc_definitions(guide: &[&Page], problems: &mut Vec<String>) -> BTreeMap<String, String> {
    let mut links = BTreeMap::new();
    for page in guide {
        for (label, target) in &page.definitions {
            let target = rustdoc_target(target);
            let earlier = links.insert(label.clone(), target.clone());
            if earlier.is_some_and(|it| it != target) {
                problems.push(format!("{}: another page defines [{label}] differently", page.path.display()));
            }
        }
    }
    links
}

/// Returns the target in rustdoc of a link of a guide page.
fn rustdoc_target(target: &str) -> String {
    if target.contains("://") {
        return target.to_owned();
    }
    if let Some(path) = target.strip_prefix("../") {
        return format!("{REPOSITORY}{path}");
    }
    let (file, anchor) = split_anchor(target);
    let module = file.trim_end_matches(".md").replace('-', "_");
    format!("crate::guide::{module}{}", anchor.map(|it| format!("#{it}")).unwrap_or_default())
}

fn split_anchor(target: &str) -> (&str, Option<&str>) {
    match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    }
}

fn links_file(links: &BTreeMap<String, String>) -> String {
    let lines = links.iter().map(|(label, target)| format!("[{label}]: {target}\n"));
    // The empty line separates the definitions from the page that follows.
    lines.chain(["\n".to_owned()]).collect()
}

/// Checks that every relative link leads to a file, and that its anchor is a heading of that file.
fn check_links(page: &Page, pages: &BTreeMap<PathBuf, Page>, root: &Path, problems: &mut Vec<String>) {
    let in_guide = page.path.starts_with("docs");
    let inline = page.prose.iter().flat_map(|(number, line)| {
        line.split("](").skip(1).filter_map(|it| it.split_once(')')).map(|(target, _)| (*number, target))
    });
    let defined = page.definitions.values().map(|target| (0, target.as_str()));
    for (number, target) in inline.chain(defined) {
        // Rustdoc checks the paths of items.
        if target.contains("://") || target.starts_with("crate::") {
            continue;
        }
        let location = format!("{}:{number}", page.path.display());
        if in_guide && number > 0 && !target.starts_with('#') {
            problems.push(format!("{location}: name a label instead of {target}, for rustdoc"));
        }
        let (file, anchor) = split_anchor(target);
        let directory = page.path.parent().unwrap_or(Path::new(""));
        let path = if file.is_empty() { page.path.clone() } else { resolved(&directory.join(file)) };
        if !root.join(&path).exists() {
            problems.push(format!("{location}: {target} does not exist"));
        } else if let (Some(anchor), Some(other)) = (anchor, pages.get(&path))
            && !other.anchors.contains(anchor)
        {
            problems.push(format!("{location}: {target}: there is no such heading"));
        }
    }
}

/// Returns the path without `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            resolved.pop();
        } else {
            resolved.push(component);
        }
    }
    resolved
}

/// Checks that a page defines each label that it uses, and uses each label that it defines.
fn check_labels(page: &Page, links: &BTreeMap<String, String>, problems: &mut Vec<String>) {
    let text: Vec<&str> = page.prose.iter().map(|(_, line)| line.as_str()).collect();
    let text = text.join(" ").to_lowercase();
    for label in links.keys() {
        match (has_reference(&text, label), page.definitions.contains_key(label)) {
            (true, false) => problems.push(format!("{}: [{label}] is not defined", page.path.display())),
            (false, true) => problems.push(format!("{}: [{label}] is not used", page.path.display())),
            _ => {}
        }
    }
}

/// Returns true if `[label]` occurs as a reference, and not only as the caption of a link.
fn has_reference(text: &str, label: &str) -> bool {
    text.split(&format!("[{label}]")).skip(1).any(|rest| !rest.starts_with(['[', '(']))
}
