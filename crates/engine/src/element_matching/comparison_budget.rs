//! A limit on the number of comparisons of elements.
//!
//! Elements whose equality only a function can decide are compared one by one. The limit keeps the time for a large
//! set from growing with the square of its size.

use std::collections::VecDeque;

/// The maximum number of failed comparisons. A few hundred elements can be compared with each other.
pub const COMPARISON_LIMIT: usize = 1 << 16;

/// The comparisons that remain.
pub struct ComparisonBudget(usize);

impl Default for ComparisonBudget {
    fn default() -> ComparisonBudget {
        ComparisonBudget::new()
    }
}

impl ComparisonBudget {
    /// A full budget.
    pub fn new() -> ComparisonBudget {
        ComparisonBudget(COMPARISON_LIMIT)
    }

    /// Removes and returns the first value that fits. Once the budget is used up, only the first value is tried.
    pub fn take<T: Copy>(&mut self, left: &mut VecDeque<T>, mut fits: impl FnMut(T) -> bool) -> Option<T> {
        let tried = left.len().min(self.0 + 1);
        let found = left.iter().take(tried).position(|it| fits(*it));
        self.0 -= found.unwrap_or(tried).min(self.0);
        left.remove(found?)
    }
}
