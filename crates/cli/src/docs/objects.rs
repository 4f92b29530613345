//! The objects of a provider that have a page.

use ferroform_engine::schema::{Block, IdentitySchema};
use ferroform_engine::{Definition, FunctionSignature, Kind};

use super::kind;
use super::text;
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

    /// The error about a name that is not an identifier. The provider itself has no name.
    fn name_error(&self) -> Option<String> {
        let is_valid = self.kind == Kind::Provider || ferroform_lang::is_identifier(self.name);
        let (noun, name) = (self.kind.noun(), self.name);
        (!is_valid).then(|| {
            format!(
                "{noun} {name:?}: expected an identifier, which consists of letters, digits, \"_\" and \"-\", and begins with \
                 a letter or \"_\""
            )
        })
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
///
/// # Errors
///
/// Returns the names that are not identifiers. Such a name could be a path outside the directory of the pages, and Terraform
/// could not refer to the object.
pub(super) fn objects(schemas: &ProviderSchema) -> Result<Vec<Object<'_>>, Vec<String>> {
    let of_kind =
        |kind: &'static Kind| schemas.of_kind(*kind).iter().map(|(name, it)| (*kind, name.as_str(), it));
    let all = [(Kind::Provider, "", &schemas.provider)]
        .into_iter()
        .chain(Definition::KINDS.iter().flat_map(of_kind));
    let objects = all.map(|(kind, name, schema)| Object {
        kind,
        name,
        description: text::of_block(&schema.block),
        content: Content::Schema(&schema.block),
        identity: schemas.identities.get(name).filter(|_| kind == Kind::Resource),
    });
    let functions = schemas.functions.iter().map(|(name, it)| {
        let description = text::of_block(&it.parameters);
        Object {
            kind: Kind::Function,
            name,
            description: if description.is_empty() { text::summary(it) } else { description },
            content: Content::Function(it),
            identity: None,
        }
    });
    let objects: Vec<Object<'_>> = objects.chain(functions).collect();
    let errors: Vec<String> = objects.iter().filter_map(|it| it.name_error()).collect();
    if errors.is_empty() { Ok(objects) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_objects_are_identifiers() {
        for (name, is_valid) in [
            ("local_file", true),
            ("big-cloud_note", true),
            ("local_File", true),
            ("größe", true),
            ("_", true),
            ("", false),
            ("../../local_file", false),
            ("local_a/b", false),
            ("local_a\\b", false),
            ("local_a.b", false),
            ("2fa", false),
            ("a b", false),
            ("a\n", false),
        ] {
            let schemas = ProviderSchema::with_resources(&[name]);
            let result = objects(&schemas);
            assert_eq!(result.is_ok(), is_valid, "{name:?}");
            let expected = format!("resource {name:?}: expected an identifier");
            assert!(result.is_ok() || result.is_err_and(|it| it[0].starts_with(&expected)), "{name:?}");
        }
    }
}
