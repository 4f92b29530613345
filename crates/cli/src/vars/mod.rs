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
mod show;
mod source;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ferroform_value::Typed;

use self::module::Doc;
use self::source::{Level, Problem, Source};

/// How much is said at once, errors first.
const MAX_SAID: usize = 100;

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

/// Reads the module and its values.
pub fn answer(request: &Request) -> Answer {
    let mut found = Vec::new();
    let mut sources = Vec::new();
    let mut read = |it: Result<Vec<Source>, Problem>| match it {
        Ok(it) => {
            let from = sources.len();
            sources.extend(it);
            from..sources.len()
        }
        Err(it) => {
            found.push(it);
            0..0
        }
    };
    let modules = read(module::files(&request.folder));
    let inputs = inputs::sources(request);
    let mut origins = Vec::new();
    for it in inputs {
        let source = read(it.source.map(|it| vec![it])).next();
        origins.extend(source.map(|source| (source, it.origin)));
    }

    let docs: Vec<Doc<'_>> =
        sources.iter().enumerate().map(|(i, it)| Doc::read(it, modules.contains(&i), &origins, i)).collect();
    let mut module = module::load(&sources, &docs, modules);
    found.append(&mut module.problems);
    let given = inputs::gather(&sources, &docs, &origins, &module, &mut found);
    let variables = check::values(&module, given, &mut found);

    // One place has one thing to say, even where two declarations come to it.
    let ok = found.iter().all(|it| it.level != Level::Error);
    found.sort_by_key(|it| it.level);
    let mut said = String::new();
    let mut texts = HashSet::new();
    for (i, it) in found.iter().enumerate() {
        if i == MAX_SAID {
            let _ = writeln!(said, "… and {} more\n", found.len() - i);
            break;
        }
        let text = it.render(&sources);
        if !texts.contains(&text) {
            said.push_str(&text);
            texts.insert(text);
        }
    }
    Answer { ok, variables, said }
}

/// Whether the name's end says that it is JSON.
fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "json")
}

/// Reads a file as text.
fn text(path: &Path, name: String) -> Result<Source, Problem> {
    let bytes = std::fs::read(path).map_err(|e| {
        Problem::new("Failed to read file", format!("{} cannot be read: {e}.", path.display()), None)
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(e) => {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|it| **it == b'\n').count();
            let why = format!("{name} is not UTF-8, as line {} shows.", line + 1);
            Err(Problem::new("Invalid character encoding", why, None))
        }
    }
}
