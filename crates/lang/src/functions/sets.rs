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

use super::arguments::{Args, CallError, CallResult, Function, MANY};
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Set, Type, Typed, Value, unify};

pub(crate) const ALL: &[Function] = &[
    ("setunion", 1..=MANY, |args| combined(args, |all, it| all.extend(it))),
    ("setintersection", 1..=MANY, |args| {
        combined(args, |all, it| {
            let it: HashSet<Value> = it.into_iter().collect();
            all.retain(|a| it.contains(a));
        })
    }),
    ("setsubtract", 2..=2, |args| {
        combined(args, |all, it| {
            let it: HashSet<Value> = it.into_iter().collect();
            all.retain(|a| !it.contains(a));
        })
    }),
    ("setproduct", 2..=MANY, product),
];

/// Combines the first set with each of the other sets.
fn combined(args: &mut Args<'_>, combine: impl Fn(&mut Vec<Value>, Set)) -> CallResult {
    let mut sets = Vec::new();
    while args.remaining() > 0 {
        sets.push(args.of(&Type::set(Type::Dynamic))?);
    }
    // An empty set without an element type is compatible with every set.
    let is_untyped = |it: &Typed| it.value == Value::set([]) && it.ty == Type::set(Type::Dynamic);
    let types: Vec<Type> = sets.iter().filter(|it| !is_untyped(it)).map(|it| it.ty.clone()).collect();
    let ty = match &*types {
        [] => Type::set(Type::Dynamic),
        types => {
            unify(types, Mode::Unsafe)
                .ok_or_else(|| args.expected("a set of the same type as the others"))?
                .ty
        }
    };
    let mut all: Option<Vec<Value>> = None;
    for (i, it) in sets.into_iter().enumerate() {
        let it = convert(it.value, &it.ty, &ty).map_err(|e| CallError::Argument(i, e.to_string()))?;
        let Value::Set(it) = it.value else { return Err(CallError::Undetermined) };
        match &mut all {
            None => all = Some(it.into_iter().collect()),
            Some(all) => combine(all, it),
        }
    }
    Ok(Typed::new(ty, Value::set(all.unwrap_or_default())))
}

/// `setproduct`: a list if all arguments have an order, otherwise a set.
fn product(args: &mut Args<'_>) -> CallResult {
    let mut types = Vec::new();
    let mut choices = Vec::new();
    let mut ordered = true;
    let mut total = 1_usize;
    while args.remaining() > 0 {
        let it = args.non_null()?;
        ordered &= !matches!(it.ty, Type::Set(_));
        let of = match &it.ty {
            Type::Set(of) | Type::List(of) => (**of).clone(),
            Type::Tuple(of) if of.is_empty() => Type::Dynamic,
            Type::Tuple(of) => {
                let common = unify(of, Mode::Unsafe);
                common.ok_or_else(|| args.expected("a list of elements of one type"))?.ty
            }
            _ => return Err(args.expected("a set or a list")),
        };
        let mut elements = Vec::new();
        for it in it.into_elements().unwrap_or_default() {
            if of == Type::Dynamic && it.value != Value::Null {
                return Err(CallError::Undetermined);
            }
            elements.push(convert(it.value, &it.ty, &of).map_err(|e| args.failed(&e))?.value);
        }
        total = total.saturating_mul(elements.len());
        types.push(of);
        choices.push(elements);
    }
    args.check_size(total.saturating_mul(types.len() + 1))?;
    let mut combinations: Vec<Vec<Value>> = if total == 0 { Vec::new() } else { vec![Vec::new()] };
    if total > 0 {
        for elements in &choices {
            let extended =
                |it: Vec<Value>| elements.iter().map(move |last| it.iter().chain([last]).cloned().collect());
            combinations = combinations.into_iter().flat_map(extended).collect();
        }
    }
    let of = Type::tuple(types);
    let all = combinations.into_iter().map(Value::Tuple);
    Ok(if ordered {
        Typed::new(Type::list(of), Value::List(all.collect()))
    } else {
        Typed::new(Type::set(of), Value::set(all))
    })
}
