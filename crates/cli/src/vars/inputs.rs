//! Where values come from.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ferroform_lang::body::{Block, Body, Expression};

use super::json::{Kind, Node};
use super::module::{Module, did_you_mean};
use super::read::Doc;
use super::source::{Level, Place, Problem, Source, problems};
use super::{Request, Setting, text};

/// The beginning of the names in the environment.
const PREFIX: &str = "TF_VAR_";

/// What kind of source it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    File,
    Environment(String),
    Option(String),
}

/// A source that could be read, or not.
pub(super) struct Found {
    pub(super) source: Result<Source, Problem>,
    pub(super) origin: Origin,
}

/// A value for a variable, not looked at yet.
#[derive(Debug)]
pub(super) struct Input<'d> {
    pub(super) origin: Origin,
    /// Where the name stands; for a value that is a source of its own, all of that.
    pub(super) place: Place,
    pub(super) content: Content<'d>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'d> {
    Native(&'d Expression<'d>),
    Json(&'d Node),
    Text(&'d str),
}

/// Everything that values are read from, the later above the earlier.
pub(super) fn sources(request: &Request) -> Vec<Found> {
    let mut found = Vec::new();
    let mut environment: Vec<(&str, &str)> = request
        .environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?.strip_prefix(PREFIX)?, value.to_str()?)))
        .collect();
    environment.sort_unstable();
    for (name, value) in environment {
        let source = Source::new(format!("{PREFIX}{name}"), value.to_owned());
        found.push(Found { source: Ok(source), origin: Origin::Environment(name.to_owned()) });
    }
    for name in files(&request.folder) {
        found.push(Found { source: text(&request.folder.join(&name), name), origin: Origin::File });
    }
    for it in &request.options {
        found.push(match it {
            Setting::File(path) => {
                let source = if path.exists() {
                    text(path, path.to_string_lossy().into_owned())
                } else {
                    let why = format!("The variables file {} does not exist.", path.display());
                    Err(Problem::new("Failed to read variables file", why, None))
                };
                Found { source, origin: Origin::File }
            }
            Setting::Value { name, value } => {
                let source = Source::new(format!("-var {name}"), value.clone());
                Found { source: Ok(source), origin: Origin::Option(name.clone()) }
            }
        });
    }
    found
}

/// The names of the files in the folder that are read unasked, in their order.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for plain in ["terraform.tfvars", "terraform.tfvars.json"] {
        if folder.join(plain).exists() {
            names.push(plain.to_owned());
        }
    }
    let listed = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut auto: Vec<String> = listed
        .filter_map(|it| it.file_name().into_string().ok())
        .filter(|it| it.ends_with(".auto.tfvars") || it.ends_with(".auto.tfvars.json"))
        .collect();
    auto.sort_unstable();
    names.extend(auto);
    names
}

/// The values by name: of those for one name, the last. The first of the origins is that of the source `from`.
pub(super) fn gather<'d>(
    sources: &'d [Source],
    docs: &'d [Doc<'d>],
    (from, origins): (usize, &[Origin]),
    module: &Module<'_>,
    found: &mut Vec<Problem>,
) -> BTreeMap<String, Input<'d>> {
    let mut given = BTreeMap::new();
    for (source, origin) in (from..).zip(origins) {
        let mut add = |name: &str, place, content| {
            given.insert(name.to_owned(), Input { origin: origin.clone(), place, content });
        };
        match (origin, &docs[source]) {
            (Origin::Environment(name) | Origin::Option(name), _) => {
                let text = &sources[source].text;
                add(name, Place::new(source, 0..text.len()), Content::Text(text));
            }
            (Origin::File, Doc::Native(body, errors)) => {
                let errors = errors.iter().flat_map(|e| problems(e, source));
                found.extend(errors.map(|it| it.hidden(module.secretive)));
                native(found, body, source, &mut add);
            }
            (Origin::File, Doc::Json(Ok(root))) => json(found, root, (source, module.secretive), &mut add),
            (Origin::File, Doc::Json(Err((at, why)))) => {
                let place = Place::new(source, at.clone());
                found.push(Problem::new("Invalid JSON", why, place).of_value().secret(module.secretive));
            }
            (Origin::File, Doc::Text) => {}
        }
    }
    if !module.incomplete {
        given.retain(|name, it| {
            let known = module.variables.contains_key(name);
            if !known {
                found.extend(undeclared(name, it, module));
            }
            known
        });
    }
    given
}

