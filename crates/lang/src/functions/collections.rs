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

use super::arguments::Treatment::{Known, Unchanged, Unmarked};
use super::arguments::{
    Args, CallError, CallResult, Function, Kind, MANY, bool, list, number, string, unknown,
};
use super::strings::graphemes;
use crate::marks::{Marked, Marks};
use crate::unknown::{equal, length_bounds, not_null, refined};
use ferroform_value::{NfcString, Number, Refinements, Type, Typed, Value};

pub(crate) const ALL: &[Function] = &[
    ("length", 1..=1, Unchanged, length),
    ("keys", 1..=1, Unchanged, keys),
    ("values", 1..=1, Unchanged, values),
    ("lookup", 2..=3, Unchanged, lookup),
    ("merge", 0..=MANY, Unchanged, merge),
    ("zipmap", 2..=2, Unchanged, zipmap),
    ("transpose", 1..=1, Known(&[Kind::StringLists], Kind::StringLists), transpose),
    ("contains", 2..=2, Unmarked, contains),
    ("alltrue", 1..=1, Unmarked, |args| decided_by(args, false)),
    ("anytrue", 1..=1, Unmarked, |args| decided_by(args, true)),
    ("one", 1..=1, Unmarked, one),
];

/// `length`: the number of attributes of an object or of elements of a tuple is known, even if the value is not.
fn length(args: &mut Args<'_>) -> CallResult {
    let it = args.marked()?;
    args.check_non_null(&it.typed)?;
    let at_least = |length: u64| Refinements::new().with_range(Number::from(length)..);
    let length = match (&it.typed.ty, &it.typed.value) {
        (Type::Dynamic, _) => not_null(Type::Number).into(),
        (Type::Tuple(types), _) => number(types.len()),
        (Type::Object(types), _) => number(types.attributes().len()),
        (Type::String, Value::String(it)) => number(graphemes(it).len()),
        (Type::String, it) => {
            let prefix = if let Value::Unknown(Some(it)) = it { it.prefix() } else { None };
            refined(Type::Number, at_least(graphemes(prefix.unwrap_or("")).len() as u64)).into()
        }
        (Type::List(_) | Type::Set(_) | Type::Map(_), it) => match length_bounds(it) {
            (min, Some(max)) => {
                let range = Number::from(min)..=Number::from(max);
                refined(Type::Number, Refinements::new().with_range(range)).into()
            }
            (min, None) => refined(Type::Number, at_least(min)).into(),
        },
        _ => return Err(args.expected("a string or a collection")),
    };
    Ok(length.with(it.marks.root()))
}

fn keys(args: &mut Args<'_>) -> CallResult {
    let it = args.mapping()?;
    let keys = match (it.typed.ty, it.typed.value) {
        // The names of the attributes are known, even if the object is not.
        (Type::Object(types), _) => {
            Typed::tuple(types.attributes().iter().map(|it| string(&it.name).typed)).into()
        }
        (_, Value::Map(it)) => list(Type::String, it.into_keys().map(Value::String).collect()),
        _ => not_null(Type::list(Type::String)).into(),
    };
    Ok(keys.with(it.marks.root()))
}

fn values(args: &mut Args<'_>) -> CallResult {
    let it = args.mapping()?;
    let ty = it.typed.ty.clone();
    match (ty, it.into_entries()) {
        (Type::Map(of), Ok((entries, marks))) => {
            Ok(Marked::list((*of).clone(), entries.into_iter().map(|(_, it)| it)).with(marks))
        }
        (_, Ok((entries, marks))) => Ok(Marked::tuple(entries.into_iter().map(|(_, it)| it)).with(marks)),
        (Type::Object(types), Err(_)) => {
            unknown(Type::tuple(types.attributes().iter().map(|it| it.ty.clone())))
        }
        (ty, Err(_)) => unknown(Type::list(ty.element().cloned().unwrap_or(Type::Dynamic))),
    }
}

