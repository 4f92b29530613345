//! Terraform's configuration language: syntax, expressions, functions, templates, type constraints and input
//! variables, and values as Terraform's console prints them.
//!
//! This crate knows nothing of providers, files or RPC. It reads strings, and evaluates them to the types and
//! values of [`ferroform_value`]. A provider does not need it: Terraform evaluates a configuration before a
//! provider gets to see it.
//!
//! ```
//! use ferroform_lang::expression;
//! use ferroform_lang::type_constraint::Constraint;
//! use ferroform_value::{Path, Value};
//!
//! // What a module declares, and what its caller configures.
//! let constraint = Constraint::parse("list(object({port = number, open = optional(bool, false)}))")?;
//! let configured = expression::constant("[{port = \"443\", open = true}, {port = 80}]")?;
//!
//! let converted = constraint.fit(configured)?;
//! let second = Path::ROOT.then(1.into()).name("open");
//! assert_eq!(converted.value.at(&second), Some(&Value::Bool(false)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it does |
//! | --- | --- |
//! | [`expression`] | constant expressions, with and without functions |
//! | [`body`] | configuration files: blocks, arguments, and expressions with `var.…` |
//! | [`type_constraint`] | type constraints with optional attributes and [`Defaults`] |
//! | [`variable`] | input variables: their declarations, and the values that they accept |
//! | [`console`] | values and types as Terraform prints them |
//!
//! Everything that is wrong with a string comes as [`Errors`], each with its place.
//!
//! # Limits
//!
//! Everything here may be given any string: it returns errors, in time and memory that grow with the input.
//! For that there are limits which Terraform does not have.
//!
//! | of what | limit |
//! | --- | --- |
//! | nesting of expressions and type constraints | 100 |
//! | work that an expression makes beyond its own length | a million elements and bytes |
//! | errors reported at once | 64 |
//!
//! Within them the 2 MiB of stack that a thread has in Rust are enough, also in a debug build.
//!
//! # Differences between Terraform's documentation and its behavior
//!
//! The behavior of Terraform 1.11 decides, not its documentation: an attribute that is null counts as omitted if it
//! has a default. One difference remains: if the name of an optional attribute is written in a Unicode normal form
//! other than C, Terraform applies the default even if the attribute is set.

pub mod body;
pub mod console;
pub mod expression;
pub mod type_constraint;
pub mod variable;

mod defaults;
mod diagnostic;
mod evaluation;
mod functions;
mod syntax;

pub use crate::defaults::Defaults;
pub use crate::diagnostic::{Diagnostic, Errors, Position, Span};
