//! Lists and sets whose elements have a key: an element corresponds to the prior element with the same key.
//!
//! ```text
//! configuration  [{ name = "b", size = 2 }, { name = "c" }]      name is the key
//! prior state    [{ name = "a", size = 1 }, { name = "b", size = 1 }]
//! matches        [Prior(1), New]
//! ```
//!
//! | element of the configuration | corresponds to |
//! |---|---|
//! | known key, used once | the prior element with that key; otherwise it is new |
//! | known key that several elements have | list: those elements in their order; set: as without a key |
//! | unknown key | ambiguous if there are prior elements whose key no other element has; otherwise it is new |
//! | omitted key, set by the provider | a remaining prior element: in a list by index, in a set as without a key |
//!
//! A configuration with equal keys is rejected ([`duplicate_keys`]), but an API can return such elements.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _};

use super::element::{Match, is_equal};
use super::projection::{Key, is_left_to_provider};
use super::sets::{self, MatchingOrder};
use crate::element_matching::comparison_budget::ComparisonBudget;
use crate::schema::{Attribute, Block, Member, Nesting};

enum ElementKey<'a> {
    Known(Key<'a>),
    Unknown,
    /// The provider sets the key.
    LeftToProvider,
}

/// The counterpart of each configured element. Linear in the number of elements.
pub(super) fn counterparts(
    nesting: Nesting,
    block: &Block,
    config: &[&Value],
    prior: &[&Value],
    order: MatchingOrder,
) -> Vec<Match> {
    let mut matches = vec![Match::New; config.len()];
    let keys: Vec<ElementKey<'_>> = config.iter().map(|it| key_of(block, it)).collect();
    let has_unknown_key = keys.iter().any(|it| matches!(it, ElementKey::Unknown));
    let mut by_key: HashMap<&Key<'_>, (Vec<usize>, Vec<usize>)> = HashMap::with_capacity(config.len());
    for (i, key) in keys.iter().enumerate() {
        if let ElementKey::Known(key) = key {
            by_key.entry(key).or_default().0.push(i);
        }
    }
    let mut is_free = vec![true; prior.len()];
    for (at, value) in prior.iter().enumerate() {
        let Value::Object(object) = value else { continue };
        if let Some((_, prior)) = by_key.get_mut(&keys_of(block, object)) {
            is_free[at] = false;
            prior.push(at);
        }
    }
    for (configured, prior_indexes) in by_key.values().filter(|(_, prior)| !prior.is_empty()) {
        let found = match (&configured[..], &prior_indexes[..]) {
            ([_], [_]) => vec![Match::Prior(0)],
            _ if has_unknown_key => vec![Match::Ambiguous; configured.len()],
            _ if nesting == Nesting::Set => {
                let config: Vec<&Value> = configured.iter().map(|i| config[*i]).collect();
                let prior: Vec<&Value> = prior_indexes.iter().map(|at| prior[*at]).collect();
                sets::counterparts(block, &config, &prior, order)
            }
            _ => (0..configured.len())
                .map(|i| if i < prior_indexes.len() { Match::Prior(i) } else { Match::New })
                .collect(),
        };
        for (i, found) in configured.iter().zip(found) {
            matches[*i] = at_index(found, prior_indexes);
        }
    }
    match_semantically_equal_keys(block, config, prior, &keys, &mut matches, &mut is_free);
    let free: Vec<usize> = (0..prior.len()).filter(|at| is_free[*at]).collect();
    let without_key: Vec<usize> = keys
        .iter()
        .enumerate()
        .filter(|(_, it)| matches!(it, ElementKey::LeftToProvider))
        .map(|(i, _)| i)
        .collect();
    if has_unknown_key && !free.is_empty() {
        let is_known = |it: &ElementKey<'_>| matches!(it, ElementKey::Known(_));
        let undecided = keys.iter().zip(&mut matches).filter(|(key, _)| !is_known(key));
        undecided.for_each(|(_, it)| *it = Match::Ambiguous);
    } else if nesting == Nesting::List {
        for i in without_key {
            if is_free.get(i) == Some(&true) {
                matches[i] = Match::Prior(i);
            }
        }
    } else if !without_key.is_empty() {
        let config: Vec<&Value> = without_key.iter().map(|i| config[*i]).collect();
        let prior: Vec<&Value> = free.iter().map(|at| prior[*at]).collect();
        for (i, found) in without_key.into_iter().zip(sets::counterparts(block, &config, &prior, order)) {
            matches[i] = at_index(found, &free);
        }
    }
    matches
}

