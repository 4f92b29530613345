//! Elements of sets without a key that have unknown inputs.

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::agreement::is_equal;
use super::projection::{Key, Parts};
use super::sets::SetMatching;
use super::{Match, NULL};
use crate::schema::Block;

/// In how many different ways elements may be unknown before each of them is taken for one that may be anything.
const MANY_WAYS: usize = 16;

/// Configured elements with unknown inputs that may turn out to have the same inputs as another one, and to take its
/// counterpart: their known inputs, by which members are unknown.
pub(super) struct JoiningElements<'a> {
    by_unknown: HashMap<Vec<bool>, HashSet<Key<'a>>>,
}

impl<'a> JoiningElements<'a> {
    /// Those of a set. If the provider cannot set what the configuration sets, there are none: elements with equal inputs
    /// are equal.
    pub(super) fn of(matching: &SetMatching<'a>) -> JoiningElements<'a> {
        let mut by_unknown: HashMap<Vec<bool>, HashSet<Key<'_>>> = HashMap::new();
        if matching.block.facts().has_optional_computed {
            let elements = matching.config.iter().zip(&matching.unknown);
            for (config, unknown) in elements.filter(|(_, it)| !it.is_empty()) {
                let key = matching.projection(config, Parts::ExactInputs, unknown);
                by_unknown.entry(unknown.clone()).or_default().insert(key);
            }
        }
        JoiningElements { by_unknown }
    }

    /// True where one of them may turn out to have the inputs of this element.
    pub(super) fn can_join(&self, matching: &SetMatching<'_>, config: &Value) -> bool {
        let has_same = |(unknown, keys): (&Vec<bool>, &HashSet<Key<'_>>)| {
            keys.contains(&matching.projection(config, Parts::ExactInputs, unknown))
        };
        self.by_unknown.len() > MANY_WAYS || self.by_unknown.iter().any(has_same)
    }
}

impl SetMatching<'_> {
    /// Matches elements with unknown inputs: they are new, unless a prior element has all that is known of them.
    pub(super) fn match_unknown_elements(&mut self) {
        // One that turns out to be spelled as a prior element takes that from an element that is spelled otherwise.
        let can_take = self.block.facts().can_keep_prior_value;
        let free: Vec<usize> = (0..self.prior.len()).filter(|at| can_take || !self.is_taken[*at]).collect();
        let unknown = std::mem::take(&mut self.unknown);
        let mut by_unknown: HashMap<&[bool], HashMap<Key<'_>, Vec<usize>>> = HashMap::new();
        for (i, unknown) in unknown.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            let has_too_many = by_unknown.len() >= MANY_WAYS && !by_unknown.contains_key(&unknown[..]);
            let by_key = by_unknown.entry(unknown).or_insert_with(|| {
                let mut by_key: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
                for at in free.iter().filter(|_| !has_too_many) {
                    let key = self.projection(self.prior[*at], Parts::ExactInputs, unknown);
                    by_key.entry(key).or_default().push(*at);
                }
                by_key
            });
            let key = self.projection(self.config[i], Parts::ExactInputs, unknown);
            let candidates = by_key.get(&key).map_or(&[][..], Vec::as_slice);
            let can_be = candidates.iter().any(|at| {
                self.tries = self.tries.saturating_sub(1);
                self.tries == 0 || inputs_can_be_equal(self.block, self.config[i], self.prior[*at])
            });
            if can_be || has_too_many && !free.is_empty() {
                self.matches[i] = Match::Ambiguous;
            }
        }
    }
}

/// True where every known plain input of the configured element is equal to that of the prior one.
fn inputs_can_be_equal(block: &Block, config: &Value, prior: &Value) -> bool {
    let nothing = Object::default();
    let [config, prior] = [config, prior].map(|it| it.as_object().unwrap_or(&nothing));
    block.attributes.iter().filter(|it| it.is_input() && it.nested.is_none()).all(|it| {
        let Some(config) = config.get(&it.name) else { return true };
        !config.is_wholly_known() || is_equal(it, prior.get(&it.name).unwrap_or(&NULL), config)
    })
}
