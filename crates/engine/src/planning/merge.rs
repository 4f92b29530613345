//! The plan that follows from the configuration and the prior state, before the author's own changes.
//!
//! Terraform's core sends its own proposal along. It is not used: it follows from the same two values, but it
//! pairs the elements of sets less well, and after it nobody can tell which element of the configuration an
//! element of the proposal came from.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use ferroform_value::{Object, Set, Value};
use foldhash::HashMap;

use crate::Result;
use crate::planning::in_order::InOrder;
use crate::planning::modify::{self, Doubt, Planners};
use crate::planning::own::has_own;
use crate::planning::pair::{Partner, has_meaning, pair};
use crate::planning::same::is_same;
use crate::planning::tries::TRIES;
use crate::planning::unsure::{either, unsure};
use crate::schema::{Attribute, Block, Keep, Mode, Nested, NestedBlock, Nesting};
use crate::state::fingerprint;
use crate::state::overlay;

/// The plan for an object, from its configuration with the defaults put in. In `marked`, the prior object has the
/// fingerprints of its write-only values.
///
/// First as if nothing had changed: every computed value stays. Where that differs from the prior state,
/// something did change, and each computed value that is not kept is unknown until apply. Both times the functions
/// of `plan_with` have the last word.
///
/// # Errors
///
/// What such a function says is wrong, with its place.
pub(crate) fn merge(block: &Block, config: &Object, prior: &Value, marked: &Value) -> Result<Value> {
    let has_marks = fingerprint::has_followed(block);
    let before = Before::of(Some(marked).filter(|it| !it.is_null()));
    let (pairs, tries) = (Pairs::default(), Cell::new(TRIES));
    let planners = Planners::of(config);
    let merged = |settle: bool| {
        let (pairs, tries, planners) = (&pairs, &tries, &planners);
        let merge =
            Merge { settle, is_draft: !settle, in_doubt: false, is_adrift: false, pairs, tries, planners };
        let merged = Value::Object(merge.object(block, config, before));
        if has_marks { overlay::without_write_only(block, &merged) } else { merged }
    };
    // What is computed does not depend on timeouts, nor on how something is said.
    let unchanged = before.is.map(|_| merged(false)).filter(|it| is_same(block, prior, it));
    let planned = unchanged.unwrap_or_else(|| merged(true));
    planners.faults(config).map(|()| planned)
}

/// What there was before, of an object or of something in it.
#[derive(Clone, Copy, Default)]
struct Before<'a> {
    /// What the configured one *is*, wherever it was: what the provider wrote comes from here.
    is: Option<&'a Value>,
    /// What stood at the same place, whatever that was: only there core lets a value stay that means the same, or
    /// whose change is suppressed. That does not depend on what elements with unknown parts turn out to be.
    place: Option<&'a Value>,
}

impl<'a> Before<'a> {
    fn of(it: Option<&'a Value>) -> Before<'a> {
        Before { is: it, place: it }
    }

    fn map(self, f: impl Fn(&'a Value) -> Option<&'a Value>) -> Before<'a> {
        let is = self.is.and_then(&f);
        // Mostly they are one.
        let place = if self.has_stayed() { is } else { self.place.and_then(&f) };
        Before { is, place }
    }

    /// True where it is what stood at its place.
    fn has_stayed(self) -> bool {
        match (self.is, self.place) {
            (Some(is), Some(place)) => std::ptr::eq(is, place),
            (is, place) => is.is_none() && place.is_none(),
        }
    }

    /// One attribute; null where the object lacks it.
    fn attribute(self, name: &str) -> Before<'a> {
        static NULL: Value = Value::Null;
        self.map(|it| it.as_object().map(|it| it.get(name).unwrap_or(&NULL)))
    }
}

#[derive(Clone, Copy)]
struct Merge<'a> {
    /// True where something has changed: computed values that are not kept become unknown.
    settle: bool,
    /// True as long as it is not known whether something has: what is made is only compared.
    is_draft: bool,
    pairs: &'a Pairs,
    /// True inside an element of which it is not known yet whether it is new.
    in_doubt: bool,
    /// The same, where that is an element of a list: what it may turn out to be has sets in it.
    is_adrift: bool,
    planners: &'a Planners,
    /// How many more elements may be compared with those that they may turn out to be.
    tries: &'a Cell<usize>,
}

/// Which elements of a collection of the configuration are which, for both times that it is gone through.
type Pairs = RefCell<HashMap<*const Value, Rc<[Partner]>>>;

