//! Whether a plan changes anything but the spelling of values and the timeouts.

use ferroform_value::{Object, Value};

use crate::element_matching::{elements, prior_counterparts};
use crate::schema::timeouts;
use crate::schema::{Attribute, Block, Nesting};

/// True where two objects differ in nothing but their timeouts, which are no part of the real object, and in the
/// spelling of semantically equal values.
pub(crate) fn is_effectively_equal(block: &Block, prior: &Value, planned: &Value) -> bool {
    let timeouts = timeouts::name(block);
    match (prior, planned) {
        (Value::Object(prior), Value::Object(planned)) => parts_are(block, timeouts, prior, planned),
        _ => prior == planned,
    }
}

/// True where two values of an attribute are semantically equal, as a null of one type and one of another are.
pub(super) fn is_semantically_equal(it: &Attribute, prior: &Value, planned: &Value) -> bool {
    prior == planned
        || prior.is_null() && planned.is_null()
        || !prior.is_null() && it.has_own_equality() && it.same(prior, planned)
        || it.nested.as_ref().is_some_and(|it| nested(it.nesting, &it.block, prior, planned))
}

fn parts_are(block: &Block, timeouts: Option<&str>, prior: &Object, planned: &Object) -> bool {
    let null = Value::Null;
    let pair = |name: &str| (prior.get(name).unwrap_or(&null), planned.get(name).unwrap_or(&null));
    let is_part = |name: &str| Some(name) != timeouts;
    block.attributes.iter().filter(|it| is_part(&it.name)).all(|it| {
        let (prior, planned) = pair(&it.name);
        is_semantically_equal(it, prior, planned)
    }) && block.blocks.iter().filter(|it| is_part(&it.name)).all(|it| {
        let (prior, planned) = pair(&it.name);
        prior == planned || nested(it.nesting, &it.block, prior, planned)
    })
}

/// Elements of sets are compared with their counterparts.
fn nested(nesting: Nesting, block: &Block, prior: &Value, planned: &Value) -> bool {
    let same = |prior: &Value, planned: &Value| match (prior, planned) {
        (Value::Object(prior), Value::Object(planned)) => parts_are(block, None, prior, planned),
        _ => prior == planned,
    };
    match (nesting, prior, planned) {
        _ if !block.facts().has_different_equals => prior == planned,
        (Nesting::Single, ..) => same(prior, planned),
        (Nesting::List, Value::List(prior), Value::List(planned)) => {
            prior.len() == planned.len() && prior.iter().zip(planned).all(|(a, b)| same(a, b))
        }
        (Nesting::Map, Value::Map(prior), Value::Map(planned)) => {
            prior.keys().eq(planned.keys()) && prior.values().zip(planned.values()).all(|(a, b)| same(a, b))
        }
        (Nesting::Set, Value::Set(old), Value::Set(new)) if old.len() == new.len() => {
            let (old, new) = (elements(prior), elements(planned));
            let known = prior_counterparts(nesting, block, &new, &old);
            new.iter().zip(known).all(|(new, at)| at.is_some_and(|at| same(old[at], new)))
        }
        _ => false,
    }
}
