//! The proposed new state: the configuration merged with the computed values of the prior state.
//!
//! This module follows Terraform's own algorithm (`objchange.ProposedNew`), including its heuristics for sets: the
//! engine has to work with the proposed new state that Terraform sends.
//!
//! ```text
//! configuration:       { name = "new" }
//! prior state:         { name = "old", id = "1" }    # `id` is computed
//! proposed new state:  { name = "new", id = "1" }
//! ```

use std::collections::BTreeMap;

use ferroform::schema::{Attribute, Block, Mode, Nesting};
use ferroform::value::Value;

/// Returns the proposed new state for a configuration. The prior state of an object that does not exist is null.
pub(crate) fn proposed(block: &Block, prior: &Value, config: &Value) -> Value {
    let Value::Object(config) = config else {
        return prior.clone();
    };
    let prior = prior.as_object();
    let null = Value::Null;
    let attributes = block.attributes.iter().map(|it| {
        let config = config.get(&it.name).unwrap_or(&null);
        let prior = prior.and_then(|prior| prior.get(&it.name)).unwrap_or(&null);
        (it.name.clone(), attribute(it, prior, config))
    });
    let blocks = block.blocks.iter().map(|it| {
        let config = config.get(&it.name).unwrap_or(&null);
        let prior = prior.and_then(|prior| prior.get(&it.name)).unwrap_or(&null);
        (it.name.clone(), nested(it.nesting, &it.block, prior, config))
    });
    Value::Object(attributes.chain(blocks).collect())
}

fn attribute(it: &Attribute, prior: &Value, config: &Value) -> Value {
    if it.mode.is_computed() && config.is_null() {
        // A prior object with a value that the provider cannot compute was configured, and is now removed.
        let was_configured = it.mode == Mode::OptionalComputed
            && it.nested.as_ref().is_some_and(|it| has_configured_value(&it.block, prior));
        return if was_configured { Value::Null } else { prior.clone() };
    }
    match &it.nested {
        Some(it) => nested(it.nesting, &it.block, prior, config),
        None => config.clone(),
    }
}

/// Returns true if the value contains a value that the provider cannot have computed.
fn has_configured_value(block: &Block, value: &Value) -> bool {
    match value {
        Value::List(it) => it.iter().any(|it| has_configured_value(block, it)),
        Value::Set(it) => it.iter().any(|it| has_configured_value(block, it)),
        Value::Map(it) => it.values().any(|it| has_configured_value(block, it)),
        Value::Object(object) => block.attributes.iter().any(|it| {
            let value = object.get(&it.name).unwrap_or(&Value::Null);
            let inside = || it.nested.as_ref().is_some_and(|it| has_configured_value(&it.block, value));
            !value.is_null() && (!it.mode.is_computed() || inside())
        }),
        _ => false,
    }
}

fn nested(nesting: Nesting, block: &Block, prior: &Value, config: &Value) -> Value {
    match (nesting, config) {
        (Nesting::Single, Value::Object(_)) => proposed(block, prior, config),
        (Nesting::List, Value::List(elements)) => {
            let prior: &[Value] = if let Value::List(it) = prior { it } else { &[] };
            let at = |i| prior.get(i).unwrap_or(&Value::Null);
            Value::List(elements.iter().enumerate().map(|(i, it)| element(block, at(i), it)).collect())
        }
        (Nesting::Map, Value::Map(elements)) => {
            let none = BTreeMap::new();
            let prior = if let Value::Map(it) = prior { it } else { &none };
            let at = |key: &str| prior.get(key).unwrap_or(&Value::Null);
            Value::Map(elements.iter().map(|(key, it)| (key.clone(), element(block, at(key), it))).collect())
        }
        (Nesting::Set, Value::Set(elements)) => {
            let mut unmatched: Vec<&Value> =
                if let Value::Set(it) = prior { it.iter().collect() } else { Vec::new() };
            // Terraform also compares each element with each prior element.
            let matched = |config: &Value| {
                let index = unmatched.iter().position(|prior| can_come_from(block, prior, config));
                let prior = index.map_or(&Value::Null, |index| unmatched.remove(index));
                element(block, prior, config)
            };
            Value::set(elements.iter().map(matched).collect::<Vec<_>>())
        }
        _ => config.clone(),
    }
}

fn element(block: &Block, prior: &Value, config: &Value) -> Value {
    if config.is_unknown() { config.clone() } else { proposed(block, prior, config) }
}

