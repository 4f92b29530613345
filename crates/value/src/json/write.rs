//! Encoding of values as JSON.
//!
//! The output is that of Terraform's value library: attributes and map elements are sorted by name, sets have
//! Terraform's order, numbers have all of their digits, and strings are escaped so that they can be embedded in HTML.
//!
//! ```
//! use ferroform_value::{Type, Value, json};
//!
//! let ty = Type::map(Type::String);
//! let value = Value::map([("b", "<b>".into()), ("a", Value::Null)]);
//! assert_eq!(json::encode(&value, &ty)?, br#"{"a":null,"b":"\u003cb\u003e"}"#);
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::fmt::Write;

use super::string::write_string;
use super::types;
use crate::conformance::typed_elements;
use crate::error::Error;
use crate::path::Step;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// Writes a value. If `ty` is `None`, the types of dynamic values are omitted.
pub(super) fn value(out: &mut String, it: &Value, ty: Option<&Type>) -> Result<(), Error> {
    let inner = ty.and_then(Type::element);
    match (ty, it) {
        (Some(Type::Dynamic), Value::Dynamic(it)) if it.ty != Type::Dynamic => {
            out.push_str("{\"value\":");
            value(out, &it.value, Some(&it.ty))?;
            out.push_str(",\"type\":");
            types::write(out, &it.ty.without_optional());
            out.push('}');
        }
        (None | Some(Type::Dynamic), Value::Dynamic(it)) => value(out, &it.value, ty)?,
        (Some(ty), Value::Dynamic(it)) if it.ty == *ty => value(out, &it.value, Some(ty))?,
        (_, Value::Unknown(_)) => {
            return Err(Error::unknown("JSON cannot represent unknown values"));
        }
        (_, Value::Null) => out.push_str("null"),
        (Some(Type::Dynamic), it) => {
            let it = Value::Dynamic(Box::new(Typed::resolve(it.clone(), &Type::Dynamic)?));
            value(out, &it, ty)?;
        }
        (None | Some(Type::Bool), Value::Bool(it)) => out.push_str(if *it { "true" } else { "false" }),
        (None | Some(Type::Number), Value::Number(it)) => {
            if it.is_infinite() {
                return Err(Error::required("a finite number"));
            }
            let _ = write!(out, "{it}");
        }
        (None | Some(Type::String), Value::String(it)) => write_string(out, it),
        (None | Some(Type::List(_)), Value::List(it)) => {
            array(out, it.iter().map(|it| (it, inner)), |i, _| Step::Index(i))?;
        }
        (None | Some(Type::Set(_)), Value::Set(it)) => {
            let element = |_, it: &Value| Step::Element(Box::new(it.clone()));
            array(out, it.sorted().into_iter().map(|it| (it, inner)), element)?;
        }
        (None, Value::Tuple(it)) => array(out, it.iter().map(|it| (it, None)), |i, _| Step::Index(i))?,
        (Some(Type::Tuple(types)), Value::Tuple(it)) => {
            let it = typed_elements(it, types)?.map(|(it, ty)| (it, Some(ty)));
            array(out, it, |i, _| Step::Index(i))?;
        }
        (None | Some(Type::Map(_)), Value::Map(it)) => {
            object(out, it.iter().map(|(key, it)| (key, it, inner)), Step::Key)?;
        }
        (None, Value::Object(it)) => {
            object(out, it.iter().map(|(name, it)| (name, it, None)), Step::Attribute)?;
        }
        (Some(Type::Object(types)), Value::Object(it)) => {
            let it = it.typed_attributes(types)?.map(|(name, it, ty)| (name, it, Some(ty)));
            object(out, it, Step::Attribute)?;
        }
        (Some(ty), it) => return Err(Error::wrong_kind(ty, it)),
    }
    Ok(())
}

fn array<'a>(
    out: &mut String,
    elements: impl Iterator<Item = (&'a Value, Option<&'a Type>)>,
    step: impl Fn(usize, &Value) -> Step,
) -> Result<(), Error> {
    out.push('[');
    for (i, (it, ty)) in elements.enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        value(out, it, ty).map_err(|e| e.below(step(i, it)))?;
    }
    out.push(']');
    Ok(())
}

fn object<'a, N: Clone + AsRef<str> + 'a>(
    out: &mut String,
    entries: impl Iterator<Item = (&'a N, &'a Value, Option<&'a Type>)>,
    step: impl Fn(N) -> Step,
) -> Result<(), Error> {
    out.push('{');
    for (i, (name, it, ty)) in entries.enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        write_string(out, name.as_ref());
        out.push(':');
        value(out, it, ty).map_err(|e| e.below(step(name.clone())))?;
    }
    out.push('}');
    Ok(())
}
