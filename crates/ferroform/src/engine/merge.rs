//! The plan that follows from the configuration and the prior state, before the author's own changes.
//!
//! Terraform's core sends its own proposal along. It is not used: it follows from the same two values, but it
//! pairs the elements of sets less well, and after it nobody can tell which element of the configuration an
//! element of the proposal came from.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform_value::{Object, Value};

use super::pair::pair;
use crate::schema::{Attribute, Block, Keep, Mode, Nested, NestedBlock, Nesting};

/// The plan for an object.
///
/// First as if nothing had changed: every computed value stays. Where that differs from the prior state,
/// something did change, and each computed value that is not kept is unknown until apply.
pub(super) fn merge(block: &Block, config: &Object, prior: Option<&Object>) -> Value {
    if let Some(prior) = prior {
        let unchanged =
            Merge { settle: false, is_plan: true }.object(block, config, Some(prior), Pairing::Same);
        if unchanged == *prior {
            return Value::Object(unchanged);
        }
    }
    Value::Object(Merge { settle: true, is_plan: true }.object(block, config, prior, Pairing::Same))
}

/// The configuration with its defaults: what a data source is asked.
pub(super) fn with_defaults(block: &Block, config: &Object) -> Value {
    Value::Object(Merge { settle: false, is_plan: false }.object(block, config, None, Pairing::Same))
}

/// Whether the prior object stands at the same place as the configuration's.
///
/// Core lets a plan keep a prior value that means the same as the configured one only at the same place; an
/// element that has moved in its list takes the configured value to the letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pairing {
    Same,
    Moved,
}

struct Merge {
    /// True where something has changed: computed values that are not kept become unknown.
    settle: bool,
    /// False for a data source, where nothing is ever unknown.
    is_plan: bool,
}

