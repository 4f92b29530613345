//! Walks over values.

pub mod sorted_lookup;

use ferroform_value::{Step, Value};

/// Visits each element or attribute of a value, one step deep.
pub fn for_each_child(value: &Value, visit: &mut dyn FnMut(Step, &Value)) {
    match value {
        Value::List(it) | Value::Tuple(it) => {
            it.iter().enumerate().for_each(|(i, it)| visit(Step::Index(i), it));
        }
        Value::Set(it) => it.iter().for_each(|it| visit(Step::Element(Box::new(it.clone())), it)),
        Value::Map(it) => it.iter().for_each(|(key, it)| visit(Step::Key(key.clone()), it)),
        Value::Object(it) => it.iter().for_each(|(name, it)| visit(Step::Attribute(name.clone()), it)),
        Value::Dynamic(it) => for_each_child(&it.value, visit),
        _ => {}
    }
}

/// True if Terraform can store the value: it is wholly known and has no infinite numbers.
pub(crate) fn is_storable(value: &Value) -> bool {
    let mut is_storable = true;
    value.walk(&mut |_, it| {
        is_storable &= !matches!(it, Value::Unknown(_));
        is_storable &= !matches!(it, Value::Number(it) if it.is_infinite());
        is_storable
    });
    is_storable
}
