//! Counts the elements of a value while it is decoded.
//!
//! Example: the MessagePack header of a map says that 20 million entries follow. The decoder adds them to the budget
//! before it decodes the first one, and returns an error with the path of the map and this number.

use crate::error::Error;
use crate::limits::MAX_ELEMENTS;

/// The additional elements that a map counts as, because a `BTreeMap` allocates memory for eleven entries at once.
const MAP_OVERHEAD: usize = 8;

/// The bits of the exponent of a number that count as an additional element, because the number has as many decimal
/// digits in messages.
const EXPONENT_BITS: u64 = 256;

/// The number of bytes of an encoded type that count as an element. The shortest type of an attribute, with its name,
/// has eleven bytes.
const TYPE_BYTES: usize = 8;

/// Counts the elements of one input while it is decoded.
///
/// | value | counts as |
/// | --- | --- |
/// | an element of a list, a set or a tuple; an attribute of an object | 1 |
/// | an entry of a map | 2, because of its key |
/// | a map with at least one entry | 8 more |
/// | the type of a dynamic value | 1 for each 8 bytes |
/// | a number beyond 2^±256 | 1 more for each 256 bits of its exponent |
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementBudget {
    remaining: usize,
}

impl ElementBudget {
    /// Creates the budget of one input.
    pub(crate) fn new() -> ElementBudget {
        ElementBudget { remaining: MAX_ELEMENTS }
    }

    /// Counts elements or attributes before they are decoded.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has too many elements.
    pub(crate) fn add(&mut self, count: usize) -> Result<(), Error> {
        self.subtract(count, count)
    }

    /// Counts the encoded type of a dynamic value.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has too many elements.
    pub(crate) fn add_type(&mut self, bytes: usize) -> Result<(), Error> {
        self.subtract(bytes / TYPE_BYTES, 1)
    }

    /// Counts the entries of a map before they are decoded. `first` is true if they include the first entry.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has too many elements.
    pub(crate) fn add_entries(&mut self, count: usize, first: bool) -> Result<(), Error> {
        let overhead = if first && count > 0 { MAP_OVERHEAD } else { 0 };
        self.subtract(count.saturating_mul(2).saturating_add(overhead), count)
    }

    /// Counts the additional elements for a number with that exponent of two.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has too many elements.
    pub(crate) fn add_exponent(&mut self, exponent: u64) -> Result<(), Error> {
        let count = usize::try_from(exponent / EXPONENT_BITS).unwrap_or(usize::MAX);
        self.subtract(count, 1)
    }

    fn subtract(&mut self, weight: usize, count: usize) -> Result<(), Error> {
        let before = MAX_ELEMENTS - self.remaining;
        let error = || Error::too_many_elements(count, before);
        self.remaining = self.remaining.checked_sub(weight).ok_or_else(error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of times that a budget accepts the elements.
    fn accepted(mut add: impl FnMut(&mut ElementBudget) -> Result<(), Error>) -> usize {
        let mut budget = ElementBudget::new();
        std::iter::from_fn(|| add(&mut budget).ok()).count()
    }

    #[test]
    fn elements_are_counted_by_their_memory() {
        assert_eq!(accepted(|it| it.add(1)), MAX_ELEMENTS);
        assert_eq!(accepted(|it| it.add_entries(1, false)), MAX_ELEMENTS / 2);
        assert_eq!(accepted(|it| it.add_entries(1, true)), MAX_ELEMENTS / 10);
        // Decimals such as 0.1 have 512 bits, and the smallest number has 65,536.
        assert_eq!(accepted(|it| it.add_exponent(515)), MAX_ELEMENTS / 2);
        assert_eq!(accepted(|it| it.add_exponent(1 << 16)), MAX_ELEMENTS / 256);
        let mut budget = ElementBudget::new();
        budget.add_entries(0, true).unwrap();
        budget.add_exponent(255).unwrap();
        budget.add(MAX_ELEMENTS).unwrap();
        budget.add(1).unwrap_err();
        ElementBudget::new().add(MAX_ELEMENTS + 1).unwrap_err();
        ElementBudget::new().add_entries(usize::MAX, true).unwrap_err();
    }
}
