//! `variable` blocks in JSON.
//!
//! A file in JSON declares a variable as a property of the object `variable`. Strings outside of `variable` blocks are
//! templates whose syntax is checked.
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let module = r#"{"variable": {"size": {"type": "number", "default": 1}}}"#;
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![("main.tf.json".to_owned(), module.to_owned())],
//!     values: Vec::new(),
//! });
//! assert_eq!(report.to_text(), "size = 1\n");
//! ```

use ferroform_lang::body::Expression;
use ferroform_lang::expression::EvaluatedArgument;
use ferroform_lang::variable::{self, Variable};
use ferroform_value::NfcString;

use crate::block::{check_name, complete_validation, is_false};
use crate::declaration::{Code, Declaration, Syntax, Validation};
use crate::diagnostic::{Diagnostic, argument_error, diagnostics_at};
use crate::json::{Kind, Member, Node, members};
use crate::source::Location;
use crate::suggest::did_you_mean;
use crate::terraform_names::{ARGUMENTS, BLOCKS};

/// Reads the variable declarations of a file.
pub(crate) fn file<'d>(
    found: &mut Vec<Diagnostic>,
    root: &'d Node,
    (source, text): (usize, &str),
    out: &mut Vec<Declaration<'d>>,
) {
    let subject = "The root value in a JSON-based configuration";
    for it in objects(found, root, source, subject).into_iter().flatten() {
        if it.name == "variable" {
            variables(found, it, (source, text), out);
        } else if let "locals" | "resource" | "data" | "module" = &*it.name {
            templates(found, &it.value, source);
        } else if it.name == "output" {
            let bodies = members(&it.value).flat_map(|label| members(&label.value));
            bodies.filter(|it| it.name == "value").for_each(|it| templates(found, &it.value, source));
        } else if it.name != "//" && !BLOCKS.contains(&&*it.name) {
            let detail = format!("Blocks of type {:?} are not expected in a module.", it.name);
            let location = Location::new(source, it.name_at.clone());
            found.push(
                Diagnostic::new("Extraneous JSON object property", detail, location)
                    .help(did_you_mean(&it.name, BLOCKS)),
            );
        }
    }
}

/// Checks the syntax of the templates in a block. Every string and property name is a template, except comments.
fn templates(found: &mut Vec<Diagnostic>, it: &Node, source: usize) {
    fn check(found: &mut Vec<Diagnostic>, text: &str, location: &Location) {
        if let Err(e) = Expression::template(text) {
            found.extend(diagnostics_at(&e, location));
        }
    }
    match &it.kind {
        Kind::String(text) => check(found, text, &Location::new(source, it.at.clone())),
        Kind::Array(elements) => elements.iter().for_each(|it| templates(found, it, source)),
        Kind::Object(members) => {
            for it in members.iter().filter(|it| it.name != "//") {
                check(found, &it.name, &Location::new(source, it.name_at.clone()));
                templates(found, &it.value, source);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
    }
}

/// Returns the members of an object or of each object in an array, and reports any other value.
fn objects<'d>(found: &mut Vec<Diagnostic>, it: &'d Node, source: usize, subject: &str) -> Vec<&'d [Member]> {
    let one = |it: &'d Node| if let Kind::Object(it) = &it.kind { Some(&**it) } else { None };
    let all = match &it.kind {
        Kind::Array(it) => it.iter().map(one).collect(),
        _ => one(it).map(|it| vec![it]),
    };
    all.unwrap_or_else(|| {
        let detail = format!("{subject} must be an object or an array of objects, but got {}.", it.article());
        found.push(Diagnostic::new(
            "Incorrect JSON value type",
            detail,
            Location::new(source, it.at.clone()),
        ));
        Vec::new()
    })
}

fn variables<'d>(
    found: &mut Vec<Diagnostic>,
    it: &'d Member,
    (source, text): (usize, &str),
    out: &mut Vec<Declaration<'d>>,
) {
    let labels = match it.value.kind {
        Kind::Null => Vec::new(),
        _ => objects(found, &it.value, source, "The value of \"variable\""),
    };
    if labels.iter().all(|it| it.is_empty()) {
        let location = Location::new(source, it.value.at.clone());
        found.push(Diagnostic::new(
            "Missing block label",
            "At least one variable name is required.",
            location,
        ));
    }
    for label in labels.into_iter().flatten().filter(|it| it.name != "//") {
        if matches!(label.value.kind, Kind::Null) {
            continue;
        }
        for body in objects(found, &label.value, source, "A variable") {
            out.push(variable(found, label, body, (source, text)));
        }
    }
}

