//! Conversion of values to other types, as Terraform converts arguments and variables.
//!
//! The two types determine whether there is a conversion. A conversion can still fail for a value: `string` converts to
//! `number`, but `"x"` does not. A conversion is first planned, once for all elements of a collection, and then run.
//!
//! ```
//! use ferroform_value::convert::{Availability, availability, convert, mismatch};
//! use ferroform_value::{Number, Type, Value};
//!
//! let pair = Type::tuple([Type::Number, Type::String]);
//! let it = convert(Value::Tuple(vec![Number::from(1).into(), "a".into()]), &pair, &Type::list(Type::Dynamic))?;
//! assert_eq!(it.ty, Type::list(Type::String));
//! assert_eq!(it.value, Value::List(vec!["1".into(), "a".into()]));
//!
//! assert_eq!(availability(&Type::Bool, &Type::String), Availability::Safe);
//! assert_eq!(availability(&Type::String, &Type::Bool), Availability::Unsafe);
//! assert_eq!(availability(&Type::Number, &Type::Bool), Availability::None);
//! let why = mismatch(&Type::tuple([Type::Number]), &Type::list(Type::Bool));
//! assert_eq!(why.to_string(), "[0]: bool required, but have number");
//!
//! // A conversion that exists may fail; the error has the path.
//! let numbers = Type::map(Type::Number);
//! let e = convert(Value::map([("a", Value::from("x"))]), &Type::map(Type::String), &numbers).unwrap_err();
//! assert_eq!(e.to_string(), "[\"a\"]: a number is required");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

mod boolean;
mod fit;
mod mismatch;
mod mode;
mod plan;
mod run;
mod unify;

pub(crate) use self::boolean::parse_bool;
pub use self::mismatch::mismatch;
pub use self::mode::Mode;
use self::plan::plan;
pub use self::unify::{Unified, unify};
use crate::error::Error;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// The kind of conversion between two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// The types are equal.
    Identity,
    /// The conversion never fails and loses nothing.
    Safe,
    /// The conversion can fail or lose information.
    Unsafe,
    /// There is no conversion.
    None,
}

/// Returns the kind of conversion from one type to another.
pub fn availability(from: &Type, to: &Type) -> Availability {
    if *from == to.without_optional() {
        Availability::Identity
    } else if plan(from, to, Mode::Safe).is_some() {
        Availability::Safe
    } else if plan(from, to, Mode::Unsafe).is_some() {
        Availability::Unsafe
    } else {
        Availability::None
    }
}

/// Converts a value of the type `from` to the type `to` and returns it with its new type, which is `to` with each `any` replaced
/// by the type of the value.
///
/// # Errors
///
/// Returns an error if there is no conversion, or if it fails for this value.
pub fn convert(value: Value, from: &Type, to: &Type) -> Result<Typed, Error> {
    let it = Typed::resolve(value, from)?;
    if it.ty == *to || it.ty == to.without_optional() {
        return Ok(it);
    }
    match plan(&it.ty, to, Mode::Unsafe) {
        Some(plan) => plan.run(it),
        None => Err(mismatch(&it.ty, to)),
    }
}