impl Merge {
    fn object(&self, block: &Block, config: &Object, prior: Option<&Object>, pairing: Pairing) -> Object {
        let null = Value::Null;
        let attributes = block.attributes.iter().map(|attribute| {
            let config = config.get(&attribute.name).unwrap_or(&null);
            let prior = prior.map(|it| it.get(&attribute.name).unwrap_or(&null));
            (attribute.name.clone(), self.attribute(attribute, config, prior, pairing))
        });
        let blocks = block.blocks.iter().map(|it| {
            let config = config.get(&it.name).unwrap_or(&null);
            let prior = prior.and_then(|prior| prior.get(&it.name));
            let made = match it.computed && it.is_absent(config) {
                true => self.left_out(it, prior),
                false => self.nested(it.nesting, &it.block, config, prior, pairing),
            };
            (it.name.clone(), made)
        });
        let mut merged: Object = attributes.chain(blocks).collect();
        if self.settle {
            follow(block, config, prior, &mut merged);
        }
        merged
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

    fn attribute(&self, it: &Attribute, config: &Value, prior: Option<&Value>, pairing: Pairing) -> Value {
        if it.write_only {
            return Value::Null;
        }
        let made;
        let config = match &it.default {
            Some(default) if config.is_null() => {
                made = default();
                &made
            }
            _ => config,
        };
        if config.is_null() {
            return match prior {
                _ if !it.mode.is_computed() => config.clone(),
                // Something has changed: the configuration had it, and no longer has.
                Some(prior) if !self.settle && was_configured(it, prior) => Value::Null,
                Some(prior) if !self.settle => prior.clone(),
                Some(prior) if it.keep == Keep::NonNullState && prior.is_null() => Value::UNKNOWN,
                Some(prior) if it.keep != Keep::Recompute => prior.clone(),
                _ if self.settle => Value::UNKNOWN,
                _ => Value::Null,
            };
        }
        if let Some(Nested { nesting, block }) = &it.nested {
            return self.nested(*nesting, block, config, prior, pairing);
        }
        match prior {
            Some(prior) if pairing == Pairing::Same && !prior.is_null() && it.same(config, prior) => {
                prior.clone()
            }
            _ => config.clone(),
        }
    }

    fn nested(
        &self,
        nesting: Nesting,
        block: &Block,
        config: &Value,
        prior: Option<&Value>,
        pairing: Pairing,
    ) -> Value {
        match (nesting, config) {
            (Nesting::Single, Value::Object(config)) => {
                let prior = prior.and_then(Value::as_object);
                Value::Object(self.object(block, config, prior, pairing))
            }
            (Nesting::List, Value::List(config)) => {
                let prior: Vec<&Value> = match prior {
                    Some(Value::List(it)) => it.iter().collect(),
                    _ => Vec::new(),
                };
                Value::List(self.elements(block, &config.iter().collect::<Vec<_>>(), &prior, true, pairing))
            }
            (Nesting::Set, Value::Set(config)) => {
                let prior: Vec<&Value> = match prior {
                    Some(Value::Set(it)) => it.iter().collect(),
                    _ => Vec::new(),
                };
                // Core cannot pair the elements of a set itself and asks for no more than their number. An
                // element that is as it was is one that nothing happened to.
                Value::set(Merge { settle: false, ..*self }.elements(
                    block,
                    &config.iter().collect::<Vec<_>>(),
                    &prior,
                    false,
                    pairing,
                ))
            }
            (Nesting::Map, Value::Map(config)) => {
                let none = BTreeMap::<Arc<str>, Value>::new();
                let prior = match prior {
                    Some(Value::Map(it)) => it,
                    _ => &none,
                };
                Value::Map(
                    config
                        .iter()
                        .map(|(key, it)| (key.clone(), self.element(block, it, prior.get(key), pairing)))
                        .collect(),
                )
            }
            _ => config.clone(),
        }
    }

    fn elements(
        &self,
        block: &Block,
        config: &[&Value],
        prior: &[&Value],
        is_list: bool,
        pairing: Pairing,
    ) -> Vec<Value> {
        let pairs = pair(block, config, prior, is_list);
        let merge = |(i, (config, pair)): (usize, (&&Value, Option<usize>))| {
            let moved = is_list && pair != Some(i);
            let pairing = if moved { Pairing::Moved } else { pairing };
            let prior = pair.map(|at| prior[at]);
            // What a new element holds is not known yet, whatever else changes.
            let merge = Merge { settle: self.settle || self.is_plan && prior.is_none(), ..*self };
            merge.element(block, config, prior, pairing)
        };
        config.iter().zip(pairs).enumerate().map(merge).collect()
    }

    fn element(&self, block: &Block, config: &Value, prior: Option<&Value>, pairing: Pairing) -> Value {
        match config {
            Value::Object(config) => {
                Value::Object(self.object(block, config, prior.and_then(Value::as_object), pairing))
            }
            _ => config.clone(),
        }
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

/// Makes unknown what follows a sibling that has changed; one may follow another that follows a third.
fn follow(block: &Block, config: &Object, prior: Option<&Object>, merged: &mut Object) {
    let attributes = block.attributes.iter().map(|it| (&it.name, &it.keep, config.get(&it.name)));
    let attributes = attributes.filter(|(.., config)| config.is_none_or(Value::is_null));
    let blocks =
        block.blocks.iter().filter(|it| config.get(&it.name).is_none_or(|config| it.is_absent(config)));
    let followers: Vec<(&Arc<str>, &Vec<Arc<str>>)> = attributes
        .map(|(name, keep, _)| (name, keep))
        .chain(blocks.map(|it| (&it.name, &it.keep)))
        .filter_map(|(name, keep)| if let Keep::Follow(of) = keep { Some((name, of)) } else { None })
        .collect();
    let changed = |merged: &Object, name: &str| {
        let now = merged.get(name);
        now != prior.and_then(|it| it.get(name)) || now.is_none_or(|it| !it.is_wholly_known())
    };
    loop {
        let mut again = false;
        for (follower, of) in &followers {
            let is_kept = merged.get(follower).is_some_and(|it| !it.is_unknown());
            if is_kept && of.iter().any(|name| changed(merged, name)) {
                merged.insert(Arc::clone(follower), Value::UNKNOWN);
                again = true;
            }
        }
        if !again {
            return;
        }
    }
}
