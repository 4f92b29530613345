//! Overlays: combines the values that a method returned with the plan, and the values that were read with the prior
//! state.
//!
//! - The planned or prior value stays if the new value is semantically equal (`keep_semantically_equal`).
//! - Write-only values come from the configuration and are never stored.
//! - Missing values of partially created objects get placeholders (`with_placeholders`).
//!
//! ```text
//! planned state  { name = "A", id = unknown }
//! returned       { name = "a", id = "1" }     name has case-insensitive equality
//! new state      { name = "A", id = "1" }
//! ```

use std::borrow::Cow;

use ferroform_value::{Object, Value};

use crate::element_matching::{elements, planned_counterparts, prior_counterparts};
use crate::normalization::computed_blocks;
use crate::schema::{Attribute, Block, Member, Nesting};

/// The planned object with the write-only values of the configuration: the input of `create` and `update`.
pub(crate) fn with_write_only(block: &Block, planned: &Value, config: &Value) -> Value {
    let leaf =
        |attribute: &Attribute, _: &Value, config: &Value| attribute.write_only.then(|| config.clone());
    ObjectMerge { leaf: &leaf, source: None }.merge(block, planned, config)
}

/// The object with null for its write-only values, as a state contains it.
pub(crate) fn without_write_only(block: &Block, value: &Value) -> Value {
    let leaf = |attribute: &Attribute, _: &Value, _: &Value| attribute.write_only.then_some(Value::Null);
    ObjectMerge { leaf: &leaf, source: None }.merge(block, value, value)
}

/// The source of new values, which determines how they are compared with the previous ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// From `plan`, `create` or `update`: the previous values are the planned ones.
    Method,
    /// From `read`: the previous values are the prior ones.
    Read,
}

impl ValueSource {
    /// True if different values of the attribute may be equal.
    fn can_be_semantically_equal(self, attribute: &Attribute) -> bool {
        attribute.has_semantic_equality()
            || self == ValueSource::Read && attribute.behavior().suppress_on_refresh
    }

    /// The index of the previous element that corresponds to each new one.
    fn counterparts(
        self,
        nesting: Nesting,
        block: &Block,
        new: &[&Value],
        previous: &[&Value],
    ) -> Vec<Option<usize>> {
        match self {
            ValueSource::Method => planned_counterparts(nesting, block, new, previous),
            ValueSource::Read => prior_counterparts(nesting, block, new, previous),
        }
    }

    /// True if different values of an attribute inside the block may be equal.
    fn can_be_equal_inside(self, block: &Block) -> bool {
        let facts = block.facts();
        facts.has_semantic_equality || self == ValueSource::Read && facts.can_keep_prior_value
    }
}

/// The object that a method returned, with the previous value in place of each semantically equal one, and without
/// its write-only values.
pub(crate) fn keep_semantically_equal(
    block: &Block,
    previous: &Value,
    new: &Value,
    source: ValueSource,
) -> Value {
    let leaf = |attribute: &Attribute, new: &Value, previous: &Value| {
        if attribute.write_only {
            return Some(Value::Null);
        }
        // Terraform distinguishes nulls of different types in a dynamic value; a Rust type does not.
        if previous.is_null() && new.is_null() {
            return Some(previous.clone());
        }
        if previous.is_null() || new.is_null() || !source.can_be_semantically_equal(attribute) {
            return None;
        }
        // In a plan, elements of a collection can be unknown. The others are compared.
        if previous.is_unknown() {
            return None;
        }
        let is_suppressed = source == ValueSource::Read && attribute.behavior().suppress_on_refresh;
        if is_suppressed && attribute.is_diff_suppressed(previous, new) {
            return Some(previous.clone());
        }
        Some(attribute.keep_prior(previous, new))
    };
    ObjectMerge { leaf: &leaf, source: Some(source) }.merge(block, new, previous)
}

/// The plan that a method returned, with the unknown variants of the proposed new state. A Rust enum with data cannot
/// represent that an attribute may still turn out to be set, so those attributes are returned as null.
pub(crate) fn restore_unknown_variants(block: &Block, proposed: &Value, returned: Value) -> Value {
    match (proposed, returned) {
        (_, returned) if !block.facts().has_choice => returned,
        (Value::Object(_), Value::Unknown(_)) if block.is_choice() => proposed.clone(),
        (Value::Object(object), returned @ Value::Object(_)) => {
            block.map_members(returned, &|member, it| match (object.get(member.name()), member.nested()) {
                (Some(proposed @ Value::Unknown(_)), _) if block.is_choice() && it == Value::Null => {
                    proposed.clone()
                }
                (Some(proposed), Some((_, inside))) => restore_unknown_variants(inside, proposed, it),
                _ => it,
            })
        }
        // Terraform does not match the elements of planned sets, so null is accepted there.
        (_, returned) => {
            let mut proposed = returned.at_same_steps(proposed);
            returned.map_elements(|_, it| {
                restore_unknown_variants(block, proposed.next().flatten().unwrap_or(&Value::Null), it.clone())
            })
        }
    }
}

