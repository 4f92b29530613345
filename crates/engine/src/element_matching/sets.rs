//! Sets without a key: an element corresponds to the prior element that is equal in everything that only the
//! configuration can set, its *inputs*.
//!
//! Elements with equal inputs form a group. In a group of one configured and one prior element, the two correspond.
//! In larger groups, the configured values that the provider may set as well decide (`elimination.rs`).
//!
//! ```text
//! configuration  [{ port = 80 }, { port = 443, zone = "b" }]    zone is optional and computed
//! prior state    [{ port = 443, zone = "a" }, { port = 80, zone = "a" }]
//! matches        [Prior(1), Prior(0)]
//! ```
//!
//! Unknown values make elements ambiguous, so that a plan never contradicts the final plan:
//!
//! - An element with an unknown input is ambiguous if a prior element may turn out to be its counterpart, otherwise
//!   new.
//! - If the provider may set attributes that the configuration may set as well, such an element may also turn out
//!   to join a group and match the counterpart of another element, so the whole group is ambiguous.
//! - In a group of several elements, an unknown optional and computed value makes all of them ambiguous.

use std::collections::VecDeque;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _};

use super::comparison_budget::ComparisonBudget;
use super::counterparts as counterparts_of;
use super::element::{Match, elements, is_equal};
use super::elimination::eliminate;
use super::projection::{Key, Projection, ProjectionKind, is_left_to_provider};
use super::unknown_elements::{PossibleDuplicates, UnknownElements};
use crate::schema::{Block, Member, Nesting};

/// The counterpart of each configured element. Linear in the number of elements; comparisons that only a function
/// can decide are limited.
pub(super) fn counterparts(
    block: &Block,
    config: &[&Value],
    prior: &[&Value],
    order: MatchingOrder,
) -> Vec<Match> {
    let mut matching = SetMatching::of(block, config, prior, order);
    if !prior.is_empty() {
        if order == MatchingOrder::UnchangedFirst {
            matching.match_groups(ProjectionKind::ExactValues);
        }
        matching.match_groups(ProjectionKind::Inputs);
        if block.facts().can_keep_prior_value {
            matching.match_groups(ProjectionKind::ExactInputs);
        }
        matching.match_unknown_elements();
    }
    matching.finish()
}

/// The order of the comparisons.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchingOrder {
    /// The inputs first, for configured elements.
    InputsFirst,
    /// All values first, for elements that were read or returned.
    UnchangedFirst,
}

/// The elements of a group, by index.
#[derive(Default)]
struct Group {
    config: Vec<usize>,
    prior: Vec<usize>,
}

struct SetMatching<'a> {
    block: &'a Block,
    order: MatchingOrder,
    config: &'a [&'a Value],
    prior: &'a [&'a Value],
    unknown: UnknownElements<'a>,
    matches: Vec<Match>,
    is_matched: Vec<bool>,
    /// The prior elements that may be the counterpart of several configured elements.
    has_several_candidates: Vec<bool>,
    /// The remaining number of comparisons that only a function can decide.
    budget: ComparisonBudget,
}

