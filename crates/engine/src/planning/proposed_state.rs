//! The proposed new state: the configuration merged with the prior state, before the provider's `plan` method.
//!
//! Terraform sends a proposed new state as well. The engine does not use it: it follows from the same two values, but
//! it matches the elements of sets less precisely, and its elements cannot be traced to elements of the configuration.
//!
//! The state is proposed twice. The first proposal assumes that nothing has changed and keeps every computed value. If
//! it differs from the prior state, the second proposal plans computed values as unknown, except those that
//! `use_state_for_unknown` or `follows` keeps.
//!
//! Example: `name` is configured, `tag` is optional and computed, `id` is computed and kept from the prior state.
//!
//! ```text
//! configuration   { name = "b" }
//! prior state     { name = "a", tag = "x", id = "1" }
//! proposed state  { name = "b", tag = unknown, id = "1" }
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform_value::{Object, Set, Value};

use super::ambiguity::with_ambiguity;
use super::change_detection::is_object_unchanged;
use super::plan_modifiers::PlanModifiers;
use crate::Result;
use crate::element_matching::{ElementMatches, Match, ObjectMatches, elements};
use crate::schema::{Attribute, Block, Keep, Member, Mode, Nested, NestedBlock, Nesting};
use crate::state::{fingerprint, overlay};

/// The proposed new state of an object, from its configuration with all defaults. `with_fingerprints` is the prior
/// object with the fingerprints of its write-only values, and `matches` are the matches of the configuration with it.
///
/// # Errors
///
/// Returns the errors of plan modifiers (`plan_with`), at their attribute paths.
pub(crate) fn propose(
    block: &Block,
    config: &Object,
    prior: &Value,
    with_fingerprints: &Value,
    matches: &ObjectMatches,
) -> Result<Value> {
    let has_fingerprints = block.facts().has_fingerprints;
    let prior_values = PriorValues::of(Some(with_fingerprints).filter(|it| !it.is_null()));
    let modifiers = PlanModifiers::of(config);
    let proposed = |has_changed: bool| {
        let proposal = Proposal { has_changed, in_set: false, is_ambiguous: false, modifiers: &modifiers };
        let proposed = Value::Object(proposal.object(block, config, prior_values, Some(matches)));
        if has_fingerprints { overlay::without_write_only(block, &proposed) } else { proposed }
    };
    // Computed values are not recomputed if only timeouts change, or values to semantically equal ones.
    let unchanged = prior_values.counterpart.map(|_| proposed(false));
    let unchanged = unchanged.filter(|it| is_object_unchanged(block, prior, it));
    let planned = unchanged.unwrap_or_else(|| proposed(true));
    modifiers.into_result(config).map(|()| planned)
}

/// The prior values of an object or of something inside it.
#[derive(Clone, Copy, Default)]
struct PriorValues<'a> {
    /// The prior value of the corresponding element, at any path: the source of values that the provider has set.
    counterpart: Option<&'a Value>,
    /// The prior value at the same path. Terraform accepts a prior value in place of a configured one only at the same
    /// path, so semantically equal values and suppressed changes are taken from here.
    same_path: Option<&'a Value>,
}

impl<'a> PriorValues<'a> {
    fn of(it: Option<&'a Value>) -> PriorValues<'a> {
        PriorValues { counterpart: it, same_path: it }
    }

    fn map(self, f: impl Fn(&'a Value) -> Option<&'a Value>) -> PriorValues<'a> {
        let counterpart = self.counterpart.and_then(&f);
        // Usually both are the same value, which is looked up once.
        let same_path = if self.is_at_same_path() { counterpart } else { self.same_path.and_then(&f) };
        PriorValues { counterpart, same_path }
    }

    /// True if the corresponding element is the one at the same path.
    fn is_at_same_path(self) -> bool {
        match (self.counterpart, self.same_path) {
            (Some(counterpart), Some(same_path)) => std::ptr::eq(counterpart, same_path),
            (counterpart, same_path) => counterpart.is_none() && same_path.is_none(),
        }
    }

    /// The prior values of an attribute; null if the object does not have it.
    fn attribute(self, name: &str) -> PriorValues<'a> {
        self.map(|it| it.as_object().map(|it| it.get_or_null(name)))
    }
}

