//! Function calls. The arguments are evaluated before the call, except those of `try` and `can`.
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

use super::scope::{Outcome, Scope, value_size};
use crate::diagnostic::{Range, Reason, SourceError};
use crate::functions::{self, Args, CallError, MANY};
use crate::syntax::{Call, Expr};

impl<'a> Scope<'a> {
    #[inline(never)]
    pub(crate) fn call(&mut self, call: &Call<'a>, at: &Range) -> Outcome<Typed> {
        if self.functions {
            // In Terraform, the result of a call with an error has any type.
            return apply(self, call, at)
                .map_err(|e| if e.is_undetermined() { e } else { e.with_type(Type::Dynamic) });
        }
        let detail =
            format!("Only constant values are allowed here; the function {:?} cannot be called.", call.name);
        Err(SourceError::new("Function calls not allowed", at.clone(), detail))
    }
}

fn apply<'a>(scope: &mut Scope<'a>, call: &Call<'a>, at: &Range) -> Outcome<Typed> {
    let name = functions::plain_name(call.name);
    match (name, &*call.args) {
        _ if call.expand => {}
        ("try", args @ [_, ..]) => return first_success(scope, args),
        ("can", [it]) => {
            return match scope.eval(it) {
                Err(e) if e.is_undetermined() => Err(e.with_type(Type::Bool)),
                result => Ok(Typed::new(Type::Bool, Value::Bool(result.is_ok()))),
            };
        }
        _ => {}
    }
    let found = functions::find(name);
    let arity = match (found, name) {
        (Some((_, arity, _)), _) => arity.clone(),
        (None, "can") => 1..=1,
        (None, "try") => 1..=MANY,
        _ => {
            let detail = format!("The function {:?} is not available here.", call.name);
            let (name_at, summary) = (call.name_at(at), "Call to unknown function");
            if scope.variables.is_none() {
                return Err(SourceError::new(summary, name_at, detail));
            }
            // The errors of the arguments are certain. The second argument of `convert` is a type.
            let count = if name == "convert" { 1 } else { call.args.len() };
            for it in call.args.iter().take(count) {
                scope.eval(it).map_err(without_type)?;
            }
            let reason = Reason::Function(call.name.to_owned());
            return Err(SourceError::undetermined(summary, name_at, detail, reason));
        }
    };
    let mut args = Vec::new();
    for it in &call.args {
        args.push(scope.eval(it).map_err(without_type)?);
    }
    if call.expand
        && let Some(last) = args.pop()
    {
        let at = call.args.last().map_or(at, |it| &it.at);
        args.extend(last.into_elements().map_err(|_| {
            let detail = "The expanding argument must be a list, a set or a tuple.";
            SourceError::new("Invalid expanding argument value", at.clone(), detail)
        })?);
    }
    if !arity.contains(&args.len()) {
        let too_few = args.len() < *arity.start();
        let summary = if too_few { "Not enough function arguments" } else { "Too many function arguments" };
        let detail = format!("The function {:?} does not accept {} arguments.", call.name, args.len());
        return Err(SourceError::new(summary, call.args_at(at), detail));
    }
    let result = match found {
        Some((.., function)) => {
            let (remaining, patterns) = scope.resources();
            function(&mut Args::new(args, remaining, patterns))
        }
        // `try` and `can` cannot handle the errors of expanded arguments, which are already evaluated.
        None => Err(CallError::Undetermined),
    };
    let (argument, detail) = match result {
        Ok(it) => {
            scope.spend(value_size(&it.value), at)?;
            return Ok(it);
        }
        Err(CallError::Argument(i, detail)) => (Some(i), detail),
        Err(CallError::Call(detail)) => (None, detail),
        Err(CallError::Undetermined) => {
            let detail = format!(
                "Call of function {:?} failed: the result of this call cannot be determined here.",
                call.name
            );
            let summary = "Error in function call";
            return Err(SourceError::undetermined(summary, at.clone(), detail, Reason::Uncertain));
        }
    };
    let detail = format!("Call of function {:?} failed: {detail}.", call.name);
    Err(match argument.and_then(|i| call.args.get(i).or(call.args.last())) {
        Some(it) => SourceError::new("Invalid function argument", it.at.clone(), detail),
        None => SourceError::new("Error in function call", at.clone(), detail),
    })
}

/// Removes the type of an undetermined argument, because the type of the call depends on its value.
fn without_type(e: SourceError) -> SourceError {
    if e.is_undetermined() { e.with_type(None) } else { e }
}

/// `try`: returns the first value without an error. If every argument has an error, returns the first error.
fn first_success<'a>(scope: &mut Scope<'a>, args: &[Expr<'a>]) -> Outcome<Typed> {
    let mut first_error = None;
    for it in args {
        let result = scope.eval(it);
        match &result {
            Ok(_) => return result,
            // Terraform may return the value of this argument.
            Err(e) if e.is_undetermined() => return result.map_err(without_type),
            Err(_) => {}
        }
        first_error.get_or_insert(result);
    }
    first_error.unwrap_or_else(|| Ok(Typed::new(Type::Dynamic, Value::Null)))
}
