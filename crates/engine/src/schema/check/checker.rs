//! The errors in a schema, and the checker that collects them.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Step};

use crate::kind::Kind;
use crate::schema::attribute::Attribute;
use crate::schema::block::{Block, Member};

pub(in crate::schema) const NAME: &str = "Invalid Attribute/Block Name";
pub(super) const ROOT_NAME: &str = "Reserved Root Attribute/Block Name";
pub(super) const DEFAULT: &str = "Schema Using Attribute Default For Non-Computed Attribute";
pub(super) const ATTRIBUTE: &str = "Invalid Attribute Implementation";
pub(in crate::schema) const SCHEMA: &str = "Invalid Schema Implementation";
/// The instruction to provide a placeholder.
pub(in crate::schema) const PLACEHOLDER: &str =
    "implement `Attr::placeholder` for its type, or add `#[attr(placeholder = …)]` if the type is derived";

/// An error in a schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SchemaError {
    /// The kind of the error, as the summary of a diagnostic.
    pub summary: &'static str,
    /// The error with its attribute path.
    pub error: Error,
}

/// Printed with the attribute path.
impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// Checks a schema. Errors are reported at the current attribute path.
pub(super) struct SchemaChecker<'a> {
    pub(super) kind: Kind,
    pub(super) path: Vec<&'a Arc<str>>,
    pub(super) errors: Vec<SchemaError>,
}

impl<'a> SchemaChecker<'a> {
    pub(super) fn report(&mut self, summary: &'static str, message: impl Into<String>) {
        self.errors.push(at(summary, &self.path, message.into()));
    }

    pub(super) fn within(&mut self, name: &'a Arc<str>, check: impl FnOnce(&mut SchemaChecker<'a>)) {
        self.path.push(name);
        check(self);
        self.path.pop();
    }
}

pub(in crate::schema) fn at(summary: &'static str, path: &[&Arc<str>], message: String) -> SchemaError {
    let below = |error: Error, name: &&Arc<str>| error.below(Step::Attribute((*name).clone()));
    let error = path.iter().rev().fold(Error::new(message), below);
    SchemaError { summary, error }
}

/// The path of the first attribute with the property, at any depth, such as `cache.key`.
pub(super) fn find(block: &Block, has_property: &dyn Fn(&Attribute) -> bool) -> Option<String> {
    block.members().find_map(|member| match member {
        Member::Attribute(it) if has_property(it) => Some(it.name.to_string()),
        _ => find(member.nested()?.1, has_property).map(|it| format!("{}.{it}", member.name())),
    })
}