impl Merge<'_> {
    fn object(&self, block: &Block, config: &Object, before: Before<'_>) -> Object {
        let null = Value::Null;
        let attributes = block.attributes.iter().map(|it| {
            let before = before.attribute(&it.name);
            let made = self.attribute(it, config.get(&it.name).unwrap_or(&null), before);
            (it.name.clone(), self.ask(it, config, before.is, made))
        });
        let blocks = block.blocks.iter().map(|it| {
            let config = config.get(&it.name).unwrap_or(&null);
            let before = before.attribute(&it.name);
            let made = match it.computed && it.is_absent(config) {
                true => self.left_out(it, before.is),
                false => self.nested(it.nesting, &it.block, config, before),
            };
            (it.name.clone(), made)
        });
        let mut merged: Object = attributes.chain(blocks).collect();
        follow(block, config, before.is.and_then(Value::as_object), &mut merged, *self);
        merged
    }

    /// What the attribute's function plans, where it has one that can be asked.
    fn ask(&self, it: &Attribute, config: &Object, prior: Option<&Value>, planned: Value) -> Value {
        if self.in_doubt { planned } else { self.planners.ask(it, config, prior, planned) }
    }

    /// A block that the configuration leaves to the provider.
    fn left_out(&self, it: &NestedBlock, prior: Option<&Value>) -> Value {
        match prior {
            Some(prior) if !self.settle => prior.clone(),
            Some(prior) if it.keep == Keep::NonNullState && it.is_absent(prior) => Value::UNKNOWN,
            Some(prior) if it.keep != Keep::Recompute => prior.clone(),
            _ if self.settle => Value::UNKNOWN,
            _ => Value::Null,
        }
    }

    fn attribute(&self, it: &Attribute, config: &Value, before: Before<'_>) -> Value {
        if it.write_only {
            return Value::Null;
        }
        if config.is_null() {
            return match before.is {
                // What has a default is the configuration's, also where the default is nothing.
                _ if !it.mode.is_computed() || it.behaviour().default.is_some() => config.clone(),
                // Something has changed: the configuration had it, and no longer has. What is kept stays all the same.
                Some(prior) if !self.settle && !it.is_kept() && was_configured(it, prior) => Value::Null,
                Some(prior) if !self.settle => prior.clone(),
                Some(prior) if it.behaviour().keep == Keep::NonNullState && prior.is_null() => Value::UNKNOWN,
                Some(prior) if it.is_kept() => prior.clone(),
                _ => Value::UNKNOWN,
            };
        }
        let place = before.place.filter(|place| !place.is_null());
        let Some(Nested { nesting, block }) = it.nested.as_deref() else {
            // Of a value with several parts some may be unknown at first. The others are then planned as they are
            // written, and core takes no other plan afterwards.
            let same = |place: &Value| !it.has_parts() && it.same(place, config);
            let stays = place.filter(|place| same(place) || it.suppresses(place, config));
            return stays.unwrap_or(config).clone();
        };
        if it.behaviour().suppress.is_some() && before.has_stayed() {
            // What the provider writes inside is no reason.
            let calm = Merge { settle: false, ..*self }.nested(*nesting, block, config, before);
            if let Some(place) = place.filter(|place| it.suppresses(place, &calm)) {
                return place.clone();
            }
        }
        self.nested(*nesting, block, config, before)
    }

    fn nested(&self, nesting: Nesting, block: &Block, config: &Value, before: Before<'_>) -> Value {
        match (nesting, config) {
            (Nesting::Single, Value::Object(config)) => {
                let before = before.map(|it| Some(it).filter(|it| it.as_object().is_some()));
                Value::Object(self.object(block, config, before))
            }
            (Nesting::List, Value::List(inside)) => {
                let (prior, place) = (elements(before.is), elements(before.place));
                let partners = self.pairs(block, config, &prior);
                let doubt = Doubt::of(block, config, &prior);
                let merged = inside.iter().zip(&*partners).enumerate();
                let merged = merged.map(|(i, (config, partner))| {
                    let is = partner.is.map(|at| prior[at]);
                    let before = Before { is, place: place.get(i).copied() };
                    let in_doubt = doubt.has(config, partner);
                    let merge = Merge { is_adrift: self.is_adrift || in_doubt, ..self.unless(in_doubt) };
                    merge.element(block, config, before)
                });
                Value::List(merged.collect())
            }
            (Nesting::Set, Value::Set(inside)) => {
                let prior = elements(before.is);
                let partners = self.pairs(block, config, &prior);
                // Otherwise only equal elements pair.
                let may_differ =
                    modify::is_inside(block) || has_own(block) || block.attributes.iter().any(|it| it.key);
                let has_meaning = has_meaning(block);
                let doubt = Doubt::of(block, config, &prior);
                let merged = inside.iter().zip(&*partners).map(|(config, partner)| {
                    let before = Before::of(partner.is.map(|at| prior[at]));
                    // Core cannot pair the elements of a set itself and asks for no more than their number. An
                    // element that is as it was is one that nothing happened to.
                    let calm =
                        before.is.map(|_| Merge { settle: false, ..*self }.element(block, config, before));
                    let made = calm.filter(|it| !(self.settle && may_differ) || Some(it) == before.is);
                    let made = made.unwrap_or_else(|| {
                        self.unless(doubt.has(config, partner)).element(block, config, before)
                    });
                    if has_meaning && self.is_adrift {
                        return unsure(block, made);
                    }
                    if !has_meaning || partner.may_be.is_empty() {
                        return made;
                    }
                    self.open(block, config, made, partner.may_be.iter().map(|at| prior[*at]))
                });
                let merged: Vec<Value> = merged.collect();
                Value::Set(if self.is_draft {
                    Set::with_repeats(merged)
                } else {
                    merged.into_iter().collect()
                })
            }
            (Nesting::Map, Value::Map(config)) => {
                let (mut is, mut place) = (InOrder::of(before.is), InOrder::of(before.place));
                let entry = |(key, it): (&Arc<str>, &Value)| {
                    let before = Before { is: is.get(key), place: place.get(key) };
                    (key.clone(), self.element(block, it, before))
                };
                Value::Map(config.iter().map(entry).collect())
            }
            _ => config.clone(),
        }
    }

    /// The same, but no function is asked of what is in doubt.
    fn unless(self, in_doubt: bool) -> Self {
        Merge { in_doubt: self.in_doubt || in_doubt, ..self }
    }

    /// What a new element holds is not known yet, whatever else changes.
    fn element(&self, block: &Block, config: &Value, before: Before<'_>) -> Value {
        let Value::Object(config) = config else { return config.clone() };
        let settle = self.settle || before.is.is_none();
        Value::Object(Merge { settle, ..*self }.object(block, config, before))
    }

    /// The new element of a set, with what would stay of an element that it may turn out to be unknown: core lets
    /// values in sets be. Where there are too many of those, whatever may stay is.
    fn open<'a>(
        &self,
        block: &Block,
        config: &Value,
        made: Value,
        may_be: impl ExactSizeIterator<Item = &'a Value>,
    ) -> Value {
        let left = self.tries.get().saturating_sub(may_be.len());
        self.tries.set(left);
        if left > 0 {
            let settled = Merge { settle: true, ..*self };
            return may_be
                .map(|it| settled.element(block, config, Before::of(Some(it))))
                .fold(made, |made, it| either(made, &it));
        }
        unsure(block, made)
    }

    /// What each element of a list or set has in the prior one.
    fn pairs(&self, block: &Block, config: &Value, prior: &[&Value]) -> Rc<[Partner]> {
        let made = || -> Rc<[Partner]> {
            let is_list = matches!(config, Value::List(_));
            pair(block, &elements(Some(config)), prior, is_list).into()
        };
        // A collection stands at one place, and keeps what it is paired with.
        self.pairs.borrow_mut().entry(std::ptr::from_ref(config)).or_insert_with(made).clone()
    }
}

