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
use ferroform_lang::type_constraint::Constraint;
use ferroform_lang::variable;

use crate::block::{check_name, complete_validation};
use crate::declaration::{Declaration, DeclarationBuilder, ExpressionSyntax, LocatedExpression, Validation};
use crate::diagnostic::{Diagnostic, locate_errors_at};
use crate::json::{Kind, Member, Node, members};
use crate::source::Location;
use crate::suggest::did_you_mean;
use crate::terraform_names::{ARGUMENTS, BLOCKS};

/// Reads the variable declarations of a file.
pub(crate) fn read_variables<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    root: &'d Node,
    (source, text): (usize, &str),
    out: &mut Vec<Declaration<'d>>,
) {
    let subject = "The root value in a JSON-based configuration";
    for member in require_objects(diagnostics, root, source, subject).into_iter().flatten() {
        if member.name == "variable" {
            read_variable_labels(diagnostics, member, (source, text), out);
        } else if let "locals" | "resource" | "data" | "module" = &*member.name {
            check_templates(diagnostics, &member.value, source);
        } else if member.name == "output" {
            let bodies = members(&member.value).flat_map(|label| members(&label.value));
            bodies
                .filter(|it| it.name == "value")
                .for_each(|it| check_templates(diagnostics, &it.value, source));
        } else if member.name != "//" && !BLOCKS.contains(&&*member.name) {
            let detail = format!("Blocks of type {:?} are not expected in a module.", member.name);
            let location = Location::new(source, member.name_at.clone());
            diagnostics.push(
                Diagnostic::new("Extraneous JSON object property", detail, location)
                    .with_help(did_you_mean(&member.name, BLOCKS)),
            );
        }
    }
}

/// Checks the syntax of the templates in a block. Every string and property name is a template, except comments.
fn check_templates(diagnostics: &mut Vec<Diagnostic>, node: &Node, source: usize) {
    fn check(diagnostics: &mut Vec<Diagnostic>, text: &str, location: &Location) {
        if let Err(e) = Expression::template(text) {
            diagnostics.extend(locate_errors_at(&e, location));
        }
    }
    match &node.kind {
        Kind::String(text) => check(diagnostics, text, &Location::new(source, node.at.clone())),
        Kind::Array(elements) => elements.iter().for_each(|it| check_templates(diagnostics, it, source)),
        Kind::Object(members) => {
            for member in members.iter().filter(|it| it.name != "//") {
                check(diagnostics, &member.name, &Location::new(source, member.name_at.clone()));
                check_templates(diagnostics, &member.value, source);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
    }
}

/// Returns the members of an object or of each object in an array, and reports any other value.
fn require_objects<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    node: &'d Node,
    source: usize,
    subject: &str,
) -> Vec<&'d [Member]> {
    let one = |it: &'d Node| if let Kind::Object(it) = &it.kind { Some(&**it) } else { None };
    let all = match &node.kind {
        Kind::Array(it) => it.iter().map(one).collect(),
        _ => one(node).map(|it| vec![it]),
    };
    all.unwrap_or_else(|| {
        let detail = format!(
            "{subject} must be an object or an array of objects, but got {}.",
            node.type_with_article()
        );
        diagnostics.push(Diagnostic::new(
            "Incorrect JSON value type",
            detail,
            Location::new(source, node.at.clone()),
        ));
        Vec::new()
    })
}

fn read_variable_labels<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    member: &'d Member,
    (source, text): (usize, &str),
    out: &mut Vec<Declaration<'d>>,
) {
    let labels = match member.value.kind {
        Kind::Null => Vec::new(),
        _ => require_objects(diagnostics, &member.value, source, "The value of \"variable\""),
    };
    if labels.iter().all(|it| it.is_empty()) {
        let location = Location::new(source, member.value.at.clone());
        diagnostics.push(Diagnostic::new(
            "Missing block label",
            "At least one variable name is required.",
            location,
        ));
    }
    for label in labels.into_iter().flatten().filter(|it| it.name != "//") {
        if matches!(label.value.kind, Kind::Null) {
            continue;
        }
        for body in require_objects(diagnostics, &label.value, source, "A variable") {
            out.push(read_variable(diagnostics, label, body, (source, text)));
        }
    }
}

