//! List functions.
//!
//! | function | result |
//! | --- | --- |
//! | `concat(lists…)`, `flatten(list)` | one list |
//! | `element(list, index)` | the element at an index that wraps around |
//! | `index(list, value)` | the index of a value |
//! | `slice(list, start, end)` | the elements from an index up to another index |
//! | `range(start, limit, step)` | a list of numbers |
//! | `chunklist(list, size)` | a list of lists |
//! | `coalescelist(lists…)` | the first list that is not empty |
//! | `matchkeys(values, keys, search)` | the values whose keys are in a search set |
//! | `reverse(list)`, `sort(list)` | the list in another order |
//! | `distinct(list)`, `compact(list)` | the list without duplicates, or without null and empty strings |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"element([1, 2, 3], 4)"#)?, r#"2"#);
//! assert_eq!(show(r#"slice([1, 2, 3], 1, 3) == [2, 3]"#)?, r#"true"#);
//! assert_eq!(show(r#"index(["a", "b"], "b")"#)?, r#"1"#);
//! assert_eq!(show(r#"length(chunklist([1, 2, 3], 2))"#)?, r#"2"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::collections::HashSet;

use super::arguments::Treatment::{Known, Unchanged, Unmarked};
use super::arguments::{Args, CallError, CallResult, Function, Kind, MANY, list, number, unknown};
use crate::marks::{Marked, Marks};
use crate::unknown::{equal, length_bounds, not_null, refined, with_length};
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Number, Type, Typed, Value, unify};

pub(crate) const ALL: &[Function] = &[
    ("concat", 1..=MANY, Unchanged, concat),
    ("flatten", 1..=1, Unchanged, flatten),
    ("element", 2..=2, Unchanged, element),
    ("index", 2..=2, Unmarked, index),
    ("slice", 3..=3, Unchanged, slice),
    ("range", 1..=3, Known(&[Kind::Number], Kind::Numbers), range),
    ("chunklist", 2..=2, Unchanged, chunklist),
    ("coalescelist", 1..=MANY, Unmarked, coalescelist),
    ("matchkeys", 3..=3, Unmarked, matchkeys),
    ("reverse", 1..=1, Unchanged, reverse),
    ("distinct", 1..=1, Unmarked, distinct),
    ("compact", 1..=1, Known(&[Kind::Strings], Kind::Strings), compact),
    ("sort", 1..=1, Unmarked, sort),
];

/// The maximum number of elements of `range`.
const MAX_RANGE: usize = 1024;

fn concat(args: &mut Args<'_>) -> CallResult {
    let mut types = Vec::new();
    // `None` after an unknown list.
    let mut element_types = Some(Vec::new());
    let mut all = Vec::new();
    let mut marks = Marks::none();
    let mut is_known = true;
    for (i, it) in args.remaining_non_null()?.into_iter().enumerate() {
        if !matches!(it.typed.ty, Type::List(_) | Type::Tuple(_)) {
            return Err(CallError::Argument(i, "a list or a tuple is required".into()));
        }
        types.push(it.typed.ty.clone());
        match (it.into_elements(), &mut element_types) {
            (Ok((elements, of_argument)), _) => {
                if let Some(types) = &mut element_types {
                    types.extend(elements.iter().map(|it: &Marked| it.typed.ty.clone()));
                }
                all.extend(elements);
                marks.extend(of_argument);
            }
            (Err(it), found) => {
                is_known = false;
                match (&it.typed.ty, found) {
                    (Type::Tuple(types), Some(found)) => found.extend(types.iter().cloned()),
                    _ => element_types = None,
                }
            }
        }
    }
    let common =
        if types.iter().all(|it| matches!(it, Type::List(_))) { unify(&types, Mode::Unsafe) } else { None };
    match (common, element_types) {
        (Some(common), _) if !is_known => unknown(common.ty),
        (None, Some(types)) if !is_known => unknown(Type::tuple(types)),
        _ if !is_known => unknown(Type::Dynamic),
        (Some(common), _) => {
            Ok(Marked::tuple(all).convert(&common.ty).map_err(|e| args.failed(e))?.with(marks))
        }
        (None, _) => Ok(Marked::tuple(all).with(marks)),
    }
}

