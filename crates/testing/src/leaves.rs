//! The leaf attributes of an object, for printing a snapshot line by line with sensitive values redacted.

use std::fmt;

use ferroform::schema::{Block, Nesting};
use ferroform::value::{Path, Step, Value};

/// A value that is printed in one line: an attribute without nested objects, or a set.
pub(crate) struct Leaf {
    pub(crate) value: Value,
    pub(crate) is_sensitive: bool,
}

/// Returns the attributes that are not null, each with its path, in the order of the schema. Nested objects are
/// flattened.
pub(crate) fn leaves(block: &Block, value: &Value) -> Vec<(Path, Leaf)> {
    let mut found = Vec::new();
    collect(block, value, &mut Path::ROOT.clone(), &mut found);
    found
}

fn collect(block: &Block, value: &Value, path: &mut Path, found: &mut Vec<(Path, Leaf)>) {
    let Value::Object(object) = value else { return };
    for member in block.members() {
        let Some(value) = object.get(member.name()).filter(|it| !member.is_absent(it)) else {
            continue;
        };
        path.push(Step::Attribute(member.name().clone()));
        let is_sensitive = member.is_masked();
        match member.nested() {
            Some((nesting, block)) if !is_sensitive => nested(nesting, block, value, path, found),
            _ => found.push((path.clone(), Leaf { value: value.clone(), is_sensitive })),
        }
        path.pop();
    }
}

fn nested(nesting: Nesting, block: &Block, value: &Value, path: &mut Path, found: &mut Vec<(Path, Leaf)>) {
    let mut inside = |step: Step, value: &Value| {
        path.push(step);
        match value {
            Value::Object(_) => collect(block, value, path, found),
            _ => found.push((path.clone(), Leaf { value: value.clone(), is_sensitive: false })),
        }
        path.pop();
    };
    match (nesting, value) {
        (Nesting::Single, Value::Object(_)) => collect(block, value, path, found),
        (Nesting::List | Nesting::Map, _) if value.elements().next().is_some() => {
            value.children().for_each(|(step, it)| inside(step, it));
        }
        // The elements of a set have no printable path, so the set is one leaf.
        _ => found.push((path.clone(), Leaf { value: value.clone(), is_sensitive: has_sensitive(block) })),
    }
}

fn has_sensitive(block: &Block) -> bool {
    block.members().any(|it| it.is_masked() || it.nested().is_some_and(|(_, it)| has_sensitive(it)))
}

/// Prints a leaf; a sensitive value is printed as `(sensitive value)`.
pub(crate) struct RedactedLeaf<'a>(pub(crate) &'a Leaf);

impl fmt::Display for RedactedLeaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.value {
            Value::Unknown(_) => f.write_str("(known after apply)"),
            _ if self.0.is_sensitive => f.write_str("(sensitive value)"),
            value => value.fmt(f),
        }
    }
}
