//! Elimination: which of several prior elements each of several configured ones is, where that follows from what they
//! agree with.
//!
//! Example: the configuration is `[{ zone = "a" }, { port = 80 }]`, and the prior state is
//! `[{ port = 80, zone = "a" }, { port = 81, zone = "a" }]`. The second configured element agrees with the first prior
//! one only, so it is that, and the other prior element remains for the first configured one.

use std::collections::VecDeque;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Open,
    Prior(usize),
    /// Several elements need the same prior one.
    Disputed,
}

struct Elimination<'a> {
    /// For each configured element, the prior elements that it agrees with.
    candidates: &'a [Vec<usize>],
    /// For each prior element, the configured elements that agree with it.
    takers: Vec<Vec<usize>>,
    /// How many candidates of each configured element are free.
    remaining: Vec<usize>,
    is_free: Vec<bool>,
    matches: Vec<Outcome>,
    /// Those with one candidate.
    queue: VecDeque<usize>,
}

/// Matches configured elements with `prior_count` prior ones, of which they agree with their `candidates`. Linear in the
/// number of candidates.
///
/// A configured element is a prior one if it can be no other, and no other configured element needs that one. If what
/// remains can be matched completely, so that nothing has changed, it is matched in its order. Everything else is None:
/// nothing is guessed.
pub(super) fn eliminate(candidates: &[Vec<usize>], prior_count: usize) -> Vec<Option<usize>> {
    let mut takers = vec![Vec::new(); prior_count];
    for (i, candidates) in candidates.iter().enumerate() {
        candidates.iter().for_each(|at| takers[*at].push(i));
    }
    let remaining: Vec<usize> = candidates.iter().map(Vec::len).collect();
    let queue = (0..candidates.len()).filter(|i| remaining[*i] == 1).collect();
    let (is_free, matches) = (vec![true; prior_count], vec![Outcome::Open; candidates.len()]);
    let mut elimination = Elimination { candidates, takers, remaining, is_free, matches, queue };
    elimination.run();
    elimination.complete();
    elimination.finish()
}

impl Elimination<'_> {
    /// Matches each element that has one candidate left.
    fn run(&mut self) {
        while let Some(i) = self.queue.pop_front() {
            if !self.is_open(i) {
                continue;
            }
            let Some(at) = self.free_candidate(i) else { continue };
            let rivals = self.takers[at].iter().copied().filter(|i| self.is_open(*i) && self.remaining[*i] == 1);
            let rivals: Vec<usize> = rivals.collect();
            let outcome = if rivals.len() > 1 { Outcome::Disputed } else { Outcome::Prior(at) };
            rivals.iter().for_each(|i| self.matches[*i] = outcome);
            self.take(at);
        }
    }

    fn is_open(&self, i: usize) -> bool {
        self.matches[i] == Outcome::Open
    }

    fn free_candidate(&self, i: usize) -> Option<usize> {
        self.candidates[i].iter().copied().find(|at| self.is_free[*at])
    }

    fn take(&mut self, at: usize) {
        self.is_free[at] = false;
        for i in &self.takers[at] {
            self.remaining[*i] -= 1;
            if self.remaining[*i] == 1 && self.matches[*i] == Outcome::Open {
                self.queue.push_back(*i);
            }
        }
    }

    /// Matches the rest in its order, if that leaves nothing over on either side.
    fn complete(&mut self) {
        let before = (self.is_free.clone(), self.matches.clone());
        for i in 0..self.matches.len() {
            if !self.is_open(i) {
                continue;
            }
            let Some(at) = self.free_candidate(i) else { break };
            self.matches[i] = Outcome::Prior(at);
            self.take(at);
            self.run();
        }
        let is_complete = self.matches.iter().all(|it| matches!(it, Outcome::Prior(_)));
        if !is_complete || self.is_free.contains(&true) {
            (self.is_free, self.matches) = before;
        }
    }

    /// A single element that agrees with nothing is the single prior one that remains.
    fn finish(self) -> Vec<Option<usize>> {
        let prior = |it: &Outcome| if let Outcome::Prior(at) = it { Some(*at) } else { None };
        let mut matches: Vec<Option<usize>> = self.matches.iter().map(prior).collect();
        let left: Vec<usize> = (0..matches.len()).filter(|i| matches[*i].is_none()).collect();
        let is_last = self.is_free.len() + left.len() == matches.len() + 1;
        if let ([i], true) = (&left[..], is_last) {
            matches[*i] = self.is_free.iter().position(|it| *it);
        }
        matches
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
    fn rivals_for_one_element_are_undecided() {
        check(&[&[0], &[0]], 1, &[None, None]);
        check(&[&[0], &[0], &[1]], 2, &[None, None, Some(1)]);
    }
}
