//! The files of a module, and the parsed content of a source.

use std::fs;
use std::path::Path;

use ferroform_lang::Errors;
use ferroform_lang::body::{self, Body};

use super::diagnostic::Diagnostic;
use super::json::{self, JsonError, Node};
use super::source::Source;
use super::terraform_names::BLOCKS;

/// The parsed content of a source.
#[derive(Debug)]
pub(super) enum Document<'a> {
    /// HCL: the part that could be parsed, and the syntax errors of the rest.
    Native(Body<'a>, Option<Errors>),
    /// JSON, or its syntax error.
    Json(Result<Node, JsonError>),
    /// A value from the environment or the command line, which is parsed according to the type of its variable.
    Value,
}

impl<'a> Document<'a> {
    /// Parses a file of a module or a file of values.
    pub(super) fn read(source: &'a Source, module: bool) -> Document<'a> {
        if is_json(&source.name) {
            Document::Json(json::parse(&source.text))
        } else {
            // After a syntax error, parsing continues with the next known block. A file of values has none.
            let (body, errors) = body::parse_all(&source.text, |kind| module && BLOCKS.contains(&kind));
            Document::Native(body, errors)
        }
    }
}

impl Document<'_> {
    /// Returns true if the source has syntax errors.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self, Document::Native(_, Some(_)) | Document::Json(Err(_)))
    }
}

/// Reads the files of a module that Terraform reads.
pub(super) fn files(directory: &Path) -> Result<Vec<Source>, Diagnostic> {
    let read_error = |e: std::io::Error| {
        Diagnostic::new("Failed to read module directory", format!("{}: {e}.", directory.display()), None)
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(read_error)? {
        let entry = entry.map_err(read_error)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_backup =
            name.starts_with('.') || name.ends_with('~') || name.starts_with('#') && name.ends_with('#');
        if !is_backup && stem(&name).is_some() && !entry.path().is_dir() {
            names.push(name);
        }
    }
    if names.is_empty() {
        let detail = format!("The directory {} contains no .tf or .tf.json files.", directory.display());
        return Err(Diagnostic::new("No configuration files", detail, None));
    }
    names.sort_unstable();
    names.into_iter().map(|it| read_source(&directory.join(&it), it)).collect()
}

/// Sorts the files of a module as Terraform does: override files are last.
pub(super) fn sort(sources: &mut [Source]) {
    sources.sort_by(|a, b| (is_override_file(&a.name), &a.name).cmp(&(is_override_file(&b.name), &b.name)));
}

fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".tf").or_else(|| name.strip_suffix(".tf.json"))
}

pub(super) fn is_override_file(name: &str) -> bool {
    stem(name).is_some_and(|it| it == "override" || it.ends_with("_override"))
}

/// Returns true if the name has the extension of JSON.
fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "json")
}

/// Reads a file.
pub(super) fn read_source(path: &Path, name: String) -> Result<Source, Diagnostic> {
    let bytes = fs::read(path).map_err(|error| {
        let detail = format!("The file {} cannot be read: {error}.", path.display());
        Diagnostic::new("Failed to read file", detail, None)
    })?;
    String::from_utf8(bytes).map(|text| Source::new(name.clone(), text)).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|it| **it == b'\n').count() + 1;
        let detail =
            format!("The file {name} is not encoded in UTF-8: line {line} contains an invalid byte.");
        Diagnostic::new("Invalid character encoding", detail, None)
    })
}
