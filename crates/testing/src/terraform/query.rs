//! The `list` blocks of query files.

use ferroform::raw::AnyListResource;
use ferroform::value::{Type, Value};

use super::address::{Address, Mode, ModuleInstance, ModulePath};
use super::configuration::Resource;
use super::decode::entries;
use super::graph::Node;
use super::problem::{Problem, Result};
use super::run::{Run, plain_json, unknown_type};
use super::scope::instance_names;
use crate::workspace::QueryResult;
use crate::{Configuration, Listing};

/// The number of objects that Terraform lists without a `limit`.
const DEFAULT_LIMIT: u64 = 100;

/// Evaluates the configuration on which the `list` blocks depend, and runs them.
pub(crate) fn run(run: &mut Run<'_>) -> Result<Vec<QueryResult>> {
    let root = ModulePath::new();
    let lists: Vec<&Resource<'_>> = run
        .module(&root)
        .into_iter()
        .flat_map(|it| it.resources.values())
        .filter(|it| it.id.mode == Mode::List)
        .collect();
    let nodes = lists.iter().map(|it| {
        Node::Resource(super::address::ConfigAddress { module: root.clone(), resource: it.id.clone() })
    });
    let needed = run.graph.with_dependencies(nodes);
    for node in run.graph.order.iter().filter(|it| needed.contains(it)) {
        run.evaluate_node(node)?;
    }
    let mut found = Vec::new();
    for list in lists {
        for (key, each) in run.expand(&ModuleInstance::new(), &list.repetition)? {
            let address =
                Address { module: ModuleInstance::new(), resource: list.id.clone(), key: key.clone() };
            let names: Vec<_> = instance_names(&key, each.as_ref()).into_iter().collect();
            found.extend(results(run, list, &address, &names)?);
        }
    }
    Ok(found)
}

fn results(
    run: &Run<'_>,
    list: &Resource<'_>,
    address: &Address,
    names: &[(&'static str, ferroform_lang::marks::Marked)],
) -> Result<Vec<QueryResult>> {
    let provider = run.provider_of(&[], list)?;
    let harness = run.providers.get(&provider)?;
    let source = harness.server().find::<dyn AnyListResource>(&list.id.kind);
    let block = source.map_err(|_| unknown_type(list, "list resource"))?.schema().block.clone();
    let (configuration, limit, include) =
        run.with_scope(&address.module, names.iter().cloned(), |scope| {
            let (configuration, _) = entries(scope, &list.config, &block)?;
            let argument = |name: &str, ty: &Type| match list.arguments.iter().find(|(it, _)| *it == name) {
                Some((_, it)) => scope.evaluate_as(it, ty).map(|it| it.typed.value),
                None => Ok(Value::Null),
            };
            Ok::<_, Vec<Problem>>((
                configuration,
                argument("limit", &Type::Number)?,
                argument("include_resource", &Type::Bool)?,
            ))
        })?;
    let limit = match limit {
        Value::Number(it) => it.to_u64().unwrap_or(DEFAULT_LIMIT),
        _ => DEFAULT_LIMIT,
    };
    let mut query = harness.list_resource(&list.id.kind).limit(limit);
    if include == Value::Bool(true) {
        query = query.include_resource();
    }
    let label = address.to_string();
    let mut listing = Listing::default();
    query
        .run_list(&format!("the list of {label}"), &Configuration::from_entries(configuration), &mut listing)
        .map_err(|it| super::plan::located(Problem::from_provider(it, &label), list))?;
    Ok(listing
        .objects
        .iter()
        .map(|it| QueryResult {
            address: label.clone(),
            resource_type: list.id.kind.clone(),
            display_name: it.display_name().to_owned(),
            identity: plain_json(it.identity().value()),
            values: it.object().map_or(serde_json::Value::Null, |it| plain_json(it.value())),
        })
        .collect())
}
