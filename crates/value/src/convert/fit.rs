//! Conversion of values to the type of an attribute.

use super::convert;
use crate::error::Error;
use crate::ty::Type;
use crate::value::{Typed, Value};

impl Typed {
    /// Converts the value to the type `ty` if it does not conform to it. For each `any` in `ty`, the result contains
    /// the type of the value as a [`Value::Dynamic`].
    ///
    /// ```
    /// use ferroform_value::{Type, Typed, Value};
    ///
    /// let port = Typed::new(Type::String, "80".into());
    /// assert_eq!(port.clone().fit(&Type::Number)?, Value::from(80));
    /// assert_eq!(port.fit(&Type::Dynamic)?, Value::dynamic(Type::String, "80".into()));
    /// # Ok::<(), ferroform_value::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no conversion, or if it fails for this value.
    pub fn fit(self, ty: &Type) -> Result<Value, Error> {
        let converted = if self.ty.conforms_to(ty) { self } else { convert(self.value, &self.ty, ty)? };
        Ok(add_dynamic_types(converted.value, &converted.ty, ty))
    }
}

/// Wraps a nested value of a conforming value of the type `from` in a [`Value::Dynamic`] for each `any` in the type
/// `to`.
fn add_dynamic_types(value: Value, from: &Type, to: &Type) -> Value {
    if !to.has_dynamic() {
        return value;
    }
    match (to, from, value) {
        (Type::Dynamic, _, value) => Value::dynamic(from.clone(), value),
        (Type::List(to), Type::List(from), Value::List(it)) => {
            Value::List(it.into_iter().map(|it| add_dynamic_types(it, from, to)).collect())
        }
        (Type::Set(to), Type::Set(from), Value::Set(it)) => {
            Value::set(it.into_iter().map(|it| add_dynamic_types(it, from, to)))
        }
        (Type::Map(to), Type::Map(from), Value::Map(it)) => {
            Value::Map(it.into_iter().map(|(key, it)| (key, add_dynamic_types(it, from, to))).collect())
        }
        (Type::Tuple(to), Type::Tuple(from), Value::Tuple(it)) => {
            let types = from.iter().zip(to.iter());
            Value::Tuple(
                it.into_iter().zip(types).map(|(it, (from, to))| add_dynamic_types(it, from, to)).collect(),
            )
        }
        (Type::Object(to), Type::Object(from), Value::Object(it)) => {
            Value::object(it.into_iter().map(|(name, it)| match (from.get(&name), to.get(&name)) {
                (Some(from), Some(to)) => {
                    let it = add_dynamic_types(it, &from.ty, &to.ty);
                    (name, it)
                }
                _ => (name, it),
            }))
        }
        (_, _, value) => value,
    }
}
