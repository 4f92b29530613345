//! The functions that have to do with types and values, as the console has them.

use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

use super::collections;
use super::diagnostic::Mistake;

use super::eval::Scope;
use super::parse::Range;
use super::texts;
use super::tree::{Call, Expr};
use crate::convert::{Mode, convert};
use crate::{Error, Type, Typed, Value, json, unify};

/// What is wrong with a call; with one of its arguments, where there is a position.
pub(super) type Made = Result<Typed, (Option<usize>, String)>;

pub(super) fn call<'a>(scope: &mut Scope<'a>, call: &Call<'a>, at: &Range) -> Result<Typed, Mistake> {
    // These two look at what went wrong with their arguments, which other functions never see.
    match (call.name, &*call.args) {
        ("try", args @ [_, ..]) => return first_that_works(scope, args),
        ("can", [it]) => {
            let works = scope.eval(it).is_ok();
            return Ok(Typed::new(Type::Bool, Value::Bool(works)));
        }
        _ => {}
    }
    let mut args = Vec::new();
    for it in &call.args {
        args.push(scope.eval(it)?);
    }
    if call.expand {
        let last = args.pop().map(Typed::into_elements);
        args.extend(last.into_iter().flatten().flatten());
    }
    let spans: Vec<Range> = call.args.iter().map(|it| it.at.clone()).collect();
    let Some((least, most)) = arity(call.name) else {
        let why = format!("There is no function {:?} here.", call.name);
        return Err(Mistake::new("Call to unknown function", call.name_at(at), why));
    };
    if args.len() < least || args.len() > most {
        let summary =
            if args.len() < least { "Not enough function arguments" } else { "Too many function arguments" };
        let why = format!("{} arguments are the wrong number for {:?}.", args.len(), call.name);
        return Err(Mistake::new(summary, call.args_at(at), why));
    }
    let made = if texts::arity(call.name).is_some() {
        texts::apply(call.name, args).unwrap_or_else(|| {
            scope.decline();
            Err((None, "this use of it is not understood".into()))
        })
    } else if collections::arity(call.name).is_some() {
        collections::apply(call.name, args)
    } else {
        apply(call.name, args)
    };
    made.map_err(|(argument, why)| {
        let why = format!("The function {:?} cannot be applied: {why}.", call.name);
        match argument.and_then(|i| spans.get(i).or(spans.last())) {
            Some(at) => Mistake::new("Invalid function argument", at.clone(), why),
            None => Mistake::new("Error in function call", at.clone(), why),
        }
    })
}

/// True for a function that can be called here.
pub(crate) fn is_function(name: &str) -> bool {
    arity(name).is_some()
}

/// How many arguments the function takes, at least and at most; none where there is no such function.
fn arity(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "tostring" | "tonumber" | "tobool" | "tolist" | "toset" | "tomap" | "upper" | "lower" | "length"
        | "keys" | "values" | "flatten" | "jsonencode" | "jsondecode" | "can" => (1, 1),
        "lookup" => (2, 3),
        "concat" | "setunion" | "coalesce" | "try" => (1, usize::MAX),
        "merge" => (0, usize::MAX),
        _ => return collections::arity(name).or_else(|| texts::arity(name)),
    })
}

fn first_that_works<'a>(scope: &mut Scope<'a>, args: &[Expr<'a>]) -> Result<Typed, Mistake> {
    let mut outcome = None;
    for it in args {
        let made = scope.eval(it);
        if made.is_ok() {
            return made;
        }
        outcome.get_or_insert(made);
    }
    outcome.unwrap_or_else(|| Ok(Typed::new(Type::Dynamic, Value::Null)))
}

fn apply(name: &str, args: Vec<Typed>) -> Made {
    let mut given = args.into_iter();
    match name {
        "tostring" => argument(&mut given, 0, &Type::String),
        "tonumber" => argument(&mut given, 0, &Type::Number),
        "tobool" => argument(&mut given, 0, &Type::Bool),
        "tolist" => argument(&mut given, 0, &Type::list(Type::Dynamic)),
        "toset" => argument(&mut given, 0, &Type::set(Type::Dynamic)),
        "tomap" => argument(&mut given, 0, &Type::map(Type::Dynamic)),
        "upper" => text(&mut given, |it| it.chars().map(upper).collect()),
        "lower" => text(&mut given, |it| it.chars().map(lower).collect()),
        "length" => length(&mut given),
        "keys" => entries(&mut given, true),
        "values" => entries(&mut given, false),
        "concat" => concat(given),
        "flatten" => flatten(&mut given),
        "merge" => merge(given),
        "lookup" => lookup(&mut given),
        "setunion" => set_union(given),
        "coalesce" => coalesce(given.collect()),
        "jsonencode" => json_text(&mut given),
        _ => json_value(&mut given),
    }
}

