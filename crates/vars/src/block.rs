//! `variable` blocks in HCL.

use ferroform_lang::body::{Argument, Block, Body};
use ferroform_lang::expression::EvaluatedArgument;
use ferroform_lang::variable::{self, Variable};
use ferroform_value::{NfcString, Value};

use crate::declaration::{Code, Declaration, Syntax, Validation};
use crate::diagnostic::{Diagnostic, argument_error, diagnostics};
use crate::source::Location;
use crate::suggest::did_you_mean;
use crate::terraform_names::{ARGUMENTS, RESERVED};

/// Checks the name of a variable, and returns true if it is valid.
pub(crate) fn check_name(found: &mut Vec<Diagnostic>, name: &str, location: &Location) -> bool {
    let detail = if RESERVED.contains(&name) {
        format!("The variable name {name:?} is reserved for an argument of module blocks.")
    } else if !ferroform_lang::is_identifier(name) {
        format!(
            "The name {name:?} must start with a letter or underscore and contain only letters, digits, underscores and dashes."
        )
    } else {
        return true;
    };
    found.push(Diagnostic::new("Invalid variable name", detail, location.clone()));
    false
}

/// Reads a `variable` block. Returns `None` if the block does not have exactly one label.
pub(crate) fn variable<'d>(
    found: &mut Vec<Diagnostic>,
    block: &'d Block<'d>,
    source: usize,
    text: &str,
) -> Option<Declaration<'d>> {
    let location = Location::new(source, block.header.clone());
    let [label] = &*block.labels else {
        let detail = match &*block.labels {
            [] => "A variable block requires a quoted name.",
            _ => "A variable block has one label, its name.",
        };
        let summary = if block.labels.is_empty() {
            "Missing name for variable"
        } else {
            "Extraneous label for variable"
        };
        found.push(Diagnostic::new(summary, detail, location));
        return None;
    };
    let is_name_valid = check_name(found, &label.text, &Location::new(source, label.at.clone()));
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut constraint = None;
    let mut arguments = Vec::new();
    let mut default_at = None;
    let mut is_secret = false;
    let (mut description, mut deprecated) = (None, None);
    for it in &block.body.arguments {
        if it.name == "type" {
            match variable::constraint(&it.value) {
                Ok(it) => constraint = Some(it),
                Err(e) => errors.extend(diagnostics(&e, source)),
            }
            continue;
        }
        if !ARGUMENTS.contains(&it.name) || it.name == "validation" {
            errors.push(unknown(it, source));
            continue;
        }
        if it.name == "default" {
            default_at = Some(Location::new(source, it.value.at()));
        }
        match it.value.constant() {
            Ok(value) => {
                is_secret |= matches!(it.name, "sensitive" | "ephemeral") && !is_false(&value.value);
                match it.name {
                    "description" => description = value.value.as_str().map(str::to_owned),
                    "deprecated" => deprecated = value.value.as_str().map(str::to_owned),
                    _ => {}
                }
                arguments.push(EvaluatedArgument {
                    name: NfcString::new(it.name).into(),
                    name_at: it.name_at.clone(),
                    value,
                    value_at: it.value.at(),
                });
            }
            Err(e) => {
                // A flag that cannot be evaluated may be intended to be true.
                is_secret |= matches!(it.name, "sensitive" | "ephemeral");
                errors.extend(diagnostics(&e, source));
            }
        }
    }
    let validations = validations(&mut errors, &block.body, source);
    let names = block.body.arguments.iter().map(|it| it.name).collect();
    let variable = match Variable::assemble(constraint, arguments, text) {
        Ok(it) => Some(it),
        Err(e) => {
            let default = block.body.arguments.iter().find(|it| it.name == "default");
            for it in e.iter() {
                let range = it.span().start.byte..it.span().end.byte;
                // Only a default value can have nested attributes, so only its diagnostics have a path.
                let inner =
                    default.filter(|_| !it.path().is_root()).map(|default| default.value.part(it.path()));
                let location = Location::new(source, inner.unwrap_or(range));
                errors.push(argument_error(it, location));
            }
            None
        }
    };
    let is_valid = errors.is_empty() && is_name_valid;
    Some(Declaration {
        name: label.text.clone(),
        location,
        variable: variable.filter(|_| is_valid),
        argument_names: names,
        default_at,
        validations,
        description,
        deprecated,
        is_secret,
        errors,
    })
}

/// Returns true for a value that certainly does not set a flag.
pub(crate) fn is_false(it: &Value) -> bool {
    *it == Value::Bool(false) || it.as_str() == Some("false")
}

fn unknown(it: &Argument<'_>, source: usize) -> Diagnostic {
    let detail = format!("An argument named {:?} is not expected in a variable block.", it.name);
    let location = Location::new(source, it.name_at.clone());
    Diagnostic::new("Unsupported argument", detail, location).help(did_you_mean(it.name, ARGUMENTS))
}

fn validations<'d>(found: &mut Vec<Diagnostic>, body: &'d Body<'d>, source: usize) -> Vec<Validation<'d>> {
    let mut validations = Vec::new();
    for it in &body.blocks {
        let location = Location::new(source, it.header.clone());
        if it.name != "validation" {
            let detail = format!("Blocks of type {:?} are not expected in a variable block.", it.name);
            let help = did_you_mean(it.name, &["validation"]);
            found.push(Diagnostic::new("Unsupported block type", detail, location).help(help));
            continue;
        }
        if let Some(label) = it.labels.first() {
            let detail = "A validation block does not have labels.";
            let at = Location::new(source, label.at.clone());
            found.push(Diagnostic::new("Extraneous label for validation", detail, at));
        }
        for inner in &it.body.blocks {
            let detail = "A validation block cannot contain blocks.";
            let at = Location::new(source, inner.name_at.clone());
            found.push(Diagnostic::new("Unsupported block type", detail, at));
        }
        let (mut condition, mut message) = (None, None);
        for it in &it.body.arguments {
            let code =
                Code { syntax: Syntax::Native(&it.value), location: Location::new(source, it.value.at()) };
            match it.name {
                "condition" => condition = Some(code),
                "error_message" => message = Some(code),
                name => {
                    let detail = format!("An argument named {name:?} is not expected in a validation block.");
                    let at = Location::new(source, it.name_at.clone());
                    let help = did_you_mean(name, &["condition", "error_message"]);
                    found.push(Diagnostic::new("Unsupported argument", detail, at).help(help));
                }
            }
        }
        validations.extend(complete_validation(found, location, condition, message));
    }
    validations
}

/// Combines the two arguments of a validation and reports missing ones.
pub(crate) fn complete_validation<'d>(
    found: &mut Vec<Diagnostic>,
    location: Location,
    condition: Option<Code<'d>>,
    message: Option<Code<'d>>,
) -> Option<Validation<'d>> {
    for (name, missing) in [("condition", condition.is_none()), ("error_message", message.is_none())] {
        if missing {
            let detail = format!("The argument {name:?} is required, but no definition was found.");
            found.push(Diagnostic::new("Missing required argument", detail, location.clone()));
        }
    }
    Some(Validation { location, condition: condition?, message: message? })
}
