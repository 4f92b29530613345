//! Elements of sets without a key that have unknown inputs.
//!
//! Such an element is ambiguous if a prior element has its known inputs, because the unknown ones may turn out to have
//! the prior values. Otherwise it is new. Example: elements `{ port, note, id }`, where `id` is computed.
//!
//! ```text
//! prior state    [{ port = 80, note = "web", id = "1" }, { port = 443, note = "api", id = "2" }]
//! configuration  [{ port = 443, note = unknown }, { port = 22, note = unknown }]
//! matches        [Ambiguous, New]     `note` may turn out to be "api"; no prior element has the port 22
//! planned state  [{ port = 443, note = unknown, id = unknown }, { port = 22, note = unknown, id = unknown }]
//! ```

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::comparison_budget::ComparisonBudget;
use super::element::is_equal;
use super::projection::{Key, Projection, ProjectionKind};
use crate::schema::Block;

/// The maximum number of combinations of unknown members. Further elements count as elements that may be anything.
const MAX_UNKNOWN_COMBINATIONS: usize = 16;

/// The configured elements of a set, and which of their inputs are known.
pub(super) struct UnknownElements<'a> {
    block: &'a Block,
    config: &'a [&'a Value],
    /// For each element with unknown inputs, its known inputs.
    known_inputs: Vec<Option<Projection>>,
}

/// Configured elements with unknown inputs that may turn out to have the same inputs as another element, and to match
/// its counterpart, by their known inputs.
pub(super) struct PossibleDuplicates<'a> {
    block: &'a Block,
    by_known_inputs: HashMap<Projection, HashSet<Key<'a>>>,
}

impl<'a> UnknownElements<'a> {
    pub(super) fn of(block: &'a Block, config: &'a [&'a Value]) -> UnknownElements<'a> {
        let inputs = Projection::without(block, ProjectionKind::Inputs, |_| false);
        let known_inputs = config.iter().map(|it| match it {
            Value::Object(it) => inputs.unknown_members(block, it).map(|is_unknown| {
                Projection::without(block, ProjectionKind::ExactInputs, |at| is_unknown[at])
            }),
            Value::Unknown(_) => Some(Projection::Nothing),
            _ => None,
        });
        let known_inputs: Vec<Option<Projection>> = known_inputs.collect();
        let combinations: HashSet<&Projection> = known_inputs.iter().flatten().collect();
        if combinations.len() > MAX_UNKNOWN_COMBINATIONS {
            // The limit can make more of the plan unknown.
            tracing::debug!(
                combination_limit = MAX_UNKNOWN_COMBINATIONS,
                "too many combinations of unknown attributes in the elements of a set: elements with further combinations are ambiguous"
            );
        }
        UnknownElements { block, config, known_inputs }
    }

    /// True if the element with this index has unknown inputs.
    pub(super) fn has_unknown_inputs(&self, index: usize) -> bool {
        self.known_inputs[index].is_some()
    }

    /// The elements that may turn out to join the group of another one. If the provider cannot set what the
    /// configuration sets, there are none: elements with equal inputs are then equal elements of a set.
    pub(super) fn possible_duplicates(&self) -> PossibleDuplicates<'a> {
        let mut by_known_inputs: HashMap<Projection, HashSet<Key<'_>>> = HashMap::new();
        if self.block.facts().has_optional_computed {
            for (config, known_inputs) in self.config.iter().zip(&self.known_inputs) {
                let Some(known_inputs) = known_inputs else { continue };
                let keys = by_known_inputs.entry(known_inputs.clone()).or_default();
                keys.insert(known_inputs.key(self.block, config));
            }
        }
        PossibleDuplicates { block: self.block, by_known_inputs }
    }

    /// The indexes of the elements that may turn out to correspond to one of these prior elements. `budget` limits
    /// comparisons that only a function can decide.
    pub(super) fn ambiguous(&self, prior: &[&Value], budget: &mut ComparisonBudget) -> Vec<usize> {
        let mut found = Vec::new();
        let mut by_known_inputs: HashMap<&Projection, HashMap<Key<'_>, Vec<&Value>>> = HashMap::new();
        for (i, known_inputs) in self.known_inputs.iter().enumerate() {
            let Some(known_inputs) = known_inputs else { continue };
            let config = self.config[i];
            if by_known_inputs.len() >= MAX_UNKNOWN_COMBINATIONS
                && !by_known_inputs.contains_key(known_inputs)
            {
                found.extend(Some(i).filter(|_| !prior.is_empty()));
                continue;
            }
            let by_key = by_known_inputs.entry(known_inputs).or_insert_with(|| {
                let mut by_key: HashMap<Key<'_>, Vec<&Value>> = HashMap::new();
                for prior in prior {
                    by_key.entry(known_inputs.key(self.block, prior)).or_default().push(prior);
                }
                by_key
            });
            let candidates = by_key.get(&known_inputs.key(self.block, config)).map_or(&[][..], Vec::as_slice);
            let can_be_counterpart =
                |prior: &&Value| budget.compare(|| can_have_equal_inputs(self.block, config, prior));
            if candidates.iter().any(can_be_counterpart) {
                found.push(i);
            }
        }
        found
    }
}

impl PossibleDuplicates<'_> {
    /// True if one of them may turn out to have the inputs of this element.
    pub(super) fn can_equal(&self, config: &Value) -> bool {
        let has_equal_inputs = |(known_inputs, keys): (&Projection, &HashSet<Key<'_>>)| {
            keys.contains(&known_inputs.key(self.block, config))
        };
        self.by_known_inputs.len() > MAX_UNKNOWN_COMBINATIONS
            || self.by_known_inputs.iter().any(has_equal_inputs)
    }
}

/// True if every known plain input of the configured element is equal to that of the prior one.
fn can_have_equal_inputs(block: &Block, config: &Value, prior: &Value) -> bool {
    let empty = Object::default();
    let [config, prior] = [config, prior].map(|it| it.as_object().unwrap_or(&empty));
    block.attributes().iter().filter(|it| it.is_input() && it.nested.is_none()).all(|it| {
        let Some(config) = config.get(&it.name) else { return true };
        !config.is_wholly_known() || is_equal(it, prior.get_or_null(&it.name), config)
    })
}
