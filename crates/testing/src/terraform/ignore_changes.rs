//! `ignore_changes`: the prior values replace the configured ones.

use ferroform::schema::{Block, Mode as AttributeMode};
use ferroform::value::{Path, Step, Value};
use ferroform_engine::schema::Member;
use ferroform_lang::body::TraversalStep;
use ferroform_lang::marks::{Marks, path_after_conversion};

use super::configuration::Lifecycle;
use super::decode::Decoded;

/// Replaces ignored values of the configuration, and their marks, with those of the prior state.
pub(crate) fn ignore_changes(
    lifecycle: &Lifecycle<'_>,
    block: &Block,
    (prior, prior_marks): (&Value, &Marks),
    decoded: &mut Decoded,
) {
    if prior.is_null() {
        return;
    }
    if lifecycle.ignores_all {
        decoded.value = configurable(block, prior);
        decoded.marks = prior_marks.clone();
        return;
    }
    for it in &lifecycle.ignored {
        ignore(&mut decoded.value, prior, &it.steps);
        let Some(path) = path_after_conversion(&attribute_path(&it.steps), block.ty()) else { continue };
        let is_ignored = |it: &Path| it.steps().starts_with(path.steps());
        let configured = decoded.marks.iter().filter(|(it, _)| !is_ignored(it));
        let kept = configured.chain(prior_marks.iter().filter(|(it, _)| is_ignored(it)));
        decoded.marks = kept.map(|(path, mark)| (path.clone(), mark)).collect();
    }
}

/// The attribute path of the steps of a static reference.
pub(crate) fn attribute_path(steps: &[TraversalStep]) -> Path {
    let steps = steps.iter().filter_map(|it| match it {
        TraversalStep::Name(name) => Some(Step::Attribute(name.as_str().into())),
        TraversalStep::Index(Value::String(key)) => Some(Step::Key(key.clone())),
        TraversalStep::Index(Value::Number(index)) => {
            Some(Step::Index(usize::try_from(index.to_u64()?).ok()?))
        }
        TraversalStep::Index(_) => None,
    });
    steps.collect()
}

/// The state without computed attributes that cannot be configured.
fn configurable(block: &Block, state: &Value) -> Value {
    let Value::Object(object) = state else {
        return match state {
            Value::Null => Value::Null,
            _ => state.map_elements(|_, it| configurable(block, it)),
        };
    };
    let members = block.members().map(|member| {
        let value = object.get_or_null(member.name());
        let is_computed = matches!(member, Member::Attribute(it) if it.mode() == AttributeMode::Computed);
        let value = match member.nested() {
            _ if is_computed => Value::Null,
            Some((_, inside)) => configurable(inside, value),
            None => value.clone(),
        };
        (member.name().clone(), value)
    });
    Value::Object(members.collect())
}

fn ignore(config: &mut Value, prior: &Value, steps: &[TraversalStep]) {
    let Some((step, rest)) = steps.split_first() else {
        *config = prior.clone();
        return;
    };
    let name = match step {
        TraversalStep::Name(name) => Some(name.clone()),
        TraversalStep::Index(Value::String(key)) => Some(key.to_string()),
        TraversalStep::Index(_) => None,
    };
    match (&mut *config, prior) {
        (Value::Object(object), Value::Object(of_prior)) => {
            if let Some(name) = name
                && let Some(value) = object.get_mut(&name)
            {
                ignore(value, of_prior.get_or_null(&name), rest);
            }
        }
        (Value::Map(map), Value::Map(of_prior)) => {
            let Some(name) = name else { return };
            match (map.get_mut(name.as_str()), of_prior.get(name.as_str())) {
                (Some(value), Some(prior)) => ignore(value, prior, rest),
                (None, Some(prior)) if rest.is_empty() => {
                    map.insert(name.into(), prior.clone());
                }
                (Some(_), None) if rest.is_empty() => {
                    map.remove(name.as_str());
                }
                _ => {}
            }
        }
        // The configuration omits the map, which has the ignored element.
        (Value::Null, Value::Map(of_prior)) if rest.is_empty() => {
            if let Some(name) = name
                && let Some(prior) = of_prior.get(name.as_str())
            {
                *config = Value::map([(name, prior.clone())]);
            }
        }
        (Value::List(list), Value::List(of_prior)) => {
            let TraversalStep::Index(Value::Number(index)) = step else { return };
            let Some(index) = index.to_u64().and_then(|it| usize::try_from(it).ok()) else { return };
            if let (Some(value), Some(prior)) = (list.get_mut(index), of_prior.get(index)) {
                ignore(value, prior, rest);
            }
        }
        _ => {}
    }
}