fn read_variable<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    label: &'d Member,
    body: &'d [Member],
    (source, text): (usize, &str),
) -> Declaration<'d> {
    let location = Location::new(source, label.name_at.clone());
    let is_name_valid = check_name(diagnostics, &label.name, &location);
    let mut builder = DeclarationBuilder::default();
    for argument in body.iter().filter(|it| it.name != "//") {
        let name_location = Location::new(source, argument.name_at.clone());
        let value_location = Location::new(source, argument.value.at.clone());
        match &*argument.name {
            "validation" => {
                if !matches!(argument.value.kind, Kind::Null) {
                    let errors = &mut builder.errors;
                    for inner in require_objects(errors, &argument.value, source, "A validation") {
                        builder.validations.extend(read_validation(
                            errors,
                            inner,
                            name_location.clone(),
                            source,
                        ));
                    }
                }
            }
            name if !ARGUMENTS.contains(&name) => {
                let detail = format!("An argument named {name:?} is not expected in a variable block.");
                let diagnostic = Diagnostic::new("Extraneous JSON object property", detail, name_location);
                builder.errors.push(diagnostic.with_help(did_you_mean(name, ARGUMENTS)));
            }
            name if builder.argument_names.contains(&name) => {
                builder.errors.push(duplicate_argument(name, name_location));
            }
            name => {
                builder.argument_names.push(name);
                if name == "type" {
                    match read_type(&argument.value, &value_location) {
                        Ok(constraint) => builder.constraint = Some(constraint),
                        Err(errors) => builder.errors.extend(errors),
                    }
                    builder.type_location = Some(value_location);
                    continue;
                }
                let value = argument.value.value().map_err(|(at, detail)| {
                    let at = Location::new(source, at);
                    vec![Diagnostic::for_value("Duplicate object attribute", detail, at)]
                });
                builder.add(name, argument.name_at.clone(), value, value_location);
            }
        }
    }
    builder.build((&label.name, is_name_valid), location, text, |error| {
        error.span().start.byte..error.span().end.byte
    })
}

fn read_type(value: &Node, value_location: &Location) -> Result<Constraint, Vec<Diagnostic>> {
    let Kind::String(text) = &value.kind else {
        let detail = format!("A type must be written as a string, but got {}.", value.type_with_article());
        return Err(vec![Diagnostic::new("Invalid type specification", detail, value_location.clone())]);
    };
    variable::constraint_from_text(text).map_err(|errors| locate_errors_at(&errors, value_location).collect())
}

fn duplicate_argument(name: &str, name_location: Location) -> Diagnostic {
    Diagnostic::new(
        "Duplicate argument",
        format!("The argument {name:?} is set more than once."),
        name_location,
    )
}

fn read_validation<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    body: &'d [Member],
    location: Location,
    source: usize,
) -> Option<Validation<'d>> {
    let (mut condition, mut message) = (None, None);
    for argument in body.iter().filter(|it| it.name != "//") {
        let name_location = Location::new(source, argument.name_at.clone());
        let value_location = Location::new(source, argument.value.at.clone());
        let target = match &*argument.name {
            "condition" => &mut condition,
            "error_message" => &mut message,
            name => {
                let detail = format!("An argument named {name:?} is not expected in a validation block.");
                let help = did_you_mean(name, &["condition", "error_message"]);
                diagnostics.push(
                    Diagnostic::new("Extraneous JSON object property", detail, name_location).with_help(help),
                );
                continue;
            }
        };
        if target.is_some() {
            diagnostics.push(duplicate_argument(&argument.name, name_location));
            continue;
        }
        let expression = match &argument.value.kind {
            Kind::String(text) => Expression::template(text),
            Kind::Bool(true) => Expression::parse("true"),
            Kind::Bool(false) => Expression::parse("false"),
            // No other value is a valid condition or message.
            _ => Expression::parse("null"),
        };
        match expression {
            Ok(expression) => {
                *target = Some(LocatedExpression::new(ExpressionSyntax::Json(expression), value_location))
            }
            Err(e) => diagnostics.extend(locate_errors_at(&e, &value_location)),
        }
    }
    if diagnostics.is_empty() { complete_validation(diagnostics, location, condition, message) } else { None }
}
