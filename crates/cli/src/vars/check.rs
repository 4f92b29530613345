//! What the variables come to, and whether their validations agree.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use ferroform_lang::body::{Expression, Names, References};
use ferroform_lang::variable::Variable;
use ferroform_lang::{Diagnostic, Errors};
use ferroform_value::convert::convert;
use ferroform_value::{Path, Type, Typed, Value};

use super::Shown;
use super::inputs::{Content, Input, Origin};
use super::module::{Code, Declared, Module, Rule};
use super::source::{Level, Place, Problem, problems};

/// The values of all variables. Where the sources of values are not `complete`, one that is missing is not spoken of.
pub(super) fn values(
    module: &Module<'_>,
    mut given: BTreeMap<String, Input<'_>>,
    complete: bool,
    found: &mut Vec<Problem>,
) -> Vec<Shown> {
    let mut names = Names::default();
    let mut shown = Vec::new();
    for (name, declared) in &module.variables {
        let Some(variable) = &declared.variable else { continue };
        let input = given.remove(name);
        if input.is_none() && !complete && variable.accept(None).is_err() {
            // Its value may be in what could not be read.
            continue;
        }
        if let (Some(why), Some(input)) = (&declared.deprecated, &input) {
            let it = Problem::new("Deprecated variable is set", why.trim(), input.place.clone());
            found.push(it.level(Level::Warning).hidden(hides(declared, input, module)));
        }
        match value(name, declared, variable, input, module) {
            Ok(value) => {
                names.set(name.as_str(), value.clone());
                let (sensitive, ephemeral) = (variable.sensitive, variable.ephemeral);
                shown.push(Shown { name: name.as_str().into(), value, sensitive, ephemeral });
            }
            Err(it) => found.extend(it),
        }
    }
    let valued: HashSet<&str> = shown.iter().map(|it| &*it.name).collect();
    for declared in module.variables.values() {
        // One without a value has been spoken of already.
        if valued.contains(&*declared.name) {
            for rule in &declared.rules {
                check(found, rule, declared, module, &names);
            }
        }
    }
    shown
}

fn hides(declared: &Declared<'_>, input: &Input<'_>, module: &Module<'_>) -> bool {
    // All of a JSON file may stand on one line.
    declared.secret || module.secretive && matches!(input.content, Content::Json(_))
}

fn value(
    name: &str,
    declared: &Declared<'_>,
    variable: &Variable,
    input: Option<Input<'_>>,
    module: &Module<'_>,
) -> Result<Typed, Vec<Problem>> {
    let Some(input) = input else {
        return variable.accept(None).map_err(|_| {
            let why = format!("The variable {name:?} has no value and no default.");
            vec![Problem::new("No value for required variable", why, declared.place.clone())]
        });
    };
    let hidden = hides(declared, &input, module);
    let source = input.place.source;
    let close = |it: Vec<Problem>| -> Vec<Problem> {
        it.into_iter().map(|it| it.of_value().hidden(hidden).secret(declared.secret)).collect()
    };
    let read = match input.content {
        Content::Native(it) => it.constant().map_err(|e| problems(&e, source).collect()),
        Content::Json(it) => it.value().map_err(|(at, why)| {
            vec![Problem::new("Duplicate object attribute", why, Place::new(source, at))]
        }),
        Content::Text(it) => variable.read_text(it).map_err(|e| problems(&e, source).collect()),
    };
    let read = read.map_err(close)?;
    variable.accept(Some(read)).map_err(|e| {
        let of = match &input.origin {
            Origin::File => String::new(),
            Origin::Environment(_) | Origin::Option(_) if declared.secret => String::new(),
            Origin::Environment(_) | Origin::Option(_) => format!(" The type is {}.", variable.constraint.ty),
        };
        let detail = |it: &Diagnostic| {
            if it.is_missing_value() {
                format!("The variable {name:?} must not be null, and it has no default.")
            } else {
                format!("{}{of}", it.detail())
            }
        };
        let part = |it: &Diagnostic| Place::new(source, part(input.content, it.path()));
        let wrong = e.iter().map(|it| Problem::new(it.summary(), detail(it), part(it)));
        close(wrong.collect())
    })
}

/// Where the part of a value stands.
fn part(content: Content<'_>, path: &Path) -> Range<usize> {
    match content {
        Content::Native(it) => it.part(path),
        Content::Json(it) => it.part(path),
        Content::Text(it) if path.is_root() => 0..it.len(),
        Content::Text(it) => Expression::parse(it).map_or(0..it.len(), |it| it.part(path)),
    }
}

