//! Behaviors of APIs: semantically equal values, drift, and another order of set elements.

use ferroform::value::{Number, Value};

use crate::backend::{each_field, each_object};
use crate::behavior::Behavior;
use crate::config::STRINGS;
use crate::rng::Rng;
use crate::schema::{Field, Kind};

/// Replaces values by semantically equal ones.
pub(crate) fn normalized(rng: &mut Rng, fields: &[Field], object: Value) -> Value {
    each_field(fields, object, |field, value| match (&field.kind, value) {
        (Kind::Objects(_, inside), it) => {
            let normalized = each_object(it.clone(), |it| normalized(rng, inside, it));
            if count(&normalized) < count(&it) { it } else { normalized }
        }
        (Kind::List, Value::List(mut it)) if field.has(Behavior::SemanticEq) && rng.chance(50) => {
            it.reverse();
            Value::List(it)
        }
        (_, Value::String(it)) if has_semantic_equality(field) && rng.chance(50) => with_other_case(&it),
        (_, it) => it,
    })
}

/// Returns the number of set elements. An API that normalizes two elements of a set to the same value would merge
/// them. The documentation of element matching requires provider authors to reject such configurations.
fn count(value: &Value) -> usize {
    if let Value::Set(it) = value { it.len() } else { 0 }
}

fn has_semantic_equality(field: &Field) -> bool {
    matches!(field.kind, Kind::CaseInsensitive)
        || field.has(Behavior::SemanticEq)
        || field.has(Behavior::SuppressOnRefresh)
}

fn with_other_case(string: &str) -> Value {
    let is_upper = string.chars().any(char::is_uppercase);
    Value::string(if is_upper { string.to_lowercase() } else { string.to_uppercase() })
}

/// Changes an object as another client of the API may do.
pub(crate) fn drifted(rng: &mut Rng, fields: &[Field], object: Value) -> Value {
    each_field(fields, object, |field, value| {
        if field.has(Behavior::WriteOnly) {
            return value;
        }
        match &field.kind {
            kind if field.has(Behavior::Key) && rng.chance(20) => new_key(rng, kind),
            _ if field.has(Behavior::Key) => value,
            _ if field.is_nullable() && rng.chance(6) => Value::Null,
            Kind::Objects(_, inside) => {
                each_object(with_elements_moved(rng, value), |it| drifted(rng, inside, it))
            }
            kind if rng.chance(20) => random_value(rng, kind),
            _ => value,
        }
    })
}

fn with_elements_moved(rng: &mut Rng, value: Value) -> Value {
    let (is_lost, is_moved) = (rng.chance(20), rng.chance(20));
    match value {
        Value::List(mut it) => {
            it.drain(..usize::from(is_lost && !it.is_empty()));
            if is_moved {
                it.reverse();
            }
            Value::List(it)
        }
        Value::Set(it) => Value::set(it.iter().skip(usize::from(is_lost)).cloned()),
        Value::Map(it) => Value::Map(it.into_iter().skip(usize::from(is_lost)).collect()),
        other => other,
    }
}

/// Returns a key that no other element has: elements with equal keys are ambiguous (see `docs/element-matching.md`).
fn new_key(rng: &mut Rng, kind: &Kind) -> Value {
    let number = 1000 + rng.below(1_000_000_000);
    match kind {
        Kind::Number => Value::Number(Number::from(number)),
        _ => Value::string(format!("key {number}")),
    }
}

fn random_value(rng: &mut Rng, kind: &Kind) -> Value {
    let string = Value::string(rng.one_of(&STRINGS));
    match kind {
        Kind::String | Kind::CaseInsensitive => string,
        Kind::Number => Value::Number(Number::from(rng.below(4))),
        Kind::Bool => Value::Bool(rng.chance(50)),
        Kind::List => Value::List(vec![string]),
        Kind::Set => Value::set([string]),
        Kind::Map => Value::map([("k", string)]),
        Kind::Objects(..) => unreachable!("the metadata descends into nested objects"),
    }
}

/// Reorders the sets of a plan, at every depth.
pub(crate) fn reordered(fields: &[Field], object: Value) -> Value {
    each_field(fields, object, |field, value| {
        let value = match &field.kind {
            Kind::Objects(_, inside) => each_object(value, |it| reordered(inside, it)),
            _ => value,
        };
        match value {
            Value::Set(it) => {
                let mut elements: Vec<_> = it.iter().cloned().collect();
                elements.reverse();
                Value::set(elements)
            }
            other => other,
        }
    })
}
