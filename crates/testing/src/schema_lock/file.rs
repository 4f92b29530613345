//! The file: a line for each attribute, so that a change of a shape is a change of its lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ferroform_lang::type_constraint;

use super::shape::{Holds, NESTINGS, Part, Shape, objects};

/// A resource, and a version of its state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) resource: String,
    pub(super) version: i64,
}

/// What the file says of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct States {
    pub(super) shape: Shape,
    /// The provider does not have the resource any more; states may.
    pub(super) gone: bool,
}

/// What the file holds.
pub(super) type Locked = BTreeMap<Entry, States>;

const HEAD: &str = "\
# What the states of this provider's resources hold, version by version. States like these are stored: each must be
# read or upgraded. A test of the provider compares this file with the schemas, and writes it where it is run with
# FERROFORM_UPDATE_LOCK=1.
";
const RESOURCE: &str = "resource ";
const VERSION: &str = " version ";
const NULL: &str = " or null";
const GONE: &str = ", no more";
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
    let gone = if states.gone { GONE } else { "" };
    let mut out = format!("{RESOURCE}{}{VERSION}{}{gone}\n", entry.resource, entry.version);
    lines(&states.shape, 1, &mut out);
    out
}

fn lines(shape: &Shape, depth: usize, out: &mut String) {
    for (name, part) in &shape.0 {
        let null = if part.nullable { NULL } else { "" };
        let gone = if part.gone { GONE } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}{name}: {}{null}{gone}", INDENT.repeat(depth), part.holds.text());
        if let Holds::Objects(_, inside) = &part.holds {
            lines(inside, depth + 1, out);
        }
    }
}

/// Reads the file back.
pub(super) fn parse(text: &str) -> Result<Locked, String> {
    let mut locked = Locked::new();
    let mut lines =
        text.lines().enumerate().filter(|(_, it)| !it.is_empty() && !it.starts_with('#')).peekable();
    while let Some((at, line)) = lines.next() {
        let wrong = || format!("line {}: `resource … version …` is expected", at + 1);
        let (line, gone) = line.strip_suffix(GONE).map_or((line, false), |it| (it, true));
        let (resource, version) =
            line.strip_prefix(RESOURCE).and_then(|it| it.split_once(VERSION)).ok_or_else(wrong)?;
        let entry = Entry { resource: resource.to_owned(), version: version.parse().map_err(|_| wrong())? };
        let shape = parts(&mut lines, 1)?;
        if locked.insert(entry, States { shape, gone }).is_some() {
            return Err(format!("line {}: the same stands here twice", at + 1));
        }
    }
    Ok(locked)
}

/// The lines of an object, all of this depth or deeper.
fn parts<'a>(
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'a str)>>,
    depth: usize,
) -> Result<Shape, String> {
    let mut shape = Shape::default();
    let indent = INDENT.repeat(depth);
    while let Some((at, line)) = lines.next_if(|(_, it)| it.starts_with(&indent)) {
        let wrong = |what: &str| format!("line {}: {what}", at + 1);
        let (name, rest) =
            line[indent.len()..].split_once(": ").ok_or_else(|| wrong("`name: type` is expected"))?;
        let (rest, gone) = rest.strip_suffix(GONE).map_or((rest, false), |it| (it, true));
        let (rest, nullable) = rest.strip_suffix(NULL).map_or((rest, false), |it| (it, true));
        let holds = match NESTINGS.into_iter().find(|it| objects(*it) == rest) {
            Some(nesting) => Holds::Objects(nesting, parts(lines, depth + 1)?),
            None => Holds::Value(type_constraint::constraint(rest).map_err(|_| wrong("this is no type"))?),
        };
        if shape.0.insert(name.into(), Part { holds, nullable, gone }).is_some() {
            return Err(wrong("the same stands here twice"));
        }
    }
    Ok(shape)
}

/// The lines that differ, by resource and version.
pub(super) fn difference(locked: &Locked, wanted: &Locked) -> String {
    let mut out = String::new();
    let entries: std::collections::BTreeSet<&Entry> = locked.keys().chain(wanted.keys()).collect();
    for entry in entries {
        let text = |all: &Locked| all.get(entry).map_or(String::new(), |it| section(entry, it));
        let (old, new) = (text(locked), text(wanted));
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
