//! Whether anything is to be done for a change.

use ferroform_value::{Object, Value};

use crate::schema::{Attribute, Block, Nesting};

/// True where two objects differ in nothing but their timeouts, which are no part of the real object, and in how they
/// say the same.
pub(crate) fn is_same(block: &Block, prior: &Value, planned: &Value) -> bool {
    let timeouts = crate::schema::timeouts::name(block);
    match (prior, planned) {
        (Value::Object(prior), Value::Object(planned)) => parts_are(block, timeouts, prior, planned),
        _ => prior == planned,
    }
}

/// True where two values of an attribute are equal or mean the same, as a null of one type and one of another do.
pub(crate) fn means_same(it: &Attribute, prior: &Value, planned: &Value) -> bool {
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
        means_same(it, prior, planned)
    }) && block.blocks.iter().filter(|it| is_part(&it.name)).all(|it| {
        let (prior, planned) = pair(&it.name);
        prior == planned || nested(it.nesting, &it.block, prior, planned)
    })
}

/// The elements of a set are found by their values, so there only equal ones are the same.
fn nested(nesting: Nesting, block: &Block, prior: &Value, planned: &Value) -> bool {
    let same = |prior: &Value, planned: &Value| match (prior, planned) {
        (Value::Object(prior), Value::Object(planned)) => parts_are(block, None, prior, planned),
        _ => prior == planned,
    };
    match (nesting, prior, planned) {
        (Nesting::Single, ..) => same(prior, planned),
        (Nesting::List, Value::List(prior), Value::List(planned)) => {
            prior.len() == planned.len() && prior.iter().zip(planned).all(|(a, b)| same(a, b))
        }
        (Nesting::Map, Value::Map(prior), Value::Map(planned)) => {
            prior.keys().eq(planned.keys()) && prior.values().zip(planned.values()).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}
