//! Plans of a configuration in which each path is unknown in turn.

use ferroform::schema::{Block, Nesting};
use ferroform::value::{Path, Step, Value};

use crate::{Action, Configuration, Instance, Outcome};

impl Instance {
    /// Plans the configuration once for each attribute path, with the value at this path unknown, and returns the
    /// number of paths.
    ///
    /// The paths are those of attributes, elements of lists and sets, map elements, nested objects, and all blocks of
    /// one type. Attributes that the configuration omits are included, because an unknown value can resolve to
    /// null. Each of these plans must succeed, and the final plan with every value known must be consistent with it.
    ///
    /// # Panics
    ///
    /// Panics if a plan fails or if an invariant is violated. The message contains the path.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use ferroform_testing::config;
    ///
    /// // `name`, `tags`, `tags[0]` and the omitted optional attributes are unknown, one after the other.
    /// harness.resource("cloud_disk").plan_with_unknowns(config! { name = "a", tags = ["x"] });
    /// # }
    /// ```
    #[track_caller]
    pub fn plan_with_unknowns(&mut self, config: Configuration) -> usize {
        let type_name = self.type_name.clone();
        let known_step = format!("the plan of {type_name} with every value known");
        let known = Outcome::new(&self.harness, known_step.clone(), self.evaluate(&config)).ok();
        let paths = paths(&self.resource.schema().block, &known);
        for path in &paths {
            let mut config = known.clone();
            replace(&mut config, path.steps());
            let first = Outcome::new(
                &self.harness,
                format!("the plan of {type_name} with {path} unknown"),
                self.plan_change(&config),
            )
            .ok();
            // The final plan of a replacement creates an object, so it has no prior state.
            let mut after = self.clone();
            if first.action == Action::Replace {
                after.stored = None;
            }
            let last = Outcome::new(&self.harness, known_step.clone(), after.plan_change(&known)).ok();
            let step = format!("the plan of {type_name} with {path} unknown in the first plan");
            self.matches_first_plan(&step, &first, &last);
        }
        paths.len()
    }
}

/// Returns every path that the configuration can set.
pub(crate) fn paths(block: &Block, config: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    collect_paths(block, config, &mut Path::ROOT.clone(), &mut found);
    found
}

fn collect_paths(block: &Block, config: &Value, path: &mut Path, found: &mut Vec<Path>) {
    let Value::Object(object) = config else { return };
    for it in block.attributes().iter().filter(|it| it.mode().is_configurable()) {
        let value = object.get_or_null(it.name());
        path.push(Step::Attribute(it.name().clone()));
        found.push(path.clone());
        match it.nested() {
            Some(it) => {
                visit_objects(it.nesting(), value, path, &mut |inside, path| {
                    if it.nesting() != Nesting::Single {
                        found.push(path.clone());
                    }
                    collect_paths(it.block(), inside, path, found);
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
    for it in block.blocks() {
        let value = object.get_or_null(it.name());
        path.push(Step::Attribute(it.name().clone()));
        // A dynamic block whose `for_each` is unknown makes all blocks of the type unknown. A block with the nesting
        // mode "single" cannot be dynamic.
        if it.nesting() != Nesting::Single && *value != it.absent() {
            found.push(path.clone());
        }
        visit_objects(it.nesting(), value, path, &mut |inside, path| {
            collect_paths(it.block(), inside, path, found)
        });
        path.pop();
    }
}

/// Visits each object of a nested attribute or block, with its path.
fn visit_objects(nesting: Nesting, value: &Value, path: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)) {
    if nesting == Nesting::Single {
        return visit(value, path);
    }
    for (step, value) in value.children() {
        path.push(step);
        visit(value, path);
        path.pop();
    }
}

/// Adds an element to the innermost set on a path: a copy of the element there, with the value at the path unknown. It can resolve
/// to that element. `None` if the path does not lead into an element of a set.
pub(crate) fn with_unknown_duplicate(config: &Value, path: &Path) -> Option<Value> {
    let steps = path.steps();
    let at = steps.iter().rposition(|it| matches!(it, Step::Element(_)))?;
    let (Step::Element(element), rest) = (&steps[at], &steps[at + 1..]) else { return None };
    let mut duplicate = Value::clone(element);
    replace(&mut duplicate, rest);
    let mut config = config.clone();
    change(&mut config, &steps[..at], &|set| {
        if let Value::Set(elements) = set {
            *set = Value::set(elements.iter().cloned().chain([duplicate.clone()]).collect::<Vec<_>>());
        }
    });
    Some(config)
}

/// Replaces the value at a path with an unknown value. The path may contain elements of sets.
pub(crate) fn replace(value: &mut Value, steps: &[Step]) {
    change(value, steps, &|it| *it = Value::UNKNOWN);
}

/// Changes the value at a path. The path may contain elements of sets.
fn change(value: &mut Value, steps: &[Step], with: &dyn Fn(&mut Value)) {
    let Some((step, rest)) = steps.split_first() else { return with(value) };
    match (&mut *value, step) {
        (Value::Set(elements), Step::Element(element)) => {
            let changed = elements.iter().map(|it| {
                let mut it = it.clone();
                if it == **element {
                    change(&mut it, rest, with);
                }
                it
            });
            *value = Value::set(changed.collect::<Vec<_>>());
        }
        (Value::Object(object), Step::Attribute(name)) if object.get(name).is_none() => {
            object.insert(name.clone(), Value::Null);
            change(value, steps, with);
        }
        (it, step) => {
            if let Some(inside) = it.at_mut(&Path::from_iter([step.clone()])) {
                change(inside, rest, with);
            }
        }
    }
}
