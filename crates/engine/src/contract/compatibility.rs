//! Compatibility of a value with a planned one: they are equal wherever the planned value is known.
//!
//! ```text
//! planned        { name = "a", id = unknown }    id is refined to begin with "i-"
//! compatible     { name = "a", id = "i-1" }
//! not compatible { name = "a", id = "1" }
//! ```

use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::Arc;

use ferroform_value::{Number, Object, Refinements, Set, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

/// True if the value differs from the planned one only where that is unknown, and satisfies its refinements.
pub fn is_compatible(planned: &Value, state: &Value) -> bool {
    match (planned, state) {
        (Value::Unknown(known), _) => known.as_ref().is_none_or(|it| is_allowed_by(it, state)),
        (Value::Set(planned), Value::Set(state)) => set_incompatibility(planned, state).is_none(),
        (Value::Dynamic(planned), Value::Dynamic(state)) => {
            state.ty.conforms_to(&planned.ty) && is_compatible(&planned.value, &state.value)
        }
        _ => planned.all_pairs(state, is_compatible).unwrap_or_else(|| planned == state),
    }
}

/// True if the refinements of an unknown value allow this value.
fn is_allowed_by(known: &Refinements, value: &Value) -> bool {
    let is_length_allowed = |it: usize| {
        let it = it as u64;
        known.min_length() <= it && known.max_length().is_none_or(|max| it <= max)
    };
    match value {
        Value::Null => !known.is_not_null(),
        Value::String(it) => known.prefix().is_none_or(|prefix| it.starts_with(prefix)),
        Value::Number(it) => {
            let is_within = |bound: Bound<&Number>, expected: Ordering| match bound {
                Bound::Included(bound) => it.compare(bound) != expected.reverse(),
                Bound::Excluded(bound) => it.compare(bound) == expected,
                Bound::Unbounded => true,
            };
            let (min, max) = known.range();
            is_within(min, Ordering::Greater) && is_within(max, Ordering::Less)
        }
        Value::Dynamic(it) => is_allowed_by(known, &it.value),
        it => it.length().is_none_or(is_length_allowed),
    }
}

/// The reason why a set is not compatible with a planned one. Each planned element needs an element that it may have
/// become, and each element a planned one that it may come from. There may be fewer elements than planned, because
/// unknown values may have turned out to be equal.
pub(crate) fn set_incompatibility(planned: &Set, state: &Set) -> Option<&'static str> {
    if state.len() > planned.len() {
        return Some("there are more elements than were planned");
    }
    let mut search =
        CounterpartSearch { state, by_mask: HashMap::new(), has_counterpart: vec![false; state.len()] };
    let known: HashMap<&Value, usize> = state.iter().enumerate().map(|(at, it)| (it, at)).collect();
    let mut seen = HashSet::new();
    for element in planned {
        let has_counterpart = if element.is_wholly_known() {
            known.get(element).map(|&at| search.has_counterpart[at] = true).is_some()
        } else {
            !seen.insert(element) || search.find(element)
        };
        if !has_counterpart {
            return Some("a planned element has no counterpart");
        }
    }
    let all_have_counterparts = search.has_counterpart.iter().all(|it| *it);
    (!all_have_counterparts).then_some("an element has no counterpart in the plan")
}

/// Finds the elements of the new state that a planned element may have become.
struct CounterpartSearch<'a> {
    state: &'a Set,
    /// The elements by the names of known attributes and their values. There are few combinations of names.
    by_mask: HashMap<Vec<Arc<str>>, HashMap<Vec<&'a Value>, Candidates>>,
    /// For each element of the state, whether it has a counterpart.
    has_counterpart: Vec<bool>,
}

#[derive(Default)]
struct Candidates {
    indexes: Vec<usize>,
    /// True if all of them have been marked already, for a planned element whose attributes are each wholly known or
    /// wholly unknown.
    is_used: bool,
}

impl<'a> CounterpartSearch<'a> {
    /// Marks every element that the planned one may have become. Returns true if there is one.
    fn find(&mut self, element: &'a Value) -> bool {
        let Value::Object(object) = element else {
            let fitting: Vec<usize> = self
                .state
                .iter()
                .enumerate()
                .filter(|(_, it)| is_compatible(element, it))
                .map(|(at, _)| at)
                .collect();
            fitting.iter().for_each(|&at| self.has_counterpart[at] = true);
            return !fitting.is_empty();
        };
        let known = object.iter().filter(|(_, it)| it.is_wholly_known());
        let (mask, expected): (Vec<Arc<str>>, Vec<&Value>) =
            known.map(|(name, it)| (name.clone(), it)).unzip();
        let state = self.state;
        let index = self.by_mask.entry(mask).or_insert_with_key(|mask| index(state, mask));
        let Some(candidates) = index.get_mut(&expected) else { return false };
        if candidates.is_used {
            return true;
        }
        let is_decided_by_known = object.values().all(|it| it.is_wholly_known() || it.is_unknown());
        candidates.is_used = is_decided_by_known;
        let mut has_counterpart = false;
        for &at in &candidates.indexes {
            if is_decided_by_known || state.iter().nth(at).is_some_and(|it| is_compatible(element, it)) {
                self.has_counterpart[at] = true;
                has_counterpart = true;
            }
        }
        has_counterpart
    }
}

fn index<'a>(state: &'a Set, mask: &[Arc<str>]) -> HashMap<Vec<&'a Value>, Candidates> {
    let mut candidates_by_key: HashMap<Vec<&Value>, Candidates> = HashMap::with_capacity(state.len());
    for (at, element) in state.iter().enumerate() {
        if let Some(key) = element.as_object().and_then(|it| project(it, mask)) {
            candidates_by_key.entry(key).or_default().indexes.push(at);
        }
    }
    candidates_by_key
}

fn project<'a>(object: &'a Object, mask: &[Arc<str>]) -> Option<Vec<&'a Value>> {
    mask.iter().map(|name| object.get(name)).collect()
}
