//! What services do with the objects that they keep.

use ferroform::value::{Number, Value};

use crate::backend::{each_field, each_object};
use crate::behaviour::Behaviour;
use crate::config::TEXTS;
use crate::dice::Dice;
use crate::schema::{Field, Kind};

/// The object in other words that mean the same.
pub(crate) fn respelled(dice: &mut Dice, fields: &[Field], object: Value) -> Value {
    each_field(fields, object, |field, value| match (&field.kind, value) {
        (Kind::Objects(_, inside), it) => {
            let respelled = each_object(it.clone(), |it| respelled(dice, inside, it));
            if count(&respelled) < count(&it) { it } else { respelled }
        }
        (Kind::List, Value::List(mut it)) if field.says(Behaviour::SemanticEq) && dice.chance(50) => {
            it.reverse();
            Value::List(it)
        }
        (_, Value::String(it)) if is_lax(field) && dice.chance(50) => in_other_case(&it),
        (_, it) => it,
    })
}

/// docs/element-matching.md: a service that answers two elements of a set in one spelling leaves
/// one of them, which is the author's to refuse.
fn count(value: &Value) -> usize {
    if let Value::Set(it) = value { it.len() } else { 0 }
}

fn is_lax(field: &Field) -> bool {
    matches!(field.kind, Kind::AnyCase)
        || field.says(Behaviour::SemanticEq)
        || field.says(Behaviour::SuppressOnRefresh)
}

fn in_other_case(text: &str) -> Value {
    let is_upper = text.chars().any(char::is_uppercase);
    Value::string(if is_upper { text.to_lowercase() } else { text.to_uppercase() })
}

/// The object as it may be after somebody else was at work.
pub(crate) fn drifted(dice: &mut Dice, fields: &[Field], object: Value) -> Value {
    each_field(fields, object, |field, value| {
        if field.says(Behaviour::WriteOnly) {
            return value;
        }
        match &field.kind {
            kind if field.says(Behaviour::Key) && dice.chance(20) => new_key(dice, kind),
            _ if field.says(Behaviour::Key) => value,
            _ if field.is_nullable() && dice.chance(6) => Value::Null,
            Kind::Objects(_, inside) => {
                each_object(with_elements_moved(dice, value), |it| drifted(dice, inside, it))
            }
            kind if dice.chance(20) => another(dice, kind),
            _ => value,
        }
    })
}

fn with_elements_moved(dice: &mut Dice, value: Value) -> Value {
    let (is_lost, is_moved) = (dice.chance(20), dice.chance(20));
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

/// One that no other element has: DESIGN.md, "Pairing may not depend on what is unknown", says what remains uncertain
/// of elements with the same key.
fn new_key(dice: &mut Dice, kind: &Kind) -> Value {
    let number = 1000 + dice.below(1_000_000_000);
    match kind {
        Kind::Number => Value::Number(Number::from(number)),
        _ => Value::string(format!("key {number}")),
    }
}

fn another(dice: &mut Dice, kind: &Kind) -> Value {
    let text = Value::string(dice.one_of(&TEXTS));
    match kind {
        Kind::Text | Kind::AnyCase => text,
        Kind::Number => Value::Number(Number::from(dice.below(4))),
        Kind::Bool => Value::Bool(dice.chance(50)),
        Kind::List => Value::List(vec![text]),
        Kind::Set => Value::set([text]),
        Kind::Map => Value::map([("k", text)]),
        Kind::Objects(..) => unreachable!("a nested object is walked through"),
    }
}

/// The plan with its sets in another order, at every depth.
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