/// Returns true if the prior element differs from the configured one only in computed values.
fn can_come_from(block: &Block, prior: &Value, config: &Value) -> bool {
    if prior == config {
        return true;
    }
    let (Value::Object(prior), Value::Object(config)) = (prior, config) else {
        return false;
    };
    let values =
        |name: &str| (prior.get(name).unwrap_or(&Value::Null), config.get(name).unwrap_or(&Value::Null));
    block.attributes.iter().all(|it| match (values(&it.name), &it.nested) {
        ((prior, config), _) if prior == config => true,
        ((prior, config), Some(it)) => elements_can_come_from(it.nesting, &it.block, prior, config),
        ((_, config), None) => it.mode.is_computed() && config.is_null(),
    }) && block.blocks.iter().all(|it| {
        let (prior, config) = values(&it.name);
        prior == config || elements_can_come_from(it.nesting, &it.block, prior, config)
    })
}

fn elements_can_come_from(nesting: Nesting, block: &Block, prior: &Value, config: &Value) -> bool {
    let matches = |prior: &Value, config: &Value| can_come_from(block, prior, config);
    match (nesting, prior, config) {
        (Nesting::Single, ..) => matches(prior, config),
        (Nesting::List, Value::List(prior), Value::List(config)) if prior.len() == config.len() => {
            prior.iter().zip(config).all(|(prior, config)| matches(prior, config))
        }
        (Nesting::Map, Value::Map(prior), Value::Map(config)) if prior.keys().eq(config.keys()) => {
            prior.values().zip(config.values()).all(|(prior, config)| matches(prior, config))
        }
        // Terraform does not compare the elements of nested sets one by one: the sets must be equal.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::evaluate;
    use crate::{Configuration, config};
    use ferroform::schema::Nested;
    use ferroform::value::Type;

    fn inner() -> Block {
        Block::new()
            .attribute(Attribute::raw("name", Type::String))
            .attribute(Attribute::raw("id", Type::String).computed())
            .attribute(Attribute::raw("size", Type::Number).optional_computed())
    }

    fn outer() -> Block {
        let optional = |it: Attribute| it.mode(Mode::Optional);
        Block::new()
            .attribute(Attribute::raw("id", Type::String).computed())
            .attribute(optional(Attribute::raw("note", Type::String)))
            .attribute(Attribute::raw("zone", Type::String).optional_computed())
            .attribute(optional(Attribute::raw_nested("list", Nested::list(inner()))))
            .attribute(optional(Attribute::raw_nested("set", Nested::set(inner()))))
            .attribute(optional(Attribute::raw_nested("map", Nested::map(inner()))))
            .attribute(Attribute::raw_nested("owner", Nested::single(inner())).optional_computed())
    }

    /// The prior state and the expected proposed new state are written as configurations.
    fn check(prior: Configuration, config: Configuration, expected: Configuration) {
        let mut all_configurable = outer();
        all_configurable.attributes.iter_mut().for_each(|it| it.mode = Mode::OptionalComputed);
        let read =
            |it: &Configuration| evaluate(&all_configurable, it).unwrap_or_else(|error| panic!("{error}"));
        let value = proposed(&outer(), &read(&prior), &read(&config));
        assert_eq!(value, read(&expected));
    }

    #[test]
    fn computed_values_keep_their_prior_value_and_optional_values_do_not() {
        check(config! { id = "1", note = "old", zone = "a" }, config! {}, config! { id = "1", zone = "a" });
        check(
            config! { id = "1", note = "old", zone = "a" },
            config! { note = "new", zone = "b" },
            config! { id = "1", note = "new", zone = "b" },
        );
    }

    #[test]
    fn lists_match_by_index_maps_by_key_and_sets_by_configured_values() {
        check(
            config! { list = [{ name = "a", id = "1" }, { name = "b", id = "2" }] },
            config! { list = [{ name = "b" }] },
            config! { list = [{ name = "b", id = "1" }] },
        );
        check(
            config! { map = { x = { name = "a", id = "1" } } },
            config! { map = { x = { name = "b" }, y = { name = "a" } } },
            config! { map = { x = { name = "b", id = "1" }, y = { name = "a" } } },
        );
        check(
            config! { set = [{ name = "a", id = "1", size = 1 }, { name = "b", id = "2", size = 2 }] },
            config! { set = [{ name = "b" }, { name = "a", size = 5 }] },
            config! { set = [{ name = "b", id = "2", size = 2 }, { name = "a", size = 5 }] },
        );
    }

    #[test]
    fn previously_configured_object_is_not_treated_as_computed() {
        check(config! { owner = { name = "me", id = "1" } }, config! {}, config! {});
        let only_computed = || config! { owner = { name = null, id = "1" } };
        check(only_computed(), config! {}, only_computed());
    }
}
