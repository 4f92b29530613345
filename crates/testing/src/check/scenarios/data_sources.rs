//! Data sources that find the objects of a resource type.

use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform::value::Value;
use ferroform_engine::Kind;

use super::super::run::SequenceRun;
use super::super::step::{Progress, StepResult};
use super::super::target::Target;
use super::super::values::with_member;
use super::other_kinds::{create_distinct, read};
use crate::Invariant;
use crate::instance_state::InstanceState;

/// The numbers of objects: more than a page of many tests, and more than a page of many services.
pub(super) const COUNTS: [usize; 3] = [3, 12, 45];

/// Creates objects of a resource type, and reads a data source. If it finds the first objects, it must find the others, too.
pub(super) fn finds_each_object(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let provider = run.provider;
    let resources: Vec<&Target> =
        provider.targets(Kind::Resource).filter(|it| it.has_remote_object).collect();
    let Some(count) = COUNTS.get(number / resources.len().max(1)).filter(|_| !resources.is_empty()) else {
        return Ok(Progress::Finished);
    };
    let resource = &*run.with_related(resources[number % resources.len()])?;
    let arguments = arguments_of(target, resource);
    let has_arguments = target.values.0.iter().any(|it| !target.base.attribute_or_null(&it.name).is_null());
    match (arguments.is_empty(), has_arguments) {
        (false, _) => check_lookup(run, target, resource, *count, &arguments)?,
        (true, false) => check_list(run, target, resource, *count)?,
        // The arguments can select some objects.
        (true, true) => {}
    }
    Ok(Progress::More)
}

/// The arguments of the data source whose values are those of an object of the resource type.
fn arguments_of(target: &Target, resource: &Target) -> Vec<Arc<str>> {
    let is_argument = |name: &Arc<str>| {
        let is_existing = |all: &Vec<Value>| all.contains(target.base.attribute_or_null(name));
        resource.block().get(name).is_some() && target.existing.get(name).is_some_and(is_existing)
    };
    target.values.0.iter().map(|it| it.name.clone()).filter(is_argument).collect()
}

/// Reads the data source with the values of the first object, of one in the middle, and of the last one.
fn check_lookup(
    run: &mut SequenceRun<'_>,
    target: &Target,
    resource: &Target,
    count: usize,
    arguments: &[Arc<str>],
) -> StepResult {
    let states = create_distinct(run, resource, count, &Value::Null)?;
    for at in [0, states.len() / 2, states.len().saturating_sub(1)] {
        let Some(state) = states.get(at) else { return Ok(()) };
        let config = arguments.iter().fold(target.base.clone(), |config, name| {
            with_member(&config, name, state.value.attribute_or_null(name).clone())
        });
        let found = read(run, target, &config)?;
        let is_found = found.as_ref().is_ok_and(|it| is_same_object(target, it.value(), state, &states));
        if !is_found && at == 0 {
            return Ok(());
        }
        if !is_found {
            let problem = match found {
                Ok(it) => format!("`read` returned another object:\n{it}"),
                Err(errors) => run.redacted(&errors),
            };
            let problem = format!(
                "`read` found the first of {} objects, but not the one with number {}: {problem}",
                states.len(),
                at + 1
            );
            return Err(run.violated(Invariant::DataSourceFindsEachObject, problem));
        }
    }
    Ok(())
}

/// True if a computed attribute has the value of this object, and of no other one.
fn is_same_object(target: &Target, found: &Value, state: &InstanceState, states: &[InstanceState]) -> bool {
    target.block().attributes().iter().filter(|it| !it.mode().is_configurable()).any(|it| {
        let value = found.attribute_or_null(it.name());
        let has_value = |state: &&InstanceState| state.value.attribute_or_null(it.name()) == value;
        !value.is_null() && has_value(&state) && states.iter().filter(has_value).count() == 1
    })
}

/// Reads a data source without arguments. If it returns a value of the first two objects, but did not before they were created, it returns
/// all objects.
fn check_list(run: &mut SequenceRun<'_>, target: &Target, resource: &Target, count: usize) -> StepResult {
    let Ok(before) = read(run, target, &target.base)? else { return Ok(()) };
    run.steps.clear();
    let states = create_distinct(run, resource, count, &Value::Null)?;
    let Ok(after) = read(run, target, &target.base)? else { return Ok(()) };
    let [before, after] = [before, after].map(|it| strings_in(it.value()));
    for attribute in resource.block().attributes() {
        let values: Vec<&str> =
            states.iter().filter_map(|it| it.value.attribute_or_null(attribute.name()).as_str()).collect();
        let is_distinct = values.iter().collect::<BTreeSet<_>>().len() == states.len();
        let is_listed = values.len() > 2 && values[..2].iter().all(|it| after.contains(*it));
        if !is_distinct || !is_listed || values.iter().any(|it| before.contains(*it)) {
            continue;
        }
        if let Some(at) = values.iter().position(|it| !after.contains(*it)) {
            let problem = format!(
                "`read` returned the attribute {} of the first of {} objects, but not of the one with number {}",
                attribute.name(),
                states.len(),
                at + 1
            );
            return Err(run.violated(Invariant::DataSourceFindsEachObject, problem));
        }
    }
    Ok(())
}

/// All strings in a value.
fn strings_in(value: &Value) -> BTreeSet<String> {
    let mut strings = BTreeSet::new();
    value.walk(&mut |_, it| {
        strings.extend(it.as_str().map(str::to_owned));
        true
    });
    strings
}
