//! Values of which it is not certain yet what they will be.

use ferroform_value::Value;

use crate::planning::pair::{has_meaning, may_stay};
use crate::schema::{Attribute, Block};

/// The value, unknown where it is not certain which of two it is.
pub(crate) fn either(a: Value, b: &Value) -> Value {
    match (a, b) {
        (a, b) if a == *b => a,
        (Value::Object(mut a), Value::Object(b)) => {
            for (name, it) in b.iter() {
                if let Some(slot) = a.get_mut(name) {
                    *slot = either(std::mem::replace(slot, Value::Null), it);
                }
            }
            Value::Object(a)
        }
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            Value::List(a.into_iter().zip(b).map(|(a, b)| either(a, b)).collect())
        }
        (Value::Map(a), Value::Map(b)) if a.keys().eq(b.keys()) => {
            Value::Map(a.into_iter().zip(b.values()).map(|((key, a), b)| (key, either(a, b))).collect())
        }
        _ => Value::UNKNOWN,
    }
}

/// An object in a set, or several, with whatever may stay of another one unknown.
pub(crate) fn unsure(block: &Block, made: Value) -> Value {
    if !has_meaning(block) {
        return made;
    }
    match made {
        Value::Object(mut object) => {
            for it in &block.attributes {
                if let Some(value) = object.get_mut(&it.name).filter(|it| !it.is_null()) {
                    *value = unsure_attribute(it, std::mem::replace(value, Value::Null));
                }
            }
            for it in &block.blocks {
                if let Some(value) = object.get_mut(&it.name) {
                    *value = unsure(&it.block, std::mem::replace(value, Value::Null));
                }
            }
            Value::Object(object)
        }
        Value::List(it) => Value::List(it.into_iter().map(|it| unsure(block, it)).collect()),
        Value::Set(it) => Value::Set(it.into_iter().map(|it| unsure(block, it)).collect()),
        Value::Map(it) => Value::Map(it.into_iter().map(|(key, it)| (key, unsure(block, it))).collect()),
        made => made,
    }
}

fn unsure_attribute(it: &Attribute, made: Value) -> Value {
    match it.nested.as_ref().filter(|_| it.behaviour().suppress.is_none()) {
        Some(nested) => unsure(&nested.block, made),
        None if may_stay(it) => Value::UNKNOWN,
        None => made,
    }
}
