//! The files of a module, and what a source says.

use std::fs;
use std::path::Path;

use ferroform_lang::Errors;
use ferroform_lang::body::{self, Body};

use super::json::{self, Node, Wrong};
use super::known::BLOCKS;
use super::source::{Problem, Source};
use super::{is_json, text};

/// What a source says.
#[derive(Debug)]
pub(super) enum Doc<'a> {
    /// What could be read, and what is wrong with the rest.
    Native(Body<'a>, Option<Errors>),
    Json(Result<Node, Wrong>),
    /// A value of the environment or the command line, which is read by its variable's type.
    Text,
}

impl<'a> Doc<'a> {
    /// Reads a file, which is one of the module or one of values.
    pub(super) fn read(source: &'a Source, module: bool) -> Doc<'a> {
        if is_json(&source.name) {
            Doc::Json(json::parse(&source.text))
        } else {
            // A file of values has no blocks to go on with.
            let (body, errors) = body::parse_all(&source.text, |kind| module && BLOCKS.contains(&kind));
            Doc::Native(body, errors)
        }
    }
}

impl Doc<'_> {
    /// True where not all of it could be read.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self, Doc::Native(_, Some(_)) | Doc::Json(Err(_)))
    }
}

/// The sources of the folder that the program reads.
pub(super) fn files(folder: &Path) -> Result<Vec<Source>, Problem> {
    let unreadable = |e: std::io::Error| {
        Problem::new("Failed to read module directory", format!("{}: {e}.", folder.display()), None)
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let backup =
            name.starts_with('.') || name.ends_with('~') || name.starts_with('#') && name.ends_with('#');
        if !backup && stem(&name).is_some() && !entry.path().is_dir() {
            names.push(name);
        }
    }
    if names.is_empty() {
        let why = format!("The directory {} contains no .tf or .tf.json files.", folder.display());
        return Err(Problem::new("No configuration files", why, None));
    }
    names.sort_unstable();
    names.into_iter().map(|it| text(&folder.join(&it), it)).collect()
}

/// Puts the files of a module in the order in which they are read: those that override come last.
pub(super) fn sort(sources: &mut [Source]) {
    sources.sort_by(|a, b| (overrides(&a.name), &a.name).cmp(&(overrides(&b.name), &b.name)));
}

fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".tf").or_else(|| name.strip_suffix(".tf.json"))
}

pub(super) fn overrides(name: &str) -> bool {
    stem(name).is_some_and(|it| it == "override" || it.ends_with("_override"))
}