fn variable<'d>(
    found: &mut Vec<Diagnostic>,
    label: &'d Member,
    body: &'d [Member],
    (source, text): (usize, &str),
) -> Declaration<'d> {
    let location = Location::new(source, label.name_at.clone());
    let is_name_valid = check_name(found, &label.name, &location);
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut constraint = None;
    let mut arguments = Vec::new();
    let mut validations = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let (mut default_at, mut is_secret) = (None, false);
    let (mut description, mut deprecated) = (None, None);
    for it in body.iter().filter(|it| it.name != "//") {
        let name_at = Location::new(source, it.name_at.clone());
        let value_at = Location::new(source, it.value.at.clone());
        if it.name == "validation" {
            if !matches!(it.value.kind, Kind::Null) {
                for inner in objects(&mut errors, &it.value, source, "A validation") {
                    validations.extend(validation(&mut errors, inner, name_at.clone(), source));
                }
            }
            continue;
        }
        if !ARGUMENTS.contains(&&*it.name) {
            let detail = format!("An argument named {:?} is not expected in a variable block.", it.name);
            let help = did_you_mean(&it.name, ARGUMENTS);
            errors.push(Diagnostic::new("Extraneous JSON object property", detail, name_at).help(help));
            continue;
        }
        if names.contains(&&*it.name) {
            let detail = format!("The key {:?} is set more than once.", it.name);
            errors.push(Diagnostic::new("Duplicate argument", detail, name_at));
            continue;
        }
        names.push(&it.name);
        if it.name == "type" {
            let Kind::String(text) = &it.value.kind else {
                let detail = format!("A type must be written as a string, but got {}.", it.value.article());
                errors.push(Diagnostic::new("Invalid type specification", detail, value_at));
                continue;
            };
            match variable::constraint_from_text(text) {
                Ok(it) => constraint = Some(it),
                Err(e) => errors.extend(diagnostics_at(&e, &value_at)),
            }
            continue;
        }
        match it.value.value() {
            Ok(value) => {
                is_secret |= matches!(&*it.name, "sensitive" | "ephemeral") && !is_false(&value.value);
                match &*it.name {
                    "description" => description = value.value.as_str().map(str::to_owned),
                    "deprecated" => deprecated = value.value.as_str().map(str::to_owned),
                    "default" => default_at = Some(value_at),
                    _ => {}
                }
                let name = NfcString::new(&it.name).into();
                arguments.push(EvaluatedArgument {
                    name,
                    name_at: it.name_at.clone(),
                    value,
                    value_at: it.value.at.clone(),
                });
            }
            Err((at, detail)) => errors.push(Diagnostic::of_value(
                "Duplicate object attribute",
                detail,
                Location::new(source, at),
            )),
        }
    }
    let variable = Variable::assemble(constraint, arguments, text);
    for it in variable.as_ref().err().into_iter().flat_map(|it| it.iter()) {
        let range = it.span().start.byte..it.span().end.byte;
        errors.push(argument_error(it, Location::new(source, range)));
    }
    let is_valid = errors.is_empty() && is_name_valid;
    Declaration {
        name: label.name.clone(),
        location,
        variable: variable.ok().filter(|_| is_valid),
        argument_names: names,
        default_at,
        validations,
        description,
        deprecated,
        is_secret,
        errors,
    }
}

fn validation<'d>(
    found: &mut Vec<Diagnostic>,
    body: &'d [Member],
    location: Location,
    source: usize,
) -> Option<Validation<'d>> {
    let (mut condition, mut message) = (None, None);
    for it in body.iter().filter(|it| it.name != "//") {
        let name_at = Location::new(source, it.name_at.clone());
        let value_at = Location::new(source, it.value.at.clone());
        let target = match &*it.name {
            "condition" => &mut condition,
            "error_message" => &mut message,
            name => {
                let detail = format!("An argument named {name:?} is not expected in a validation block.");
                let help = did_you_mean(name, &["condition", "error_message"]);
                found.push(Diagnostic::new("Extraneous JSON object property", detail, name_at).help(help));
                continue;
            }
        };
        if target.is_some() {
            let detail = format!("The key {:?} is set more than once.", it.name);
            found.push(Diagnostic::new("Duplicate argument", detail, name_at));
            continue;
        }
        let expression = match &it.value.kind {
            Kind::String(text) => Expression::template(text),
            Kind::Bool(true) => Expression::parse("true"),
            Kind::Bool(false) => Expression::parse("false"),
            // No other value is a valid condition or message.
            _ => Expression::parse("null"),
        };
        match expression {
            Ok(it) => *target = Some(Code { syntax: Syntax::Json(it), location: value_at }),
            Err(e) => found.extend(diagnostics_at(&e, &value_at)),
        }
    }
    if found.is_empty() { complete_validation(found, location, condition, message) } else { None }
}