fn lookup(args: &mut Args<'_>) -> CallResult {
    args.convert(1, &Type::String)?;
    let map = args.mapping()?;
    let (key, of_key) = args.marked_of(&Type::String)?.unmarked();
    let key = if let Value::String(it) = key.value { Some(it) } else { None };
    let ty = map.typed.ty.clone();
    let default = match &ty {
        _ if args.remaining() == 0 => None,
        Type::Map(of) => Some(args.marked()?.convert(of).map_err(|e| args.failed(e))?),
        _ => Some(args.marked()?),
    };
    let mut marks = map.marks.root();
    marks.extend(of_key);
    let missing =
        |key: &NfcString| CallError::Call(format!("the key {key:?} does not exist, and no default is set"));
    let attribute = |key: &NfcString| if let Type::Object(it) = &ty { it.get(key) } else { None };
    let (key, mut entries) = match (key, map.into_entries()) {
        (Some(key), Ok((entries, _))) => (key, entries),
        (key, _) => {
            let ty = match (&ty, key) {
                (Type::Map(of), _) => (**of).clone(),
                (_, None) => Type::Dynamic,
                (_, Some(key)) => match (attribute(&key), default) {
                    (Some(it), _) => it.ty.clone(),
                    (None, Some(default)) => default.typed.ty,
                    (None, None) => return Err(missing(&key)),
                },
            };
            return Ok(Marked::unknown(ty).with(marks));
        }
    };
    match entries.iter().position(|(name, _)| key == **name) {
        Some(at) => Ok(entries.swap_remove(at).1.with(marks)),
        None => Ok(default.ok_or_else(|| missing(&key))?.with(marks)),
    }
}

fn merge(args: &mut Args<'_>) -> CallResult {
    let mut merged: BTreeMap<Arc<str>, Marked> = BTreeMap::new();
    let mut marks = Marks::none();
    let mut types = Vec::new();
    // The attributes of the result; `None` after an unknown map.
    let mut attributes: Option<BTreeMap<Arc<str>, Type>> = Some(BTreeMap::new());
    let mut is_known = true;
    while args.remaining() > 0 {
        let it = args.marked()?;
        let ty = it.typed.ty.clone();
        let is_map = matches!(ty, Type::Map(_) | Type::Object(_) | Type::Dynamic);
        // After a null without a type, Terraform does not check the types of the other arguments.
        if !is_map && types.contains(&Type::Dynamic) {
            return Err(CallError::Undetermined);
        }
        if !is_map {
            return Err(args.expected("a map or an object"));
        }
        types.push(ty);
        if it.typed.value.is_unknown() {
            is_known = false;
            match (&it.typed.ty, &mut attributes) {
                (Type::Object(types), Some(attributes)) => {
                    attributes.extend(types.attributes().iter().map(|it| (it.name.clone(), it.ty.clone())));
                }
                _ => attributes = None,
            }
            continue;
        }
        let (entries, of_argument) = it.into_entries().unwrap_or_default();
        if let Some(attributes) = &mut attributes {
            attributes.extend(entries.iter().map(|(name, it)| (name.clone(), it.typed.ty.clone())));
        }
        merged.extend(entries);
        marks.extend(of_argument);
    }
    let map = match types.first() {
        Some(ty @ Type::Map(_)) if types.iter().all(|it| it == ty) => Some(ty.clone()),
        _ => None,
    };
    match (map, attributes) {
        (Some(ty), _) if !is_known => unknown(ty),
        (None, Some(attributes)) if !is_known && !types.contains(&Type::Dynamic) => {
            unknown(Type::object(attributes))
        }
        _ if !is_known => unknown(Type::Dynamic),
        (Some(ty), _) => {
            let of = ty.element().cloned().unwrap_or(Type::Dynamic);
            Ok(Marked::map(of, merged).with(marks))
        }
        (None, _) => Ok(Marked::object(merged).with(marks)),
    }
}

