//! Which changes need a new object.
//!
//! Inside nested objects there is one rule for every nesting: what each object that will be there holds is compared
//! with what the same object held before, and with nothing where it is new. What goes along with an object is no
//! reason, and what is not known yet is one where it may turn out to be.

use ferroform_value::{Path, Step, Value};

use crate::planning::changed::{Change, Was, elements, is_keyed};
use crate::planning::same::means_same;
use crate::schema::{Attribute, Block, Nesting, Replace};

/// The places whose change needs a new object, in the order of the schema. `full` is the configuration with its
/// defaults. Without `in_place` every change does.
pub(crate) fn replacements<'a>(
    block: &Block,
    config: &Value,
    full: &Value,
    prior: &'a Value,
    planned: &'a Value,
    in_place: bool,
) -> Vec<Path> {
    if !matches!((prior, planned), (Value::Object(_), Value::Object(_))) {
        return Vec::new();
    }
    let look = Look { in_place, fixes: true, asks: true };
    let mut walk = Walk { look, place: Path::ROOT, found: Vec::new() };
    walk.block(block, Change { config, full, prior, planned });
    // Nothing but computed values changes, by the author's own plan: then they are the reason.
    if let (true, false, Value::Object(planned)) = (walk.found.is_empty(), in_place, planned) {
        let timeouts = crate::schema::timeouts::name(block);
        let is_said_anew = |name: &str, planned: &Value| {
            let before = prior.attribute(name).unwrap_or(&Value::Null);
            block.get(name).is_some_and(|it| means_same(it, before, planned))
        };
        let changed = planned.iter().filter(|(name, planned)| prior.attribute(name) != Some(planned));
        let changed = changed.filter(|(name, it)| Some(&***name) != timeouts && !is_said_anew(name, it));
        walk.found = changed.map(|(name, _)| Path::attribute(name.clone())).collect();
    }
    // The host compares what is at the place, where another element may have stood, or none.
    for place in &mut walk.found {
        let of = |it: &'a Value, place: &Path| it.at(place).unwrap_or(&Value::Null);
        while place.steps().len() > 1 && of(prior, place) == of(planned, place) {
            place.pop();
        }
    }
    walk.found
}

/// What is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) in_place: bool,
    /// Whether a change can be a reason by itself.
    pub(crate) fixes: bool,
    /// Whether the author's functions are asked.
    pub(crate) asks: bool,
}

impl Look {
    /// Whether something in the object asks for a new one.
    pub(crate) fn finds(self, block: &Block, change: Change<'_>) -> bool {
        let mut walk = Walk { look: self, place: Path::ROOT, found: Vec::new() };
        walk.object(block, change);
        !walk.found.is_empty()
    }
}

struct Walk {
    look: Look,
    place: Path,
    found: Vec<Path>,
}

impl Walk {
    fn within(&mut self, step: Step, go: impl FnOnce(&mut Walk)) {
        self.place.push(step);
        go(self);
        self.place.pop();
    }

    fn block(&mut self, block: &Block, change: Change<'_>) {
        for it in &block.attributes {
            let mut change = change.inside(&it.name);
            // What is not known yet says nothing of what only the provider writes.
            if !it.mode.is_configurable() {
                change.config = &Value::Null;
            }
            self.within(Step::Attribute(it.name.clone()), |walk| walk.attribute(it, change));
        }
        for it in &block.blocks {
            let change = change.inside(&it.name);
            let Change { config, prior, planned, .. } = change;
            // Timeouts are no part of the real object.
            let is_fixed = it.replace != Replace::Never || is_fixed(&it.block);
            if self.look.in_place && !is_fixed {
                continue;
            }
            if it.block.limits.is_some() || prior == planned || prior.is_null() && it.is_absent(planned) {
                continue;
            }
            let replaces = match &it.replace {
                Replace::Always => self.look.fixes,
                Replace::IfConfigured => self.look.fixes && !it.is_absent(config),
                Replace::If(condition) => {
                    !self.look.in_place || self.look.asks && condition.holds(config, prior, planned)
                }
                // What is made anew along with something else is no reason of its own.
                Replace::Never => !(self.look.in_place || it.computed && planned.is_unknown()),
            };
            self.within(Step::Attribute(it.name.clone()), |walk| match replaces {
                true => walk.found.push(walk.place.clone()),
                false => walk.nested(it.nesting, &it.block, change),
            });
        }
    }

