//! What a checkpoint had kept of an object that was not finished.

use ferroform_value::{Path, Step, Type, Value};

use super::overlay::{After, keep_same};
use super::{completion, contract};
use crate::schema::{Block, Member, Mode};
use crate::{Diagnostic, Diagnostics, panics};

/// What a checkpoint had kept, laid over the object: computed values, and inputs as they were planned. Answers what
/// could not be: any other input, a place that is not there, or a value that its type cannot hold. What is not as it
/// was planned is kept all the same where the provider writes it, as with an answer: it says what exists.
pub(super) fn restore(
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
            let detail = format!(
                "The provider kept something at \"{place}\", but {fault}. This is a bug in the provider."
            );
            faults.push(Diagnostic::error("Invalid checkpoint").detail(detail));
            continue;
        }
        let value = as_planned(block, planned, &place, value);
        if let Some(plan) = plan.filter(|it| !completion::fits(it, &value) && prior.at(&place) != Some(&value)) {
            faults.extend(contract::checkpoint(block, &place, plan, &value));
        }
        if let Some(slot) = object.at_mut(&place) {
            *slot = value;
        }
    }
    faults
}

/// The value as it was planned, where it means the same.
fn as_planned(block: &Block, planned: &Value, place: &Path, value: Value) -> Value {
    let mut answered = planned.clone();
    let Some(slot) = answered.at_mut(place) else { return value };
    *slot = value.clone();
    keep_same(block, planned, &answered, After::Change).at(place).cloned().unwrap_or(value)
}

/// Whether something can be kept at the place; else why not.
fn check(
    block: &Block,
    object: &Value,
    plan: Option<&Value>,
    place: &Path,
    value: &Value,
) -> Result<(), String> {
    if plan != Some(value) && !(is_written(block, place) || plan.is_some_and(Value::is_unknown)) {
        return Err("it is neither computed nor as it was planned".to_owned());
    }
    if object.at(place).is_none() {
        let mut above = place.clone();
        while above.pop().is_some() {
            if object.at(&above).is_some_and(Value::is_unknown) {
                return Err(format!("\"{above}\" is not known yet: keep that as a whole"));
            }
        }
        return Err("there is no such place".to_owned());
    }
    match type_at(block, place) {
        Some(ty) if !contract::is_of(value, &ty) => {
            Err(format!("its type is {ty}, and this is a {}", value.kind()))
        }
        _ if !takes(block, place, value) => Err("its type does not take this value".to_owned()),
        _ => Ok(()),
    }
}

/// True where the provider writes what is at the place, or something inside.
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

/// True where the attribute's Rust type can read the value. One that cannot even say must not lose it: it is all that
/// is known of what exists.
fn takes(block: &Block, place: &Path, value: &Value) -> bool {
    match block.at(place) {
        Some(Member::Attribute(it)) => panics::catch_now(|| it.accepts(value)).unwrap_or(true),
        _ => true,
    }
}

/// The type of what is at the place; none inside of what may be of any.
fn type_at(block: &Block, place: &Path) -> Option<Type> {
    place.steps().iter().try_fold(block.ty(), |ty, step| match (step, &ty) {
        (Step::Attribute(name), Type::Object(it)) => it.get(name).map(|it| it.ty.clone()),
        (Step::Index(i), Type::Tuple(it)) => it.get(*i).cloned(),
        _ => ty.element().cloned(),
    })
}
