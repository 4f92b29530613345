//! Running a conversion on a value.
//!
//! Null converts to null, and an unknown value to an unknown value with the refinements that still apply. The error
//! of an element has its path:
//!
//! ```
//! use ferroform_value::convert::convert;
//! use ferroform_value::{Type, Value};
//!
//! let strings = Value::List(vec!["1".into(), "x".into()]);
//! let error = convert(strings, &Type::list(Type::String), &Type::list(Type::Number)).unwrap_err();
//! assert_eq!(error.to_string(), "[1]: a number is required");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::ops::Bound;
use std::sync::Arc;

use super::boolean::parse_bool;
use super::conversion::conversion;
use super::conversion::{Conversion, Kind};
use super::mode::Mode;
use super::unify::common;
use crate::conformance::merge_element_type;
use crate::error::Error;
use crate::nfc_string::NfcString;
use crate::number::Number;
use crate::path::Step;
use crate::refinements::Refinements;
use crate::ty::Type;
use crate::value::{Typed, Value};

impl Conversion {
    /// Converts a value of the source type of the conversion.
    pub(crate) fn run(&self, it: Typed) -> Result<Typed, Error> {
        if self.to == Type::Dynamic || matches!(self.kind, Kind::Keep) {
            return Ok(it);
        }
        let Typed { ty, value } = it;
        match value {
            Value::Null => Ok(Typed { ty: fill_dynamic(&ty, &self.to.without_optional()), value }),
            Value::Unknown(refinements) => {
                unknown(refinements.map_or_else(Refinements::new, |it| *it), &ty, &self.to)
            }
            value => self.known(ty, value),
        }
    }

    fn known(&self, ty: Type, value: Value) -> Result<Typed, Error> {
        let value = match (&self.kind, value) {
            (Kind::ToString, Value::Number(it)) => Value::String(it.to_string().into()),
            (Kind::ToString, Value::Bool(it)) => Value::String(it.to_string().into()),
            (Kind::ToNumber, Value::String(it)) => Value::Number(Number::parse(&it)?),
            (Kind::ToBool, Value::String(it)) => Value::Bool(parse_bool(&it)?),
            (Kind::Object(conversions), value) => return self.object(conversions, &ty, value),
            (Kind::Tuple(conversions), Value::Tuple(it)) => {
                let (types, values) =
                    run_each(conversions, typed_elements(it, &ty))?.into_iter().map(into_parts).unzip();
                return Ok(Typed { ty: Type::Tuple(Vec::into(types)), value: Value::Tuple(values) });
            }
            (Kind::Elements(conversion), Value::Map(it)) => {
                let run = |(key, value): (NfcString, Value)| {
                    let it = conversion.run(Typed { ty: element_type(&ty), value });
                    Ok((key.clone(), it.map_err(|e| e.below(Step::Key(key)))?))
                };
                let entries = it.into_iter().map(run).collect::<Result<Vec<_>, Error>>()?;
                return self.map(entries, element_type(&ty), Mode::Safe);
            }
            (Kind::Elements(conversion), value) => {
                return self.elements(conversion, element_type(&ty), value);
            }
            (Kind::FromTuple(conversions), Value::Tuple(it)) => {
                let elements = run_each(conversions, typed_elements(it, &ty))?;
                return self.sequence(elements, Type::Dynamic, matches!(self.to, Type::List(_)));
            }
            (Kind::FromObject(conversions), Value::Object(it)) => {
                let types = if let Type::Object(it) = &ty { it.attributes() } else { &[] };
                let run = |(((name, value), ty), conversion): (
                    ((Arc<str>, Value), &crate::ty::Attribute),
                    &Conversion,
                )| {
                    let it = conversion.run(Typed { ty: ty.ty.clone(), value });
                    let key = NfcString::from(name);
                    Ok((key.clone(), it.map_err(|e| e.below(Step::Key(key)))?))
                };
                let entries = it.into_iter().zip(types).zip(conversions).map(run);
                return self.map(entries.collect::<Result<_, Error>>()?, Type::Dynamic, self.mode);
            }
            (Kind::ToObject(conversions), value) => return self.map_to_object(conversions, &ty, value),
            (_, value) => return Err(Error::wrong_kind(&self.to, &value)),
        };
        Ok(Typed { ty: self.to.clone(), value })
    }

    fn object(&self, conversions: &[Option<Conversion>], ty: &Type, value: Value) -> Result<Typed, Error> {
        let found = value.kind();
        let (Type::Object(from), Type::Object(to), Value::Object(mut values)) = (ty, &self.to, value) else {
            return Err(Error::type_mismatch("object", found));
        };
        let mut attributes = Vec::with_capacity(conversions.len());
        for (target, conversion) in to.attributes().iter().zip(conversions) {
            let value = values.get_mut(&target.name).map(|it| std::mem::replace(it, Value::Null));
            let source = conversion.as_ref().zip(from.get(&target.name)).zip(value);
            let attribute = match source {
                Some(((conversion, source), value)) => conversion
                    .run(Typed { ty: source.ty.clone(), value })
                    .map_err(|e| e.below(Step::Attribute(target.name.clone())))?,
                None => Typed { ty: target.ty.without_optional(), value: Value::Null },
            };
            attributes.push((target.name.clone(), attribute));
        }
        Ok(Typed::object(attributes))
    }