/// `flatten`: the marks of the nested lists become marks of the result.
fn flatten(args: &mut Args<'_>) -> CallResult {
    /// Returns false if the number of elements is unknown.
    fn flat(it: Marked, out: &mut Vec<Marked>, marks: &mut Marks) -> bool {
        let Typed { ty, value } = &it.typed;
        let is_sequence = matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if !is_sequence || *value == Value::Null {
            let is_certain = *ty != Type::Dynamic || !value.is_unknown();
            out.push(it);
            return is_certain;
        }
        let (min, max) = length_bounds(value);
        let mut is_certain = Some(min) == max;
        match it.into_elements() {
            Ok((elements, of_list)) => {
                marks.extend(of_list);
                for it in elements {
                    is_certain &= flat(it, out, marks);
                }
            }
            Err(it) => {
                marks.extend(it.marks.root());
                is_certain = false;
            }
        }
        is_certain
    }
    let it = args.marked_non_null()?;
    // As in Terraform, the type of an unknown value is not checked.
    if it.typed.value.is_unknown() {
        return unknown(Type::Dynamic);
    }
    if !matches!(it.typed.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return Err(args.expected("a list, set or tuple"));
    }
    let (mut out, mut marks) = (Vec::new(), Marks::none());
    let is_certain = flat(it, &mut out, &mut marks);
    let flattened = if is_certain { Marked::tuple(out) } else { Marked::unknown(Type::Dynamic) };
    Ok(flattened.with(marks))
}

/// `element`: the index wraps around.
fn element(args: &mut Args<'_>) -> CallResult {
    args.convert(1, &Type::Number)?;
    let it = args.sequence()?;
    let (index, of_index) = args.marked_of(&Type::Number)?.unmarked();
    let index = match index.value {
        Value::Number(it) => {
            Some(it.to_i64().ok_or_else(|| args.expected("a whole number of at most 64 bits"))?)
        }
        _ => None,
    };
    let ty = it.typed.ty.clone();
    let count = match (&ty, &it.typed.value) {
        (Type::Tuple(types), _) => Some(types.len()),
        (_, value) => value.length(),
    };
    if count == Some(0) && index.is_some() {
        return Err(CallError::Call("the list must not be empty".into()));
    }
    let position = index.zip(count).map(|(index, count)| index.rem_euclid(count.max(1) as i64) as usize);
    // As in Terraform, a negative index is allowed for a list, but not for a tuple.
    if let (Type::Tuple(types), Some(index)) = (&ty, index)
        && index % (types.len() as i64) < 0
    {
        return Err(args.expected("an index that is not negative"));
    }
    match (it.into_elements(), position) {
        (Ok((mut elements, marks)), Some(position)) => {
            Ok(elements.swap_remove(position).with(marks).with(of_index))
        }
        (_, position) => {
            let of = match (&ty, position) {
                (Type::Tuple(types), Some(position)) => types.get(position).cloned(),
                (ty, _) => ty.element().cloned(),
            };
            Ok(Marked::unknown(of.unwrap_or(Type::Dynamic)).with(of_index))
        }
    }
}

fn index(args: &mut Args<'_>) -> CallResult {
    let (elements, value) = (args.non_null()?, args.non_null()?);
    // As in Terraform, the type of an unknown list is not checked.
    if elements.value.is_unknown() || value.value.is_unknown() {
        return unknown(Type::Number);
    }
    if !matches!(elements.ty, Type::List(_) | Type::Tuple(_)) {
        return Err(CallError::Argument(0, "a list or a tuple is required".into()));
    }
    for (i, it) in elements.into_elements().unwrap_or_default().iter().enumerate() {
        match equal(it, &value) {
            Some(true) => return Ok(number(i)),
            Some(false) => {}
            None => return unknown(Type::Number),
        }
    }
    Err(args.invalid("the list does not contain the value"))
}

