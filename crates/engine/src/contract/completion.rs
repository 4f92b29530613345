//! Whether a value is a completion of a planned one: equal wherever the plan was known.

use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::Arc;

use ferroform_value::{Number, Object, Refinements, Set, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

/// True where the value fills in nothing but what was unknown.
pub(crate) fn fits(planned: &Value, state: &Value) -> bool {
    match (planned, state) {
        (Value::Unknown(known), _) => known.as_ref().is_none_or(|it| allows(it, state)),
        (Value::Object(planned), Value::Object(state)) => {
            planned.iter().all(|(name, planned)| state.get(name).is_some_and(|state| fits(planned, state)))
        }
        (Value::List(planned), Value::List(state)) | (Value::Tuple(planned), Value::Tuple(state)) => {
            planned.len() == state.len()
                && planned.iter().zip(state).all(|(planned, state)| fits(planned, state))
        }
        (Value::Map(planned), Value::Map(state)) => {
            planned.keys().eq(state.keys()) && planned.values().zip(state.values()).all(|(a, b)| fits(a, b))
        }
        (Value::Set(planned), Value::Set(state)) => misfit(planned, state).is_none(),
        (Value::Dynamic(planned), Value::Dynamic(state)) => {
            state.ty.conforms_to(&planned.ty) && fits(&planned.value, &state.value)
        }
        _ => planned == state,
    }
}

/// True where a value can be what an unknown one was known to become.
fn allows(known: &Refinements, value: &Value) -> bool {
    let length = |it: usize| {
        let it = it as u64;
        known.min_length() <= it && known.max_length().is_none_or(|max| it <= max)
    };
    match value {
        Value::Null => !known.is_not_null(),
        Value::String(it) => known.prefix().is_none_or(|prefix| it.starts_with(prefix)),
        Value::Number(it) => {
            let is_within = |bound: Bound<&Number>, side: Ordering| match bound {
                Bound::Included(bound) => it.compare(bound) != side.reverse(),
                Bound::Excluded(bound) => it.compare(bound) == side,
                Bound::Unbounded => true,
            };
            let (min, max) = known.range();
            is_within(min, Ordering::Greater) && is_within(max, Ordering::Less)
        }
        Value::List(it) => length(it.len()),
        Value::Set(it) => length(it.len()),
        Value::Map(it) => length(it.len()),
        Value::Dynamic(it) => allows(known, &it.value),
        _ => true,
    }
}

/// What is wrong with a set as the completion of a planned one. Each planned element needs one that it can
/// have become, and each element one that it can come from; they may have become fewer, for some may have
/// turned out to be equal.
pub(crate) fn misfit(planned: &Set, state: &Set) -> Option<&'static str> {
    if state.len() > planned.len() {
        return Some("there are more elements than were planned");
    }
    let mut finder = Finder { state, by_mask: HashMap::new(), met: vec![false; state.len()] };
    let known: HashMap<&Value, usize> = state.iter().enumerate().map(|(at, it)| (it, at)).collect();
    let mut seen = HashSet::new();
    for element in planned {
        let found = if element.is_wholly_known() {
            known.get(element).map(|&at| finder.met[at] = true).is_some()
        } else {
            !seen.insert(element) || finder.find(element)
        };
        if !found {
            return Some("a planned element has no counterpart");
        }
    }
    let all_met = finder.met.iter().all(|it| *it);
    (!all_met).then_some("an element has no counterpart in the plan")
}

/// The elements of the state by what a planned element knows.
struct Finder<'a> {
    state: &'a Set,
    /// By the names of the attributes that are known; there are few such combinations.
    by_mask: HashMap<Vec<Arc<str>>, HashMap<Vec<&'a Value>, Candidates>>,
    /// Which elements of the state have a counterpart.
    met: Vec<bool>,
}

#[derive(Default)]
struct Candidates {
    places: Vec<usize>,
    /// A planned element without known parts in its unknown attributes has taken them all.
    taken: bool,
}

impl<'a> Finder<'a> {
    /// Notes every element that the planned one can have become; true where there is one.
    fn find(&mut self, element: &'a Value) -> bool {
        let Value::Object(object) = element else {
            let fitting: Vec<usize> =
                self.state.iter().enumerate().filter(|(_, it)| fits(element, it)).map(|(at, _)| at).collect();
            fitting.iter().for_each(|&at| self.met[at] = true);
            return !fitting.is_empty();
        };
        let known = object.iter().filter(|(_, it)| it.is_wholly_known());
        let (mask, wanted): (Vec<Arc<str>>, Vec<&Value>) = known.map(|(name, it)| (name.clone(), it)).unzip();
        let state = self.state;
        let index = self.by_mask.entry(mask).or_insert_with_key(|mask| index(state, mask));
        let Some(candidates) = index.get_mut(&wanted) else { return false };
        if candidates.taken {
            return true;
        }
        let is_open = object.values().all(|it| it.is_wholly_known() || it.is_unknown());
        candidates.taken = is_open;
        let mut found = false;
        for &at in &candidates.places {
            if is_open || state.iter().nth(at).is_some_and(|it| fits(element, it)) {
                self.met[at] = true;
                found = true;
            }
        }
        found
    }
}

fn index<'a>(state: &'a Set, mask: &[Arc<str>]) -> HashMap<Vec<&'a Value>, Candidates> {
    let mut found: HashMap<Vec<&Value>, Candidates> = HashMap::with_capacity(state.len());
    for (at, element) in state.iter().enumerate() {
        if let Some(key) = element.as_object().and_then(|it| project(it, mask)) {
            found.entry(key).or_default().places.push(at);
        }
    }
    found
}

fn project<'a>(object: &'a Object, mask: &[Arc<str>]) -> Option<Vec<&'a Value>> {
    mask.iter().map(|name| object.get(name)).collect()
}