impl<'a> SetMatching<'a> {
    fn of(
        block: &'a Block,
        config: &'a [&'a Value],
        prior: &'a [&'a Value],
        order: MatchingOrder,
    ) -> SetMatching<'a> {
        SetMatching {
            block,
            order,
            config,
            prior,
            unknown: UnknownElements::of(block, config),
            matches: vec![Match::New; config.len()],
            is_matched: vec![false; prior.len()],
            has_several_candidates: vec![false; prior.len()],
            budget: ComparisonBudget::new(),
        }
    }

    /// Elements with unknown inputs are new, unless a prior element may be their counterpart. If such an element
    /// turns out to have exactly the values of a prior element, it takes precedence over an element that is only
    /// semantically equal.
    fn match_unknown_elements(&mut self) {
        let can_rematch = self.block.facts().can_keep_prior_value;
        let free =
            self.prior.iter().zip(&self.is_matched).filter(|(_, is_matched)| can_rematch || !**is_matched);
        let free: Vec<&Value> = free.map(|(it, _)| *it).collect();
        for i in self.unknown.ambiguous(&free, &mut self.budget) {
            self.matches[i] = Match::Ambiguous;
        }
    }

    /// If everything is known, an element that cannot be distinguished from others has no counterpart.
    fn finish(self) -> Vec<Match> {
        let mut matches = self.matches;
        if matches.contains(&Match::Ambiguous) && self.config.iter().all(|it| it.is_wholly_known()) {
            matches.iter_mut().filter(|it| **it == Match::Ambiguous).for_each(|it| *it = Match::New);
        }
        matches
    }

    /// Matches the elements with equal inputs that are known and not matched yet.
    fn match_groups(&mut self, kind: ProjectionKind) {
        let projection = Projection::of(self.block, kind);
        let mut groups: HashMap<Key<'_>, Group> = HashMap::with_capacity(self.config.len());
        for i in 0..self.config.len() {
            if self.matches[i] != Match::New || self.unknown.has_unknown_inputs(i) {
                continue;
            }
            groups.entry(projection.key(self.block, self.config[i])).or_default().config.push(i);
        }
        for at in (0..self.prior.len()).filter(|at| !self.is_matched[*at]) {
            if let Some(group) = groups.get_mut(&projection.key(self.block, self.prior[at])) {
                group.prior.push(at);
            }
        }
        let possible_duplicates = self.unknown.possible_duplicates();
        // In the order of the configuration, so that limited comparisons do not depend on hashes.
        let mut groups: Vec<Group> = groups.into_values().filter(|it| !it.prior.is_empty()).collect();
        groups.sort_by_key(|it| it.config.first().copied());
        for group in groups {
            self.match_group(&group, kind, &possible_duplicates);
        }
    }

    fn match_group(
        &mut self,
        group: &Group,
        kind: ProjectionKind,
        possible_duplicates: &PossibleDuplicates<'_>,
    ) {
        let Group { config, prior } = group;
        let facts = self.block.facts();
        // Two elements with equal values correspond, unless different values can be equal as well.
        let is_decisive = kind == ProjectionKind::Inputs
            || kind == ProjectionKind::ExactValues && !facts.can_keep_prior_value;
        let is_unambiguous_match = is_decisive && config.len() == 1 && prior.len() == 1;
        let is_ambiguous = possible_duplicates.can_equal(self.config[config[0]])
            || !is_unambiguous_match && config.iter().any(|i| !self.config[*i].is_wholly_known())
            || prior.iter().any(|at| self.has_several_candidates[*at]);
        let found = match (is_ambiguous, is_unambiguous_match) {
            (false, true) => vec![Match::Prior(0)],
            (true, _) if kind == ProjectionKind::Inputs => vec![Match::Ambiguous; config.len()],
            _ => self.match_by_configured_values(group, kind, is_ambiguous),
        };
        if found.contains(&Match::Ambiguous) {
            prior.iter().for_each(|at| self.has_several_candidates[*at] = true);
        }
        for (i, found) in config.iter().zip(found) {
            self.matches[*i] = match found {
                Match::Prior(at) => {
                    self.is_matched[prior[at]] = true;
                    Match::Prior(prior[at])
                }
                other => other,
            };
        }
    }

    /// Matches the elements of a group by their configured values.
    fn match_by_configured_values(
        &mut self,
        group: &Group,
        kind: ProjectionKind,
        is_ambiguous: bool,
    ) -> Vec<Match> {
        let comparisons = group.config.len().saturating_mul(group.prior.len());
        if self.block.facts().can_keep_prior_value && !self.budget.is_enough_for(comparisons) {
            return self.match_in_order(group, is_ambiguous);
        }
        let mut candidates = self.candidates(group);
        if self.block.facts().can_keep_prior_value && !is_ambiguous {
            prefer_identical_values(group, &mut candidates, |i, at| self.has_identical_values(i, at));
        }
        let found = eliminate(&candidates, group.prior.len());
        let found = found.into_iter().zip(&candidates).map(|(found, candidates)| match found {
            // An element that is ambiguous although everything is known is new.
            None if kind == ProjectionKind::ExactValues => Match::New,
            _ if !candidates.is_empty() && (is_ambiguous || found.is_none()) => Match::Ambiguous,
            // If the inputs are not equal, only an element that agrees can be a counterpart.
            Some(at) if kind == ProjectionKind::Inputs || !candidates.is_empty() => Match::Prior(at),
            _ => Match::New,
        });
        found.collect()
    }

    /// Matches a large group: the counterpart of each element is the first one that agrees, until too many
    /// comparisons fail.
    fn match_in_order(&mut self, group: &Group, is_ambiguous: bool) -> Vec<Match> {
        if is_ambiguous {
            return vec![Match::Ambiguous; group.config.len()];
        }
        let mut left: VecDeque<usize> = (0..group.prior.len()).collect();
        let mut matches = Vec::with_capacity(group.config.len());
        for i in &group.config {
            let config = self.config[*i].as_object();
            let is_match = |at: usize| {
                let prior = self.prior[group.prior[at]].as_object();
                config.zip(prior).is_some_and(|(config, prior)| {
                    has_configured_values(self.block, config, prior, self.order)
                })
            };
            matches
                .push(self.budget.remove_first_match(&mut left, is_match).map_or(Match::New, Match::Prior));
        }
        matches
    }

    /// For each configured element of a group, the prior elements that have all of its configured values.
    fn candidates(&mut self, group: &Group) -> Vec<Vec<usize>> {
        let (block, prior_values) = (self.block, self.prior);
        let facts = block.facts();
        let mut by_projection: HashMap<Projection, HashMap<Key<'_>, Vec<usize>>> = HashMap::new();
        let mut all = Vec::with_capacity(group.config.len());
        for i in &group.config {
            let Some(config) = self.config[*i].as_object() else {
                all.push((0..group.prior.len()).collect());
                continue;
            };
            // An unknown value is compatible with any value.
            let is_known = self.config[*i].is_wholly_known();
            let mut found: Vec<usize> = match is_known {
                true => {
                    let projection = Projection::configured(block, config);
                    let key = projection.key(block, self.config[*i]);
                    let by_key = by_projection.entry(projection).or_insert_with_key(|projection| {
                        let mut by_key: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
                        for (at, value) in group.prior.iter().enumerate() {
                            by_key.entry(projection.key(block, prior_values[*value])).or_default().push(at);
                        }
                        by_key
                    });
                    by_key.get(&key).cloned().unwrap_or_default()
                }
                false => (0..group.prior.len()).collect(),
            };
            if !is_known || facts.can_keep_prior_value || facts.has_optional_computed_in_sets {
                found.retain(|at| {
                    let prior = prior_values[group.prior[*at]].as_object();
                    self.budget.compare(|| {
                        prior.is_some_and(|prior| has_configured_values(block, config, prior, self.order))
                    })
                });
            }
            all.push(found);
        }
        all
    }

    /// True if the prior element has exactly the configured values.
    fn has_identical_values(&self, i: usize, at: usize) -> bool {
        let of = |value: &'a Value, name: &str| value.attribute_or_null(name);
        self.block.attributes().iter().filter(|it| it.can_keep_prior_value()).all(|it| {
            let config = of(self.config[i], &it.name);
            config.is_null() || config == of(self.prior[at], &it.name)
        })
    }
}

