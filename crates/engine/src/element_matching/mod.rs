//! Element matching: which prior element an element of the configuration corresponds to.
//!
//! Values that the provider has set in an element belong to that element, so a plan must know the prior element of
//! each configured element. `ObjectMatches` contains the matches of an object and of everything inside it. It is
//! computed once for a plan and passed to every phase that needs it: the proposed new state, the plan modifiers and
//! the replacements.
//!
//! | collection | an element corresponds to |
//! |---|---|
//! | single object | the object at the same path |
//! | map | the element with the same map key |
//! | list or set whose elements have a `key` | the element with the same key (`keyed.rs`) |
//! | list without a key | the element at the same index |
//! | set without a key | the element that is equal in everything that only the configuration can set (`sets.rs`) |
//!
//! Example: a set of `{ port, note, id }` without a key, where `id` is computed and the others are optional.
//!
//! ```text
//! configuration  [{ port = 80 }, { port = 443, note = unknown }]
//! prior state    [{ port = 80, id = "1" }, { port = 443, note = "x", id = "2" }, { port = 22, id = "3" }]
//! matches        [Prior(0), Ambiguous]
//! planned state  [{ port = 80, id = "1" }, { port = 443, note = unknown, id = unknown }]
//! ```
//!
//! A plan for a configuration with unknown values is made again once they are known, and the final plan may differ
//! from the first one only where that was unknown. Therefore an element whose counterpart depends on an unknown
//! value is `Match::Ambiguous`, and everything that the provider may set in it is planned as unknown.

pub mod comparison_budget;
mod element;
mod elimination;
mod keyed;
mod projection;
mod set_order;
mod sets;
mod unknown_elements;

use std::collections::BTreeMap;
use std::convert::Infallible;

use ferroform_value::{NfcString, Object, Value};
use foldhash::{HashMap, HashMapExt as _};

pub(crate) use self::element::{Match, elements};
pub(crate) use self::keyed::duplicate_keys;
pub(crate) use self::projection::{Key, Projection, ProjectionKind};
pub(crate) use self::set_order::in_order_of;
use self::sets::MatchingOrder;
use crate::schema::{Block, Member, Nesting};

/// The matches in everything inside an object: one entry for each attribute of the schema and then for each block.
/// Empty for an object without nested objects, and for one without a counterpart.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectMatches {
    members: Vec<ElementMatches>,
}

/// The matches of the elements of one collection, in the order of the configuration. A single nested object counts as
/// one element.
#[derive(Clone, Debug, Default)]
pub(crate) struct ElementMatches {
    elements: Vec<ElementMatch>,
}

#[derive(Clone, Debug)]
struct ElementMatch {
    counterpart: Match,
    inside: ObjectMatches,
}

impl ObjectMatches {
    /// Matches everything inside a configured object, which has its defaults, with its counterpart.
    pub(crate) fn of(block: &Block, config: &Object, prior: &Object) -> ObjectMatches {
        if !block.facts().has_nested_objects {
            return ObjectMatches::default();
        }
        let inside = |member: Member<'_>| {
            let Some((nesting, block)) = member.nested() else { return ElementMatches::default() };
            let (config, prior) = (config.get_or_null(member.name()), prior.get_or_null(member.name()));
            ElementMatches::of(nesting, block, config, prior)
        };
        ObjectMatches { members: block.members().map(inside).collect() }
    }

    /// The matches in an attribute or block: attributes count first, then blocks. `None` if there is no
    /// counterpart.
    pub(crate) fn member(&self, index: usize) -> Option<&ElementMatches> {
        self.members.get(index)
    }
}

impl ElementMatches {
    /// Matches the elements of a configured collection, which has its defaults, with those of the prior one. Linear
    /// in the number of elements.
    pub(crate) fn of(nesting: Nesting, block: &Block, config: &Value, prior: &Value) -> ElementMatches {
        let found = match (nesting, config, prior) {
            (Nesting::Map, Value::Map(config), Value::Map(prior)) => by_map_key(config, prior),
            _ => {
                counterparts(nesting, block, &elements(config), &elements(prior), MatchingOrder::InputsFirst)
            }
        };
        let (config, prior) = (elements(config), elements(prior));
        let inside = |config: &Value, counterpart: Match| match (config, counterpart) {
            (Value::Object(config), Match::Prior(at)) => match prior[at] {
                Value::Object(prior) => ObjectMatches::of(block, config, prior),
                _ => ObjectMatches::default(),
            },
            _ => ObjectMatches::default(),
        };
        let elements = config
            .into_iter()
            .zip(found)
            .map(|(config, counterpart)| ElementMatch { counterpart, inside: inside(config, counterpart) });
        ElementMatches { elements: elements.collect() }
    }

    /// The counterpart of the element with this index.
    pub(crate) fn counterpart(&self, index: usize) -> Match {
        self.elements.get(index).map_or(Match::New, |it| it.counterpart)
    }

