//! Terraform's configuration language: syntax, expressions, functions, templates, type constraints and input
//! variables, and values as Terraform's console prints them.
//!
//! The crate parses strings and evaluates them to the types and values of [`ferroform_value`]. It does not depend on
//! files, providers or RPCs. A provider does not need it, because Terraform evaluates the configuration before it
//! calls a provider.
//!
//! ```
//! use ferroform_lang::expression;
//! use ferroform_lang::type_constraint::Constraint;
//! use ferroform_value::{Path, Value};
//!
//! // A module declares the type constraint, and its caller configures the value.
//! let constraint = Constraint::parse("list(object({port = number, open = optional(bool, false)}))")?;
//! let configured = expression::constant("[{port = \"443\", open = true}, {port = 80}]")?;
//!
//! let converted = constraint.fit(configured)?;
//! let second = Path::ROOT.then(1.into()).name("open");
//! assert_eq!(converted.value.at(&second), Some(&Value::Bool(false)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | purpose |
//! | --- | --- |
//! | [`expression`] | constant expressions, with and without functions |
//! | [`body`] | configuration files: blocks, arguments, and expressions with `var.…` |
//! | [`marks`] | sensitive and ephemeral values |
//! | [`condition`] | conditions as trees of predicates |
//! | [`values`] | variable definitions files (`.tfvars`) |
//! | [`type_constraint`] | type constraints with optional attributes and [`Defaults`] |
//! | [`variable`] | input variables: their declarations, and the values that they accept |
//! | [`console`] | values and types as Terraform prints them |
//!
//! All errors of a string are returned as [`Errors`], each with its position.
//!
//! # Limits
//!
//! Any string can be parsed and evaluated in time and memory that are proportional to its length. Terraform does not
//! have the limits that this requires:
//!
//! | property | limit |
//! | --- | --- |
//! | nesting of expressions and type constraints | 100 |
//! | elements and bytes that an expression creates in addition to its length | one million |
//! | errors reported at once | 64 |
//!
//! Within these limits, the default stack of a Rust thread (2 MiB) is sufficient, also in a debug build.
//!
//! # Differences between Terraform's documentation and its behavior
//!
//! The behavior of Terraform 1.11 takes precedence over its documentation: a null attribute counts as omitted, so its
//! default applies. One difference from Terraform remains: if the name of an optional attribute is not in Unicode
//! Normalization Form C, Terraform applies the default even if the attribute is set.

pub mod body;
pub mod condition;
pub mod console;
pub mod expression;
#[doc(hidden)]
pub mod json;
pub mod marks;

pub mod type_constraint;
pub mod values;
pub mod variable;
pub mod version_constraint;

mod defaults;
mod diagnostic;
mod evaluation;
mod functions;
mod mismatches;
mod reading;
mod syntax;
mod unknown;

pub use crate::defaults::Defaults;
pub use crate::diagnostic::{Diagnostic, Errors, EvaluationError, Position, Reason, Span};
pub use crate::mismatches::UndeclaredAttribute;
pub use crate::syntax::is_identifier;
