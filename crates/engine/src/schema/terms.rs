//! The words of a schema: who writes what, how objects are nested, what stays and what replaces.

use std::sync::Arc;

use ferroform_value::Type;

use super::functions::Condition;

/// Who writes an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The configuration, always.
    Required,
    /// The configuration, or nobody.
    Optional,
    /// The provider, always.
    Computed,
    /// The configuration, or else the provider.
    OptionalComputed,
}

impl Mode {
    /// True where the provider may write it.
    pub fn is_computed(self) -> bool {
        matches!(self, Mode::Computed | Mode::OptionalComputed)
    }

    /// True where the configuration may write it.
    pub fn is_configurable(self) -> bool {
        self != Mode::Computed
    }
}

/// How objects are nested in an attribute or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// One object.
    Single,
    /// Objects in order.
    List,
    /// Objects without order.
    Set,
    /// Objects by key.
    Map,
}

impl Nesting {
    /// The type of such a nesting of objects of the type.
    pub fn of(self, object: Type) -> Type {
        match self {
            Nesting::Single => object,
            Nesting::List => Type::list(object),
            Nesting::Set => Type::set(object),
            Nesting::Map => Type::map(object),
        }
    }
}

/// What becomes of a computed value when something else in the object changes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// It may change too: unknown until apply.
    #[default]
    Recompute,
    /// It stays as it is, for the life of the object.
    State,
    /// It stays as it is, for the life of the object; where it is null, or the object is new in its
    /// collection, it may still become something.
    NonNullState,
    /// It stays as long as these sibling attributes do.
    Follow(Vec<Arc<str>>),
}

/// When a change of the attribute needs a new object.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Replace {
    /// Never: it is changed in place.
    #[default]
    Never,
    /// Always.
    Always,
    /// When the configuration sets it.
    IfConfigured,
    /// When a function says so.
    If(Condition),
}
