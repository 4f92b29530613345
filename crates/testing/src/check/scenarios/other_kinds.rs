//! Data sources, ephemeral resources, actions, list resources and functions.

use std::sync::Arc;
use std::time::Duration;

use ferroform::Diagnostics;
use ferroform::raw::AnyFunction;
use ferroform::schema::Mode;
use ferroform::value::{Path, Value, json};
use ferroform_engine::{Kind, contract};

use super::super::hcl;
use super::super::intercept::{Fault, Method};
use super::super::run::SequenceRun;
use super::super::service::{ServiceFault, new_objects};
use super::super::step::{Progress, SequenceEnd, StepResult};
use super::super::target::Target;
use super::super::values::with_member;
use super::data_sources::COUNTS;
use super::failures::{not_reached, not_requested, request_fault_of};
use crate::instance_state::InstanceState;
use crate::outcome::StepFailure;
use crate::{Configuration, Invariant, Listing, OpenResource, Snapshot};

/// The maximum number of results of a list.
const MAX_RESULTS: u64 = 5_000;

/// Reads, opens, invokes, lists or configures an object with a configuration, and returns the errors.
pub(in super::super) fn try_configuration(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
) -> StepResult<Result<(), Diagnostics>> {
    Ok(match target.kind {
        Kind::DataSource => read(run, target, config)?.map(drop),
        Kind::EphemeralResource => match open(run, target, config, false)? {
            Ok(opened) => close(run, target, opened, false)?,
            Err(errors) => Err(errors),
        },
        Kind::Action => invoke(run, target, config)?,
        Kind::ListResource => list(run, target, config, MAX_RESULTS)?.map(drop),
        #[cfg(feature = "unstable-state-stores")]
        Kind::StateStore => super::state_stores::configure(run, target, config)?.map(drop),
        _ => Ok(()),
    })
}

/// The name and the value of the member in which a variant of a configuration differs: first typical values, then boundary values.
fn variant(target: &Target, config: &Value, number: usize) -> Option<(Arc<str>, Value)> {
    let boundary =
        target.values.0.iter().flat_map(|field| field.boundary.iter().map(move |it| (field, &it.0)));
    let boundary = boundary.map(|(field, value)| (field.name.clone(), value.clone()));
    target.values.changes(config).into_iter().chain(boundary).nth(number)
}

pub(super) fn read(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
) -> StepResult<Result<Snapshot, Diagnostics>> {
    run.record_configuration("read", target, "a", config);
    let read = run.harness.data_source(&target.name).try_read(Configuration::of(target.block(), config));
    run.finish(read.into_result(), false)
}

/// Reads a data source twice.
pub(super) fn data_source(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let mut config = run.config_for_existing_objects(target)?;
    if let Some(at) = number.checked_sub(1) {
        let Some((name, value)) = variant(target, &config, at) else { return Ok(Progress::Finished) };
        let Some(changed) = run.with_change(target, &config, &name, value)? else {
            return Ok(Progress::More);
        };
        config = changed;
    }
    let Ok(first) = read(run, target, &config)? else { return Err(SequenceEnd::Rejected) };
    let second = read(run, target, &config)?;
    let deterministic = Invariant::DataSourceIsDeterministic;
    let second = run.expect(deterministic, "the second `read`", second)?;
    if first != second {
        let problem = format!("the first `read` returned\n{first}\nand the second one returned\n{second}");
        return Err(run.violated(deterministic, problem));
    }
    Ok(Progress::More)
}

