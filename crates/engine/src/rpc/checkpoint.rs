//! Checkpoints: the values that a method has recorded before it failed.

use ferroform_value::{Path, Step, Type, Value};

use crate::contract::completion;
use crate::contract::{self, ContractCheck};
use crate::panics;
use crate::schema::{Block, Member, Mode};
use crate::state::overlay::{After, keep_same};
use crate::{Diagnostic, Diagnostics};

/// Writes the values of a checkpoint into the object: computed values, and configured values as they were planned.
/// Returns an error for every value that cannot be restored: another configured value, a path that does not exist, or a
/// value that the type of the attribute cannot hold. A computed value that differs from the plan is restored all the
/// same, with an error, because it describes the remote object.
pub(crate) fn restore(
    block: &Block,
    object: &mut Value,
    planned: &Value,
    kept: Vec<(Path, Value)>,
) -> Diagnostics {
    let mut faults = Diagnostics::new();
    let prior = object.clone();
    for (place, value) in kept {
        let plan = contract::find(planned, &place);
        if let Err(fault) = check(block, object, plan, &place, &value) {
            faults.push(rejected(&place, &fault));
            continue;
        }
        let value = as_planned(block, planned, &place, value);
        if let Some(plan) =
            plan.filter(|it| !completion::fits(it, &value) && prior.at(&place) != Some(&value))
        {
            faults.extend(contract::checkpoint(block, &place, plan, &value));
        }
        if let Some(slot) = object.at_mut(&place) {
            *slot = value;
        }
    }
    faults
}

fn rejected(path: &Path, why: &str) -> Diagnostic {
    let fault = format!(
        "The provider recorded a value at \"{path}\" that cannot be stored in the state, because {why}"
    );
    contract::failed(ContractCheck::Checkpoint, fault)
}

/// The planned value, if the recorded one is semantically equal to it.
fn as_planned(block: &Block, planned: &Value, place: &Path, value: Value) -> Value {
    let mut answered = planned.clone();
    let Some(slot) = answered.at_mut(place) else { return value };
    *slot = value.clone();
    keep_same(block, planned, &answered, After::Change).at(place).cloned().unwrap_or(value)
}

/// Checks whether a value can be restored at a path.
///
/// # Errors
///
/// The reason why it cannot.
fn check(
    block: &Block,
    object: &Value,
    plan: Option<&Value>,
    place: &Path,
    value: &Value,
) -> Result<(), String> {
    if plan != Some(value) && !(is_written(block, place) || plan.is_some_and(Value::is_unknown)) {
        return Err("the attribute is not computed and the value differs from the planned one".to_owned());
    }
    if object.at(place).is_none() {
        let mut above = place.clone();
        while above.pop().is_some() {
            if object.at(&above).is_some_and(Value::is_unknown) {
                return Err(format!("\"{above}\" is still unknown, so it can only be recorded as a whole"));
            }
        }
        return Err("the path does not exist in the object".to_owned());
    }
    match type_at(block, place) {
        Some(ty) if !crate::type_mismatch::is_of(value, &ty) => {
            Err(format!("{ty} required, but got {}", value.kind()))
        }
        _ if !takes(block, place, value) => Err("the Rust type of the attribute cannot hold it".to_owned()),
        _ => Ok(()),
    }
}

/// True if the value at the path, or a value inside it, is computed.
fn is_written(block: &Block, place: &Path) -> bool {
    let upto = |n: usize| block.at(&place.steps()[..n].iter().cloned().collect());
    let mut written = false;
    for member in (1..=place.steps().len()).filter_map(upto) {
        written = match member {
            Member::Attribute(it) if it.mode == Mode::Computed => return true,
            Member::Attribute(it) => {
                it.mode.is_computed() && it.behaviour().default.is_none() || it.holds_computed()
            }
            Member::Block(it) => it.computed || it.block.holds_computed(),
        };
    }
    written
}

/// True if the attribute's Rust type can hold the value. A value whose type panics is restored: it may be the only record
/// of the remote object.
fn takes(block: &Block, place: &Path, value: &Value) -> bool {
    match block.at(place) {
        Some(Member::Attribute(it)) => panics::catch_now(|| it.accepts(value)).unwrap_or(true),
        _ => true,
    }
}

/// The type of the value at the path; `None` inside a dynamic value.
fn type_at(block: &Block, place: &Path) -> Option<Type> {
    place.steps().iter().try_fold(block.ty(), |ty, step| match (step, &ty) {
        (Step::Attribute(name), Type::Object(it)) => it.get(name).map(|it| it.ty.clone()),
        (Step::Index(i), Type::Tuple(it)) => it.get(*i).cloned(),
        _ => ty.element().cloned(),
    })
}
