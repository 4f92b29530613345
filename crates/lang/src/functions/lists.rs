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

use super::arguments::{Args, CallError, CallResult, Function, MANY, list, number};
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Number, Type, Typed, Value, unify};

pub(crate) const ALL: &[Function] = &[
    ("concat", 1..=MANY, concat),
    ("flatten", 1..=1, flatten),
    ("element", 2..=2, element),
    ("index", 2..=2, index),
    ("slice", 3..=3, slice),
    ("range", 1..=3, range),
    ("chunklist", 2..=2, chunklist),
    ("coalescelist", 1..=MANY, coalescelist),
    ("matchkeys", 3..=3, matchkeys),
    ("reverse", 1..=1, reverse),
    ("distinct", 1..=1, distinct),
    ("compact", 1..=1, compact),
    ("sort", 1..=1, sort),
];

/// The maximum number of elements of `range`.
const MAX_RANGE: usize = 1024;

fn concat(args: &mut Args<'_>) -> CallResult {
    let mut types = Vec::new();
    let mut all = Vec::new();
    while args.remaining() > 0 {
        let (ty, it) = args.sequence()?;
        types.push(ty);
        all.extend(it);
    }
    let it = Typed::tuple(all);
    if types.iter().all(|it| matches!(it, Type::List(_)))
        && let Some(common) = unify(&types, Mode::Unsafe)
    {
        return convert(it.value, &it.ty, &common.ty).map_err(|e| args.failed(e));
    }
    Ok(it)
}

fn flatten(args: &mut Args<'_>) -> CallResult {
    fn flat(it: Typed, out: &mut Vec<Typed>) {
        match it.into_elements() {
            Ok(it) => it.into_iter().for_each(|it| flat(it, out)),
            Err(it) => out.push(it),
        }
    }
    let mut out = Vec::new();
    args.elements()?.into_iter().for_each(|it| flat(it, &mut out));
    Ok(Typed::tuple(out))
}

/// `element`: the index wraps around.
fn element(args: &mut Args<'_>) -> CallResult {
    let (ty, mut elements) = args.sequence()?;
    let index = args.integer()?;
    if elements.is_empty() {
        return Err(CallError::Argument(0, "the list must not be empty".into()));
    }
    let count = elements.len() as i64;
    // As in Terraform, a negative index is allowed for a list, but not for a tuple.
    if matches!(ty, Type::Tuple(_)) && index % count < 0 {
        return Err(args.expected("an index that is not negative"));
    }
    Ok(elements.swap_remove(index.rem_euclid(count) as usize))
}

fn index(args: &mut Args<'_>) -> CallResult {
    let (_, elements) = args.sequence()?;
    let value = args.non_null()?;
    let found = elements.iter().position(|it| *it == value);
    found.map(number).ok_or_else(|| args.invalid("the list does not contain the value"))
}

fn slice(args: &mut Args<'_>) -> CallResult {
    let (ty, mut elements) = args.sequence()?;
    let mut bound = |least: usize| {
        let at = usize::try_from(args.integer()?).ok();
        let at = at.filter(|it| (least..=elements.len()).contains(it));
        at.ok_or_else(|| args.expected(&format!("an index from {least} to {}", elements.len())))
    };
    let start = bound(0)?;
    let end = bound(start)?;
    let it = elements.drain(start..end);
    Ok(match ty {
        Type::List(of) => list((*of).clone(), it.map(|it| it.value).collect()),
        _ => Typed::tuple(it),
    })
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
    let (of, elements) = args.list(Type::Dynamic)?;
    let size = usize::try_from(args.integer()?).map_err(|_| args.expected("a size that is not negative"))?;
    // With a size of zero, all elements are in one chunk.
    let size = if size == 0 { elements.len().max(1) } else { size };
    let chunks = elements.chunks(size).map(|it| Value::List(it.to_vec())).collect();
    Ok(list(Type::list(of), chunks))
}

fn coalescelist(args: &mut Args<'_>) -> CallResult {
    let mut found = None;
    while args.remaining() > 0 {
        let it = args.any()?;
        match (&it.ty, &it.value) {
            (Type::List(_) | Type::Tuple(_), Value::Null) => {}
            (_, Value::List(elements) | Value::Tuple(elements)) => {
                let has_elements = !elements.is_empty();
                found = found.or(has_elements.then_some(it));
            }
            _ => return Err(args.expected("a list or a tuple")),
        }
    }
    found.ok_or_else(|| CallError::Call("all lists are empty".into()))
}

/// `matchkeys`: returns the values whose keys are in a search set.
fn matchkeys(args: &mut Args<'_>) -> CallResult {
    let (of, values) = args.list(Type::Dynamic)?;
    let (keys, searched) = (args.list(Type::Dynamic)?, args.list(Type::Dynamic)?);
    let common = unify(&[keys.0.clone(), searched.0.clone()], Mode::Unsafe);
    let common = common.ok_or_else(|| args.expected("a list of the same type as the keys"))?.ty;
    if keys.1.len() != values.len() {
        let detail = format!("the numbers of values and keys differ: {} and {}", values.len(), keys.1.len());
        return Err(CallError::Call(detail));
    }
    let to_common = |(ty, it): (Type, Vec<Value>)| {
        let each = it.into_iter().map(|it| Ok(convert(it, &ty, &common)?.value));
        each.collect::<Result<Vec<_>, ferroform_value::Error>>().map_err(|e| args.failed(e))
    };
    let searched: HashSet<Value> = to_common(searched)?.into_iter().collect();
    let found = values.into_iter().zip(to_common(keys)?).filter(|(_, key)| searched.contains(key));
    Ok(list(of, found.map(|(it, _)| it).collect()))
}

fn reverse(args: &mut Args<'_>) -> CallResult {
    let it = args.non_null()?;
    let ty = it.ty.clone();
    let mut elements = it.into_elements().map_err(|_| args.expected("a list, set or tuple"))?;
    elements.reverse();
    Ok(match ty {
        Type::List(of) | Type::Set(of) => {
            list((*of).clone(), elements.into_iter().map(|it| it.value).collect())
        }
        _ => Typed::tuple(elements),
    })
}

fn distinct(args: &mut Args<'_>) -> CallResult {
    let (of, mut elements) = args.list(Type::Dynamic)?;
    let mut seen = HashSet::new();
    elements.retain(|it| seen.insert(it.clone()));
    Ok(list(of, elements))
}

fn compact(args: &mut Args<'_>) -> CallResult {
    let (_, mut elements) = args.list(Type::String)?;
    elements.retain(|it| !matches!(it.as_str(), None | Some("")));
    Ok(list(Type::String, elements))
}

fn sort(args: &mut Args<'_>) -> CallResult {
    let (_, mut elements) = args.list(Type::String)?;
    if elements.contains(&Value::Null) {
        return Err(args.invalid("the elements must not be null"));
    }
    elements.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    Ok(list(Type::String, elements))
}
