//! Walks over values.

use ferroform_value::Value;

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
