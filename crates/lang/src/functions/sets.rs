//! Set functions.
//!
//! | function | result |
//! | --- | --- |
//! | `setunion(sets…)`, `setintersection(sets…)`, `setsubtract(a, b)` | a set |
//! | `setproduct(sets…)` | all combinations of one element from each argument |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"setunion([1], [2]) == toset([1, 2])"#)?, r#"true"#);
//! assert_eq!(show(r#"length(setproduct(["a", "b"], [1, 2]))"#)?, r#"4"#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::collections::HashSet;
use std::ops::Bound;

use super::arguments::Treatment::{Unchanged, Unmarked};
use super::arguments::{Args, CallError, CallResult, Function, MANY, unknown};
use crate::marks::{Marked, Marks};
use crate::unknown::{length_bounds, refined, with_length};
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Refinements, Set, Type, Typed, Value, unify};

pub(crate) const ALL: &[Function] = &[
    ("setunion", 1..=MANY, Unmarked, |args| combined(args, true, |all, it| all.extend(it))),
    ("setintersection", 1..=MANY, Unmarked, |args| {
        combined(args, false, |all, it| {
            let it: HashSet<Value> = it.into_iter().collect();
            all.retain(|a| it.contains(a));
        })
    }),
    ("setsubtract", 2..=2, Unmarked, |args| {
        combined(args, false, |all, it| {
            let it: HashSet<Value> = it.into_iter().collect();
            all.retain(|a| !it.contains(a));
        })
    }),
    ("setproduct", 0..=MANY, Unchanged, product),
];

/// Combines the first set with each of the other sets. If `accepts_unknown` is false, all elements must be known.
fn combined(
    args: &mut Args<'_>,
    accepts_unknown: bool,
    combine: impl Fn(&mut Vec<Value>, Set),
) -> CallResult {
    let mut sets = Vec::new();
    while args.remaining() > 0 {
        sets.push(args.of(&Type::set(Type::Dynamic))?);
    }
    // An empty set without an element type is compatible with every set.
    let is_untyped = |it: &Typed| it.value == Value::set([]) && it.ty == Type::set(Type::Dynamic);
    let types: Vec<Type> = sets.iter().filter(|it| !is_untyped(it)).map(|it| it.ty.clone()).collect();
    let elements: Vec<Type> = types.iter().filter_map(Type::element).cloned().collect();
    let ty = match &*types {
        [] => Type::set(Type::Dynamic),
        // `unify` returns `any` for a set of `any`.
        _ if elements.contains(&Type::Dynamic) => Type::set(
            unify(&elements, Mode::Unsafe)
                .ok_or_else(|| args.expected("a set of the same type as the others"))?
                .ty,
        ),
        types => {
            unify(types, Mode::Unsafe)
                .ok_or_else(|| args.expected("a set of the same type as the others"))?
                .ty
        }
    };
    if sets.iter().any(|it| it.value.is_unknown() || !accepts_unknown && !it.value.is_wholly_known()) {
        return unknown(ty);
    }
    let mut all: Option<Vec<Value>> = None;
    for (i, it) in sets.into_iter().enumerate() {
        let it = convert(it.value, &it.ty, &ty).map_err(|e| CallError::Argument(i, e.to_string()))?;
        let Value::Set(it) = it.value else { return Err(CallError::Undetermined) };
        match &mut all {
            None => all = Some(it.into_iter().collect()),
            Some(all) => combine(all, it),
        }
    }
    Ok(Typed::new(ty, Value::set(all.unwrap_or_default())).into())
}

/// The maximum lengths of an argument and of the result of `setproduct` for which Terraform refines an unknown result.
const MAX_REFINED: (u64, u64) = (1024, 2048);

/// `setproduct`: a list if all arguments have an order, otherwise a set.
fn product(args: &mut Args<'_>) -> CallResult {
    let mut types = Vec::new();
    let mut choices = Vec::new();
    let mut marks = Marks::none();
    let mut ordered = true;
    let mut is_known = true;
    // The maximum length of an unknown result.
    let mut max_length = Some(1_u64);
    let mut total = 1_usize;
    let sets = args.remaining_non_null()?;
    if sets.len() < 2 {
        return Err(CallError::Call("at least two arguments are required".into()));
    }
    for (i, it) in sets.into_iter().enumerate() {
        let invalid = |expected: &str| CallError::Argument(i, format!("{expected} is required"));
        ordered &= !matches!(it.typed.ty, Type::Set(_));
        let of = match &it.typed.ty {
            Type::Set(of) | Type::List(of) => (**of).clone(),
            Type::Tuple(of) if of.is_empty() => Type::Dynamic,
            Type::Tuple(of) => {
                let common = unify(of, Mode::Unsafe);
                common.ok_or_else(|| invalid("a list of elements of one type"))?.ty
            }
            _ => return Err(invalid("a set or a list")),
        };
        types.push(of.clone());
        let (min, max) = match &it.typed.ty {
            Type::Tuple(types) => (types.len() as u64, Some(types.len() as u64)),
            _ => length_bounds(&it.typed.value),
        };
        let limited = max_length.zip(max.filter(|it| *it <= MAX_REFINED.0)).map(|(a, b)| a * b);
        max_length = limited.filter(|it| *it <= MAX_REFINED.1);
        marks.extend(it.marks.root());
        if it.typed.value.is_unknown() || Some(min) != max {
            is_known = false;
            continue;
        }
        let mut elements = Vec::new();
        for it in it.into_elements().map(|it| it.0).unwrap_or_default() {
            if of == Type::Dynamic && !it.typed.value.is_null() && !it.typed.value.is_unknown() {
                return Err(CallError::Undetermined);
            }
            elements.push(it.convert(&of).map_err(|e| args.failed(&e))?);
        }
        total = total.saturating_mul(elements.len());
        choices.push(elements);
    }
    let of = Type::tuple(types);
    if !is_known {
        let ty = if ordered { Type::list(of) } else { Type::set(of) };
        let refinements = match max_length {
            None => Refinements::new(),
            Some(0) => Refinements::new().with_length((Bound::Unbounded, Bound::Included(0))),
            Some(max) => with_length((1, Some(max))),
        };
        return Ok(Marked::from(refined(ty, refinements)).with(marks));
    }
    args.check_size(total.saturating_mul(choices.len() + 1))?;
    let mut combinations: Vec<Vec<Marked>> = if total == 0 { Vec::new() } else { vec![Vec::new()] };
    if total > 0 {
        for elements in &choices {
            let extended =
                |it: Vec<Marked>| elements.iter().map(move |last| it.iter().chain([last]).cloned().collect());
            combinations = combinations.into_iter().flat_map(extended).collect();
        }
    }
    let all = Marked::list(of.clone(), combinations.into_iter().map(Marked::tuple));
    if ordered {
        return Ok(all.with(marks));
    }
    let (all, of_elements) = all.unmarked();
    let elements = if let Value::List(it) = all.value { it } else { Vec::new() };
    Ok(Marked::from(Typed::new(Type::set(of), Value::set(elements))).with(of_elements).with(marks))
}
