//! A limit on the number of comparisons of elements.
//!
//! Elements whose equality only a function can decide are compared one by one. The limit keeps the time for a large
//! set from growing with the square of its size. If the limit is reached, a DEBUG log line reports it, because the
//! result can differ.

use std::collections::VecDeque;

/// The initial budget. A few hundred elements can be compared with each other.
const COMPARISON_LIMIT: usize = 1 << 16;

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

    /// A full budget with additional comparisons.
    pub fn with_additional(comparisons: usize) -> ComparisonBudget {
        ComparisonBudget(COMPARISON_LIMIT.saturating_add(comparisons))
    }

    /// True if this number of comparisons remains.
    pub fn is_enough_for(&self, comparisons: usize) -> bool {
        let is_enough = comparisons <= self.0;
        if !is_enough {
            log_limit();
        }
        is_enough
    }

    /// Compares with `is_equal`, at the cost of one comparison. Once the budget is used up, all values count as equal.
    pub fn compare(&mut self, is_equal: impl FnOnce() -> bool) -> bool {
        self.spend(1);
        self.0 == 0 || is_equal()
    }

    /// Removes and returns the first value for which `is_match` returns true. Once the budget is used up, only the
    /// first value is compared.
    pub fn remove_first_match<T: Copy>(
        &mut self,
        remaining: &mut VecDeque<T>,
        mut is_match: impl FnMut(T) -> bool,
    ) -> Option<T> {
        let tried = remaining.len().min(self.0 + 1);
        let found = remaining.iter().take(tried).position(|value| is_match(*value));
        self.spend(found.unwrap_or(tried));
        remaining.remove(found?)
    }

    fn spend(&mut self, comparisons: usize) {
        let left = self.0.saturating_sub(comparisons);
        if left == 0 && self.0 > 0 {
            log_limit();
        }
        self.0 = left;
    }
}

fn log_limit() {
    tracing::debug!(
        "comparison limit reached: the remaining elements are matched in order or treated as equal"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_count_as_equal_without_budget() {
        let mut budget = ComparisonBudget(2);
        assert!(budget.is_enough_for(2) && !budget.is_enough_for(3));
        assert!(!budget.compare(|| false));
        assert!(budget.compare(|| false));
        let mut remaining = VecDeque::from([1, 2, 3]);
        assert_eq!(budget.remove_first_match(&mut remaining, |it| it == 2), None);
        assert_eq!(budget.remove_first_match(&mut remaining, |it| it == 1), Some(1));
    }
}
