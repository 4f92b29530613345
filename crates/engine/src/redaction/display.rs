//! Values and attribute paths for messages, without sensitive and write-only values.
//!
//! A message shows a value by its attribute path, so that the schema decides whether the value, or an attribute around
//! it, is sensitive. Only the kind and the length of a collection are shown, because its elements may be sensitive.
//!
//! ```text
//! name      "a"
//! tags      a map of length 2
//! password  (sensitive value)
//! ```

use std::ops::Bound;

use ferroform_value::{Number, Path, Refinements, Step, Type, Value, truncated};

use super::MASK;
use crate::Diagnostics;
use crate::schema::{Block, Member};

/// A short form of a value for a message; masked if it is sensitive. `path` is its path in an object of the block.
pub fn display_value(block: &Block, path: &Path, value: &Value) -> String {
    if is_sensitive(block, path) { MASK.to_owned() } else { describe_value(value) }
}

/// A path for a message. Inside a sensitive attribute, it ends before the first step that is a part of the value: the key of a
/// map, an element of a set, or a step inside a value of the type `any`.
pub(crate) fn display_path(block: &Block, path: &Path) -> Path {
    let mut ty = Some(block.ty());
    let mut shown = Path::ROOT;
    for step in path.steps() {
        ty = match (ty, step) {
            (Some(Type::Object(it)), Step::Attribute(name)) => it.get(name).map(|it| &it.ty),
            (Some(Type::Tuple(it)), Step::Index(index)) => it.get(*index),
            (Some(Type::List(it) | Type::Set(it) | Type::Map(it)), _) => Some(&**it),
            _ => None,
        };
        let is_in_schema = ty.is_some() && matches!(step, Step::Attribute(_) | Step::Index(_));
        if !is_in_schema && is_sensitive(block, &shown) {
            break;
        }
        shown = shown.then(step.clone());
    }
    shown
}

/// The diagnostics with their paths as [`display_path`] shows them.
pub(crate) fn with_display_paths(block: &Block, diagnostics: Diagnostics) -> Diagnostics {
    let shown = diagnostics.into_iter().map(|mut it| {
        it.path = it.path.map(|path| display_path(block, &path));
        it
    });
    shown.collect()
}

/// True if an attribute on the path is sensitive or write-only.
pub fn is_sensitive(block: &Block, path: &Path) -> bool {
    let mut block = Some(block);
    for step in path.steps() {
        let (Step::Attribute(name), Some(current)) = (step, block) else { continue };
        block = match current.member(name) {
            Some(it) if it.is_masked() => return true,
            member => member.and_then(Member::nested).map(|(_, it)| &**it),
        };
    }
    false
}

/// The refinements of an unknown value.
fn list_refinements(refinements: &Refinements) -> String {
    let mut constraints = Vec::new();
    if refinements.is_not_null() {
        constraints.push("not null".to_owned());
    }
    constraints.extend(refinements.prefix().map(|it| format!("beginning with {it:?}")));
    let bound = |than: &str, bound: Bound<&Number>| match bound {
        Bound::Included(it) => Some(format!("{than} or equal to {it}")),
        Bound::Excluded(it) => Some(format!("{than} {it}")),
        Bound::Unbounded => None,
    };
    let (min, max) = refinements.range();
    constraints.extend(bound("greater than", min));
    constraints.extend(bound("less than", max));
    let min_length = Some(refinements.min_length()).filter(|it| *it > 0);
    constraints.extend(min_length.map(|it| format!("with {it} elements or more")));
    constraints.extend(refinements.max_length().map(|it| format!("with {it} elements or fewer")));
    constraints.join(", ")
}

/// A short form of a value; for a collection or an object only its size.
fn describe_value(value: &Value) -> String {
    match value {
        Value::Unknown(known) => {
            let known = known.as_ref().map(|it| format!(" ({})", list_refinements(it))).unwrap_or_default();
            truncated(format!("an unknown value{known}"))
        }
        Value::List(it) | Value::Tuple(it) => format!("a {} of length {}", value.kind(), it.len()),
        Value::Set(it) => format!("a set of length {}", it.len()),
        Value::Map(it) => format!("a map of length {}", it.len()),
        Value::Object(_) => "an object".into(),
        Value::Dynamic(it) => describe_value(&it.value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.summary(),
    }
}
