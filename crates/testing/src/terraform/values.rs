//! The values of objects and of their instances, with their marks.

use std::convert::Infallible;

use ferroform::schema::Block;
use ferroform::value::{Path, Type, Typed, Value, json};
use ferroform_engine::schema::Member;
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::InstanceKey;
use super::configuration::Repetition;
use crate::workspace::Json;

/// Combines the values of the instances of a resource or module call: an object, a tuple, or an object by key.
pub(crate) fn combined(instances: Vec<(InstanceKey, Marked)>, repetition: RepetitionKind) -> Marked {
    match repetition {
        RepetitionKind::Single => {
            instances.into_iter().next().map_or_else(|| Marked::unknown(Type::Dynamic), |(_, value)| value)
        }
        RepetitionKind::Count => Marked::tuple(instances.into_iter().map(|(_, value)| value)),
        RepetitionKind::ForEach => {
            Marked::object(instances.into_iter().filter_map(|(key, value)| match key {
                InstanceKey::Name(name) => Some((name.as_str().into(), value)),
                _ => None,
            }))
        }
    }
}

/// The kind of repetition of a block, which determines the type of references to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepetitionKind {
    Single,
    Count,
    ForEach,
}

/// The values of `each` or `count` of an instance.
pub(crate) fn instance_values(key: &InstanceKey, value: Option<&Marked>) -> Option<(&'static str, Marked)> {
    match key {
        InstanceKey::None | InstanceKey::Unknown => None,
        InstanceKey::Index(index) => {
            let index = Typed::new(Type::Number, Value::Number((*index as u64).into()));
            Some(("count", Marked::object([("index".into(), index.into())])))
        }
        InstanceKey::Name(name) => {
            let key = Marked::from(Typed::new(Type::String, name.as_str().into()));
            let value = value.cloned().unwrap_or_else(|| key.clone());
            Some(("each", Marked::object([("key".into(), key), ("value".into(), value)])))
        }
    }
}

/// An object with the marks of its schema and of the configuration.
pub(crate) fn marked(block: &Block, value: &Value, sensitive: &Marks) -> Marked {
    let ty = block.ty();
    let typed = Typed::resolve(value.clone(), ty).unwrap_or_else(|_| Typed::new(ty.clone(), value.clone()));
    Marked { typed, marks: marks_of(block, value, sensitive) }
}

/// The marks of an object, from its schema and from the configuration.
pub(crate) fn marks_of(block: &Block, value: &Value, sensitive: &Marks) -> Marks {
    let is_set = |path: &&Path| value.at(path).is_some_and(|it| !it.is_null());
    let mut marked: Vec<Path> = sensitive.paths(Mark::Sensitive).filter(is_set).cloned().collect();
    if !value.is_null() {
        block.walk(value, &mut |path, member, _| {
            let is_sensitive = matches!(member, Member::Attribute(it) if it.is_sensitive());
            marked.extend(is_sensitive.then(|| path.clone()));
            !is_sensitive
        });
    }
    marked.into_iter().map(|path| (path, Mark::Sensitive)).collect()
}

/// Returns the configuration with an unknown value for each computed attribute that is omitted.
pub(crate) fn with_unknown_computed(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else {
        return match value {
            Value::Null | Value::Unknown(_) => value.clone(),
            _ => value.map_elements(|_, it| with_unknown_computed(block, it)),
        };
    };
    let members = block.members().map(|member| {
        let value = object.get_or_null(member.name());
        let is_computed = matches!(member, Member::Attribute(it) if it.can_be_set_by_provider());
        let planned = match member.nested() {
            _ if value.is_null() && is_computed => Value::UNKNOWN,
            Some((_, inside)) => with_unknown_computed(inside, value),
            None => value.clone(),
        };
        (member.name().clone(), planned)
    });
    Value::Object(members.collect())
}

/// The JSON of a value without its type; unknown values are null.
pub(crate) fn plain_json(value: &Value) -> Json {
    let text = json::encode_simple(value).unwrap_or_else(|_| b"null".to_vec());
    serde_json::from_slice(&text).unwrap_or(Json::Null)
}

/// The value with null for each unknown value inside it.
pub(crate) fn unknown_as_null(value: &Value) -> Value {
    let known = |it: Value| if it.is_unknown() { Value::Null } else { it };
    let Ok(value) = value.clone().transform(&mut |_, it| Ok::<_, Infallible>(known(it)));
    value
}

/// Returns the kind of a repetition.
pub(crate) fn repetition_kind(repetition: &Repetition<'_>) -> RepetitionKind {
    match repetition {
        Repetition::None => RepetitionKind::Single,
        Repetition::Count(_) => RepetitionKind::Count,
        Repetition::ForEach(_) => RepetitionKind::ForEach,
    }
}

/// Unknown values for `count` and `each`.
pub(crate) fn unknown_values(repetition: &Repetition<'_>) -> Vec<(&'static str, Marked)> {
    match repetition {
        Repetition::None => Vec::new(),
        Repetition::Count(_) => {
            vec![("count", Marked::object([("index".into(), Marked::unknown(Type::Number))]))]
        }
        Repetition::ForEach(_) => {
            let (key, value) = (Marked::unknown(Type::String), Marked::unknown(Type::Dynamic));
            vec![("each", Marked::object([("key".into(), key), ("value".into(), value)]))]
        }
    }
}

/// Adds unknown values for instances without an object: the only instance, or those before the last index.
pub(crate) fn add_missing_instances(
    values: &mut Vec<(InstanceKey, Marked)>,
    kind: RepetitionKind,
    ty: &Type,
) {
    match kind {
        RepetitionKind::Single if values.is_empty() => {
            values.push((InstanceKey::None, Marked::unknown(ty.clone())));
        }
        RepetitionKind::Count => {
            let mut next = 0;
            for (key, value) in std::mem::take(values) {
                while key > InstanceKey::Index(next) {
                    values.push((InstanceKey::Index(next), Marked::unknown(ty.clone())));
                    next += 1;
                }
                values.push((key, value));
                next += 1;
            }
        }
        _ => {}
    }
}
