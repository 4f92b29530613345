//! A configuration with each of its paths unknown in turn.

use ferroform::schema::{Block, Nesting};
use ferroform::value::{Path, Step, Value};

use crate::{Action, Configuration, Instance};

impl Instance {
    /// Plans this configuration with each of its paths unknown in turn, and then as it is: an attribute,
    /// an element of a list or set, an entry of a map, a nested object, all of its blocks of one type; also
    /// attributes that it leaves out, for what is unknown may turn out to be null. Every such plan must go
    /// well, and the one with everything known must fit it and do the same. Answers how many paths were tried.
    ///
    /// # Panics
    ///
    /// Where a plan fails, or a law is broken; the text names the path.
    #[track_caller]
    pub fn plan_with_unknowns(&mut self, config: Configuration) -> usize {
        let type_name = self.type_name.clone();
        let fail = |what: &str, errors: &ferroform::Diagnostics| -> ! {
            panic!("the plan of {type_name} {what} failed:\n{errors}")
        };
        let known = self.read(&config).unwrap_or_else(|errors| fail("as it is", &errors));
        let paths = paths(&self.resource.schema().block, &known);
        for path in &paths {
            let mut config = known.clone();
            replace(&mut config, path.steps());
            let first = self.plan_change(&config).unwrap_or_else(|errors| {
                let errors = self.core.sensitive_values().redact(&errors.to_string());
                panic!("the plan of {type_name} with {path} unknown failed:\n{errors}")
            });
            // In the plan of a replacement the old object is forgotten.
            let mut after = self.clone();
            if first.action == Action::Replace {
                after.stored = None;
            }
            let last = after.plan_change(&known).unwrap_or_else(|errors| fail("as it is", &errors));
            let step = format!("the plan of {type_name} with {path} unknown at first");
            self.matches_first_plan(&step, &first, &last);
        }
        paths.len()
    }
}

/// Every path that the configuration may fill.
fn paths(block: &Block, config: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    in_block(block, config, &mut Path::ROOT.clone(), &mut found);
    found
}

fn in_block(block: &Block, config: &Value, path: &mut Path, found: &mut Vec<Path>) {
    let Value::Object(object) = config else { return };
    for it in block.attributes.iter().filter(|it| it.mode.is_configurable()) {
        let value = object.get(&it.name).unwrap_or(&Value::Null);
        path.push(Step::Attribute(it.name.clone()));
        found.push(path.clone());
        match &it.nested {
            Some(it) => {
                each(it.nesting, value, path, &mut |inside, path| {
                    if it.nesting != Nesting::Single {
                        found.push(path.clone());
                    }
                    in_block(&it.block, inside, path, found);
                });
            }
            None => value.walk(&mut |inside, _| {
                if !inside.is_root() {
                    found.push(inside.clone().below(path));
                }
                true
            }),
        }
        path.pop();
    }
    for it in &block.blocks {
        let value = object.get(&it.name).unwrap_or(&Value::Null);
        path.push(Step::Attribute(it.name.clone()));
        // A block that can be there only once has no loop that could be unknown.
        if it.nesting != Nesting::Single && *value != it.absent() {
            found.push(path.clone());
        }
        each(it.nesting, value, path, &mut |inside, path| in_block(&it.block, inside, path, found));
        path.pop();
    }
}

/// Each object of a nesting, with its path.
fn each(nesting: Nesting, value: &Value, path: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)) {
    let parts: Vec<(Step, &Value)> = match (nesting, value) {
        (Nesting::Single, _) => return visit(value, path),
        (_, Value::List(it)) => it.iter().enumerate().map(|(i, it)| (Step::Index(i), it)).collect(),
        (_, Value::Set(it)) => it.iter().map(|it| (Step::Element(Box::new(it.clone())), it)).collect(),
        (_, Value::Map(it)) => it.iter().map(|(key, it)| (Step::Key(key.clone()), it)).collect(),
        _ => return,
    };
    for (step, value) in parts {
        path.push(step);
        visit(value, path);
        path.pop();
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
