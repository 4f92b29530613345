//! Blocks that the provider may write: what the host sends for one that the configuration leaves out, and where it
//! cannot be left out.

use ferroform_value::{Path, Step, Value};

use crate::schema::{Block, BlockFacts, NestedBlock};
use crate::{Diagnostic, Diagnostics};

/// Adds an error for each block that the provider may write and that the configuration leaves out.
pub(crate) fn left_out(block: &Block, value: &Value, place: &mut Path, found: &mut Diagnostics) {
    if !block.facts().has_computed_blocks {
        return;
    }
    let Value::Object(object) = value else {
        return crate::walk::each(value, &mut |step, it| {
            place.push(step);
            left_out(block, it, place, found);
            place.pop();
        });
    };
    for it in &block.blocks {
        let value = object.get(&it.name).unwrap_or(&Value::Null);
        place.push(Step::Attribute(it.name.clone()));
        if it.computed && it.is_absent(value) {
            let detail = format!(
                "Only Terraform 1.16 and later can leave the block \"{}\" to the provider. Write it here.",
                it.name
            );
            found.push(Diagnostic::error("Computed Block Not Allowed").detail(detail).at(place.clone()));
        }
        left_out(&it.block, value, place, found);
        place.pop();
    }
}

/// The configuration with null for each block that is left to the provider: the host sends null for it when it
/// plans, and what stands for no blocks when it validates.
pub(crate) fn prepared(block: &Block, config: Value) -> Value {
    let has_some = |it: &BlockFacts| it.has_computed_blocks;
    changed(block, config, has_some, &|it, value| (it.computed && it.is_absent(value)).then_some(Value::Null))
}

/// The object with something for each block that was to be known only after apply, and for each that is not there
/// though the author's type cannot do without it, as in an import.
pub(crate) fn settled(block: &Block, object: Value) -> Value {
    let has_some = |it: &BlockFacts| it.has_computed_blocks || it.has_required_blocks;
    changed(block, object, has_some, &|it, value| {
        let is_open = it.computed && value.is_unknown();
        // An object that gets what stands in for its attributes.
        let made = || it.block.object_of(&Value::Null);
        match it.is_required() {
            true => (is_open || value.is_null()).then(made),
            false => is_open.then(|| it.absent()),
        }
    })
}

/// The value, changed in place where there is something to change: most schemas have no such blocks, and their
/// values are not even looked at.
fn changed(
    block: &Block,
    value: Value,
    has_some: fn(&BlockFacts) -> bool,
    change: &dyn Fn(&NestedBlock, &Value) -> Option<Value>,
) -> Value {
    if !has_some(block.facts()) {
        return value;
    }
    let inside = |it: Value| changed(block, it, has_some, change);
    match value {
        Value::Object(mut object) => {
            for it in &block.blocks {
                let Some(slot) = object.get_mut(&it.name) else { continue };
                let value = std::mem::replace(slot, Value::Null);
                *slot = changed(&it.block, change(it, &value).unwrap_or(value), has_some, change);
            }
            Value::Object(object)
        }
        Value::List(it) => Value::List(it.into_iter().map(inside).collect()),
        Value::Set(it) => Value::Set(it.into_iter().map(inside).collect()),
        Value::Map(it) => Value::Map(it.into_iter().map(|(key, it)| (key, inside(it))).collect()),
        other => other,
    }
}
