//! Elimination: matches several configured elements with several prior ones, as far as the matches follow from the
//! values on which they agree.
//!
//! Example: the first configured element agrees with both prior elements, and the second one agrees only with the
//! first prior element, so the other prior element remains for the first configured one.
//!
//! ```text
//! configuration  [{ zone = "a" }, { port = 80 }]
//! prior state    [{ port = 80, zone = "a" }, { port = 81, zone = "a" }]
//! matches        [1, 0]
//! ```

use std::collections::VecDeque;

struct Elimination<'a> {
    /// For each configured element, the prior elements that it agrees with.
    candidates: &'a [Vec<usize>],
    /// For each prior element, the configured elements that agree with it.
    agreeing: Vec<Vec<usize>>,
    /// For each configured element, the number of its candidates that are not matched.
    remaining: Vec<usize>,
    is_free: Vec<bool>,
    matches: Vec<Option<usize>>,
    /// The configured elements with one candidate left.
    queue: VecDeque<usize>,
}

/// Matches configured elements with `prior_count` prior ones. `candidates` are the prior elements with which each
/// configured element agrees. Linear in the number of candidates.
///
/// A configured element with a single candidate is matched with it; of several such elements, the first one is. If
/// the remaining elements can be matched completely, nothing has changed, and they are matched in their order. All
/// other elements have no match.
pub(super) fn eliminate(candidates: &[Vec<usize>], prior_count: usize) -> Vec<Option<usize>> {
    let mut agreeing = vec![Vec::new(); prior_count];
    for (i, candidates) in candidates.iter().enumerate() {
        candidates.iter().for_each(|at| agreeing[*at].push(i));
    }
    let remaining: Vec<usize> = candidates.iter().map(Vec::len).collect();
    let queue = (0..candidates.len()).filter(|i| remaining[*i] == 1).collect();
    let (is_free, matches) = (vec![true; prior_count], vec![None; candidates.len()]);
    let mut elimination = Elimination { candidates, agreeing, remaining, is_free, matches, queue };
    elimination.run();
    elimination.complete();
    elimination.finish()
}

impl Elimination<'_> {
    /// Matches each element that has a single candidate left.
    fn run(&mut self) {
        while let Some(i) = self.queue.pop_front() {
            if self.matches[i].is_none()
                && let Some(at) = self.free_candidate(i)
            {
                self.assign(i, at);
            }
        }
    }

    fn free_candidate(&self, i: usize) -> Option<usize> {
        self.candidates[i].iter().copied().find(|at| self.is_free[*at])
    }

    fn assign(&mut self, i: usize, at: usize) {
        self.matches[i] = Some(at);
        self.is_free[at] = false;
        for i in &self.agreeing[at] {
            self.remaining[*i] -= 1;
            if self.remaining[*i] == 1 {
                self.queue.push_back(*i);
            }
        }
    }

    /// Matches the remaining elements in their order, if no configured and no prior element remains unmatched.
    fn complete(&mut self) {
        let before = (self.is_free.clone(), self.matches.clone());
        for i in 0..self.matches.len() {
            if self.matches[i].is_some() {
                continue;
            }
            let Some(at) = self.free_candidate(i) else { break };
            self.assign(i, at);
            self.run();
        }
        if self.matches.contains(&None) || self.is_free.contains(&true) {
            (self.is_free, self.matches) = before;
        }
    }

    /// Matches a single remaining configured element with a single remaining prior element.
    fn finish(mut self) -> Vec<Option<usize>> {
        let mut unmatched = self.matches.iter_mut().filter(|it| it.is_none());
        let mut free = (0..self.is_free.len()).filter(|at| self.is_free[*at]);
        if let (Some(it), None, Some(at), None) =
            (unmatched.next(), unmatched.next(), free.next(), free.next())
        {
            *it = Some(at);
        }
        self.matches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(candidates: &[&[usize]], prior_count: usize, expected: &[Option<usize>]) {
        let candidates: Vec<Vec<usize>> = candidates.iter().map(|it| it.to_vec()).collect();
        assert_eq!(eliminate(&candidates, prior_count), expected, "{candidates:?} of {prior_count}");
    }

    #[test]
    fn element_with_one_candidate_is_matched_with_it() {
        check(&[&[0, 1], &[0]], 2, &[Some(1), Some(0)]);
        check(&[&[0, 1], &[1, 2], &[2, 3], &[0]], 4, &[Some(1), Some(2), Some(3), Some(0)]);
    }

    #[test]
    fn interchangeable_elements_are_matched_in_order_if_none_remains() {
        check(&[&[0, 1], &[0, 1]], 2, &[Some(0), Some(1)]);
        check(&[&[0, 1], &[0, 1]], 3, &[None, None]);
        check(&[&[0, 1]], 2, &[None]);
    }

    #[test]
    fn changed_element_is_matched_with_the_remaining_one() {
        check(&[&[0], &[]], 2, &[Some(0), Some(1)]);
        check(&[&[0], &[], &[]], 2, &[Some(0), None, None]);
        check(&[&[0], &[]], 1, &[Some(0), None]);
    }

    #[test]
    fn first_of_several_elements_is_matched_with_their_candidate() {
        check(&[&[0], &[0]], 1, &[Some(0), None]);
        check(&[&[0], &[0], &[1]], 2, &[Some(0), None, Some(1)]);
    }
}
