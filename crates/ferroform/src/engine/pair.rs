//! Which element of the prior state an element of the configuration is.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

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
    /// Where the prior elements are, by the hash of what a mask leaves of them, for each mask that has come up.
    /// There are few: one for each combination of computed attributes that the configuration uses.
    by_mask: HashMap<Mask, HashMap<u64, Vec<usize>>>,
    taken: Vec<bool>,
}

impl Finder<'_> {
    fn find(&mut self, element: &Value) -> Option<usize> {
        let Value::Object(config) = element else { return None };
        let mask: Mask = self.block.attributes.iter().map(|it| is_left(it, config)).collect();
        let wanted = Side { block: self.block, object: config, mask: &mask, is_config: true };
        let (block, prior, hash) = (self.block, self.prior, wanted.hash());
        if !self.by_mask.contains_key(&mask) {
            self.by_mask.insert(mask.clone(), index(block, prior, &mask));
        }
        let candidates = self.by_mask.get_mut(&mask)?.get_mut(&hash)?;
        // Taken ones are dropped for good, so that every candidate is looked at once for each mask.
        while candidates.last().is_some_and(|at| self.taken[*at]) {
            candidates.pop();
        }
        let at = candidates.iter().rposition(|at| match prior[*at] {
            Value::Object(object) => {
                !self.taken[*at] && wanted.is_like(&Side { block, object, mask: &mask, is_config: false })
            }
            _ => false,
        })?;
        let found = candidates.remove(at);
        self.taken[found] = true;
        Some(found)
    }
}

fn index(block: &Block, prior: &[&Value], mask: &Mask) -> HashMap<u64, Vec<usize>> {
    let mut found: HashMap<u64, Vec<usize>> = HashMap::with_capacity(prior.len());
    for (i, element) in prior.iter().enumerate().rev() {
        if let Value::Object(object) = element {
            found.entry(Side { block, object, mask, is_config: false }.hash()).or_default().push(i);
        }
    }
    found
}

/// An element without what the mask leaves out, with defaults where it is the configuration's, and without
/// anything computed deeper inside. Nothing is copied: it is hashed and compared part by part.
struct Side<'a> {
    block: &'a Block,
    object: &'a Object,
    mask: &'a Mask,
    is_config: bool,
}

impl<'a> Side<'a> {
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.parts().for_each(|it| it.hash(&mut hasher));
        hasher.finish()
    }

    fn is_like(&self, other: &Side<'_>) -> bool {
        self.parts().eq(other.parts())
    }

    fn parts(&self) -> impl Iterator<Item = Cow<'a, Value>> {
        let Side { block, object, mask, is_config } = *self;
        let of = |name: &str| object.get(name).unwrap_or(&Value::Null);
        let attributes = block.attributes.iter().zip(mask).filter(|(_, left)| !**left).map(move |(it, _)| {
            let value = of(&it.name);
            match (&it.default, &it.nested) {
                (Some(default), _) if is_config && value.is_null() => Cow::Owned(default()),
                (_, Some(nested)) if it.holds_computed() => Cow::Owned(strip(&nested.block, value)),
                _ => Cow::Borrowed(value),
            }
        });
        let blocks = block.blocks.iter().filter(|it| !it.computed);
        attributes.chain(blocks.map(move |it| Cow::Owned(strip(&it.block, of(&it.name)))))
    }
}

fn is_left(attribute: &Attribute, config: &Object) -> bool {
    attribute.write_only
        || attribute.mode.is_computed()
            && attribute.default.is_none()
            && config.get(&attribute.name).is_none_or(Value::is_null)
}

/// The objects inside a value without anything that is computed.
fn strip(block: &Block, value: &Value) -> Value {
    match value {
        Value::List(it) => Value::List(it.iter().map(|it| strip(block, it)).collect()),
        Value::Set(it) => Value::set(it.iter().map(|it| strip(block, it))),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), strip(block, it))).collect()),
        Value::Object(it) => {
            let inputs = block.attributes.iter().filter(|it| !it.mode.is_computed() && !it.write_only);
            let attributes = inputs.map(|attribute| {
                let value = it.get(&attribute.name).unwrap_or(&Value::Null);
                let inside = attribute.nested.as_ref();
                (attribute.name.clone(), inside.map_or_else(|| value.clone(), |it| strip(&it.block, value)))
            });
            let blocks = block.blocks.iter().filter(|it| !it.computed).map(|nested| {
                let value = it.get(&nested.name).unwrap_or(&Value::Null);
                (nested.name.clone(), strip(&nested.block, value))
            });
            Value::Object(attributes.chain(blocks).collect())
        }
        _ => value.clone(),
    }
}
