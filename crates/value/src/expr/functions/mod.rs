//! The functions of the language, as far as they need nothing but their arguments.

mod args;
mod collections;
mod encodings;
mod format;
mod lists;
mod network;
mod numbers;
#[cfg(feature = "regex")]
mod pattern;
#[cfg(feature = "regex")]
mod patterns;
mod sets;
mod texts;
mod times;
mod types;

use std::ops::RangeInclusive;

pub(super) use self::args::Patterns;
use self::args::{Args, Made, Refusal};
use super::diagnostic::Mistake;
use super::eval::{Scope, weight};
use super::parse::Range;
use super::tree::{Call, Expr};
use crate::{Type, Typed, Value};

/// A name, how many arguments it takes, and what becomes of them.
type Function = (&'static str, RangeInclusive<usize>, fn(&mut Args<'_>) -> Made);

const MANY: usize = usize::MAX;

const TABLES: &[&[Function]] = &[
    types::ALL,
    collections::ALL,
    lists::ALL,
    sets::ALL,
    texts::ALL,
    format::ALL,
    numbers::ALL,
    network::ALL,
    times::ALL,
    encodings::ALL,
    #[cfg(feature = "regex")]
    patterns::ALL,
];

/// These look at what went wrong with their arguments, which other functions never see.
const SPECIAL: [&str; 2] = ["can", "try"];

/// The names of the functions that [`evaluate`](super::evaluate) has.
pub fn functions() -> impl Iterator<Item = &'static str> {
    SPECIAL.into_iter().chain(TABLES.iter().copied().flatten().map(|it| it.0))
}

/// The name without that of the space in which all of these are.
fn plain(name: &str) -> &str {
    name.strip_prefix("core::").unwrap_or(name)
}

/// True for a function that can be called here.
pub(crate) fn is_function(name: &str) -> bool {
    let name = plain(name);
    functions().any(|it| it == name)
}

pub(super) fn call<'a>(scope: &mut Scope<'a>, call: &Call<'a>, at: &Range) -> Result<Typed, Mistake> {
    let name = plain(call.name);
    match (name, &*call.args) {
        _ if call.expand => {}
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
    if call.expand
        && let Some(last) = args.pop()
    {
        let at = call.args.last().map_or(at, |it| &it.at);
        args.extend(last.into_elements().map_err(|_| {
            let why = "Only a list, a set or a tuple can be expanded to arguments.";
            Mistake::new("Invalid expanding argument value", at.clone(), why)
        })?);
    }
    let found = TABLES.iter().copied().flatten().find(|it| it.0 == name);
    let arity = match (found, name) {
        (Some((_, arity, _)), _) => arity.clone(),
        (None, "can") => 1..=1,
        (None, "try") => 1..=MANY,
        _ => {
            let why = format!("There is no function {:?} here.", call.name);
            return Err(Mistake::new("Call to unknown function", call.name_at(at), why));
        }
    };
    if !arity.contains(&args.len()) {
        let few = args.len() < *arity.start();
        let summary = if few { "Not enough function arguments" } else { "Too many function arguments" };
        let why = format!("{} arguments are the wrong number for {:?}.", args.len(), call.name);
        return Err(Mistake::new(summary, call.args_at(at), why));
    }
    let made = match found {
        Some((.., apply)) => apply(&mut Args::new(args, scope)),
        // One of the special ones, whose arguments were expanded, and so computed already.
        None => Err(Refusal::Unsure),
    };
    let (argument, why) = match made {
        Ok(it) => {
            scope.spend(weight(&it.value), at)?;
            return Ok(it);
        }
        Err(Refusal::Argument(i, why)) => (Some(i), why),
        Err(Refusal::Call(why)) => (None, why),
        Err(Refusal::Unsure) => {
            scope.decline();
            (None, "this use of it is not understood".to_owned())
        }
    };
    let why = format!("The function {:?} cannot be applied: {why}.", call.name);
    Err(match argument.and_then(|i| call.args.get(i).or(call.args.last())) {
        Some(it) => Mistake::new("Invalid function argument", it.at.clone(), why),
        None => Mistake::new("Error in function call", at.clone(), why),
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