/// The indexes of elements whose known key is equal to that of an earlier element, each after the index of the first such
/// element. Empty if the elements have no key.
pub(crate) fn duplicate_keys<'a>(
    block: &Block,
    elements: impl IntoIterator<Item = &'a Value>,
) -> Vec<(usize, usize)> {
    if block.facts().keys.is_empty() {
        return Vec::new();
    }
    let mut first: HashMap<Key<'_>, usize> = HashMap::new();
    let mut duplicates = Vec::new();
    for (i, element) in elements.into_iter().enumerate() {
        if let ElementKey::Known(key) = key_of(block, element) {
            match first.entry(key) {
                Entry::Occupied(earlier) => duplicates.push((*earlier.get(), i)),
                Entry::Vacant(entry) => drop(entry.insert(i)),
            }
        }
    }
    duplicates
}

/// Matches keys whose equality only a function can decide, one by one, with a limited number of comparisons.
fn match_semantically_equal_keys(
    block: &Block,
    config: &[&Value],
    prior: &[&Value],
    keys: &[ElementKey<'_>],
    matches: &mut [Match],
    is_free: &mut [bool],
) {
    let attributes = block.facts().keys.iter().map(|at| &block.attributes()[*at]);
    if !attributes.clone().any(Attribute::can_keep_prior_value) {
        return;
    }
    let mut free: VecDeque<usize> = (0..prior.len()).filter(|at| is_free[*at]).collect();
    let mut budget = ComparisonBudget::new();
    for (i, _) in keys.iter().enumerate().filter(|(_, key)| matches!(key, ElementKey::Known(_))) {
        if matches[i] != Match::New {
            continue;
        }
        let has_key = |at: usize| {
            let of =
                |value: &Value, it: &Attribute| value.attribute(&it.name).cloned().unwrap_or(Value::Null);
            attributes.clone().all(|it| is_equal(it, &of(prior[at], it), &of(config[i], it)))
        };
        if let Some(at) = budget.remove_first_match(&mut free, has_key) {
            is_free[at] = false;
            matches[i] = Match::Prior(at);
        }
    }
}

fn at_index(found: Match, indexes: &[usize]) -> Match {
    if let Match::Prior(at) = found { Match::Prior(indexes[at]) } else { found }
}

fn key_of<'a>(block: &Block, value: &'a Value) -> ElementKey<'a> {
    let Value::Object(object) = value else { return ElementKey::Unknown };
    let is_unknown = |it: &&Attribute| object.get(&it.name).is_some_and(|it| !it.is_wholly_known());
    let mut keys = block.facts().keys.iter().map(|at| &block.attributes()[*at]);
    match () {
        () if keys.clone().any(|it| is_unknown(&it)) => ElementKey::Unknown,
        () if keys.any(|it| is_left_to_provider(Member::Attribute(it), object)) => ElementKey::LeftToProvider,
        () => ElementKey::Known(keys_of(block, object)),
    }
}

/// The values of the keys, in their canonical form.
fn keys_of<'a>(block: &Block, object: &'a Object) -> Key<'a> {
    let keys = block.facts().keys.iter().map(|at| &block.attributes()[*at]);
    keys.map(|it| it.canonical(object.get_or_null(&it.name))).collect()
}
