//! Lays what the provider wrote over what was planned, and what was read over what was known.

use std::collections::HashSet;

use ferroform_value::{Object, Path, Set, Step, Type, Value};

use super::blocks;
use super::fit::fits;
use crate::schema::{Attribute, Block, Nesting};
use crate::{Diagnostic, Diagnostics};

/// The planned object with the write-only values of the configuration: what `create` and `update` are given.
pub(super) fn with_write_only(block: &Block, planned: &Value, config: &Value) -> Value {
    zip(block, planned, config, &|it, planned, config| {
        if it.write_only { config.clone() } else { planned.clone() }
    })
}

/// The object without its write-only values: what a state may hold.
pub(super) fn without_write_only(block: &Block, value: &Value) -> Value {
    zip(block, value, value, &|it, value, _| if it.write_only { Value::Null } else { value.clone() })
}

/// The object that was read or made, but with the known value wherever the two mean the same.
pub(super) fn keep_same(block: &Block, known: &Value, new: &Value) -> Value {
    zip(block, new, known, &|it, new, known| {
        let comparable = !known.is_null() && known.is_wholly_known() && !new.is_null();
        if comparable { it.keep(known, new) } else { new.clone() }
    })
}

/// Rebuilds `main`, asking `leaf` for each attribute without nested objects, with the value that stands at
/// the same place in `other`: null where there is none.
///
/// Elements of lists pair by index and of maps by key. Elements of sets pair with nothing: the attribute's
/// own equality decides over the set as a whole.
fn zip(
    block: &Block,
    main: &Value,
    other: &Value,
    leaf: &dyn Fn(&Attribute, &Value, &Value) -> Value,
) -> Value {
    let Value::Object(main) = main else { return main.clone() };
    let null = Value::Null;
    let beside = |name: &str| other.attribute(name).unwrap_or(&null);
    let attributes = block.attributes.iter().map(|it| {
        let value = main.get(&it.name).unwrap_or(&null);
        let made = match &it.nested {
            Some(nested) if !it.write_only => {
                zip_nested(nested.nesting, &nested.block, value, beside(&it.name), leaf)
            }
            _ => leaf(it, value, beside(&it.name)),
        };
        (it.name.clone(), made)
    });
    let blocks = block.blocks.iter().map(|it| {
        let absent = it.absent();
        let value = main.get(&it.name).filter(|it| !it.is_null()).unwrap_or(&absent);
        (it.name.clone(), zip_nested(it.nesting, &it.block, value, beside(&it.name), leaf))
    });
    Value::Object(attributes.chain(blocks).collect())
}

fn zip_nested(
    nesting: Nesting,
    block: &Block,
    main: &Value,
    other: &Value,
    leaf: &dyn Fn(&Attribute, &Value, &Value) -> Value,
) -> Value {
    let null = Value::Null;
    match (nesting, main) {
        (Nesting::Single, Value::Object(_)) => zip(block, main, other, leaf),
        (Nesting::List, Value::List(elements)) => {
            let others: &[Value] = if let Value::List(it) = other { it } else { &[] };
            let pairs = elements.iter().enumerate();
            Value::List(pairs.map(|(i, it)| zip(block, it, others.get(i).unwrap_or(&null), leaf)).collect())
        }
        (Nesting::Map, Value::Map(entries)) => {
            let beside = |key: &str| if let Value::Map(it) = other { it.get(key) } else { None };
            Value::Map(
                entries
                    .iter()
                    .map(|(key, it)| (key.clone(), zip(block, it, beside(key).unwrap_or(&null), leaf)))
                    .collect(),
            )
        }
        (Nesting::Set, Value::Set(elements)) => {
            let others = if let Value::Set(it) = other { it } else { &Set::default() };
            Value::Set(zip_set(block, elements, others, leaf))
        }
        _ => main.clone(),
    }
}

