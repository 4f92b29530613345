//! The values of the root module's variables, from `terraform.tfvars` and `*.auto.tfvars`.

use std::collections::BTreeMap;
use std::ops::Range;

use ferroform::value::Typed;
use ferroform_lang::body::Expression;
use ferroform_lang::values;
use ferroform_lang::variable::Variable;

use super::configuration::ModuleTree;
use super::files::{File, Files};
use super::problem::{Problem, Problems, Result};
use crate::workspace::Json;

/// The value of a variable of the root module.
pub(crate) enum VariableValue<'a> {
    /// An expression in a `.tfvars` file.
    Expression(Expression<'a>, &'a File),
    /// A value in a `.tfvars.json` file, with its position.
    Json(Json, Range<usize>, &'a File),
}

impl<'a> VariableValue<'a> {
    /// The position of the value.
    pub(crate) fn position(&self) -> (&'a File, Range<usize>) {
        match self {
            VariableValue::Expression(it, file) => (file, it.at()),
            VariableValue::Json(_, range, file) => (file, range.clone()),
        }
    }

    /// Returns the value without converting it to the type of the variable.
    pub(crate) fn read(&self, declaration: &Variable) -> Result<Typed> {
        match self {
            VariableValue::Expression(it, file) => {
                it.constant().map_err(|errors| Problem::from_errors(file, &errors))
            }
            VariableValue::Json(json, ..) => declaration.read_json(&json.to_string()).map_err(|errors| {
                vec![Problem::error("Invalid value for input variable", errors.first().detail())]
            }),
        }
    }
}

/// Reads the values of the variables, with warnings about undeclared ones. A value of a later file replaces that of an
/// earlier one.
pub(crate) fn read_variables<'a>(
    files: &'a Files,
    configuration: &ModuleTree<'_>,
) -> Result<(BTreeMap<String, VariableValue<'a>>, Problems)> {
    let root = configuration.module(&[]);
    let is_declared = |name: &str| root.is_some_and(|it| it.variables.contains_key(name));
    let (mut found, mut warnings) = (BTreeMap::new(), Problems::new());
    for file in &files.variables {
        let mut values: Vec<(String, VariableValue<'a>)> = Vec::new();
        if file.name.ends_with(".json") {
            let json: Json = serde_json::from_str(&file.text).map_err(|error| {
                vec![Problem::error("Invalid JSON", format!("{} is not valid JSON: {error}.", file.name))]
            })?;
            for (name, value) in json.as_object().into_iter().flatten() {
                let range = position_of_member(&file.text, name);
                values.push((name.clone(), VariableValue::Json(value.clone(), range, file)));
            }
        } else {
            let (content, errors) = values::parse(&file.text);
            if let Some(errors) = errors {
                return Err(Problem::from_errors(file, &errors));
            }
            for it in content.assignments {
                let value = it.value.expression().map_err(|errors| Problem::from_errors(file, &errors))?;
                values.push((it.name.to_owned(), VariableValue::Expression(value, file)));
            }
        }
        for (name, value) in values {
            if !is_declared(&name) {
                let detail = format!(
                    "The root module does not declare a variable named {name:?} but a value was found in file {:?}.",
                    file.name
                );
                warnings.push(Problem::warning("Value for undeclared variable", detail));
                continue;
            }
            found.insert(name, value);
        }
    }
    Ok((found, warnings))
}

/// The position of the value of a member in a JSON object.
fn position_of_member(text: &str, name: &str) -> Range<usize> {
    let (mut depth, mut start, mut is_escaped) = (0_usize, None, false);
    for (at, character) in text.char_indices() {
        match (start, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(from), '"') => {
                let is_member = depth == 1 && text[at + 1..].trim_start().starts_with(':');
                if is_member && text[from + 1..at] == *name {
                    return from..at + 1;
                }
                start = None;
            }
            (None, '"') => start = Some(at),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    0..text.len()
}
