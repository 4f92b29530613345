//! How long operations may take: an attribute or block of a resource or data source.
//!
//! The field `timeouts: Option<`[`Timeouts`]`>` of a model gives every operation 20 minutes, as SDKv2 does;
//! `#[attr(timeouts(create = "1h", delete))]` on it names the operations and their times. The user may write others.
//! An operation that is not named has no limit: nobody could raise it.
//!
//! At the end of its time the method is cut off: at once where it only reads or has
//! [recorded](crate::Call::checkpoint) something, which is kept, else after two seconds. What it answers after its time
//! is kept, with a warning. The time begins with the method, not while it waits for its
//! [turn](crate::Registry::concurrency).

use std::any::TypeId;
use std::time::Duration;

use ferroform_value::{Error, Type, Value};

pub use ferroform_engine::timeouts::{
    DEFAULT_TIMEOUT, Operation, TimeoutDefaults, format_duration, parse_timeout,
};

use super::attr::Attr;
use super::view::View;
use ferroform_macros::Model;

/// How long operations may take, as the configuration says.
///
/// A method hardly needs it: the engine cuts it off, and [`cx.deadline()`](crate::RequestContext::deadline) says when.
///
/// ```
/// use ferroform::{Model, Timeouts};
///
/// /// A machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     /// Its name.
///     name: String,
///     /// How long it may take.
///     #[attr(timeouts(create = "30m", delete = "10m"))]
///     timeouts: Option<Timeouts>,
/// }
/// ```
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Timeouts {
    /// The creation.
    pub create: Option<Timeout>,
    /// The reading.
    pub read: Option<Timeout>,
    /// The update.
    pub update: Option<Timeout>,
    /// The deletion.
    pub delete: Option<Timeout>,
    /// Those that have no time of their own.
    pub default: Option<Timeout>,
}

/// A time that an operation may take, written as in Go: `30m`, `1h30m`, `90s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timeout(pub Duration);

impl Attr for Timeout {
    type In<V: View> = Self;
    // Objects hold those that the schema names.
    const __MAY_BE_ABSENT: bool = true;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let given = String::from_value(value)?;
        let made = parse_timeout(&given).map(Timeout);
        made.map_err(|wanted| Error::invalid_value(wanted, format_args!("{given:?}")))
    }

    fn to_value(&self) -> Value {
        format_duration(self.0).into()
    }
}

/// The types that a field of timeouts can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold timeouts",
    label = "not `Option<Timeouts>`",
    note = "the configuration may leave them out, so the type is `Option<ferroform::Timeouts>`"
)]
#[doc(hidden)]
pub trait Field {}

impl Field for Option<Timeouts> {}

/// True where the type of an attribute is that of timeouts.
pub(crate) fn is<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<Option<Timeouts>>()
}

/// Used by the derive: the field can hold timeouts.
#[doc(hidden)]
pub const fn field<T: Field>() {}
