//! The plan that follows from the configuration and the prior state, before the author's own changes.
//!
//! Terraform's core sends its own proposal along. It is not used: it follows from the same two values, but it
//! pairs the elements of sets less well, and after it nobody can tell which element of the configuration an
//! element of the proposal came from.

use std::sync::Arc;

use ferroform_value::{Object, Value};

use super::pair::pair;
use crate::schema::{Attribute, Block, Keep, Mode, Nested, Nesting};

/// The plan for an object, from its configuration with the defaults put in.
///
/// First as if nothing had changed: every computed value stays. Where that differs from the prior state,
/// something did change, and each computed value that is not kept is unknown until apply.
pub(super) fn merge(block: &Block, config: &Object, prior: Option<&Object>) -> Value {
    if let Some(prior) = prior {
        let unchanged = Merge { settle: false }.object(block, config, Some(prior), Some(prior));
        if unchanged == *prior {
            return Value::Object(unchanged);
        }
    }
    Value::Object(Merge { settle: true }.object(block, config, prior, prior))
}

/// Two prior values are looked at. What the provider wrote comes from the object that the configuration's
/// object *is*, wherever it was. A value that means the same as the configured one may stay as it is only where
/// it is *here*, at the same place: so core has it. An element that has moved in its list takes the configured
/// value to the letter.
struct Merge {
    /// True where something has changed: computed values that are not kept become unknown.
    settle: bool,
}

impl Merge {
    fn object(&self, block: &Block, config: &Object, is: Option<&Object>, here: Option<&Object>) -> Object {
        let null = Value::Null;
        let attributes = block.attributes.iter().map(|attribute| {
            let config = config.get(&attribute.name).unwrap_or(&null);
            let is = is.map(|it| it.get(&attribute.name).unwrap_or(&null));
            let here = here.and_then(|it| it.get(&attribute.name));
            (attribute.name.clone(), self.attribute(attribute, config, is, here))
        });
        let blocks = block.blocks.iter().map(|it| {
            let config = config.get(&it.name).unwrap_or(&null);
            let is = is.and_then(|is| is.get(&it.name));
            let here = here.and_then(|here| here.get(&it.name));
            (it.name.clone(), self.nested(it.nesting, &it.block, config, is, here))
        });
        let mut merged: Object = attributes.chain(blocks).collect();
        if self.settle {
            follow(block, config, is, &mut merged);
        }
        merged
    }

    fn attribute(&self, it: &Attribute, config: &Value, is: Option<&Value>, here: Option<&Value>) -> Value {
        if it.write_only {
            return Value::Null;
        }
        if config.is_null() {
            return match is {
                // What has a default is the configuration's, also where the default is nothing.
                _ if !it.mode.is_computed() || it.default.is_some() => config.clone(),
                // Something has changed: the configuration had it, and no longer has.
                Some(prior) if !self.settle && was_configured(it, prior) => Value::Null,
                Some(prior) if !self.settle => prior.clone(),
                Some(prior) if it.keep == Keep::NonNullState && prior.is_null() => Value::UNKNOWN,
                Some(prior) if it.keep != Keep::Recompute => prior.clone(),
                _ => Value::UNKNOWN,
            };
        }
        let here = here.filter(|it| !it.is_null());
        let Some(Nested { nesting, block }) = &it.nested else {
            let stays = here.filter(|here| it.same(here, config) || it.suppresses(here, config));
            return stays.unwrap_or(config).clone();
        };
        if let Some(here) = here.filter(|_| it.compares_whole()) {
            // What the provider writes inside is no reason.
            let calm = Merge { settle: false }.nested(*nesting, block, config, is, Some(here));
            if it.same(here, &calm) || it.suppresses(here, &calm) {
                return here.clone();
            }
        }
        self.nested(*nesting, block, config, is, here)
    }

    fn nested(
        &self,
        nesting: Nesting,
        block: &Block,
        config: &Value,
        is: Option<&Value>,
        here: Option<&Value>,
    ) -> Value {
        match (nesting, config) {
            (Nesting::Single, Value::Object(config)) => {
                let (is, here) = (is.and_then(Value::as_object), here.and_then(Value::as_object));
                Value::Object(self.object(block, config, is, here))
            }
            (Nesting::List, Value::List(config)) => {
                let config: Vec<&Value> = config.iter().collect();
                let prior = elements(is);
                let here = elements(here);
                let partners = pair(block, &config, &prior, true);
                let merged = config.iter().zip(partners).map(|(config, partner)| {
                    let is = partner.is.map(|at| prior[at]);
                    let here = partner.here.and_then(|at| here.get(at).copied());
                    self.element(block, config, is, here)
                });
                Value::List(merged.collect())
            }
            (Nesting::Set, Value::Set(config)) => {
                let config: Vec<&Value> = config.iter().collect();
                let prior = elements(is);
                let partners = pair(block, &config, &prior, false);
                let merged = config.iter().zip(partners).map(|(config, partner)| {
                    let is = partner.is.map(|at| prior[at]);
                    // Core cannot pair the elements of a set itself and asks for no more than their number. An
                    // element that is as it was is one that nothing happened to.
                    let calm = is.map(|_| Merge { settle: false }.element(block, config, is, is));
                    calm.filter(|it| !self.settle || Some(it) == is)
                        .unwrap_or_else(|| self.element(block, config, is, is))
                });
                Value::set(merged.collect::<Vec<_>>())
            }
            (Nesting::Map, Value::Map(config)) => Value::Map(
                config
                    .iter()
                    .map(|(key, it)| {
                        let element = self.element(block, it, at_key(is, key), at_key(here, key));
                        (key.clone(), element)
                    })
                    .collect(),
            ),
            _ => config.clone(),
        }
    }

    /// What a new element holds is not known yet, whatever else changes.
    fn element(&self, block: &Block, config: &Value, is: Option<&Value>, here: Option<&Value>) -> Value {
        let Value::Object(config) = config else { return config.clone() };
        let (is, here) = (is.and_then(Value::as_object), here.and_then(Value::as_object));
        Value::Object(Merge { settle: self.settle || is.is_none() }.object(block, config, is, here))
    }
}

/// The elements of a prior list or set.
fn elements(it: Option<&Value>) -> Vec<&Value> {
    match it {
        Some(Value::List(it)) => it.iter().collect(),
        Some(Value::Set(it)) => it.iter().collect(),
        _ => Vec::new(),
    }
}

fn at_key<'a>(it: Option<&'a Value>, key: &str) -> Option<&'a Value> {
    if let Some(Value::Map(it)) = it { it.get(key) } else { None }
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

/// Makes unknown what follows a sibling that has changed; one may follow another that follows a third.
fn follow(block: &Block, config: &Object, prior: Option<&Object>, merged: &mut Object) {
    let followers: Vec<(&Attribute, &Vec<Arc<str>>)> = block
        .attributes
        .iter()
        .filter(|it| config.get(&it.name).is_none_or(Value::is_null))
        .filter_map(|it| if let Keep::Follow(of) = &it.keep { Some((it, of)) } else { None })
        .collect();
    let changed = |merged: &Object, name: &str| {
        let now = merged.get(name);
        now != prior.and_then(|it| it.get(name)) || now.is_none_or(|it| !it.is_wholly_known())
    };
    loop {
        let mut again = false;
        for (attribute, of) in &followers {
            let is_kept = merged.get(&attribute.name).is_some_and(|it| !it.is_unknown());
            if is_kept && of.iter().any(|name| changed(merged, name)) {
                merged.insert(attribute.name.clone(), Value::UNKNOWN);
                again = true;
            }
        }
        if !again {
            return;
        }
    }
}