/// Replaces values in an object: `leaf` returns the new value of each attribute without nested objects, or `None` to keep
/// it, from the value of the object and from the corresponding value of another object, which is null if there is none.
struct ObjectMerge<'a> {
    leaf: &'a dyn Fn(&Attribute, &Value, &Value) -> Option<Value>,
    /// If set, elements of lists and sets are matched. Otherwise elements of lists correspond by index, and elements of
    /// sets have no counterpart.
    source: Option<ValueSource>,
}

impl ObjectMerge<'_> {
    /// The object with all attributes and blocks of the schema, and with the replaced values.
    fn merge(&self, block: &Block, main: &Value, other: &Value) -> Value {
        self.object(block, main, other).unwrap_or_else(|| main.clone())
    }

    /// The merged object; `None` if it is equal to `main`, so that unchanged elements stay shared.
    fn object(&self, block: &Block, main: &Value, other: &Value) -> Option<Value> {
        let Value::Object(main) = main else { return None };
        let mut merged = Cow::Borrowed(main);
        let mut count = 0;
        for member in block.members() {
            count += 1;
            let name = member.name();
            let (value, other) = (main.get(name), other.attribute_or_null(name));
            let current = value.unwrap_or(&Value::Null);
            let replaced = match member {
                Member::Attribute(it) => self.attribute(it, current, other),
                Member::Block(it) if current.is_null() => Some(it.absent()).filter(|it| !it.is_null()),
                Member::Block(it) => self.nested(it.nesting, &it.block, current, other),
            };
            if let Some(replaced) = replaced.or_else(|| value.is_none().then_some(Value::Null)) {
                merged.to_mut().insert(name.clone(), replaced);
            }
        }
        if merged.len() > count {
            let known = merged.iter().filter(|(name, _)| block.member(name).is_some());
            merged = Cow::Owned(known.map(|(name, it)| (name.clone(), it.clone())).collect());
        }
        if let Cow::Owned(merged) = merged { Some(Value::Object(merged)) } else { None }
    }

    fn attribute(&self, attribute: &Attribute, main: &Value, other: &Value) -> Option<Value> {
        let is_leaf = attribute.write_only || self.source.is_none() && (main.is_null() || main.is_unknown());
        let Some(nested) = attribute.nested.as_ref().filter(|_| !is_leaf) else {
            // Only a plain null is no change: equal numbers can have different digits, and nulls different types.
            return (self.leaf)(attribute, main, other)
                .filter(|it| *it != Value::Null || *main != Value::Null);
        };
        if self.source.is_some_and(|source| source.can_be_semantically_equal(attribute)) {
            let whole = (self.leaf)(attribute, main, other);
            if whole.as_ref().unwrap_or(main) == other {
                return whole;
            }
        }
        self.nested(nested.nesting, &nested.block, main, other)
    }

    fn nested(&self, nesting: Nesting, block: &Block, main: &Value, other: &Value) -> Option<Value> {
        if nesting == Nesting::Single {
            return self.object(block, main, other);
        }
        let is_matched = |it: &ValueSource| nesting != Nesting::Map && it.can_be_equal_inside(block);
        let mut counterparts: Box<dyn Iterator<Item = Option<&Value>>> = match self.source.filter(is_matched)
        {
            Some(source) => {
                let others = elements(other);
                let indexes = source.counterparts(nesting, block, &elements(main), &others);
                Box::new(indexes.into_iter().map(move |at| at.map(|at| others[at])))
            }
            None => main.at_same_steps(other),
        };
        let merged = main.elements().map(|it| {
            let missing = if nesting == Nesting::Set { it } else { &Value::Null };
            self.object(block, it, counterparts.next().flatten().unwrap_or(missing))
        });
        let merged: Vec<Option<Value>> = merged.collect();
        let mut replaced = merged.iter().any(Option::is_some).then(|| merged.into_iter())?;
        Some(main.map_elements(|_, it| replaced.next().flatten().unwrap_or_else(|| it.clone())))
    }
}

