//! Stored values: keeps the values of a stored state that an upgrade or a move has only formatted in another way.
//!
//! An upgrade converts the stored state to Rust types and back, which normalizes every value. Without this step, renaming one
//! attribute would change the others in the state, and resources that refer to them would be replaced.
//!
//! Example: the upgrade renames `zone` to `location`, and `expires` is a timestamp.
//!
//! ```text
//! stored state    { "zone": "eu", "expires": "2030-01-01T01:00:00+01:00" }
//! upgraded state  { location = "eu", expires = "2030-01-01T00:00:00Z" }
//! new state       { location = "eu", expires = "2030-01-01T01:00:00+01:00" }
//! ```

use ferroform_value::{Type, Typed, Value, json};

use crate::schema::{Block, Nesting};
use crate::state::overlay::{self, ValueSource};

/// The upgraded state, with the stored value in place of each semantically equal one. Values are compared if the stored state
/// has an attribute of the same name, whose value fits the type of the schema.
pub(crate) fn keep_stored(block: &Block, stored: &[u8], upgraded: Value) -> Value {
    if !block.facts().has_semantic_equality {
        return upgraded;
    }
    let decoded = json::implied_type(stored).and_then(|ty| Ok((json::decode(stored, &ty)?, ty)));
    // The upgrade has read the state already, so an error is impossible here; it would only keep the upgraded values.
    let Ok((stored, ty)) = decoded else { return upgraded };
    overlay::keep_semantically_equal(block, &fitting(block, &stored, &ty), &upgraded, ValueSource::Method)
}

/// The object of the schema that contains each stored value that fits, and null for the others.
fn fitting(block: &Block, stored: &Value, ty: &Type) -> Value {
    let (Value::Object(stored), Type::Object(types)) = (stored, ty) else { return Value::Null };
    let find = |name: &str| Some((stored.get(name)?, &types.get(name)?.ty));
    let fitting = block.members().map(|it| {
        let value = find(it.name()).map(|(value, ty)| match it.nested() {
            Some((nesting, block)) => fitting_collection(nesting, block, value, ty),
            None => Typed::new(ty.clone(), value.clone()).fit(it.ty()).unwrap_or(Value::Null),
        });
        (it.name().clone(), value.unwrap_or(Value::Null))
    });
    Value::Object(fitting.collect())
}

/// The same for a nested object or a collection of them. JSON arrays are tuples, and JSON objects are objects.
fn fitting_collection(nesting: Nesting, block: &Block, stored: &Value, ty: &Type) -> Value {
    match (nesting, stored, ty) {
        (Nesting::Single, ..) => fitting(block, stored, ty),
        (Nesting::List | Nesting::Set, Value::Tuple(stored), Type::Tuple(types)) => {
            let elements = stored.iter().zip(types.iter()).map(|(it, ty)| fitting(block, it, ty));
            match nesting {
                Nesting::Set => Value::set(elements),
                _ => Value::List(elements.collect()),
            }
        }
        (Nesting::Map, Value::Object(stored), Type::Object(types)) => {
            let entries = stored.iter().filter_map(|(key, it)| Some((key, it, &types.get(key)?.ty)));
            Value::map(entries.map(|(key, it, ty)| (key.to_string(), fitting(block, it, ty))))
        }
        _ => Value::Null,
    }
}
