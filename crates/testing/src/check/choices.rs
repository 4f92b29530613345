//! The random decisions of a sequence, called choices.
//!
//! A sequence is determined by its choices: integers, of which 0 is the simplest. Random choices are recorded, so that a sequence can be
//! reproduced, and shrunk by deleting and lowering choices. The strategies of a property-testing library are not suitable: the schemas
//! exist only at run time, and the next choice depends on the responses of the provider.

/// The source of choices.
pub(super) struct Choices {
    made: Vec<u64>,
    position: usize,
    random: Option<Random>,
}

impl Choices {
    /// The recorded choices, followed by the simplest ones.
    pub(super) fn replay(made: Vec<u64>) -> Choices {
        Choices { made, position: 0, random: None }
    }

    /// Random choices.
    pub(super) fn random(seed: u64) -> Choices {
        Choices { made: Vec::new(), position: 0, random: Some(Random(seed)) }
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = (end as u64).max(1);
        if self.position == self.made.len() {
            self.made.push(self.random.as_mut().map_or(0, |it| it.next() % end));
        }
        let made = self.made[self.position].min(end - 1);
        self.position += 1;
        made as usize
    }

    /// The choices made so far.
    pub(super) fn into_made(mut self) -> Vec<u64> {
        self.made.truncate(self.position);
        self.made
    }
}

/// The random numbers of the generator SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Returns smaller choices for which `fails` returns true, or the given ones.
pub(super) fn shrink(mut choices: Vec<u64>, mut fails: impl FnMut(&[u64]) -> bool) -> Vec<u64> {
    loop {
        let before = choices.clone();
        for length in [8, 4, 2, 1] {
            let mut at = 0;
            while at + length <= choices.len() {
                let shorter = [&choices[..at], &choices[at + length..]].concat();
                if fails(&shorter) {
                    choices = shorter;
                } else {
                    at += 1;
                }
            }
        }
        for at in 0..choices.len() {
            for lower in [0, choices[at] / 2, choices[at].saturating_sub(1)] {
                let mut changed = choices.clone();
                changed[at] = lower;
                if lower < choices[at] && fails(&changed) {
                    choices = changed;
                }
            }
        }
        // Trailing choices of 0 are implied.
        while choices.last() == Some(&0) {
            choices.pop();
        }
        if choices == before {
            return choices;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_choices_can_be_replayed() {
        let mut random = Choices::random(7);
        let drawn: Vec<usize> = (1..50).map(|end| random.below(end)).collect();
        assert!(drawn.iter().enumerate().all(|(i, it)| *it <= i) && drawn.iter().any(|it| *it > 10));
        let mut replayed = Choices::replay(random.into_made());
        assert_eq!((1..50).map(|end| replayed.below(end)).collect::<Vec<_>>(), drawn);
        assert_eq!(replayed.below(9), 0, "further choices are the simplest ones");
    }

    #[test]
    fn shrinking_deletes_and_lowers_choices() {
        let has_large_after_small = |it: &[u64]| {
            let small = it.iter().position(|it| *it == 3);
            small.is_some_and(|at| it[at..].iter().any(|it| *it > 10))
        };
        let found = shrink(vec![9, 3, 0, 5, 200, 17, 4], has_large_after_small);
        assert_eq!(found, [3, 11]);
    }
}
