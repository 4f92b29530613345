//! The files of a module, and the parsed content of a source.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use ferroform_lang::Errors;
use ferroform_lang::body::{self, Body};
use ferroform_lang::values::{self, VariablesFile};

use crate::diagnostic::Diagnostic;
use crate::json::{self, JsonError, Node};
use crate::request::{Request, describe};
use crate::source::Source;
use crate::target::can_read_tofu_files;
use crate::terraform_names::BLOCKS;

/// The parsed content of a source.
#[derive(Debug)]
pub(crate) enum Document<'a> {
    /// HCL: the part that could be parsed, and the syntax errors of the rest.
    Native(Body<'a>, Option<Errors>),
    /// JSON, or its syntax error.
    Json(Result<Node, JsonError>),
    /// A `.tfvars` file, and its syntax errors.
    Values(VariablesFile<'a>, Option<Errors>),
    /// A `.tfvars.json` file, or its syntax error.
    JsonValues(Result<json::JsonVariablesFile, JsonError>),
    /// A value from the environment or the command line, which is parsed according to the type of its variable, or a file that
    /// is not encoded in UTF-8.
    Value,
}

impl<'a> Document<'a> {
    /// Parses a file of a module, a variables file, or any other value.
    pub(crate) fn parse(source: &'a Source, is_module_file: bool) -> Document<'a> {
        match is_json(&source.name) {
            _ if !source.is_file || !source.is_readable => Document::Value,
            true if is_module_file => Document::Json(json::parse(&source.text)),
            true => Document::JsonValues(json::parse_variables_file(&source.text)),
            false if is_module_file => {
                // After a syntax error, parsing continues with the next known block.
                let (body, errors) = body::parse_all(&source.text, |block| BLOCKS.contains(&block));
                Document::Native(body, errors)
            }
            false => {
                let (file, errors) = values::parse(&source.text);
                Document::Values(file, errors)
            }
        }
    }
}

impl Document<'_> {
    /// Returns true if the source has syntax errors.
    pub(crate) fn has_syntax_errors(&self) -> bool {
        matches!(
            self,
            Document::Native(_, Some(_))
                | Document::Json(Err(_))
                | Document::Values(_, Some(_))
                | Document::JsonValues(Err(_))
        )
    }
}

/// Reads the files of a module that Terraform or OpenTofu reads.
pub(crate) fn read_module_files(request: &Request) -> Result<Vec<Source>, Diagnostic> {
    let directory = request.resolve(&request.directory);
    let read_error = |e: std::io::Error| {
        // The directory of `-chdir` can be the one that is missing, so its name is part of the path.
        let shown = describe(&directory, Path::new(""));
        Diagnostic::new("Failed to read module directory", format!("{shown}: {e}."), None)
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory).map_err(read_error)? {
        let entry = entry.map_err(read_error)?;
        if !entry.path().is_dir() {
            names.push(entry.file_name());
        }
    }
    retain_module_files(&mut names, OsString::as_os_str, can_read_tofu_files(request.target.as_ref()));
    if names.is_empty() {
        let detail = format!(
            "The directory {} contains no .tf, .tf.json, .tofu or .tofu.json files.",
            request.describe(&request.directory)
        );
        return Err(Diagnostic::new("No configuration files", detail, None));
    }
    names.sort_unstable();
    let read = |name| read_source(request, &request.directory.join(name)).map_err(|it| it.diagnostic);
    names.into_iter().map(read).collect()
}

/// Retains the files of a module. A `.tofu` file replaces the `.tf` file with the same stem.
pub(crate) fn retain_module_files<T>(
    files: &mut Vec<T>,
    name: impl Fn(&T) -> &OsStr,
    can_read_tofu_files: bool,
) {
    let replaced: HashSet<Vec<u8>> = files
        .iter()
        .filter_map(|file| match split_name(name(file))? {
            (stem, extension @ (".tofu" | ".tofu.json")) if can_read_tofu_files => {
                Some([stem, extension.replace(".tofu", ".tf").as_bytes()].concat())
            }
            _ => None,
        })
        .collect();
    files.retain(|file| {
        let name = name(file);
        split_name(name).is_some_and(|(_, extension)| can_read_tofu_files || !extension.starts_with(".tofu"))
            && !replaced.contains(name.as_encoded_bytes())
    });
}

/// Returns true if a module has files that only OpenTofu reads.
pub(crate) fn has_tofu_files(sources: &[Source]) -> bool {
    let is_tofu = |it: &Source| split_name(OsStr::new(&it.name)).is_some_and(|it| it.1.starts_with(".tofu"));
    sources.iter().any(is_tofu)
}

/// Sorts the files of a module as Terraform does: override files are last.
pub(crate) fn sort(sources: &mut [Source]) {
    sources.sort_by(|a, b| (is_override_file(&a.name), &a.name).cmp(&(is_override_file(&b.name), &b.name)));
}

/// Returns the stem and the extension of the name of a module file; `None` for any other file, such as a backup.
fn split_name(path: &OsStr) -> Option<(&[u8], &'static str)> {
    let name = Path::new(path).file_name()?.as_encoded_bytes();
    let is_backup =
        name.starts_with(b".") || name.ends_with(b"~") || name.starts_with(b"#") && name.ends_with(b"#");
    let extensions = [".tf", ".tf.json", ".tofu", ".tofu.json"];
    let found = extensions.into_iter().find_map(|it| Some((name.strip_suffix(it.as_bytes())?, it)));
    found.filter(|_| !is_backup)
}

/// Returns true if a directory contains files that Terraform or OpenTofu reads as a module.
pub(crate) fn has_module_files(directory: &Path) -> bool {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.map(|it| it.file_name()).any(|it| is_module_file(&it))
}

/// Returns true if Terraform or OpenTofu reads a file with this name.
pub(crate) fn is_module_file(name: &OsStr) -> bool {
    split_name(name).is_some()
}

pub(crate) fn is_override_file(path: &str) -> bool {
    split_name(OsStr::new(path)).is_some_and(|(stem, _)| stem == b"override" || stem.ends_with(b"_override"))
}

/// Returns true if the name has the `.json` extension.
pub(crate) fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "json")
}