/// Checks the result of a method of an ephemeral resource. Its errors must contain no part of the private data, which may be a token.
fn finish<T>(
    run: &SequenceRun<'_>,
    result: Result<T, StepFailure>,
    may_panic: bool,
) -> StepResult<Result<T, Diagnostics>> {
    let finished = run.finish(result, may_panic)?;
    let Err(errors) = &finished else { return Ok(finished) };
    let mut sensitive = run.harness.sensitive_values().clone();
    for private in run.provider.interceptor.private_data() {
        let decoded = json::implied_type(&private).and_then(|ty| json::decode(&private, &ty));
        decoded.unwrap_or(Value::Null).walk(&mut |_, it| {
            let text = match it {
                Value::String(it) => it.to_string(),
                Value::Number(it) => it.to_string(),
                _ => String::new(),
            };
            if !text.is_empty() && !sensitive.is_visible(&text) {
                sensitive.hide(&text, Path::ROOT);
            }
            true
        });
    }
    let text = errors.to_string();
    if sensitive.find_in(&text).is_none() {
        return Ok(finished);
    }
    let text = sensitive.redact(&text);
    let problem = format!("an error contains a part of the private data, which may be a token: {text}");
    Err(run.violated(Invariant::SecretsAreRedacted, problem))
}

fn open(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
    may_panic: bool,
) -> StepResult<Result<OpenResource, Diagnostics>> {
    run.record_configuration("open", target, "a", config);
    let opened =
        run.harness.ephemeral_resource(&target.name).try_open(Configuration::of(target.block(), config));
    finish(run, opened.into_result(), may_panic)
}

/// Renews the resource if it has a renewal time.
fn renew(
    run: &mut SequenceRun<'_>,
    target: &Target,
    opened: &mut OpenResource,
    may_panic: bool,
) -> StepResult<Result<(), Diagnostics>> {
    if opened.renewal_time().is_none() {
        return Ok(Ok(()));
    }
    run.record(format!("renew {}", target.name));
    finish(run, opened.try_renew().into_result(), may_panic)
}

fn close(
    run: &mut SequenceRun<'_>,
    target: &Target,
    opened: OpenResource,
    may_panic: bool,
) -> StepResult<Result<(), Diagnostics>> {
    run.record(format!("close {}", target.name));
    finish(run, opened.try_close().into_result().map(drop), may_panic)
}

/// Opens, renews and closes an ephemeral resource. From number 1 on, a method fails at an await point.
pub(super) fn ephemeral_resource(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    const METHODS: [Method; 3] = [Method::Open, Method::Renew, Method::Close];
    let closed = Invariant::EphemeralResourceIsClosed;
    let config = run.config_for_existing_objects(target)?;
    run.steps.clear();
    let service = run.provider.service.clone();
    let before = service.as_ref().map(|it| it.objects());
    let fault = number.checked_sub(1).map(|number| {
        let faults = Fault::ALL;
        let (method, number) = (METHODS[number % METHODS.len()], number / METHODS.len());
        (method, number / faults.len() + 1, faults[number % faults.len()])
    });
    if let Some((method, point, fault)) = fault {
        run.record(format!("`{}` {} at await point {point}", method.method_name(), fault.description()));
        run.provider.interceptor.arm(method, point, fault);
    }
    let may_panic = fault.is_some_and(|(.., it)| it == Fault::Panic);
    let opened = open(run, target, &config, may_panic)?;
    let is_open = opened.is_ok();
    if let Ok(mut opened) = opened {
        for _ in 0..2 {
            let renewed = renew(run, target, &mut opened, may_panic)?;
            if fault.is_none() {
                run.expect(closed, "`renew`", renewed)?;
            }
        }
        let again = opened.duplicate();
        let result = close(run, target, opened, may_panic)?;
        // An error about a resource that is closed already must not contain secrets.
        let _ = run.finish(again.try_close().into_result().map(drop), may_panic)?;
        if fault.is_none_or(|(it, ..)| it != Method::Close) {
            run.expect(closed, "`close`", result)?;
        }
    } else if fault.is_none() {
        return Err(SequenceEnd::Rejected);
    }
    let is_reached = run.provider.interceptor.disarm();
    let is_close_failed = is_reached && fault.is_some_and(|(it, ..)| it == Method::Close);
    if let (Some(service), Some(before), false) = (service, before, is_close_failed)
        && let Some(left) = new_objects(&*service, &before).first()
    {
        return Err(run.violated(closed, format!("the service still contains the object {left}")));
    }
    // A canceled method continues until it has recorded that the resource is open.
    let is_canceled = fault.is_some_and(|(.., it)| matches!(it, Fault::Stop | Fault::Timeout));
    if is_canceled && !is_open && !run.provider.interceptor.has_succeeded(Method::Close) {
        check_not_opened(run, target, &config)?;
    }
    match fault {
        Some((Method::Open, _, Fault::Stop)) if !is_reached => Ok(Progress::Finished),
        _ => Ok(Progress::More),
    }
}

