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

use super::environment::Environment;
use super::evaluation_context::FailedCall;
use super::scope::{Outcome, Scope, value_size};
use crate::diagnostic::{Range, Reason, SourceError};
use crate::functions::{self, CallError, MANY};
use crate::marks::Marked;
use crate::syntax::{Call, Expr};

impl<'a> Scope<'a> {
    #[inline(never)]
    pub(crate) fn call(&mut self, call: &Call<'a>, at: &Range) -> Outcome<Marked> {
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

fn apply<'a>(scope: &mut Scope<'a>, call: &Call<'a>, at: &Range) -> Outcome<Marked> {
    let name = functions::plain_name(call.name);
    match (name, &*call.args) {
        _ if call.expand => {}
        ("try", args @ [_, ..]) => return first_success(scope, args),
        ("can", [it]) => return can(scope, it),
        _ => {}
    }
    let found = functions::find(name, scope.has_marks());
    let is_special = functions::SPECIAL.contains(&name);
    let arity = match (found, name) {
        (Some((_, arity, ..)), _) => arity.clone(),
        (None, "can") => 1..=1,
        (None, "try") => 1..=MANY,
        _ => functions::unsupported_arity(name).unwrap_or(0..=MANY),
    };
    let check_arity = |count: usize| {
        if arity.contains(&count) {
            return Ok(());
        }
        let too_few = count < *arity.start();
        let summary = if too_few { "Not enough function arguments" } else { "Too many function arguments" };
        let detail = format!("The function {:?} does not accept {count} arguments.", call.name);
        Err(SourceError::new(summary, call.args_at(at), detail))
    };
    if !call.expand {
        check_arity(call.args.len())?;
    }
    if found.is_none() && !is_special {
        return other_function(scope, call, at);
    }
    let Some(args) = arguments(scope, call)? else {
        return Ok(Marked::unknown(Type::Dynamic));
    };
    check_arity(args.len())?;
    let result = match found {
        Some(function) => {
            let (remaining, patterns) = scope.resources();
            functions::invoke(function, args, remaining, patterns)
        }
        // `try` and `can` cannot handle the errors of expanded arguments, which are already evaluated.
        None => Err(CallError::Undetermined),
    };
    result_of(scope, call, at, result)
}

/// Evaluates the arguments of a call; `None` if the expanded argument is unknown.
fn arguments<'a>(scope: &mut Scope<'a>, call: &Call<'a>) -> Outcome<Option<Vec<Marked>>> {
    let mut args = Vec::new();
    for it in &call.args {
        args.push(scope.eval(it).map_err(without_type)?);
    }
    if call.expand
        && let (Some(last), Some(it)) = (args.pop(), call.args.last())
    {
        let invalid = || {
            let detail = "The expanding argument must be a list, a set or a tuple.";
            SourceError::new("Invalid expanding argument value", it.at.clone(), detail)
        };
        let is_sequence = matches!(last.typed.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if last.typed.value.is_unknown() && (is_sequence || last.typed.ty == Type::Dynamic) {
            return Ok(None);
        }
        let (elements, marks) = last.into_elements().map_err(|_| invalid())?;
        args.extend(elements.into_iter().map(|it| it.with(marks.clone())));
    }
    Ok(Some(args))
}

/// Calls a function that this crate does not implement.
fn other_function<'a>(scope: &mut Scope<'a>, call: &Call<'a>, at: &Range) -> Outcome<Marked> {
    let detail = format!("The function {:?} is not available here.", call.name);
    let (name_at, summary) = (call.name_at(at), "Call to unknown function");
    match scope.environment {
        Environment::Constant => Err(SourceError::new(summary, name_at, detail)),
        Environment::Variables(_) => {
            // The errors of the arguments are certain. The second argument of `convert` is a type.
            let is_convert = functions::plain_name(call.name) == "convert";
            let count = if is_convert { 1 } else { call.args.len() };
            for it in call.args.iter().take(count) {
                scope.eval(it).map_err(without_type)?;
            }
            let reason = Reason::Function(call.name.to_owned());
            Err(SourceError::undetermined(summary, name_at, detail, reason))
        }
        Environment::Context(context) => {
            let Some(args) = arguments(scope, call)? else {
                return Ok(Marked::unknown(Type::Dynamic));
            };
            let is_provided = call.name.starts_with("provider::");
            let summary = if is_provided { "Unknown provider function" } else { summary };
            let result = context.call(call.name, &args);
            let result = result.ok_or_else(|| SourceError::new(summary, name_at, detail))?;
            let result = match result.map(Marked::resolved) {
                Err(FailedCall { summary: Some(summary), detail, .. }) => {
                    return Err(SourceError::new(summary, call.args_at(at), detail));
                }
                Err(FailedCall { argument: Some(i), detail, .. }) => Err(CallError::Argument(i, detail)),
                Err(FailedCall { detail, .. }) => Err(CallError::Call(detail)),
                Ok(it) => Ok(it),
            };
            result_of(scope, call, at, result)
        }
    }
}

/// Returns the result of a call, or its error with its position.
fn result_of<'a>(
    scope: &mut Scope<'a>,
    call: &Call<'a>,
    at: &Range,
    result: Result<Marked, CallError>,
) -> Outcome<Marked> {
    let (argument, detail) = match result {
        Ok(it) => {
            scope.spend(value_size(&it.typed.value), at)?;
            return Ok(it);
        }
        Err(CallError::Unknown(it)) if scope.has_unknown() => return Ok(Marked::from(*it)),
        Err(CallError::Argument(i, detail)) => (Some(i), detail),
        Err(CallError::Call(detail)) => (None, detail),
        Err(CallError::Undetermined | CallError::Unknown(_)) => {
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
fn first_success<'a>(scope: &mut Scope<'a>, args: &[Expr<'a>]) -> Outcome<Marked> {
    let mut first_error = None;
    for it in args {
        let result = scope.eval(it);
        match &result {
            // The value can have an error when it becomes known, so that the result is that of another argument.
            Ok(it) if !it.typed.value.is_wholly_known() => return Ok(Marked::unknown(Type::Dynamic)),
            Ok(_) => return result,
            // Terraform may return the value of this argument.
            Err(e) if e.is_undetermined() => return result.map_err(without_type),
            Err(_) => {}
        }
        first_error.get_or_insert(result);
    }
    first_error.unwrap_or_else(|| Ok(Typed::new(Type::Dynamic, Value::Null).into()))
}

/// `can`: returns true if the argument has no error.
fn can<'a>(scope: &mut Scope<'a>, it: &Expr<'a>) -> Outcome<Marked> {
    match scope.eval(it) {
        Err(e) if e.is_undetermined() => Err(e.with_type(Type::Bool)),
        Ok(it) if !it.typed.value.is_wholly_known() => Ok(Marked::unknown(Type::Bool)),
        result => Ok(Typed::new(Type::Bool, Value::Bool(result.is_ok())).into()),
    }
}