pub(super) fn wrong(i: usize) -> impl Fn(Error) -> (Option<usize>, String) {
    move |e| (Some(i), e.to_string())
}

pub(super) fn null(i: usize) -> (Option<usize>, String) {
    (Some(i), "the argument must not be null".into())
}

pub(super) fn unfit(i: usize, wanted: &str) -> (Option<usize>, String) {
    (Some(i), format!("{wanted} is required"))
}

/// The next argument, converted.
pub(super) fn argument(given: &mut impl Iterator<Item = Typed>, i: usize, ty: &Type) -> Made {
    let it = given.next().ok_or_else(|| null(i))?;
    convert(it.value, &it.ty, ty).map_err(wrong(i))
}

/// The next argument, which must not be null.
pub(super) fn present(given: &mut impl Iterator<Item = Typed>, i: usize) -> Made {
    given.next().filter(|it| it.value != Value::Null).ok_or_else(|| null(i))
}

pub(super) fn string(
    given: &mut impl Iterator<Item = Typed>,
    i: usize,
) -> Result<Arc<str>, (Option<usize>, String)> {
    match argument(given, i, &Type::String)?.value {
        Value::String(it) => Ok(it),
        _ => Err(null(i)),
    }
}

fn text(given: &mut impl Iterator<Item = Typed>, change: impl Fn(&str) -> String) -> Made {
    let it = string(given, 0)?;
    Ok(Typed::new(Type::String, Value::string(change(&it))))
}

/// One letter for one letter, as the program has it: there are letters whose capitals are two.
fn upper(it: char) -> char {
    let mut upper = it.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        // Small letters with an iota below have capitals with one beside, of which there are single characters.
        _ => match it {
            '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
                char::from_u32(u32::from(it) + 8).unwrap_or(it)
            }
            '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(u32::from(it) + 9).unwrap_or(it),
            it => it,
        },
    }
}

fn lower(it: char) -> char {
    // Of the capital I with a dot only the first character is left; every other letter has one.
    it.to_lowercase().next().unwrap_or(it)
}

fn length(given: &mut impl Iterator<Item = Typed>) -> Made {
    let count = match present(given, 0)?.value {
        Value::String(it) => it.graphemes(true).count(),
        Value::List(it) | Value::Tuple(it) => it.len(),
        Value::Set(it) => it.len(),
        Value::Map(it) => it.len(),
        Value::Object(it) => it.len(),
        _ => return Err(unfit(0, "a string or a collection")),
    };
    Ok(Typed::new(Type::Number, Value::Number(count.into())))
}

fn entries(given: &mut impl Iterator<Item = Typed>, keys: bool) -> Made {
    let it = present(given, 0)?;
    let ty = it.ty.clone();
    let it = it.into_entries().map_err(|_| unfit(0, "a map or an object"))?;
    let name = |it| Typed::new(Type::String, Value::String(it));
    let it = Typed::tuple(it.into_iter().map(|(key, it)| if keys { name(key) } else { it }));
    match ty {
        Type::Map(_) if keys => convert(it.value, &it.ty, &Type::list(Type::String)).map_err(wrong(0)),
        Type::Map(ty) => convert(it.value, &it.ty, &Type::List(ty)).map_err(wrong(0)),
        _ => Ok(it),
    }
}

fn concat(given: impl Iterator<Item = Typed>) -> Made {
    let mut types = Vec::new();
    let mut all = Vec::new();
    for (i, it) in given.enumerate() {
        types.push(it.ty.clone());
        all.extend(it.into_elements().map_err(|_| unfit(i, "a list or a tuple"))?);
    }
    let it = Typed::tuple(all);
    if types.iter().all(|it| matches!(it, Type::List(_)))
        && let Some(common) = unify(&types, Mode::Unsafe)
    {
        return convert(it.value, &it.ty, &common.ty).map_err(wrong(0));
    }
    Ok(it)
}