/// The elements of a list or set.
fn elements(it: Option<&Value>) -> Vec<&Value> {
    match it {
        Some(Value::List(it)) => it.iter().collect(),
        Some(Value::Set(it)) => it.iter().collect(),
        _ => Vec::new(),
    }
}

/// True where the prior value of a nested object can only have come from a configuration: something in it is
/// set that the provider does not compute. Core draws the same conclusion for its own proposal.
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
fn follow(block: &Block, config: &Object, prior: Option<&Object>, merged: &mut Object, by: Merge<'_>) {
    let attributes = block.attributes.iter().map(|it| (&it.name, &it.behaviour().keep, config.get(&it.name)));
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
    let bare = prior.filter(|_| fingerprint::has_followed(block)).map(|it| Value::Object(it.clone()));
    let bare = bare.map(|it| overlay::without_write_only(block, &it));
    let prior = bare.as_ref().and_then(Value::as_object).or(prior);
    let changed = |merged: &Object, name: &Arc<str>| {
        let now = merged.get(name);
        let other = || now != prior.and_then(|it| it.get(name)) || now.is_none_or(|it| !it.is_wholly_known());
        let is_secret = || block.get(name).is_some_and(|it| it.write_only);
        new.contains(name) || by.settle && !is_secret() && other()
    };
    loop {
        let left = followers.len();
        followers.retain(|(follower, of)| {
            let is_kept = merged.get(follower).is_some_and(|it| !it.is_unknown());
            let opens = is_kept && of.iter().any(|name| changed(merged, name));
            if opens {
                let ask = |it| {
                    let prior = prior.and_then(|prior| prior.get(follower));
                    by.ask(it, config, prior, Value::UNKNOWN)
                };
                merged.insert(Arc::clone(follower), block.get(follower).map_or(Value::UNKNOWN, ask));
            }
            !opens
        });
        if followers.len() == left {
            return;
        }
    }
}
