//! Type conversion functions, and functions that select a value.
//!
//! | function | result |
//! | --- | --- |
//! | `tostring(value)`, `tonumber`, `tobool`, `tolist`, `toset`, `tomap` | the value, converted |
//! | `coalesce(values…)` | the first value that is neither null nor an empty string |
//! | `nonsensitive(value)` | the value without the sensitive mark |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"tonumber("1.50")"#)?, r#"1.5"#);
//! assert_eq!(show(r#"toset(["b", "a", "b"]) == toset(["a", "b"])"#)?, r#"true"#);
//! assert_eq!(show(r#"coalesce("", "a")"#)?, r#""a""#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use super::arguments::Treatment::{Unchanged, Unmarked};
use super::arguments::{Args, CallError, CallResult, Function, MANY};
use crate::marks::{Mark, Marked};
use crate::unknown::not_null;
use ferroform_value::convert::{Availability, Mode, availability, mismatch};
use ferroform_value::{Type, Value, unify};

pub(crate) const ALL: &[Function] = &[
    ("tostring", 1..=1, Unchanged, |args| converted(args, &Type::String)),
    ("tonumber", 1..=1, Unchanged, |args| converted(args, &Type::Number)),
    ("tobool", 1..=1, Unchanged, |args| converted(args, &Type::Bool)),
    ("tolist", 1..=1, Unchanged, |args| converted(args, &Type::list(Type::Dynamic))),
    ("toset", 1..=1, Unchanged, |args| converted(args, &Type::set(Type::Dynamic))),
    ("tomap", 1..=1, Unchanged, |args| converted(args, &Type::map(Type::Dynamic))),
    ("nonsensitive", 1..=1, Unchanged, |args| {
        let it = args.marked()?;
        Ok(Marked { marks: it.marks.without_root(Mark::Sensitive), ..it })
    }),
    ("coalesce", 1..=MANY, Unmarked, coalesce),
];

/// The functions that Terraform and OpenTofu have only to report their replacements.
pub(crate) const REMOVED: &[Function] = &[
    ("list", 0..=MANY, Unchanged, |_| removed("list", "tolist([ ... ])")),
    ("map", 0..=MANY, Unchanged, |_| removed("map", "tomap({ ... })")),
];

fn removed(name: &str, replacement: &str) -> CallResult {
    let detail =
        format!("the function {name:?} was removed in Terraform 0.12, so write {replacement} instead");
    Err(CallError::Call(detail))
}

/// Converts a value to a type. An unknown value loses its refinements, and the type of its elements.
fn converted(args: &mut Args<'_>, ty: &Type) -> CallResult {
    let it = args.marked()?;
    if !it.typed.value.is_unknown() {
        return it.convert(ty).map_err(|e| args.failed(e));
    }
    match availability(&it.typed.ty, ty) {
        Availability::None => Err(args.failed(mismatch(&it.typed.ty, ty))),
        _ => Ok(Marked::unknown(ty.clone()).with(it.marks)),
    }
}

/// `coalesce`: returns the first argument that is neither null nor an empty string.
fn coalesce(args: &mut Args<'_>) -> CallResult {
    let mut values = Vec::with_capacity(args.remaining());
    while args.remaining() > 0 {
        values.push(args.any()?);
    }
    let types: Vec<Type> = values.iter().map(|it| it.ty.clone()).collect();
    let ty = unify(&types, Mode::Unsafe).ok_or_else(|| args.expected("the type of the other arguments"))?.ty;
    // Terraform also skips an argument that does not convert to the unified type.
    let mut converted = values.into_iter().filter_map(|it| Marked::from(it).convert(&ty).ok());
    let is_empty = |it: &Value| *it == Value::Null || *it == Value::string("");
    match converted.find(|it| !is_empty(&it.typed.value)) {
        Some(it) if it.typed.value.is_unknown() => Ok(not_null(ty).into()),
        Some(it) => Ok(it),
        None => Err(CallError::Call("all arguments are null or empty".into())),
    }
}