/// An element prefers a prior element with exactly its values, and leaves a prior element with exactly another element's
/// values to that element. If a prior element is the only candidate of an element with exactly its values, no other element
/// prefers it.
///
/// ```text
/// configuration  [{ name = "b" }, { name = "b", note = "x" }]                 name has case-insensitive equality
/// prior state    [{ name = "B", note = "y" }, { name = "b", note = "x" }]     note is optional and computed
/// candidates     [[0, 1], [1]]
/// preferred      [[0], [1]]
/// ```
fn prefer_identical_values(
    group: &Group,
    candidates: &mut [Vec<usize>],
    has_identical_values: impl Fn(usize, usize) -> bool,
) {
    let mut identical: Vec<Vec<usize>> = Vec::with_capacity(candidates.len());
    let mut reserved_for: HashMap<usize, usize> = HashMap::new();
    for (i, candidates) in candidates.iter().enumerate() {
        let is_identical = |at: &usize| has_identical_values(group.config[i], group.prior[*at]);
        let equal: Vec<usize> = candidates.iter().copied().filter(is_identical).collect();
        if let ([at], [_]) = (&equal[..], &candidates[..]) {
            reserved_for.entry(*at).or_insert(i);
        }
        identical.push(equal);
    }
    let mut is_claimed = vec![false; group.prior.len()];
    for (i, equal) in identical.iter_mut().enumerate() {
        equal.retain(|at| reserved_for.get(at).is_none_or(|it| *it == i));
        equal.iter().for_each(|at| is_claimed[*at] = true);
    }
    for (candidates, equal) in candidates.iter_mut().zip(identical) {
        match equal.is_empty() {
            true => candidates.retain(|at| !is_claimed[*at]),
            false => *candidates = equal,
        }
    }
}

