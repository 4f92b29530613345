//! Function calls. The arguments are evaluated first, except those of `try` and `can`.
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |text| expression::evaluate(text).map(|value| console::show(&value));
//! assert_eq!(show("max([1, 3, 2]...)")?, "3");
//! assert_eq!(show("try(tonumber(\"x\"), 0)")?, "0");
//! assert_eq!(show("can(tonumber(\"x\"))")?, "false");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use ferroform_value::{Type, Typed, Value};

use super::scope::{Outcome, Scope, weight};
use crate::diagnostic::{Mistake, Range};
use crate::functions::{self, Args, MANY, Refusal};
use crate::syntax::{Call, Expr};

impl<'a> Scope<'a> {
    #[inline(never)]
    pub(crate) fn call(&mut self, call: &Call<'a>, at: &Range) -> Outcome<Typed> {
        if self.functions {
            return apply(self, call, at);
        }
        let why =
            format!("Only constant values are allowed here; the function {:?} cannot be called.", call.name);
        Err(Mistake::new("Function calls not allowed", at.clone(), why))
    }
}

fn apply<'a>(scope: &mut Scope<'a>, call: &Call<'a>, at: &Range) -> Outcome<Typed> {
    let name = functions::plain_name(call.name);
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
            let why = "The expanding argument must be a list, a set or a tuple.";
            Mistake::new("Invalid expanding argument value", at.clone(), why)
        })?);
    }
    let found = functions::find(name);
    let arity = match (found, name) {
        (Some((_, arity, _)), _) => arity.clone(),
        (None, "can") => 1..=1,
        (None, "try") => 1..=MANY,
        _ => {
            let why = format!("The function {:?} is not available here.", call.name);
            return Err(Mistake::new("Call to unknown function", call.name_at(at), why));
        }
    };
    if !arity.contains(&args.len()) {
        let few = args.len() < *arity.start();
        let summary = if few { "Not enough function arguments" } else { "Too many function arguments" };
        let why = format!("The function {:?} does not accept {} arguments.", call.name, args.len());
        return Err(Mistake::new(summary, call.args_at(at), why));
    }
    let made = match found {
        Some((.., function)) => {
            let (left, patterns) = scope.resources();
            function(&mut Args::new(args, left, patterns))
        }
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
            (None, "the result of this call cannot be determined here".to_owned())
        }
    };
    let why = format!("Call of function {:?} failed: {why}.", call.name);
    Err(match argument.and_then(|i| call.args.get(i).or(call.args.last())) {
        Some(it) => Mistake::new("Invalid function argument", it.at.clone(), why),
        None => Mistake::new("Error in function call", at.clone(), why),
    })
}

fn first_that_works<'a>(scope: &mut Scope<'a>, args: &[Expr<'a>]) -> Outcome<Typed> {
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
