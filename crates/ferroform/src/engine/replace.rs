//! Which changes need a new object.

use std::collections::BTreeMap;

use ferroform_value::{Object, Path, Set, Step, Value};

use super::pair::pair;
use crate::schema::{Attribute, Block, Nesting, Replace};
use crate::timeouts;

/// The places whose change needs a new object, in the order of the schema. Without `in_place` every change
/// does.
pub(super) fn replacements(
    block: &Block,
    config: &Value,
    prior: &Value,
    planned: &Value,
    in_place: bool,
) -> Vec<Path> {
    let mut walk = Walk { in_place, only_conditions: false, place: Path::ROOT, found: Vec::new() };
    if let (Some(prior), Some(planned)) = (prior.as_object(), planned.as_object()) {
        walk.block(block, config.as_object(), prior, planned);
        // Nothing but computed values changes, by the author's own plan: then they are the reason.
        if walk.found.is_empty() && !in_place {
            let timeouts = timeouts::name(block);
            let changed = planned.iter().filter(|(name, planned)| prior.get(name) != Some(planned));
            let changed = changed.filter(|(name, _)| Some(&***name) != timeouts);
            walk.found = changed.map(|(name, _)| Path::attribute(name.clone())).collect();
        }
    }
    walk.found
}

struct Walk {
    in_place: bool,
    /// Whether nothing but conditions can ask for a new object.
    only_conditions: bool,
    place: Path,
    found: Vec<Path>,
}

impl Walk {
    fn block(&mut self, block: &Block, config: Option<&Object>, prior: &Object, planned: &Object) {
        for it in &block.attributes {
            let config = config.and_then(|c| c.get(&it.name)).unwrap_or(&Value::Null);
            let (Some(prior), Some(planned)) = (prior.get(&it.name), planned.get(&it.name)) else { continue };
            self.place.push(Step::Attribute(it.name.clone()));
            self.attribute(it, config, prior, planned);
            self.place.pop();
        }
        for it in &block.blocks {
            let config = config.and_then(|c| c.get(&it.name)).unwrap_or(&Value::Null);
            let (Some(prior), Some(planned)) = (prior.get(&it.name), planned.get(&it.name)) else { continue };
            self.place.push(Step::Attribute(it.name.clone()));
            let replaces = match &it.replace {
                Replace::Always => true,
                Replace::IfConfigured => !it.is_absent(config),
                Replace::If(condition) => !self.in_place || condition.holds(config, prior, planned),
                // What is made anew along with something else is no reason of its own.
                Replace::Never => !(self.in_place || it.computed && planned.is_unknown()),
            };
            if it.block.limits.is_some() {
                // Timeouts are no part of the real object.
            } else if prior != planned && replaces {
                self.found.push(self.place.clone());
            } else {
                self.nested(it.nesting, &it.block, config, prior, planned);
            }
            self.place.pop();
        }
    }

    fn attribute(&mut self, it: &Attribute, config: &Value, prior: &Value, planned: &Value) {
        if prior == planned || it.nested.as_ref().is_some_and(|it| it.block.limits.is_some()) {
            return;
        }
        let replaces = match &it.behaviour().replace {
            Replace::Always | Replace::IfConfigured if self.only_conditions => false,
            Replace::Always => true,
            Replace::IfConfigured => !config.is_null(),
            Replace::If(condition) => !self.in_place || condition.holds(config, prior, planned),
            // A value that is recomputed along with something else is no reason of its own.
            Replace::Never => !(self.in_place || config.is_null() && planned.is_unknown()),
        };
        if replaces {
            self.found.push(self.place.clone());
        } else if let Some(nested) = &it.nested {
            self.nested(nested.nesting, &nested.block, config, prior, planned);
        }
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, config: &Value, prior: &Value, planned: &Value) {
        match (nesting, prior, planned) {
            (Nesting::Single, Value::Object(prior), Value::Object(planned)) => {
                self.block(block, config.as_object(), prior, planned);
            }
            (Nesting::List, Value::List(prior), Value::List(planned)) => {
                let config: &[Value] = if let Value::List(it) = config { it } else { &[] };
                for (i, planned) in planned.iter().enumerate() {
                    self.element(Step::Index(i), block, config.get(i), prior.get(i), planned);
                }
            }
            (Nesting::Map, Value::Map(prior), Value::Map(planned)) => {
                let none = BTreeMap::new();
                let config = if let Value::Map(it) = config { it } else { &none };
                for (key, planned) in planned {
                    self.element(Step::Key(key.clone()), block, config.get(key), prior.get(key), planned);
                }
            }
            // Elements of a set have no place on the wire, and without keys a changed one is another one: the set
            // as a whole needs a new object where what its elements hold of such attributes, taken together, is
            // other than before.
            (Nesting::Set, Value::Set(prior), Value::Set(planned)) if prior != planned && is_fixed(block) => {
                let needed = fixed_set(block, prior) != fixed_set(block, planned)
                    || self.asked(block, config, prior, planned);
                if needed {
                    self.found.push(self.place.clone());
                }
            }
            _ => {}
        }
    }

