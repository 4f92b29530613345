//! The known value wherever a new one means the same.

use std::collections::VecDeque;

use ferroform_value::{Set, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use ferroform_engine::element_matching::tries::Tries;

use super::Attr;

/// The same, element by element: by index, by key, and in sets the one that means the same. What has no
/// counterpart is as it is.
pub(super) fn elements<T: Attr>(known: &Value, new: &Value) -> Value {
    if T::EXACT {
        return new.clone();
    }
    match (known, new) {
        (Value::List(known), Value::List(new)) => {
            let old = known.iter().map(Some).chain(std::iter::repeat(None));
            Value::List(new.iter().zip(old).map(|(new, old)| beside::<T>(old, new)).collect())
        }
        (Value::Map(known), Value::Map(new)) => {
            Value::Map(new.iter().map(|(key, it)| (key.clone(), beside::<T>(known.get(key), it))).collect())
        }
        (Value::Set(known), Value::Set(new)) => Value::Set(set::<T>(known, new)),
        _ => new.clone(),
    }
}

fn beside<T: Attr>(known: Option<&Value>, new: &Value) -> Value {
    known.map_or_else(|| new.clone(), |known| T::keep_prior(known, new))
}

/// The new elements, each as the known one that means the same: the equal one, or the one that prints alike, or
/// the first that the type's own equality finds among those that are left.
fn set<T: Attr>(known: &Set, new: &Set) -> Set {
    let (old, unchanged): (HashSet<&Value>, HashSet<&Value>) = (known.iter().collect(), new.iter().collect());
    let mut changed: Vec<Option<&Value>> =
        known.iter().filter(|it| !unchanged.contains(it)).map(Some).collect();
    let mut alike: HashMap<Value, Vec<usize>> = HashMap::new();
    for (at, it) in changed.iter().enumerate().rev() {
        it.iter().for_each(|it| alike.entry(T::canonical(it)).or_default().push(at));
    }
    let mut found: Vec<Option<&Value>> = Vec::with_capacity(new.len());
    for it in new {
        let mut printed = || changed[alike.get_mut(&T::canonical(it))?.pop()?].take();
        found.push(if old.contains(it) { Some(it) } else { printed() });
    }
    let mut left: VecDeque<&Value> = changed.into_iter().flatten().collect();
    let mut tries = Tries::new();
    let kept = new.iter().zip(found).map(|(it, found)| {
        found.or_else(|| tries.take(&mut left, |old| T::keep_prior(old, it) == *old)).unwrap_or(it).clone()
    });
    kept.collect()
}

/// The same, element by element.
pub(super) fn canonical_elements<T: Attr>(value: &Value) -> Value {
    match value {
        _ if T::EXACT => value.clone(),
        Value::List(it) => Value::List(it.iter().map(T::canonical).collect()),
        Value::Set(it) => Value::Set(Set::with_repeats(it.iter().map(T::canonical).collect())),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), T::canonical(it))).collect()),
        _ => value.clone(),
    }
}