/// Another program closes an ephemeral resource before it is renewed or closed. Errors are allowed, but not with secrets.
pub(super) fn closed_ephemeral_resource(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let config = run.config_for_existing_objects(target)?;
    run.steps.clear();
    let mut opened = open(run, target, &config, false)?.map_err(|_| SequenceEnd::Rejected)?;
    let method = [Method::Renew, Method::Close][number];
    if method == Method::Renew && opened.renewal_time().is_none() {
        close(run, target, opened, false)?.map_err(|_| SequenceEnd::Rejected)?;
        return Ok(Progress::More);
    }
    run.record("another program closes the resource");
    run.provider.interceptor.close_before(method);
    if method == Method::Renew {
        let _ = renew(run, target, &mut opened, false)?;
    }
    let _ = close(run, target, opened, false)?;
    Ok(Progress::More)
}

/// A request of the service fails while an ephemeral resource is opened, renewed or closed.
pub(super) fn failed_requests(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let Some(service) = run.provider.service.clone() else { return Ok(Progress::Finished) };
    let (request, fault) = request_fault_of(number);
    let config = run.config_for_existing_objects(target)?;
    run.steps.clear();
    let (before, start) = (service.objects(), service.request_count());
    service.inject(start + request, fault, false);
    run.record(fault.description(&format!("request {}", request + 1)));
    let (mut is_closed, mut has_failed) = (true, true);
    if let Ok(mut opened) = open(run, target, &config, false)? {
        let renewed = renew(run, target, &mut opened, false)?;
        is_closed = close(run, target, opened, false)?.is_ok();
        has_failed = renewed.is_err() || !is_closed;
    }
    let is_reached = service.request_count() > start + request;
    service.clear_faults();
    if !is_reached {
        return Ok(not_requested(request));
    }
    let left = new_objects(&*service, &before);
    left.iter().for_each(|it| service.remove(it));
    // A method that fails without the response to the request that opens the resource has nothing to close.
    let is_unavoidable = has_failed && fault == ServiceFault::LostResponse;
    if let (true, Some(left)) = (is_closed && !is_unavoidable, left.first()) {
        let problem = format!("the service still contains the object {left}");
        return Err(run.violated(Invariant::EphemeralResourceIsClosed, problem));
    }
    Ok(Progress::More)
}

