//! A value that carries its type.

use std::sync::Arc;

use crate::object::unsupported;
use crate::{Error, Step, Type, Value, convert};

/// A value and its type, for the places where the schema does not know the type.
///
/// Inside [`Value::Dynamic`] the type is never [`Type::Dynamic`] itself: an untyped null or unknown in a
/// dynamic place is plain [`Value::Null`] or [`Value::Unknown`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Typed {
    /// The type of the value.
    pub ty: Type,
    /// The value.
    pub value: Value,
}

impl Typed {
    /// A value of the type.
    pub fn new(ty: Type, value: Value) -> Typed {
        Typed { ty, value }
    }

    /// A tuple of these.
    pub fn tuple(elements: impl IntoIterator<Item = Typed>) -> Typed {
        let (types, values): (Vec<Type>, Vec<Value>) =
            elements.into_iter().map(|it| (it.ty, it.value)).unzip();
        Typed::new(Type::tuple(types), Value::Tuple(values))
    }

    /// An object of these attributes; a name given twice keeps its last value.
    pub fn object(attributes: impl IntoIterator<Item = (Arc<str>, Typed)>) -> Typed {
        let (types, values): (Vec<_>, Vec<_>) =
            attributes.into_iter().map(|(name, it)| ((name.clone(), it.ty), (name, it.value))).unzip();
        Typed::new(Type::object(types), Value::object(values))
    }

    /// The elements of a list, set or tuple, each with its type; a set's in the language's order.
    pub(crate) fn into_elements(self) -> Result<Vec<Typed>, Typed> {
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

    /// The entries of a map or an object, each with its type.
    pub(crate) fn into_entries(self) -> Result<Vec<(Arc<str>, Typed)>, Typed> {
        Ok(match (self.ty, self.value) {
            (Type::Map(ty), Value::Map(it)) => {
                let entry = |(key, it)| (key, Typed::new((*ty).clone(), it));
                it.into_iter().map(entry).collect()
            }
            (Type::Object(types), Value::Object(it)) => {
                let each = it.into_iter().zip(types.attributes());
                each.map(|((name, it), ty)| (name, Typed::new(ty.ty.clone(), it))).collect()
            }
            (ty, value) => return Err(Typed { ty, value }),
        })
    }

    /// What a value in a place of the type `ty` is by itself: every `any` in the type becomes the type that
    /// the value has there, and no [`Value::Dynamic`] is left. The type stays `any` where there is only an
    /// untyped null or unknown, or no element at all.
    ///
    /// # Errors
    ///
    /// Where the value is not of the type, or the elements of a collection have several types.
    pub fn resolve(value: Value, ty: &Type) -> Result<Typed, Error> {
        if !ty.has_dynamic() {
            return Ok(Typed { ty: ty.without_optional(), value });
        }
        let (ty, value) = match (ty, value) {
            (Type::Dynamic, Value::Dynamic(it)) => return Typed::resolve(it.value, &it.ty),
            (Type::Dynamic, value) => match untyped(&value) {
                Some(ty) => (ty, value),
                None => {
                    return Err(Error::new(format!("this {} needs a type of its own", value.kind())));
                }
            },
            (ty, value @ (Value::Null | Value::Unknown(_))) => (ty.without_optional(), value),
            (Type::List(element), Value::List(it)) => {
                let (element, it) = resolve_elements(it, element, Step::Index)?;
                (Type::list(element), Value::List(it))
            }
            (Type::Set(element), Value::Set(it)) => {
                // The element itself is gone by then.
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
                    let attribute = types.get(&name).ok_or_else(|| unsupported(&name))?;
                    let it = Typed::resolve(value, &attribute.ty)
                        .map_err(|e| e.below(Step::Attribute(name.clone())))?;
                    attribute_types.push((name.clone(), it.ty));
                    attributes.push((name, it.value));
                }
                (Type::object(attribute_types), Value::object(attributes))
            }
            (ty, value) => return Err(Error::kind(ty, &value)),
        };
        Ok(Typed { ty, value })
    }

