//! Functions of collections and numbers, for conditions.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::functions::{Made, argument, null, present, unfit, wrong};
use crate::convert::{Mode, convert};
use crate::{Number, Type, Typed, Value, unify};

/// How many arguments the function takes; none where there is no such function here.
pub(super) fn arity(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "alltrue" | "anytrue" | "distinct" | "one" | "reverse" | "sort" | "compact" | "sum" | "abs"
        | "ceil" | "floor" => (1, 1),
        "contains" | "setsubtract" => (2, 2),
        "setintersection" | "max" | "min" => (1, usize::MAX),
        _ => return None,
    })
}

pub(super) fn apply(name: &str, args: Vec<Typed>) -> Made {
    let mut given = args.into_iter();
    match name {
        "contains" => contains(&mut given),
        "alltrue" => Ok(bool(bools(&mut given)?.iter().all(|it| *it == Value::Bool(true)))),
        "anytrue" => Ok(bool(bools(&mut given)?.contains(&Value::Bool(true)))),
        "distinct" => list(&mut given, Type::Dynamic, |it| {
            let mut seen = HashSet::new();
            it.retain(|it| seen.insert(it.clone()));
        }),
        "sort" => {
            let it = argument(&mut given, 0, &Type::list(Type::String))?;
            whole(&it)?;
            list(&mut std::iter::once(it), Type::String, |it| {
                it.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            })
        }
        "compact" => list(&mut given, Type::String, |it| {
            it.retain(|it| !matches!(it.as_str(), None | Some("")));
        }),
        "reverse" => reverse(&mut given),
        "one" => one(&mut given),
        "sum" => sum(&mut given),
        "setintersection" => sets(given, |all, it| all.retain(|a| it.contains(a))),
        "setsubtract" => sets(given, |all, it| all.retain(|a| !it.contains(a))),
        "max" => extreme(given, Ordering::Greater),
        "min" => extreme(given, Ordering::Less),
        "abs" => number(&mut given, |it| Ok(if it.is_negative() { it.negate() } else { it })),
        "floor" => number(&mut given, floor),
        _ => number(&mut given, |it| Ok(floor(it.negate())?.negate())),
    }
}

fn bool(it: bool) -> Typed {
    Typed::new(Type::Bool, Value::Bool(it))
}

fn contains(given: &mut impl Iterator<Item = Typed>) -> Made {
    let elements = present(given, 0)?.into_elements().map_err(|_| unfit(0, "a list, set or tuple"))?;
    let wanted = present(given, 1)?;
    Ok(bool(elements.contains(&wanted)))
}

fn bools(given: &mut impl Iterator<Item = Typed>) -> Result<Vec<Value>, (Option<usize>, String)> {
    match argument(given, 0, &Type::list(Type::Bool))?.value {
        Value::List(it) => Ok(it),
        _ => Err(null(0)),
    }
}

/// A list of the elements, changed.
fn list(given: &mut impl Iterator<Item = Typed>, of: Type, change: impl FnOnce(&mut Vec<Value>)) -> Made {
    let it = argument(given, 0, &Type::list(of))?;
    match it.value {
        Value::List(mut elements) => {
            change(&mut elements);
            Ok(Typed::new(it.ty, Value::List(elements)))
        }
        _ => Err(null(0)),
    }
}

/// Refuses a list that has a null in it.
fn whole(it: &Typed) -> Result<(), (Option<usize>, String)> {
    match &it.value {
        Value::List(elements) if elements.contains(&Value::Null) => {
            Err((Some(0), "an element is null".into()))
        }
        _ => Ok(()),
    }
}

fn reverse(given: &mut impl Iterator<Item = Typed>) -> Made {
    let it = present(given, 0)?;
    let ty = it.ty.clone();
    let mut elements = it.into_elements().map_err(|_| unfit(0, "a list, set or tuple"))?;
    elements.reverse();
    match ty {
        Type::List(of) | Type::Set(of) => {
            let values = elements.into_iter().map(|it| it.value).collect();
            Ok(Typed::new(Type::List(of), Value::List(values)))
        }
        _ => Ok(Typed::tuple(elements)),
    }
}

