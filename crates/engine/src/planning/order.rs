//! The order of sets.

use ferroform_value::{Object, Set, Value};

use crate::planning::beside;
use crate::planning::replace::is_fixed;
use crate::planning::side::Mask;
use crate::schema::Block;

/// The object with the elements of its sets in the order of those in another, each where the one stands that it is.
/// Which element of the configuration a planned one comes from is seen in its place alone, and an author may make a set
/// anew. Sets in which nothing is a reason for a new object stay as they are.
pub(crate) fn like(block: &Block, known: &Value, new: Value) -> Value {
    match (known, new) {
        (known, new) if !is_fixed(block) || known.is_null() => new,
        (Value::Object(known), Value::Object(new)) => Value::Object(object(block, known, new)),
        (Value::List(known), Value::List(new)) => {
            let mut known = known.iter();
            let new = new.into_iter();
            Value::List(new.map(|it| like(block, known.next().unwrap_or(&Value::Null), it)).collect())
        }
        (Value::Map(known), Value::Map(new)) => {
            let entry = |(key, it)| {
                let it = like(block, known.get(&key).unwrap_or(&Value::Null), it);
                (key, it)
            };
            Value::Map(new.into_iter().map(entry).collect())
        }
        (Value::Set(known), Value::Set(new)) => Value::Set(set(block, known, &new)),
        (_, new) => new,
    }
}

fn object(block: &Block, known: &Object, mut new: Object) -> Object {
    let attributes = block.attributes.iter().filter_map(|it| Some((&it.name, &it.nested.as_ref()?.block)));
    for (name, inside) in attributes.chain(block.blocks.iter().map(|it| (&it.name, &it.block))) {
        if let (Some(known), Some(slot)) = (known.get(name), new.get_mut(name)) {
            *slot = like(inside, known, std::mem::replace(slot, Value::Null));
        }
    }
    new
}

fn set(block: &Block, known: &Set, new: &Set) -> Set {
    let (known, new): (Vec<&Value>, Vec<&Value>) = (known.iter().collect(), new.iter().collect());
    let at = beside::in_set(block, &new, &known, &Mask::new(), &|it, _| it.clone());
    let mut places: Vec<Option<Value>> = vec![None; known.len()];
    let mut rest = Vec::new();
    for (it, at) in new.into_iter().zip(at) {
        match at {
            Some(at) => places[at] = Some(like(block, known[at], it.clone())),
            None => rest.push(it.clone()),
        }
    }
    let mut rest = rest.into_iter();
    let mut ordered: Vec<Value> = places.into_iter().filter_map(|it| it.or_else(|| rest.next())).collect();
    ordered.extend(rest);
    Set::with_repeats(ordered)
}
