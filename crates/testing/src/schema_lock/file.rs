//! The format of the lock file: one line for each attribute, so that a diff shows each change of a shape.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::shape::{Content, NESTINGS, Shape, StoredAttribute, objects};

/// A resource, and a version of its state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) resource: String,
    pub(super) version: i64,
}

/// The states of one version.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct States {
    pub(super) shape: Shape,
    /// The provider no longer has the resource, but stored states may contain it.
    pub(super) removed: bool,
}

/// The content of the lock file.
pub(super) type Locked = BTreeMap<Entry, States>;

const HEAD: &str = "\
# The state of each resource of this provider, by schema version. Practitioners have states like these, so the provider
# must read or upgrade each of them. A test compares this file with the schemas. If the test runs with
# FERROFORM_UPDATE_LOCK=1, it updates the file.
";
const RESOURCE: &str = "resource ";
const VERSION: &str = " version ";
const NULL: &str = " or null";
const REMOVED: &str = ", removed";
const INDENT: &str = "  ";

pub(super) fn write(locked: &Locked) -> String {
    let mut out = HEAD.to_owned();
    for (entry, states) in locked {
        out.push('\n');
        out.push_str(&section(entry, states));
    }
    out
}

fn section(entry: &Entry, states: &States) -> String {
    let removed = if states.removed { REMOVED } else { "" };
    let mut out = format!("{RESOURCE}{}{VERSION}{}{removed}\n", entry.resource, entry.version);
    lines(&states.shape, 1, &mut out);
    out
}

fn lines(shape: &Shape, depth: usize, out: &mut String) {
    for (name, attribute) in &shape.0 {
        let null = if attribute.nullable { NULL } else { "" };
        let removed = if attribute.removed { REMOVED } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}{name}: {}{null}{removed}", INDENT.repeat(depth), attribute.content.text());
        if let Content::Objects(_, inside) = &attribute.content {
            lines(inside, depth + 1, out);
        }
    }
}

/// Parses a lock file.
pub(super) fn parse(text: &str) -> Result<Locked, String> {
    let mut locked = Locked::new();
    let mut lines =
        text.lines().enumerate().filter(|(_, it)| !it.is_empty() && !it.starts_with('#')).peekable();
    while let Some((at, line)) = lines.next() {
        let syntax_error = || format!("line {}: expected `resource … version …`", at + 1);
        let (line, removed) = line.strip_suffix(REMOVED).map_or((line, false), |it| (it, true));
        let (resource, version) =
            line.strip_prefix(RESOURCE).and_then(|it| it.split_once(VERSION)).ok_or_else(syntax_error)?;
        let entry =
            Entry { resource: resource.to_owned(), version: version.parse().map_err(|_| syntax_error())? };
        let shape = parse_shape(&mut lines, 1)?;
        if locked.insert(entry, States { shape, removed }).is_some() {
            return Err(format!("line {}: the resource and version are listed more than once", at + 1));
        }
    }
    Ok(locked)
}

/// Parses the lines of an object, which have this depth or a greater one.
fn parse_shape<'a>(
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'a str)>>,
    depth: usize,
) -> Result<Shape, String> {
    let mut shape = Shape::default();
    let indent = INDENT.repeat(depth);
    while let Some((at, line)) = lines.next_if(|(_, it)| it.starts_with(&indent)) {
        let error = |problem: &str| format!("line {}: {problem}", at + 1);
        let (name, rest) =
            line[indent.len()..].split_once(": ").ok_or_else(|| error("expected `name: type`"))?;
        let (rest, removed) = rest.strip_suffix(REMOVED).map_or((rest, false), |it| (it, true));
        let (rest, nullable) = rest.strip_suffix(NULL).map_or((rest, false), |it| (it, true));
        let content = match NESTINGS.into_iter().find(|it| objects(*it) == rest) {
            Some(nesting) => Content::Objects(nesting, parse_shape(lines, depth + 1)?),
            None => Content::Value(rest.parse().map_err(|_| error("invalid type"))?),
        };
        if shape.0.insert(name.into(), StoredAttribute { content, nullable, removed }).is_some() {
            return Err(error("the attribute is listed more than once"));
        }
    }
    Ok(shape)
}

/// Returns the lines that differ, by resource and version, as a diff.
pub(super) fn difference(locked: &Locked, expected: &Locked) -> String {
    let mut out = String::new();
    let entries: std::collections::BTreeSet<&Entry> = locked.keys().chain(expected.keys()).collect();
    for entry in entries {
        let text = |all: &Locked| all.get(entry).map_or(String::new(), |it| section(entry, it));
        let (old, new) = (text(locked), text(expected));
        if old == new {
            continue;
        }
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let title = format!("{RESOURCE}{}{VERSION}{}", entry.resource, entry.version);
        let _ = writeln!(out, "{title}");
        let only = |these: &[&str], those: &[&str], sign: char| -> String {
            let lines = these.iter().filter(|it| !those.contains(it) && ***it != *title);
            lines.map(|it| format!("{sign}{it}\n")).collect()
        };
        out.push_str(&only(&old, &new, '-'));
        out.push_str(&only(&new, &old, '+'));
    }
    out
}
