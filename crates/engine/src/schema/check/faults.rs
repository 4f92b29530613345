//! The faults of a schema, and where the check is.

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
pub struct Fault {
    /// What kind of fault: one line.
    pub summary: &'static str,
    /// What is wrong, and where.
    pub error: Error,
}

/// Printed as the error, with its place.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// The faults so far, and where the search is.
pub(super) struct Check<'a> {
    pub(super) kind: SchemaKind,
    pub(super) place: Vec<&'a Arc<str>>,
    pub(super) faults: Vec<Fault>,
}

impl<'a> Check<'a> {
    pub(super) fn say(&mut self, summary: &'static str, message: impl Into<String>) {
        self.faults.push(at(summary, &self.place, message.into()));
    }

    pub(super) fn within(&mut self, name: &'a Arc<str>, check: impl FnOnce(&mut Check<'a>)) {
        self.place.push(name);
        check(self);
        self.place.pop();
    }
}

pub(in crate::schema) fn at(summary: &'static str, place: &[&Arc<str>], message: String) -> Fault {
    let below = |error: Error, name: &&Arc<str>| error.below(Step::Attribute((*name).clone()));
    let error = place.iter().rev().fold(Error::new(message), below);
    Fault { summary, error }
}

/// The place of the first attribute inside for which this holds, at whatever depth: `cache.key`.
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