fn flatten(given: &mut impl Iterator<Item = Typed>) -> Made {
    fn flat(it: Typed, out: &mut Vec<Typed>) {
        match it.into_elements() {
            Ok(it) => it.into_iter().for_each(|it| flat(it, out)),
            Err(it) => out.push(it),
        }
    }
    let it = present(given, 0)?;
    let mut out = Vec::new();
    for it in it.into_elements().map_err(|_| unfit(0, "a list, set or tuple"))? {
        flat(it, &mut out);
    }
    Ok(Typed::tuple(out))
}

fn merge(given: impl Iterator<Item = Typed>) -> Made {
    let mut merged: BTreeMap<Arc<str>, Typed> = BTreeMap::new();
    let mut types = Vec::new();
    for (i, it) in given.enumerate() {
        types.push(it.ty.clone());
        if it.value != Value::Null {
            merged.extend(it.into_entries().map_err(|_| unfit(i, "a map or an object"))?);
        }
    }
    let it = Typed::object(merged);
    match types.first() {
        Some(ty @ Type::Map(_)) if types.iter().all(|it| it == ty) => {
            convert(it.value, &it.ty, ty).map_err(wrong(0))
        }
        _ => Ok(it),
    }
}

fn lookup(given: &mut impl Iterator<Item = Typed>) -> Made {
    let of = present(given, 0)?;
    let key = string(given, 1)?;
    let element = if let Type::Map(it) = &of.ty { Some(it.clone()) } else { None };
    let mut entries = of.into_entries().map_err(|_| unfit(0, "a map or an object"))?;
    let found = entries.iter().position(|(name, _)| *name == key);
    match (found, given.next(), element) {
        (Some(at), _, _) => Ok(entries.swap_remove(at).1),
        (None, Some(default), Some(ty)) => convert(default.value, &default.ty, &ty).map_err(wrong(2)),
        (None, Some(default), None) => Ok(default),
        (None, None, _) => Err((None, format!("there is no element {key:?}, and no default is given"))),
    }
}

fn set_union(given: impl Iterator<Item = Typed>) -> Made {
    let mut sets = Vec::new();
    for (i, it) in given.enumerate() {
        sets.push(convert(it.value, &it.ty, &Type::set(Type::Dynamic)).map_err(wrong(i))?);
    }
    let types: Vec<Type> = sets.iter().map(|it| it.ty.clone()).collect();
    let ty = unify(&types, Mode::Unsafe).ok_or_else(|| unfit(0, "a set of the same type as the others"))?.ty;
    let mut all = Vec::new();
    for (i, it) in sets.into_iter().enumerate() {
        match convert(it.value, &it.ty, &ty).map_err(wrong(i))?.value {
            Value::Set(it) => all.extend(it),
            _ => return Err(null(i)),
        }
    }
    Ok(Typed::new(ty, Value::set(all)))
}

/// The first argument that is neither null nor an empty text.
fn coalesce(given: Vec<Typed>) -> Made {
    let types: Vec<Type> = given.iter().map(|it| it.ty.clone()).filter(|it| *it != Type::Dynamic).collect();
    let ty = match &*types {
        [] => Type::Dynamic,
        types => unify(types, Mode::Unsafe).ok_or_else(|| unfit(0, "the type of the other arguments"))?.ty,
    };
    for (i, it) in given.into_iter().enumerate() {
        let it = convert(it.value, &it.ty, &ty).map_err(wrong(i))?;
        if it.value != Value::Null && it.value != Value::string("") {
            return Ok(it);
        }
    }
    Err((None, "no argument is there that is neither null nor empty".into()))
}

fn json_text(given: &mut impl Iterator<Item = Typed>) -> Made {
    let it = given.next().ok_or_else(|| null(0))?;
    let text = json::encode_simple(&it.value).map_err(wrong(0))?;
    Ok(Typed::new(Type::String, Value::string(String::from_utf8_lossy(&text))))
}

fn json_value(given: &mut impl Iterator<Item = Typed>) -> Made {
    let text = string(given, 0)?;
    let it = json::decode_simple(text.as_bytes()).map_err(wrong(0))?;
    Typed::resolve(it, &Type::Dynamic).map_err(wrong(0))
}
