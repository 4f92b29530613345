//! Which element of the prior state an element of the configuration is.

use std::collections::HashMap;

use ferroform_value::{Object, Value};

use crate::schema::{Attribute, Block};

/// For each element of the configuration, the prior element that it is, if any. No prior element is taken
/// twice. Linear in the number of elements.
///
/// Equal elements pair first: equal in all that the configuration says, where what the provider writes may
/// be anything. Then, in a list, what stands at the same index.
pub(super) fn pair(block: &Block, config: &[&Value], prior: &[&Value], by_index: bool) -> Vec<Option<usize>> {
    let mut finder = Finder { block, prior, by_mask: HashMap::new(), taken: vec![false; prior.len()] };
    let mut pairs: Vec<Option<usize>> = config.iter().map(|it| finder.find(it)).collect();
    if by_index {
        for (i, pair) in pairs.iter_mut().enumerate() {
            if pair.is_none() && finder.taken.get(i) == Some(&false) {
                *pair = Some(i);
            }
        }
    }
    pairs
}

/// Which of the block's attributes the configuration leaves to the provider.
type Mask = Vec<bool>;

struct Finder<'a> {
    block: &'a Block,
    prior: &'a [&'a Value],
    /// The prior elements without what a mask leaves out, for each mask that has come up. There are few:
    /// one for each combination of computed attributes that the configuration uses.
    by_mask: HashMap<Mask, HashMap<Value, Vec<usize>>>,
    taken: Vec<bool>,
}

impl Finder<'_> {
    fn find(&mut self, element: &Value) -> Option<usize> {
        let Value::Object(config) = element else { return None };
        let mask: Mask = self.block.attributes.iter().map(|it| is_left(it, config)).collect();
        let wanted = project(self.block, config, &mask, true);
        let (block, prior) = (self.block, self.prior);
        let found = self.by_mask.entry(mask).or_insert_with_key(|mask| index(block, prior, mask));
        let candidates = found.get_mut(&wanted)?;
        // Taken ones are dropped for good, so that every candidate is looked at once for each mask.
        while let Some(at) = candidates.pop() {
            if !std::mem::replace(&mut self.taken[at], true) {
                return Some(at);
            }
        }
        None
    }
}

fn index(block: &Block, prior: &[&Value], mask: &Mask) -> HashMap<Value, Vec<usize>> {
    let mut found: HashMap<Value, Vec<usize>> = HashMap::with_capacity(prior.len());
    for (i, element) in prior.iter().enumerate().rev() {
        if let Value::Object(object) = element {
            found.entry(project(block, object, mask, false)).or_default().push(i);
        }
    }
    found
}

fn is_left(attribute: &Attribute, config: &Object) -> bool {
    attribute.write_only
        || attribute.mode.is_computed()
            && attribute.default.is_none()
            && config.get(&attribute.name).is_none_or(Value::is_null)
}

/// The element with null for what the mask leaves out, with defaults where it is the configuration's, and
/// without anything computed deeper inside.
fn project(block: &Block, object: &Object, mask: &Mask, is_config: bool) -> Value {
    let attributes = block.attributes.iter().zip(mask).map(|(attribute, &left)| {
        let value = object.get(&attribute.name).unwrap_or(&Value::Null);
        let value = match (&attribute.default, &attribute.nested) {
            _ if left => Value::Null,
            (Some(default), _) if is_config && value.is_null() => default(),
            (_, Some(nested)) if attribute.holds_computed() => strip(&nested.block, value),
            _ => value.clone(),
        };
        (attribute.name.clone(), value)
    });
    let blocks = block.blocks.iter().map(|nested| {
        let value = object.get(&nested.name).unwrap_or(&Value::Null);
        (nested.name.clone(), strip(&nested.block, value))
    });
    Value::Object(attributes.chain(blocks).collect())
}

/// The objects inside a value without anything that is computed.
fn strip(block: &Block, value: &Value) -> Value {
    match value {
        Value::List(it) => Value::List(it.iter().map(|it| strip(block, it)).collect()),
        Value::Set(it) => Value::set(it.iter().map(|it| strip(block, it))),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), strip(block, it))).collect()),
        Value::Object(it) => {
            let mask = block.attributes.iter().map(|it| it.mode.is_computed() || it.write_only).collect();
            project(block, it, &mask, false)
        }
        _ => value.clone(),
    }
}
