//! Sets: unordered, distinct elements.

use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::Value;

/// The hash keys of the process. Equal sets must have equal hashes, and a sender must not be able to predict
/// collisions.
static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// The elements of a set. Equality ignores the order and takes linear time.
///
/// ```
/// use ferroform_value::{Set, Value};
///
/// let a: Set = ["x", "y", "x"].into_iter().map(Value::from).collect();
/// let b: Set = ["y", "z"].into_iter().map(Value::from).collect();
/// assert_eq!(a.len(), 2);
/// assert_eq!(a.difference(&b), [&Value::from("x")]);
/// ```
#[derive(Clone, Debug, Default, Eq)]
pub struct Set {
    elements: Vec<Value>,
}

impl Set {
    /// Creates a set that can contain equal elements, as a stored state can. Go's protocol library keeps them as
    /// well, so that a validator can report them.
    pub fn with_duplicates(elements: Vec<Value>) -> Set {
        Set { elements }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns true if the set has no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns the elements in the order of their insertion.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.elements.iter()
    }

    /// Returns the elements that the other set does not contain, in the order of their insertion. Takes linear time.
    pub fn difference<'a>(&'a self, other: &Set) -> Vec<&'a Value> {
        let others: HashSet<&Value> = other.elements.iter().collect();
        self.elements.iter().filter(|it| !others.contains(it)).collect()
    }

    /// Returns the elements that are equal to an earlier one. Only a set from [`Set::with_duplicates`], with unknown
    /// values or with both zeros has such elements. Takes linear time.
    pub fn duplicates(&self) -> Vec<&Value> {
        let mut seen = HashSet::with_capacity(self.len());
        self.elements.iter().filter(|it| !seen.insert(*it)).collect()
    }

    /// Returns true if an element is equal to the value. Takes linear time, so use a `HashSet` for many values.
    pub fn contains(&self, value: &Value) -> bool {
        self.elements.contains(value)
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        if self.len() != other.len() {
            return false;
        }
        // Equal sets mostly have the same order, so only the elements that differ at the same index are counted.
        let differing: Vec<_> = self.elements.iter().zip(&other.elements).filter(|(a, b)| a != b).collect();
        let mut counts: HashMap<&Value, usize> = HashMap::with_capacity(differing.len());
        for (element, _) in &differing {
            *counts.entry(element).or_default() += 1;
        }
        differing.into_iter().all(|(_, element)| match counts.get_mut(element) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
    }
}

impl Hash for Set {
    /// Adds the hashes of the elements, so that the order does not matter.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let sum = self.elements.iter().fold(0u64, |sum, element| sum.wrapping_add(KEYS.hash_one(element)));
        state.write_usize(self.len());
        state.write_u64(sum);
    }
}

impl FromIterator<Value> for Set {
    /// Equal elements become one element. Elements that are not wholly known are all kept, because they can differ
    /// once they are known. As in Terraform, zero and negative zero are both kept although they are equal.
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Set {
        let elements = elements.into_iter();
        let mut kept: Vec<Value> = Vec::with_capacity(elements.size_hint().0);
        // `last` contains the index of the last element with each hash. `previous` contains, for each element, the
        // index of the previous element with the same hash.
        let mut last: std::collections::HashMap<u64, usize, BuildHasherDefault<IdentityHasher>> =
            std::collections::HashMap::with_capacity_and_hasher(kept.capacity(), BuildHasherDefault::new());
        let mut previous: Vec<Option<usize>> = Vec::with_capacity(kept.capacity());
        for element in elements {
            let mut chain = None;
            if element.is_wholly_known() {
                let hash = KEYS.hash_one(&element);
                chain = last.get(&hash).copied();
                let is_equal = |&at: &usize| kept[at] == element && has_equal_zero_signs(&kept[at], &element);
                if std::iter::successors(chain, |&at| previous[at]).any(|at| is_equal(&at)) {
                    continue;
                }
                last.insert(hash, kept.len());
            }
            previous.push(chain);
            kept.push(element);
        }
        Set { elements: kept }
    }
}

/// A hasher for keys that are already hashes.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|it| self.write_u64(self.0.rotate_left(8) ^ u64::from(*it)));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Returns false if two equal values differ in the sign of a zero.
fn has_equal_zero_signs(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.is_negative_zero() == b.is_negative_zero(),
        (Value::Dynamic(a), Value::Dynamic(b)) => has_equal_zero_signs(&a.value, &b.value),
        _ => a.all_pairs(b, has_equal_zero_signs).unwrap_or(true),
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
