//! Checkpoints: restores the values that a method recorded before it failed.
//!
//! A checkpoint may contain computed values, and configured values as they were planned. Everything else is rejected
//! with an error, because Terraform would report a change that was not planned.
//!
//! ```text
//! planned state  { name = "a", id = unknown, size = 3 }
//! checkpoint     id = "i-1", size = 4
//! new state      { name = "a", id = "i-1", size = 3 }, with an error at `size`
//! ```

use ferroform_value::{Path, Step, Type, Value};

use crate::contract::compatibility;
use crate::contract::{self, ContractCheck};
use crate::panics;
use crate::schema::{Block, Member, Mode};
use crate::state::overlay::{ValueSource, keep_semantically_equal};
use crate::type_mismatch::{mismatch, with_article};
use crate::{Diagnostic, Diagnostics};

/// Writes the values of a checkpoint into the object. Returns an error for each value that cannot be restored: a
/// configured value that differs from the plan, a path that does not exist, or a value that the type of the attribute
/// cannot hold. A computed value that differs from the plan is restored with an error, because it describes the remote
/// object.
pub(crate) fn restore(
    block: &Block,
    object: &mut Value,
    planned: &Value,
    recorded: Vec<(Path, Value)>,
) -> Diagnostics {
    let mut errors = Diagnostics::new();
    let prior = object.clone();
    for (path, value) in recorded {
        let planned_value = contract::value_at(planned, &path);
        if let Err(reason) = check(block, object, planned_value, &path, &value) {
            errors.push(rejected(&path, &reason));
            continue;
        }
        let value = as_planned(block, planned, &path, value);
        if let Some(planned) = planned_value
            .filter(|it| !compatibility::is_compatible(it, &value) && prior.at(&path) != Some(&value))
        {
            errors.extend(contract::check_checkpoint(block, &path, planned, &value));
        }
        if let Some(slot) = object.at_mut(&path) {
            *slot = value;
        }
    }
    errors
}

fn rejected(path: &Path, reason: &str) -> Diagnostic {
    let message = format!(
        "The provider recorded a value at \"{path}\" that cannot be stored in the state, because {reason}"
    );
    contract::contract_error(ContractCheck::Checkpoint, message)
}

/// The planned value, if the recorded one is semantically equal to it.
fn as_planned(block: &Block, planned: &Value, path: &Path, value: Value) -> Value {
    let mut returned = planned.clone();
    let Some(slot) = returned.at_mut(path) else { return value };
    *slot = value.clone();
    keep_semantically_equal(block, planned, &returned, ValueSource::Method).at(path).cloned().unwrap_or(value)
}

/// Checks whether a value can be restored at a path.
///
/// # Errors
///
/// Returns the reason why it cannot, as a clause.
fn check(
    block: &Block,
    object: &Value,
    plan: Option<&Value>,
    path: &Path,
    value: &Value,
) -> Result<(), String> {
    if plan != Some(value) && !(is_computed(block, path) || plan.is_some_and(Value::is_unknown)) {
        return Err("the attribute is not computed and the value differs from the planned one".to_owned());
    }
    if object.at(path).is_none() {
        let mut enclosing = path.clone();
        while enclosing.pop().is_some() {
            if object.at(&enclosing).is_some_and(Value::is_unknown) {
                return Err(format!(
                    "\"{enclosing}\" is still unknown, so it can only be recorded as a whole"
                ));
            }
        }
        return Err("the path does not exist in the object".to_owned());
    }
    match type_at(block, path) {
        Some(ty) if !crate::type_mismatch::conforms_to(value, ty) => {
            Err(mismatch(&with_article(&ty.to_string()), value).to_string())
        }
        _ if !accepts(block, path, value) => Err("the Rust type of the attribute cannot hold it".to_owned()),
        _ => Ok(()),
    }
}

/// True if the value at the path, or a value inside it, is computed.
fn is_computed(block: &Block, path: &Path) -> bool {
    let member_at = |n: usize| block.at(&path.steps()[..n].iter().cloned().collect());
    let mut is_computed = false;
    for member in (1..=path.steps().len()).filter_map(member_at) {
        is_computed = match member {
            Member::Attribute(it) if it.mode == Mode::Computed => return true,
            Member::Attribute(it) => {
                it.mode.is_computed() && it.behavior().default.is_none() || it.has_computed_inside()
            }
            Member::Block(it) => it.computed || it.block.has_computed_inside(),
        };
    }
    is_computed
}

/// True if the attribute's Rust type can hold the value. A value whose type panics is restored: it may be the only
/// record of the remote object.
fn accepts(block: &Block, path: &Path, value: &Value) -> bool {
    match block.at(path) {
        Some(Member::Attribute(it)) => panics::catch_sync(|| it.accepts(value)).unwrap_or(true),
        _ => true,
    }
}

/// The type of the value at the path; `None` inside a dynamic value.
fn type_at<'a>(block: &'a Block, path: &Path) -> Option<&'a Type> {
    path.steps().iter().try_fold(block.ty(), |ty, step| match (step, ty) {
        (Step::Attribute(name), Type::Object(it)) => it.get(name).map(|it| &it.ty),
        (Step::Index(i), Type::Tuple(it)) => it.get(*i),
        _ => ty.element(),
    })
}
