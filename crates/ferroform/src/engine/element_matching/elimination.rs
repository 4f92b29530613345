//! Elimination: which of several prior elements each of several configured ones is, where that follows from what they
//! agree with.
//!
//! Example: the configuration is `[{ zone = "a" }, { port = 80 }]`, and the prior state is
//! `[{ port = 80, zone = "a" }, { port = 81, zone = "a" }]`. The second configured element agrees with the first prior
//! one only, so it is that, and the other prior element remains for the first configured one.

use std::collections::VecDeque;

use super::Match;

/// For each configured element, the prior elements that it agrees with.
pub(super) struct Elimination<'a> {
    candidates: &'a [Vec<usize>],
    /// For each prior element, the configured elements that agree with it.
    takers: Vec<Vec<usize>>,
    /// How many candidates of each configured element are free.
    remaining: Vec<usize>,
    is_free: Vec<bool>,
    matches: Vec<Option<Match>>,
    /// Those with one candidate.
    queue: VecDeque<usize>,
}

/// Matches configured elements with `prior_count` prior ones, of which they agree with their `candidates`. Linear in the
/// number of candidates.
///
/// A configured element is a prior one if it can be no other, and no other configured element needs that one. If what
/// remains can be matched completely, so that nothing has changed, it is matched in its order. Everything else is
/// ambiguous: nothing is guessed.
pub(super) fn eliminate(candidates: &[Vec<usize>], prior_count: usize) -> Vec<Match> {
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
            if self.matches[i].is_some() {
                continue;
            }
            let Some(at) = self.candidates[i].iter().copied().find(|at| self.is_free[*at]) else { continue };
            let rivals: Vec<usize> =
                self.takers[at].iter().copied().filter(|i| self.matches[*i].is_none() && self.remaining[*i] == 1).collect();
            let counterpart = if rivals.len() > 1 { Match::Ambiguous } else { Match::Prior(at) };
            rivals.iter().for_each(|i| self.matches[*i] = Some(counterpart));
            self.take(at);
        }
    }

    fn take(&mut self, at: usize) {
        self.is_free[at] = false;
        for i in &self.takers[at] {
            self.remaining[*i] -= 1;
            if self.remaining[*i] == 1 && self.matches[*i].is_none() {
                self.queue.push_back(*i);
            }
        }
    }

    /// Matches the rest in its order, if that leaves nothing over on either side.
    fn complete(&mut self) {
        let before = (self.is_free.clone(), self.remaining.clone(), self.matches.clone());
        for i in 0..self.matches.len() {
            if self.matches[i].is_some() {
                continue;
            }
            let Some(at) = self.candidates[i].iter().copied().find(|at| self.is_free[*at]) else { break };
            self.matches[i] = Some(Match::Prior(at));
            self.take(at);
            self.run();
        }
        let is_match = |it: &Option<Match>| matches!(it, Some(Match::Prior(_)));
        if !self.matches.iter().all(is_match) || self.is_free.contains(&true) {
            (self.is_free, self.remaining, self.matches) = before;
        }
    }

    /// A single element that agrees with nothing is the single prior one that remains.
    fn finish(self) -> Vec<Match> {
        let free: Vec<usize> = (0..self.is_free.len()).filter(|at| self.is_free[*at]).collect();
        let is_undecided = |it: &&Option<Match>| !matches!(it, Some(Match::Prior(_)));
        let undecided = self.matches.iter().filter(is_undecided).count();
        let matched = self.matches.len() - undecided;
        let prior_left = self.is_free.len() - matched;
        let other = match (undecided, prior_left, &free[..]) {
            (1, 1, [at]) => Match::Prior(*at),
            (_, 0, _) => Match::New,
            _ => Match::Ambiguous,
        };
        self.matches.into_iter().map(|it| it.filter(|it| *it != Match::Ambiguous).unwrap_or(other)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Match::{Ambiguous, New, Prior};
    use super::*;

    fn check(candidates: &[&[usize]], prior_count: usize, wanted: &[Match]) {
        let candidates: Vec<Vec<usize>> = candidates.iter().map(|it| it.to_vec()).collect();
        assert_eq!(eliminate(&candidates, prior_count), wanted, "{candidates:?} of {prior_count}");
    }

    #[test]
    fn an_element_with_one_candidate_is_that() {
        check(&[&[0, 1], &[0]], 2, &[Prior(1), Prior(0)]);
        check(&[&[0, 1], &[1, 2], &[2, 3], &[0]], 4, &[Prior(1), Prior(2), Prior(3), Prior(0)]);
    }

    #[test]
    fn interchangeable_elements_are_matched_in_order_if_none_is_left_over() {
        check(&[&[0, 1], &[0, 1]], 2, &[Prior(0), Prior(1)]);
        check(&[&[0, 1], &[0, 1]], 3, &[Ambiguous, Ambiguous]);
        check(&[&[0, 1]], 2, &[Ambiguous]);
    }

    #[test]
    fn a_changed_element_is_the_one_that_remains() {
        check(&[&[0], &[]], 2, &[Prior(0), Prior(1)]);
        check(&[&[0], &[], &[]], 2, &[Prior(0), Ambiguous, Ambiguous]);
        check(&[&[0], &[]], 1, &[Prior(0), New]);
    }

    #[test]
    fn rivals_for_one_element_are_ambiguous() {
        check(&[&[0], &[0]], 1, &[Ambiguous, Ambiguous]);
        check(&[&[0], &[0], &[1]], 2, &[Ambiguous, Ambiguous, Prior(1)]);
    }
}
