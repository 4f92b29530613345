//! Replacement because of elements of lists and sets.

use std::collections::VecDeque;
use std::sync::Arc;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::replacement::{ReplacementSearch, ValueChange, can_require_replacement};
use crate::element_matching::comparison_budget::{COMPARISON_LIMIT, ComparisonBudget};
use crate::element_matching::{ElementMatches, Match, ObjectMatches, Parts, elements};
use crate::schema::{Attribute, Block, Replace};

static NULL: Value = Value::Null;
static UNKNOWN: Value = Value::UNKNOWN;

/// The planned elements of a list or set, and the prior ones without a counterpart.
pub(super) struct Elements<'a> {
    pub(super) block: &'a Block,
    pub(super) all: Vec<Element<'a>>,
    leaving: Vec<&'a Value>,
}

/// A planned element.
pub(super) struct Element<'a> {
    /// Its values; the prior one is that of its counterpart.
    pub(super) change: ValueChange<'a>,
    pub(super) counterpart: Match,
    /// The matches inside it.
    pub(super) inside: Option<&'a ObjectMatches>,
}

impl<'a> Elements<'a> {
    /// Each planned element has the index of the configured one that it comes from.
    pub(super) fn of(block: &'a Block, change: ValueChange<'a>, matches: &'a ElementMatches) -> Elements<'a> {
        let (planned, prior) = (elements(change.planned), elements(change.prior));
        let (config, full) = (elements(change.config), elements(change.full));
        // Of what is unknown, each element is.
        let other = |it: &Value| if it.is_unknown() { &UNKNOWN } else { &NULL };
        let mut is_leaving = vec![true; prior.len()];
        let element = |(i, planned): (usize, &&'a Value)| {
            let counterpart = matches.counterpart(i);
            let mut of = &NULL;
            if let Match::Prior(at) = counterpart {
                is_leaving[at] = false;
                of = prior[at];
            }
            let config = config.get(i).copied().unwrap_or_else(|| other(change.config));
            let full = full.get(i).copied().unwrap_or_else(|| other(change.full));
            let change = ValueChange { config, full, prior: of, planned };
            Element { change, counterpart, inside: matches.inside(i) }
        };
        let all = planned.iter().enumerate().map(element).collect();
        let leaving = prior.into_iter().zip(is_leaving).filter(|(_, leaves)| *leaves).map(|(it, _)| it);
        Elements { block, all, leaving: leaving.collect() }
    }

    /// Whether an element whose counterpart is ambiguous may turn out to require replacement. As few comparisons are made
    /// as there are different values that can be a reason; with too many of those, it may.
    pub(super) fn any_ambiguous(&self, search: ReplacementSearch) -> bool {
        let ambiguous = self.all.iter().filter(|it| it.counterpart == Match::Ambiguous);
        let of = |it: &Value| reasons(self.block, it);
        let ambiguous: HashSet<[Value; 3]> = ambiguous
            .map(|it| {
                [of(it.change.config), of(it.change.full), of(&known(it.change.planned, it.change.full))]
            })
            .collect();
        if ambiguous.is_empty() {
            return false;
        }
        let mut before: HashSet<Value> = self.leaving.iter().map(|it| of(it)).collect();
        before.insert(Value::Null);
        let mut budget = COMPARISON_LIMIT;
        ambiguous.iter().any(|[config, full, planned]| {
            before.iter().any(|prior| {
                budget = budget.saturating_sub(1);
                budget == 0
                    || search.requires_replacement(
                        self.block,
                        ValueChange { config, full, prior, planned },
                        None,
                    )
            })
        })
    }

    /// Whether an element of a set requires replacement.
    ///
    /// Without a key, elements are compared as a whole set: an element is no reason if another one that goes or changes
    /// had the same values wherever they can be one. That does not depend on which element is which.
    pub(super) fn any_in_set(&self, search: ReplacementSearch) -> bool {
        if !self.block.facts().keys.is_empty() {
            let mut matched = self.all.iter().filter(|it| it.counterpart != Match::Ambiguous);
            return matched.any(|it| search.requires_replacement(self.block, it.change, it.inside))
                || self.any_ambiguous(search);
        }
        let (by_function, by_comparison) = (
            ReplacementSearch { by_comparison: false, ..search },
            ReplacementSearch { by_function: false, ..search },
        );
        let mut changed = Vec::new();
        let mut leaving = self.leaving.clone();
        for it in &self.all {
            let planned = match it.counterpart {
                Match::Ambiguous => known(it.change.planned, it.change.full),
                _ => it.change.planned.clone(),
            };
            let change = ValueChange { planned: &planned, ..it.change };
            if by_function.requires_replacement(self.block, change, it.inside) {
                return true;
            }
            if by_comparison.requires_replacement(self.block, change, it.inside) {
                leaving.extend(Some(it.change.prior).filter(|it| !it.is_null()));
                changed.push((it.change, planned));
            }
        }
        !changed.is_empty() && !self.have_stayed(by_comparison, changed, &leaving)
    }

    /// Whether each of these elements has what one of those that go or change had, wherever that can be a reason. Each that
    /// goes counts once. Those with most such values choose first.
    fn have_stayed(
        &self,
        search: ReplacementSearch,
        mut new: Vec<(ValueChange<'a>, Value)>,
        leaving: &[&Value],
    ) -> bool {
        new.sort_by_cached_key(|(it, _)| self.compared(it).iter().filter(|it| !**it).count());
        let mut is_taken = vec![false; leaving.len()];
        // Values that print alike are found by their hashes; values that only their own equality can compare are tried.
        for parts in [Parts::Inputs, Parts::ExactInputs] {
            let mut by_mask: HashMap<Vec<bool>, HashMap<Vec<Value>, VecDeque<usize>>> = HashMap::new();
            let mut budget = ComparisonBudget::new();
            new.retain(|(change, planned)| {
                let Value::Object(object) = planned else { return true };
                let compared = self.compared(change);
                let key = self.key(object, &compared, parts);
                let by_key = by_mask.entry(compared).or_insert_with_key(|compared| {
                    let mut by_key: HashMap<Vec<Value>, VecDeque<usize>> = HashMap::new();
                    for (at, it) in leaving.iter().enumerate() {
                        if let Value::Object(it) = it {
                            by_key.entry(self.key(it, compared, parts)).or_default().push_back(at);
                        }
                    }
                    by_key
                });
                let stays = |at: usize| {
                    !is_taken[at]
                        && !search.requires_replacement(
                            self.block,
                            ValueChange { planned, prior: leaving[at], ..*change },
                            None,
                        )
                };
                let found = by_key.get_mut(&key).and_then(|left| budget.take(left, stays));
                found.into_iter().for_each(|at| is_taken[at] = true);
                found.is_none()
            });
        }
        new.is_empty()
    }

    /// DefaultScope attributes require replacement by themselves if they change.
    fn compared(&self, change: &ValueChange<'_>) -> Vec<bool> {
        let compared = |it: &Attribute| match it.behavior().replace {
            _ if it.nested.is_some() => false,
            Replace::Always => true,
            Replace::IfConfigured => !change.inside(&it.name).config.is_null(),
            _ => false,
        };
        self.block.attributes.iter().map(compared).collect()
    }

    fn key(&self, object: &Object, compared: &[bool], parts: Parts) -> Vec<Value> {
        let attributes = self.block.attributes.iter().zip(compared).filter(|(_, compared)| **compared);
        let shown = attributes.filter(|(it, _)| parts == Parts::Inputs || !it.has_semantic_equality());
        shown.map(|(it, _)| it.canonical(object.get(&it.name).unwrap_or(&NULL)).into_owned()).collect()
    }
}

/// The part of an object that can be a reason for replacement.
fn reasons(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let attributes = block.attributes.iter().filter(|it| can_require_replacement(it)).map(|it| &it.name);
    let blocks = block
        .blocks
        .iter()
        .filter(|it| it.replace != Replace::Never || it.block.facts().can_require_replacement);
    let names = attributes.chain(blocks.map(|it| &it.name));
    Value::Object(names.filter_map(|it| Some((it.clone(), object.get(it)?.clone()))).collect::<Object>())
}

/// A planned value with what is configured where it is planned as unknown only because a prior value that is semantically
/// equal may stay instead.
fn known(planned: &Value, full: &Value) -> Value {
    match (planned, full) {
        (Value::Unknown(_), full) if !full.is_null() && full.is_wholly_known() => full.clone(),
        (Value::Object(planned), Value::Object(full)) => {
            let part =
                |(name, it): (&Arc<str>, &Value)| (name.clone(), known(it, full.get(name).unwrap_or(&NULL)));
            Value::Object(planned.iter().map(part).collect())
        }
        (Value::List(planned), Value::List(full)) if planned.len() == full.len() => {
            Value::List(planned.iter().zip(full).map(|(planned, full)| known(planned, full)).collect())
        }
        _ => planned.clone(),
    }
}
