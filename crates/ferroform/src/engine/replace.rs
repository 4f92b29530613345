//! Which changes need a new object.

use std::collections::BTreeMap;

use ferroform_value::{Object, Path, Step, Value};

use crate::schema::{Attribute, Block, Nesting, Replace};

/// The places whose change needs a new object, in the order of the schema. Without `in_place` every change
/// does.
pub(super) fn replacements(
    block: &Block,
    config: &Value,
    prior: &Value,
    planned: &Value,
    in_place: bool,
) -> Vec<Path> {
    let mut walk = Walk { in_place, place: Path::ROOT, found: Vec::new() };
    if let (Some(prior), Some(planned)) = (prior.as_object(), planned.as_object()) {
        walk.block(block, config.as_object(), prior, planned);
        // Nothing but computed values changes, by the author's own plan: then they are the reason.
        if walk.found.is_empty() && !in_place {
            let changed = planned.iter().filter(|(name, planned)| prior.get(name) != Some(planned));
            walk.found = changed.map(|(name, _)| Path::attribute(name.clone())).collect();
        }
    }
    walk.found
}

struct Walk {
    in_place: bool,
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
            if prior != planned && !self.in_place {
                self.found.push(self.place.clone());
            } else {
                self.nested(it.nesting, &it.block, config, prior, planned);
            }
            self.place.pop();
        }
    }

    fn attribute(&mut self, it: &Attribute, config: &Value, prior: &Value, planned: &Value) {
        if prior == planned {
            return;
        }
        let replaces = match it.replace {
            Replace::Always => true,
            Replace::IfConfigured => !config.is_null(),
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
                for (i, (prior, planned)) in prior.iter().zip(planned).enumerate() {
                    self.element(Step::Index(i), block, config.get(i), prior, planned);
                }
            }
            (Nesting::Map, Value::Map(prior), Value::Map(planned)) => {
                let none = BTreeMap::new();
                let config = if let Value::Map(it) = config { it } else { &none };
                for (key, planned) in planned {
                    if let Some(prior) = prior.get(key) {
                        self.element(Step::Key(key.clone()), block, config.get(key), prior, planned);
                    }
                }
            }
            // Elements of a set have no place on the wire, and a changed one is another one: the set as a whole
            // needs a new object where an element with such an attribute has come or gone.
            (Nesting::Set, Value::Set(prior), Value::Set(planned))
                if prior != planned && block.attributes.iter().any(|it| it.replace == Replace::Always) =>
            {
                self.found.push(self.place.clone());
            }
            _ => {}
        }
    }

    fn element(&mut self, step: Step, block: &Block, config: Option<&Value>, prior: &Value, planned: &Value) {
        if let (Value::Object(prior), Value::Object(planned)) = (prior, planned) {
            self.place.push(step);
            self.block(block, config.and_then(Value::as_object), prior, planned);
            self.place.pop();
        }
    }
}