fn one(given: &mut impl Iterator<Item = Typed>) -> Made {
    let it = present(given, 0)?;
    let of = it.ty.element().cloned().unwrap_or(Type::Dynamic);
    let mut elements = it.into_elements().map_err(|_| unfit(0, "a list, set or tuple"))?;
    match elements.len() {
        0 => Ok(Typed::new(of, Value::Null)),
        1 => Ok(elements.remove(0)),
        _ => Err((Some(0), "there is more than one element".into())),
    }
}

fn sum(given: &mut impl Iterator<Item = Typed>) -> Made {
    let elements = present(given, 0)?.into_elements().map_err(|_| unfit(0, "a list, set or tuple"))?;
    let mut total: Option<Number> = None;
    for it in elements {
        let it = match convert(it.value, &it.ty, &Type::Number).map_err(wrong(0))?.value {
            Value::Number(it) => it,
            _ => return Err((Some(0), "an element is null".into())),
        };
        total = Some(match total {
            None => it,
            Some(total) => total.add(&it).map_err(wrong(0))?,
        });
    }
    let total = total.ok_or_else(|| (Some(0), "there is nothing to add".into()))?;
    Ok(Typed::new(Type::Number, Value::Number(total)))
}

fn sets(given: impl Iterator<Item = Typed>, keep: impl Fn(&mut Vec<Value>, &crate::Set)) -> Made {
    let mut sets = Vec::new();
    for (i, it) in given.enumerate() {
        sets.push(convert(it.value, &it.ty, &Type::set(Type::Dynamic)).map_err(wrong(i))?);
    }
    let types: Vec<Type> = sets.iter().map(|it| it.ty.clone()).collect();
    let ty = unify(&types, Mode::Unsafe).ok_or_else(|| unfit(0, "a set of the same type as the others"))?.ty;
    let mut all: Option<Vec<Value>> = None;
    for (i, it) in sets.into_iter().enumerate() {
        let Value::Set(it) = convert(it.value, &it.ty, &ty).map_err(wrong(i))?.value else {
            return Err(null(i));
        };
        match &mut all {
            None => all = Some(it.into_iter().collect()),
            Some(all) => keep(all, &it),
        }
    }
    Ok(Typed::new(ty, Value::set(all.unwrap_or_default())))
}

fn extreme(given: impl Iterator<Item = Typed>, wanted: Ordering) -> Made {
    let mut best: Option<Number> = None;
    for (i, it) in given.enumerate() {
        let Value::Number(it) = argument(&mut std::iter::once(it), i, &Type::Number)?.value else {
            return Err(null(i));
        };
        if best.as_ref().is_none_or(|best| it.compare(best) == wanted) {
            best = Some(it);
        }
    }
    let best = best.ok_or_else(|| null(0))?;
    Ok(Typed::new(Type::Number, Value::Number(best)))
}

fn number(
    given: &mut impl Iterator<Item = Typed>,
    change: impl FnOnce(Number) -> Result<Number, (Option<usize>, String)>,
) -> Made {
    match argument(given, 0, &Type::Number)?.value {
        Value::Number(it) => Ok(Typed::new(Type::Number, Value::Number(change(it)?))),
        _ => Err(null(0)),
    }
}

fn floor(it: Number) -> Result<Number, (Option<usize>, String)> {
    if it.is_infinite() || it.is_integer() {
        return Ok(it);
    }
    let one = Number::from(1);
    let rest = it.remainder(&one).map_err(wrong(0))?;
    let down = it.subtract(&rest).map_err(wrong(0))?;
    if rest.is_negative() { down.subtract(&one).map_err(wrong(0)) } else { Ok(down) }
}