    fn map_to_object(
        &self,
        conversions: &[Result<Conversion, Error>],
        ty: &Type,
        value: Value,
    ) -> Result<Typed, Error> {
        let found = value.kind();
        let (Type::Object(to), Value::Map(mut it)) = (&self.to, value) else {
            return Err(Error::type_mismatch("map", found));
        };
        let mut attributes = Vec::with_capacity(conversions.len());
        for (target, conversion) in to.attributes().iter().zip(conversions) {
            let name = &target.name;
            let converted = match (it.remove(&**name), conversion) {
                (Some(value), Ok(conversion)) => conversion.run(Typed { ty: element_type(ty), value }),
                (Some(_), Err(cause)) => {
                    let context = format!("map element type is incompatible with attribute {name:?}");
                    return Err(cause.clone().in_context(context));
                }
                (None, _) if target.optional => {
                    Ok(Typed { ty: target.ty.without_optional(), value: Value::Null })
                }
                (None, _) => {
                    return Err(Error::missing_element(name.clone()));
                }
            };
            attributes.push((name.clone(), converted.map_err(|e| e.below(Step::Key(name.into())))?));
        }
        Ok(Typed::object(attributes))
    }

    /// Converts a list or set to a list or set. The elements of a set are converted in Terraform's order.
    fn elements(&self, conversion: &Conversion, from: Type, value: Value) -> Result<Typed, Error> {
        let values: Vec<Value> = match value {
            Value::List(it) => it,
            Value::Set(it) if matches!(self.to, Type::Set(_)) => it.into_iter().collect(),
            // Unknown elements can be equal to other elements after apply, so the length of the list is unknown.
            Value::Set(it) if it.len() > 1 && !it.iter().all(Value::is_wholly_known) => {
                let ty = Type::list(fill_dynamic(&from, &conversion.to.without_optional()));
                return Ok(Typed { ty, value: Value::UNKNOWN });
            }
            Value::Set(it) => it.sorted().into_iter().cloned().collect(),
            value => return Err(Error::wrong_kind(&self.to, &value)),
        };
        let run = |(i, value)| {
            conversion.run(Typed { ty: from.clone(), value }).map_err(|e: Error| e.below(Step::Index(i)))
        };
        let elements = values.into_iter().enumerate().map(run).collect::<Result<Vec<_>, _>>()?;
        self.sequence(elements, from, false)
    }

    /// Creates a list or set. For an empty collection, the element type `from` of the source replaces the element
    /// type `any`. If `unify` is true, elements of different types are converted to their unified type.
    fn sequence(&self, mut elements: Vec<Typed>, from: Type, unify: bool) -> Result<Typed, Error> {
        if unify {
            elements = unify_elements(elements, Step::Index, self.mode)?;
        }
        let element = self.element(elements.iter().map(|it| &it.ty), from)?;
        let values = elements.into_iter().map(|it| it.value);
        let is_target = self.to.element() == Some(&element);
        Ok(match self.to {
            Type::Set(_) => {
                let ty = if is_target { self.to.clone() } else { Type::set(element) };
                Typed { ty, value: Value::set(values) }
            }
            _ => {
                let ty = if is_target { self.to.clone() } else { Type::list(element) };
                Typed { ty, value: Value::List(values.collect()) }
            }
        })
    }

    fn map(&self, entries: Vec<(NfcString, Typed)>, from: Type, mode: Mode) -> Result<Typed, Error> {
        let (keys, mut values): (Vec<NfcString>, Vec<Typed>) = entries.into_iter().unzip();
        let nested = !matches!(
            self.to.element(),
            None | Some(Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Tuple(_))
        );
        if nested {
            values = unify_elements(values, |i| Step::Key(keys[i].clone()), mode)?;
        }
        let element = self.element(values.iter().map(|it| &it.ty), from)?;
        let entries = keys.into_iter().zip(values).map(|(key, it)| (key, it.value)).collect();
        Ok(Typed { ty: Type::map(element), value: Value::Map(entries) })
    }

    /// Returns the common type of all elements.
    fn element<'a>(&self, types: impl Iterator<Item = &'a Type>, from: Type) -> Result<Type, Error> {
        let mut common = None;
        for ty in types {
            if !merge_element_type(&mut common, ty) {
                return Err(Error::inconsistent_elements(Some(&self.to)));
            }
        }
        Ok(common.unwrap_or_else(|| match self.to.element() {
            None | Some(Type::Dynamic) => from,
            Some(ty) => ty.without_optional(),
        }))
    }
}

