//! Objects of the state as instances of the harness.

use ferroform::raw::AnyResource;
use ferroform::value::json;

use super::problem::{Problem, Result};
use super::providers::{ProviderKey, Providers};
use super::state::Object;
use crate::Instance;
use crate::instance_state::InstanceState;

/// Creates an instance of the harness for objects of a resource type.
pub(crate) fn new_instance(providers: &Providers, provider: &ProviderKey, kind: &str) -> Result<Instance> {
    let harness = providers.get(provider)?;
    let resource = harness.server().find::<dyn AnyResource>(kind).cloned();
    let resource =
        resource.map_err(|error| vec![Problem::error("Invalid resource type", format!("{error}."))])?;
    Ok(Instance { harness, type_name: kind.to_owned(), resource, stored: None, created: None })
}

/// Upgrades the state of a stored object to the current schema version.
pub(crate) fn upgrade(instance: &Instance, label: &str, object: &Object) -> Result<InstanceState> {
    let step = format!("the state upgrade of {label}");
    if object.schema_version > instance.resource.schema().version {
        let detail = format!(
            "The current state of {label} was created by a newer provider version than is currently selected. Upgrade the provider \
             to work with this state."
        );
        return Err(vec![Problem::error("Resource instance managed by newer provider version", detail)]);
    }
    let value = instance
        .upgraded(&step, object.schema_version, object.attributes.as_bytes())
        .map_err(|it| Problem::from_provider(it, label))?;
    let identity = match (&object.identity, instance.resource.identity()) {
        (Some((version, text)), Some(schema)) if *version == schema.version => {
            json::decode(text.as_bytes(), schema.block.ty()).ok()
        }
        (Some((version, text)), Some(_)) => instance
            .upgraded_identity(&step, *version, text)
            .map_err(|it| Problem::from_provider(it, label))?,
        _ => None,
    };
    Ok(InstanceState { value, private: object.private.clone(), identity, tainted: object.is_tainted })
}

/// Stores the state of an instance with the metadata of an earlier object.
pub(crate) fn store(instance: &Instance, state: &InstanceState, earlier: &Object) -> Result<Object> {
    let schema = instance.resource.schema();
    let identity = instance.resource.identity().map(|it| (&it.block, it.version));
    let object = Object::new(earlier.provider.clone(), (&schema.block, schema.version), identity, state)?;
    Ok(Object {
        sensitive: earlier.sensitive.clone(),
        dependencies: earlier.dependencies.clone(),
        create_before_destroy: earlier.create_before_destroy,
        ..object
    })
}
