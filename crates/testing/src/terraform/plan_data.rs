//! The planned object of a data source that is read during the apply.

use ferroform::schema::Block;
use ferroform::value::Value;
use ferroform_engine::schema::Member;

/// Returns the configuration with an unknown value for each computed attribute that is omitted.
pub(crate) fn planned(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else {
        return match value {
            Value::Null | Value::Unknown(_) => value.clone(),
            _ => value.map_elements(|_, it| planned(block, it)),
        };
    };
    let members = block.members().map(|member| {
        let value = object.get_or_null(member.name());
        let is_computed = matches!(member, Member::Attribute(it) if it.can_be_set_by_provider());
        let planned = match member.nested() {
            _ if value.is_null() && is_computed => Value::UNKNOWN,
            Some((_, inside)) => planned(inside, value),
            None => value.clone(),
        };
        (member.name().clone(), planned)
    });
    Value::Object(members.collect())
}
