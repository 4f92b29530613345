//! Plan modifiers of single attributes: the functions of `plan_with`.
//!
//! They are called while the new state is proposed, so that attributes that follow a modified one follow the modified
//! value.
//!
//! While the configuration has unknown values, it is unknown whether anything changes at all. A function is then called
//! twice: with the value that is planned if something changes, and with the prior value. If the results differ, the planned
//! value is unknown.
//!
//! Example: `revision` is computed, and its function returns the prior value plus one if the value it receives is
//! unknown, otherwise that value.
//!
//! ```text
//! prior state    { text = "a", revision = 3 }
//!
//! configuration  { text = "b" }       nothing is unknown: next_revision(prior 3, planned unknown) = 4
//! planned state  { text = "b", revision = 4 }
//!
//! configuration  { text = "a" }       nothing changes: next_revision(prior 3, planned 3) = 3
//! planned state  { text = "a", revision = 3 }
//!
//! configuration  { text = unknown }   both calls, whose results 4 and 3 differ
//! planned state  { text = unknown, revision = unknown }
//! ```

use std::cell::RefCell;

use ferroform_value::{Object, Path, Step, Value};

use crate::diagnostic_kind::ContractCheck;
use crate::failed_check::contract_error;
use crate::panics;
use crate::schema::Attribute;
use crate::{Diagnostics, Result};

/// Calls the plan modifiers of one plan and collects their errors.
pub(super) struct PlanModifiers {
    /// The errors, with the object of the configuration and the attribute. Their paths are computed only if there are errors.
    errors: RefCell<Vec<(*const Object, Path, Diagnostics)>>,
    /// True if the configuration has unknown values.
    has_unknowns: bool,
}

impl PlanModifiers {
    /// The plan modifiers for a plan of this configuration.
    pub(super) fn of(config: &Object) -> PlanModifiers {
        let has_unknowns = !config.values().all(Value::is_wholly_known);
        PlanModifiers { errors: RefCell::default(), has_unknowns }
    }

    /// The planned value of an attribute of a configured object. `planned` is the planned value without the function.
    pub(super) fn modified(
        &self,
        attribute: &Attribute,
        config: &Object,
        prior: Option<&Value>,
        planned: Value,
    ) -> Value {
        let Some(function) = &attribute.behavior().plan_with else { return planned };
        let name = &attribute.name;
        if config.get(name).is_some_and(|it| !it.is_null()) {
            return planned;
        }
        let fail = |errors: Diagnostics| {
            let path = Path::attribute(name.clone());
            self.errors.borrow_mut().push((std::ptr::from_ref(config), path, errors));
            Value::UNKNOWN
        };
        // If nothing changes in the end, the prior value is planned.
        let unchanged = prior.filter(|prior| self.has_unknowns && **prior != planned);
        let results = panics::catch_sync(|| {
            let plan = |planned| function.plan(prior.unwrap_or(&Value::Null), planned);
            (plan(&planned), unchanged.map(plan))
        });
        match results {
            Ok((None, _)) => planned,
            Ok((Some(Ok(value)), if_unchanged)) => match type_error(attribute, &value) {
                None if if_unchanged.is_some_and(|it| !matches!(it, Some(Ok(other)) if other == value)) => {
                    Value::UNKNOWN
                }
                None => value,
                Some(message) => fail(contract_error(ContractCheck::Plan, message).into()),
            },
            Ok((Some(Err(errors)), _)) => fail(errors),
            Err(panic) => fail(panic.diagnostic(&format!("The `plan_with` function of \"{name}\"")).into()),
        }
    }

    /// Returns the errors of the plan modifiers, each at its path in the configuration.
    ///
    /// # Errors
    ///
    /// Returns an error if there is any.
    pub(super) fn into_result(self, config: &Object) -> Result<()> {
        let mut diagnostics = Diagnostics::new();
        for (object, attribute, errors) in self.errors.into_inner() {
            let mut path = Path::ROOT;
            find_path(config, object, &mut path);
            diagnostics.extend(errors.at(attribute.below(&path)));
        }
        if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
    }
}

/// The reason why the attribute cannot hold the value that its function returned.
fn type_error(attribute: &Attribute, value: &Value) -> Option<String> {
    let (name, ty) = (&attribute.name, attribute.ty());
    match value {
        Value::Unknown(_) => None,
        Value::Null => (!attribute.nullable).then(|| {
            format!("The planned value of the attribute \"{name}\" is null, but it must not be null")
        }),
        _ => (!attribute.accepts(value))
            .then(|| format!("The planned value of the attribute \"{name}\" is not of its type {ty}")),
    }
}

/// Sets `path` to the path of an object inside another one. Returns true if it was found.
fn find_path(object: &Object, target: *const Object, path: &mut Path) -> bool {
    std::ptr::eq(object, target)
        || object.iter().any(|(name, it)| find_path_below(Step::Attribute(name.clone()), it, target, path))
}

fn find_path_below(step: Step, value: &Value, target: *const Object, path: &mut Path) -> bool {
    path.push(step);
    let is_found = match value {
        Value::Object(it) => find_path(it, target, path),
        _ => value.children().any(|(step, it)| find_path_below(step, it, target, path)),
    };
    if !is_found {
        path.pop();
    }
    is_found
}
