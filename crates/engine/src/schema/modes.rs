//! The modes of attributes and blocks: whether the configuration or the provider sets a value, how objects are nested,
//! which prior values a plan keeps, and which changes require replacement.

use std::sync::Arc;

use ferroform_value::{Error, Type};

use super::functions::ReplacementCondition;

/// The mode of an attribute: whether the configuration or the provider sets the value.
///
/// | mode | configuration | provider |
/// |---|---|---|
/// | `Required` | always | never |
/// | `Optional` | may | never |
/// | `OptionalComputed` | may | otherwise |
/// | `Computed` | never | always |
///
/// Generated code declares fields in this order. The enum is exhaustive: these are the combinations of `required`,
/// `optional` and `computed` that Terraform accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// The configuration must set it.
    Required,
    /// The configuration may set it.
    Optional,
    /// The configuration may set it, otherwise the provider does.
    OptionalComputed,
    /// The provider sets it.
    Computed,
}

impl Mode {
    /// The mode that a schema of another provider describes with these flags.
    ///
    /// # Errors
    ///
    /// If Terraform does not accept the combination.
    pub fn from_flags(required: bool, optional: bool, computed: bool) -> Result<Mode, Error> {
        match (required, optional, computed) {
            (true, false, false) => Ok(Mode::Required),
            (false, true, false) => Ok(Mode::Optional),
            (false, false, true) => Ok(Mode::Computed),
            (false, true, true) => Ok(Mode::OptionalComputed),
            _ => Err(Error::constant(
                "the attribute must be required, optional, computed, or optional and computed",
            )),
        }
    }

    /// True if the provider may set the value.
    pub fn is_computed(self) -> bool {
        matches!(self, Mode::Computed | Mode::OptionalComputed)
    }

    /// True if the configuration may set the value.
    pub fn is_configurable(self) -> bool {
        self != Mode::Computed
    }
}

/// How objects are nested in an attribute or block.
///
/// The enum is exhaustive: Terraform has exactly these types of values that contain objects of one schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nesting {
    /// A single object.
    Single,
    /// A list of objects.
    List,
    /// A set of objects.
    Set,
    /// A map of objects. A block takes the map key from its label.
    Map,
}

impl Nesting {
    /// The type of an attribute or block with this nesting whose objects are of the type.
    pub fn of(self, object: Type) -> Type {
        match self {
            Nesting::Single => object,
            Nesting::List => Type::list(object),
            Nesting::Set => Type::set(object),
            Nesting::Map => Type::map(object),
        }
    }
}

/// The prior value that a plan keeps for a computed attribute or block when something else in the object changes. The
/// plan modifiers `UseStateForUnknown` and `UseNonNullStateForUnknown` of the Go framework do the same.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Keep {
    /// None: the planned value is unknown.
    #[default]
    Recompute,
    /// The prior value, for the lifetime of the object.
    State,
    /// The prior value, for the lifetime of the object. If the prior value is null, or the object is a new element of
    /// its collection, the planned value is unknown.
    NonNullState,
    /// The prior value, unless one of these siblings changes.
    Follow(Vec<Arc<str>>),
}

/// When a change of an attribute or block requires replacement.
#[derive(Clone, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum Replace {
    /// Never: the object is updated in place.
    #[default]
    Never,
    /// Always.
    Always,
    /// If the configuration sets the value.
    IfConfigured,
    /// If the function returns true.
    If(ReplacementCondition),
}
