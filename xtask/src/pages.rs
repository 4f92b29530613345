//! `cargo xtask pages`: checks the Markdown pages of the repository, and writes their link targets for rustdoc.
//!
//! A page of the guide is published twice. On a site that hosts the sources, its links lead to files. In rustdoc, they
//! lead to modules. A link such as `[prior state]` therefore names a label, and the page defines the label at its end:
//! `[prior state]: glossary.md#prior-state`. For rustdoc, `crates/ferroform/src/guide/links.md` defines
//! the same label as `crate::guide::glossary#prior-state`.
//!
//! The tables of pages and the list of rustdoc's modules are generated from `docs/SUMMARY.md`, see [`contents`].

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::contents::{self, Contents, SUMMARY};

/// The definitions for rustdoc.
const LINKS: &str = "crates/ferroform/src/guide/links.md";
/// The table of contents for rustdoc.
const CONTENTS: &str = "crates/ferroform/src/guide/contents.md";
/// The modules of the pages.
const MODULES: &str = "crates/ferroform/src/guide.rs";
/// The first page of the book, which is not in rustdoc.
const INTRODUCTION: &str = "docs/README.md";

/// The number of lines of an excerpt that a reader takes in at a glance.
const MAX_EXCERPT: usize = 20;

/// The base URL for links from rustdoc to other files of the repository.
pub(crate) const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The longest code block before the first section of a page: the problem and the concept come first.
const MAX_LINES_IN_INTRODUCTION: usize = 20;

/// One Markdown file without its code blocks.
struct Page {
    /// The path, relative to the root of the repository.
    path: PathBuf,
    /// The lines outside of code blocks without inline code, each with its number.
    prose: Vec<(usize, String)>,
    anchors: BTreeSet<String>,
    /// The number of the line of the first section.
    first_section: Option<usize>,
    /// The label and the target of each `[label]: target`.
    definitions: BTreeMap<String, String>,
    blocks: Vec<CodeBlock>,
    problems: Vec<String>,
}

struct CodeBlock {
    /// The number of its first line.
    line: usize,
    language: String,
    lines: Vec<String>,
}

