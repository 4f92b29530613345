//! Conversion of refinements to an unknown value, or to the only value that they allow.
//!
//! ```
//! use ferroform_value::{Number, Refinements, Type, Value};
//!
//! let five = Refinements::new().not_null().with_range(Number::from(5)..=Number::from(5));
//! assert_eq!(five.into_value(&Type::Number)?, Value::from(5));
//! let two_strings = Refinements::new().not_null().with_length(2..=2);
//! let unknowns = Value::List(vec![Value::UNKNOWN, Value::UNKNOWN]);
//! assert_eq!(two_strings.into_value(&Type::list(Type::String))?, unknowns);
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::ops::Bound;

use crate::error::Error;
use crate::number::Number;
use crate::refinements::{RefinementKind, Refinements};
use crate::ty::Type;
use crate::value::{Set, Value};

/// The maximum length of a list of unknown values that replaces a refined unknown list. Without this limit, a few
/// bytes of input could allocate gigabytes.
const MAX_ELEMENTS: u64 = 1024;

impl Refinements {
    /// Converts the refinements of a value of this type to an unknown value, or to the only value that they allow.
    ///
    /// As in Terraform, a number that is not null and has equal bounds becomes that number, and a list that is not
    /// null and has a known length becomes a list of unknown values.
    ///
    /// # Errors
    ///
    /// Returns an error if the refinements exclude every value.
    pub fn into_value(self, ty: &Type) -> Result<Value, Error> {
        let contradiction = || Error::malformed("the refinements of the unknown value contradict each other");
        match self.kind() {
            RefinementKind::Number { min, max } => {
                if let (Some((lower, includes_lower)), Some((upper, includes_upper))) =
                    (bound(min), bound(max))
                {
                    let order = lower.compare(upper);
                    if order.is_gt() || order.is_eq() && !(includes_lower && includes_upper) {
                        return Err(contradiction());
                    }
                    if self.is_not_null() && order.is_eq() {
                        return Ok(Value::Number(lower.clone()));
                    }
                }
            }
            RefinementKind::Collection { max, .. } => {
                let length = self.min_length();
                if matches!(max, Bound::Excluded(_)) || self.max_length().is_some_and(|max| max < length) {
                    return Err(contradiction());
                }
                if self.is_not_null() && self.max_length() == Some(length) {
                    let unknowns = (0..length).map(|_| Value::UNKNOWN);
                    match ty {
                        Type::Map(_) if length == 0 => return Ok(Value::Map(Default::default())),
                        Type::Set(_) if length <= 1 => return Ok(Value::Set(Set::from_iter(unknowns))),
                        Type::List(_) if length <= MAX_ELEMENTS => {
                            return Ok(Value::List(unknowns.collect()));
                        }
                        _ => {}
                    }
                }
            }
            RefinementKind::Any | RefinementKind::String { .. } => {}
        }
        Ok(Value::unknown(self))
    }
}

/// Returns the number of a bound, and true if the bound includes it.
fn bound(bound: &Bound<Number>) -> Option<(&Number, bool)> {
    match bound {
        Bound::Included(number) => Some((number, true)),
        Bound::Excluded(number) => Some((number, false)),
        Bound::Unbounded => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i64) -> Number {
        Number::from(value)
    }

    #[test]
    fn refinements_that_exclude_no_value_are_none() {
        assert_eq!(Value::unknown(Refinements::new()), Value::UNKNOWN);
    }

    #[test]
    fn only_possible_value_is_known() {
        let five = Refinements::new().not_null().with_range(number(5)..=number(5));
        assert_eq!(five.into_value(&Type::Number), Ok(Value::Number(number(5))));
        let two = Refinements::new().not_null().with_length(2..=2);
        let unknowns = Value::List(vec![Value::UNKNOWN, Value::UNKNOWN]);
        assert_eq!(two.into_value(&Type::list(Type::String)), Ok(unknowns));
        let nullable = Refinements::new().with_range(number(5)..=number(5));
        assert!(nullable.into_value(&Type::Number).unwrap().is_unknown());
    }

    #[test]
    fn contradictions_are_rejected() {
        let list = Type::list(Type::String);
        for (refinements, ty) in [
            (Refinements::new().with_range(number(2)..=number(1)), &Type::Number),
            (Refinements::new().with_range(number(1)..number(1)), &Type::Number),
            (Refinements::new().with_length((Bound::Included(2), Bound::Included(1))), &list),
            (Refinements::new().with_length(..0), &list),
        ] {
            assert!(refinements.into_value(ty).unwrap_err().is_malformed());
        }
    }
}