/// The planned object with the computed values that the provider returned. The provider returns a mixed nested object
/// as a whole. Its inputs come from the plan.
pub(crate) fn with_computed_values(
    block: &Block,
    config: &Value,
    planned: &Value,
    computed: Object,
) -> Value {
    let Value::Object(object) = planned else { return planned.clone() };
    let mut object = object.clone();
    for (name, mut value) in computed {
        if let Some(member) = block.member(&name).filter(|it| it.nested().is_some()) {
            let (config, planned) = (config.attribute_or_null(&name), object.get_or_null(&name));
            keep_inputs(member, config, planned, &mut value);
        }
        object.insert(name, value);
    }
    Value::Object(object)
}

/// Replaces the inputs in a returned value with the planned values. An input is a value that only the configuration
/// or a default sets.
fn keep_inputs(member: Member<'_>, config: &Value, planned: &Value, returned: &mut Value) {
    match member.nested() {
        Some((_, block)) if !config.is_null() => keep_inputs_inside(block, config, planned, returned),
        _ if member.can_be_set_by_provider() => {}
        _ => *returned = planned.clone(),
    }
}

/// As [`keep_inputs`], in the objects inside a value. Elements of a set correspond by their keys. Without a key, they stay
/// as they are: an element with other inputs is reported as an inconsistent result.
fn keep_inputs_inside(block: &Block, config: &Value, planned: &Value, returned: &mut Value) {
    if matches!(returned, Value::Set(_)) && !block.facts().keys.is_empty() {
        let (all, config, planned) = (elements(returned), elements(config), elements(planned));
        let config_of = prior_counterparts(Nesting::Set, block, &all, &config);
        let planned_of = prior_counterparts(Nesting::Set, block, &all, &planned);
        let mut counterparts = config_of.into_iter().zip(planned_of);
        *returned = returned.map_elements(|_, it| {
            let mut merged = it.clone();
            if let Some((Some(of_config), Some(of_planned))) = counterparts.next() {
                keep_inputs_inside(block, config[of_config], planned[of_planned], &mut merged);
            }
            merged
        });
        return;
    }
    match (config, planned, returned) {
        (Value::Object(config), Value::Object(planned), Value::Object(returned)) => {
            for member in block.members() {
                let name = member.name();
                if let Some(slot) = returned.get_mut(name) {
                    keep_inputs(member, config.get_or_null(name), planned.get_or_null(name), slot);
                }
            }
        }
        (Value::List(config), Value::List(planned), Value::List(returned)) => {
            for ((config, planned), returned) in config.iter().zip(planned).zip(returned) {
                keep_inputs_inside(block, config, planned, returned);
            }
        }
        (Value::Map(config), Value::Map(planned), Value::Map(returned)) => {
            for (key, slot) in returned {
                if let (Some(config), Some(planned)) = (config.get(key), planned.get(key)) {
                    keep_inputs_inside(block, config, planned, slot);
                }
            }
        }
        _ => {}
    }
}

/// The object with placeholders for all values that Terraform or the Rust type cannot store: of a partially created
/// object, or of an object that an older version of the provider stored without them. The state must be readable, so
/// that the next plan can replace or destroy the object. A placeholder is null if the Rust type accepts null, otherwise
/// the static default, otherwise the empty value of the type.
pub fn with_placeholders(block: &Block, value: &Value) -> Value {
    let value = &computed_blocks::with_placeholders(block, value.clone());
    let leaf = |attribute: &Attribute, value: &Value, _: &Value| {
        let is_storable = crate::walk::is_storable(value)
            && crate::type_mismatch::conforms_to(value, attribute.ty())
            && (attribute.nullable || !value.is_null());
        if is_storable {
            return None;
        }
        if attribute.write_only || attribute.nullable {
            return Some(Value::Null);
        }
        let default = attribute.behavior().default.as_ref().and_then(|it| it.static_value());
        Some(default.unwrap_or_else(|| placeholder(attribute)))
    };
    ObjectMerge { leaf: &leaf, source: None }.merge(block, value, value)
}

fn placeholder(attribute: &Attribute) -> Value {
    match attribute.nested.as_deref() {
        Some(nested) if nested.nesting == Nesting::Single => placeholder_object(&nested.block),
        _ => attribute.placeholder(),
    }
}

/// An object of placeholders. For an enum with data, the first variant is set, because exactly one must be set.
fn placeholder_object(block: &Block) -> Value {
    let object = with_placeholders(block, &Value::Object(Object::default()));
    match (object, block.attributes().first()) {
        (Value::Object(mut object), Some(first)) if block.is_choice() => {
            object.insert(first.name.clone(), placeholder(first));
            Value::Object(object)
        }
        (object, _) => object,
    }
}
