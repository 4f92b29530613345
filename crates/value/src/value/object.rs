//! The attributes of an object.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Value;
use crate::ty::ObjectType;

/// The number of attributes that a lookup searches linearly before it uses a binary search.
const LINEAR_SEARCH: usize = 8;

/// The attributes of an object, sorted by name. Each name occurs once.
///
/// Cloning is cheap, because clones share their values until one of them changes. Objects that are decoded with one
/// [`ObjectType`] share a table of names. Shared values and names are compared by address.
///
/// ```
/// use ferroform_value::{Object, Value};
///
/// let mut owner = Object::default();
/// owner.insert("name", "a".into());
/// owner.insert("id", 1.into());
/// assert_eq!(owner.get("id"), Some(&Value::from(1)));
/// assert_eq!(Value::Object(owner).to_string(), r#"{id = 1, name = "a"}"#);
/// ```
#[derive(Clone, Debug, Eq, Default)]
pub struct Object {
    /// The names, sorted. Adding or removing an attribute copies a shared table.
    names: Arc<Vec<Arc<str>>>,
    /// The values, in the order of the names. Changing an attribute copies shared values.
    values: Arc<[Value]>,
}

impl Object {
    /// Creates an object of a type from one value for each attribute, in the order of the type.
    pub(crate) fn of_type(ty: &ObjectType, values: impl IntoIterator<Item = Value>) -> Object {
        let object = Object { names: ty.names().clone(), values: values.into_iter().collect() };
        debug_assert_eq!(object.names.len(), object.values.len(), "each attribute has a value");
        object
    }

    /// Returns the value of an attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.position(name).ok()?;
        self.values.get(at)
    }

    /// Returns the value of an attribute; null if the object does not have the attribute.
    pub fn get_or_null(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }

    /// Returns a mutable reference to the value of an attribute.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let at = self.position(name).ok()?;
        Arc::make_mut(&mut self.values).get_mut(at)
    }

    /// Sets an attribute and returns its previous value. Adding an attribute takes linear time, so collect an object
    /// with many attributes from an iterator.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: Value) -> Option<Value> {
        let name = name.into();
        match self.position(&name) {
            Ok(at) => Some(std::mem::replace(&mut Arc::make_mut(&mut self.values)[at], value)),
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
        let mut values = take_values(&mut self.values).collect();
        let result = change(&mut values);
        self.values = values.into();
        result
    }

    /// Returns the number of attributes.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if the object has no attributes.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the attributes, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.names.iter().zip(&*self.values)
    }

    /// Returns the attributes, sorted by name, with mutable references to the values.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Arc<str>, &mut Value)> {
        self.names.iter().zip(Arc::make_mut(&mut self.values))
    }

    /// Returns the values, sorted by name.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.values.iter()
    }

    /// Replaces each value.
    ///
    /// # Errors
    ///
    /// Returns the first error of `change`.
    pub fn try_map<E>(
        mut self,
        mut change: impl FnMut(&Arc<str>, Value) -> Result<Value, E>,
    ) -> Result<Object, E> {
        for (name, value) in self.iter_mut() {
            *value = change(name, std::mem::replace(value, Value::Null))?;
        }
        Ok(self)
    }

    /// Returns true if both objects have the same attributes. The comparison takes constant time if they share their names.
    pub(crate) fn has_same_names(&self, other: &Object) -> bool {
        self.names == other.names
    }

    /// Returns true if the names are those of the type. The comparison takes constant time if the object shares them.
    pub(crate) fn has_names_of(&self, ty: &ObjectType) -> bool {
        self.names == *ty.names()
    }

    /// Returns the index of an attribute, or the index at which to insert it.
    #[inline]
    fn position(&self, name: &str) -> Result<usize, usize> {
        // Most objects have few names, which differ in length and share their allocation with the schema.
        let matches = |it: &str| it.len() == name.len() && (it.as_ptr() == name.as_ptr() || it == name);
        let first = &self.names[..self.names.len().min(LINEAR_SEARCH)];
        match first.iter().position(|it| matches(it)) {
            Some(at) => Ok(at),
            None => self.names.binary_search_by(|it| (**it).cmp(name)),
        }
    }
}

/// Takes the values of an object. They are copied if other objects share them.
fn take_values(values: &mut Arc<[Value]>) -> impl ExactSizeIterator<Item = Value> {
    Arc::make_mut(values).iter_mut().map(|it| std::mem::replace(it, Value::Null))
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.names == other.names && (Arc::ptr_eq(&self.values, &other.values) || self.values == other.values)
    }
}

impl Hash for Object {
    /// Hashes only the values, because the objects of a collection have the same names.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.values().for_each(|it| it.hash(state));
    }
}

impl FromIterator<(Arc<str>, Value)> for Object {
    /// Takes linear time if the names are sorted. If a name occurs more than once, the last value applies.
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(attributes: I) -> Object {
        let mut attributes: Vec<_> = attributes.into_iter().collect();
        if !attributes.is_sorted_by(|a, b| a.0 < b.0) {
            attributes.reverse();
            attributes.sort_by(|a, b| a.0.cmp(&b.0));
            attributes.dedup_by(|b, a| a.0 == b.0);
        }
        let names = attributes.iter().map(|(name, _)| name.clone()).collect();
        Object { names: Arc::new(names), values: attributes.into_iter().map(|(_, value)| value).collect() }
    }
}

impl IntoIterator for Object {
    type Item = (Arc<str>, Value);
    type IntoIter = std::iter::Zip<std::vec::IntoIter<Arc<str>>, std::vec::IntoIter<Value>>;

    fn into_iter(mut self) -> Self::IntoIter {
        let values: Vec<Value> = take_values(&mut self.values).collect();
        Arc::unwrap_or_clone(self.names).into_iter().zip(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_values_until_one_changes() {
        let original = || Object::from_iter([("id".into(), 1.into()), ("name".into(), "a".into())]);
        let object = original();
        assert!(Arc::ptr_eq(&object.values, &object.clone().values));
        let changes: [fn(&mut Object); 6] = [
            |it| drop(it.insert("id", 2.into())),
            |it| drop(it.insert("size", 2.into())),
            |it| drop(it.remove("id")),
            |it| drop(it.get_mut("id").map(|id| std::mem::replace(id, 2.into()))),
            |it| it.iter_mut().for_each(|(_, value)| *value = Value::Null),
            |it| drop(std::mem::take(it).into_iter().map(|(_, value)| value).collect::<Vec<_>>()),
        ];
        for change in changes {
            let mut changed = object.clone();
            change(&mut changed);
            assert_ne!(changed, object);
            assert_eq!(object, original());
        }
    }
}
