//! Lists, sets and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use ferroform_value::{self as value, Error, Step, Type, Value};

use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, AttrValue, Shape, Unhandled};
use crate::model::view::View;
use ferroform_engine::schema::{Block, Nested};
use ferroform_engine::validator::Hint;

/// A set of elements, in the order in which they were read.
///
/// Equality ignores the order. Unlike `BTreeSet` and `HashSet`, it needs neither `Ord` nor `Hash`, and it keeps
/// elements that are equal: in a plan, two unknown elements may become different values.
///
/// ```
/// use ferroform::{Attr, Set};
///
/// let mut ports = Set::from([80]);
/// ports.extend([443_u16]);
/// assert!(ports.contains(&443));
/// assert_eq!(ports, [443, 80].into_iter().collect());
/// assert_eq!(ports.to_value(), ferroform::value::Value::set([80.into(), 443.into()]));
/// ```
#[derive(Clone, Debug)]
pub struct Set<T> {
    elements: Vec<T>,
}

impl<T> Set<T> {
    /// Iterates over the elements.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns true if the set has no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns true if an element is equal to the value. It compares all elements, because they have no order and no hash.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.elements.contains(value)
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Set { elements: Vec::new() }
    }
}

impl<T: Attr + PartialEq> PartialEq for Set<T> {
    /// Linear for elements with the same canonical form. The remaining elements are compared pairwise.
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        if T::EXACT {
            return self.to_value() == other.to_value();
        }
        let mut by_canonical_form: HashMap<Value, Vec<&T>> = HashMap::with_capacity(other.len());
        for it in other {
            by_canonical_form.entry(T::canonical(&it.to_value())).or_default().push(it);
        }
        let has_no_match =
            |it: &&T| by_canonical_form.get_mut(&T::canonical(&it.to_value())).and_then(Vec::pop).is_none();
        let unmatched: Vec<&T> = self.iter().filter(has_no_match).collect();
        let mut remaining: Vec<&T> = by_canonical_form.into_values().flatten().collect();
        unmatched.into_iter().all(|it| {
            remaining.iter().position(|other| *other == it).map(|at| remaining.swap_remove(at)).is_some()
        })
    }
}

impl<T> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Set { elements: elements.into_iter().collect() }
    }
}

impl<T> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.elements.extend(elements);
    }
}

impl<T> From<Vec<T>> for Set<T> {
    fn from(elements: Vec<T>) -> Self {
        Set { elements }
    }
}

impl<T, const N: usize> From<[T; N]> for Set<T> {
    fn from(elements: [T; N]) -> Self {
        Set { elements: elements.into() }
    }
}

impl<T> From<Set<T>> for Vec<T> {
    fn from(set: Set<T>) -> Self {
        set.elements
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

/// An attribute type that can be the key of a map: a string in Terraform.
///
/// `String` implements it, and so do all enums and newtypes of strings that derive [`Attr`](derive@crate::Attr). For
/// another type whose [`ty`](Attr::ty) is a string, write `impl MapKey for Host {}`.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use ferroform::{Attr, Model};
///
/// /// The size of a disk.
/// #[derive(Attr, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
/// enum Size { Small, Large }
///
/// /// The prices of disks.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Prices {
///     prices: BTreeMap<Size, f64>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map",
    label = "not a map key",
    note = "map keys are strings: `String`, a `#[derive(Attr)]` enum, or a `#[derive(Attr)]` newtype of one of these"
)]
pub trait MapKey: Attr {}

impl MapKey for String {}

/// The items of `Attr` that a collection derives from its elements.
macro_rules! collection {
    ($element:ident, $ty:path, $nested:path, $shape:expr) => {
        collection!($element, $ty, $nested, $shape, list);
    };
    ($element:ident, $ty:path, $nested:path, $shape:expr, $inside:ident) => {
        const SHAPE: Shape = $shape;
        const EXACT: bool = $element::EXACT;
        const HAS_COMPUTED: bool = $element::HAS_COMPUTED;
        const FACTS: $crate::attr::TypeFacts = $element::FACTS.$inside();
        const DESCRIPTION: &'static str = $element::DESCRIPTION;
        const __DOC: &'static str = $element::__DOC;

        fn ty() -> Type {
            $ty($element::ty())
        }

        fn from_value(value: &Value) -> Result<Self, Error> {
            Self::from_value_or(value, Unhandled::default())
        }

        fn keep_prior(prior: &Value, new: &Value) -> Value {
            super::semantic_equality::elements::<$element>(prior, new)
        }

        fn canonical(value: &Value) -> Value {
            super::semantic_equality::canonical_elements::<$element>(value)
        }

        fn hints() -> Vec<Hint> {
            <$element>::hints()
        }

        fn block() -> Option<Block> {
            None
        }

        fn nested() -> Option<Nested> {
            $element::block().map($nested)
        }
    };
}

