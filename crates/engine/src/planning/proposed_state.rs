//! The proposed new state: the configuration merged with the prior state, before the provider's own plan customization.
//!
//! Terraform sends its own proposal along. It is not used: it follows from the same two values, but it matches the
//! elements of sets less well, and an element of the proposal cannot be traced to one of the configuration.
//!
//! Example: `name` is configured, `tag` is optional and computed, `id` is computed and kept from the state.
//!
//! ```text
//! configuration  { name = "b" }
//! prior state    { name = "a", tag = "x", id = "1" }
//! proposed       { name = "b", tag = unknown, id = "1" }
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform_value::{Object, Set, Value};

use super::ambiguity::with_ambiguity;
use super::change_detection::is_object_unchanged;
use super::plan_modifiers::PlanModifiers;
use crate::Result;
use crate::element_matching::{ElementMatches, Match, ObjectMatches, elements};
use crate::schema::{Attribute, Block, Keep, Mode, Nested, NestedBlock, Nesting};
use crate::state::{fingerprint, overlay};

/// The proposed new state of an object, from its configuration with the defaults applied. In `with_fingerprints`, the prior object
/// has the fingerprints of its write-only values; `matches` are those of the configuration with it.
///
/// First as if nothing had changed: every computed value stays. If that differs from the prior state, something did
/// change, and each computed value that is not kept is unknown until apply. Both times the functions of `plan_with` have
/// the last word.
///
/// # Errors
///
/// What a function of `plan_with` reports, at its attribute path.
pub(crate) fn propose(
    block: &Block,
    config: &Object,
    prior: &Value,
    with_fingerprints: &Value,
    matches: &ObjectMatches,
) -> Result<Value> {
    let has_fingerprints = block.facts().has_followed_write_only;
    let before = Before::of(Some(with_fingerprints).filter(|it| !it.is_null()));
    let modifiers = PlanModifiers::of(config);
    let proposed = |has_changed: bool| {
        let proposal = Proposal { has_changed, in_set: false, is_ambiguous: false, modifiers: &modifiers };
        let made = Value::Object(proposal.object(block, config, before, Some(matches)));
        if has_fingerprints { overlay::without_write_only(block, &made) } else { made }
    };
    // What is computed does not depend on timeouts, nor on the spelling of a value.
    let unchanged = before.counterpart.map(|_| proposed(false));
    let unchanged = unchanged.filter(|it| is_object_unchanged(block, prior, it));
    let planned = unchanged.unwrap_or_else(|| proposed(true));
    modifiers.faults(config).map(|()| planned)
}

/// The prior values of an object or of something inside it.
#[derive(Clone, Copy, Default)]
struct Before<'a> {
    /// The prior value of the matching element, wherever that was: what the provider set comes from here.
    counterpart: Option<&'a Value>,
    /// The prior value at the same path. In a list Terraform lets a semantically equal value, or one whose change is
    /// suppressed, stay there only. It does not depend on which element an unknown key turns out to name.
    same_path: Option<&'a Value>,
}

impl<'a> Before<'a> {
    fn of(it: Option<&'a Value>) -> Before<'a> {
        Before { counterpart: it, same_path: it }
    }

    fn map(self, f: impl Fn(&'a Value) -> Option<&'a Value>) -> Before<'a> {
        let counterpart = self.counterpart.and_then(&f);
        // Mostly they are one.
        let same_path = if self.has_stayed() { counterpart } else { self.same_path.and_then(&f) };
        Before { counterpart, same_path }
    }

    /// True where the matching element is the one at the same path.
    fn has_stayed(self) -> bool {
        match (self.counterpart, self.same_path) {
            (Some(counterpart), Some(same_path)) => std::ptr::eq(counterpart, same_path),
            (counterpart, same_path) => counterpart.is_none() && same_path.is_none(),
        }
    }

    /// One attribute; null where the object lacks it.
    fn attribute(self, name: &str) -> Before<'a> {
        static NULL: Value = Value::Null;
        self.map(|it| it.as_object().map(|it| it.get(name).unwrap_or(&NULL)))
    }
}

#[derive(Clone, Copy)]
struct Proposal<'a> {
    /// True where something has changed: computed values that are not kept become unknown.
    has_changed: bool,
    /// Inside an element of a set, where Terraform accepts unknown and prior values for configured ones.
    in_set: bool,
    /// Inside an element whose counterpart is ambiguous.
    is_ambiguous: bool,
    modifiers: &'a PlanModifiers,
}

