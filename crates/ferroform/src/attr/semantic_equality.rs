//! Keeps prior values that are semantically equal to new ones, in collections.

use std::collections::VecDeque;

use ferroform_value::{Set, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use ferroform_engine::element_matching::comparison_budget::ComparisonBudget;

use super::Attr;

/// Keeps semantically equal elements: list elements by index, map elements by key, and set elements by semantic
/// equality. Elements without a matching prior element stay as they are.
///
/// For example, with names that are compared without regard to case, the prior list `["Web", "db"]` and the new list
/// `["WEB", "DB2"]` result in `["Web", "DB2"]`.
pub(super) fn elements<T: Attr>(prior: &Value, new: &Value) -> Value {
    if T::EXACT {
        return new.clone();
    }
    if let (Value::Set(prior), Value::Set(new)) = (prior, new) {
        return Value::Set(set::<T>(prior, new));
    }
    let mut prior = new.at_same_steps(prior);
    new.map_elements(|_, it| {
        prior.next().flatten().map_or_else(|| it.clone(), |prior| T::keep_prior(prior, it))
    })
}

/// Replaces new elements with semantically equal prior elements: first equal elements, then those with the same
/// canonical form, then the first remaining element that the equality of the type accepts.
fn set<T: Attr>(prior: &Set, new: &Set) -> Set {
    let (prior_elements, new_elements): (HashSet<&Value>, HashSet<&Value>) =
        (prior.iter().collect(), new.iter().collect());
    let mut unmatched: Vec<Option<&Value>> =
        prior.iter().filter(|it| !new_elements.contains(it)).map(Some).collect();
    let mut by_canonical_form: HashMap<Value, Vec<usize>> = HashMap::new();
    for (at, it) in unmatched.iter().enumerate().rev() {
        it.iter().for_each(|it| by_canonical_form.entry(T::canonical(it)).or_default().push(at));
    }
    let mut found: Vec<Option<&Value>> = Vec::with_capacity(new.len());
    for it in new {
        let with_same_canonical_form =
            || unmatched[by_canonical_form.get_mut(&T::canonical(it))?.pop()?].take();
        // The prior element, because equal numbers can have different digits.
        found.push(prior_elements.get(it).copied().or_else(with_same_canonical_form));
    }
    let mut remaining: VecDeque<&Value> = unmatched.into_iter().flatten().collect();
    let mut budget = ComparisonBudget::new();
    let merged = new.iter().zip(found).map(|(it, found)| {
        found
            .or_else(|| budget.remove_first_match(&mut remaining, |old| T::keep_prior(old, it) == *old))
            .unwrap_or(it)
            .clone()
    });
    merged.collect()
}

/// The canonical forms of all elements.
pub(super) fn canonical_elements<T: Attr>(value: &Value) -> Value {
    match value {
        _ if T::EXACT => value.clone(),
        Value::Set(it) => Value::Set(Set::with_duplicates(it.iter().map(T::canonical).collect())),
        _ => value.map_elements(|_, it| T::canonical(it)),
    }
}
