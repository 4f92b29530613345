//! The known value wherever a new one means the same.

use std::collections::HashSet;

use ferroform_value::{Set, Value};

use super::Attr;

/// The known value where the two mean the same as a whole.
pub(super) fn whole<T: Attr>(known: &Value, new: &Value) -> Value {
    if !T::EXACT && matches!((T::from_value(known), T::from_value(new)), (Ok(a), Ok(b)) if a == b) {
        return known.clone();
    }
    new.clone()
}

/// The same, element by element: by index, by key, and in sets the first that means the same once those that
/// are equal are paired. What has no counterpart is as it is.
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
    known.map_or_else(|| new.clone(), |known| T::keep(known, new))
}

fn set<T: Attr>(known: &Set, new: &Set) -> Set {
    let (old, unchanged): (HashSet<&Value>, HashSet<&Value>) = (known.iter().collect(), new.iter().collect());
    let mut left: Vec<&Value> = known.iter().filter(|it| !unchanged.contains(it)).collect();
    let kept = new.iter().map(|it| {
        if old.contains(it) {
            return it.clone();
        }
        // Only what changed is compared with what changed.
        match left.iter().position(|old| T::keep(old, it) == **old) {
            Some(at) => left.remove(at).clone(),
            None => it.clone(),
        }
    });
    kept.collect()
}