    /// The matches inside the element with this index.
    pub(crate) fn inside(&self, index: usize) -> Option<&ObjectMatches> {
        self.elements.get(index).map(|it| &it.inside)
    }
}

/// The counterpart of each element, without the matches inside the elements.
fn counterparts(
    nesting: Nesting,
    block: &Block,
    config: &[&Value],
    prior: &[&Value],
    order: MatchingOrder,
) -> Vec<Match> {
    let is_keyed = !block.facts().keys.is_empty();
    match nesting {
        Nesting::List | Nesting::Set if is_keyed => keyed::counterparts(nesting, block, config, prior, order),
        Nesting::Set => sets::counterparts(block, config, prior, order),
        _ => (0..config.len()).map(|i| if i < prior.len() { Match::Prior(i) } else { Match::New }).collect(),
    }
}

/// For each element that was read, the index of the prior element.
pub(crate) fn prior_counterparts(
    nesting: Nesting,
    block: &Block,
    read: &[&Value],
    prior: &[&Value],
) -> Vec<Option<usize>> {
    let index = |it: Match| if let Match::Prior(at) = it { Some(at) } else { None };
    counterparts(nesting, block, read, prior, MatchingOrder::UnchangedFirst).into_iter().map(index).collect()
}

/// For each element that a method returned, the index of the planned element. Unknown values of planned elements are
/// computed values, except in a plan, where inputs can be unknown as well: elements of a set match only if the same
/// inputs are unknown.
pub(crate) fn planned_counterparts(
    nesting: Nesting,
    block: &Block,
    returned: &[&Value],
    planned: &[&Value],
) -> Vec<Option<usize>> {
    let inputs = Projection::of(block, ProjectionKind::Inputs);
    let unknown_inputs = |it: &Value| -> Vec<Value> {
        inputs.key(block, it).into_iter().map(|it| without_known_values(it.into_owned())).collect()
    };
    let has_unknown_inputs = |it: &&Value| inputs.key(block, it).iter().any(|it| !it.is_wholly_known());
    if nesting != Nesting::Set || !planned.iter().any(has_unknown_inputs) {
        return known_counterparts(nesting, block, returned, planned);
    }
    let mut groups: HashMap<Vec<Value>, [Vec<usize>; 2]> = HashMap::new();
    for (list, all) in [returned, planned].into_iter().enumerate() {
        for (i, it) in all.iter().enumerate() {
            groups.entry(unknown_inputs(it)).or_default()[list].push(i);
        }
    }
    let mut indexes = vec![None; returned.len()];
    for [of_returned, of_planned] in groups.into_values() {
        let returned: Vec<&Value> = of_returned.iter().map(|i| returned[*i]).collect();
        let planned: Vec<&Value> = of_planned.iter().map(|at| planned[*at]).collect();
        let found = known_counterparts(nesting, block, &returned, &planned);
        for (i, at) in of_returned.into_iter().zip(found) {
            indexes[i] = at.map(|at| of_planned[at]);
        }
    }
    indexes
}

/// Like [`planned_counterparts`], for elements in which the same inputs are unknown.
fn known_counterparts(
    nesting: Nesting,
    block: &Block,
    returned: &[&Value],
    planned: &[&Value],
) -> Vec<Option<usize>> {
    let without_unknowns =
        |all: &[&Value]| -> Vec<Value> { all.iter().map(|it| nulls_for_unknowns(it)).collect() };
    let (planned, returned) = (without_unknowns(planned), without_unknowns(returned));
    let (planned, returned): (Vec<&Value>, Vec<&Value>) =
        (planned.iter().collect(), returned.iter().collect());
    let mut indexes = vec![None; returned.len()];
    for (i, counterpart) in counterparts(nesting, block, &planned, &returned, MatchingOrder::UnchangedFirst)
        .into_iter()
        .enumerate()
    {
        if let Match::Prior(at) = counterpart {
            indexes[at] = Some(i);
        }
    }
    indexes
}

/// Replaces every wholly known value inside the value with null, so that only unknown values remain.
fn without_known_values(value: Value) -> Value {
    let Ok(replaced) =
        value.transform::<Infallible>(&mut |_, it| Ok(if it.is_wholly_known() { Value::Null } else { it }));
    replaced
}

fn nulls_for_unknowns(value: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    let Ok(replaced) = value
        .clone()
        .transform::<Infallible>(&mut |_, it| Ok(if it.is_unknown() { Value::Null } else { it }));
    replaced
}

/// The counterparts of the elements of a map. Both maps are sorted, so one walk finds all keys.
fn by_map_key(config: &BTreeMap<NfcString, Value>, prior: &BTreeMap<NfcString, Value>) -> Vec<Match> {
    let mut prior = prior.keys().enumerate().peekable();
    let counterpart = |key: &NfcString| {
        while prior.next_if(|(_, it)| *it < key).is_some() {}
        prior.next_if(|(_, it)| *it == key).map_or(Match::New, |(at, _)| Match::Prior(at))
    };
    config.keys().map(counterpart).collect()
}
