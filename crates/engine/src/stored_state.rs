//! Objects as they were stored: by an earlier version of the provider, or by another resource.

use std::fmt;

use ferroform_value::{Type, Value, json};

use crate::Result;
use crate::request::private_state::Private;
use crate::schema::Upgrades;

/// An object as it was stored: JSON of any shape, with the schema version that it was stored with.
#[derive(Clone, PartialEq)]
pub struct StoredState {
    /// The schema version.
    pub version: i64,
    ty: Type,
    value: Value,
}

impl StoredState {
    /// The object of that JSON text.
    ///
    /// # Errors
    ///
    /// If the text is not JSON.
    pub fn new(version: i64, text: &[u8]) -> Result<StoredState> {
        let ty = json::implied_type(text)?;
        let value = json::decode(text, &ty)?;
        Ok(StoredState { version, ty, value })
    }

    /// The type that the JSON text implies: arrays are tuples.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The object, of the [implied type](StoredState::ty).
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// Leaves the object out: parts of it may be sensitive.
impl fmt::Debug for StoredState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredState").field("version", &self.version).finish_non_exhaustive()
    }
}

/// A resource whose objects are taken over, without its types.
#[derive(Clone, Debug)]
pub struct Move {
    /// None for the same provider.
    pub provider: Option<String>,
    /// The resource type whose objects are taken over.
    pub type_name: String,
    /// From the states of that resource to those of the one that takes over.
    pub upgrades: Upgrades,
}

impl Move {
    /// From a resource of that provider; see `Moves::from` of the crate `ferroform`. The last step leads to the resource that takes over.
    pub fn from(provider: impl Into<String>, type_name: impl Into<String>, upgrades: Upgrades) -> Move {
        Move { provider: Some(provider.into()), type_name: type_name.into(), upgrades }
    }

    /// From a resource of the same provider.
    pub fn from_type(type_name: impl Into<String>, upgrades: Upgrades) -> Move {
        Move { provider: None, type_name: type_name.into(), upgrades }
    }

    /// What is wrong with it, where something is.
    pub fn definition_error(&self) -> Option<String> {
        let address = self.provider.as_deref()?;
        let parts: Vec<&str> = address.split('/').collect();
        let sound = matches!(parts.len(), 2 | 3) && parts.iter().all(|it| !it.is_empty());
        (!sound).then(|| {
            format!(
                "it takes over objects of {address:?}, which is not namespace/type or host/namespace/type"
            )
        })
    }
}

/// An object of another resource, as it was stored.
#[derive(Clone, Debug)]
pub struct MoveSource {
    /// The provider that it belonged to: `registry.terraform.io/hashicorp/local`.
    pub provider: String,
    /// Its resource type.
    pub type_name: String,
    /// The object, with the version of its schema.
    pub state: StoredState,
    /// Its identity, where it had one.
    pub identity: Option<StoredState>,
    /// The private state that was stored with the object.
    pub private: Private,
}

impl MoveSource {
    /// True where it is of that resource of that provider, named as in `Moves::from` of the crate `ferroform`.
    pub fn is(&self, provider: &str, type_name: &str) -> bool {
        self.type_name == type_name && is_provider(&self.provider, provider)
    }

    /// What its provider kept beside the state under that key; none where the provider keeps such things in
    /// another form.
    ///
    /// # Errors
    ///
    /// If the stored value is not of the type.
    pub fn private_value(&self, key: &str, ty: &Type) -> Result<Option<Value>> {
        self.private.get(key, ty)
    }
}

const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// True where the whole address is of the provider that is named, with or without a host.
pub fn is_provider(address: &str, named: &str) -> bool {
    let (host, name) = split(address);
    let (wanted_host, wanted) = split(named);
    let is_public = |it: Option<&str>| it.is_some_and(|it| REGISTRIES.contains(&it));
    name == wanted
        && (wanted_host.is_none() || host == wanted_host || is_public(host) && is_public(wanted_host))
}

/// The host, where there is one, and the rest.
pub fn split(address: &str) -> (Option<&str>, &str) {
    match address.split_once('/') {
        Some((host, rest)) if rest.contains('/') => (Some(host), rest),
        _ => (None, address),
    }
}

#[cfg(test)]
mod tests {
    use super::is_provider;

    #[test]
    fn a_provider_is_named_with_or_without_its_host() {
        for (address, named, same) in [
            ("registry.terraform.io/hashicorp/local", "hashicorp/local", true),
            ("example.com/hashicorp/local", "hashicorp/local", true),
            ("example.com/hashicorp/local", "example.com/hashicorp/local", true),
            ("example.com/hashicorp/local", "registry.terraform.io/hashicorp/local", false),
            ("registry.opentofu.org/hashicorp/local", "registry.terraform.io/hashicorp/local", true),
            ("registry.terraform.io/hashicorp/local", "hashicorp/locals", false),
            ("registry.terraform.io/hashicorp/local", "acme/local", false),
            ("hashicorp/local", "hashicorp/local", true),
            ("hashicorp/local", "example.com/hashicorp/local", false),
        ] {
            assert_eq!(is_provider(address, named), same, "{address} and {named}");
        }
    }
}
