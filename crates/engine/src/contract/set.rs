//! Checks whether a planned set has the elements of the configured set.
//!
//! Elements of a set have no index or key, so each configured element is compared with the planned elements that have
//! the same inputs. Example: elements `{ port, id }`, where `id` is computed.
//!
//! ```text
//! configuration  [{ port = 80 }, { port = 443 }]
//! planned state  [{ port = 80, id = "1" }, { port = 444, id = unknown }]
//! unmatched      configured { port = 443 }, planned { port = 444, id = unknown }
//! ```
//!
//! The check of the plan compares the unmatched elements with each other, so its error names the attribute: the
//! configured `port` is 443, but the provider planned 444.

use ferroform_value::{Set, Value};
use foldhash::{HashMap, HashMapExt as _};

use super::without_refinements;
use crate::element_matching::comparison_budget::ComparisonBudget;
use crate::element_matching::{Key, Projection, ProjectionKind};
use crate::schema::{Block, Member};

/// Returns true if a planned element has every value that a configured element sets.
type Matches<'a> = dyn Fn(&Value, &Value) -> bool + 'a;

/// Elements of a configured set without a matching planned element, and the reverse.
pub(super) struct Unmatched {
    pub(super) config: Vec<Value>,
    pub(super) planned: Vec<Value>,
    /// Planned elements that match other configured elements, but may have been intended for unmatched ones.
    pub(super) alternatives: Vec<Value>,
}

impl Unmatched {
    /// Each configured element needs a matching planned element, and each planned element a matching configured one. As
    /// in Terraform's comparison of sets, several elements may match the same one. Only elements with equal inputs are
    /// compared, and the number of comparisons is bounded: if there are too many, the remaining elements count as
    /// matching.
    pub(super) fn of(block: &Block, config: &Set, planned: &Set, matches: &Matches<'_>) -> Unmatched {
        let comparable = |it: &Set| -> Vec<Value> {
            it.iter()
                .map(|it| if it.is_wholly_known() { it.clone() } else { without_refinements(it) })
                .collect()
        };
        let (config, planned) = (comparable(config), comparable(planned));
        let mut budget = ComparisonBudget::with_additional(8 * planned.len());
        let mut is_match_within_budget =
            |config: &Value, planned: &Value| budget.compare(|| matches(config, planned));
        let mut is_matched = vec![false; planned.len()];
        let inputs = compared_inputs(block);
        let key = |it| inputs.key(block, it);
        let by_key = index(&planned, key);
        let mut missing = Vec::new();
        for (i, configured) in config.iter().enumerate() {
            match first(&by_key, &key(configured), i, |at| is_match_within_budget(configured, &planned[at])) {
                Some(at) => is_matched[at] = true,
                None => missing.push(configured.clone()),
            }
        }
        let by_key = index(&config, key);
        let (mut unexpected, mut alternatives) = (Vec::new(), Vec::new());
        for (at, planned) in planned.iter().enumerate().filter(|(at, _)| !is_matched[*at]) {
            let matches_one =
                first(&by_key, &key(planned), at, |i| is_match_within_budget(&config[i], planned)).is_some();
            if matches_one { &mut alternatives } else { &mut unexpected }.push(planned.clone());
        }
        Unmatched { config: missing, planned: unexpected, alternatives }
    }
}

type ByKey<'a> = HashMap<Key<'a>, Vec<usize>>;

fn index<'a>(all: &'a [Value], key: impl Fn(&'a Value) -> Key<'a>) -> ByKey<'a> {
    let mut by_key = ByKey::with_capacity(all.len());
    for (at, it) in all.iter().enumerate() {
        by_key.entry(key(it)).or_default().push(at);
    }
    by_key
}

/// The first element with the key that matches. Usually it is the one with the same index.
fn first(
    by_key: &ByKey<'_>,
    key: &Key<'_>,
    index: usize,
    mut matches: impl FnMut(usize) -> bool,
) -> Option<usize> {
    let candidates = by_key.get(key)?;
    let index = candidates.binary_search(&index).ok().map(|at| candidates[at]);
    index
        .filter(|at| matches(*at))
        .or_else(|| candidates.iter().copied().filter(|at| Some(*at) != index).find(|at| matches(*at)))
}

/// The inputs in which a planned element must equal the configured element. Other inputs may differ because a
/// default applies or the plan keeps the prior value.
fn compared_inputs(block: &Block) -> Projection {
    let can_differ = |member: Member<'_>| {
        let behavior = if let Member::Attribute(it) = member { Some(it.behavior()) } else { None };
        let facts = member.nested().map(|(_, it)| it.facts());
        behavior.is_some_and(|it| it.suppress_diff.is_some() || it.default.is_some())
            || facts.is_some_and(|it| it.can_keep_prior_value || it.has_defaults)
    };
    let can_differ: Vec<bool> = block.members().map(can_differ).collect();
    Projection::without(block, ProjectionKind::ExactInputs, |at| can_differ[at])
}
