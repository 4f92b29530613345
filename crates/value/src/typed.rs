//! Values with their types: access to elements and attributes, and the resolution of `any`.
//!
//! ```
//! use ferroform_value::{Type, Typed, Value};
//!
//! let pair = Typed::new(Type::tuple([Type::Bool, Type::Number]), Value::Tuple(vec![true.into(), 2.into()]));
//! let types = pair.into_elements().map(|elements| elements.into_iter().map(|it| it.ty).collect());
//! assert_eq!(types, Ok(vec![Type::Bool, Type::Number]));
//! ```

use std::sync::Arc;

use crate::conformance::merge_element_type;
use crate::error::Error;
use crate::nfc_string::NfcString;
use crate::path::Step;
use crate::ty::Type;
use crate::value::{Typed, Value};

impl Typed {
    /// Returns the elements of a list, set or tuple with their types. The elements of a set are in Terraform's order.
    ///
    /// # Errors
    ///
    /// Returns the value itself if it is not a known list, set or tuple.
    pub fn into_elements(self) -> Result<Vec<Typed>, Typed> {
        Ok(match (self.ty, self.value) {
            (Type::List(ty), Value::List(it)) => {
                it.into_iter().map(|it| Typed::new((*ty).clone(), it)).collect()
            }
            (Type::Set(ty), Value::Set(it)) => {
                let sorted = it.sorted().into_iter();
                sorted.map(|it| Typed::new((*ty).clone(), it.clone())).collect()
            }
            (Type::Tuple(types), Value::Tuple(it)) => {
                let each = it.into_iter().zip(types.iter());
                each.map(|(it, ty)| Typed::new(ty.clone(), it)).collect()
            }
            (ty, value) => return Err(Typed { ty, value }),
        })
    }

    /// Returns the keys and elements of a map, or the names and attributes of an object, with their types.
    ///
    /// # Errors
    ///
    /// Returns the value itself if it is not a known map or object.
    pub fn into_entries(self) -> Result<Vec<(Arc<str>, Typed)>, Typed> {
        Ok(match (self.ty, self.value) {
            (Type::Map(ty), Value::Map(it)) => {
                let entry = |(key, it): (NfcString, Value)| (key.into(), Typed::new((*ty).clone(), it));
                it.into_iter().map(entry).collect()
            }
            (Type::Object(types), Value::Object(it)) => {
                let each = it.into_iter().zip(types.attributes());
                each.map(|((name, it), ty)| (name, Typed::new(ty.ty.clone(), it))).collect()
            }
            (ty, value) => return Err(Typed { ty, value }),
        })
    }

    /// Resolves a value of the type `ty` to a value without [`Value::Dynamic`]: every `any` in the type becomes the
    /// type of the value at this path. The type remains `any` for an untyped null or unknown value and for an empty
    /// collection.
    ///
    /// ```
    /// use ferroform_value::{Type, Typed, Value};
    ///
    /// let ports = Value::List(vec![Value::dynamic(Type::Number, 80.into())]);
    /// let resolved = Typed::resolve(ports, &Type::list(Type::Dynamic))?;
    /// assert_eq!(resolved, Typed::new(Type::list(Type::Number), Value::List(vec![80.into()])));
    /// # Ok::<(), ferroform_value::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not of the type, or if the elements of a collection have different types.
    pub fn resolve(value: Value, ty: &Type) -> Result<Typed, Error> {
        if !ty.has_dynamic() {
            return Ok(Typed { ty: ty.without_optional(), value });
        }
        let (ty, value) = match (ty, value) {
            (Type::Dynamic, Value::Dynamic(it)) => return Typed::resolve(it.value, &it.ty),
            (Type::Dynamic, value) => match implied_type(&value) {
                Some(ty) => (ty, value),
                None => {
                    return Err(Error::type_mismatch("dynamic value with its type", value.kind()));
                }
            },
            (ty, value @ (Value::Null | Value::Unknown(_))) => (ty.without_optional(), value),
            (Type::List(element), Value::List(it)) => {
                let (element, it) = resolve_elements(it, element, Step::Index)?;
                (Type::list(element), Value::List(it))
            }
            (Type::Set(element), Value::Set(it)) => {
                // `resolve` consumes the element, so the path step cannot contain it.
                let step = |_| Step::Element(Box::new(Value::UNKNOWN));
                let (element, it) = resolve_elements(it, element, step)?;
                (Type::set(element), Value::set(it))
            }
            (Type::Map(element), Value::Map(it)) => {
                let (keys, values): (Vec<_>, Vec<_>) = it.into_iter().unzip();
                let (element, values) = resolve_elements(values, element, |i| Step::Key(keys[i].clone()))?;
                (Type::map(element), Value::Map(keys.into_iter().zip(values).collect()))
            }
            (Type::Tuple(types), Value::Tuple(it)) if it.len() == types.len() => {
                let (mut element_types, mut elements) = (Vec::new(), Vec::new());
                for (i, (value, ty)) in it.into_iter().zip(types.iter()).enumerate() {
                    let it = Typed::resolve(value, ty).map_err(|e| e.below(Step::Index(i)))?;
                    element_types.push(it.ty);
                    elements.push(it.value);
                }
                (Type::tuple(element_types), Value::Tuple(elements))
            }
            (Type::Object(types), Value::Object(it)) => {
                let (mut attribute_types, mut attributes) = (Vec::new(), Vec::new());
                for (name, value) in it {
                    let attribute =
                        types.get(&name).ok_or_else(|| Error::unsupported_attribute(name.clone()))?;
                    let it = Typed::resolve(value, &attribute.ty)
                        .map_err(|e| e.below(Step::Attribute(name.clone())))?;
                    attribute_types.push((name.clone(), it.ty));
                    attributes.push((name, it.value));
                }
                (Type::object(attribute_types), Value::object(attributes))
            }
            (ty, value) => return Err(Error::wrong_kind(ty, &value)),
        };
        Ok(Typed { ty, value })
    }
}

/// Returns the type of a null, unknown or primitive value, which follows from the value; `None` for any other value.
fn implied_type(value: &Value) -> Option<Type> {
    match value {
        Value::Null | Value::Unknown(_) => Some(Type::Dynamic),
        Value::Bool(_) => Some(Type::Bool),
        Value::Number(_) => Some(Type::Number),
        Value::String(_) => Some(Type::String),
        _ => None,
    }
}

fn resolve_elements(
    elements: impl IntoIterator<Item = Value>,
    ty: &Type,
    step: impl Fn(usize) -> Step,
) -> Result<(Type, Vec<Value>), Error> {
    let mut common = None;
    let mut values = Vec::new();
    for (i, value) in elements.into_iter().enumerate() {
        let it = Typed::resolve(value, ty).map_err(|e| e.below(step(i)))?;
        if !merge_element_type(&mut common, &it.ty) {
            return Err(Error::inconsistent_elements(None));
        }
        values.push(it.value);
    }
    Ok((common.unwrap_or_else(|| ty.without_optional()), values))
}