    /// The value for a place of the type `ty`: converted where it does not conform, and with its types
    /// written beside it wherever `ty` says `any`.
    ///
    /// # Errors
    ///
    /// Where there is no conversion, or it fails on this value.
    pub fn fit(self, ty: &Type) -> Result<Value, Error> {
        let it = if self.ty.conforms_to(ty) { self } else { convert::convert(self.value, &self.ty, ty)? };
        Ok(dress(it.value, &it.ty, ty))
    }
}

/// The type of a value that needs none beside it.
fn untyped(value: &Value) -> Option<Type> {
    match value {
        Value::Null | Value::Unknown(_) => Some(Type::Dynamic),
        Value::Bool(_) => Some(Type::Bool),
        Value::Number(_) => Some(Type::Number),
        Value::String(_) => Some(Type::String),
        _ => None,
    }
}

/// The elements of a tuple with their types.
pub(crate) fn paired<'a>(
    elements: &'a [Value],
    types: &'a [Type],
) -> Result<impl ExactSizeIterator<Item = (&'a Value, &'a Type)>, Error> {
    if elements.len() == types.len() {
        Ok(elements.iter().zip(types))
    } else {
        Err(tuple_length(types.len(), elements.len()))
    }
}

pub(crate) fn tuple_length(wanted: usize, given: usize) -> Error {
    let s = if wanted == 1 { "" } else { "s" };
    Error::new(format!("a tuple of {wanted} element{s} is required, but this has {given}"))
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
        if !meet(&mut common, &it.ty) {
            return Err(Error::new("all elements must be of one type"));
        }
        values.push(it.value);
    }
    Ok((common.unwrap_or_else(|| ty.without_optional()), values))
}

/// Takes one more element's type into the common one. An untyped null or unknown goes with every type.
pub(crate) fn meet(common: &mut Option<Type>, ty: &Type) -> bool {
    match common {
        Some(common) if common == ty || *ty == Type::Dynamic => return true,
        Some(common) if *common != Type::Dynamic => return false,
        _ => *common = Some(ty.clone()),
    }
    true
}

/// The language's collections are of one type, also where the schema leaves it open.
pub(crate) fn same_type<'a>(
    ty: &Type,
    elements: impl ExactSizeIterator<Item = &'a Value>,
) -> Result<(), Error> {
    if elements.len() > 1 && ty.has_dynamic() {
        let mut common = None;
        for it in elements {
            if !meet(&mut common, &Typed::resolve(it.clone(), ty)?.ty) {
                return Err(Error::new("all elements must be of one type"));
            }
        }
    }
    Ok(())
}

/// Puts a conforming value into a place of the type `to`.
fn dress(value: Value, from: &Type, to: &Type) -> Value {
    if !to.has_dynamic() {
        return value;
    }
    match (to, from, value) {
        (Type::Dynamic, _, value) => Value::dynamic(from.clone(), value),
        (Type::List(to), Type::List(from), Value::List(it)) => {
            Value::List(it.into_iter().map(|it| dress(it, from, to)).collect())
        }
        (Type::Set(to), Type::Set(from), Value::Set(it)) => {
            Value::set(it.into_iter().map(|it| dress(it, from, to)))
        }
        (Type::Map(to), Type::Map(from), Value::Map(it)) => {
            Value::Map(it.into_iter().map(|(key, it)| (key, dress(it, from, to))).collect())
        }
        (Type::Tuple(to), Type::Tuple(from), Value::Tuple(it)) => {
            let types = from.iter().zip(to.iter());
            Value::Tuple(it.into_iter().zip(types).map(|(it, (from, to))| dress(it, from, to)).collect())
        }
        (Type::Object(to), Type::Object(from), Value::Object(it)) => {
            Value::object(it.into_iter().map(|(name, it)| match (from.get(&name), to.get(&name)) {
                (Some(from), Some(to)) => {
                    let it = dress(it, &from.ty, &to.ty);
                    (name, it)
                }
                _ => (name, it),
            }))
        }
        (_, _, value) => value,
    }
}
