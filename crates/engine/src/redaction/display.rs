//! The one way in which a message shows what stands in an object: by its path, so that nothing that is sensitive or
//! write-only, or stands inside of what is, can be shown.

use ferroform_value::{Number, Path, Refinements, Step, Value, shortened};

use super::MASK;
use crate::schema::Block;

/// A value for a message: short, and never a secret. The path is that in an object of the block.
pub fn display_value(block: &Block, path: &Path, value: &Value) -> String {
    if is_sensitive(block, path) { MASK.to_owned() } else { describe_value(value) }
}

/// The path for a message: without the keys and elements of what is sensitive.
pub(crate) fn display_path(block: &Block, path: &Path) -> Path {
    let steps = path.steps();
    let is_key = |at: &usize| matches!(steps[*at], Step::Key(_) | Step::Element(_));
    let secret = |at: &usize| is_sensitive(block, &steps[..*at].iter().cloned().collect());
    let end = (0..steps.len()).filter(is_key).find(secret).unwrap_or(steps.len());
    steps[..end].iter().cloned().collect()
}

/// True where an attribute on the way to the path is sensitive.
pub fn is_sensitive(block: &Block, path: &Path) -> bool {
    let mut block = Some(block);
    for step in path.steps() {
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
fn describe_refinements(known: &Refinements) -> String {
    let mut constraints = Vec::new();
    if known.not_null {
        constraints.push("not null".to_owned());
    }
    constraints.extend(known.prefix.iter().map(|it| format!("beginning with {it:?}")));
    let bound = |than: &str, (it, may_equal): &(Number, bool)| {
        format!("{than} {it}{}", if *may_equal { " or equal" } else { "" })
    };
    constraints.extend(known.min.iter().map(|it| bound("greater than", it)));
    constraints.extend(known.max.iter().map(|it| bound("less than", it)));
    constraints.extend(known.len_min.iter().map(|it| format!("with {it} elements or more")));
    constraints.extend(known.len_max.iter().map(|it| format!("with {it} elements or fewer")));
    constraints.join(", ")
}

/// The value; of a collection or an object its size only, since what is inside may be sensitive.
fn describe_value(value: &Value) -> String {
    match value {
        Value::Unknown(known) => {
            let known =
                known.as_ref().map(|it| format!(" ({})", describe_refinements(it))).unwrap_or_default();
            shortened(format!("an unknown value{known}"))
        }
        Value::List(it) | Value::Tuple(it) => format!("a {} of {}", value.kind(), it.len()),
        Value::Set(it) => format!("a set of {}", it.len()),
        Value::Map(it) => format!("a map of {}", it.len()),
        Value::Object(_) => "an object".into(),
        Value::Dynamic(it) => describe_value(&it.value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.summary(),
    }
}
