//! Lookups of sorted keys in a map.

use std::cmp::Ordering;
use std::collections::btree_map;
use std::iter::Peekable;

use ferroform_value::{NfcString, Value};

/// Looks up keys in a map in ascending order. One walk through the map finds all of them, which is faster than a search for
/// each key in a large map.
pub(crate) struct SortedLookup<'a> {
    entries: Option<Peekable<btree_map::Iter<'a, NfcString, Value>>>,
}

impl<'a> SortedLookup<'a> {
    /// A lookup in this map. In any other value, no key is found.
    pub(crate) fn of(map: Option<&'a Value>) -> SortedLookup<'a> {
        let Some(Value::Map(it)) = map else { return SortedLookup { entries: None } };
        SortedLookup { entries: Some(it.iter().peekable()) }
    }

    /// The value at the key, which must not be less than the keys of earlier lookups.
    pub(crate) fn get(&mut self, key: &str) -> Option<&'a Value> {
        let entries = self.entries.as_mut()?;
        loop {
            let (next, value) = entries.peek()?;
            match (***next).cmp(key) {
                Ordering::Less => drop(entries.next()),
                Ordering::Equal => return Some(value),
                Ordering::Greater => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_lookup_finds_the_same_values_as_a_search() {
        let map = |keys: &str| Value::map(keys.chars().map(|it| (it.to_string(), it.to_string().into())));
        for (keys, looked_up) in
            [("", "ab"), ("ab", ""), ("abc", "abc"), ("bdf", "abcdefg"), ("abcdefg", "bdf"), ("c", "aabcc")]
        {
            let map = map(keys);
            let mut lookup = SortedLookup::of(Some(&map));
            let Value::Map(searched) = &map else { unreachable!() };
            for key in looked_up.chars().map(String::from) {
                assert_eq!(lookup.get(&key), searched.get(&*key), "{key} of {keys}");
            }
        }
        assert_eq!(SortedLookup::of(None).get("a"), None);
        assert_eq!(SortedLookup::of(Some(&Value::Null)).get("a"), None);
    }
}
