//! Replacement because of elements of lists and sets.
//!
//! An element of a list is compared with its counterpart. A set without a key is compared as a whole: an element
//! requires no replacement if another element that is removed or changed had the same values in all attributes that can
//! require replacement. The result does not depend on which element corresponds to which.
//!
//! ```text
//! prior state     [{ size = 1, note = "a" }, { size = 2, note = "b" }]     size requires replacement
//! planned state   [{ size = 2, note = "a" }, { size = 1, note = "b" }]
//! requires        nothing: both sizes existed before
//! ```

use std::collections::VecDeque;
use std::convert::Infallible;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::replacement::{ChangedValues, ReplacementSearch, can_require_replacement};
use crate::element_matching::comparison_budget::ComparisonBudget;
use crate::element_matching::{ElementMatches, Match, ObjectMatches, ProjectionKind, elements};
use crate::schema::{Attribute, Block, Member, Replace};

static NULL: Value = Value::Null;
static UNKNOWN: Value = Value::UNKNOWN;

/// The planned elements of a list or set, and the prior elements without a counterpart.
pub(super) struct Elements<'a> {
    pub(super) block: &'a Block,
    pub(super) all: Vec<Element<'a>>,
    removed: Vec<&'a Value>,
}

/// A planned element.
pub(super) struct Element<'a> {
    /// The values of the element. The prior value is that of its counterpart.
    pub(super) change: ChangedValues<'a>,
    pub(super) counterpart: Match,
    /// The matches inside the element.
    pub(super) inside: Option<&'a ObjectMatches>,
}

