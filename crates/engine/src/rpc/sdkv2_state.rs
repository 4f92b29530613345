//! Upgrades of states that an SDKv2 provider wrote: the values that SDKv2 stores for omitted arguments become null.
//!
//! SDKv2 does not distinguish null from the zero value of a type, so a state can contain either of them for an omitted
//! argument. Terraform plans a change if the zero value differs from the configuration.
//!
//! | stored value | of | becomes null |
//! |---|---|---|
//! | empty string, list, set or map | an optional attribute | yes |
//! | empty, 0 or false | an attribute whose type or validators reject the value | yes, because no configuration sets it |
//! | empty, 0 or false | a computed attribute whose type rejects the value | yes |
//! | 0 or false | other attributes | no, because a configuration can set it |
//!
//! ```text
//! stored state  { name = "a", comment = "", labels = {}, replicas = 0 }
//! state         { name = "a", comment = null, labels = null, replicas = 0 }
//! ```

use ferroform_value::Value;

use crate::rpc::generate_resource_config::is_rejected;
use crate::schema::{Attribute, Block, Member, is_empty};
use crate::state::overlay;

/// The state with null for the values that SDKv2 stores for omitted arguments. Where the Rust type does not accept null, the
/// value is a placeholder until the next read.
pub fn without_unset_values(block: &Block, state: Value) -> Value {
    overlay::with_placeholders(block, &with_nulls(block, state))
}

fn with_nulls(block: &Block, state: Value) -> Value {
    block.map_members(state, &|member, value| {
        let value = match member.nested() {
            Some((_, inside)) => with_nulls(inside, value),
            None => value,
        };
        match member {
            Member::Attribute(it) if is_unset(it, &value) => Value::Null,
            _ => value,
        }
    })
}

fn is_unset(attribute: &Attribute, value: &Value) -> bool {
    if !(attribute.nullable || attribute.mode.is_computed()) || value.is_null() {
        return false;
    }
    attribute.empty_is_null && is_empty(value)
        || is_zero(value) && (!attribute.accepts(value) || is_rejected(attribute, value))
}

/// True if it is the zero value of a type of SDKv2.
fn is_zero(value: &Value) -> bool {
    is_empty(value) || *value == Value::from(0) || *value == Value::from(false)
}
