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
use super::projection::{Key, ProjectionKind, projection, unknown_members};
use crate::schema::Block;

/// The maximum number of combinations of unknown members. Further elements count as elements that may be anything.
const MAX_UNKNOWN_COMBINATIONS: usize = 16;

/// The configured elements of a set, and which of their members are unknown.
pub(super) struct UnknownElements<'a> {
    block: &'a Block,
    config: &'a [&'a Value],
    /// For each element, which members have unknown inputs; empty if there are none.
    members: Vec<Vec<bool>>,
}

/// Configured elements with unknown inputs that may turn out to have the same inputs as another element, and to match
/// its counterpart. Their known inputs are grouped by the unknown members.
pub(super) struct PossibleDuplicates<'a> {
    block: &'a Block,
    by_unknown: HashMap<Vec<bool>, HashSet<Key<'a>>>,
}

impl<'a> UnknownElements<'a> {
    pub(super) fn of(block: &'a Block, config: &'a [&'a Value]) -> UnknownElements<'a> {
        let members = config.iter().map(|it| match it {
            Value::Object(it) => unknown_members(block, it),
            Value::Unknown(_) => vec![true; block.attributes.len() + block.blocks.len()],
            _ => Vec::new(),
        });
        let members: Vec<Vec<bool>> = members.collect();
        let combinations: HashSet<&Vec<bool>> = members.iter().filter(|it| !it.is_empty()).collect();
        if combinations.len() > MAX_UNKNOWN_COMBINATIONS {
            // The limit can make more of the plan unknown.
            tracing::debug!(
                combination_limit = MAX_UNKNOWN_COMBINATIONS,
                "too many combinations of unknown attributes in the elements of a set: elements with further combinations are ambiguous"
            );
        }
        UnknownElements { block, config, members }
    }

    /// True if the element with this index has unknown inputs.
    pub(super) fn has_unknown_inputs(&self, index: usize) -> bool {
        !self.members[index].is_empty()
    }

    /// The elements that may turn out to join the group of another one. If the provider cannot set what the
    /// configuration sets, there are none: elements with equal inputs are then equal elements of a set.
    pub(super) fn possible_duplicates(&self) -> PossibleDuplicates<'a> {
        let mut by_unknown: HashMap<Vec<bool>, HashSet<Key<'_>>> = HashMap::new();
        if self.block.facts().has_optional_computed {
            for (config, unknown) in self.config.iter().zip(&self.members).filter(|(_, it)| !it.is_empty()) {
                by_unknown
                    .entry(unknown.clone())
                    .or_default()
                    .insert(known_inputs(self.block, config, unknown));
            }
        }
        PossibleDuplicates { block: self.block, by_unknown }
    }

    /// The indexes of the elements that may turn out to correspond to one of these prior elements. `budget` limits
    /// comparisons that only a function can decide.
    pub(super) fn ambiguous(&self, prior: &[&Value], budget: &mut ComparisonBudget) -> Vec<usize> {
        let mut found = Vec::new();
        let mut by_unknown: HashMap<&[bool], HashMap<Key<'_>, Vec<&Value>>> = HashMap::new();
        for (i, unknown) in self.members.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            let config = self.config[i];
            if by_unknown.len() >= MAX_UNKNOWN_COMBINATIONS && !by_unknown.contains_key(&unknown[..]) {
                found.extend(Some(i).filter(|_| !prior.is_empty()));
                continue;
            }
            let by_key = by_unknown.entry(unknown).or_insert_with(|| {
                let mut by_key: HashMap<Key<'_>, Vec<&Value>> = HashMap::new();
                for prior in prior {
                    by_key.entry(known_inputs(self.block, prior, unknown)).or_default().push(prior);
                }
                by_key
            });
            let candidates =
                by_key.get(&known_inputs(self.block, config, unknown)).map_or(&[][..], Vec::as_slice);
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
        let has_equal_inputs = |(unknown, keys): (&Vec<bool>, &HashSet<Key<'_>>)| {
            keys.contains(&known_inputs(self.block, config, unknown))
        };
        self.by_unknown.len() > MAX_UNKNOWN_COMBINATIONS || self.by_unknown.iter().any(has_equal_inputs)
    }
}

/// The inputs of an element without those of the unknown members.
fn known_inputs<'a>(block: &Block, element: &'a Value, unknown: &[bool]) -> Key<'a> {
    let is_unknown = |at: usize| unknown.get(at) == Some(&true);
    element
        .as_object()
        .map(|it| projection(block, it, ProjectionKind::ExactInputs, is_unknown))
        .unwrap_or_default()
}

/// True if every known plain input of the configured element is equal to that of the prior one.
fn can_have_equal_inputs(block: &Block, config: &Value, prior: &Value) -> bool {
    let empty = Object::default();
    let [config, prior] = [config, prior].map(|it| it.as_object().unwrap_or(&empty));
    block.attributes.iter().filter(|it| it.is_input() && it.nested.is_none()).all(|it| {
        let Some(config) = config.get(&it.name) else { return true };
        !config.is_wholly_known() || is_equal(it, prior.get_or_null(&it.name), config)
    })
}