/// Checks every page. With `check`, a generated file that is not up to date is an error, otherwise it is written.
pub(crate) fn run(check: bool) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    let mut pages = BTreeMap::new();
    for path in markdown_files(root)? {
        let text = fs::read_to_string(root.join(&path))?;
        pages.insert(path.clone(), Page::parse(path, &text));
    }
    let mut problems: Vec<String> = pages.values().flat_map(|page| page.problems.clone()).collect();
    let guide: Vec<&Page> = pages.values().filter(|page| page.is_in_rustdoc()).collect();
    let links = rustdoc_definitions(&guide, &mut problems);
    for page in pages.values() {
        check_links(page, &pages, root, &mut problems);
        check_excerpts(page, root, &mut problems);
    }
    for page in &guide {
        check_introduction(page, &mut problems);
        check_labels(page, &links, &mut problems);
        if !page.path.ends_with("glossary.md")
            && !page.definitions.values().any(|it| it.starts_with("glossary.md"))
        {
            problems.push(format!("{}: no link to the glossary", page.path.display()));
        }
    }
    let contents = Contents::parse(&fs::read_to_string(root.join(SUMMARY))?)?;
    let listed: BTreeSet<PathBuf> = contents.files().map(|it| Path::new("docs").join(it)).collect();
    for page in guide.iter().filter(|page| !listed.contains(&page.path)) {
        problems.push(format!("{}: {SUMMARY} does not contain the page", page.path.display()));
    }
    for (file, text) in generated(root, &contents, &links)? {
        let path = root.join(file);
        if !check {
            fs::write(&path, text)?;
        } else if fs::read_to_string(&path)? != text {
            problems.push(format!("{file} is not up to date: run cargo xtask pages"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// The files that are generated as a whole or in part, with their texts.
fn generated(
    root: &Path,
    contents: &Contents,
    links: &BTreeMap<String, String>,
) -> Result<[(&'static str, String); 5], Box<dyn Error>> {
    let with_region = |file: &str, begin: &str, end: &str, region: &str| -> Result<String, Box<dyn Error>> {
        let text = fs::read_to_string(root.join(file))?;
        let [before, _, after] = contents::region(&text, begin, end)
            .ok_or_else(|| format!("{file} has no lines {begin:?} and {end:?}"))?;
        Ok([before, region, after].concat())
    };
    let with_table = |file: &str, table: &str| {
        with_region(
            file,
            "<!-- Generated by `cargo xtask pages`. -->\n",
            "<!-- End of the contents. -->\n",
            table,
        )
    };
    let modules = with_region(
        MODULES,
        "// Generated by `cargo xtask pages`.\n",
        "// End of the pages.\n",
        &contents.modules(),
    )?;
    Ok([
        (LINKS, links_file(links)),
        (CONTENTS, contents.tables(rustdoc_target)),
        (MODULES, modules),
        (INTRODUCTION, with_table(INTRODUCTION, &contents.tables(str::to_owned))?),
        ("README.md", with_table("README.md", &contents.overview())?),
    ])
}

fn markdown_files(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
    let output = Command::new("git").args(arguments).current_dir(root).output()?;
    let listed = String::from_utf8(output.stdout)?;
    let is_page =
        |path: &PathBuf| root.join(path).is_file() && ![LINKS, CONTENTS].map(Path::new).contains(&&**path);
    Ok(listed.lines().map(PathBuf::from).filter(is_page).collect())
}

impl Page {
    fn is_in_rustdoc(&self) -> bool {
        self.path.starts_with("docs") && ![SUMMARY, INTRODUCTION].iter().any(|it| self.path == Path::new(it))
    }

    /// Returns the path of a linked file, relative to the root of the repository.
    fn target(&self, link: &str) -> PathBuf {
        resolved(&self.path.parent().unwrap_or(Path::new("")).join(link))
    }

    fn parse(path: PathBuf, text: &str) -> Page {
        let (prose, anchors, first_section, definitions, blocks) = Default::default();
        let mut page =
            Page { path, prose, anchors, first_section, definitions, blocks, problems: Vec::new() };
        // The fence that ends the block. A block whose fence has four backticks can contain fences of three.
        let mut open = None;
        for (index, line) in text.lines().enumerate() {
            let language = line.trim_start().trim_start_matches('`');
            let fence = &line.trim_start()[..line.trim_start().len() - language.len()];
            if open.is_none() && fence.len() >= 3 {
                open = Some(fence);
                let (line, language) = (index + 2, language.to_owned());
                page.blocks.push(CodeBlock { line, language, lines: Vec::new() });
            } else if open == Some(line.trim()) {
                open = None;
            } else if let Some(block) = page.blocks.last_mut().filter(|_| open.is_some()) {
                block.lines.push(line.trim().to_owned());
                // rustdoc hides such a line, but other renderers show it.
                if block.language.starts_with("rust") && (line == "#" || line.starts_with("# ")) {
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
            if line.starts_with("## ") {
                self.first_section.get_or_insert(number);
            }
            self.anchors.insert(anchor(line.trim_start_matches('#').trim()));
        } else {
            // Every second element is inline code.
            let prose: Vec<&str> = line.split('`').step_by(2).collect();
            self.prose.push((number, prose.join("`")));
        }
    }
}

/// Checks that an excerpt, a block with the language `rs`, is a part of compiled code: of a program of the page, or of a
/// Rust file that the page links to. A line `// …` stands for omitted lines.
fn check_excerpts(page: &Page, root: &Path, problems: &mut Vec<String>) {
    let excerpts: Vec<&CodeBlock> = page.blocks.iter().filter(|it| it.language == "rs").collect();
    if excerpts.is_empty() {
        return;
    }
    let programs = page.blocks.iter().filter(|it| it.language.starts_with("rust")).map(|it| it.lines.clone());
    let linked = page.definitions.values().filter(|it| it.ends_with(".rs"));
    // A missing file is a problem of the link.
    let files = linked.filter_map(|it| fs::read_to_string(root.join(page.target(it))).ok());
    let files = files.map(|it| it.lines().map(|line| line.trim().to_owned()).collect());
    let programs: Vec<Vec<String>> = programs.chain(files).collect();
    for excerpt in excerpts {
        let mut problem = |text: String| {
            problems.push(format!("{}:{}: {text}", page.path.display(), excerpt.line));
        };
        if excerpt.lines.len() > MAX_EXCERPT {
            problem(format!("an excerpt of {} lines; {MAX_EXCERPT} are allowed", excerpt.lines.len()));
        }
        for part in excerpt.lines.split(|line| line == "// …") {
            let is_in = |it: &Vec<String>| it.windows(part.len()).any(|lines| lines == part);
            if !part.is_empty() && !programs.iter().any(is_in) {
                problem(format!("no program of the page contains the excerpt: {}", part[0]));
            }
        }
    }
}

/// Checks that a page starts with a short excerpt instead of a whole program.
fn check_introduction(page: &Page, problems: &mut Vec<String>) {
    let is_in_introduction = |it: &&CodeBlock| page.first_section.is_none_or(|section| it.line < section);
    for block in page.blocks.iter().filter(is_in_introduction) {
        let (found, expected) = (block.lines.len(), MAX_LINES_IN_INTRODUCTION);
        if found > expected {
            problems.push(format!(
                "{}:{}: a code block before the first section has at most {expected} lines, but this one has {found}",
                page.path.display(),
                block.line
            ));
        }
    }
}

/// Parses `[label]: target`.
pub(crate) fn definition(line: &str) -> Option<(&str, &str)> {
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
    let module = contents::module(file);
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
    let in_guide = page.is_in_rustdoc();
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
        let path = if file.is_empty() { page.path.clone() } else { page.target(file) };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of_excerpts(text: &str) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut problems = Vec::new();
        check_excerpts(&Page::parse("a.md".into(), text), root, &mut problems);
        problems
    }

    #[test]
    fn excerpt_is_a_part_of_a_program() {
        let check = |excerpt: &str| {
            let program = "```rust\nfn a() {\n    b();\n    c();\n}\n```\n";
            problems_of_excerpts(&format!("```rs\n{excerpt}\n```\n\n{program}"))
        };
        assert!(check("b();\nc();").is_empty());
        assert!(check("fn a() {\n    // …\n    c();\n}").is_empty());
        assert_eq!(check("c();\nb();"), ["a.md:2: no program of the page contains the excerpt: c();"]);
        let long = check(&["b();"; MAX_EXCERPT + 1].join("\n"));
        assert_eq!(long[0], "a.md:2: an excerpt of 21 lines; 20 are allowed");
    }

    #[test]
    fn excerpt_is_a_part_of_a_linked_file() {
        let excerpt = "```rs\nuse std::process::Command;\n```\n";
        assert!(problems_of_excerpts(&format!("{excerpt}\n[pages]: src/pages.rs\n")).is_empty());
        assert_eq!(problems_of_excerpts(excerpt).len(), 1);
        assert_eq!(problems_of_excerpts(&format!("{excerpt}\n[result]: src/result.rs\n")).len(), 1);
    }

    #[test]
    fn introduction_contains_no_long_code_block() {
        let check = |before: usize, after: usize| {
            let block = |lines: usize| format!("````text\n{}````\n", "```\n".repeat(lines));
            let text = format!("# A\n\n{}\n## B\n\n{}", block(before), block(after));
            let mut problems = Vec::new();
            check_introduction(&Page::parse("a.md".into(), &text), &mut problems);
            problems
        };
        assert!(check(20, 21).is_empty());
        let problem =
            "a.md:4: a code block before the first section has at most 20 lines, but this one has 21";
        assert_eq!(check(21, 0), [problem]);
    }
}
