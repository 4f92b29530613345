//! Type conversion functions, and functions that select a value.
//!
//! | function | result |
//! | --- | --- |
//! | `tostring(value)`, `tonumber`, `tobool`, `tolist`, `toset`, `tomap` | the value, converted |
//! | `coalesce(values…)` | the first value that is neither null nor an empty string |
//! | `nonsensitive(value)` | the argument, because this crate does not track sensitivity |
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

use super::arguments::{Args, CallError, CallResult, Function, MANY};
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Type, Typed, Value, unify};

pub(crate) const ALL: &[Function] = &[
    ("tostring", 1..=1, |args| args.converted(&Type::String)),
    ("tonumber", 1..=1, |args| args.converted(&Type::Number)),
    ("tobool", 1..=1, |args| args.converted(&Type::Bool)),
    ("tolist", 1..=1, |args| args.converted(&Type::list(Type::Dynamic))),
    ("toset", 1..=1, |args| args.converted(&Type::set(Type::Dynamic))),
    ("tomap", 1..=1, |args| args.converted(&Type::map(Type::Dynamic))),
    // Values have no sensitivity mark in this crate.
    ("nonsensitive", 1..=1, |args| args.any()),
    ("coalesce", 1..=MANY, coalesce),
];

/// `coalesce`: returns the first argument that is neither null nor an empty string.
fn coalesce(args: &mut Args<'_>) -> CallResult {
    let mut values = Vec::with_capacity(args.remaining());
    while args.remaining() > 0 {
        values.push(args.any()?);
    }
    let types: Vec<Type> = values.iter().map(|it| it.ty.clone()).collect();
    let ty = unify(&types, Mode::Unsafe).ok_or_else(|| args.expected("the type of the other arguments"))?.ty;
    // Terraform also skips an argument that does not convert to the unified type.
    let mut converted = values.into_iter().filter_map(|it| convert(it.value, &it.ty, &ty).ok());
    let found: Option<Typed> = converted.find(|it| it.value != Value::Null && it.value != Value::string(""));
    found.ok_or_else(|| CallError::Call("all arguments are null or empty".into()))
}
