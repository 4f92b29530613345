//! Lays what the provider wrote over what was planned, and what was read over what was known.

use ferroform_value::{NfcString, Object, Set, Value};

use crate::element_matching::{elements, planned_counterparts, prior_counterparts};
use crate::schema::{Attribute, Block, Nesting};
use crate::state::blocks;
use crate::walk::in_order::InOrder;

/// The planned object with the write-only values of the configuration: what `create` and `update` are given.
pub(crate) fn with_write_only(block: &Block, planned: &Value, config: &Value) -> Value {
    let leaf = |it: &Attribute, planned: &Value, config: &Value| {
        if it.write_only { config.clone() } else { planned.clone() }
    };
    Zip { leaf: &leaf, by_meaning: None }.object(block, planned, config)
}

/// The object without its write-only values: what a state may hold.
pub(crate) fn without_write_only(block: &Block, value: &Value) -> Value {
    let leaf = |it: &Attribute, value: &Value, _: &Value| {
        if it.write_only { Value::Null } else { value.clone() }
    };
    Zip { leaf: &leaf, by_meaning: None }.object(block, value, value)
}

/// When values are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// After a method that makes or changes an object, or its plan.
    Change,
    /// After a method that reads it.
    Read,
}

impl After {
    fn compares(self, it: &Attribute) -> bool {
        it.has_own_equality() || self == After::Read && it.behaviour().suppress_on_refresh
    }

    /// The index of the known element for each new one.
    fn counterparts(
        self,
        nesting: Nesting,
        block: &Block,
        new: &[&Value],
        known: &[&Value],
    ) -> Vec<Option<usize>> {
        match self {
            After::Change => planned_counterparts(nesting, block, new, known),
            After::Read => prior_counterparts(nesting, block, new, known),
        }
    }

    /// True where an attribute inside is compared otherwise than by its value: else what is equal is equal.
    fn compares_inside(self, block: &Block) -> bool {
        let facts = block.facts();
        facts.has_different_equals || self == After::Read && facts.can_keep_prior_value
    }
}

/// The object that a method returned, with the known value in place of each semantically equal one, and without its
/// write-only values.
pub(crate) fn keep_same(block: &Block, known: &Value, new: &Value, after: After) -> Value {
    let leaf = |it: &Attribute, new: &Value, known: &Value| {
        if it.write_only {
            return Value::Null;
        }
        // A null of some type is not told from another one by the author's type, but it is by core.
        if known.is_null() && new.is_null() {
            return known.clone();
        }
        if known.is_null() || new.is_null() || !known.is_wholly_known() {
            return new.clone();
        }
        if after == After::Read && it.behaviour().suppress_on_refresh && it.suppresses(known, new) {
            return known.clone();
        }
        it.keep(known, new)
    };
    Zip { leaf: &leaf, by_meaning: Some(after) }.object(block, new, known)
}

/// The plan as an author's method answered it, with what the view of an enum with data cannot say: which attributes
/// of the plan that it was given may still turn out to be set.
pub(crate) fn reopen(block: &Block, given: &Value, mut answered: Value) -> Value {
    match (given, &mut answered) {
        _ if !block.facts().has_choice => {}
        (Value::Object(_), Value::Unknown(_)) if block.is_choice => return given.clone(),
        (Value::Object(given), Value::Object(object)) => {
            for it in block.attributes.iter().filter(|_| block.is_choice) {
                let open = given.get(&it.name).filter(|it| it.is_unknown());
                if let (Some(open), Some(answered @ Value::Null)) = (open, object.get_mut(&it.name)) {
                    *answered = open.clone();
                }
            }
            let attributes =
                block.attributes.iter().filter_map(|it| Some((&it.name, &it.nested.as_ref()?.block)));
            let blocks = block.blocks.iter().map(|it| (&it.name, &it.block));
            for (name, block) in attributes.chain(blocks) {
                if let (Some(given), Some(answered)) = (given.get(name), object.get_mut(name)) {
                    *answered = reopen(block, given, std::mem::replace(answered, Value::Null));
                }
            }
        }
        (Value::List(given), Value::List(answered)) => {
            for (given, answered) in given.iter().zip(answered) {
                *answered = reopen(block, given, std::mem::replace(answered, Value::Null));
            }
        }
        (Value::Map(given), Value::Map(answered)) => {
            for (key, answered) in answered {
                let given = given.get(key).unwrap_or(&Value::Null);
                *answered = reopen(block, given, std::mem::replace(answered, Value::Null));
            }
        }
        // Core cannot pair the elements of a set, and asks for their number only.
        _ => {}
    }
    answered
}

/// Rebuilds an object, asking `leaf` for each attribute without nested objects, with the value that stands at
/// the same place in another: null where there is none.
struct Zip<'a> {
    leaf: &'a dyn Fn(&Attribute, &Value, &Value) -> Value,
    /// Whether values are compared, and elements are looked for: else lists pair by index, and sets with nothing.
    by_meaning: Option<After>,
}

