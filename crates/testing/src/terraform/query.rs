//! The `list` blocks of query files.

use ferroform::value::{Type, Value};

use super::address::{ConfigAddress, Mode, ModuleInstance, ModulePath};
use super::configuration::Resource;
use super::decode::located;
use super::evaluation::Evaluation;
use super::graph::Node;
use super::problem::{Problem, Result};
use super::resource_instance::ResourceInstance;
use super::values::plain_json;
use crate::workspace::{Json, QueryResult};
use crate::{Configuration, Listing};

/// The number of objects that Terraform lists without a `limit`.
const DEFAULT_LIMIT: u64 = 100;

/// Evaluates the configuration on which the `list` blocks depend, and runs them.
pub(crate) fn run_list_blocks(evaluation: &mut Evaluation<'_>) -> Result<Vec<QueryResult>> {
    let root = ModulePath::new();
    let lists: Vec<&Resource<'_>> = evaluation
        .module(&root)
        .into_iter()
        .flat_map(|it| it.resources.values())
        .filter(|it| it.id.mode == Mode::List)
        .collect();
    let nodes = lists
        .iter()
        .map(|it| Node::Resource(ConfigAddress { module: root.clone(), resource: it.id.clone() }));
    let needed = evaluation.graph.with_dependencies(nodes);
    for node in evaluation.graph.order.iter().filter(|it| needed.contains(it)) {
        evaluation.evaluate_node(node)?;
    }
    let mut found = Vec::new();
    for list in lists {
        for (key, each) in evaluation.expand(&ModuleInstance::new(), &list.repetition)? {
            let provider = evaluation.provider_of(&root, list)?;
            let instance =
                ResourceInstance::new(&ModuleInstance::new(), list, &provider, (&key, each.as_ref()));
            found.extend(results(evaluation, &instance)?);
        }
    }
    Ok(found)
}

fn results(evaluation: &Evaluation<'_>, it: &ResourceInstance<'_>) -> Result<Vec<QueryResult>> {
    let list = it.resource;
    let harness = evaluation.providers.get(it.provider)?;
    let decoded = evaluation.decode(it, list.block(&harness)?)?;
    let argument = |name: &str, ty: &Type| match list.arguments.iter().find(|(it, _)| *it == name) {
        Some((_, argument)) => {
            let value = evaluation
                .with_scope(&it.address.module, &it.values, |scope| scope.evaluate_as(argument, ty));
            value.map(|it| it.typed.value)
        }
        None => Ok(Value::Null),
    };
    let limit = argument("limit", &Type::Number)?;
    let include = argument("include_resource", &Type::Bool)?;
    let limit = match limit {
        Value::Number(it) => it.to_u64().unwrap_or(DEFAULT_LIMIT),
        _ => DEFAULT_LIMIT,
    };
    let mut query = harness.list_resource(&list.id.kind).limit(limit);
    if include == Value::Bool(true) {
        query = query.include_resource();
    }
    let label = it.address.to_string();
    let configuration = Configuration::from_entries(decoded.configuration);
    let mut listing = Listing::default();
    query
        .run_list(&format!("the list of {label}"), &configuration, &mut listing)
        .map_err(|it| located(Problem::from_provider(it, &label), &list.config))?;
    Ok(listing
        .objects
        .iter()
        .map(|it| QueryResult {
            address: label.clone(),
            resource_type: list.id.kind.clone(),
            display_name: it.display_name().to_owned(),
            identity: plain_json(it.identity().value()),
            values: it.object().map_or(Json::Null, |it| plain_json(it.value())),
        })
        .collect())
}
