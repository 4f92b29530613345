//! What core proposes: the configuration, with prior values where the provider may have computed them.
//!
//! Core's own heuristics, also where Ferroform does better: a provider must get along with what it is sent.

use std::collections::BTreeMap;

use ferroform::schema::{Attribute, Block, Mode, Nesting};
use ferroform::value::Value;

/// The object that core proposes for a configuration. Null stands for an object that is not there yet.
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
        // What only a configuration can have written was configured before, and has been taken out.
        let was_configured = it.mode == Mode::OptionalComputed
            && it.nested.as_ref().is_some_and(|it| holds_input(&it.block, prior));
        return if was_configured { Value::Null } else { prior.clone() };
    }
    match &it.nested {
        Some(it) => nested(it.nesting, &it.block, prior, config),
        None => config.clone(),
    }
}

/// True where something inside is there that the provider cannot have computed.
fn holds_input(block: &Block, value: &Value) -> bool {
    match value {
        Value::List(it) => it.iter().any(|it| holds_input(block, it)),
        Value::Set(it) => it.iter().any(|it| holds_input(block, it)),
        Value::Map(it) => it.values().any(|it| holds_input(block, it)),
        Value::Object(object) => block.attributes.iter().any(|it| {
            let value = object.get(&it.name).unwrap_or(&Value::Null);
            let inside = || it.nested.as_ref().is_some_and(|it| holds_input(&it.block, value));
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
            let mut left: Vec<&Value> =
                if let Value::Set(it) = prior { it.iter().collect() } else { Vec::new() };
            // Each with each, as core does it: a set of the size of a test.
            let pair = |config: &Value| {
                let at = left.iter().position(|prior| could_come_from(block, prior, config));
                let prior = at.map_or(&Value::Null, |at| left.remove(at));
                element(block, prior, config)
            };
            Value::set(elements.iter().map(pair).collect::<Vec<_>>())
        }
        _ => config.clone(),
    }
}

fn element(block: &Block, prior: &Value, config: &Value) -> Value {
    if config.is_unknown() { config.clone() } else { proposed(block, prior, config) }
}

/// True where the prior element is the configured one with nothing but computed values added.
fn could_come_from(block: &Block, prior: &Value, config: &Value) -> bool {
    if prior == config {
        return true;
    }
    let (Value::Object(prior), Value::Object(config)) = (prior, config) else {
        return false;
    };
    let pair =
        |name: &str| (prior.get(name).unwrap_or(&Value::Null), config.get(name).unwrap_or(&Value::Null));
    block.attributes.iter().all(|it| match (pair(&it.name), &it.nested) {
        ((prior, config), _) if prior == config => true,
        ((prior, config), Some(it)) => parts_could_come_from(it.nesting, &it.block, prior, config),
        ((_, config), None) => it.mode.is_computed() && config.is_null(),
    }) && block.blocks.iter().all(|it| {
        let (prior, config) = pair(&it.name);
        prior == config || parts_could_come_from(it.nesting, &it.block, prior, config)
    })
}

fn parts_could_come_from(nesting: Nesting, block: &Block, prior: &Value, config: &Value) -> bool {
    let one = |prior: &Value, config: &Value| could_come_from(block, prior, config);
    match (nesting, prior, config) {
        (Nesting::Single, ..) => one(prior, config),
        (Nesting::List, Value::List(prior), Value::List(config)) if prior.len() == config.len() => {
            prior.iter().zip(config).all(|(prior, config)| one(prior, config))
        }
        (Nesting::Map, Value::Map(prior), Value::Map(config)) if prior.keys().eq(config.keys()) => {
            prior.values().zip(config.values()).all(|(prior, config)| one(prior, config))
        }
        // Sets inside sets must be equal.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::read;
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

    /// Prior, configuration and proposal, each as a configuration.
    fn check(prior: Configuration, config: Configuration, wanted: Configuration) {
        let mut lenient = outer();
        lenient.attributes.iter_mut().for_each(|it| it.mode = Mode::OptionalComputed);
        let read = |it: &Configuration| read(&lenient, it).unwrap_or_else(|error| panic!("{error}"));
        let value = proposed(&outer(), &read(&prior), &read(&config));
        assert_eq!(value, read(&wanted));
    }

    #[test]
    fn computed_values_are_carried_over_and_others_are_not() {
        check(config! { id = "1", note = "old", zone = "a" }, config! {}, config! { id = "1", zone = "a" });
        check(
            config! { id = "1", note = "old", zone = "a" },
            config! { note = "new", zone = "b" },
            config! { id = "1", note = "new", zone = "b" },
        );
    }

    #[test]
    fn lists_pair_by_index_maps_by_key_and_sets_by_what_is_configured() {
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
    fn what_was_configured_before_is_not_taken_for_computed() {
        check(config! { owner = { name = "me", id = "1" } }, config! {}, config! {});
        let only_computed = || config! { owner = { name = null, id = "1" } };
        check(only_computed(), config! {}, only_computed());
    }
}
