//! Walks over values.

use ferroform_value::Value;

/// True if Terraform can store the value: it is wholly known and has no infinite numbers.
pub(crate) fn is_storable(value: &Value) -> bool {
    match value.without_type() {
        Value::Unknown(_) => false,
        Value::Number(it) => !it.is_infinite(),
        Value::Object(it) => it.values().all(is_storable),
        it => it.elements().all(is_storable),
    }
}
