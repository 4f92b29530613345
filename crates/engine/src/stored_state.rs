//! Stored states: of an earlier version of the provider, or of another resource type.

use std::fmt;

use ferroform_value::{Type, Value, json};

use crate::Result;
use crate::request::private_state::Private;
use crate::schema::Upgrades;

/// A stored state: JSON of any type, and the schema version that it was stored with.
#[derive(Clone, PartialEq)]
pub struct StoredState {
    /// The schema version.
    pub version: i64,
    ty: Type,
    value: Value,
}

impl StoredState {
    /// Parses a stored state, which is JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not JSON.
    pub fn new(version: i64, json: &[u8]) -> Result<StoredState> {
        let ty = json::implied_type(json)?;
        let value = json::decode(json, &ty)?;
        Ok(StoredState { version, ty, value })
    }

    /// The type that the JSON implies: arrays are tuples.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The state, of the [implied type](StoredState::ty).
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// Omits the state, because it may contain sensitive values.
impl fmt::Debug for StoredState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredState").field("version", &self.version).finish_non_exhaustive()
    }
}

/// Another resource type whose states can be moved, without Rust types.
#[derive(Clone, Debug)]
pub struct Move {
    /// The address of its provider; `None` for the same provider.
    pub provider: Option<String>,
    /// The source resource type.
    pub type_name: String,
    /// The upgrades from states of the source to states of the target.
    pub upgrades: Upgrades,
}

impl Move {
    /// A resource type of another provider. The last upgrade leads to the target.
    pub fn from_provider(
        provider: impl Into<String>,
        type_name: impl Into<String>,
        upgrades: Upgrades,
    ) -> Move {
        Move { provider: Some(provider.into()), type_name: type_name.into(), upgrades }
    }

    /// Another resource type of the same provider.
    pub fn from_type(type_name: impl Into<String>, upgrades: Upgrades) -> Move {
        Move { provider: None, type_name: type_name.into(), upgrades }
    }

    /// The error in the address of the provider, if there is one.
    pub fn definition_error(&self) -> Option<String> {
        let address = self.provider.as_deref()?;
        let parts: Vec<&str> = address.split('/').collect();
        let is_valid = matches!(parts.len(), 2 | 3) && parts.iter().all(|it| !it.is_empty());
        (!is_valid).then(|| {
            format!(
                "it moves states of the provider {address:?}, which is not of the form namespace/type or hostname/namespace/type"
            )
        })
    }
}

/// A stored state of another resource type that is to be moved.
#[derive(Clone, Debug)]
pub struct MoveSource {
    /// The address of its provider, such as `registry.terraform.io/hashicorp/local`.
    pub provider: String,
    /// The source resource type.
    pub type_name: String,
    /// The state.
    pub state: StoredState,
    /// The identity, if it has one.
    pub identity: Option<StoredState>,
    /// The private state.
    pub private: Private,
}

impl MoveSource {
    /// True if it is of this resource type of this provider, whose address may omit the hostname.
    pub fn is_resource(&self, provider: &str, type_name: &str) -> bool {
        self.type_name == type_name && is_provider(&self.provider, provider)
    }

    /// The value of the type that is stored in the private state under the key; `None` if there is none, or if the private state
    /// has another form.
    ///
    /// # Errors
    ///
    /// Returns an error if the stored value is not of the type.
    pub fn private_value(&self, key: &str, ty: &Type) -> Result<Option<Value>> {
        self.private.get(key, ty)
    }
}

const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// True if the full address is that of the named provider. The name may omit the hostname. The public registries of
/// Terraform and OpenTofu are equal.
pub fn is_provider(address: &str, named: &str) -> bool {
    let (host, name) = split_address(address);
    let (expected_host, expected) = split_address(named);
    let is_public = |it: Option<&str>| it.is_some_and(|it| REGISTRIES.contains(&it));
    name == expected
        && (expected_host.is_none() || host == expected_host || is_public(host) && is_public(expected_host))
}

/// The hostname of an address, if it has one, and the rest.
pub fn split_address(address: &str) -> (Option<&str>, &str) {
    match address.split_once('/') {
        Some((host, rest)) if rest.contains('/') => (Some(host), rest),
        _ => (None, address),
    }
}

#[cfg(test)]
mod tests {
    use super::is_provider;

    #[test]
    fn provider_is_named_with_or_without_hostname() {
        for (address, named, is_same) in [
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
            assert_eq!(is_provider(address, named), is_same, "{address} and {named}");
        }
    }
}