fn into_parts(it: Typed) -> (Type, Value) {
    (it.ty, it.value)
}

fn element_type(ty: &Type) -> Type {
    ty.element().cloned().unwrap_or(Type::Dynamic)
}

fn typed_elements(values: Vec<Value>, ty: &Type) -> impl Iterator<Item = Typed> {
    let types = if let Type::Tuple(it) = ty { it.to_vec() } else { Vec::new() };
    types.into_iter().zip(values).map(|(ty, value)| Typed { ty, value })
}

fn run_each(
    conversions: &[Arc<Conversion>],
    elements: impl Iterator<Item = Typed>,
) -> Result<Vec<Typed>, Error> {
    let run = |(i, (conversion, it)): (usize, (&Arc<Conversion>, Typed))| {
        conversion.run(it).map_err(|e| e.below(Step::Index(i)))
    };
    conversions.iter().zip(elements).enumerate().map(run).collect()
}

/// Converts elements of several types to their unified type.
fn unify_elements(
    elements: Vec<Typed>,
    step: impl Fn(usize) -> Step,
    mode: Mode,
) -> Result<Vec<Typed>, Error> {
    if elements.windows(2).all(|it| it[0].ty == it[1].ty) {
        return Ok(elements);
    }
    let types: Vec<Type> = elements.iter().map(|it| it.ty.clone()).collect();
    let inconsistent = || Error::inconsistent_elements(None);
    let ty = common(&types, mode).ok_or_else(inconsistent)?;
    let run = |(i, it): (usize, Typed)| {
        if it.ty == ty {
            return Ok(it);
        }
        let conversion = conversion(&it.ty, &ty, mode).ok_or_else(inconsistent)?;
        conversion.run(it).map_err(|e| e.below(step(i)))
    };
    elements.into_iter().enumerate().map(run).collect()
}

/// Replaces each `any` in the type `to` by the corresponding type in `from`.
fn fill_dynamic(from: &Type, to: &Type) -> Type {
    if !to.has_dynamic() || *from == Type::Dynamic {
        return to.clone();
    }
    let inner = |to: &Type| match from {
        Type::List(from) | Type::Set(from) | Type::Map(from) => fill_dynamic(from, to),
        Type::Tuple(types) => {
            common(types, Mode::Unsafe).map_or_else(|| to.clone(), |from| fill_dynamic(&from, to))
        }
        Type::Object(types) => {
            let types: Vec<Type> = types.attributes().iter().map(|it| it.ty.clone()).collect();
            common(&types, Mode::Unsafe).map_or_else(|| to.clone(), |from| fill_dynamic(&from, to))
        }
        _ => to.clone(),
    };
    match (to, from) {
        (Type::Dynamic, from) => from.clone(),
        (Type::List(to), _) => Type::list(inner(to)),
        (Type::Set(to), _) => Type::set(inner(to)),
        (Type::Map(to), _) => Type::map(inner(to)),
        (Type::Tuple(to), Type::Tuple(from)) => {
            Type::tuple(from.iter().zip(to.iter()).map(|(from, to)| fill_dynamic(from, to)))
        }
        (Type::Object(to), from) => Type::object(to.attributes().iter().map(|to| {
            let source = match from {
                Type::Map(from) => Some(&**from),
                Type::Object(from) => from.get(&to.name).map(|it| &it.ty),
                _ => None,
            };
            (to.name.clone(), source.map_or_else(|| to.ty.clone(), |from| fill_dynamic(from, &to.ty)))
        })),
        (to, _) => to.clone(),
    }
}

/// Converts an unknown value and keeps the refinements that apply to the new type as well.
///
/// For example, an unknown `list(string)` with two or three elements becomes an unknown `set(string)` with one to
/// three elements, because its elements can be equal.
fn unknown(refinements: Refinements, from: &Type, to: &Type) -> Result<Typed, Error> {
    let ty = fill_dynamic(from, &to.without_optional());
    let kept = if refinements.is_not_null() { Refinements::new().not_null() } else { Refinements::new() };
    let (min, max) = (refinements.min_length(), refinements.max_length());
    let exactly = |length: usize| (length as u64, Some(length as u64));
    let (min, max) = match (from, to) {
        (Type::Object(from), Type::Map(_)) => exactly(from.attributes().len()),
        (Type::Tuple(from), Type::List(_)) => exactly(from.len()),
        (Type::Tuple(from), Type::Set(_)) => (from.len().min(1) as u64, Some(from.len() as u64)),
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::Set(_)) => (min.min(1), max),
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::List(_) | Type::Map(_)) => (min, max),
        _ => (0, None),
    };
    let max = max.map_or(Bound::Unbounded, Bound::Included);
    let value = kept.with_length((Bound::Included(min), max)).into_value(&ty)?;
    Ok(Typed { ty, value })
}
