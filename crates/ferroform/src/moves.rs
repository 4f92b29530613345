//! Objects of other resources that a resource takes over: `moved` from one resource type to another.

use std::marker::PhantomData;

use crate::private::Private;
use crate::schema::Upgrades;
use crate::upgrade::Becomes;
use crate::{Attr, Model, RawState, Result};

/// Which objects of other resources become objects of `R`. Handed to [`Resource::moves`](crate::Resource::moves);
/// each is tried in the order in which it was added.
pub struct Moves<R> {
    pub(crate) all: Vec<Move>,
    resource: PhantomData<fn() -> R>,
}

impl<R: Model> Moves<R> {
    pub(crate) fn new() -> Moves<R> {
        Moves { all: Vec::new(), resource: PhantomData }
    }

    /// Takes over objects of another provider's resource, whose state is the model `Old`, of the version that the
    /// model has or an earlier one that it is upgraded from.
    ///
    /// The provider is named as in `required_providers`: `hashicorp/local`, whatever registry it comes from, or
    /// `example.com/hashicorp/local`. The public registries of Terraform and OpenTofu are one.
    pub fn from<Old: Becomes<R>>(
        &mut self,
        provider: impl Into<String>,
        type_name: impl Into<String>,
    ) -> &mut Self {
        self.add(Move::from(provider, type_name, Upgrades::to::<Old, R>()))
    }

    /// Takes over objects of another resource of this provider. What was kept beside their state comes along.
    pub fn from_type<Old: Becomes<R>>(&mut self, type_name: impl Into<String>) -> &mut Self {
        self.add(Move::from_type(type_name, Upgrades::to::<Old, R>()))
    }

    fn add(&mut self, it: Move) -> &mut Self {
        self.all.push(it);
        self
    }
}

/// A resource whose objects are taken over, without its types.
#[derive(Clone, Debug)]
pub struct Move {
    /// None for the same provider.
    pub(crate) provider: Option<String>,
    pub(crate) type_name: String,
    /// From the states of that resource to those of the one that takes over.
    pub(crate) upgrades: Upgrades,
}

impl Move {
    /// From a resource of that provider; see [`Moves::from`]. The last step leads to the resource that takes over.
    pub fn from(provider: impl Into<String>, type_name: impl Into<String>, upgrades: Upgrades) -> Move {
        Move { provider: Some(provider.into()), type_name: type_name.into(), upgrades }
    }

    /// From a resource of the same provider.
    pub fn from_type(type_name: impl Into<String>, upgrades: Upgrades) -> Move {
        Move { provider: None, type_name: type_name.into(), upgrades }
    }

    /// What is wrong with it, where something is.
    pub(crate) fn fault(&self) -> Option<String> {
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
    pub state: RawState,
    /// Its identity, where it had one.
    pub identity: Option<RawState>,
    pub(crate) private: Private,
}

impl MoveSource {
    /// True where it is of that resource of that provider, named as in [`Moves::from`].
    pub fn is(&self, provider: &str, type_name: &str) -> bool {
        self.type_name == type_name && is_provider(&self.provider, provider)
    }

    /// What its provider kept beside the state under that key; none where the provider keeps such things in
    /// another form.
    ///
    /// # Errors
    ///
    /// Where what is kept is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        self.private.get(key)
    }
}

const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// True where the whole address is of the provider that is named, with or without a host.
pub(crate) fn is_provider(address: &str, named: &str) -> bool {
    let (host, name) = split(address);
    let (wanted_host, wanted) = split(named);
    let is_public = |it: Option<&str>| it.is_some_and(|it| REGISTRIES.contains(&it));
    name == wanted
        && (wanted_host.is_none() || host == wanted_host || is_public(host) && is_public(wanted_host))
}

/// The host, where there is one, and the rest.
pub(crate) fn split(address: &str) -> (Option<&str>, &str) {
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
