//! Maps side by side.

use std::cmp::Ordering;
use std::collections::btree_map;
use std::iter::Peekable;

use ferroform_value::{NfcString, Value};

/// Looks up keys in a map, which are asked in their order: in one walk, where a search for each would compare it with
/// dozens of keys all over the memory.
pub(crate) struct InOrder<'a> {
    entries: Option<Peekable<btree_map::Iter<'a, NfcString, Value>>>,
}

impl<'a> InOrder<'a> {
    /// Of what is no map, each key is missing.
    pub(crate) fn of(map: Option<&'a Value>) -> InOrder<'a> {
        let Some(Value::Map(it)) = map else { return InOrder { entries: None } };
        InOrder { entries: Some(it.iter().peekable()) }
    }

    /// The value at the key, which is after those that were asked before.
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
    fn finds_what_a_search_finds() {
        let map = |keys: &str| Value::map(keys.chars().map(|it| (it.to_string(), it.to_string().into())));
        for (has, asked) in
            [("", "ab"), ("ab", ""), ("abc", "abc"), ("bdf", "abcdefg"), ("abcdefg", "bdf"), ("c", "aabcc")]
        {
            let map = map(has);
            let mut in_order = InOrder::of(Some(&map));
            let Value::Map(searched) = &map else { unreachable!() };
            for key in asked.chars().map(String::from) {
                assert_eq!(in_order.get(&key), searched.get(&*key), "{key} of {has}");
            }
        }
        assert_eq!(InOrder::of(None).get("a"), None);
        assert_eq!(InOrder::of(Some(&Value::Null)).get("a"), None);
    }
}
