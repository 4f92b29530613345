//! Values of a set element whose counterpart is ambiguous.
//!
//! A semantically equal prior value stays in the plan. If it depends on an unknown value which prior element an element
//! corresponds to, it is also unknown which prior value stays, so the value is planned as unknown. Terraform accepts that only
//! in sets, and only there can an element without a key be ambiguous.
//!
//! Example: a set of `{ name, note }`, where `name` has semantic equality.
//!
//! ```text
//! configuration  [{ name = "A", note = unknown }]
//! prior state    [{ name = "a", note = "x" }]
//! planned state  [{ name = unknown, note = unknown }]
//! ```
//!
//! If the note turns out to be `"x"`, the element is the prior one and keeps the name `a`.

use ferroform_value::Value;

use crate::schema::{Attribute, Block, Member};

/// An object in a set, or a collection of objects, in which each value that a prior value may replace is unknown.
pub(super) fn with_ambiguity(block: &Block, planned: Value) -> Value {
    if !block.facts().can_keep_prior_value {
        return planned;
    }
    block.map_members(planned, &|member, planned| match member {
        _ if planned.is_null() => planned,
        Member::Attribute(it) => ambiguous_attribute(it, planned),
        Member::Block(it) => with_ambiguity(&it.block, planned),
    })
}

fn ambiguous_attribute(attribute: &Attribute, planned: Value) -> Value {
    let is_suppressed = attribute.behavior().suppress_diff.is_some();
    match &attribute.nested {
        Some(nested) if !is_suppressed => with_ambiguity(&nested.block, planned),
        _ if is_suppressed || attribute.has_semantic_equality() => Value::UNKNOWN,
        _ => planned,
    }
}