/// The error of a file that cannot be read.
pub(crate) struct UnreadableFile {
    pub(crate) diagnostic: Diagnostic,
    /// A source without content for a file that is not valid UTF-8, so that the error has a location.
    pub(crate) source: Option<Source>,
}

impl From<Diagnostic> for Box<UnreadableFile> {
    fn from(diagnostic: Diagnostic) -> Box<UnreadableFile> {
        Box::new(UnreadableFile { diagnostic, source: None })
    }
}

/// Reads a file. A file name that is not encoded in UTF-8 is shown with replacement characters.
pub(crate) fn read_source(request: &Request, path: &Path) -> Result<Source, Box<UnreadableFile>> {
    let name = request.describe(path);
    let file = request.resolve(path);
    let bytes = fs::read(&file).map_err(|error| {
        let detail = match file.is_dir() {
            true => format!("A file is required, but {name} is a directory."),
            false => format!("The file {name} cannot be read: {error}."),
        };
        Diagnostic::new("Failed to read file", detail, None)
    })?;
    String::from_utf8(bytes).map(|text| Source::new(name.clone(), text)).map_err(|error| {
        let detail = describe_encoding(&name, error.as_bytes(), error.utf8_error().valid_up_to());
        let diagnostic = Diagnostic::new("Invalid character encoding", detail, None);
        Box::new(UnreadableFile { diagnostic, source: Some(Source::unreadable(name.clone())) })
    })
}

/// Returns the message about a file whose byte at `invalid` is not valid in UTF-8.
fn describe_encoding(name: &str, bytes: &[u8], invalid: usize) -> String {
    if bytes.starts_with(b"\0GITCRYPT\0") {
        return format!("The file {name} is encrypted by git-crypt. To decrypt it, run `git-crypt unlock`.");
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return format!("The file {name} is encoded in UTF-16. Save it in UTF-8.");
    }
    if bytes.contains(&0) {
        return format!("The file {name} is a binary file, but a text file in UTF-8 is required.");
    }
    let line = bytes[..invalid].iter().filter(|it| **it == b'\n').count() + 1;
    format!("The file {name} is not encoded in UTF-8: line {line} contains an invalid byte.")
}
