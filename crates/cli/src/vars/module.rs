//! The variables that the files of a module declare.

use std::collections::BTreeMap;
use std::ops::Range;

use ferroform_lang::body::{Body, Expression, References};
use ferroform_lang::variable::Variable;

use super::known::{BLOCKS, FUNCTIONS, is_terraform_function};
use super::read::{Doc, overrides};
use super::source::{Place, Problem, Source, problems};
use super::{block, block_json, is_json};
use crate::suggest::suggest;

/// A declared variable.
#[derive(Debug)]
pub(super) struct Declared<'d> {
    pub(super) name: String,
    /// The words that begin its block.
    pub(super) place: Place,
    /// None where the declaration is wrong.
    pub(super) variable: Option<Variable>,
    /// The arguments that the block has.
    pub(super) given: Vec<&'d str>,
    pub(super) default_at: Option<Place>,
    pub(super) rules: Vec<Rule<'d>>,
    /// What there is to say to those who set it.
    pub(super) deprecated: Option<String>,
    /// Whether no value of it may be seen.
    pub(super) secret: bool,
    /// What is wrong with the block. It is told when it is known whether anything must not be shown.
    pub(super) wrong: Vec<Problem>,
}

/// A `validation` block.
#[derive(Debug)]
pub(super) struct Rule<'d> {
    pub(super) place: Place,
    pub(super) condition: Code<'d>,
    pub(super) message: Code<'d>,
}

/// An expression, with where it stands.
#[derive(Debug)]
pub(super) struct Code<'d> {
    pub(super) held: Held<'d>,
    /// Where it is written; in JSON this stands for every part of it.
    pub(super) place: Place,
}

#[derive(Debug)]
pub(super) enum Held<'d> {
    Native(&'d Expression<'d>),
    Json(Expression<'d>),
}