fn native<'d>(
    found: &mut Vec<Problem>,
    body: &'d Body<'d>,
    source: usize,
    add: &mut impl FnMut(&str, Place, Content<'d>),
) {
    for it in &body.blocks {
        found.push(block(it, source));
    }
    for it in &body.arguments {
        add(it.name, Place::new(source, it.name_at.clone()), Content::Native(&it.value));
    }
}

fn block(it: &Block<'_>, source: usize) -> Problem {
    let place = Place::new(source, it.header.clone());
    match &*it.labels {
        [label] if it.name == "variable" => {
            let why = "A .tfvars file assigns values to variables; it cannot declare them.";
            let help = format!("to give it a value, write: {} = …", label.text);
            Problem::new("Variable declaration in .tfvars file", why, place).help(Some(help)).cut()
        }
        _ => {
            let place = Place::new(source, it.name_at.clone());
            Problem::new("Unexpected block", "Blocks are not allowed in a .tfvars file.", place).cut()
        }
    }
}

fn json<'d>(
    found: &mut Vec<Problem>,
    root: &'d Node,
    (source, secretive): (usize, bool),
    add: &mut impl FnMut(&str, Place, Content<'d>),
) {
    let Kind::Object(members) = &root.kind else {
        let why = format!("A JSON variables file must contain one object, but got {}.", root.article());
        let place = Place::new(source, root.at.clone());
        found.push(Problem::new("Incorrect JSON value type", why, place).hidden(secretive));
        return;
    };
    let mut seen = std::collections::HashSet::new();
    for it in members.iter().filter(|it| it.name != "//") {
        let place = Place::new(source, it.name_at.clone());
        if !seen.insert(&it.name) {
            let why = format!("The key {:?} is set more than once.", it.name);
            found.push(Problem::new("Duplicate attribute definition", why, place).hidden(secretive));
            continue;
        }
        add(&it.name, place, Content::Json(&it.value));
    }
}

/// What is said of a value that belongs to no variable.
fn undeclared(name: &str, it: &Input<'_>, module: &Module<'_>) -> Option<Problem> {
    let help = || did_you_mean(name, module.variables.keys());
    let summary = "Value for undeclared variable";
    let content = it.content;
    match &it.origin {
        Origin::Option(_) => {
            let why = format!("The module does not declare a variable named {name:?}.");
            // Without an excerpt: the name says it all, and the value may be meant for a sensitive one.
            Some(Problem::new(summary, why, None).help(help()))
        }
        Origin::File => {
            let fails = match it.content {
                Content::Native(it) => it.constant().is_err(),
                Content::Json(it) => it.value().is_err(),
                Content::Text(_) => false,
            };
            if fails {
                return None;
            }
            let why = format!("The module does not declare a variable named {name:?}. The value is ignored.");
            let it = Problem::new(summary, why, it.place.clone()).level(Level::Warning).help(help());
            // The value may be meant for a sensitive variable; in JSON more may stand before it.
            let hidden = module.secretive && matches!(content, Content::Json(_));
            Some(it.cut().hidden(hidden))
        }
        // The environment is shared with other modules, so only what looks like a slip is mentioned.
        Origin::Environment(_) => {
            let nearest = help()?;
            let why = format!("{PREFIX}{name} is set, and the module has no variable {name:?}; {nearest}");
            Some(Problem::new(summary, why, None).level(Level::Note))
        }
    }
}
