//! The objects of a provider that have a page.

use ferroform_engine::Kind;
use ferroform_proto::tfplugin6::schema::Block;
use ferroform_proto::tfplugin6::{Function, ResourceIdentitySchema};

use super::kind;
use super::markdown;
use crate::provider_schema::binary::ProviderSchemas;

/// An object of the provider, or the provider itself.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub(super) kind: Kind,
    /// The type, such as `local_file`, or the name of a function; empty for the provider.
    pub(super) name: &'a str,
    /// The description with the message of a deprecation, in Markdown.
    pub(super) description: String,
    pub(super) content: Content<'a>,
    /// The identity schema of a resource.
    pub(super) identity: Option<&'a ResourceIdentitySchema>,
}

/// The schema of an object, or the signature of a function.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Schema(Block),
    Function(&'a Function),
}

impl Object<'_> {
    /// The path of the page without its extension, such as `resources/file`: without the name of the provider.
    pub(super) fn page(&self, provider_type: &str) -> String {
        if self.kind == Kind::Provider {
            return "index".to_owned();
        }
        let rest = self.name.strip_prefix(provider_type).and_then(|it| it.strip_prefix('_'));
        let is_type = self.kind != Kind::Function;
        let name = rest.filter(|it| is_type && !it.is_empty()).unwrap_or(self.name);
        format!("{}/{name}", kind::folder(self.kind))
    }

    /// The schema; `None` for a function.
    pub(super) fn block(&self) -> Option<&Block> {
        match &self.content {
            Content::Schema(block) => Some(block),
            Content::Function(_) => None,
        }
    }
}

/// Returns the provider and its objects.
pub(super) fn objects(schemas: &ProviderSchemas) -> Result<Vec<Object<'_>>, String> {
    let response = &schemas.response;
    let mut objects = Vec::new();
    let mut add = |kind, name, schema: &[u8]| {
        let block = schemas.decode(schema)?;
        objects.push(Object {
            kind,
            name,
            description: markdown::with_deprecation(&block.description, &block.deprecation_message),
            content: Content::Schema(block),
            identity: schemas.identities.get(name).filter(|_| kind == Kind::Resource),
        });
        Ok::<(), String>(())
    };
    add(Kind::Provider, "", &response.provider)?;
    let by_kind = [
        (Kind::Resource, &response.resource_schemas),
        (Kind::DataSource, &response.data_source_schemas),
        (Kind::EphemeralResource, &response.ephemeral_resource_schemas),
        (Kind::ListResource, &response.list_resource_schemas),
        (Kind::StateStore, &response.state_store_schemas),
    ];
    for (kind, schemas) in by_kind {
        for (name, schema) in schemas {
            add(kind, name, schema)?;
        }
    }
    for (name, action) in &response.action_schemas {
        add(Kind::Action, name, &action.schema)?;
    }
    for (name, it) in &response.functions {
        let description = markdown::with_deprecation(&it.description, &it.deprecation_message);
        objects.push(Object {
            kind: Kind::Function,
            name,
            description: if description.is_empty() { it.summary.clone() } else { description },
            content: Content::Function(it),
            identity: None,
        });
    }
    Ok(objects)
}
