//! Elements without order, each once.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Value;

/// The elements of a set. Equality does not see the order, and is linear.
#[derive(Clone, Debug, Default, Eq)]
pub struct Set {
    elements: Vec<Value>,
}

impl Set {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// True for the set without elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements, in the order in which they came.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.elements.iter()
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let mut counts: HashMap<&Value, usize> = HashMap::with_capacity(self.len());
        for element in &self.elements {
            *counts.entry(element).or_default() += 1;
        }
        other
            .elements
            .iter()
            .all(|element| match counts.get_mut(element) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                _ => false,
            })
    }
}

impl Hash for Set {
    /// The sum of the elements' hashes, so that the order does not count.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let sum = self.elements.iter().fold(0u64, |sum, element| {
            let mut hasher = DefaultHasher::new();
            element.hash(&mut hasher);
            sum.wrapping_add(hasher.finish())
        });
        state.write_usize(self.len());
        state.write_u64(sum);
    }
}

impl FromIterator<Value> for Set {
    /// Equal elements become one; elements with unknown parts are all kept, because they may differ once known.
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Set {
        let mut seen = std::collections::HashSet::new();
        let elements = elements
            .into_iter()
            .filter(|it| !it.is_wholly_known() || seen.insert(it.clone()))
            .collect();
        Set { elements }
    }
}

impl IntoIterator for Set {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a> IntoIterator for &'a Set {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}
