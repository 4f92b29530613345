//! A bound on comparisons of elements.

use std::collections::VecDeque;

/// How many comparisons of elements that nothing but their own equality can pair may fail: so many that a few
/// hundred are compared each with each.
pub const COMPARISON_LIMIT: usize = 1 << 16;

/// A number of comparisons, so that the time for a set does not grow with the square of its size.
pub struct ComparisonBudget(usize);

impl Default for ComparisonBudget {
    fn default() -> ComparisonBudget {
        ComparisonBudget::new()
    }
}

impl ComparisonBudget {
    /// All comparisons that may fail.
    pub fn new() -> ComparisonBudget {
        ComparisonBudget(COMPARISON_LIMIT)
    }

    /// Takes the first that fits. Once too many did not, no more than the first is tried.
    pub fn take<T: Copy>(&mut self, left: &mut VecDeque<T>, mut fits: impl FnMut(T) -> bool) -> Option<T> {
        let tried = left.len().min(self.0 + 1);
        let found = left.iter().take(tried).position(|it| fits(*it));
        self.0 -= found.unwrap_or(tried).min(self.0);
        left.remove(found?)
    }
}
