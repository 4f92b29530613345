//! The errors of a schema, and where the check is.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Step};

use crate::schema::attribute::Attribute;
use crate::schema::block::Block;

/// What a schema is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemaKind {
    /// A managed resource.
    #[default]
    Resource,
    /// A data source.
    DataSource,
    /// The configuration of the provider.
    Provider,
    /// What modules say to the provider.
    Meta,
}

impl SchemaKind {
    /// True where the user writes all of it.
    pub(super) fn is_written(self) -> bool {
        matches!(self, SchemaKind::Provider | SchemaKind::Meta)
    }
}

pub(in crate::schema) const NAME: &str = "Invalid Attribute/Block Name";
pub(super) const ROOT_NAME: &str = "Reserved Root Attribute/Block Name";
pub(super) const DEFAULT: &str = "Schema Using Attribute Default For Non-Computed Attribute";
pub(super) const ATTRIBUTE: &str = "Invalid Attribute Implementation";
pub(in crate::schema) const SCHEMA: &str = "Invalid Schema Implementation";
/// What to do where no value can stand in for one that is missing.
pub(in crate::schema) const PLACEHOLDER: &str =
    "write `Attr::placeholder` for its type, or `#[attr(placeholder = …)]` on it where that is derived";

/// Something that a schema must not say.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaError {
    /// What kind of error: one line.
    pub summary: &'static str,
    /// What is wrong, and where.
    pub error: Error,
}

/// Printed as the error, with its path.
impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// The errors so far, and where the search is.
pub(super) struct SchemaChecker<'a> {
    pub(super) kind: SchemaKind,
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

/// The path of the first attribute inside for which this holds, at whatever depth: `cache.key`.
pub(super) fn find(block: &Block, is: &dyn Fn(&Attribute) -> bool) -> Option<String> {
    let inside = |name: &str, block: &Block| find(block, is).map(|it| format!("{name}.{it}"));
    let attribute = |it: &Attribute| match &it.nested {
        _ if is(it) => Some(it.name.to_string()),
        Some(nested) => inside(&it.name, &nested.block),
        None => None,
    };
    let found = block.attributes.iter().find_map(attribute);
    found.or_else(|| block.blocks.iter().find_map(|it| inside(&it.name, &it.block)))
}