    /// Whether an element of a set asks for a new object: one that its keys tell to be the same and that has
    /// changed, or one that is new and for which a condition holds.
    fn asked(&self, block: &Block, config: &Value, prior: &Set, planned: &Set) -> bool {
        let prior: Vec<&Value> = prior.iter().collect();
        let planned: Vec<&Value> = planned.iter().collect();
        let of = |them: &[&Value]| pair(block, them, &prior, false);
        let config: Vec<&Value> = if let Value::Set(it) = config { it.iter().collect() } else { Vec::new() };
        let mut said = vec![None; prior.len()];
        for (it, partner) in config.iter().zip(of(&config)) {
            partner.is.into_iter().for_each(|at| said[at] = Some(*it));
        }
        let mut walk = Walk { in_place: true, only_conditions: true, place: Path::ROOT, found: Vec::new() };
        for (it, partner) in planned.iter().zip(of(&planned)) {
            let (config, prior) = (partner.is.and_then(|at| said[at]), partner.is.map(|at| prior[at]));
            walk.only_conditions = prior.is_none();
            walk.element(Step::Index(0), block, config, prior, it);
        }
        !walk.found.is_empty()
    }

    /// An element that is new is compared with one that holds nothing.
    fn element(
        &mut self,
        step: Step,
        block: &Block,
        config: Option<&Value>,
        prior: Option<&Value>,
        planned: &Value,
    ) {
        let nothing = || block.attributes.iter().map(|it| (it.name.clone(), Value::Null)).collect::<Object>();
        let new;
        let prior = match prior.and_then(Value::as_object) {
            Some(it) => it,
            None => {
                new = nothing();
                &new
            }
        };
        if let Value::Object(planned) = planned {
            self.place.push(step);
            self.block(block, config.and_then(Value::as_object), prior, planned);
            self.place.pop();
        }
    }
}

/// True where a change of something inside needs a new object.
fn is_fixed(block: &Block) -> bool {
    let attribute = |it: &Attribute| {
        it.behaviour().replace != Replace::Never || it.nested.as_ref().is_some_and(|it| is_fixed(&it.block))
    };
    block.attributes.iter().any(attribute)
        || block.blocks.iter().any(|it| it.replace != Replace::Never || is_fixed(&it.block))
}

/// What the elements of a set hold of attributes whose change needs a new object. One that holds nothing of them
/// does not count.
fn fixed_set(block: &Block, elements: &Set) -> Set {
    let holds = |it: &Value| it.as_object().is_some_and(|it| it.values().any(|it| !it.is_null()));
    Set::with_repeats(elements.iter().map(|it| fixed(block, it)).filter(holds).collect())
}

/// The part of an object whose change needs a new object.
fn fixed(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else { return Value::Null };
    let attributes = block.attributes.iter().filter_map(|it| {
        let value = object.get(&it.name)?;
        match (&it.nested, &it.behaviour().replace) {
            (_, Replace::Always | Replace::IfConfigured) => Some((it.name.clone(), value.clone())),
            (Some(nested), _) => Some((it.name.clone(), fixed_nested(&nested.block, value))),
            _ => None,
        }
    });
    let blocks = block.blocks.iter().filter_map(|it| {
        let value = object.get(&it.name)?;
        let whole = it.replace != Replace::Never;
        Some((it.name.clone(), if whole { value.clone() } else { fixed_nested(&it.block, value) }))
    });
    Value::Object(attributes.chain(blocks).collect())
}

fn fixed_nested(block: &Block, value: &Value) -> Value {
    match value {
        Value::List(it) => Value::List(it.iter().map(|it| fixed(block, it)).collect()),
        Value::Set(it) => Value::Set(fixed_set(block, it)),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), fixed(block, it))).collect()),
        _ => fixed(block, value),
    }
}
