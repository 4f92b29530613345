//! Moves of objects between resource types: `moved` blocks that name another resource type.

use std::fmt;
use std::marker::PhantomData;

use ferroform_engine::Move;

use crate::schema::{Upgrades, UpgradesExt as _, UpgradesTo};
use crate::{Attr, Context as _, Model, RawState, Result};

/// The resource types whose states can be moved to the resource `R`. [`Resource::moves`](crate::Resource::moves)
/// receives it; sources are tried in the order of registration.
///
/// ```
/// use ferroform::{Model, Moves};
///
/// /// A machine, formerly managed as `cloud_server`.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     name: String,
/// }
///
/// /// The state of `cloud_server`.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Server {
///     hostname: String,
/// }
///
/// impl From<Server> for Machine {
///     fn from(server: Server) -> Machine {
///         Machine { name: server.hostname }
///     }
/// }
///
/// /// In `impl Resource for Machine`.
/// fn moves(moves: &mut Moves<Machine>) {
///     moves.from_type::<Server>("cloud_server");
/// }
/// ```
pub struct Moves<R> {
    pub(crate) all: Vec<Move>,
    resource: PhantomData<fn() -> R>,
}

impl<R> fmt::Debug for Moves<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all.iter().map(|it| &it.type_name)).finish()
    }
}

impl<R: Model> Moves<R> {
    pub(crate) fn new() -> Moves<R> {
        Moves { all: Vec::new(), resource: PhantomData }
    }

    /// Accepts moves from a resource type of another provider. `Old` is the model of its state; states of earlier
    /// schema versions go through the state upgrades of `Old`.
    ///
    /// The provider is named as in `required_providers`: `hashicorp/local` for any registry, or
    /// `example.com/hashicorp/local`. The public registries of Terraform and OpenTofu count as the same registry.
    pub fn from_provider<Old: UpgradesTo<R>>(
        &mut self,
        provider: impl Into<String>,
        type_name: impl Into<String>,
    ) -> &mut Self {
        self.add(Move::from_provider(provider, type_name, Upgrades::to::<Old, R>()))
    }

    /// Accepts moves from another resource type of this provider, with the private state.
    pub fn from_type<Old: UpgradesTo<R>>(&mut self, type_name: impl Into<String>) -> &mut Self {
        self.add(Move::from_type(type_name, Upgrades::to::<Old, R>()))
    }

    fn add(&mut self, source: Move) -> &mut Self {
        self.all.push(source);
        self
    }
}

/// The stored object of another resource: [`Resource::move_from`](crate::Resource::move_from) receives it.
///
/// ```
/// use ferroform::{Model, MoveSource, Result, path};
///
/// /// A machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     name: String,
/// }
///
/// /// The body of `move_from` in `impl Resource for Machine`.
/// fn move_server(source: &MoveSource) -> Result<Option<Machine>> {
///     if !source.is_resource("example/legacy", "legacy_server") {
///         return Ok(None);
///     }
///     Ok(Some(Machine { name: source.state.get(path!(hostname))? }))
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveSource {
    /// The address of the provider, such as `registry.terraform.io/hashicorp/local`.
    pub provider: String,
    /// The type name of the resource.
    pub type_name: String,
    /// The state, with its schema version.
    pub state: RawState,
    /// The resource identity, if the object has one.
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
    /// Returns true if the object belongs to that resource of that provider, which is named as in [`Moves::from_provider`].
    pub fn is_resource(&self, provider: &str, type_name: &str) -> bool {
        self.source.is_resource(provider, type_name)
    }

    /// The value that its provider has stored in private state under the key. `None` if nothing is stored, or the
    /// provider uses another format.
    ///
    /// # Errors
    ///
    /// If the stored value is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        let value = self.source.private_value(key, &T::ty())?;
        value
            .map(|it| T::from_value(&it))
            .transpose()
            .context(format!("Cannot Read the Private State {key:?}"))
    }
}
