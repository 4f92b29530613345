//! Projections: the parts of an object by which elements of sets are compared.
//!
//! The *inputs* of an object are the values that only the configuration can set: attributes that are not computed
//! or that have a default, and the same inside nested objects. Inputs are compared in their canonical form.
//!
//! Example: an object with the attributes `port` and `note` (optional), and `id` (computed).
//!
//! ```text
//! object  { port = 80, note = null, id = "1" }
//! inputs  [80, null]
//! ```

use std::borrow::Cow;

use ferroform_value::{Object, Set, Value};

use crate::schema::{Attribute, Block, NestedBlock, Nesting};

/// The values that identify an element, in the order of the schema. Two keys are comparable if they are projections of
/// the same kind.
pub(crate) type Key<'a> = Vec<Cow<'a, Value>>;

/// The parts of an object that a projection contains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectionKind {
    /// The inputs.
    Inputs,
    /// The inputs without those that may keep a prior value. Semantic equality and `suppress_diff` make different
    /// values equal, so these cannot be compared by their values.
    ExactInputs,
    /// The same as `ExactInputs` with the values that the provider sets: for objects that were read or returned.
    ExactValues,
}

impl ProjectionKind {
    fn includes(self, it: &Attribute) -> bool {
        match self {
            ProjectionKind::Inputs => it.is_input(),
            ProjectionKind::ExactInputs => it.is_input() && !it.can_keep_prior_value(),
            ProjectionKind::ExactValues => !it.write_only && !it.can_keep_prior_value(),
        }
    }

    fn includes_block(self, it: &NestedBlock) -> bool {
        self == ProjectionKind::ExactValues || !it.computed
    }
}

/// The parts of an object, without the members for which `omits` returns true. Attributes count first, then blocks.
pub(crate) fn projection<'a>(
    block: &Block,
    object: &'a Object,
    kind: ProjectionKind,
    omits: impl Fn(usize) -> bool,
) -> Key<'a> {
    let of = |name: &str| object.get_or_null(name);
    let attributes = block.attributes.iter().enumerate().filter(|(at, _)| !omits(*at));
    let attributes = attributes.filter_map(|(_, it)| attribute(it, of(&it.name), kind));
    let blocks = block.blocks.iter().enumerate();
    let blocks = blocks.filter(|(at, it)| kind.includes_block(it) && !omits(block.attributes.len() + at));
    let blocks = blocks.map(|(_, it)| nested(&it.block, of(&it.name), kind));
    attributes.chain(blocks).collect()
}

/// For each member, whether it has inputs that are not wholly known; empty if there are none.
pub(super) fn unknown_members(block: &Block, object: &Object) -> Vec<bool> {
    if object.values().all(Value::is_wholly_known) {
        return Vec::new();
    }
    let of = |name: &str| object.get_or_null(name);
    let is_unknown = |it: Option<Cow<'_, Value>>| it.is_some_and(|it| !it.is_wholly_known());
    let attributes =
        block.attributes.iter().map(|it| is_unknown(attribute(it, of(&it.name), ProjectionKind::Inputs)));
    let blocks = block.blocks.iter().map(|it| {
        is_unknown((!it.computed).then(|| nested(&it.block, of(&it.name), ProjectionKind::Inputs)))
    });
    let members: Vec<bool> = attributes.chain(blocks).collect();
    if members.contains(&true) { members } else { Vec::new() }
}

fn attribute<'a>(it: &Attribute, value: &'a Value, kind: ProjectionKind) -> Option<Cow<'a, Value>> {
    if !kind.includes(it) {
        return None;
    }
    Some(match &it.nested {
        Some(inside) => nested(&inside.block, value, kind),
        None => it.canonical(value),
    })
}

/// The inputs of nested objects, at every depth.
fn nested<'a>(block: &Block, value: &'a Value, kind: ProjectionKind) -> Cow<'a, Value> {
    if !block.facts().can_differ_from_configuration {
        return Cow::Borrowed(value);
    }
    let inside = |it: &Value| nested(block, it, kind).into_owned();
    Cow::Owned(match value {
        Value::List(it) => Value::List(it.iter().map(inside).collect()),
        // Elements that differ only in computed values are not merged.
        Value::Set(it) => Value::Set(Set::with_duplicates(it.iter().map(inside).collect())),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), inside(it))).collect()),
        Value::Object(object) => {
            Value::List(projection(block, object, kind, |_| false).into_iter().map(Cow::into_owned).collect())
        }
        _ => return Cow::Borrowed(value),
    })
}

