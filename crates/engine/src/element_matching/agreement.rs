//! Agreement: whether an object has everything that a configuration sets, at every depth. A value that differs but may stay
//! in place of the configured one counts as equal.

use ferroform_value::{Object, Value};

use super::projection::{is_block_left_to_provider, is_left_to_provider};
use super::{ElementMatches, Match, NULL, elements};
use crate::schema::{Attribute, Block, Nesting};

/// True where the object has everything that the configuration sets. What the
/// configuration leaves to the provider may be anything, and so may what it does not know yet.
pub(super) fn agrees(block: &Block, config: &Object, object: &Object) -> bool {
    let pair = |name: &str| (config.get(name).unwrap_or(&NULL), object.get(name).unwrap_or(&NULL));
    let attributes = block.attributes.iter().filter(|it| !is_left_to_provider(it, config));
    let mut blocks = block.blocks.iter().filter(|it| !is_block_left_to_provider(it, config));
    attributes.into_iter().all(|it| {
        let (config, value) = pair(&it.name);
        let nested = it.nested.as_deref();
        is_equal(it, value, config)
            || nested
                .map_or(!config.is_wholly_known(), |it| nested_agrees(it.nesting, &it.block, config, value))
    }) && blocks.all(|it| {
        let (config, value) = pair(&it.name);
        config == value || nested_agrees(it.nesting, &it.block, config, value)
    })
}

/// True where the known value stays in place of the new one.
pub(super) fn is_equal(it: &Attribute, known: &Value, new: &Value) -> bool {
    it.same(known, new) || it.suppresses(known, new)
}

fn nested_agrees(nesting: Nesting, block: &Block, config: &Value, value: &Value) -> bool {
    if config.is_unknown() {
        return true;
    }
    if !block.facts().can_differ_from_configuration && config.is_wholly_known() {
        return config == value;
    }
    match (config, value) {
        (Value::Object(config), Value::Object(value)) => agrees(block, config, value),
        (Value::Map(config), Value::Map(value)) if !config.keys().eq(value.keys()) => false,
        (Value::Set(config), Value::Set(value)) if config.len() != value.len() => false,
        // In a set it cannot be told what an element with unknown parts is.
        (Value::Set(it), Value::Set(_)) if !it.iter().all(Value::is_wholly_known) => true,
        (Value::Set(_), Value::Set(_)) => {
            let matches = ElementMatches::of(nesting, block, config, value);
            let (config, value) = (elements(config), elements(value));
            config.iter().enumerate().all(|(i, config)| match matches.counterpart(i) {
                Match::Prior(at) => nested_agrees(Nesting::Single, block, config, value[at]),
                _ => false,
            })
        }
        (Value::List(_), Value::List(_)) | (Value::Map(_), Value::Map(_)) => {
            let (config, value) = (elements(config), elements(value));
            config.len() == value.len()
                && config
                    .iter()
                    .zip(value)
                    .all(|(config, value)| nested_agrees(Nesting::Single, block, config, value))
        }
        _ => config == value,
    }
}