/// Checks that a canceled `open` has created no remote object. If it has, the next `open` returns the values of a second object, such as a
/// greater number.
fn check_not_opened(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult {
    let next = open_and_close(run, target, config)?;
    let (first, second) = run.with_new_provider(target, |run| {
        let first = open_and_close(run, target, config)?;
        Ok((first, open_and_close(run, target, config)?))
    })?;
    if next != first && next == second {
        let problem = "the canceled `open` created the remote object, but did not record it with `cx.opened`. Ferroform therefore \
                       cannot close it. (The values of the next `open` show that the object exists.)";
        return Err(run.violated(Invariant::EphemeralResourceIsClosed, problem));
    }
    Ok(())
}

/// Opens and closes a resource, and returns its values.
fn open_and_close(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult<Snapshot> {
    let opened = open(run, target, config, false)?.map_err(|_| SequenceEnd::Rejected)?;
    let values = opened.values().clone();
    close(run, target, opened, false)?.map_err(|_| SequenceEnd::Rejected)?;
    Ok(values)
}

fn invoke(run: &mut SequenceRun<'_>, target: &Target, config: &Value) -> StepResult<Result<(), Diagnostics>> {
    run.record_configuration("invoke", target, "a", config);
    let invoked = run.harness.action(&target.name).try_invoke(Configuration::of(target.block(), config));
    run.finish(invoked.into_result().map(drop), false)
}

/// Invokes an action. From number 1 on, `invoke` is canceled or times out at an await point.
pub(super) fn action(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let config = run.config_for_existing_objects(target)?;
    let Some(number) = number.checked_sub(1) else {
        invoke(run, target, &config)?.map_err(|_| SequenceEnd::Rejected)?;
        for it in target.block().attributes() {
            let unknown = with_member(&config, it.name(), Value::UNKNOWN);
            run.record_configuration("plan", target, "a", &unknown);
            let planned =
                run.harness.action(&target.name).try_plan(Configuration::of(target.block(), &unknown));
            if let Err(errors) = run.finish(planned.into_result(), false)? {
                let problem = format!(
                    "the plan failed although it succeeds with the known value: {}",
                    run.redacted(&errors)
                );
                return Err(run.violated_at(
                    Invariant::UnknownValuesAreAccepted,
                    Path::attribute(it.name().clone()),
                    problem,
                ));
            }
        }
        return Ok(Progress::More);
    };
    let faults = [Fault::Stop, Fault::Timeout];
    let (point, fault) = (number / faults.len() + 1, faults[number % faults.len()]);
    run.next_fault = Some(format!("`invoke` {} at await point {point}", fault.description()));
    run.provider.interceptor.arm(Method::Invoke, point, fault);
    let invoked = invoke(run, target, &config)?;
    let is_reached = run.provider.interceptor.disarm();
    if invoked.is_ok() && run.provider.interceptor.has_ignored_cancellation() {
        return Err(run.violated(
            Invariant::ActionReportsErrors,
            "`invoke` succeeded although `cx` reported a cancellation or timeout to it",
        ));
    }
    Ok(if is_reached { Progress::More } else { not_reached(fault) })
}

/// Every request of `invoke` fails, starting with one of them.
pub(super) fn failed_action_requests(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let Some(service) = run.provider.service.clone() else { return Ok(Progress::Finished) };
    let config = run.config_for_existing_objects(target)?;
    let start = service.request_count();
    service.inject(start + number, ServiceFault::Error, true);
    run.record(format!("every request fails, starting with request {}", number + 1));
    let failed = invoke(run, target, &config)?.is_err();
    let is_reached = service.request_count() > start + number;
    service.clear_faults();
    if is_reached && !failed {
        let problem = "`invoke` succeeded although the service returned an error";
        return Err(run.violated(Invariant::ActionReportsErrors, problem));
    }
    Ok(if is_reached { Progress::More } else { Progress::Finished })
}

fn list(
    run: &mut SequenceRun<'_>,
    target: &Target,
    config: &Value,
    limit: u64,
) -> StepResult<Result<Listing, Diagnostics>> {
    run.record_configuration("list", target, "a", config);
    let listing = run.harness.list_resource(&target.name).limit(limit).include_resource();
    let config = Configuration::of(target.block(), config);
    run.finish(listing.try_list(config).into_result(), false)
}

/// The number of objects that the list resource of this type returns; `None` if there is no such list resource.
pub(super) fn count(run: &mut SequenceRun<'_>, target: &Target) -> StepResult<Option<usize>> {
    let Some(of_list) = run.provider.targets(Kind::ListResource).find(|it| it.name == target.name) else {
        return Ok(None);
    };
    let steps = run.steps.len();
    let listed = list(run, of_list, &of_list.base, MAX_RESULTS)?;
    run.steps.truncate(steps);
    Ok(listed.ok().map(|it| it.objects.len()))
}

/// Creates objects, and lists them.
pub(super) fn list_resource(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let finds = Invariant::ListReturnsEachObject;
    let provider = run.provider;
    let Some(resource) = provider.targets(Kind::Resource).find(|it| it.name == target.name) else {
        return Ok(Progress::Finished);
    };
    let resource = &*run.with_related(resource)?;
    let Some(count) = COUNTS.get(number).copied() else { return Ok(Progress::Finished) };
    let config = run.config_for_existing_objects(target)?;
    run.steps.clear();
    let created = create_distinct(run, resource, count, &config)?;
    let listed = list(run, target, &config, MAX_RESULTS)?;
    let listed = run.expect(finds, "`list`", listed)?;
    if listed.objects.len() as u64 == MAX_RESULTS {
        return Err(run.violated(finds, format!("`list` does not end: it returned {MAX_RESULTS} results")));
    }
    let identities: Vec<&Value> = listed.objects.iter().map(|it| it.identity().value()).collect();
    let is_selected = |state: &Value| {
        let filters = target.block().attributes().iter().map(|it| config.attribute_or_null(it.name()));
        let names = target.block().attributes().iter().map(|it| it.name());
        names.zip(filters).all(|(name, filter)| {
            let value = state.attribute(name);
            filter.is_null() || value.is_none_or(|it| it == filter)
        })
    };
    for state in created.iter().filter(|it| is_selected(&it.value)) {
        let Some(identity) = &state.identity else { continue };
        let found = identities.iter().filter(|it| ***it == *identity).count();
        if found != 1 {
            let problem =
                format!("`list` returned one of the {} objects {found} times: {identity}", created.len());
            return Err(run.violated(finds, problem));
        }
        let object =
            listed.objects.iter().find(|it| it.identity().value() == identity).and_then(|it| it.object());
        if let Some(object) = object
            && let Some((path, problem)) =
                resource.differences(&state.value, object.value()).into_iter().next()
        {
            return Err(run.violated_at(finds, path, format!("{problem} in the result of `list`")));
        }
    }
    let limit = (identities.len() as u64).div_ceil(2);
    let limited = list(run, target, &config, limit)?;
    if limited.is_ok_and(|it| it.objects.len() as u64 != limit) {
        return Err(
            run.violated(finds, format!("`list` with the limit {limit} returned another number of results"))
        );
    }
    Ok(Progress::More)
}

/// Creates objects with different strings, and returns their states.
pub(super) fn create_distinct(
    run: &mut SequenceRun<'_>,
    resource: &Target,
    count: usize,
    selected: &Value,
) -> StepResult<Vec<InstanceState>> {
    let mut created = Vec::new();
    for i in 0..count {
        let mut object = run.object(resource, "a");
        let distinct = distinct(resource, i, selected);
        if run.validate(resource.kind.named(&resource.name), &distinct)?.has_error() {
            continue;
        }
        if run.apply_only(&mut object, &distinct)?.is_ok() {
            created.extend(object.instance.stored.clone());
        } else {
            run.steps.pop();
        }
    }
    let steps = run.steps.len();
    if steps > 4 {
        run.steps.truncate(3);
        run.record(format!("… and {} more", steps - 3));
    }
    Ok(created)
}

/// A configuration with other strings for each number, except for attributes by which the list selects objects.
fn distinct(resource: &Target, number: usize, selected: &Value) -> Value {
    let mut config = resource.base.clone();
    for field in &resource.values.0 {
        let filter = selected.attribute_or_null(&field.name);
        let is_string = matches!(field.base, Value::String(_));
        let value = match filter {
            Value::Null if is_string && !field.typical.is_empty() => {
                &field.typical[number % field.typical.len()]
            }
            Value::Null => continue,
            filter => filter,
        };
        config = with_member(&config, &field.name, value.clone());
    }
    config
}

/// Calls a function twice, and with unknown arguments.
pub(super) fn function(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let mut config = target.base.clone();
    if let Some(at) = number.checked_sub(1) {
        let Some((name, value)) = variant(target, &config, at) else { return Ok(Progress::Finished) };
        config = with_member(&config, &name, value);
    }
    let pure = Invariant::FunctionIsPure;
    let function = run.harness.find::<dyn AnyFunction>(&target.name);
    let signature = function.signature();
    let parameters = signature.positional_parameters().iter().chain(signature.variadic_parameter());
    let arguments: Vec<Value> =
        parameters.clone().map(|it| config.attribute_or_null(it.name()).clone()).collect();
    let printed: Vec<String> = arguments.iter().map(hcl::expression).collect();
    let call = format!("call {}({})", target.name, printed.join(", "));
    run.record(call.clone());
    let first = call_with(run, target, &arguments)?;
    let first = first.map_err(|_| SequenceEnd::Rejected)?;
    // A function that depends on the time now returns another result.
    run.harness.clock().advance(Duration::from_secs(400 * 24 * 3600));
    run.record(format!("{call} later"));
    let second = call_with(run, target, &arguments)?;
    let earlier = run.provider.first_result(&target.name, &arguments, &first);
    let before = [&first, &earlier].into_iter().find(|it| second.as_ref().ok() != Some(*it));
    if let Some(before) = before {
        let second = second.map_or_else(|error| error, |it| it.summary());
        let problem =
            format!("the first call returned {}, but a later call returned {second}", before.summary());
        return Err(run.violated(pure, problem));
    }
    for (at, parameter) in parameters.enumerate() {
        let mut others = Vec::new();
        if signature.unknown_allowed.contains(parameter.name()) {
            others.push(Value::UNKNOWN);
        }
        if parameter.mode() != Mode::Required {
            others.push(Value::Null);
        }
        for other in others {
            let mut changed = arguments.clone();
            let is_unknown = other.is_unknown();
            changed[at] = other;
            let printed: Vec<String> = changed.iter().map(hcl::expression).collect();
            run.record(format!("call {}({})", target.name, printed.join(", ")));
            let result = call_with(run, target, &changed)?;
            if !is_unknown {
                continue;
            }
            let problem = match result {
                Err(error) => format!("the call with an unknown argument failed: {error}"),
                Ok(it) if !contract::compatibility::is_compatible(&it, &first) => {
                    let known = first.summary();
                    format!(
                        "the call with an unknown argument returned {}, but the call with the known argument returned {known}",
                        it.summary()
                    )
                }
                Ok(_) => continue,
            };
            return Err(run.violated_at(pure, Path::attribute(parameter.name().clone()), problem));
        }
    }
    Ok(Progress::More)
}

fn call_with(
    run: &mut SequenceRun<'_>,
    target: &Target,
    arguments: &[Value],
) -> StepResult<Result<Value, String>> {
    let result = run.harness.function(&target.name).call_values("a call of the function", arguments);
    run.check()?;
    Ok(result.map_err(|it| it.to_string()))
}

/// Configures the provider with an unknown value, as Terraform does while it plans, and reads and plans with it.
pub(super) fn provider(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let Some(field) = target.values.0.get(number) else { return Ok(Progress::Finished) };
    let unknown = with_member(&target.base, &field.name, Value::UNKNOWN);
    run.record_configuration("configure", target, "", &unknown);
    let configured = run.harness.try_configure(Configuration::of(target.block(), &unknown)).into_result();
    // An error is allowed: not every provider can plan without its configuration.
    if run.finish(configured, false)?.is_ok() {
        for resource in run.provider.targets(Kind::Resource) {
            let object = run.object(resource, "a");
            drop(run.plan(&object, &resource.base)?);
        }
    }
    Ok(Progress::More)
}
