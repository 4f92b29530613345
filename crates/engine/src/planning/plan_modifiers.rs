//! Plan modifiers of single attributes: the functions of `plan_with`.
//!
//! They are called while the new state is proposed, so that what follows from a change follows from what they plan too.

use std::cell::RefCell;

use ferroform_value::{Object, Path, Step, Value};

use crate::diagnostic_kind::ContractCheck;
use crate::failed_check::contract_error;
use crate::panics;
use crate::schema::Attribute;
use crate::{Diagnostics, Result};

/// Calls the functions of one plan, and collects their errors: for which object of the configuration, and for which
/// attribute.
// Paths are seldom needed: they are found when they are.
pub(super) struct PlanModifiers {
    wrong: RefCell<Vec<(*const Object, Path, Diagnostics)>>,
    /// True where not all of the configuration is known, so that it is not known either whether anything changes.
    is_early: bool,
}

impl PlanModifiers {
    /// For a plan of this configuration.
    pub(super) fn of(config: &Object) -> PlanModifiers {
        PlanModifiers { wrong: RefCell::default(), is_early: !config.values().all(Value::is_wholly_known) }
    }

    /// What is planned for an attribute of an object of the configuration, which is `planned` without a function.
    pub(super) fn modified(
        &self,
        it: &Attribute,
        config: &Object,
        prior: Option<&Value>,
        planned: Value,
    ) -> Value {
        let Some(planner) = &it.behavior().plan_with else { return planned };
        if config.get(&it.name).is_some_and(|it| !it.is_null()) {
            return planned;
        }
        let name = &it.name;
        let fault = |fault: Diagnostics| {
            self.wrong.borrow_mut().push((std::ptr::from_ref(config), Path::attribute(name.clone()), fault));
            Value::UNKNOWN
        };
        // Where it turns out that nothing changes, the prior value is what would be planned.
        let unchanged = prior.filter(|prior| self.is_early && **prior != planned);
        let returned = panics::catch_sync(|| {
            let answer = |planned| planner.plan(prior.unwrap_or(&Value::Null), planned);
            (answer(&planned), unchanged.map(answer))
        });
        match returned {
            Ok((None, _)) => planned,
            Ok((Some(Ok(made)), late)) => match misfit(it, &made) {
                None if late.is_some_and(|late| !matches!(late, Some(Ok(late)) if late == made)) => {
                    Value::UNKNOWN
                }
                None => made,
                Some(why) => fault(contract_error(ContractCheck::Plan, why).into()),
            },
            Ok((Some(Err(why)), _)) => fault(why),
            Err(panic) => fault(
                panic.diagnostic(&format!("The function that plans the attribute \"{name}\""), "").into(),
            ),
        }
    }

    /// The errors of the functions, each at its path in the configuration.
    ///
    /// # Errors
    ///
    /// All of it, where there is any.
    pub(super) fn faults(self, config: &Object) -> Result<()> {
        let mut found = Diagnostics::new();
        for (object, name, fault) in self.wrong.into_inner() {
            let mut path = Path::ROOT;
            find(config, object, &mut path);
            found.extend(fault.at(&name.below(&path)));
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }
}

/// Why the attribute cannot hold what its function answers.
fn misfit(it: &Attribute, made: &Value) -> Option<String> {
    let Attribute { name, ty, .. } = it;
    match made {
        Value::Unknown(_) => None,
        Value::Null => (!it.nullable)
            .then(|| format!("Null is planned for the attribute \"{name}\", which is never null")),
        _ => (!it.accepts(made)).then(|| {
            format!("A value is planned for the attribute \"{name}\" that is not one of its type {ty}")
        }),
    }
}

/// Goes to an object inside another one; true where it is there.
fn find(object: &Object, wanted: *const Object, path: &mut Path) -> bool {
    std::ptr::eq(object, wanted)
        || object.iter().any(|(name, it)| find_below(Step::Attribute(name.clone()), it, wanted, path))
}

fn find_below(step: Step, value: &Value, wanted: *const Object, path: &mut Path) -> bool {
    path.push(step);
    let found = match value {
        Value::Object(it) => find(it, wanted, path),
        Value::List(it) => it.iter().enumerate().any(|(i, it)| find_below(Step::Index(i), it, wanted, path)),
        Value::Set(it) => {
            it.iter().any(|it| find_below(Step::Element(Box::new(it.clone())), it, wanted, path))
        }
        Value::Map(it) => it.iter().any(|(key, it)| find_below(Step::Key(key.clone()), it, wanted, path)),
        _ => false,
    };
    if !found {
        path.pop();
    }
    found
}