impl Zip<'_> {
    fn object(&self, block: &Block, main: &Value, other: &Value) -> Value {
        let Value::Object(main) = main else { return main.clone() };
        let null = Value::Null;
        let beside = |name: &str| other.attribute(name).unwrap_or(&null);
        let attributes = block.attributes.iter().map(|it| {
            let value = main.get(&it.name).unwrap_or(&null);
            (it.name.clone(), self.attribute(it, value, beside(&it.name)))
        });
        let blocks = block.blocks.iter().map(|it| {
            let absent = it.absent();
            let value = main.get(&it.name).filter(|it| !it.is_null()).unwrap_or(&absent);
            (it.name.clone(), self.nested(it.nesting, &it.block, value, beside(&it.name)))
        });
        Value::Object(attributes.chain(blocks).collect())
    }

    fn attribute(&self, it: &Attribute, main: &Value, other: &Value) -> Value {
        // What holds nothing is as it is, or it is the leaf's to say what it becomes.
        let is_leaf = it.write_only || self.by_meaning.is_none() && (main.is_null() || main.is_unknown());
        let Some(nested) = it.nested.as_ref().filter(|_| !is_leaf) else {
            return (self.leaf)(it, main, other);
        };
        if self.by_meaning.is_some_and(|after| after.compares(it)) {
            let whole = (self.leaf)(it, main, other);
            if whole == *other {
                return whole;
            }
        }
        self.nested(nested.nesting, &nested.block, main, other)
    }

    fn nested(&self, nesting: Nesting, block: &Block, main: &Value, other: &Value) -> Value {
        let null = Value::Null;
        match (nesting, main, other) {
            (Nesting::Single, Value::Object(_), _) => self.object(block, main, other),
            (Nesting::List, Value::List(_), other) => {
                let (main, others) = (elements(main), elements(other));
                let at = match self.by_meaning.filter(|it| it.compares_inside(block)) {
                    Some(after) => after.counterparts(nesting, block, &main, &others),
                    None => (0..main.len()).map(Some).collect(),
                };
                let other = |at: Option<usize>| at.and_then(|at| others.get(at).copied()).unwrap_or(&null);
                Value::List(main.iter().zip(at).map(|(it, at)| self.object(block, it, other(at))).collect())
            }
            (Nesting::Map, Value::Map(entries), _) => {
                let mut other = InOrder::of(Some(other));
                let entry = |(key, it): (&NfcString, &Value)| {
                    (key.clone(), self.object(block, it, other.get(key).unwrap_or(&null)))
                };
                Value::Map(entries.iter().map(entry).collect())
            }
            (Nesting::Set, Value::Set(_), _) => {
                let (main, others) = (elements(main), elements(other));
                let at = match self.by_meaning.filter(|it| it.compares_inside(block)) {
                    Some(after) => after.counterparts(nesting, block, &main, &others),
                    None => vec![None; main.len()],
                };
                let made = main
                    .iter()
                    .zip(at)
                    .map(|(it, at)| self.object(block, it, at.map_or(it, |at| others[at])));
                Value::Set(made.collect::<Set>())
            }
            _ => main.clone(),
        }
    }
}

/// The planned object with the computed attributes that the provider answered.
pub(crate) fn fill(planned: &Value, computed: Object) -> Value {
    let Value::Object(planned) = planned else { return planned.clone() };
    let mut filled = planned.clone();
    for (name, value) in computed {
        filled.insert(name, value);
    }
    Value::Object(filled)
}

/// An object that was only half made, or stored by an older provider that knew less, with something in every
/// place: the state must be readable, so that the next plan can replace or destroy it. What the author's type
/// can do without is null; what it cannot is the default, or else the empty value of its type.
pub(crate) fn settle(block: &Block, value: &Value) -> Value {
    let value = &blocks::settled(block, value.clone());
    let leaf = |it: &Attribute, value: &Value, _: &Value| match value {
        _ if crate::walk::is_storable(value)
            && crate::type_mismatch::is_of(value, &it.ty)
            && (it.nullable || !value.is_null()) =>
        {
            value.clone()
        }
        _ if it.write_only || it.nullable => Value::Null,
        _ => match (it.behaviour().default.as_ref().and_then(|it| it.fixed()), it.nested.as_deref()) {
            (Some(default), _) => default,
            (None, Some(it)) if it.nesting == Nesting::Single => settled_alone(&it.block),
            (None, _) => it.placeholder(),
        },
    };
    Zip { leaf: &leaf, by_meaning: None }.object(block, value, value)
}

/// An object of which nothing is there. Of one of several the first stands in, since one must be set.
fn settled_alone(block: &Block) -> Value {
    let alone = settle(block, &Value::Object(Object::default()));
    let (true, Some(first)) = (block.is_choice, block.attributes.first()) else { return alone };
    let inside = match first.nested.as_deref() {
        Some(it) if it.nesting == Nesting::Single => settled_alone(&it.block),
        _ => first.placeholder(),
    };
    fill(&alone, [(first.name.clone(), inside)].into_iter().collect())
}
