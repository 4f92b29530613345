//! The search for a configuration that the provider and its service accept.

use ferroform::Diagnostics;
use ferroform::value::Value;
use ferroform_engine::diagnostic_kind::DiagnosticKind;

use super::choices::Choices;
use super::run::SequenceRun;
use super::step::{SequenceEnd, StepResult};
use super::target::{Target, attribute_names};
use super::values::with_member;
use crate::Invariant;

/// The maximum number of configurations that are validated until one is accepted.
const ATTEMPTS: usize = 300;

/// The maximum number of configurations that are applied.
const APPLIES: usize = 60;

/// The last configuration of a type of which none was accepted.
pub(super) struct RejectedConfiguration {
    pub(super) config: Value,
    pub(super) errors: Diagnostics,
}

/// Tries configurations until the provider accepts one. `apply` applies a valid configuration, and returns the errors if the service
/// rejects it. The errors of the last attempt are returned if none is accepted.
pub(super) fn find_base<T>(
    run: &mut SequenceRun<'_>,
    target: &Target,
    mut apply: impl FnMut(&mut SequenceRun<'_>, &Value) -> StepResult<Result<T, Diagnostics>>,
) -> StepResult<Result<(Value, T), RejectedConfiguration>> {
    let mut choices = Choices::random(0);
    let fields = &target.values.0;
    let mut config = target.values.base(target.block());
    let mut next = vec![1; fields.len()];
    let mut applies = 0;
    let mut last = None;
    for attempt in 0..ATTEMPTS {
        let found = run.validate(target.kind.named(&target.name), &config)?;
        let errors = if found.has_error() {
            found
        } else {
            applies += 1;
            match apply(run, &config)? {
                Ok(result) => return Ok(Ok((config, result))),
                Err(errors) => errors,
            }
        };
        if applies == APPLIES || fields.is_empty() {
            return Ok(Err(RejectedConfiguration { config, errors }));
        }
        // The path of an error identifies the attribute to change.
        let at = errors.errors().find_map(|it| {
            let name = attribute_names(it.path.as_ref()?).into_iter().next()?;
            let is_combination = *it.kind() == DiagnosticKind::InvalidCombination;
            Some((fields.iter().position(|field| field.name == name)?, is_combination))
        });
        // The reason can be another attribute, so every eighth attempt changes a random one.
        let (at, is_combination) = match at {
            Some(at) if attempt % 8 != 7 => at,
            _ => (choices.below(fields.len()), false),
        };
        let field = &fields[at];
        let is_absent = field.absent.as_ref() == Some(config.attribute_or_null(&field.name));
        let value = match &field.absent {
            Some(absent) if !is_absent && (is_combination || next[at] >= field.typical.len()) => Some(absent),
            Some(_) if is_absent => field.typical.first(),
            _ => {
                next[at] += 1;
                field.typical.get((next[at] - 1) % field.typical.len().max(1))
            }
        };
        let changed = value.map(|it| with_member(&config, &field.name, it.clone()));
        last = Some(RejectedConfiguration { config: config.clone(), errors });
        config = changed.unwrap_or(config);
    }
    last.map(Err).ok_or(SequenceEnd::Rejected)
}

/// Finds a configuration of a resource that can be created and destroyed.
pub(super) fn find_resource_base(
    run: &mut SequenceRun<'_>,
    target: &mut Target,
) -> StepResult<Result<(), RejectedConfiguration>> {
    let found = find_base(run, target, |run, config| {
        let mut object = run.object(target, "a");
        if let Err(errors) = run.plan_twice(&object, config)? {
            return Ok(Err(errors));
        }
        let applied = run.apply(&mut object, config)?;
        let Some(state) = object.instance.stored.clone().filter(|_| applied.is_ok()) else {
            // A tainted object must not remain.
            let _ = run.destroy(&mut object)?;
            run.steps.clear();
            return Ok(applied.map(|_| None));
        };
        run.destroy_again(Invariant::DestroyRemovesObject, &mut object)?;
        let is_found = run.read_by_state(target, &state)?.is_some();
        run.steps.clear();
        Ok(Ok(Some((state, !is_found))))
    })?;
    let found = match found {
        Ok((base, Some((state, has_remote_object)))) => {
            (target.base, target.has_remote_object, target.example) = (base, has_remote_object, Some(state));
            Ok(())
        }
        Ok((_, None)) => return Err(SequenceEnd::Rejected),
        Err(rejected) => Err(rejected),
    };
    Ok(found)
}
