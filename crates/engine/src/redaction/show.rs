//! The one way in which a message shows what stands in an object: by its place, so that nothing that is sensitive or
//! write-only, or stands inside of what is, can be shown.

use std::ops::Bound;

use ferroform_value::{Number, Path, Refinements, Step, Value, truncated};

use super::HIDDEN;
use crate::schema::Block;

/// A value for a message: short, and never a secret. The place is that in an object of the block.
pub fn show(block: &Block, place: &Path, value: &Value) -> String {
    if is_sensitive(block, place) { HIDDEN.to_owned() } else { text(value) }
}

/// The place for a message: without the keys and elements of what is sensitive.
pub(crate) fn shown(block: &Block, place: &Path) -> Path {
    let steps = place.steps();
    let is_key = |at: &usize| matches!(steps[*at], Step::Key(_) | Step::Element(_));
    let secret = |at: &usize| is_sensitive(block, &steps[..*at].iter().cloned().collect());
    let end = (0..steps.len()).filter(is_key).find(secret).unwrap_or(steps.len());
    steps[..end].iter().cloned().collect()
}

/// True where an attribute on the way to the place is sensitive.
pub fn is_sensitive(block: &Block, place: &Path) -> bool {
    let mut block = Some(block);
    for step in place.steps() {
        let (Step::Attribute(name), Some(here)) = (step, block) else { continue };
        let nested = here.blocks.iter().find(|it| it.name == *name).map(|it| &it.block);
        block = match here.get(name) {
            Some(it) if it.sensitive || it.write_only => return true,
            Some(it) => it.nested.as_ref().map(|it| &it.block),
            None => nested,
        };
    }
    false
}

/// What is known of an unknown value.
fn refined(known: &Refinements) -> String {
    let mut said = Vec::new();
    if known.is_not_null() {
        said.push("not null".to_owned());
    }
    said.extend(known.prefix().map(|it| format!("beginning with {it:?}")));
    let bound = |than: &str, bound: Bound<&Number>| match bound {
        Bound::Included(it) => Some(format!("{than} {it} or equal")),
        Bound::Excluded(it) => Some(format!("{than} {it}")),
        Bound::Unbounded => None,
    };
    let (min, max) = known.range();
    said.extend(bound("greater than", min));
    said.extend(bound("less than", max));
    let min_length = Some(known.min_length()).filter(|it| *it > 0);
    said.extend(min_length.map(|it| format!("with {it} elements or more")));
    said.extend(known.max_length().map(|it| format!("with {it} elements or fewer")));
    said.join(", ")
}

/// The value; of a collection or an object its size only, since what is inside may be sensitive.
fn text(value: &Value) -> String {
    match value {
        Value::Unknown(known) => {
            let known = known.as_ref().map(|it| format!(" ({})", refined(it))).unwrap_or_default();
            truncated(format!("an unknown value{known}"))
        }
        Value::List(it) | Value::Tuple(it) => format!("a {} of {}", value.kind(), it.len()),
        Value::Set(it) => format!("a set of {}", it.len()),
        Value::Map(it) => format!("a map of {}", it.len()),
        Value::Object(_) => "an object".into(),
        Value::Dynamic(it) => text(&it.value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.summary(),
    }
}
