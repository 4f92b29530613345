//! `import` blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform::schema::Block;
use ferroform_engine::schema::Mode;
use ferroform_engine::value::{Attribute, ObjectType, Type, Value};
use ferroform_lang::body::TraversalStep;
use serde_json::json;

use super::address::{Address, ConfigAddress, InstanceKey, ModuleInstance};
use super::blocks::Located;
use super::configuration::Import;
use super::evaluation::{Evaluation, expand_for_each};
use super::problem::{Problem, Result};
use super::scope::Scope;
use super::values::{instance_values, plain_json};
use crate::workspace::Json;

/// The object to import.
#[derive(Clone, Debug)]
pub(crate) struct ImportTarget {
    /// The import ID, or `None` for an import by identity.
    pub(crate) id: Option<String>,
    pub(crate) identity: Option<Value>,
}

impl ImportTarget {
    /// The import ID or identity, as the JSON of a plan.
    pub(crate) fn json(&self) -> Json {
        match (&self.id, &self.identity) {
            (Some(id), _) => json!({ "id": id }),
            (None, Some(identity)) => json!({ "identity": plain_json(identity) }),
            (None, None) => json!({}),
        }
    }
}

/// Evaluates the `import` blocks for a resource.
pub(crate) fn resolve(
    evaluation: &Evaluation<'_>,
    config_address: &ConfigAddress,
    identity: Option<&Block>,
) -> Result<BTreeMap<Address, ImportTarget>> {
    let mut found = BTreeMap::new();
    let Some(root) = evaluation.module(&[]) else { return Ok(found) };
    for import in root.imports_of(config_address) {
        let module = ModuleInstance::new();
        let instances = match &import.for_each {
            None => vec![None],
            Some(it) => {
                let value = evaluation.with_scope(&module, &[], |scope| scope.evaluate(it))?;
                expand_for_each(it, value)?
                    .into_iter()
                    .map(|(key, value)| instance_values(&key, value.as_ref()))
                    .collect()
            }
        };
        for values in instances {
            let (address, target) = evaluation
                .with_scope(&module, values.as_slice(), |scope| resolve_instance(scope, import, identity))?;
            found.insert(address, target);
        }
    }
    Ok(found)
}

/// Evaluates an instance of an `import` block.
fn resolve_instance(
    scope: &Scope<'_>,
    import: &Import<'_>,
    identity: Option<&Block>,
) -> Result<(Address, ImportTarget)> {
    let at = |problem: Problem, it: &Located<'_>| vec![problem.at_expression(it)];
    let address = address(scope, &import.to)?;
    let id = match &import.id {
        None => None,
        Some(it) => {
            let value = scope.evaluate_as(it, &Type::String)?;
            let problem = |detail: &str| at(Problem::error("Invalid import id argument", detail), it);
            match &value.typed.value {
                Value::String(id) if !id.is_empty() => Some(id.to_string()),
                Value::Unknown(_) => {
                    return Err(problem(
                        "The import block \"id\" argument depends on resource attributes that cannot be determined until \
                         apply, so Terraform cannot plan to import this resource.",
                    ));
                }
                Value::Null => return Err(problem("The import ID cannot be null.")),
                _ => {
                    return Err(problem(
                        "The import ID value evaluates to an empty string, please provide a non-empty value.",
                    ));
                }
            }
        }
    };
    let identity = match (&import.identity, identity) {
        (None, _) => None,
        (Some(it), None) => {
            let detail = "The resource does not have an identity.";
            return Err(at(Problem::error("Invalid import identity argument", detail), it));
        }
        (Some(it), Some(block)) => Some(identity_value(scope, it, block)?),
    };
    Ok((address, ImportTarget { id, identity }))
}

fn identity_value(scope: &Scope<'_>, it: &Located<'_>, block: &Block) -> Result<Value> {
    let attributes = block.attributes().iter().map(|it| {
        let attribute = Attribute::new(it.name().clone(), it.ty().clone());
        if it.mode() == Mode::Required { attribute } else { attribute.optional() }
    });
    let ty = Type::Object(Arc::new(ObjectType::new(attributes)));
    let problem = |summary: &str, detail: &str| vec![Problem::error(summary, detail).at_expression(it)];
    let value = scope.evaluate(it)?.typed.fit(&ty);
    let value = value
        .map_err(|error| problem("Incorrect value type", &format!("Invalid expression value: {error}.")))?;
    if !value.is_wholly_known() {
        let detail = "The import block \"identity\" argument depends on resource attributes that cannot be determined until apply, \
                      so Terraform cannot plan to import this resource.";
        return Err(problem("Invalid import identity argument", detail));
    }
    Ok(value)
}

/// Evaluates the address of an `import` block, whose keys can be expressions.
fn address(scope: &Scope<'_>, it: &Located<'_>) -> Result<Address> {
    let steps = it.expression.traversal_in(scope).map_err(|errors| Problem::from_errors(it.file, &errors))?;
    steps.and_then(|it| Address::from_steps(&it)).ok_or_else(|| {
        let detail = "The address of a resource instance is required.";
        vec![Problem::error("Invalid import address expression", detail).at_expression(it)]
    })
}

/// Evaluates the indexes of a reference, such as `aws_vpc.a[count.index].id`.
///
/// # Errors
///
/// Returns an error with this summary if the expression is not such a reference.
pub(crate) fn static_steps(scope: &Scope<'_>, it: &Located<'_>, summary: &str) -> Result<Vec<TraversalStep>> {
    let steps = it.expression.traversal_in(scope).map_err(|errors| Problem::from_errors(it.file, &errors))?;
    let is_known = |it: &TraversalStep| match it {
        TraversalStep::Index(value) => InstanceKey::from_value(value).is_some(),
        TraversalStep::Name(_) => true,
    };
    steps.filter(|it| it.iter().all(is_known)).ok_or_else(|| {
        let detail = "The expression must refer to a resource, and its instance keys must be known.";
        let problem = Problem::error(summary, detail);
        vec![problem.at_expression(it)]
    })
}

/// The error about the import of an instance that the configuration does not have.
pub(crate) fn undeclared_import(address: &Address) -> Problem {
    let detail = format!(
        "The configuration for the given import {address} does not exist. All target instances must have an associated \
         configuration to be imported."
    );
    Problem::error("Configuration for import target does not exist", detail)
}