pub(super) use collection;

/// Reads the elements of a list or tuple.
pub(super) fn elements<'a, T: Attr, C: FromIterator<T>>(
    values: impl Iterator<Item = &'a Value>,
    unhandled: Unhandled,
) -> Result<C, Error> {
    values
        .enumerate()
        .map(|(i, it)| T::from_value_or(it, unhandled).map_err(|e| e.below(Step::Index(i))))
        .collect()
}

/// Reads the elements of a set.
fn elements_of_set<T: Attr, C: FromIterator<T>>(set: &value::Set, unhandled: Unhandled) -> Result<C, Error> {
    set.iter()
        .map(|it| T::from_value_or(it, unhandled).map_err(|e| e.below(Step::Element(Box::new(it.clone())))))
        .collect()
}

impl<T: Attr> Attr for Vec<T> {
    type In<V: View> = Vec<V::Plain<T>>;
    collection!(T, Type::list, Nested::list, T::SHAPE.list());

    /// Reads tuples and sets too, for access without a model.
    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        match value {
            Value::List(it) | Value::Tuple(it) => elements(it.iter(), unhandled),
            Value::Set(it) => elements_of_set(it, unhandled),
            _ if unhandled.covers(value) => Ok(Vec::new()),
            _ => Err(mismatch("a list", value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }
}

macro_rules! sets {
    ($(impl<$t:ident $(, $h:ident)?> Attr for $set:ty where $t2:ident: $($bound:path),+;)+) => {$(
        impl<$t: Attr $(+ $bound)+ $(, $h: BuildHasher + Default + Clone + Send + Sync + 'static)?> Attr for $set {
            type In<V: View> = Set<V::Plain<$t>>;
            collection!($t, Type::set, Nested::set, Shape::Other, set);

            fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
                let Value::Set(elements) = value else {
                    let empty = unhandled.covers(value).then(|| std::iter::empty().collect());
                    return empty.ok_or_else(|| mismatch("a set", value));
                };
                // Elements that differ in Terraform may be equal in Rust. The validation of the configuration rejects them;
                // a stored state stays readable.
                elements_of_set::<$t, _>(elements, unhandled)
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
    ($($map:ident<$k:ident: $($bound:ident)&+, $t:ident $(, $h:ident)?>;)+) => {$(
        impl<
            $k: MapKey + AttrValue $(+ $bound)+,
            $t: Attr
            $(, $h: BuildHasher + Default + Clone + Send + Sync + 'static)?
        > Attr for $map<$k, $t $(, $h)?> {
            type In<V: View> = $map<$k, V::Plain<$t> $(, $h)?>;
            collection!($t, Type::map, Nested::map, Shape::Other, map);

            fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
                let Value::Map(entries) = value else {
                    let empty = unhandled.covers(value).then(Self::default);
                    return empty.ok_or_else(|| mismatch("a map", value));
                };
                let mut map = Self::default();
                for (key, it) in entries {
                    let below = |e: Error| e.below(Step::Key(key.clone()));
                    let name = $k::from_value(&Value::String(key.clone())).map_err(below)?;
                    if map.insert(name, $t::from_value_or(it, unhandled).map_err(below)?).is_some() {
                        return Err(below(Error::constant("another key of the map is semantically equal")));
                    }
                }
                Ok(map)
            }

            fn to_value(&self) -> Value {
                let entry = |(key, it): (&$k, &$t)| match key.to_value() {
                    Value::String(key) => (key, it.to_value()),
                    // Not a valid key: its debug form replaces it, and reading it back fails.
                    other => (format!("{other:?}").into(), it.to_value()),
                };
                let map: BTreeMap<_, _> = self.iter().map(entry).collect();
                if map.len() == self.len() {
                    return Value::Map(map);
                }
                // Two keys are equal in Unicode normalization form C: see `Attr::to_value`.
                Value::List(self.keys().map($k::to_value).collect())
            }
        }
    )+};
}

maps! {
    BTreeMap<K: Ord, T>;
    HashMap<K: Eq & Hash, T, S>;
}