/// What became of an expression.
enum Made {
    Value(Typed),
    Wrong(Errors),
    /// It is not known here, and why.
    Unknown(String),
    /// It refers to what has no value, of which has been spoken already.
    Silent,
}

fn evaluate(code: &Code<'_>, uses: &References, module: &Module<'_>, names: &Names) -> Made {
    match code.expression().evaluate(names) {
        Some(Ok(it)) => Made::Value(it),
        Some(Err(e)) => Made::Wrong(e),
        None => {
            if let Some(it) = uses.others.first() {
                return Made::Unknown(format!("it refers to {it}"));
            }
            if let Some(it) = uses.unknown_function() {
                return Made::Unknown(format!("it calls {it}"));
            }
            let whole =
                |(name, _): &(String, _)| module.variables.get(name).is_some_and(|it| it.variable.is_some());
            // One that is declared rightly, yet missing among the names, has no right value.
            if uses.variables.iter().all(whole) && has_all(uses, names) {
                Made::Unknown("it needs more than is computed here".to_owned())
            } else {
                Made::Silent
            }
        }
    }
}

fn has_all(uses: &References, names: &Names) -> bool {
    uses.variables.iter().all(|(name, _)| names.has(name))
}

fn check(
    found: &mut Vec<Problem>,
    rule: &Rule<'_>,
    declared: &Declared<'_>,
    module: &Module<'_>,
    names: &Names,
) {
    let uses = rule.condition.expression().references();
    let secret = |uses: &References| {
        uses.variables.iter().any(|(name, _)| module.variables.get(name).is_none_or(|it| it.secret))
    };
    let any_secret = secret(&uses) || secret(&rule.message.expression().references());
    let wrong = |code: &Code<'_>, e: &Errors, hidden: bool| -> Vec<Problem> {
        let each = e.iter().map(|it| {
            let at = it.span().start.byte..it.span().end.byte;
            Problem::new(it.summary(), it.detail(), code.part(at))
                .of_value()
                .secret(any_secret)
                .hidden(hidden)
        });
        each.collect()
    };
    let unknown = |why: &str| {
        let why = format!("A validation of variable {:?} was not evaluated: {why}.", declared.name);
        Problem::new("Validation not evaluated", why, rule.place.clone()).level(Level::Note)
    };
    // In JSON the whole block, with a default, may be on the line.
    let json = |code: &Code<'_>| module.secretive && matches!(code.held, super::module::Held::Json(_));
    let holds = match evaluate(&rule.condition, &uses, module, names) {
        Made::Value(it) => it,
        Made::Wrong(e) => return found.extend(wrong(&rule.condition, &e, json(&rule.condition))),
        Made::Unknown(why) => return found.push(unknown(&why)),
        Made::Silent => return,
    };
    let result = |why: &str| {
        Problem::new("Invalid variable validation result", why, rule.condition.place.clone())
            .hidden(json(&rule.condition))
    };
    let holds = match convert(holds.value, &holds.ty, &Type::Bool).map(|it| it.value) {
        Ok(Value::Bool(it)) => it,
        Ok(_) => return found.push(result("The condition must be either true or false, not null.")),
        Err(e) => return found.push(result(&format!("The condition must be either true or false: {e}."))),
    };
    let uses = rule.message.expression().references();
    let message = match evaluate(&rule.message, &uses, module, names) {
        // In JSON a text that cannot be computed stands for itself.
        Made::Wrong(e) if matches!(rule.message.held, super::module::Held::Native(_)) => {
            return found.extend(wrong(&rule.message, &e, false));
        }
        _ if holds => return,
        _ if secret(&uses) => {
            "The error message of the validation is not shown because it could reveal a sensitive value."
                .to_owned()
        }
        Made::Value(it) => match convert(it.value, &it.ty, &Type::String).map(|it| it.value) {
            Ok(Value::String(it)) if !it.trim().is_empty() => it.trim().to_owned(),
            _ => "The error message of the validation could not be evaluated.".to_owned(),
        },
        Made::Wrong(_) | Made::Unknown(_) | Made::Silent => {
            "The error message of the validation was not evaluated.".to_owned()
        }
    };
    let it = Problem::new("Invalid value for variable", message, rule.condition.place.clone());
    found.push(it.hidden(json(&rule.condition)));
}