/// True if the object has all configured values. Values that the configuration leaves to the provider, and unknown
/// values, may be anything.
fn has_configured_values(block: &Block, config: &Object, object: &Object, order: MatchingOrder) -> bool {
    block.members().filter(|it| !is_left_to_provider(*it, config)).all(|member| {
        let (config, value) = (config.get_or_null(member.name()), object.get_or_null(member.name()));
        let is_equal = match member {
            Member::Attribute(it) => is_equal(it, value, config),
            Member::Block(_) => config == value,
        };
        is_equal
            || match member.nested() {
                Some((nesting, block)) => nested_has_configured_values(nesting, block, config, value, order),
                None => !config.is_wholly_known(),
            }
    })
}

fn nested_has_configured_values(
    nesting: Nesting,
    block: &Block,
    config: &Value,
    value: &Value,
    order: MatchingOrder,
) -> bool {
    let single = |config: &Value, value: &Value| {
        nested_has_configured_values(Nesting::Single, block, config, value, order)
    };
    if config.is_unknown() {
        return true;
    }
    if !block.facts().can_differ_from_configuration && config.is_wholly_known() {
        return config == value;
    }
    match (config, value) {
        (Value::Object(config), Value::Object(value)) => has_configured_values(block, config, value, order),
        // The counterpart of a set element with unknown values is not known here, and elements may turn out to be equal.
        (Value::Set(config), Value::Set(value)) if !config.iter().all(Value::is_wholly_known) => {
            value.len() <= config.len()
        }
        (Value::Set(config), Value::Set(value)) if config.len() != value.len() => false,
        (Value::Set(_), Value::Set(_)) => {
            let (config, value) = (elements(config), elements(value));
            let found = counterparts_of(nesting, block, &config, &value, order);
            config.iter().zip(found).all(|(config, counterpart)| match counterpart {
                Match::Prior(at) => single(config, value[at]),
                _ => false,
            })
        }
        _ => config.all_pairs(value, single).unwrap_or_else(|| config == value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_candidate_with_identical_values_is_not_preferred_by_another_element() {
        let group = Group { config: vec![0, 1], prior: vec![0, 1] };
        let mut candidates = vec![vec![0, 1], vec![1]];
        prefer_identical_values(&group, &mut candidates, |_, at| at == 1);
        assert_eq!(candidates, [vec![0], vec![1]]);
    }
}