impl Code<'_> {
    pub(super) fn expression(&self) -> &Expression<'_> {
        match &self.held {
            Held::Native(it) => it,
            Held::Json(it) => it,
        }
    }

    /// Where a part of it is.
    pub(super) fn part(&self, at: Range<usize>) -> Place {
        match self.held {
            Held::Native(_) => Place::new(self.place.source, at),
            Held::Json(_) => self.place.clone(),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Module<'d> {
    pub(super) variables: BTreeMap<String, Declared<'d>>,
    pub(super) problems: Vec<Problem>,
    /// Whether a line of values may hold something that must not be shown.
    pub(super) secretive: bool,
    /// Whether it is possible that not all variables are there.
    pub(super) incomplete: bool,
}

/// Finds the variables of the module.
pub(super) fn load<'d>(sources: &[Source], docs: &'d [Doc<'d>], files: Range<usize>) -> Module<'d> {
    let mut it = Module { incomplete: files.is_empty(), ..Module::default() };
    let mut all_secret = false;
    for source in files {
        let mut declared = Vec::new();
        let overrides = overrides(&sources[source].name);
        // What overrides can make any variable a secret one.
        all_secret |= overrides && docs[source].is_broken();
        match &docs[source] {
            Doc::Native(body, errors) => {
                native(&mut it.problems, body, (source, &sources[source].text), &mut declared);
                if let Some(e) = errors {
                    it.problems.extend(problems(e, source));
                    it.incomplete = true;
                }
            }
            Doc::Json(Ok(node)) => block_json::file(&mut it.problems, node, source, &mut declared),
            Doc::Json(Err((at, why))) => {
                it.problems.push(Problem::new("Invalid JSON", why, Place::new(source, at.clone())));
                it.incomplete = true;
            }
            Doc::Text => {}
        }
        for new in declared {
            if overrides { it.merge(new) } else { it.declare(new, sources) }
        }
    }
    for declared in it.variables.values_mut() {
        declared.secret |= all_secret;
        let secret = declared.secret;
        it.problems.extend(declared.wrong.drain(..).map(|it| it.secret(secret)));
    }
    it.secretive = it.incomplete || it.variables.values().any(|it| it.secret);
    it.check_references();
    // Lines of JSON may hold anything, a secret default too.
    if it.secretive && !it.incomplete {
        for problem in &mut it.problems {
            let json = problem.place.as_ref().is_some_and(|it| is_json(&sources[it.source].name));
            problem.hidden |= json;
        }
    }
    it
}

fn native<'d>(
    found: &mut Vec<Problem>,
    body: &'d Body<'d>,
    (source, text): (usize, &str),
    declared: &mut Vec<Declared<'d>>,
) {
    for it in &body.arguments {
        let why = format!("The argument {:?} is not allowed outside of blocks.", it.name);
        found.push(Problem::new("Unsupported argument", why, Place::new(source, it.name_at.clone())));
    }
    for it in &body.blocks {
        if it.name == "variable" {
            declared.extend(block::variable(found, it, source, text));
        } else if !BLOCKS.contains(&it.name) {
            let why = format!("Blocks of type {:?} are not expected in a module.", it.name);
            let place = Place::new(source, it.name_at.clone());
            found
                .push(Problem::new("Unsupported block type", why, place).help(did_you_mean(it.name, BLOCKS)));
        }
    }
}

/// A question with the nearest of the known names.
pub(super) fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> Option<String> {
    let it = suggest(name, known.into_iter().map(AsRef::as_ref))?;
    Some(format!("did you mean {it:?}?"))
}

impl<'d> Module<'d> {
    fn declare(&mut self, new: Declared<'d>, sources: &[Source]) {
        if let Some(old) = self.variables.get(&new.name) {
            let at = sources[old.place.source].place(old.place.start);
            let why = format!("The variable {:?} is already declared at {at}.", new.name);
            self.problems.extend(new.wrong.into_iter().map(|it| it.secret(new.secret)));
            self.problems.push(Problem::new("Duplicate variable declaration", why, new.place));
            return;
        }
        self.variables.insert(new.name.clone(), new);
    }

    fn merge(&mut self, new: Declared<'d>) {
        let Some(base) = self.variables.get_mut(&new.name) else {
            // What is not there may be in what could not be read, and may be secret.
            let secret = new.secret || self.incomplete;
            self.problems.extend(new.wrong.into_iter().map(|it| it.secret(secret)));
            if !self.incomplete {
                let why =
                    format!("No base declaration was found for the override of variable {:?}.", new.name);
                let help = did_you_mean(&new.name, self.variables.keys());
                let summary = "Missing base variable declaration to override";
                self.problems.push(Problem::new(summary, why, new.place).help(help));
            }
            return;
        };
        if let Some(rule) = new.rules.first() {
            let why = "An override file cannot contain validation blocks.";
            self.problems.push(Problem::new("Can't override validation blocks", why, rule.place.clone()));
        }
        base.secret |= new.secret;
        base.wrong.extend(new.wrong);
        if let (Some(variable), Some(by)) = (&mut base.variable, new.variable) {
            if let Err(e) = variable.override_with(by, &new.given) {
                let place = new.default_at.clone().unwrap_or(new.place);
                let why = format!(
                    "After the override, the default value is not compatible with the variable's type constraint: {e}."
                );
                let why = if base.secret {
                    "After the override, the default value is not compatible with the variable's type constraint.".into()
                } else {
                    why
                };
                self.problems
                    .push(Problem::new("Invalid default value for variable", why, place).hidden(base.secret));
                base.variable = None;
            }
        } else {
            base.variable = None;
        }
        base.deprecated = new.deprecated.or(base.deprecated.take());
    }

    /// Names that there are not, in the validation blocks.
    fn check_references(&mut self) {
        for it in self.variables.values() {
            for rule in &it.rules {
                let uses = rule.condition.expression().references();
                if !uses.variables.iter().any(|(name, _)| *name == it.name) {
                    let why = format!(
                        "The condition must refer to var.{}, the variable that it validates.",
                        it.name
                    );
                    let place = rule.condition.place.clone();
                    self.problems.push(Problem::new("Invalid variable validation condition", why, place));
                }
                for code in [&rule.condition, &rule.message] {
                    wrong_names(
                        &mut self.problems,
                        code,
                        &code.expression().references(),
                        &self.variables,
                        self.incomplete,
                    );
                }
            }
        }
    }
}

fn wrong_names(
    found: &mut Vec<Problem>,
    code: &Code<'_>,
    uses: &References,
    known: &BTreeMap<String, Declared<'_>>,
    incomplete: bool,
) {
    for (name, at) in &uses.variables {
        if !known.contains_key(name) && !incomplete {
            let why = format!("The variable {name:?} is not declared.");
            let it = Problem::new("Reference to undeclared input variable", why, code.part(at.clone()));
            found.push(it.help(did_you_mean(name, known.keys())));
        }
    }
    for name in &uses.functions {
        if !is_terraform_function(name) {
            let why = format!("There is no function named {name:?}.");
            let it = Problem::new("Call to unknown function", why, code.place.clone());
            found.push(it.help(did_you_mean(name, FUNCTIONS)));
        }
    }
}
