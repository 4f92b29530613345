//! Timeouts of operations: [`Timeouts`] is the attribute or block that the practitioner configures.
//!
//! A field `timeouts: Option<`[`Timeouts`]`>` gives every operation a default timeout of 20 minutes, as SDKv2 does.
//! `#[attr(timeouts(create = "1h", delete))]` names the operations and their default timeouts. An operation that is not
//! named has no timeout, and the practitioner cannot configure one.
//! At its deadline, a method is canceled. A method that only reads, or that has recorded a
//! [checkpoint](crate::ApplyCx::checkpoint), ends at once; any other method ends after two more seconds. If a method
//! returns after its deadline anyway, its result is kept, with a warning. The timeout starts when the method starts,
//! not while the request waits for the [concurrency limit](crate::Registry::concurrency_limit).

use std::any::TypeId;
use std::time::Duration;

use ferroform_value::{Error, Type, Value};

pub use ferroform_engine::timeouts::{Operation, TimeoutDefaults};
use ferroform_engine::timeouts::{format_duration, parse_timeout};

use super::attr::Attr;
use super::view::View;
use ferroform_macros::Model;

/// The timeouts that the configuration sets.
///
/// A method does not need to read them: the framework cancels it at the deadline, which
/// [`cx.deadline()`](crate::RequestCx::deadline) returns.
///
/// ```
/// use ferroform::{Model, Timeouts};
///
/// /// A machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     /// The name of the machine.
///     name: String,
///     /// The timeouts of the operations.
///     #[attr(timeouts(create = "30m", delete = "10m"))]
///     timeouts: Option<Timeouts>,
/// }
/// ```
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Timeouts {
    /// The timeout of the create operation.
    pub create: Option<Timeout>,
    /// The timeout of the read operation.
    pub read: Option<Timeout>,
    /// The timeout of the update operation.
    pub update: Option<Timeout>,
    /// The timeout of the delete operation.
    pub delete: Option<Timeout>,
    /// The timeout of the invocation of an action.
    pub invoke: Option<Timeout>,
    /// The timeout of opening an ephemeral resource.
    pub open: Option<Timeout>,
    /// The timeout of renewing an ephemeral resource.
    pub renew: Option<Timeout>,
    /// The timeout of closing an ephemeral resource.
    pub close: Option<Timeout>,
    /// The timeout of listing objects or states.
    pub list: Option<Timeout>,
    /// The timeout of writing a state.
    pub write: Option<Timeout>,
    /// The timeout of locking a state.
    pub lock: Option<Timeout>,
    /// The timeout of unlocking a state.
    pub unlock: Option<Timeout>,
    /// The timeout of operations without a timeout of their own.
    pub default: Option<Timeout>,
}

/// The duration of a timeout, in the format of Go: `30m`, `1h30m`, `90s`.
///
/// ```
/// use std::time::Duration;
///
/// use ferroform::Attr;
/// use ferroform::timeouts::Timeout;
///
/// assert_eq!(Timeout::from_value(&"1h30m".into()), Ok(Timeout(Duration::from_secs(5400))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timeout(pub Duration);

impl Attr for Timeout {
    type In<V: View> = Self;
    // An object has only the attributes of the operations that its schema names.
    const __MAY_BE_ABSENT: bool = true;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let string = String::from_value(value)?;
        let timeout = parse_timeout(&string).map(Timeout);
        timeout.map_err(|expected| Error::invalid_value(expected, format_args!("{string:?}")))
    }

    fn to_value(&self) -> Value {
        format_duration(self.0).into()
    }
}

/// The types of a field with timeouts.
#[diagnostic::on_unimplemented(
    message = "`timeouts` needs a field of the type `Option<Timeouts>`, but this is `{Self}`",
    label = "not `Option<Timeouts>`",
    note = "the configuration can omit timeouts, so use `Option<ferroform::Timeouts>`"
)]
#[doc(hidden)]
pub trait TimeoutsField {
    /// Used by the derive: naming this constant checks the type of the field.
    const CHECKED: () = ();
}

#[diagnostic::do_not_recommend]
impl TimeoutsField for Option<Timeouts> {}

/// Returns true if this is the type of a field with timeouts.
pub(crate) fn is_timeouts_field<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<Option<Timeouts>>()
}