    fn attribute(&mut self, it: &Attribute, change: Change<'_>) {
        let Change { config, prior, planned, .. } = change;
        if self.look.in_place && !is_fixed_attribute(it) {
            return;
        }
        if means_same(it, prior, planned) || it.nested.as_ref().is_some_and(|it| it.block.limits.is_some()) {
            return;
        }
        let replaces = match &it.behaviour().replace {
            Replace::Always => self.look.fixes,
            Replace::IfConfigured => self.look.fixes && !config.is_null(),
            Replace::If(condition) => {
                !self.look.in_place || self.look.asks && condition.holds(config, prior, planned)
            }
            // A value that is recomputed along with something else is no reason of its own.
            Replace::Never => !(self.look.in_place || config.is_null() && planned.is_unknown()),
        };
        if replaces {
            self.found.push(self.place.clone());
        } else if let Some(nested) = &it.nested {
            self.nested(nested.nesting, &nested.block, change);
        }
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, change: Change<'_>) {
        if !is_fixed(block) {
            return;
        }
        match (nesting, change.planned) {
            (Nesting::Single, _) => self.object(block, change),
            (_, Value::Unknown(_)) => {
                // Any element may be new, or one of these.
                let mut before = vec![&Value::Null];
                if nesting != Nesting::Set || is_keyed(block) {
                    before.extend(elements(change.prior));
                }
                let may_be = |prior| self.look.finds(block, Change { prior, ..change });
                if before.into_iter().any(may_be) {
                    self.found.push(self.place.clone());
                }
            }
            (Nesting::Map, Value::Map(planned)) => {
                for key in planned.keys() {
                    let change = change.each(|it| it.step(&Step::Key(key.clone())));
                    self.within(Step::Key(key.clone()), |walk| walk.object(block, change));
                }
            }
            // Without a key, what stands at a place is what can be told of an element.
            (Nesting::List, Value::List(planned)) if !is_keyed(block) => {
                for i in 0..planned.len() {
                    let change = change.each(|it| it.step(&Step::Index(i)));
                    self.within(Step::Index(i), |walk| walk.object(block, change));
                }
            }
            (Nesting::List, Value::List(_)) => {
                let (changes, free) = change.elements(block, true);
                if self.look.any_open(block, &changes, &free) {
                    return self.found.push(self.place.clone());
                }
                let told = changes.into_iter().enumerate().filter(|(_, (_, was))| *was != Was::Open);
                for (i, (change, _)) in told {
                    self.within(Step::Index(i), |walk| walk.object(block, change));
                }
            }
            // An element of a set has no place on the wire.
            (Nesting::Set, Value::Set(_)) => {
                let (changes, free) = change.elements(block, false);
                if self.look.any_in_set(block, changes, &free) {
                    self.found.push(self.place.clone());
                }
            }
            _ => {}
        }
    }

    /// An object; where it is not known, each part of it may be anything, unless only the provider writes it.
    fn object(&mut self, block: &Block, change: Change<'_>) {
        match change.planned {
            Value::Object(_) => self.block(block, change),
            Value::Unknown(_) if !change.config.is_null() => {
                let before = self.found.len();
                self.block(block, change);
                if self.found.len() > before {
                    self.found.truncate(before);
                    self.found.push(self.place.clone());
                }
            }
            _ => {}
        }
    }
}

/// True where a change of something inside may need a new object.
pub(crate) fn is_fixed(block: &Block) -> bool {
    block.attributes.iter().any(is_fixed_attribute)
        || block.blocks.iter().any(|it| it.replace != Replace::Never || is_fixed(&it.block))
}

pub(crate) fn is_fixed_attribute(it: &Attribute) -> bool {
    it.behaviour().replace != Replace::Never || it.nested.as_ref().is_some_and(|it| is_fixed(&it.block))
}
