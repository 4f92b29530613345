//! An author's struct: schema, state and views in one.

pub(crate) mod attr;
pub(crate) mod inside;
pub(crate) mod shape;
pub mod timeouts;
pub(crate) mod unhandled;
pub mod view;

use ferroform_engine::schema::{Block, IdentitySchema, ImportPattern, Schema, Upgrades};
use ferroform_value::{Error, Object, Step, Value};

use self::attr::Attr;
use self::unhandled::Unhandled;
use self::view::{InArgs, InConfig, InPlanned, InProposed, View};

/// The struct that describes a resource, a data source, a provider's configuration, or an object inside one.
///
/// Implemented by `#[derive(Model)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "put `#[derive(Model)]` on the struct"
)]
pub trait Model: Attr {
    /// The struct as a view sees it; written [`Config<M>`](crate::Config), [`Args<M>`](crate::Args),
    /// [`Proposed<M>`](crate::Proposed), [`Planned<M>`](crate::Planned).
    type View<V: View>: Attr;
    /// What the provider writes: every computed field, and nothing else.
    type Computed: Computed;
    /// What an object is known by, as a struct of its own; `()` where it has no identity.
    type Identity: Attr;

    /// The version of the shape that its objects have in the state.
    const VERSION: i64 = 0;

    /// Used by the derive: the names of the attributes and blocks.
    #[doc(hidden)]
    const NAMES: Names = Names { own: &[], flattened: &[] };

    /// The schema, with its version.
    fn schema() -> Schema;

    /// How states of earlier versions become states of this one.
    fn upgrades() -> Upgrades {
        Upgrades::oldest(Self::VERSION)
    }

    /// What an object is known by, for a resource that has an identity.
    fn identity() -> Option<IdentitySchema> {
        None
    }

    /// What the import ids of a resource look like, in the order in which they are tried.
    fn import_patterns() -> Vec<ImportPattern> {
        Vec::new()
    }
}

/// An attribute or block, as far as those who name it in a relation must know.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub name: &'static str,
    /// Every configuration sets it.
    pub is_always_set: bool,
    /// Only the provider writes it.
    pub is_computed: bool,
    pub is_write_only: bool,
}

/// The names of a model's attributes and blocks.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Those of its own fields.
    pub own: &'static [Name],
    /// Those of the models that are flattened into it.
    pub flattened: &'static [&'static Names],
}

impl Names {
    /// The one of this name.
    pub const fn find(&self, name: &str) -> Option<Name> {
        let mut i = 0;
        while i < self.own.len() {
            if same(self.own[i].name, name) {
                return Some(self.own[i]);
            }
            i += 1;
        }
        i = 0;
        while i < self.flattened.len() {
            if let Some(it) = self.flattened[i].find(name) {
                return Some(it);
            }
            i += 1;
        }
        None
    }

    /// True where one of them is this one.
    pub const fn hold(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// True where every configuration sets the one of this name.
    pub const fn are_always_set(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Name { is_always_set: true, .. }))
    }

    /// True where only the provider writes the one of this name.
    pub const fn are_computed(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Name { is_computed: true, .. }))
    }

    /// True where the one of this name is never stored.
    pub const fn are_write_only(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Name { is_write_only: true, .. }))
    }

    /// True where one of them is one of the others.
    pub const fn meet(&self, others: &Names) -> bool {
        let mut i = 0;
        while i < others.own.len() {
            if self.hold(others.own[i].name) {
                return true;
            }
            i += 1;
        }
        i = 0;
        while i < others.flattened.len() {
            if self.meet(others.flattened[i]) {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// `==` is not there yet for constants.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// What a provider writes into an object: the answer of `create` and `update`.
///
/// Implemented by `#[derive(Model)]` on the struct that it makes beside the author's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the computed part of a model",
    label = "expected the struct that `#[derive(Model)]` makes: the model's name and `Computed`"
)]
pub trait Computed: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The computed attributes, by name.
    fn into_object(self) -> Object;
}

/// Nothing to configure: for a provider without configuration.
impl Model for () {
    type View<V: View> = ();
    type Computed = ();
    type Identity = ();

    fn schema() -> Schema {
        Schema { version: 0, block: Block::new() }
    }
}

impl Computed for () {
    fn into_object(self) -> Object {
        Object::default()
    }
}

/// Used by the derive: the object inside a value. None where the default value is wanted instead, which is that
/// of each field.
#[doc(hidden)]
pub fn object(value: &Value, unhandled: Unhandled) -> Result<(Option<&Object>, Unhandled), Error> {
    match value {
        Value::Object(it) => Ok((Some(it), unhandled)),
        _ if unhandled.covers(value) => Ok((None, unhandled.null_as_default())),
        _ => Err(ferroform_engine::type_mismatch::mismatch("an object", value)),
    }
}

/// Used by the derive: an error where the object has an attribute that there is no field for.
#[doc(hidden)]
pub fn only(value: &Value, has: fn(&str) -> bool) -> Result<(), Error> {
    let Value::Object(object) = value else { return Ok(()) };
    match object.iter().find(|(name, _)| !has(name)) {
        None => Ok(()),
        Some((name, _)) => {
            Err(Error::new("there is no field for this attribute").below(Step::Attribute(name.clone())))
        }
    }
}

/// Used by the derive: an object of these attributes and those of the models that are flattened into it.
#[doc(hidden)]
pub fn assemble<const N: usize, const M: usize>(
    attributes: [(&'static str, Value); N],
    flattened: [Value; M],
) -> Object {
    let own = attributes.into_iter().map(|(name, value)| (name.into(), value));
    let theirs =
        flattened.into_iter().filter_map(|it| if let Value::Object(it) = it { Some(it) } else { None });
    own.chain(theirs.flatten()).collect()
}

/// The configuration of `M` as written, before apply.
pub type Config<M> = <M as Model>::View<InConfig>;
/// The configuration of `M`, all known: what a data source is asked.
pub type Args<M> = <M as Model>::View<InArgs>;
/// A plan for `M` while it is being made.
pub type Proposed<M> = <M as Model>::View<InProposed>;
/// A plan for `M` that is being applied: what is computed may be unknown, the rest is plain.
pub type Planned<M> = <M as Model>::View<InPlanned>;
