//! Unknown values from their refinements.

use crate::error::Error;
use crate::refine::Refinements;
use crate::ty::Type;
use crate::value::{Set, Value};

/// Lists of a known length become known lists of unknowns, up to here: a few bytes must not cost gigabytes.
const MAX_ELEMENTS: u64 = 1024;

impl Refinements {
    /// An unknown of the type with these refinements, or the value that it can only be: bounds and lengths
    /// may leave but one.
    ///
    /// # Errors
    ///
    /// Where they leave none.
    pub fn settle(mut self, ty: &Type) -> Result<Value, Error> {
        let nothing = || Error::malformed("the refinements of the unknown value contradict each other");
        self.prefix = self.prefix.filter(|it| !it.is_empty());
        self.min = self.min.filter(|(it, _)| !it.is_infinite());
        self.max = self.max.filter(|(it, _)| !it.is_infinite());
        self.len_min = self.len_min.filter(|&it| it > 0);
        if let (Some((min, min_in)), Some((max, max_in))) = (&self.min, &self.max) {
            let order = min.compare(max);
            if order.is_gt() || order.is_eq() && !(*min_in && *max_in) {
                return Err(nothing());
            }
            if self.not_null && order.is_eq() {
                return Ok(Value::Number(min.clone()));
            }
        }
        let least = self.len_min.unwrap_or(0);
        if self.len_max.is_some_and(|most| most < least) {
            return Err(nothing());
        }
        if self.not_null && self.len_max == Some(least) {
            match ty {
                Type::Map(_) if least == 0 => return Ok(Value::Map(Default::default())),
                Type::Set(_) if least <= 1 => {
                    return Ok(Value::Set(Set::from_iter((0..least).map(|_| Value::UNKNOWN))));
                }
                Type::List(_) if least <= MAX_ELEMENTS => {
                    return Ok(Value::List((0..least).map(|_| Value::UNKNOWN).collect()));
                }
                _ => {}
            }
        }
        let plain = self == Refinements::default();
        Ok(Value::Unknown((!plain).then(|| Box::new(self))))
    }
}
