//! The order of the elements of planned sets.
//!
//! Example: elements `{ size, zone }`, where `size` requires replacement and `zone` is optional and computed. The `plan`
//! method sets the zones and returns the elements in another order.
//!
//! ```text
//! configuration       [{ size = 1 }, { size = 2 }]
//! proposed new state  [{ size = 1, zone = unknown }, { size = 2, zone = unknown }]
//! result of `plan`    [{ size = 2, zone = "b" }, { size = 1, zone = "a" }]
//! planned state       [{ size = 1, zone = "a" }, { size = 2, zone = "b" }]
//! ```

use ferroform_value::{Set, Value};

use super::element::elements;
use super::planned_counterparts;
use crate::schema::{Block, Nesting};

/// The object with the elements of its sets in the order of those in `proposed`, each at the index of its
/// counterpart.
///
/// A `plan` method may return the elements of a set in any order, but the replacements need the configured element
/// of each planned one, which they find by index. Sets in which nothing can require replacement are returned
/// unchanged.
pub(crate) fn in_order_of(block: &Block, proposed: &Value, new: Value) -> Value {
    match (proposed, new) {
        (proposed, new) if !block.facts().can_require_replacement || proposed.is_null() => new,
        (Value::Object(proposed), new @ Value::Object(_)) => {
            block.map_members(new, &|member, it| match (proposed.get(member.name()), member.nested()) {
                (Some(proposed), Some((_, inside))) => in_order_of(inside, proposed, it),
                _ => it,
            })
        }
        (proposed, new @ Value::Set(_)) => Value::Set(set(block, proposed, &new)),
        (proposed, new) => {
            let mut proposed = new.at_same_steps(proposed);
            new.map_elements(|_, it| {
                in_order_of(block, proposed.next().flatten().unwrap_or(&Value::Null), it.clone())
            })
        }
    }
}

fn set(block: &Block, proposed: &Value, new: &Value) -> Set {
    let (proposed, new) = (elements(proposed), elements(new));
    let mut at_index: Vec<Option<Value>> = vec![None; proposed.len()];
    let mut rest = Vec::new();
    for (it, at) in new.iter().zip(planned_counterparts(Nesting::Set, block, &new, &proposed)) {
        match at {
            Some(at) => at_index[at] = Some(in_order_of(block, proposed[at], (*it).clone())),
            None => rest.push((*it).clone()),
        }
    }
    let mut rest = rest.into_iter();
    let mut ordered: Vec<Value> = at_index.into_iter().filter_map(|it| it.or_else(|| rest.next())).collect();
    ordered.extend(rest);
    Set::with_duplicates(ordered)
}

#[cfg(test)]
mod tests {
    use ferroform_value::Type;

    use super::*;
    use crate::schema::{Attribute, Nested};

    fn block() -> Block {
        let element = Block::new()
            .attribute(Attribute::raw("zone", Type::String).optional_computed())
            .attribute(Attribute::raw("size", Type::Number).optional().requires_replace());
        Block::new().attribute(Attribute::raw_nested("set", Nested::set(element)))
    }

    fn element(size: impl Into<Value>, zone: Value) -> Value {
        Value::object([("zone", zone), ("size", size.into())])
    }

    fn object(elements: &[Value]) -> Value {
        Value::object([("set", Value::Set(Set::with_duplicates(elements.to_vec())))])
    }

    #[test]
    fn planned_elements_are_in_the_order_of_the_proposed_elements() {
        let proposed = object(&[element(1, Value::UNKNOWN), element(2, Value::UNKNOWN)]);
        let planned = object(&[element(2, "b".into()), element(1, "a".into())]);
        let ordered = in_order_of(&block(), &proposed, planned);
        let found: Vec<Value> = elements(ordered.attribute("set").unwrap()).into_iter().cloned().collect();
        assert_eq!(found, [element(1, "a".into()), element(2, "b".into())]);
    }

    #[test]
    fn element_with_unknown_input_does_not_match_element_that_omits_it() {
        let all = [Value::Null, Value::UNKNOWN].map(|size| element(size, Value::UNKNOWN));
        let reversed = [all[1].clone(), all[0].clone()];
        let ordered = in_order_of(&block(), &object(&all), object(&reversed));
        let found: Vec<Value> = elements(ordered.attribute("set").unwrap()).into_iter().cloned().collect();
        assert_eq!(found, all);
    }

    #[test]
    fn unknown_elements_keep_their_indexes() {
        let block = block();
        let element = |size: i64| element(size, Value::UNKNOWN);
        let known = [Value::UNKNOWN, element(1), Value::UNKNOWN, element(2)];
        for order in [[3, 2, 1, 0], [1, 3, 0, 2], [0, 1, 2, 3]] {
            let new: Vec<Value> = order.iter().map(|at: &usize| known[*at].clone()).collect();
            let ordered = in_order_of(&block, &object(&known), object(&new));
            let found: Vec<Value> =
                elements(ordered.attribute("set").unwrap()).into_iter().cloned().collect();
            assert_eq!(found, known, "{order:?}");
        }
    }
}