fn zipmap(args: &mut Args<'_>) -> CallResult {
    let keys = args.marked_of(&Type::list(Type::String))?;
    let values = args.sequence()?;
    let of = values.typed.ty.element().cloned();
    let types = if let Type::Tuple(it) = &values.typed.ty { it.to_vec() } else { Vec::new() };
    let count = match &values.typed.value {
        Value::Unknown(_) if of.is_some() => None,
        value => value.length().or(Some(types.len())),
    };
    let keys_are_known = keys.typed.value.is_wholly_known();
    let keys = keys.into_elements();
    if let (Ok((keys, _)), Some(count), true) = (&keys, count, keys_are_known)
        && keys.len() != count
    {
        let detail = format!("the numbers of keys and values differ: {} and {count}", keys.len());
        return Err(CallError::Call(detail));
    }
    let (names, mut marks) = match keys {
        Ok((keys, marks)) if keys_are_known => {
            let name = |it: &Marked| it.typed.value.as_str().map(Arc::<str>::from);
            let names: Option<Vec<Arc<str>>> = keys.iter().map(name).collect();
            let names = names.ok_or_else(|| CallError::Argument(0, "the keys must not be null".into()))?;
            let of_keys = keys.into_iter().map(|it| it.marks);
            (
                Some(names),
                of_keys.fold(marks, |mut all, it| {
                    all.extend(it.into_root_marks());
                    all
                }),
            )
        }
        Ok((_, marks)) => (None, marks),
        Err(_) => return unknown(of.map_or(Type::Dynamic, Type::map)),
    };
    let values = values.into_elements();
    let Some(names) = names else {
        if let Ok((_, of_values)) = values {
            marks.extend(of_values);
        }
        return Ok(Marked::from(not_null(of.map_or(Type::Dynamic, Type::map))).with(marks));
    };
    let Ok((values, of_values)) = values else {
        return unknown(match of {
            Some(of) => Type::map(of),
            None => Type::object(names.into_iter().zip(types)),
        });
    };
    marks.extend(of_values);
    let zipped: BTreeMap<Arc<str>, Marked> = names.into_iter().zip(values).collect();
    Ok(match of {
        Some(of) => Marked::map(of, zipped),
        None => Marked::object(zipped),
    }
    .with(marks))
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
    let transposed = Value::map(transposed.into_iter().map(|(key, it)| (key, Value::List(it))));
    Ok(Typed::new(ty, transposed).into())
}

fn contains(args: &mut Args<'_>) -> CallResult {
    let (elements, value) = (args.non_null()?, args.non_null()?);
    if elements.value.is_unknown() || value.value.is_unknown() {
        return unknown(Type::Bool);
    }
    let elements = elements
        .into_elements()
        .map_err(|_| CallError::Argument(0, "a list, set or tuple is required".into()))?;
    let mut result = Some(false);
    for it in &elements {
        match equal(it, &value) {
            Some(true) => return Ok(bool(true)),
            Some(false) => {}
            None => result = None,
        }
    }
    result.map_or_else(|| unknown(Type::Bool), |it| Ok(bool(it)))
}

/// `alltrue` and `anytrue`: the value that decides the result is `false` or `true`. An unknown element decides the result
/// of `alltrue` if the elements before it are true.
fn decided_by(args: &mut Args<'_>, decisive: bool) -> CallResult {
    let (_, Some(elements)) = args.known_list(Type::Bool)? else { return unknown(Type::Bool) };
    let mut has_unknown = false;
    for it in elements {
        match it {
            Value::Unknown(_) if !decisive => return unknown(Type::Bool),
            Value::Unknown(_) => has_unknown = true,
            it if (it == Value::Bool(true)) == decisive => return Ok(bool(decisive)),
            _ => {}
        }
    }
    if has_unknown { unknown(Type::Bool) } else { Ok(bool(!decisive)) }
}

fn one(args: &mut Args<'_>) -> CallResult {
    let it = args.non_null()?;
    let of = match &it.ty {
        Type::List(of) | Type::Set(of) => (**of).clone(),
        Type::Tuple(types) if types.len() < 2 => types.first().cloned().unwrap_or(Type::Dynamic),
        Type::Tuple(_) => return Err(args.invalid("the collection must have at most one element")),
        _ => return Err(args.expected("a list, set or tuple")),
    };
    let (min, max) = length_bounds(&it.value);
    if it.value.is_unknown() || Some(min) != max {
        return Ok(Marked::unknown(of));
    }
    let mut elements = it.into_elements().unwrap_or_default();
    match elements.len() {
        0 => Ok(Typed::new(of, Value::Null).into()),
        1 => Ok(elements.remove(0).into()),
        _ => Err(args.invalid("the collection must have at most one element")),
    }
}
