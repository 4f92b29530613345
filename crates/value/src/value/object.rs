//! The attributes of an object.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Value;
use crate::ty::ObjectType;

/// As many attributes are looked at one by one.
const FEW: usize = 8;

/// The attributes of an object, sorted by name, each name once.
///
/// Objects of one type share their names: those that are decoded with one [`ObjectType`] and all copies of them refer
/// to one table. So an element of a collection costs its values only, and equal tables are compared by address.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Object {
    /// Sorted, each once. Changed only where an attribute is added or removed, which makes a copy if it is shared.
    names: Arc<Vec<Arc<str>>>,
    /// The value of each name.
    values: Box<[Value]>,
}

impl Object {
    /// An object of a type. There is one value for each attribute of the type, in the type's order.
    pub(crate) fn of_type(ty: &ObjectType, values: Vec<Value>) -> Object {
        debug_assert_eq!(ty.names().len(), values.len(), "each attribute has a value");
        Object { names: ty.names().clone(), values: values.into() }
    }

    /// The value of the attribute of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.position(name).ok()?;
        self.values.get(at)
    }

    /// The value of the attribute of that name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let at = self.position(name).ok()?;
        self.values.get_mut(at)
    }

    /// Sets an attribute and returns its previous value. An attribute that is not there yet takes linear time:
    /// objects of many attributes are better collected from an iterator.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: Value) -> Option<Value> {
        let name = name.into();
        match self.position(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], value)),
            Err(at) => {
                Arc::make_mut(&mut self.names).insert(at, name);
                self.change_values(|values| values.insert(at, value));
                None
            }
        }
    }

    /// Removes an attribute and returns its value, in linear time.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.position(name).ok()?;
        Arc::make_mut(&mut self.names).remove(at);
        Some(self.change_values(|values| values.remove(at)))
    }

    fn change_values<T>(&mut self, change: impl FnOnce(&mut Vec<Value>) -> T) -> T {
        let mut values = std::mem::take(&mut self.values).into_vec();
        let result = change(&mut values);
        self.values = values.into();
        result
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True for the object without attributes.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The attributes, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.names.iter().zip(&self.values)
    }

    /// The attributes, sorted by name, the values to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Arc<str>, &mut Value)> {
        self.names.iter().zip(&mut self.values)
    }

    /// The values, sorted by the names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.values.iter()
    }

    /// An object with the same names, each value replaced.
    ///
    /// # Errors
    ///
    /// The first error of `change`.
    pub fn try_map<E>(
        self,
        mut change: impl FnMut(&Arc<str>, Value) -> Result<Value, E>,
    ) -> Result<Object, E> {
        let changed = self.names.iter().zip(self.values).map(|(name, value)| change(name, value));
        let values = changed.collect::<Result<_, E>>()?;
        Ok(Object { names: self.names, values })
    }

    /// Returns true if the names are those of the type, which takes no time if they are shared with it.
    pub(crate) fn has_names_of(&self, ty: &ObjectType) -> bool {
        self.names == *ty.names()
    }

    /// Where the attribute of that name is, or would be.
    #[inline]
    fn position(&self, name: &str) -> Result<usize, usize> {
        // Names are mostly few, of different lengths, and in the same memory as those of the schema.
        let is_it = |it: &str| it.len() == name.len() && (it.as_ptr() == name.as_ptr() || it == name);
        let few = &self.names[..self.names.len().min(FEW)];
        match few.iter().position(|it| is_it(it)) {
            Some(at) => Ok(at),
            None => self.names.binary_search_by(|it| (**it).cmp(name)),
        }
    }
}

impl Hash for Object {
    /// The values alone: objects that are compared with each other have the same names.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.values().for_each(|it| it.hash(state));
    }
}

impl FromIterator<(Arc<str>, Value)> for Object {
    /// Linear if the names come sorted. A name given twice keeps its last value.
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(attributes: I) -> Object {
        let mut attributes: Vec<_> = attributes.into_iter().collect();
        if !attributes.is_sorted_by(|a, b| a.0 < b.0) {
            attributes.reverse();
            attributes.sort_by(|a, b| a.0.cmp(&b.0));
            attributes.dedup_by(|b, a| a.0 == b.0);
        }
        let (names, values): (Vec<_>, Vec<_>) = attributes.into_iter().unzip();
        Object { names: Arc::new(names), values: values.into() }
    }
}

impl IntoIterator for Object {
    type Item = (Arc<str>, Value);
    type IntoIter = std::iter::Zip<std::vec::IntoIter<Arc<str>>, std::vec::IntoIter<Value>>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.names).into_iter().zip(self.values.into_vec())
    }
}
