//! Lists, sets and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use ferroform_value::{Error, Step, Type, Value};

use super::{Attr, mismatch};
use crate::schema::{Block, Nested};
use crate::view::View;

/// The elements of a set, in the order in which they came.
///
/// Equality does not see the order. Unlike `BTreeSet` and `HashSet` it asks nothing of its elements, and it
/// keeps all of them: in a plan two unknown elements may differ once they are known.
#[derive(Clone, Debug)]
pub struct Set<T> {
    elements: Vec<T>,
}

impl<T> Set<T> {
    /// The elements.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// True for the set without elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Set { elements: Vec::new() }
    }
}

impl<T: Attr> PartialEq for Set<T> {
    /// Linear for types whose equality is that of their Terraform values; for others the elements are
    /// compared each with each, once exact pairs are gone.
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        if T::EXACT {
            return self.to_value() == other.to_value();
        }
        let mut left: Vec<&T> = other.iter().collect();
        self.iter()
            .all(|it| left.iter().position(|other| *other == it).map(|at| left.swap_remove(at)).is_some())
    }
}

impl<T> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Set { elements: elements.into_iter().collect() }
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}

/// The parts of `Attr` that a collection takes over from its elements.
macro_rules! collection {
    ($element:ident, $ty:path, $nested:path) => {
        const EXACT: bool = $element::EXACT;
        const HOLDS_COMPUTED: bool = $element::HOLDS_COMPUTED;

        fn ty() -> Type {
            $ty($element::ty())
        }

        fn block() -> Option<Block> {
            None
        }

        fn nested() -> Option<Nested> {
            $element::block().map($nested)
        }
    };
}

impl<T: Attr> Attr for Vec<T> {
    type In<V: View> = Vec<V::Plain<T>>;
    collection!(T, Type::list, Nested::list);

    fn from_value(value: &Value) -> Result<Self, Error> {
        match value {
            Value::List(elements) => elements
                .iter()
                .enumerate()
                .map(|(i, it)| T::from_value(it).map_err(|e| e.below(Step::Index(i))))
                .collect(),
            _ => Err(mismatch("a list", value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }
}

/// Reads the elements of a set into whatever collects them.
fn read_set<T: Attr, C: FromIterator<T>>(value: &Value) -> Result<C, Error> {
    match value {
        Value::Set(elements) => elements
            .iter()
            .map(|it| T::from_value(it).map_err(|e| e.below(Step::Element(Box::new(it.clone())))))
            .collect(),
        _ => Err(mismatch("a set", value)),
    }
}

macro_rules! sets {
    ($(impl<$t:ident $(, $h:ident)?> Attr for $set:ty where $t2:ident: $($bound:path),+;)+) => {$(
        impl<$t: Attr $(+ $bound)+ $(, $h: BuildHasher + Default + Clone + Send + Sync + 'static)?> Attr for $set {
            type In<V: View> = Set<V::Plain<$t>>;
            collection!($t, Type::set, Nested::set);

            fn from_value(value: &Value) -> Result<Self, Error> {
                read_set(value)
            }

            fn to_value(&self) -> Value {
                Value::set(self.iter().map($t::to_value))
            }
        }
    )+};
}

sets! {
    impl<T> Attr for Set<T> where T: Attr;
    impl<T> Attr for BTreeSet<T> where T: Ord;
    impl<T, S> Attr for HashSet<T, S> where T: Eq, Hash;
}

macro_rules! maps {
    ($($map:ident<String, $t:ident $(, $h:ident)?>;)+) => {$(
        impl<$t: Attr $(, $h: BuildHasher + Default + Clone + Send + Sync + 'static)?> Attr
            for $map<String, $t $(, $h)?>
        {
            type In<V: View> = $map<String, V::Plain<$t> $(, $h)?>;
            collection!($t, Type::map, Nested::map);

            fn from_value(value: &Value) -> Result<Self, Error> {
                match value {
                    Value::Map(entries) => entries
                        .iter()
                        .map(|(key, it)| match $t::from_value(it) {
                            Ok(it) => Ok((String::from(&**key), it)),
                            Err(e) => Err(e.below(Step::Key(key.clone()))),
                        })
                        .collect(),
                    _ => Err(mismatch("a map", value)),
                }
            }

            fn to_value(&self) -> Value {
                Value::map(self.iter().map(|(key, it)| (key.as_str(), it.to_value())))
            }
        }
    )+};
}

maps! {
    BTreeMap<String, T>;
    HashMap<String, T, S>;
}