#[derive(Clone, Copy)]
struct Proposal<'a> {
    /// True if something has changed, so that computed values that are not kept are unknown.
    has_changed: bool,
    /// True inside an element of a set, where Terraform accepts unknown and prior values in place of configured ones.
    in_set: bool,
    /// True inside an element whose counterpart is ambiguous.
    is_ambiguous: bool,
    modifiers: &'a PlanModifiers,
}

impl Proposal<'_> {
    fn object(
        &self,
        block: &Block,
        config: &Object,
        prior_values: PriorValues<'_>,
        matches: Option<&ObjectMatches>,
    ) -> Object {
        let mut planned = config.clone();
        for (at, member) in block.members().enumerate() {
            let name = member.name();
            let configured = config.get(name);
            let value = configured.unwrap_or(&Value::Null);
            let prior_values = prior_values.attribute(name);
            let matches = matches.and_then(|matches| matches.member(at));
            let proposed = match member {
                Member::Attribute(it) => {
                    let planned = self.attribute(it, value, prior_values, matches);
                    self.modified(it, config, prior_values.counterpart, planned)
                }
                Member::Block(it) if it.computed && it.is_absent(value) => {
                    self.omitted_block(it, prior_values.counterpart)
                }
                Member::Block(it) => self.nested(it.nesting, &it.block, value, prior_values, matches),
            };
            // Elements that are planned as configured share their values with the configuration. Nested objects are not compared
            // again at each level.
            if member.nested().is_some() || configured != Some(&proposed) {
                planned.insert(name.clone(), proposed);
            }
        }
        recompute_followers(
            block,
            config,
            prior_values.counterpart.and_then(Value::as_object),
            &mut planned,
            *self,
        );
        planned
    }

    /// The planned value after the plan modifier of the attribute, if it has one. In an ambiguous element it is not
    /// called, because its prior value is unknown.
    fn modified(&self, it: &Attribute, config: &Object, prior: Option<&Value>, planned: Value) -> Value {
        if self.is_ambiguous { planned } else { self.modifiers.modified(it, config, prior, planned) }
    }

    /// The planned value of a computed block that the configuration omits.
    fn omitted_block(&self, it: &NestedBlock, prior: Option<&Value>) -> Value {
        match prior {
            Some(prior) if !self.has_changed => prior.clone(),
            Some(prior) if it.behavior().keep == Keep::NonNullState && it.is_absent(prior) => Value::UNKNOWN,
            Some(prior) if it.behavior().keep != Keep::Recompute => prior.clone(),
            _ if self.has_changed => Value::UNKNOWN,
            _ => Value::Null,
        }
    }

    fn attribute(
        &self,
        it: &Attribute,
        config: &Value,
        prior_values: PriorValues<'_>,
        matches: Option<&ElementMatches>,
    ) -> Value {
        if it.write_only {
            return Value::Null;
        }
        if config.is_null() {
            return match prior_values.counterpart {
                // An attribute with a default belongs to the configuration, even if the default is null.
                _ if it.is_input() => config.clone(),
                // The configuration has set the nested object before and no longer does, which is a change.
                Some(prior) if !self.has_changed && !it.is_kept() && was_configured(it, prior) => Value::Null,
                Some(prior) if !self.has_changed => prior.clone(),
                Some(prior) if it.behavior().keep == Keep::NonNullState && prior.is_null() => Value::UNKNOWN,
                Some(prior) if it.is_kept() => prior.clone(),
                _ => Value::UNKNOWN,
            };
        }
        let prior = prior_values.same_path.filter(|it| !it.is_null());
        let can_keep_prior = prior.is_some() && self.in_set && !config.is_wholly_known();
        let Some(Nested { nesting, block }) = it.nested.as_deref() else {
            if can_keep_prior
                && it.is_compound()
                && (it.has_semantic_equality() || it.behavior().suppress_diff.is_some())
            {
                return Value::UNKNOWN;
            }
            // A collection may be partially unknown in a first plan, which then contains the configured values of the
            // other elements. Outside of sets, Terraform accepts no other values in the final plan.
            let is_equal =
                |prior: &Value| (self.in_set || !it.is_compound()) && it.is_semantically_equal(prior, config);
            let kept_prior = prior.filter(|prior| is_equal(prior) || it.is_diff_suppressed(prior, config));
            return kept_prior.unwrap_or(config).clone();
        };
        if it.behavior().suppress_diff.is_some() && prior_values.is_at_same_path() {
            if can_keep_prior {
                return Value::UNKNOWN;
            }
            // Computed values inside are not compared.
            let unchanged = Proposal { has_changed: false, ..*self };
            let unchanged = unchanged.nested(*nesting, block, config, prior_values, matches);
            if let Some(prior) = prior.filter(|prior| it.is_diff_suppressed(prior, &unchanged)) {
                return prior.clone();
            }
        }
        self.nested(*nesting, block, config, prior_values, matches)
    }

    fn nested(
        &self,
        nesting: Nesting,
        block: &Block,
        config: &Value,
        prior_values: PriorValues<'_>,
        matches: Option<&ElementMatches>,
    ) -> Value {
        let prior = prior_values.counterpart.map(elements).unwrap_or_default();
        let element = |i: usize, config: &Value, same_path: Option<&Value>| {
            let found = matches.map_or(Match::New, |it| it.counterpart(i));
            let counterpart = if let Match::Prior(at) = found { prior.get(at).copied() } else { None };
            let prior_values = PriorValues { counterpart, same_path };
            let inside = matches.and_then(|it| it.inside(i));
            let is_ambiguous = self.is_ambiguous || found == Match::Ambiguous;
            Proposal { is_ambiguous, ..*self }.element(block, config, prior_values, inside)
        };
        match (nesting, config) {
            (Nesting::Single, Value::Object(_)) => {
                element(0, config, prior_values.same_path.filter(|it| it.as_object().is_some()))
            }
            (Nesting::List, Value::List(config)) => {
                let same_path = prior_values.same_path.map(elements).unwrap_or_default();
                let planned = config.iter().enumerate();
                Value::List(planned.map(|(i, it)| element(i, it, same_path.get(i).copied())).collect())
            }
            (Nesting::Map, Value::Map(config)) => {
                let same_path =
                    if let Some(Value::Map(it)) = prior_values.same_path { Some(it) } else { None };
                let planned = config.iter().enumerate();
                let planned = planned.map(|(i, (key, it))| {
                    let same_path = same_path.and_then(|prior| prior.get(key));
                    (key.clone(), element(i, it, same_path))
                });
                Value::Map(planned.collect())
            }
            (Nesting::Set, Value::Set(config)) => {
                let in_set = Proposal { in_set: true, ..*self };
                let planned = config.iter().enumerate();
                let planned = planned.map(|(i, it)| in_set.set_element(block, it, i, &prior, matches));
                Value::Set(planned.collect::<Set>())
            }
            _ => config.clone(),
        }
    }

    /// The planned element of a set. It has no path, so all its prior values are those of its counterpart.
    fn set_element(
        &self,
        block: &Block,
        config: &Value,
        index: usize,
        prior: &[&Value],
        matches: Option<&ElementMatches>,
    ) -> Value {
        let found = matches.map_or(Match::New, |it| it.counterpart(index));
        let inside = matches.and_then(|it| it.inside(index));
        let is_ambiguous = self.is_ambiguous || found == Match::Ambiguous;
        if let (Match::Prior(at), false) = (found, is_ambiguous) {
            let prior_values = PriorValues::of(Some(prior[at]));
            // An element that is equal to its prior one is unchanged, whatever else changes.
            let unchanged =
                Proposal { has_changed: false, ..*self }.element(block, config, prior_values, inside);
            return match self.has_changed && unchanged != *prior[at] {
                true => self.element(block, config, prior_values, inside),
                false => unchanged,
            };
        }
        let planned = Proposal { is_ambiguous, ..*self }.element(block, config, PriorValues::default(), None);
        if is_ambiguous { with_ambiguity(block, planned) } else { planned }
    }

    /// The planned nested object. The computed values of a new one are unknown, whatever else changes.
    fn element(
        &self,
        block: &Block,
        config: &Value,
        prior_values: PriorValues<'_>,
        matches: Option<&ObjectMatches>,
    ) -> Value {
        let Value::Object(config) = config else { return config.clone() };
        let has_changed = self.has_changed || prior_values.counterpart.is_none();
        Value::Object(Proposal { has_changed, ..*self }.object(block, config, prior_values, matches))
    }
}

