//! A configuration with each of its places unknown in turn.

use ferroform::schema::{Block, Nesting};
use ferroform::value::{Path, Step, Value};

use crate::{Action, Configuration, Instance};

impl Instance {
    /// Plans this configuration with each of its places unknown in turn, and then as it is: an attribute,
    /// an element of a list or set, an entry of a map, a nested object, all of its blocks of one type; also
    /// attributes that it leaves out, for what is unknown may turn out to be null. Every such plan must go
    /// well, and the one with everything known must fit it and do the same. Answers how many places were tried.
    ///
    /// # Panics
    ///
    /// Where a plan fails, or a law is broken; the text names the place.
    #[track_caller]
    pub fn plan_with_unknowns(&mut self, config: Configuration) -> usize {
        let type_name = self.type_name.clone();
        let fail = |what: &str, errors: &ferroform::Diagnostics| -> ! {
            panic!("the plan of {type_name} {what} failed:\n{errors}")
        };
        let known = self.read(&config).unwrap_or_else(|errors| fail("as it is", &errors));
        let places = places(&self.resource.schema().block, &known);
        for place in &places {
            let mut config = known.clone();
            replace(&mut config, place.steps());
            let first = self.change(&config).unwrap_or_else(|errors| {
                let errors = self.core.secrets().hide(&errors.to_string());
                panic!("the plan of {type_name} with {place} unknown failed:\n{errors}")
            });
            // In the plan of a replacement the old object is forgotten.
            let mut after = self.clone();
            if first.action == Action::Replace {
                after.stored = None;
            }
            let last = after.change(&known).unwrap_or_else(|errors| fail("as it is", &errors));
            let step = format!("the plan of {type_name} with {place} unknown at first");
            self.keeps_plan(&step, &first, &last);
        }
        places.len()
    }
}

/// Every place that the configuration may fill.
fn places(block: &Block, config: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    in_block(block, config, &mut Path::ROOT.clone(), &mut found);
    found
}

fn in_block(block: &Block, config: &Value, place: &mut Path, found: &mut Vec<Path>) {
    let Value::Object(object) = config else { return };
    for it in block.attributes.iter().filter(|it| it.mode.is_configurable()) {
        let value = object.get(&it.name).unwrap_or(&Value::Null);
        place.push(Step::Attribute(it.name.clone()));
        found.push(place.clone());
        match &it.nested {
            Some(it) => {
                each(it.nesting, value, place, &mut |inside, place| {
                    if it.nesting != Nesting::Single {
                        found.push(place.clone());
                    }
                    in_block(&it.block, inside, place, found);
                });
            }
            None => value.walk(&mut |inside, _| {
                if !inside.is_root() {
                    found.push(inside.clone().below(place));
                }
                true
            }),
        }
        place.pop();
    }
    for it in &block.blocks {
        let value = object.get(&it.name).unwrap_or(&Value::Null);
        place.push(Step::Attribute(it.name.clone()));
        // A block that can be there only once has no loop that could be unknown.
        if it.nesting != Nesting::Single && *value != it.absent() {
            found.push(place.clone());
        }
        each(it.nesting, value, place, &mut |inside, place| in_block(&it.block, inside, place, found));
        place.pop();
    }
}

/// Each object of a nesting, with its place.
fn each(nesting: Nesting, value: &Value, place: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)) {
    let parts: Vec<(Step, &Value)> = match (nesting, value) {
        (Nesting::Single, _) => return visit(value, place),
        (_, Value::List(it)) => it.iter().enumerate().map(|(i, it)| (Step::Index(i), it)).collect(),
        (_, Value::Set(it)) => it.iter().map(|it| (Step::Element(Box::new(it.clone())), it)).collect(),
        (_, Value::Map(it)) => it.iter().map(|(key, it)| (Step::Key(key.clone()), it)).collect(),
        _ => return,
    };
    for (step, value) in parts {
        place.push(step);
        visit(value, place);
        place.pop();
    }
}

/// Puts an unknown there, also inside a set.
fn replace(value: &mut Value, steps: &[Step]) {
    let Some((step, rest)) = steps.split_first() else {
        *value = Value::UNKNOWN;
        return;
    };
    match (&mut *value, step) {
        (Value::Set(elements), Step::Element(element)) => {
            let changed = elements.iter().map(|it| {
                let mut it = it.clone();
                if it == **element {
                    replace(&mut it, rest);
                }
                it
            });
            *value = Value::set(changed.collect::<Vec<_>>());
        }
        (Value::Object(object), Step::Attribute(name)) if object.get(name).is_none() => {
            object.insert(name.clone(), Value::UNKNOWN);
        }
        (it, step) => {
            if let Some(inside) = it.at_mut(&Path::from_iter([step.clone()])) {
                replace(inside, rest);
            }
        }
    }
}
