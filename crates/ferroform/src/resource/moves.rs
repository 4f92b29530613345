//! Objects of other resources that a resource takes over: `moved` from one resource type to another.

use std::marker::PhantomData;

use ferroform_engine::Move;

use crate::schema::{Becomes, Upgrades, UpgradesExt as _};
use crate::{Attr, Context as _, Model, RawState, Result};

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
    source: ferroform_engine::MoveSource,
}

impl From<ferroform_engine::MoveSource> for MoveSource {
    fn from(source: ferroform_engine::MoveSource) -> MoveSource {
        MoveSource {
            provider: source.provider.clone(),
            type_name: source.type_name.clone(),
            state: source.state.clone().into(),
            identity: source.identity.clone().map(Into::into),
            source,
        }
    }
}

impl MoveSource {
    /// True where it is of that resource of that provider, named as in [`Moves::from`].
    pub fn is(&self, provider: &str, type_name: &str) -> bool {
        self.source.is(provider, type_name)
    }

    /// What its provider kept beside the state under that key; none where the provider keeps such things in
    /// another form.
    ///
    /// # Errors
    ///
    /// Where what is kept is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        let value = self.source.private_value(key, &T::ty())?;
        value
            .map(|it| T::from_value(&it))
            .transpose()
            .context(format!("Cannot read the private data {key:?}"))
    }
}
