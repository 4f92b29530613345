//! Elimination: which of several prior elements each of several configured ones is, where that follows from what they
//! agree with.
//!
//! Example: the configuration is `[{ zone = "a" }, { port = 80 }]`, and the prior state is
//! `[{ port = 80, zone = "a" }, { port = 81, zone = "a" }]`. The second configured element agrees with the first prior
//! one only, so it is that, and the other prior element remains for the first configured one.

use std::collections::VecDeque;

struct Elimination<'a> {
    /// For each configured element, the prior elements that it agrees with.
    candidates: &'a [Vec<usize>],
    /// For each prior element, the configured elements that agree with it.
    takers: Vec<Vec<usize>>,
    /// How many candidates of each configured element are free.
    remaining: Vec<usize>,
    is_free: Vec<bool>,
    matches: Vec<Option<usize>>,
    /// Those with one candidate.
    queue: VecDeque<usize>,
}

/// Matches configured elements with `prior_count` prior ones, of which they agree with their `candidates`. Linear in the
/// number of candidates.
///
/// A configured element is a prior one if it can be no other; of several the first is. If what remains can be matched
/// completely, so that nothing has changed, it is matched in its order. Everything else is None: nothing is guessed.
pub(super) fn eliminate(candidates: &[Vec<usize>], prior_count: usize) -> Vec<Option<usize>> {
    let mut takers = vec![Vec::new(); prior_count];
    for (i, candidates) in candidates.iter().enumerate() {
        candidates.iter().for_each(|at| takers[*at].push(i));
    }
    let remaining: Vec<usize> = candidates.iter().map(Vec::len).collect();
    let queue = (0..candidates.len()).filter(|i| remaining[*i] == 1).collect();
    let (is_free, matches) = (vec![true; prior_count], vec![None; candidates.len()]);
    let mut elimination = Elimination { candidates, takers, remaining, is_free, matches, queue };
    elimination.run();
    elimination.complete();
    elimination.finish()
}

impl Elimination<'_> {
    /// Matches each element that has one candidate left.
    fn run(&mut self) {
        while let Some(i) = self.queue.pop_front() {
            if self.matches[i].is_none()
                && let Some(at) = self.free_candidate(i)
            {
                self.take(i, at);
            }
        }
    }

    fn free_candidate(&self, i: usize) -> Option<usize> {
        self.candidates[i].iter().copied().find(|at| self.is_free[*at])
    }

    fn take(&mut self, i: usize, at: usize) {
        self.matches[i] = Some(at);
        self.is_free[at] = false;
        for i in &self.takers[at] {
            self.remaining[*i] -= 1;
            if self.remaining[*i] == 1 {
                self.queue.push_back(*i);
            }
        }
    }

    /// Matches the rest in its order, if that leaves nothing over on either side.
    fn complete(&mut self) {
        let before = (self.is_free.clone(), self.matches.clone());
        for i in 0..self.matches.len() {
            if self.matches[i].is_some() {
                continue;
            }
            let Some(at) = self.free_candidate(i) else { break };
            self.take(i, at);
            self.run();
        }
        if self.matches.contains(&None) || self.is_free.contains(&true) {
            (self.is_free, self.matches) = before;
        }
    }

    /// A single element that is left over is the single prior one that remains.
    fn finish(mut self) -> Vec<Option<usize>> {
        let mut open = self.matches.iter_mut().filter(|it| it.is_none());
        let mut free = (0..self.is_free.len()).filter(|at| self.is_free[*at]);
        if let (Some(it), None, Some(at), None) = (open.next(), open.next(), free.next(), free.next()) {
            *it = Some(at);
        }
        self.matches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(candidates: &[&[usize]], prior_count: usize, wanted: &[Option<usize>]) {
        let candidates: Vec<Vec<usize>> = candidates.iter().map(|it| it.to_vec()).collect();
        assert_eq!(eliminate(&candidates, prior_count), wanted, "{candidates:?} of {prior_count}");
    }

    #[test]
    fn an_element_with_one_candidate_is_that() {
        check(&[&[0, 1], &[0]], 2, &[Some(1), Some(0)]);
        check(&[&[0, 1], &[1, 2], &[2, 3], &[0]], 4, &[Some(1), Some(2), Some(3), Some(0)]);
    }

    #[test]
    fn interchangeable_elements_are_matched_in_order_if_none_is_left_over() {
        check(&[&[0, 1], &[0, 1]], 2, &[Some(0), Some(1)]);
        check(&[&[0, 1], &[0, 1]], 3, &[None, None]);
        check(&[&[0, 1]], 2, &[None]);
    }

    #[test]
    fn a_changed_element_is_the_one_that_remains() {
        check(&[&[0], &[]], 2, &[Some(0), Some(1)]);
        check(&[&[0], &[], &[]], 2, &[Some(0), None, None]);
        check(&[&[0], &[]], 1, &[Some(0), None]);
    }

    #[test]
    fn of_several_for_one_element_it_is_the_first() {
        check(&[&[0], &[0]], 1, &[Some(0), None]);
        check(&[&[0], &[0], &[1]], 2, &[Some(0), None, Some(1)]);
    }
}