impl<'a> Elements<'a> {
    /// The elements of a change. Each planned element has the index of its configured element.
    pub(super) fn of(
        block: &'a Block,
        change: ChangedValues<'a>,
        matches: &'a ElementMatches,
    ) -> Elements<'a> {
        let (planned, prior) = (elements(change.planned), elements(change.prior));
        let (config, with_defaults) = (elements(change.config), elements(change.with_defaults));
        // Every element of an unknown collection is unknown.
        let missing = |it: &Value| if it.is_unknown() { &UNKNOWN } else { &NULL };
        let mut is_removed = vec![true; prior.len()];
        let element = |(i, planned): (usize, &&'a Value)| {
            let counterpart = matches.counterpart(i);
            let mut prior_element = &NULL;
            if let Match::Prior(at) = counterpart {
                is_removed[at] = false;
                prior_element = prior[at];
            }
            let config = config.get(i).copied().unwrap_or_else(|| missing(change.config));
            let with_defaults =
                with_defaults.get(i).copied().unwrap_or_else(|| missing(change.with_defaults));
            let change = ChangedValues { config, with_defaults, prior: prior_element, planned };
            Element { change, counterpart, inside: matches.inside(i) }
        };
        let all = planned.iter().enumerate().map(element).collect();
        let removed =
            prior.into_iter().zip(is_removed).filter(|(_, is_removed)| *is_removed).map(|(it, _)| it);
        Elements { block, all, removed: removed.collect() }
    }

    /// True if an element whose counterpart is ambiguous may turn out to require replacement. Elements that differ only
    /// in values that cannot require replacement are compared once. If there are too many comparisons, the result is
    /// true.
    pub(super) fn has_ambiguous_replacement(&self, search: ReplacementSearch<'_>) -> bool {
        let ambiguous = self.all.iter().filter(|it| it.counterpart == Match::Ambiguous);
        let relevant = |it: &Value| relevant_part(self.block, it);
        let ambiguous: HashSet<[Value; 3]> = ambiguous
            .map(|it| {
                [
                    relevant(it.change.config),
                    relevant(it.change.with_defaults),
                    relevant(&with_configured_values(it.change.planned, it.change.with_defaults)),
                ]
            })
            .collect();
        if ambiguous.is_empty() {
            return false;
        }
        let mut prior_values: HashSet<Value> = self.removed.iter().map(|it| relevant(it)).collect();
        prior_values.insert(Value::Null);
        let mut budget = ComparisonBudget::new();
        ambiguous.iter().any(|[config, with_defaults, planned]| {
            prior_values.iter().any(|prior| {
                let change = ChangedValues { config, with_defaults, prior, planned };
                budget.compare(|| search.requires_replacement(self.block, change, None))
            })
        })
    }

    /// True if an element of a set requires replacement.
    pub(super) fn has_replacement_in_set(&self, search: ReplacementSearch<'_>) -> bool {
        if !self.block.facts().keys.is_empty() {
            let mut matched = self.all.iter().filter(|it| it.counterpart != Match::Ambiguous);
            return matched.any(|it| search.requires_replacement(self.block, it.change, it.inside))
                || self.has_ambiguous_replacement(search);
        }
        let (by_function, by_comparison) = (
            ReplacementSearch { by_comparison: false, ..search },
            ReplacementSearch { by_function: false, ..search },
        );
        let mut changed = Vec::new();
        let mut removed = self.removed.clone();
        for it in &self.all {
            let planned = match it.counterpart {
                Match::Ambiguous => with_configured_values(it.change.planned, it.change.with_defaults),
                _ => it.change.planned.clone(),
            };
            let change = ChangedValues { planned: &planned, ..it.change };
            if by_function.requires_replacement(self.block, change, it.inside) {
                return true;
            }
            if by_comparison.requires_replacement(self.block, change, it.inside) {
                removed.extend(Some(it.change.prior).filter(|it| !it.is_null()));
                changed.push((it.change, planned));
            }
        }
        !changed.is_empty() && !self.has_prior_values(by_comparison, changed, &removed)
    }

    /// True if each changed element has the values of a removed or changed prior element in all attributes that can
    /// require replacement. Each prior element is used once; elements with the most such attributes are assigned first.
    fn has_prior_values(
        &self,
        search: ReplacementSearch<'_>,
        mut changed: Vec<(ChangedValues<'a>, Value)>,
        removed: &[&Value],
    ) -> bool {
        changed.sort_by_cached_key(|(it, _)| self.compared(it).iter().filter(|it| !**it).count());
        let mut is_matched = vec![false; removed.len()];
        // Values with a canonical form are found by hash. Values that only a function can compare are compared one by
        // one.
        for kind in [ProjectionKind::Inputs, ProjectionKind::ExactInputs] {
            let mut by_mask: HashMap<Vec<bool>, HashMap<Vec<Value>, VecDeque<usize>>> = HashMap::new();
            let mut budget = ComparisonBudget::new();
            changed.retain(|(change, planned)| {
                let Value::Object(object) = planned else { return true };
                let compared = self.compared(change);
                let key = self.key(object, &compared, kind);
                let by_key = by_mask.entry(compared).or_insert_with_key(|compared| {
                    let mut by_key: HashMap<Vec<Value>, VecDeque<usize>> = HashMap::new();
                    for (at, it) in removed.iter().enumerate() {
                        if let Value::Object(it) = it {
                            by_key.entry(self.key(it, compared, kind)).or_default().push_back(at);
                        }
                    }
                    by_key
                });
                let stays = |at: usize| {
                    !is_matched[at]
                        && !search.requires_replacement(
                            self.block,
                            ChangedValues { planned, prior: removed[at], ..*change },
                            None,
                        )
                };
                let found = by_key.get_mut(&key).and_then(|left| budget.remove_first_match(left, stays));
                found.into_iter().for_each(|at| is_matched[at] = true);
                found.is_none()
            });
        }
        changed.is_empty()
    }

    /// For each attribute, true if it requires replacement by itself when it changes.
    fn compared(&self, change: &ChangedValues<'_>) -> Vec<bool> {
        let compared = |it: &Attribute| match it.behavior().replace {
            _ if it.nested.is_some() => false,
            Replace::Always => true,
            Replace::IfConfigured => !change.inside(&it.name).config.is_null(),
            _ => false,
        };
        self.block.attributes().iter().map(compared).collect()
    }

    fn key(&self, object: &Object, compared: &[bool], kind: ProjectionKind) -> Vec<Value> {
        let attributes = self.block.attributes().iter().zip(compared).filter(|(_, compared)| **compared);
        let exact =
            attributes.filter(|(it, _)| kind == ProjectionKind::Inputs || !it.has_semantic_equality());
        exact.map(|(it, _)| it.canonical(object.get_or_null(&it.name)).into_owned()).collect()
    }
}

/// The part of an object that can require replacement.
fn relevant_part(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let names = block.members().filter(|it| can_require_replacement(*it)).map(Member::name);
    Value::Object(names.filter_map(|it| Some((it.clone(), object.get(it)?.clone()))).collect::<Object>())
}

/// The planned value with the configured value in place of each value that is unknown only because a semantically equal
/// prior value may stay.
fn with_configured_values(planned: &Value, with_defaults: &Value) -> Value {
    let Ok(configured) = planned.clone().transform::<Infallible>(&mut |path, planned| {
        let configured = with_defaults.at(path).filter(|it| !it.is_null() && it.is_wholly_known());
        Ok(if planned.is_unknown() { configured.cloned().unwrap_or(planned) } else { planned })
    });
    configured
}