/// True if the prior value of a nested object must come from a configuration, because an attribute in it is set that
/// the provider does not compute. Terraform draws the same conclusion for its proposed new state.
fn was_configured(it: &Attribute, prior: &Value) -> bool {
    it.mode == Mode::OptionalComputed && it.nested.as_ref().is_some_and(|it| contains_input(&it.block, prior))
}

fn contains_input(block: &Block, value: &Value) -> bool {
    match value {
        Value::Object(object) => block.attributes().iter().any(|it| {
            let value = object.get_or_null(&it.name);
            let inside = || it.nested.as_ref().is_some_and(|it| contains_input(&it.block, value));
            !value.is_null() && (!it.mode.is_computed() || inside())
        }),
        _ => value.elements().any(|it| contains_input(block, it)),
    }
}

/// Makes the attributes and blocks that follow a changed sibling ([`Keep::Follow`]) unknown, and repeats that for their
/// own followers. If nothing else has changed, only changes of write-only siblings count. The plan modifier of a
/// follower is called again.
fn recompute_followers(
    block: &Block,
    config: &Object,
    prior: Option<&Object>,
    planned: &mut Object,
    proposal: Proposal<'_>,
) {
    let mut followers: Vec<(&Arc<str>, &Vec<Arc<str>>)> = block
        .members()
        .filter(|it| it.is_absent(config.get_or_null(it.name())))
        .filter_map(|it| match &it.behavior().keep {
            Keep::Follow(names) => Some((it.name(), names)),
            _ => None,
        })
        .collect();
    if followers.is_empty() {
        return;
    }
    let write_only = block.attributes().iter().filter(|it| it.write_only);
    let followed = write_only.filter(|it| followers.iter().any(|(_, names)| names.contains(&it.name)));
    // Comparing a fingerprint takes a millisecond, so each is compared once.
    let changed_write_only: BTreeSet<&Arc<str>> = followed
        .filter(|it| {
            let value = config.get_or_null(&it.name);
            fingerprint::has_changed(it, prior.and_then(|prior| prior.get(&it.name)), value)
        })
        .map(|it| &it.name)
        .collect();
    // The planned object has no fingerprints, so they are removed before the comparison.
    let without_fingerprints =
        prior.filter(|_| block.facts().has_fingerprints).map(|it| Value::Object(it.clone()));
    let without_fingerprints = without_fingerprints.map(|it| overlay::without_write_only(block, &it));
    let prior = without_fingerprints.as_ref().and_then(Value::as_object).or(prior);
    let changed = |planned: &Object, name: &Arc<str>| {
        let now = planned.get(name);
        let differs =
            || now != prior.and_then(|it| it.get(name)) || now.is_none_or(|it| !it.is_wholly_known());
        let is_write_only = || block.get(name).is_some_and(|it| it.write_only);
        changed_write_only.contains(name) || proposal.has_changed && !is_write_only() && differs()
    };
    loop {
        let count = followers.len();
        followers.retain(|(follower, names)| {
            let is_kept = planned.get(follower).is_some_and(|it| !it.is_unknown());
            let is_recomputed = is_kept && names.iter().any(|name| changed(planned, name));
            if is_recomputed {
                let modified = |it| {
                    let prior = prior.and_then(|prior| prior.get(follower));
                    proposal.modified(it, config, prior, Value::UNKNOWN)
                };
                planned.insert(Arc::clone(follower), block.get(follower).map_or(Value::UNKNOWN, modified));
            }
            !is_recomputed
        });
        if followers.len() == count {
            return;
        }
    }
}
