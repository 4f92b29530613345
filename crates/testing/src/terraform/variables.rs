//! The values of the root module's variables, from `terraform.tfvars` and `*.auto.tfvars`.

use std::collections::BTreeMap;
use std::ops::Range;

use ferroform::value::Typed;
use ferroform_lang::body::Expression;
use ferroform_lang::{json, values};

use super::configuration::ModuleTree;
use super::files::{File, Files};
use super::problem::{Problem, Problems, Result};

/// The value of a variable of the root module.
pub(crate) enum VariableValue<'a> {
    /// An expression in a `.tfvars` file.
    Expression(Expression<'a>, &'a File),
    /// A value in a `.tfvars.json` file.
    Json(json::Member, &'a File),
}

impl<'a> VariableValue<'a> {
    /// The position of the value.
    pub(crate) fn position(&self) -> (&'a File, Range<usize>) {
        match self {
            VariableValue::Expression(it, file) => (file, it.at()),
            VariableValue::Json(it, file) => (file, it.name_at.start..it.value.at.end),
        }
    }

    /// Returns the value without converting it to the type of the variable.
    pub(crate) fn read(&self) -> Result<Typed> {
        match self {
            VariableValue::Expression(it, file) => {
                it.constant().map_err(|errors| Problem::from_errors(file, &errors))
            }
            VariableValue::Json(it, file) => it.value.value().map_err(|(at, detail)| {
                vec![Problem::error("Duplicate object attribute", detail).at(file, at)]
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
            let error = |at, summary, detail| vec![Problem::error(summary, detail).at(file, at)];
            let root = json::parse(&file.text).map_err(|(at, detail)| error(at, "Invalid JSON", detail))?;
            let json::Kind::Object(members) = root.kind else {
                let detail = "The file must contain a JSON object with the values of variables.".to_owned();
                return Err(error(root.at, "Incorrect JSON value type", detail));
            };
            for it in members.into_iter().filter(|it| it.name != "//") {
                if values.iter().any(|(name, _)| *name == it.name) {
                    let detail = format!("The variable {:?} is assigned more than once.", it.name);
                    return Err(error(it.name_at, "Duplicate attribute definition", detail));
                }
                values.push((it.name.clone(), VariableValue::Json(it, file)));
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