fn slice(args: &mut Args<'_>) -> CallResult {
    args.convert(1, &Type::Number)?;
    args.convert(2, &Type::Number)?;
    let it = args.sequence()?;
    let ty = it.typed.ty.clone();
    let count = match (&ty, &it.typed.value) {
        (Type::Tuple(types), _) => types.len(),
        (_, value) => value.length().unwrap_or(usize::MAX),
    };
    let mut marks = Marks::none();
    let mut bound = |least: usize| {
        let (it, of_bound) = args.marked_of(&Type::Number)?.unmarked();
        marks.extend(of_bound);
        let Value::Number(it) = it.value else { return Ok(None) };
        let at = it.to_i64().and_then(|it| usize::try_from(it).ok());
        let at = at.filter(|it| (least..=count).contains(it));
        at.map(Some).ok_or_else(|| args.expected(&format!("an index from {least} to {count}")))
    };
    let start = bound(0)?;
    let end = bound(start.unwrap_or(0))?;
    let bounds = start.zip(end);
    match (ty, it.into_elements(), bounds) {
        (ty, Ok((mut elements, of_list)), Some((start, end))) => {
            marks.extend(of_list);
            let part = elements.drain(start..end);
            Ok(match ty {
                Type::List(of) => Marked::list((*of).clone(), part),
                _ => Marked::tuple(part),
            }
            .with(marks))
        }
        (ty @ Type::List(_), ..) => Ok(Marked::from(not_null(ty)).with(marks)),
        (Type::Tuple(types), _, Some((start, end))) => {
            let ty = Type::tuple(types[start..end].iter().cloned());
            Ok(Marked::from(not_null(ty)).with(marks))
        }
        _ => Ok(Marked::unknown(Type::Dynamic).with(marks)),
    }
}

fn range(args: &mut Args<'_>) -> CallResult {
    let unit = |descending: bool| Number::from(if descending { -1 } else { 1 });
    let first = args.number()?;
    let (start, end, step) = if args.remaining() == 0 {
        let step = unit(first.signum() < 0);
        (Number::from(0), first, step)
    } else {
        let end = args.number()?;
        let descending = end.compare(&first).is_lt();
        let step = if args.remaining() == 0 { unit(descending) } else { args.number()? };
        (first, end, step)
    };
    let descending = step.signum() < 0;
    let beyond = |it: &Number| if descending { it.compare(&end).is_le() } else { it.compare(&end).is_ge() };
    if start.compare(&end).is_ne() && beyond(&start) {
        return Err(CallError::Call("the step must lead from the start to the limit".into()));
    }
    let mut numbers = Vec::new();
    let mut it = start;
    while !beyond(&it) {
        if numbers.len() == MAX_RANGE {
            return Err(CallError::Call(format!("the range has more than {MAX_RANGE} numbers")));
        }
        let next = it.add(&step).map_err(|e| args.failed(e))?;
        numbers.push(Value::Number(it));
        it = next;
    }
    Ok(list(Type::Number, numbers))
}

fn chunklist(args: &mut Args<'_>) -> CallResult {
    let it = args.marked_of(&Type::list(Type::Dynamic))?;
    let of = it.typed.ty.element().cloned().unwrap_or(Type::Dynamic);
    let (size, of_size) = args.marked_of(&Type::Number)?.unmarked();
    let size = match &size.value {
        Value::Number(it) => {
            let it = it.to_i64().and_then(|it| usize::try_from(it).ok());
            Some(it.ok_or_else(|| args.expected("a size that is not negative"))?)
        }
        _ => None,
    };
    let (Ok((elements, marks)), Some(size)) = (it.into_elements(), size) else {
        return unknown(Type::list(Type::list(of)));
    };
    // With a size of zero, all elements are in one chunk.
    let size = if size == 0 { elements.len().max(1) } else { size };
    let chunks = elements.chunks(size).map(|it| Marked::list(of.clone(), it.to_vec()));
    Ok(Marked::list(Type::list(of.clone()), chunks).with(marks).with(of_size))
}

fn coalescelist(args: &mut Args<'_>) -> CallResult {
    let mut found = None;
    while args.remaining() > 0 {
        let it = args.any()?;
        match (&it.ty, &it.value) {
            // Terraform does not check the arguments after an unknown one.
            (_, Value::Unknown(_)) => return found.map_or_else(|| unknown(Type::Dynamic), Ok),
            (Type::List(_) | Type::Tuple(_), Value::Null) => {}
            (_, Value::List(elements) | Value::Tuple(elements)) => {
                let has_elements = !elements.is_empty();
                found = found.or(has_elements.then_some(it.into()));
            }
            _ => return Err(args.expected("a list or a tuple")),
        }
    }
    found.ok_or_else(|| CallError::Call("all lists are empty".into()))
}

