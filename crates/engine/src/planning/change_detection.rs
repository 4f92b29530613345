//! Change detection: whether a plan changes the remote object.
//!
//! Some changes affect the state, but not the remote object: changes to timeouts, changes from a value to a semantically
//! equal value, and, with [`Schema::with_empty_equals_null`](crate::schema::Schema::with_empty_equals_null), changes between null and
//! the empty value of an attribute. If nothing else changes, computed values stay known, and the apply calls no method of the provider.
//!
//! ```text
//! prior state    { name = "a", timeouts = { create = "30m" }, etag = "1" }
//! configuration  { name = "A", timeouts = { create = "1h" } }    name has case-insensitive equality
//! planned state  { name = "a", timeouts = { create = "1h" }, etag = "1" }
//! ```

use ferroform_value::{Object, Value};

use crate::element_matching::{elements, prior_counterparts};
use crate::schema::timeouts;
use crate::schema::{Attribute, Block, Member, Nesting, is_empty};

/// True if two objects differ at most in their timeouts and in values that are semantically equal.
pub(crate) fn is_object_unchanged(block: &Block, prior: &Value, planned: &Value) -> bool {
    match (prior, planned) {
        (Value::Object(prior), Value::Object(planned)) => {
            are_members_unchanged(block, timeouts::name(block), prior, planned)
        }
        _ => prior == planned,
    }
}

/// True if two values of an attribute are semantically equal. Nulls of different types are equal.
pub(super) fn is_attribute_unchanged(attribute: &Attribute, prior: &Value, planned: &Value) -> bool {
    prior == planned
        || prior.is_null() && planned.is_null()
        || attribute.empty_is_null && is_empty_or_null(prior) && is_empty_or_null(planned)
        || !prior.is_null()
            && attribute.has_semantic_equality()
            && attribute.is_semantically_equal(prior, planned)
        || attribute.nested.as_ref().is_some_and(|it| is_unchanged(it.nesting, &it.block, prior, planned))
}

fn is_empty_or_null(value: &Value) -> bool {
    value.is_null() || is_empty(value)
}

/// Compares all attributes and blocks except the timeouts.
fn are_members_unchanged(block: &Block, timeouts: Option<&str>, prior: &Object, planned: &Object) -> bool {
    block.members().filter(|it| Some(&**it.name()) != timeouts).all(|member| {
        let (prior, planned) = (prior.get_or_null(member.name()), planned.get_or_null(member.name()));
        match member {
            Member::Attribute(it) => is_attribute_unchanged(it, prior, planned),
            Member::Block(it) => prior == planned || is_unchanged(it.nesting, &it.block, prior, planned),
        }
    })
}

/// Compares nested objects. Elements of sets are compared with their counterparts.
pub(super) fn is_unchanged(nesting: Nesting, block: &Block, prior: &Value, planned: &Value) -> bool {
    let is_element_unchanged = |prior: &Value, planned: &Value| match (prior, planned) {
        (Value::Object(prior), Value::Object(planned)) => are_members_unchanged(block, None, prior, planned),
        _ => prior == planned,
    };
    match (nesting, prior, planned) {
        _ if !block.facts().has_semantic_equality => prior == planned,
        (Nesting::Single, ..) => is_element_unchanged(prior, planned),
        (Nesting::Set, Value::Set(prior_set), Value::Set(planned_set))
            if prior_set.len() == planned_set.len() =>
        {
            let (prior, planned) = (elements(prior), elements(planned));
            let counterparts = prior_counterparts(nesting, block, &planned, &prior);
            let is_unchanged = |(planned, at): (&&Value, Option<usize>)| {
                at.is_some_and(|at| is_element_unchanged(prior[at], planned))
            };
            planned.iter().zip(counterparts).all(is_unchanged)
        }
        _ => prior.all_pairs(planned, is_element_unchanged) == Some(true),
    }
}
