//! Values of an element whose counterpart is ambiguous.

use ferroform_value::Value;

use crate::schema::{Attribute, Block};

/// An object in a set, or a collection of such, with every value unknown in whose place a prior one may turn out to stay.
///
/// Example: a set of `{ name, note }`, where `name` has semantic equality. The configuration is
/// `[{ name = "A", note = unknown }]`, and the prior state is `[{ name = "a", note = "x" }]`. If the note turns out to be
/// `"x"`, the element is that one and keeps its spelling. Terraform accepts unknown values in sets only, so that is
/// where this is needed.
pub(super) fn with_ambiguity(block: &Block, planned: Value) -> Value {
    if !block.facts().can_keep_prior_value {
        return planned;
    }
    match planned {
        Value::Object(mut object) => {
            for it in &block.attributes {
                if let Some(value) = object.get_mut(&it.name).filter(|it| !it.is_null()) {
                    *value = ambiguous_attribute(it, std::mem::replace(value, Value::Null));
                }
            }
            for it in &block.blocks {
                if let Some(value) = object.get_mut(&it.name) {
                    *value = with_ambiguity(&it.block, std::mem::replace(value, Value::Null));
                }
            }
            Value::Object(object)
        }
        Value::List(it) => Value::List(it.into_iter().map(|it| with_ambiguity(block, it)).collect()),
        Value::Set(it) => Value::Set(it.into_iter().map(|it| with_ambiguity(block, it)).collect()),
        Value::Map(it) => {
            Value::Map(it.into_iter().map(|(key, it)| (key, with_ambiguity(block, it))).collect())
        }
        planned => planned,
    }
}

fn ambiguous_attribute(it: &Attribute, planned: Value) -> Value {
    let is_suppressed = it.behaviour().suppress.is_some();
    match &it.nested {
        Some(nested) if !is_suppressed => with_ambiguity(&nested.block, planned),
        _ if is_suppressed || it.has_own_equality() => Value::UNKNOWN,
        _ => planned,
    }
}