/// `matchkeys`: returns the values whose keys are in a search set.
fn matchkeys(args: &mut Args<'_>) -> CallResult {
    let (of, values) = args.known_list(Type::Dynamic)?;
    let (keys, searched) = (args.known_list(Type::Dynamic)?, args.known_list(Type::Dynamic)?);
    let common = unify(&[keys.0.clone(), searched.0.clone()], Mode::Unsafe);
    let common = common.ok_or_else(|| args.expected("a list of the same type as the keys"))?.ty;
    let ((from_key, Some(keys)), (from_searched, Some(searched)), Some(values)) = (keys, searched, values)
    else {
        return unknown(Type::list(of));
    };
    if keys.len() != values.len() {
        let detail = format!("the numbers of values and keys differ: {} and {}", values.len(), keys.len());
        return Err(CallError::Call(detail));
    }
    let to_common = |ty: &Type, it: Vec<Value>| {
        let each = it.into_iter().map(|it| Ok(convert(it, ty, &common)?.value));
        each.collect::<Result<Vec<_>, ferroform_value::Error>>().map_err(|e| args.failed(e))
    };
    let (keys, searched) = (to_common(&from_key, keys)?, to_common(&from_searched, searched)?);
    let is_known = |it: &[Value]| it.iter().all(Value::is_wholly_known);
    if !(searched.is_empty() || is_known(&values) && is_known(&keys)) {
        return unknown(Type::list(of));
    }
    // As in Terraform, no key is found in a search set that is not wholly known.
    let searched: HashSet<Value> =
        if is_known(&searched) { searched.into_iter().collect() } else { HashSet::new() };
    let found = values.into_iter().zip(keys).filter(|(_, key)| searched.contains(key));
    Ok(list(of, found.map(|(it, _)| it).collect()))
}

fn reverse(args: &mut Args<'_>) -> CallResult {
    let it = args.marked_non_null()?;
    let ty = it.typed.ty.clone();
    let elements = it.into_elements().map(|(mut elements, marks)| {
        elements.reverse();
        (elements, marks)
    });
    match (ty, elements) {
        (Type::List(of) | Type::Set(of), Ok((elements, marks))) => {
            Ok(Marked::list((*of).clone(), elements).with(marks))
        }
        (Type::List(of) | Type::Set(of), Err(_)) => unknown(Type::List(of)),
        (Type::Tuple(_), Ok((elements, marks))) => Ok(Marked::tuple(elements).with(marks)),
        (Type::Tuple(types), Err(_)) => unknown(Type::tuple(types.iter().rev().cloned())),
        _ => Err(args.expected("a list, set or tuple")),
    }
}

fn distinct(args: &mut Args<'_>) -> CallResult {
    let (of, elements) = args.known_list(Type::Dynamic)?;
    let elements = elements.filter(|it| it.iter().all(Value::is_wholly_known));
    let Some(mut elements) = elements else { return unknown(Type::list(of)) };
    let mut seen = HashSet::new();
    elements.retain(|it| seen.insert(it.clone()));
    Ok(list(of, elements))
}

fn compact(args: &mut Args<'_>) -> CallResult {
    let (_, mut elements) = args.list(Type::String)?;
    elements.retain(|it| !matches!(it.as_str(), None | Some("")));
    Ok(list(Type::String, elements))
}

/// `sort`: the length of the result is known, even if the order is not.
fn sort(args: &mut Args<'_>) -> CallResult {
    let it = args.of(&Type::list(Type::String))?.value;
    let Value::List(mut elements) = it else {
        return Ok(refined(Type::list(Type::String), with_length(length_bounds(&it))).into());
    };
    if !elements.iter().all(Value::is_wholly_known) {
        let unknown = refined(Type::list(Type::String), with_length(length_bounds(&Value::List(elements))));
        return Ok(unknown.into());
    }
    if elements.contains(&Value::Null) {
        return Err(args.invalid("the elements must not be null"));
    }
    elements.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    Ok(list(Type::String, elements))
}
