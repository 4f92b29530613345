//! `cargo ferroform vars`: the values that a module's input variables come to.
//!
//! [`answer`] reads the `variable` blocks of a module's folder and the values that Terraform would take for
//! them, in its order of precedence, and says what each variable is, or everything that is wrong.

mod block;
mod block_json;
mod check;
mod inputs;
mod json;
mod known;
mod module;
mod read;
mod show;
mod source;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ferroform_value::Typed;

use self::inputs::Origin;
use self::read::Doc;
use self::source::{Level, Problem, Source};

/// How much is looked at in all to say what is wrong, in bytes: a file can be one long line with a mistake in
/// each of its words.
const MAX_LOOKED_AT: usize = 20_000_000;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder of the module.
    pub folder: PathBuf,
    /// What the command line sets, in its order.
    pub options: Vec<Setting>,
    /// The variables of the environment, of which those with `TF_VAR_` count.
    pub environment: Vec<(OsString, OsString)>,
}

/// What the command line sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `-var name=value`
    Value {
        /// The variable's name.
        name: String,
        /// Its value as a text.
        value: String,
    },
    /// `-var-file file`
    File(PathBuf),
}

/// The values, and what is to be said about them.
#[derive(Debug)]
pub struct Answer {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// The variables by name; without those whose value is wrong.
    pub variables: Vec<Shown>,
    /// Errors, warnings and notes, as they are printed.
    pub said: String,
}

/// A variable and its value.
#[derive(Debug)]
pub struct Shown {
    /// The name.
    pub name: Arc<str>,
    /// The value, which is not printed if the variable is sensitive or ephemeral.
    pub value: Typed,
    /// Whether the value must not be shown.
    pub sensitive: bool,
    /// Whether the value must not be kept.
    pub ephemeral: bool,
}

/// A module and its values that are read from somewhere else than a folder: names of files with their texts.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The files of the module.
    pub module: Vec<(String, String)>,
    /// The files of values, the later above the earlier.
    pub values: Vec<(String, String)>,
}

/// What was read, whether it could be or not.
#[derive(Default)]
struct Reading {
    /// The module's files come first, then one source for each of the origins.
    sources: Vec<Source>,
    module: Range<usize>,
    origins: Vec<Origin>,
    /// Whether all values could be read so far.
    complete: bool,
    problems: Vec<Problem>,
}

/// Reads the module and its values.
pub fn answer(request: &Request) -> Answer {
    let mut reading = Reading { complete: true, ..Reading::default() };
    match read::files(&request.folder) {
        Ok(it) => reading.sources = it,
        Err(it) => reading.problems.push(it),
    }
    read::sort(&mut reading.sources);
    reading.module = 0..reading.sources.len();
    for it in inputs::sources(request) {
        match it.source {
            Ok(source) => {
                reading.sources.push(source);
                reading.origins.push(it.origin);
            }
            Err(it) => {
                reading.problems.push(it);
                reading.complete = false;
            }
        }
    }
    examine(reading)
}

/// The same for a module and values that are at hand already.
///
/// ```
/// use cargo_ferroform::vars::{Texts, answer_to};
///
/// let module = ("main.tf".to_owned(), "variable \"size\" {\n  type = number\n}\n".to_owned());
/// let values = ("terraform.tfvars".to_owned(), "size = \"3\"\n".to_owned());
/// let it = answer_to(&Texts { module: vec![module], values: vec![values] });
/// assert_eq!(it.to_text(), "size = 3\n");
/// ```
pub fn answer_to(texts: &Texts) -> Answer {
    let source = |(name, text): &(String, String)| Source::new(name.clone(), text.clone());
    let mut sources: Vec<Source> = texts.module.iter().map(source).collect();
    read::sort(&mut sources);
    let module = 0..sources.len();
    sources.extend(texts.values.iter().map(source));
    let origins = vec![Origin::File; texts.values.len()];
    examine(Reading { sources, module, origins, complete: true, problems: Vec::new() })
}

fn examine(reading: Reading) -> Answer {
    let Reading { sources, module, origins, mut complete, problems: mut found } = reading;
    let (files, values) = sources.split_at(module.end);
    let values = values.iter().zip(&origins).map(|(source, origin)| match origin {
        Origin::File => Doc::read(source, false),
        Origin::Environment(_) | Origin::Option(_) => Doc::Text,
    });
    let docs: Vec<Doc<'_>> = files.iter().map(|it| Doc::read(it, true)).chain(values).collect();
    complete &= !docs[module.end..].iter().any(Doc::is_broken);
    let from = module.end;
    let mut module = module::load(&sources, &docs, module);
    found.append(&mut module.problems);
    let given = inputs::gather(&sources, &docs, (from, &origins), &module, &mut found);
    let variables = check::values(&module, given, complete, &mut found);

    let ok = found.iter().all(|it| it.level != Level::Error);
    found.sort_by_key(|it| it.level);
    Answer { ok, variables, said: said(&found, &sources) }
}

/// All that is to be said. One place has one thing to say, even where two declarations come to it.
fn said(found: &[Problem], sources: &[Source]) -> String {
    let mut said = String::new();
    let mut texts = HashSet::new();
    let mut left = MAX_LOOKED_AT;
    for (i, it) in found.iter().enumerate() {
        let Some(rest) = left.checked_sub(it.cost(sources)) else {
            let _ = writeln!(said, "… and {} more\n", found.len() - i);
            break;
        };
        left = rest;
        let text = it.render(sources);
        if !texts.contains(&text) {
            said.push_str(&text);
            texts.insert(text);
        }
    }
    said
}

/// Whether the name's end says that it is JSON.
fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "json")
}

/// Reads a file as text.
fn text(path: &Path, name: String) -> Result<Source, Problem> {
    let bytes = std::fs::read(path).map_err(|e| {
        Problem::new("Failed to read file", format!("The file {} cannot be read: {e}.", path.display()), None)
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(e) => {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|it| **it == b'\n').count();
            let why = format!("{name} is not UTF-8, as line {} shows.", line + 1);
            Err(Problem::new("Invalid character encoding", why, None))
        }
    }
}
