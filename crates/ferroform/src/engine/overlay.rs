//! Lays what the provider wrote over what was planned, and what was read over what was known.

use ferroform_value::{Object, Path, Step, Type, Value};

use crate::schema::{Attribute, Block, Nesting};

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
            // Inside a set nothing can be write-only, and no other element is known to be the same one.
            Value::set(elements.iter().map(|it| zip(block, it, it, leaf)))
        }
        _ => main.clone(),
    }
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

/// What a checkpoint had kept, laid over the object: the place and the value of each.
pub(super) fn restore(object: &mut Value, kept: Vec<(Path, Value)>) {
    for (place, value) in kept {
        if let Some(slot) = slot(object, place.steps()) {
            *slot = value;
        }
    }
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
    zip(block, value, value, &|it, value, _| match value {
        _ if value.is_wholly_known() && (it.nullable || !value.is_null()) => value.clone(),
        _ if it.write_only || it.nullable => Value::Null,
        _ => it.default.as_ref().map_or_else(|| empty(&it.ty), |default| default()),
    })
}

fn empty(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Number => Value::from(0),
        Type::String => Value::string(""),
        Type::Dynamic => Value::Null,
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::Map(Default::default()),
        Type::Object(it) => {
            Value::Object(it.attributes().iter().map(|a| (a.name.clone(), empty(&a.ty))).collect())
        }
        Type::Tuple(it) => Value::Tuple(it.iter().map(empty).collect()),
    }
}
