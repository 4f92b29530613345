//! The table of contents of the guide. `docs/SUMMARY.md`, which mdBook reads, lists each page in one line with its title
//! and its contents. `cargo xtask pages` generates the tables of the README, of the book's introduction and of rustdoc,
//! and the modules of rustdoc, so they cannot differ.

use crate::result::Result;

pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";
const INTRODUCTION: &str = "[Introduction](README.md)";

/// The parts of the guide.
#[derive(Debug)]
pub(crate) struct Contents(Vec<Part>);

#[derive(Debug)]
struct Part {
    title: String,
    pages: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    title: String,
    file: String,
    contents: String,
}

impl Contents {
    /// Parses `SUMMARY.md`.
    ///
    /// # Errors
    ///
    /// Returns an error that names the line if a line is neither a part nor a page.
    pub(crate) fn parse(text: &str) -> Result<Contents> {
        let mut parts: Vec<Part> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if let Some(title) = line.strip_prefix("# ") {
                parts.push(Part { title: title.to_owned(), pages: Vec::new() });
            } else if let (Some(entry), Some(part)) = (Entry::parse(line), parts.last_mut()) {
                part.pages.push(entry);
            } else if !line.is_empty() && line != INTRODUCTION && !line.starts_with("<!--") {
                let expected = "expected `# Part` or `- [Title](file.md): contents`";
                return Err(format!("{SUMMARY}:{}: {expected}, found `{line}`", index + 1).into());
            }
        }
        // The first heading is the title of the file.
        parts.retain(|it| !it.pages.is_empty());
        Ok(Contents(parts))
    }

    /// The files of all pages.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|part| &part.pages).map(|it| it.file.as_str())
    }

    /// A table of pages for each part, with the target of each link from its file.
    pub(crate) fn tables(&self, target: impl Fn(&str) -> String) -> String {
        let row = |it: &Entry| format!("| [{}]({}) | {} |\n", it.title, target(&it.file), it.contents);
        let table = |part: &Part| {
            let rows: String = part.pages.iter().map(row).collect();
            format!("## {}\n\n| page | contents |\n|---|---|\n{rows}\n", part.title)
        };
        self.0.iter().map(table).collect()
    }

    /// One table with a row for each part, for the README.
    pub(crate) fn overview(&self) -> String {
        let link = |it: &Entry| format!("[{}](docs/{})", it.title, it.file);
        let row = |part: &Part| {
            let links: Vec<String> = part.pages.iter().map(link).collect();
            format!("| {} | {} |\n", part.title, links.join(", "))
        };
        let rows: String = self.0.iter().map(row).collect();
        format!("| part | pages |\n|---|---|\n{rows}")
    }

    /// The modules of rustdoc.
    pub(crate) fn modules(&self) -> String {
        self.files().map(|file| format!("page!({}, \"{file}\");\n", module(file))).collect()
    }
}

impl Entry {
    /// Parses `- [Title](file.md): contents`.
    fn parse(line: &str) -> Option<Entry> {
        let (title, rest) = line.strip_prefix("- [")?.split_once("](")?;
        let (file, contents) = rest.split_once("): ")?;
        Some(Entry { title: title.to_owned(), file: file.to_owned(), contents: contents.to_owned() })
    }
}

/// The name of a page's module in rustdoc.
pub(crate) fn module(file: &str) -> String {
    file.trim_end_matches(".md").replace('-', "_")
}

/// Splits a text into the part before a generated region, the region, and the part after it.
pub(crate) fn region<'a>(text: &'a str, begin: &str, end: &str) -> Option<[&'a str; 3]> {
    let start = text.find(begin)? + begin.len();
    let length = text[start..].find(end)?;
    Some([&text[..start], &text[start..start + length], &text[start + length..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Summary\n\n[Introduction](README.md)\n\n# Start\n\n- [One](one-page.md): the first, with `code`\n\
        - [Two](two.md): the second\n\n# Reference\n\n- [Three](three.md): the third\n";

    #[test]
    fn tables_have_the_pages_of_each_part() {
        let contents = Contents::parse(TEXT).unwrap();
        assert_eq!(
            contents.tables(|file| format!("crate::{}", module(file))),
            "## Start\n\n| page | contents |\n|---|---|\n\
             | [One](crate::one_page) | the first, with `code` |\n| [Two](crate::two) | the second |\n\n\
             ## Reference\n\n| page | contents |\n|---|---|\n| [Three](crate::three) | the third |\n\n"
        );
        assert_eq!(
            contents.overview(),
            "| part | pages |\n|---|---|\n| Start | [One](docs/one-page.md), [Two](docs/two.md) |\n\
             | Reference | [Three](docs/three.md) |\n"
        );
        assert_eq!(
            contents.modules(),
            "page!(one_page, \"one-page.md\");\npage!(two, \"two.md\");\npage!(three, \"three.md\");\n"
        );
    }

    #[test]
    fn entry_without_contents_is_rejected() {
        let error = Contents::parse("# Start\n\n- [One](one.md)\n").unwrap_err().to_string();
        assert_eq!(
            error,
            "docs/SUMMARY.md:3: expected `# Part` or `- [Title](file.md): contents`, found `- [One](one.md)`"
        );
    }

    #[test]
    fn region_is_between_its_markers() {
        assert_eq!(region("a[b]c", "[", "]"), Some(["a[", "b", "]c"]));
        assert_eq!(region("a]b[c", "[", "]"), None);
    }
}