/// Everything that the configuration sets in an object: its inputs, and the optional and computed values that are
/// configured. The values are those of `object`, which is the configured object itself or one that is compared with
/// it. Nested sets are represented by their inputs.
pub(super) fn configured_projection<'a>(block: &Block, config: &Object, object: &'a Object) -> Key<'a> {
    let mut key = Key::new();
    for it in block.attributes.iter().filter(|it| !is_left_to_provider(it, config)) {
        let (config, value) = (config.get_or_null(&it.name), object.get_or_null(&it.name));
        key.push(match &it.nested {
            // Compared by `has_configured_values`.
            _ if it.can_keep_prior_value() => Cow::Owned(Value::Null),
            Some(nested) => configured_nested(nested.nesting, &nested.block, config, value),
            None => Cow::Borrowed(value),
        });
    }
    for it in block.blocks.iter().filter(|it| !is_block_left_to_provider(it, config)) {
        let (config, value) = (config.get_or_null(&it.name), object.get_or_null(&it.name));
        key.push(configured_nested(it.nesting, &it.block, config, value));
    }
    key
}

fn configured_nested<'a>(
    nesting: Nesting,
    block: &Block,
    config: &Value,
    value: &'a Value,
) -> Cow<'a, Value> {
    let inside =
        |config: &Value, value: &Value| configured_nested(Nesting::Single, block, config, value).into_owned();
    match (config, value) {
        _ if !block.facts().can_differ_from_configuration => Cow::Borrowed(value),
        _ if nesting == Nesting::Set => nested(block, value, ProjectionKind::ExactInputs),
        (Value::Object(config), Value::Object(value)) => {
            let key = configured_projection(block, config, value);
            Cow::Owned(Value::List(key.into_iter().map(Cow::into_owned).collect()))
        }
        (Value::List(config), Value::List(value)) if config.len() == value.len() => Cow::Owned(Value::List(
            config.iter().zip(value).map(|(config, value)| inside(config, value)).collect(),
        )),
        (Value::Map(config), Value::Map(value)) if config.keys().eq(value.keys()) => {
            let entries = config.iter().zip(value.values());
            Cow::Owned(Value::Map(
                entries.map(|((key, config), it)| (key.clone(), inside(config, it))).collect(),
            ))
        }
        _ => Cow::Borrowed(value),
    }
}

/// The shape of a configured object: which values it sets, at every depth outside of nested sets. Configured
/// projections are comparable if their shapes are equal.
pub(super) fn shape(block: &Block, config: &Object) -> Vec<Value> {
    let attributes = block.attributes.iter().map(|it| match &it.nested {
        _ if is_left_to_provider(it, config) => Value::Bool(false),
        Some(nested) => nested_shape(nested.nesting, &nested.block, config.get_or_null(&it.name)),
        None => Value::Bool(true),
    });
    let blocks = block.blocks.iter().map(|it| match is_block_left_to_provider(it, config) {
        true => Value::Bool(false),
        false => nested_shape(it.nesting, &it.block, config.get_or_null(&it.name)),
    });
    attributes.chain(blocks).collect()
}

fn nested_shape(nesting: Nesting, block: &Block, config: &Value) -> Value {
    let inside = |it: &Value| nested_shape(Nesting::Single, block, it);
    match config {
        _ if nesting == Nesting::Set || !block.facts().can_differ_from_configuration => Value::Bool(true),
        Value::Object(config) => Value::List(shape(block, config)),
        Value::List(it) => Value::List(it.iter().map(inside).collect()),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), inside(it))).collect()),
        _ => Value::Bool(true),
    }
}

/// True if the configuration leaves an attribute to the provider. Write-only values are never stored, so they count
/// as left to the provider.
pub(super) fn is_left_to_provider(it: &Attribute, config: &Object) -> bool {
    it.write_only || !it.is_input() && config.get(&it.name).is_none_or(Value::is_null)
}

/// True if the configuration leaves a block to the provider.
pub(super) fn is_block_left_to_provider(it: &NestedBlock, config: &Object) -> bool {
    it.computed && config.get(&it.name).is_none_or(|value| it.is_absent(value))
}
