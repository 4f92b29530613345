//! What a configuration says of an object at every depth, beside another object.
//!
//! What it leaves to the provider may be anything, also in objects that stand inside of others.

use std::hash::{Hash, Hasher};

use ferroform_value::{Object, Value};

use crate::planning::pair::{each_is_equal, is_left};
use crate::planning::side::{self, holds_unsaid};
use crate::schema::{Attribute, Block, NestedBlock};

static NULL: Value = Value::Null;

/// True where there is something to be compared in objects inside of the object that its attributes do not show.
pub(crate) fn is_deep(block: &Block) -> bool {
    let deep = |it: &Attribute| it.nested.as_ref().is_some_and(|it| holds_unsaid(&it.block));
    block.attributes.iter().any(deep) || block.blocks.iter().any(|it| holds_unsaid(&it.block))
}

/// Visits what stands inside of the object: each nested attribute and block that the configuration sets.
fn nested<'a>(block: &'a Block, config: &'a Object) -> impl Iterator<Item = (&'a str, &'a Block, &'a Value)> {
    let of = |name: &str| config.get(name).unwrap_or(&NULL);
    let attributes = block.attributes.iter().filter(|it| !is_left(it, config));
    let attributes =
        attributes.filter_map(move |it| Some((&*it.name, &it.nested.as_ref()?.block, of(&it.name))));
    let is_absent = move |it: &&NestedBlock| it.computed && it.is_absent(of(&it.name));
    let blocks = block.blocks.iter().filter(move |it| !is_absent(it));
    attributes.chain(blocks.map(move |it| (&*it.name, &it.block, of(&it.name))))
}

/// True where the other object has all that the configuration says inside of its nested objects, as far as that is
/// known; where these stand in sets, in whatever order.
pub(crate) fn agrees_inside(block: &Block, config: &Object, other: &Object) -> bool {
    nested(block, config).all(|(name, inside, config)| {
        !holds_unsaid(inside) || agree(inside, config, other.get(name).unwrap_or(&NULL))
    })
}

/// The same of what stands in a nested attribute or block.
pub(crate) fn agree(block: &Block, config: &Value, other: &Value) -> bool {
    match (config, other) {
        (Value::Object(config), Value::Object(other)) => {
            let mut plain = block.attributes.iter().filter(|it| it.nested.is_none() && !is_left(it, config));
            let same = |it: &Attribute| {
                let config = config.get(&it.name).unwrap_or(&NULL);
                it.same(other.get(&it.name).unwrap_or(&NULL), config) || !config.is_wholly_known()
            };
            plain.all(same)
                && nested(block, config)
                    .all(|(name, inside, config)| agree(inside, config, other.get(name).unwrap_or(&NULL)))
        }
        (Value::List(config), Value::List(other)) => {
            config.len() == other.len() && config.iter().zip(other).all(|(a, b)| agree(block, a, b))
        }
        (Value::Map(config), Value::Map(other)) => {
            config.len() == other.len()
                && config.iter().all(|(key, it)| other.get(key).is_some_and(|other| agree(block, it, other)))
        }
        (Value::Set(config), Value::Set(other)) if config.iter().all(Value::is_wholly_known) => {
            let (config, other): (Vec<_>, Vec<_>) = (config.iter().collect(), other.iter().collect());
            config.len() == other.len() && each_is_equal(block, &config, &other)
        }
        (Value::Set(_), Value::Set(_)) | (Value::Unknown(_), _) => true,
        _ => config == other,
    }
}

/// Tells apart which values a configuration leaves to the provider inside of nested objects, and how many.
pub(crate) fn shape(block: &Block, config: &Object) -> (usize, u64) {
    let (mut count, mut hasher) = (0, side::hasher());
    nested(block, config).for_each(|(_, inside, it)| shape_of(inside, it, &mut count, &mut hasher));
    (count, hasher.finish())
}

fn shape_of(block: &Block, config: &Value, count: &mut usize, hasher: &mut impl Hasher) {
    match config {
        Value::List(it) => it.iter().for_each(|it| shape_of(block, it, count, hasher)),
        Value::Map(it) => it.values().for_each(|it| shape_of(block, it, count, hasher)),
        Value::Object(config) => {
            for it in &block.attributes {
                let is_left = is_left(it, config);
                *count += usize::from(is_left && !it.write_only);
                is_left.hash(hasher);
            }
            nested(block, config).for_each(|(_, inside, it)| shape_of(inside, it, count, hasher));
        }
        // Which of its elements is which is another question.
        Value::Set(it) => it.iter().for_each(|it| shape_of(block, it, count, &mut side::hasher())),
        it => it.is_unknown().hash(hasher),
    }
}

/// A hash of those parts of the nested objects in an object of which the configuration says something. Those of two
/// that agree with the same configuration are equal.
pub(crate) fn hash(block: &Block, config: &Object, other: &Object) -> u64 {
    let mut hasher = side::hasher();
    for (name, inside, config) in nested(block, config) {
        hash_of(inside, config, other.get(name).unwrap_or(&NULL), &mut hasher);
    }
    hasher.finish()
}

fn hash_of(block: &Block, config: &Value, other: &Value, hasher: &mut impl Hasher) {
    match (config, other) {
        (Value::Object(config), Value::Object(other)) => {
            let plain = block.attributes.iter().filter(|it| it.nested.is_none() && !is_left(it, config));
            for it in plain.filter(|it| !it.has_own_equality()) {
                it.canonical(other.get(&it.name).unwrap_or(&NULL)).hash(hasher);
            }
            for (name, inside, config) in nested(block, config) {
                hash_of(inside, config, other.get(name).unwrap_or(&NULL), hasher);
            }
        }
        (Value::List(config), Value::List(other)) if config.len() == other.len() => {
            config.iter().zip(other).for_each(|(a, b)| hash_of(block, a, b, hasher));
        }
        (Value::Map(config), Value::Map(other)) if config.keys().eq(other.keys()) => {
            config.values().zip(other.values()).for_each(|(a, b)| hash_of(block, a, b, hasher));
        }
        (Value::Set(_), Value::Set(it)) => it.len().hash(hasher),
        _ => other.hash(hasher),
    }
}
