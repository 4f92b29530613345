//! Collection functions.
//!
//! | function | result |
//! | --- | --- |
//! | `length(value)` | the number of elements, or of grapheme clusters of a string |
//! | `keys(map)`, `values(map)` | the keys, or the elements in the order of the keys |
//! | `lookup(map, key, default)` | the element with the key, or the default |
//! | `merge(maps…)` | a map or object of all elements; later arguments take precedence |
//! | `zipmap(keys, values)` | a map or object from a list of keys and a list of values |
//! | `transpose(map)` | a map of lists with keys and elements swapped |
//! | `contains(list, value)` | true if the list contains the value |
//! | `alltrue(list)`, `anytrue(list)` | true if all elements are true, or if any element is true |
//! | `one(list)` | the only element, or null if there is none |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"length([1, 2])"#)?, r#"2"#);
//! assert_eq!(show(r#"lookup({ a = 1 }, "b", 0)"#)?, r#"0"#);
//! assert_eq!(show(r#"keys(merge({ b = 1 }, { a = 2 })) == ["a", "b"]"#)?, r#"true"#);
//! assert_eq!(show(r#"one([])"#)?, r#"null"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::arguments::{Args, CallError, CallResult, Function, MANY, bool, list, number, string};
use super::strings::graphemes;
use ferroform_value::{NfcString, Type, Typed, Value};

pub(crate) const ALL: &[Function] = &[
    ("length", 1..=1, length),
    ("keys", 1..=1, keys),
    ("values", 1..=1, values),
    ("lookup", 2..=3, lookup),
    ("merge", 0..=MANY, merge),
    ("zipmap", 2..=2, zipmap),
    ("transpose", 1..=1, transpose),
    ("contains", 2..=2, contains),
    ("alltrue", 1..=1, |args| Ok(bool(bools(args)?.iter().all(|it| *it == Value::Bool(true))))),
    ("anytrue", 1..=1, |args| Ok(bool(bools(args)?.contains(&Value::Bool(true))))),
    ("one", 1..=1, one),
];

fn length(args: &mut Args<'_>) -> CallResult {
    let value = args.non_null()?.value;
    let length = value.as_str().map(|it| graphemes(it).len()).or_else(|| value.length());
    length.map(number).ok_or_else(|| args.expected("a string or a collection"))
}

fn keys(args: &mut Args<'_>) -> CallResult {
    let (ty, it) = args.entries()?;
    let it = it.into_iter().map(|(key, _)| key);
    Ok(match ty {
        Type::Map(_) => list(Type::String, it.map(|key| Value::String(key.into())).collect()),
        _ => Typed::tuple(it.map(string)),
    })
}

fn values(args: &mut Args<'_>) -> CallResult {
    let (ty, it) = args.entries()?;
    let it = it.into_iter().map(|(_, it)| it);
    Ok(match ty {
        Type::Map(of) => list((*of).clone(), it.map(|it| it.value).collect()),
        _ => Typed::tuple(it),
    })
}

fn lookup(args: &mut Args<'_>) -> CallResult {
    let (ty, mut entries) = args.entries()?;
    let key = args.string()?;
    let default = match ty {
        _ if args.remaining() == 0 => None,
        Type::Map(of) => Some(args.converted(&of)?),
        _ => Some(args.any()?),
    };
    match entries.iter().position(|(name, _)| key == **name) {
        Some(at) => Ok(entries.swap_remove(at).1),
        None => default
            .ok_or_else(|| CallError::Call(format!("the key {key:?} does not exist, and no default is set"))),
    }
}

fn merge(args: &mut Args<'_>) -> CallResult {
    let mut merged: BTreeMap<Arc<str>, Typed> = BTreeMap::new();
    let mut types = Vec::new();
    while args.remaining() > 0 {
        let it = args.any()?;
        let is_map = matches!(it.ty, Type::Map(_) | Type::Object(_) | Type::Dynamic);
        // After a null without a type, Terraform does not check the types of the other arguments.
        if !is_map && types.contains(&Type::Dynamic) {
            return Err(CallError::Undetermined);
        }
        if !is_map {
            return Err(args.expected("a map or an object"));
        }
        types.push(it.ty.clone());
        merged.extend(it.into_entries().unwrap_or_default());
    }
    Ok(match types.first() {
        Some(ty @ Type::Map(_)) if types.iter().all(|it| it == ty) => {
            Typed::new(ty.clone(), Value::map(merged.into_iter().map(|(key, it)| (key, it.value))))
        }
        _ => Typed::object(merged),
    })
}

fn zipmap(args: &mut Args<'_>) -> CallResult {
    let (_, keys) = args.list(Type::String)?;
    let (ty, values) = args.sequence()?;
    if keys.len() != values.len() {
        let detail = format!("the numbers of keys and values differ: {} and {}", keys.len(), values.len());
        return Err(CallError::Call(detail));
    }
    let mut zipped = BTreeMap::new();
    for (key, value) in keys.into_iter().zip(values) {
        let Value::String(key) = key else {
            return Err(CallError::Argument(0, "the keys must not be null".into()));
        };
        zipped.insert(key, value);
    }
    Ok(match ty {
        Type::List(of) => {
            Typed::new(Type::Map(of), Value::map(zipped.into_iter().map(|(key, it)| (key, it.value))))
        }
        _ => Typed::object(zipped.into_iter().map(|(key, it)| (key.into(), it))),
    })
}

/// `transpose`: swaps the keys and the elements of a map of lists.
fn transpose(args: &mut Args<'_>) -> CallResult {
    let ty = Type::map(Type::list(Type::String));
    let mut transposed: BTreeMap<NfcString, Vec<Value>> = BTreeMap::new();
    for (key, it) in args.of(&ty)?.into_entries().unwrap_or_default() {
        let Value::List(it) = it.value else { return Err(args.invalid("the lists must not be null")) };
        for it in it {
            let Value::String(it) = it else { return Err(args.invalid("the elements must not be null")) };
            // The keys of the map are sorted, so each resulting list is sorted as well.
            transposed.entry(it).or_default().push(Value::String((&key).into()));
        }
    }
    Ok(Typed::new(ty, Value::map(transposed.into_iter().map(|(key, it)| (key, Value::List(it))))))
}

fn contains(args: &mut Args<'_>) -> CallResult {
    let elements = args.elements()?;
    let value = args.non_null()?;
    Ok(bool(elements.contains(&value)))
}

fn bools(args: &mut Args<'_>) -> CallResult<Vec<Value>> {
    Ok(args.list(Type::Bool)?.1)
}

fn one(args: &mut Args<'_>) -> CallResult {
    let it = args.non_null()?;
    let of = it.ty.element().cloned().unwrap_or(Type::Dynamic);
    let mut elements = it.into_elements().map_err(|_| args.expected("a list, set or tuple"))?;
    match elements.len() {
        0 => Ok(Typed::new(of, Value::Null)),
        1 => Ok(elements.remove(0)),
        _ => Err(args.invalid("the collection must have at most one element")),
    }
}
