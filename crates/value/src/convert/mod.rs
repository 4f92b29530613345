//! Conversion of values to other types, as Terraform converts arguments and variables.
//!
//! The two types determine whether there is a conversion. A conversion can still fail for a value: `string` converts to
//! `number`, but `"x"` does not. A conversion is first planned, once for all elements of a collection, and then run.
//!
//! ```
//! use ferroform_value::convert::{Availability, availability, convert, mismatch};
//! use ferroform_value::{Number, Type, Value};
//!
//! let tuple = Type::tuple([Type::Number, Type::String]);
//! let value = Value::Tuple(vec![Number::from(1).into(), "a".into()]);
//! let converted = convert(value, &tuple, &Type::list(Type::Dynamic))?;
//! assert_eq!(converted.ty, Type::list(Type::String));
//! assert_eq!(converted.value, Value::List(vec!["1".into(), "a".into()]));
//!
//! assert_eq!(availability(&Type::Bool, &Type::String), Availability::Safe);
//! assert_eq!(availability(&Type::String, &Type::Bool), Availability::Unsafe);
//! assert_eq!(availability(&Type::Number, &Type::Bool), Availability::None);
//! let error = mismatch(&Type::tuple([Type::Number]), &Type::list(Type::Bool));
//! assert_eq!(error.to_string(), "[0]: bool required, but have number");
//!
//! // The conversion from string to number exists, but it can fail for a value. The error has the path.
//! let numbers = Type::map(Type::Number);
//! let error = convert(Value::map([("a", Value::from("x"))]), &Type::map(Type::String), &numbers).unwrap_err();
//! assert_eq!(error.to_string(), "[\"a\"]: a number is required");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

mod boolean;
mod conversion;
mod errors;
mod fit;
mod mismatch;
mod mode;
mod run;
mod unify;

pub(crate) use self::boolean::parse_bool;
use self::conversion::conversion;
pub use self::errors::errors;
pub use self::mismatch::mismatch;
pub use self::mode::Mode;
pub use self::unify::{Unified, unify};
use crate::error::Error;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// The kind of conversion between two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// The types are equal.
    Identity,
    /// The conversion never fails and never loses information.
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
    } else if conversion(from, to, Mode::Safe).is_some() {
        Availability::Safe
    } else if conversion(from, to, Mode::Unsafe).is_some() {
        Availability::Unsafe
    } else {
        Availability::None
    }
}

/// Converts a value of the type `from` to the type `to` and returns it with its new type: `to`, in which the type of
/// the value replaces each `any`.
///
/// # Errors
///
/// Returns an error if there is no conversion, or if it fails for this value.
pub fn convert(value: Value, from: &Type, to: &Type) -> Result<Typed, Error> {
    let source = Typed::resolve(value, from)?;
    if source.ty == *to || source.ty == to.without_optional() {
        return Ok(source);
    }
    match conversion(&source.ty, to, Mode::Unsafe) {
        Some(conversion) => conversion.run(source),
        None => Err(mismatch(&source.ty, to)),
    }
}