/// The elements of a set, each beside the other one that it is: the equal one, or else the first that `leaf`
/// makes it fit. Only what differs is tried with what differs.
fn zip_set(
    block: &Block,
    elements: &Set,
    others: &Set,
    leaf: &dyn Fn(&Attribute, &Value, &Value) -> Value,
) -> Set {
    let equal: HashSet<&Value> = elements.iter().filter(|it| others.contains(it)).collect();
    let mut left: Vec<&Value> = others.iter().filter(|it| !equal.contains(it)).collect();
    let beside = |element: &Value, left: &mut Vec<&Value>| {
        if equal.contains(element) || left.is_empty() || !has_own_equality(block) {
            return zip(block, element, element, leaf);
        }
        let made = |other: &Value| zip(block, element, other, leaf);
        match left.iter().position(|other| fits(other, &made(other))) {
            Some(at) => made(left.remove(at)),
            None => zip(block, element, element, leaf),
        }
    };
    elements.iter().map(|it| beside(it, &mut left)).collect()
}

/// True where an attribute inside has a type with an equality of its own: else what is equal is equal.
fn has_own_equality(block: &Block) -> bool {
    block
        .attributes
        .iter()
        .any(|it| it.has_own_equality() || it.nested.as_ref().is_some_and(|it| has_own_equality(&it.block)))
        || block.blocks.iter().any(|it| has_own_equality(&it.block))
}

/// The planned object with the computed attributes that the provider answered.
pub(super) fn fill(planned: &Value, computed: Object) -> Value {
    let Value::Object(planned) = planned else { return planned.clone() };
    let mut filled = planned.clone();
    for (name, value) in computed {
        filled.insert(name, value);
    }
    Value::Object(filled)
}

/// What a checkpoint had kept, laid over the object. Answers what could not be: a place that is not computed
/// or not there, or a value that its type cannot hold.
pub(super) fn restore(block: &Block, object: &mut Value, kept: Vec<(Path, Value)>) -> Diagnostics {
    let mut faults = Diagnostics::new();
    for (place, value) in kept {
        let fault = match (computed(block, &place, &value), slot(object, place.steps())) {
            (Some((_, fits)), Some(slot)) if place.steps().len() > 1 || fits => {
                *slot = value;
                continue;
            }
            (Some((ty, _)), _) => format!("its type is {ty}, and this is a {}", value.kind()),
            (None, _) => "it is no computed attribute".to_owned(),
        };
        let detail = format!(
            "The provider kept something at \"{place}\", but {fault}. This is a bug in the provider."
        );
        faults.push(Diagnostic::error("Invalid checkpoint").detail(detail));
    }
    faults
}

/// The type of the attribute or block at whose root the place is, where the provider writes it or something
/// inside, and whether it can hold the value.
fn computed(block: &Block, place: &Path, value: &Value) -> Option<(Type, bool)> {
    let Some(Step::Attribute(name)) = place.steps().first() else { return None };
    if let Some(it) = block.get(name) {
        let is_computed = it.mode.is_computed() || it.holds_computed();
        return is_computed.then(|| (it.ty.clone(), it.accepts(value)));
    }
    let it = block.blocks.iter().find(|it| it.name == *name)?;
    let ty = it.ty();
    let fits = super::contract::conforms(value, &ty).is_empty();
    (it.computed || it.block.holds_computed()).then_some((ty, fits))
}

fn slot<'a>(value: &'a mut Value, steps: &[Step]) -> Option<&'a mut Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(value) };
    let next = match (step, value) {
        (Step::Attribute(name), Value::Object(it)) => it.get_mut(name),
        (Step::Index(i), Value::List(it) | Value::Tuple(it)) => it.get_mut(*i),
        (Step::Key(key), Value::Map(it)) => it.get_mut(key),
        _ => None,
    }?;
    slot(next, rest)
}

/// An object that was only half made, or stored by an older provider that knew less, with something in every
/// place: the state must be readable, so that the next plan can replace or destroy it. What the author's type
/// can do without is null; what it cannot is the default, or else the empty value of its type.
pub(super) fn settle(block: &Block, value: &Value) -> Value {
    let value = &blocks::settled(block, value.clone());
    zip(block, value, value, &|it, value, _| match value {
        _ if is_storable(value) && (it.nullable || !value.is_null()) => value.clone(),
        _ if it.write_only || it.nullable => Value::Null,
        _ => it.default.as_ref().map_or_else(|| it.placeholder(), |default| default()),
    })
}

/// True where the host can store the value: it is known, and no number in it is infinite.
pub(super) fn is_storable(value: &Value) -> bool {
    let mut storable = true;
    value.walk(&mut |_, it| {
        storable &= !matches!(it, Value::Unknown(_)) && !matches!(it, Value::Number(it) if it.is_infinite());
        storable
    });
    storable
}
