//! The responses to GetMetadata and GetProviderSchema: the fields for each kind of object.

use std::collections::BTreeMap;

use ferroform_engine::{Kind, Owner};
use ferroform_proto::Bytes;
use ferroform_proto::tfplugin6::{ActionSchema, get_metadata, get_provider_schema};

/// The kinds of objects, with their field numbers in the responses to GetMetadata and GetProviderSchema.
pub(crate) const FIELDS: [(Kind, u64, u64); 7] = [
    (Kind::DataSource, 3, 3),
    (Kind::Resource, 4, 2),
    (Kind::Function, 5, 7),
    (Kind::EphemeralResource, 6, 8),
    (Kind::ListResource, 7, 9),
    (Kind::StateStore, 8, 10),
    (Kind::Action, 9, 11),
];

/// Adds the name of an object to the response to GetMetadata.
pub(crate) fn add_name(response: &mut get_metadata::Response, owner: Owner<'_>) {
    use get_metadata::*;
    let type_name = owner.name.to_owned();
    match owner.kind {
        Kind::Provider | Kind::ProviderMeta => {}
        Kind::Resource => response.resources.push(ResourceMetadata { type_name }),
        Kind::ListResource => response.list_resources.push(ListResourceMetadata { type_name }),
        Kind::DataSource => response.data_sources.push(DataSourceMetadata { type_name }),
        Kind::EphemeralResource => response.ephemeral_resources.push(EphemeralResourceMetadata { type_name }),
        Kind::Action => response.actions.push(ActionMetadata { type_name }),
        Kind::StateStore => response.state_stores.push(StateStoreMetadata { type_name }),
        Kind::Function => response.functions.push(FunctionMetadata { name: type_name }),
    }
}

/// Adds an encoded schema to the response to GetProviderSchema. Functions have a message of their own.
pub(crate) fn add_schema(response: &mut get_provider_schema::Response, owner: Owner<'_>, schema: Bytes) {
    let name = owner.name.to_owned();
    match owner.kind {
        Kind::Provider => response.provider = schema,
        Kind::ProviderMeta => response.provider_meta = schema,
        Kind::Action => drop(response.action_schemas.insert(name, ActionSchema { schema })),
        kind => drop(schemas(response, kind).map(|all| all.insert(name, schema))),
    }
}

/// Iterates over the encoded schemas of a kind, by name, as mutable references.
#[cfg(feature = "client")]
pub(crate) fn schemas_mut(
    response: &mut get_provider_schema::Response,
    kind: Kind,
) -> Box<dyn Iterator<Item = (&String, &mut Bytes)> + '_> {
    match kind {
        Kind::Action => Box::new(response.action_schemas.iter_mut().map(|(name, it)| (name, &mut it.schema))),
        kind => Box::new(schemas(response, kind).into_iter().flatten()),
    }
}

/// The field with the schemas of a kind; `None` if its schemas have another form.
fn schemas(response: &mut get_provider_schema::Response, kind: Kind) -> Option<&mut BTreeMap<String, Bytes>> {
    match kind {
        Kind::Resource => Some(&mut response.resource_schemas),
        Kind::ListResource => Some(&mut response.list_resource_schemas),
        Kind::DataSource => Some(&mut response.data_source_schemas),
        Kind::EphemeralResource => Some(&mut response.ephemeral_resource_schemas),
        Kind::StateStore => Some(&mut response.state_store_schemas),
        Kind::Provider | Kind::ProviderMeta | Kind::Action | Kind::Function => None,
    }
}
