//! A `variable` block in the language's own syntax.

use ferroform_lang::body::{Argument, Block, Body};
use ferroform_lang::expression::Given;
use ferroform_lang::variable::{self, Variable};
use ferroform_value::{Value, normalized};

use super::known::{ARGUMENTS, RESERVED};
use super::module::{Code, Declared, Held, Rule, did_you_mean};
use super::source::{Place, Problem, problems};

/// Whether a variable may have this name; what is wrong with it, if not.
pub(super) fn check_name(found: &mut Vec<Problem>, name: &str, place: &Place) -> bool {
    let why = if RESERVED.contains(&name) {
        format!("The variable name {name:?} is reserved for an argument of module blocks.")
    } else if !is_name(name) {
        format!(
            "The name {name:?} must start with a letter or underscore and contain only letters, digits, underscores and dashes."
        )
    } else {
        return true;
    };
    found.push(Problem::new("Invalid variable name", why, place.clone()));
    false
}

fn is_name(name: &str) -> bool {
    matches!(ferroform_lang::body::parse(&format!("{name} = 0")), Ok(Body { arguments, blocks })
        if blocks.is_empty() && arguments.len() == 1 && arguments[0].name == name)
}

pub(super) fn variable<'d>(
    found: &mut Vec<Problem>,
    block: &'d Block<'d>,
    source: usize,
    text: &str,
) -> Option<Declared<'d>> {
    let place = Place::new(source, block.header.clone());
    let [label] = &*block.labels else {
        let why = match &*block.labels {
            [] => "A variable block requires a quoted name.",
            _ => "A variable block has one label, its name.",
        };
        let summary = if block.labels.is_empty() {
            "Missing name for variable"
        } else {
            "Extraneous label for variable"
        };
        found.push(Problem::new(summary, why, place));
        return None;
    };
    let named = check_name(found, &label.text, &Place::new(source, label.at.clone()));
    let mut wrong: Vec<Problem> = Vec::new();
    let mut constraint = None;
    let mut given = Vec::new();
    let mut default_at = None;
    let mut secret = false;
    let mut deprecated = None;
    for it in &block.body.arguments {
        if it.name == "type" {
            match variable::constraint(&it.value) {
                Ok(it) => constraint = Some(it),
                Err(e) => wrong.extend(problems(&e, source)),
            }
            continue;
        }
        if !ARGUMENTS.contains(&it.name) || it.name == "validation" {
            wrong.push(unknown(it, source));
            continue;
        }
        if it.name == "default" {
            default_at = Some(Place::new(source, it.value.at()));
        }
        match it.value.constant() {
            Ok(value) => {
                secret |= matches!(it.name, "sensitive" | "ephemeral") && !is_false(&value.value);
                if it.name == "deprecated" {
                    deprecated = value.value.as_str().map(str::to_owned);
                }
                given.push(Given {
                    name: normalized(it.name),
                    name_at: it.name_at.clone(),
                    value,
                    value_at: it.value.at(),
                });
            }
            Err(e) => {
                // A flag that cannot be read may have been meant to be set.
                secret |= matches!(it.name, "sensitive" | "ephemeral");
                wrong.extend(problems(&e, source).map(Problem::of_value));
            }
        }
    }
    let rules = rules(&mut wrong, &block.body, source);
    let names = block.body.arguments.iter().map(|it| it.name).collect();
    let made = match Variable::assemble(constraint, given, text) {
        Ok(it) => Some(it),
        Err(e) => {
            let default = block.body.arguments.iter().find(|it| it.name == "default");
            for it in e.iter() {
                let whole = it.span().start.byte..it.span().end.byte;
                // Only a default is so large that there are places within it.
                let inner =
                    default.filter(|_| !it.path().is_root()).map(|default| default.value.part(it.path()));
                let place = Place::new(source, inner.unwrap_or(whole));
                wrong.push(Problem::new(it.summary(), it.detail(), place).of_value());
            }
            None
        }
    };
    let whole = wrong.is_empty() && named;
    Some(Declared {
        name: label.text.clone(),
        place,
        variable: made.filter(|_| whole),
        given: names,
        default_at,
        rules,
        deprecated,
        secret,
        wrong,
    })
}

/// True for what certainly does not set a flag.
pub(super) fn is_false(it: &Value) -> bool {
    *it == Value::Bool(false) || it.as_str() == Some("false")
}

fn unknown(it: &Argument<'_>, source: usize) -> Problem {
    let why = format!("An argument named {:?} is not expected in a variable block.", it.name);
    let place = Place::new(source, it.name_at.clone());
    Problem::new("Unsupported argument", why, place).help(did_you_mean(it.name, ARGUMENTS))
}

fn rules<'d>(found: &mut Vec<Problem>, body: &'d Body<'d>, source: usize) -> Vec<Rule<'d>> {
    let mut rules = Vec::new();
    for it in &body.blocks {
        let place = Place::new(source, it.header.clone());
        if it.name != "validation" {
            let why = format!("Blocks of type {:?} are not expected in a variable block.", it.name);
            let help = did_you_mean(it.name, &["validation"]);
            found.push(Problem::new("Unsupported block type", why, place).help(help));
            continue;
        }
        if let Some(label) = it.labels.first() {
            let why = "A validation block does not have labels.";
            let at = Place::new(source, label.at.clone());
            found.push(Problem::new("Extraneous label for validation", why, at));
        }
        for inner in &it.body.blocks {
            let why = "A validation block cannot contain blocks.";
            let at = Place::new(source, inner.name_at.clone());
            found.push(Problem::new("Unsupported block type", why, at));
        }
        let (mut condition, mut message) = (None, None);
        for it in &it.body.arguments {
            let code = Code { held: Held::Native(&it.value), place: Place::new(source, it.value.at()) };
            match it.name {
                "condition" => condition = Some(code),
                "error_message" => message = Some(code),
                name => {
                    let why = format!("An argument named {name:?} is not expected in a validation block.");
                    let at = Place::new(source, it.name_at.clone());
                    let help = did_you_mean(name, &["condition", "error_message"]);
                    found.push(Problem::new("Unsupported argument", why, at).help(help));
                }
            }
        }
        rules.extend(rule(found, place, condition, message));
    }
    rules
}

/// A rule of both its parts.
pub(super) fn rule<'d>(
    found: &mut Vec<Problem>,
    place: Place,
    condition: Option<Code<'d>>,
    message: Option<Code<'d>>,
) -> Option<Rule<'d>> {
    for (name, missing) in [("condition", condition.is_none()), ("error_message", message.is_none())] {
        if missing {
            let why = format!("The argument {name:?} is required, but no definition was found.");
            found.push(Problem::new("Missing required argument", why, place.clone()));
        }
    }
    Some(Rule { place, condition: condition?, message: message? })
}
