//! The attributes of an object.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Value;

/// As many attributes are looked at one by one.
const FEW: usize = 8;

/// The attributes of an object, sorted by name, each name once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Object {
    attributes: Vec<(Arc<str>, Value)>,
}

impl Object {
    /// An object of attributes that are sorted by name already, each name once.
    pub(crate) fn of_sorted(attributes: Vec<(Arc<str>, Value)>) -> Object {
        debug_assert!(attributes.is_sorted_by(|a, b| a.0 < b.0), "whoever calls this has sorted them");
        Object { attributes }
    }

    /// The value of the attribute of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.position(name).ok()?;
        self.attributes.get(at).map(|(_, value)| value)
    }

    /// The value of the attribute of that name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let at = self.position(name).ok()?;
        self.attributes.get_mut(at).map(|(_, value)| value)
    }

    /// Sets an attribute, and answers what it was before, where it was there.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: Value) -> Option<Value> {
        let name = name.into();
        match self.position(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.attributes[at].1, value)),
            Err(at) => {
                self.attributes.insert(at, (name, value));
                None
            }
        }
    }

    /// Takes an attribute out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.position(name).ok()?;
        Some(self.attributes.remove(at).1)
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.attributes.len()
    }

    /// True for the object without attributes.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// The attributes, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.attributes.iter().map(|(name, value)| (name, value))
    }

    /// The attributes, sorted by name, the values to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Arc<str>, &mut Value)> {
        self.attributes.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// The values, sorted by the names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.attributes.iter().map(|(_, value)| value)
    }

    /// Where the attribute of that name is, or would be.
    #[inline]
    fn position(&self, name: &str) -> Result<usize, usize> {
        // Names are mostly few, of different lengths, and in the same memory as those of the schema.
        let is_it = |it: &str| it.len() == name.len() && (it.as_ptr() == name.as_ptr() || it == name);
        let few = &self.attributes[..self.attributes.len().min(FEW)];
        match few.iter().position(|(it, _)| is_it(it)) {
            Some(at) => Ok(at),
            None => self.attributes.binary_search_by(|(it, _)| (**it).cmp(name)),
        }
    }
}

impl Hash for Object {
    /// The values alone: objects that meet in one place have the same names.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.values().for_each(|it| it.hash(state));
    }
}

impl FromIterator<(Arc<str>, Value)> for Object {
    /// Linear where the names come sorted, as they do from the wire.
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(attributes: I) -> Object {
        let mut attributes: Vec<_> = attributes.into_iter().collect();
        if !attributes.is_sorted_by(|a, b| a.0 < b.0) {
            attributes.reverse();
            attributes.sort_by(|a, b| a.0.cmp(&b.0));
            attributes.dedup_by(|b, a| a.0 == b.0);
        }
        Object { attributes }
    }
}

impl IntoIterator for Object {
    type Item = (Arc<str>, Value);
    type IntoIter = std::vec::IntoIter<(Arc<str>, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.attributes.into_iter()
    }
}
