//! `variable` blocks in HCL.

use ferroform_lang::body::{Block, Body};
use ferroform_lang::variable;

use crate::declaration::{Declaration, DeclarationBuilder, ExpressionSyntax, LocatedExpression, Validation};
use crate::diagnostic::{Diagnostic, locate_errors};
use crate::source::Location;
use crate::suggest::did_you_mean;
use crate::terraform_names::{ARGUMENTS, RESERVED};

/// Checks the name of a variable, and returns true if it is valid.
pub(crate) fn check_name(diagnostics: &mut Vec<Diagnostic>, name: &str, location: &Location) -> bool {
    let detail = if RESERVED.contains(&name) {
        format!("The variable name {name:?} is reserved due to its special meaning inside module blocks.")
    } else if !ferroform_lang::is_identifier(name) {
        "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes."
            .to_owned()
    } else {
        return true;
    };
    diagnostics.push(Diagnostic::new("Invalid variable name", detail, location.clone()));
    false
}

/// Reads a `variable` block. Returns `None` if the block does not have exactly one label.
pub(crate) fn read_variable<'d>(
    diagnostics: &mut Vec<Diagnostic>,
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
        diagnostics.push(Diagnostic::new(summary, detail, location));
        return None;
    };
    let is_name_valid = check_name(diagnostics, &label.text, &Location::new(source, label.at.clone()));
    let arguments = &block.body.arguments;
    let mut builder = DeclarationBuilder::default();
    builder.argument_names.extend(arguments.iter().map(|it| it.name));
    for argument in arguments {
        let value_location = Location::new(source, argument.value.at());
        match argument.name {
            "type" => {
                match variable::constraint(&argument.value) {
                    Ok(constraint) => builder.constraint = Some(constraint),
                    Err(errors) => builder.errors.extend(locate_errors(&errors, source)),
                }
                builder.type_location = Some(value_location);
            }
            name if !ARGUMENTS.contains(&name) || name == "validation" => {
                let detail = format!("An argument named {name:?} is not expected in a variable block.");
                let name_location = Location::new(source, argument.name_at.clone());
                let diagnostic = Diagnostic::new("Unsupported argument", detail, name_location);
                builder.errors.push(diagnostic.with_help(did_you_mean(name, ARGUMENTS)));
            }
            name => {
                let value = argument.value.constant().map_err(|e| locate_errors(&e, source).collect());
                builder.add(name, argument.name_at.clone(), value, value_location);
            }
        }
    }
    builder.validations = read_validations(&mut builder.errors, &block.body, source);
    let default = arguments.iter().find(|it| it.name == "default");
    Some(builder.build((&label.text, is_name_valid), location, text, |error| {
        // Only a default value can have nested attributes, so only its errors have a path.
        match default.filter(|_| !error.path().is_root()) {
            Some(default) => default.value.part(error.path()),
            None => error.span().start.byte..error.span().end.byte,
        }
    }))
}

fn read_validations<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    body: &'d Body<'d>,
    source: usize,
) -> Vec<Validation<'d>> {
    let mut validations = Vec::new();
    for block in &body.blocks {
        let location = Location::new(source, block.header.clone());
        if block.name != "validation" {
            let detail = format!("Blocks of type {:?} are not expected in a variable block.", block.name);
            let help = did_you_mean(block.name, &["validation"]);
            diagnostics.push(Diagnostic::new("Unsupported block type", detail, location).with_help(help));
            continue;
        }
        if let Some(label) = block.labels.first() {
            let detail = "A validation block does not have labels.";
            let at = Location::new(source, label.at.clone());
            diagnostics.push(Diagnostic::new("Extraneous label for validation", detail, at));
        }
        for inner in &block.body.blocks {
            let detail = "A validation block cannot contain blocks.";
            let at = Location::new(source, inner.name_at.clone());
            diagnostics.push(Diagnostic::new("Unsupported block type", detail, at));
        }
        let (mut condition, mut message) = (None, None);
        for argument in &block.body.arguments {
            let location = Location::new(source, argument.value.at());
            let expression = LocatedExpression::new(ExpressionSyntax::Native(&argument.value), location);
            match argument.name {
                "condition" => condition = Some(expression),
                "error_message" => message = Some(expression),
                name => {
                    let detail = format!("An argument named {name:?} is not expected in a validation block.");
                    let at = Location::new(source, argument.name_at.clone());
                    let help = did_you_mean(name, &["condition", "error_message"]);
                    diagnostics.push(Diagnostic::new("Unsupported argument", detail, at).with_help(help));
                }
            }
        }
        validations.extend(complete_validation(diagnostics, location, condition, message));
    }
    validations
}

/// Combines the two arguments of a validation and reports missing ones.
pub(crate) fn complete_validation<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    location: Location,
    condition: Option<LocatedExpression<'d>>,
    message: Option<LocatedExpression<'d>>,
) -> Option<Validation<'d>> {
    for (name, missing) in [("condition", condition.is_none()), ("error_message", message.is_none())] {
        if missing {
            diagnostics.push(Diagnostic::missing_argument(name, location.clone()));
        }
    }
    Some(Validation { location, condition: condition?, message: message? })
}