impl Proposal<'_> {
    fn object(
        &self,
        block: &Block,
        config: &Object,
        before: Before<'_>,
        matches: Option<&ObjectMatches>,
    ) -> Object {
        let null = Value::Null;
        let attributes = block.attributes.iter().enumerate().map(|(at, it)| {
            let before = before.attribute(&it.name);
            let matches = matches.and_then(|matches| matches.member(at));
            let planned = self.attribute(it, config.get(&it.name).unwrap_or(&null), before, matches);
            (it.name.clone(), self.modified(it, config, before.counterpart, planned))
        });
        let blocks = block.blocks.iter().enumerate().map(|(at, it)| {
            let config = config.get(&it.name).unwrap_or(&null);
            let before = before.attribute(&it.name);
            let matches = matches.and_then(|matches| matches.member(block.attributes.len() + at));
            let planned = match it.computed && it.is_absent(config) {
                true => self.omitted_block(it, before.counterpart),
                false => self.nested(it.nesting, &it.block, config, before, matches),
            };
            (it.name.clone(), planned)
        });
        let mut planned: Object = attributes.chain(blocks).collect();
        follow(block, config, before.counterpart.and_then(Value::as_object), &mut planned, *self);
        planned
    }

    /// What the attribute's function plans, where it has one. It is not called while it depends on an unknown value
    /// which element this is.
    fn modified(&self, it: &Attribute, config: &Object, prior: Option<&Value>, planned: Value) -> Value {
        if self.is_ambiguous { planned } else { self.modifiers.modified(it, config, prior, planned) }
    }

    /// A block that the configuration leaves to the provider.
    fn omitted_block(&self, it: &NestedBlock, prior: Option<&Value>) -> Value {
        match prior {
            Some(prior) if !self.has_changed => prior.clone(),
            Some(prior) if it.keep == Keep::NonNullState && it.is_absent(prior) => Value::UNKNOWN,
            Some(prior) if it.keep != Keep::Recompute => prior.clone(),
            _ if self.has_changed => Value::UNKNOWN,
            _ => Value::Null,
        }
    }

    fn attribute(
        &self,
        it: &Attribute,
        config: &Value,
        before: Before<'_>,
        matches: Option<&ElementMatches>,
    ) -> Value {
        if it.write_only {
            return Value::Null;
        }
        if config.is_null() {
            return match before.counterpart {
                // What has a default is the configuration's, also where the default is nothing.
                _ if it.is_input() => config.clone(),
                // Something has changed: the configuration had it, and no longer has. What is kept stays all the same.
                Some(prior) if !self.has_changed && !it.is_kept() && was_configured(it, prior) => Value::Null,
                Some(prior) if !self.has_changed => prior.clone(),
                Some(prior) if it.behavior().keep == Keep::NonNullState && prior.is_null() => Value::UNKNOWN,
                Some(prior) if it.is_kept() => prior.clone(),
                _ => Value::UNKNOWN,
            };
        }
        let prior = before.same_path.filter(|it| !it.is_null());
        let can_stay = prior.is_some() && self.in_set && !config.is_wholly_known();
        let Some(Nested { nesting, block }) = it.nested.as_deref() else {
            if can_stay
                && it.has_parts()
                && (it.has_semantic_equality() || it.behavior().suppress_diff.is_some())
            {
                return Value::UNKNOWN;
            }
            // Of a value with several parts some may be unknown at first. The others are then planned as they are
            // configured, and outside of sets Terraform accepts no other plan afterwards.
            let is_equal =
                |prior: &Value| (self.in_set || !it.has_parts()) && it.is_semantically_equal(prior, config);
            let stays = prior.filter(|prior| is_equal(prior) || it.suppresses(prior, config));
            return stays.unwrap_or(config).clone();
        };
        if it.behavior().suppress_diff.is_some() && before.has_stayed() {
            if can_stay {
                return Value::UNKNOWN;
            }
            // What the provider sets inside is no reason.
            let unchanged = Proposal { has_changed: false, ..*self };
            let unchanged = unchanged.nested(*nesting, block, config, before, matches);
            if let Some(prior) = prior.filter(|prior| it.suppresses(prior, &unchanged)) {
                return prior.clone();
            }
        }
        self.nested(*nesting, block, config, before, matches)
    }

    fn nested(
        &self,
        nesting: Nesting,
        block: &Block,
        config: &Value,
        before: Before<'_>,
        matches: Option<&ElementMatches>,
    ) -> Value {
        let prior = before.counterpart.map(elements).unwrap_or_default();
        let element = |i: usize, config: &Value, same_path: Option<&Value>| {
            let found = matches.map_or(Match::New, |it| it.counterpart(i));
            let counterpart = if let Match::Prior(at) = found { prior.get(at).copied() } else { None };
            let before = Before { counterpart, same_path };
            let inside = matches.and_then(|it| it.inside(i));
            let is_ambiguous = self.is_ambiguous || found == Match::Ambiguous;
            Proposal { is_ambiguous, ..*self }.element(block, config, before, inside)
        };
        match (nesting, config) {
            (Nesting::Single, Value::Object(_)) => {
                element(0, config, before.same_path.filter(|it| it.as_object().is_some()))
            }
            (Nesting::List, Value::List(config)) => {
                let same_path = before.same_path.map(elements).unwrap_or_default();
                let planned = config.iter().enumerate();
                Value::List(planned.map(|(i, it)| element(i, it, same_path.get(i).copied())).collect())
            }
            (Nesting::Map, Value::Map(config)) => {
                let same_path = if let Some(Value::Map(it)) = before.same_path { Some(it) } else { None };
                let planned = config.iter().enumerate();
                let planned = planned.map(|(i, (label, it))| {
                    let same_path = same_path.and_then(|prior| prior.get(label));
                    (label.clone(), element(i, it, same_path))
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

    /// An element of a set. It has no path, so its prior values are those of its counterpart only.
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
            let before = Before::of(Some(prior[at]));
            // Terraform does not match the elements of a set. One that is as it was is one that nothing happened to,
            // whatever else changes.
            let unchanged = Proposal { has_changed: false, ..*self }.element(block, config, before, inside);
            return match self.has_changed && unchanged != *prior[at] {
                true => self.element(block, config, before, inside),
                false => unchanged,
            };
        }
        let planned = Proposal { is_ambiguous, ..*self }.element(block, config, Before::default(), None);
        if is_ambiguous { with_ambiguity(block, planned) } else { planned }
    }

    /// What a new element holds is not known yet, whatever else changes.
    fn element(
        &self,
        block: &Block,
        config: &Value,
        before: Before<'_>,
        matches: Option<&ObjectMatches>,
    ) -> Value {
        let Value::Object(config) = config else { return config.clone() };
        let has_changed = self.has_changed || before.counterpart.is_none();
        Value::Object(Proposal { has_changed, ..*self }.object(block, config, before, matches))
    }
}

/// True where the prior value of a nested object can only have come from a configuration: something in it is
/// set that the provider does not compute. Terraform draws the same conclusion for its own proposal.
fn was_configured(it: &Attribute, prior: &Value) -> bool {
    it.mode == Mode::OptionalComputed && it.nested.as_ref().is_some_and(|it| holds_input(&it.block, prior))
}

fn holds_input(block: &Block, value: &Value) -> bool {
    match value {
        Value::List(it) => it.iter().any(|it| holds_input(block, it)),
        Value::Set(it) => it.iter().any(|it| holds_input(block, it)),
        Value::Map(it) => it.values().any(|it| holds_input(block, it)),
        Value::Object(object) => block.attributes.iter().any(|it| {
            let value = object.get(&it.name).unwrap_or(&Value::Null);
            let inside = || it.nested.as_ref().is_some_and(|it| holds_input(&it.block, value));
            !value.is_null() && (!it.mode.is_computed() || inside())
        }),
        _ => false,
    }
}

/// Makes unknown what follows a sibling that has changed; one may follow another that follows a third. As long as
/// nothing else has changed, only what is write-only may have. A function that plans a follower is asked once more.
fn follow(
    block: &Block,
    config: &Object,
    prior: Option<&Object>,
    planned: &mut Object,
    proposal: Proposal<'_>,
) {
    let attributes = block.attributes.iter().map(|it| (&it.name, &it.behavior().keep, config.get(&it.name)));
    let attributes = attributes.filter(|(.., config)| config.is_none_or(Value::is_null));
    let blocks =
        block.blocks.iter().filter(|it| config.get(&it.name).is_none_or(|config| it.is_absent(config)));
    let mut followers: Vec<(&Arc<str>, &Vec<Arc<str>>)> = attributes
        .map(|(name, keep, _)| (name, keep))
        .chain(blocks.map(|it| (&it.name, &it.keep)))
        .filter_map(|(name, keep)| if let Keep::Follow(of) = keep { Some((name, of)) } else { None })
        .collect();
    if followers.is_empty() {
        return;
    }
    let secrets = block.attributes.iter().filter(|it| it.write_only);
    let secrets = secrets.filter(|secret| followers.iter().any(|(_, of)| of.contains(&secret.name)));
    // Slow: each is looked at once.
    let new: BTreeSet<&Arc<str>> = secrets
        .filter(|it| {
            let secret = config.get(&it.name).unwrap_or(&Value::Null);
            fingerprint::has_changed(it, prior.and_then(|prior| prior.get(&it.name)), secret)
        })
        .map(|it| &it.name)
        .collect();
    // What is planned has no fingerprints, also not deeper inside.
    let bare = prior.filter(|_| block.facts().has_followed_write_only).map(|it| Value::Object(it.clone()));
    let bare = bare.map(|it| overlay::without_write_only(block, &it));
    let prior = bare.as_ref().and_then(Value::as_object).or(prior);
    let changed = |planned: &Object, name: &Arc<str>| {
        let now = planned.get(name);
        let other = || now != prior.and_then(|it| it.get(name)) || now.is_none_or(|it| !it.is_wholly_known());
        let is_secret = || block.get(name).is_some_and(|it| it.write_only);
        new.contains(name) || proposal.has_changed && !is_secret() && other()
    };
    loop {
        let left = followers.len();
        followers.retain(|(follower, of)| {
            let is_kept = planned.get(follower).is_some_and(|it| !it.is_unknown());
            let opens = is_kept && of.iter().any(|name| changed(planned, name));
            if opens {
                let modified = |it| {
                    let prior = prior.and_then(|prior| prior.get(follower));
                    proposal.modified(it, config, prior, Value::UNKNOWN)
                };
                planned.insert(Arc::clone(follower), block.get(follower).map_or(Value::UNKNOWN, modified));
            }
            !opens
        });
        if followers.len() == left {
            return;
        }
    }
}
