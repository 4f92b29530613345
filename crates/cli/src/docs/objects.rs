//! The objects of a provider that have a page.

use ferroform_engine::schema::{Block, IdentitySchema};
use ferroform_engine::{Definition, FunctionSignature, Kind};

use super::kind;
use super::markdown;
use crate::provider_schema::ProviderSchema;

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
    pub(super) identity: Option<&'a IdentitySchema>,
}

/// The schema of an object, or the signature of a function.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Schema(&'a Block),
    Function(&'a FunctionSignature),
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
        format!("{}/{name}", kind::directory(self.kind))
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
pub(super) fn objects(schemas: &ProviderSchema) -> Vec<Object<'_>> {
    let of_kind =
        |kind: &'static Kind| schemas.of_kind(*kind).iter().map(|(name, it)| (*kind, name.as_str(), it));
    let all = [(Kind::Provider, "", &schemas.provider)]
        .into_iter()
        .chain(Definition::KINDS.iter().flat_map(of_kind));
    let objects = all.map(|(kind, name, schema)| Object {
        kind,
        name,
        description: markdown::described(&schema.block),
        content: Content::Schema(&schema.block),
        identity: schemas.identities.get(name).filter(|_| kind == Kind::Resource),
    });
    let functions = schemas.functions.iter().map(|(name, it)| {
        let description = markdown::described(&it.parameters);
        Object {
            kind: Kind::Function,
            name,
            description: if description.is_empty() { it.summary.clone() } else { description },
            content: Content::Function(it),
            identity: None,
        }
    });
    objects.chain(functions).collect()
}
