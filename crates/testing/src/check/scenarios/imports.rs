//! Imports, state upgrades, and moves between resource types.

use ferroform::raw::AnyResource;
use ferroform::schema::{Attribute, Block, Member, Mode, Upgrades};
use ferroform::value::{Value, json};
use ferroform_engine::{ImportRequest, Kind};

use super::super::run::SequenceRun;
use super::super::step::{Progress, SequenceEnd, StepResult};
use super::super::target::Target;
use super::super::values::{BlockValues, FixedValues, with_member};
use super::failures::update_of;
use crate::instance_state::InstanceState;
use crate::{Action, Invariant, MovedObject};

/// A request that imports an object.
struct Import {
    request: ImportRequest,
    /// The step in the report.
    what: String,
    /// True if the resource declares that it can be imported in this way.
    is_declared: bool,
}

/// The string, number or bool of an attribute, as a part of an import ID.
fn id_part(state: &InstanceState, name: &str) -> Option<String> {
    match state.value.attribute_or_null(name) {
        Value::String(it) => Some(it.to_string()).filter(|it| !it.is_empty()),
        it @ (Value::Number(_) | Value::Bool(_)) => Some(it.to_string()),
        _ => None,
    }
}

/// The import IDs of an object, by the import patterns.
pub(super) fn import_ids(resource: &dyn AnyResource, state: &InstanceState) -> Vec<String> {
    resource.import_patterns().iter().filter_map(|it| it.write(|name| id_part(state, name))).collect()
}

/// The key of the object in a state: its identity, or else its import IDs, or else the attribute `id`.
pub(super) fn object_key(resource: &dyn AnyResource, state: &InstanceState) -> Vec<String> {
    let ids = import_ids(resource, state);
    match &state.identity {
        Some(identity) => vec![identity.to_string()],
        None if !ids.is_empty() => ids,
        None => id_part(state, "id").into_iter().collect(),
    }
}

/// The requests that may import an object: by its import patterns, by its identity, and by strings of its state.
fn import_requests(
    run: &SequenceRun<'_>,
    resource: &dyn AnyResource,
    target: &Target,
    state: &InstanceState,
) -> Vec<Import> {
    let instance = run.harness.resource(&target.name);
    let by_id = |id: String, is_declared| {
        let what = format!("import {} by the ID {id:?}", target.name);
        Import { request: instance.by_id(&id), what, is_declared }
    };
    let mut imports: Vec<Import> =
        import_ids(resource, state).into_iter().map(|it| by_id(it, true)).collect();
    if let Some(identity) = &state.identity {
        let request = ImportRequest { identity: Some(identity.clone()), ..instance.by_id("") };
        imports.push(Import {
            request,
            what: format!("import {} by identity", target.name),
            is_declared: true,
        });
        if let Some(required) = required_identity(resource, identity) {
            let request = ImportRequest { identity: Some(required), ..instance.by_id("") };
            let what = format!("import {} by the required attributes of its identity", target.name);
            imports.push(Import { request, what, is_declared: true });
        }
    }
    if resource.capabilities().import {
        let names =
            target.block().attributes().iter().filter(|it| !it.is_sensitive()).map(|it| it.name().clone());
        let mut names: Vec<_> = names.collect();
        names.sort_by_key(|it| **it != *"id");
        imports.extend(names.iter().filter_map(|it| id_part(state, it)).take(4).map(|it| by_id(it, false)));
    }
    imports
}

/// The identity without its optional attributes; `None` if it has none.
fn required_identity(resource: &dyn AnyResource, identity: &Value) -> Option<Value> {
    let block = &resource.identity()?.block;
    let is_optional = |it: &Attribute| it.mode() != Mode::Required;
    let optional = block.attributes().iter().filter(|it| is_optional(it)).map(|it| it.name());
    let required = optional.fold(identity.clone(), |it, name| with_member(&it, name, Value::Null));
    (required != *identity && block.attributes().iter().any(|it| !is_optional(it))).then_some(required)
}

/// Imports an object, and continues with the imported object.
pub(super) fn import(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    if !target.has_remote_object {
        return Ok(Progress::Finished);
    }
    let restores = Invariant::ImportRestoresState;
    let resource = run.harness.find::<dyn AnyResource>(&target.name);
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let Some(state) = object.instance.stored.clone() else { return Err(SequenceEnd::Rejected) };
    let Some(import) = import_requests(run, &*resource, target, &state).into_iter().nth(number) else {
        return Ok(Progress::Finished);
    };
    let mut imported = run.object(target, "imported");
    run.record(import.what);
    let result = imported.instance.import_with(import.request);
    let result = run.finish(result, false)?;
    // An import pattern can omit attributes with a default, so it finds no object with another value.
    if result.is_err() && (!import.is_declared || config != target.base) {
        return Err(SequenceEnd::Rejected);
    }
    run.expect(restores, "the import", result)?;
    let found = imported.instance.state();
    let mut differences = target.differences(&state.value, found.value());
    if config != target.base {
        // An object can be configured in several ways, of which an import chooses one.
        differences.retain(|(path, _)| !target.has_alternatives(path));
    }
    if let Some((path, problem)) = differences.into_iter().next() {
        return Err(run.violated_at(restores, path, problem));
    }
    let planned = run.plan(&imported, &config)?;
    let planned = run.expect(restores, "the plan", planned)?;
    // A planned change of attributes that a read cannot return is not a difference.
    let has_difference = match (&planned.after, planned.action) {
        (_, Action::NoOp) => false,
        (Some(after), Action::Update) => !target.differences(found.value(), after.value()).is_empty(),
        _ => found.value() == &state.value,
    };
    if has_difference {
        return Err(
            run.violated(restores, format!("the plan of the imported object is not empty:\n{planned}"))
        );
    }
    if planned.action == Action::Replace {
        return Ok(Progress::More);
    }
    run.within(restores, |run| {
        run.apply_again(restores, &mut imported, &config)?;
        if let Some(changed) = update_of(run, &imported, &config)?
            && let Err(errors) = run.apply(&mut imported, &changed)?
        {
            // If the original object cannot be changed either, the import is not the cause.
            if run.apply(&mut object, &changed)?.is_ok() {
                let problem = format!("`update` of the imported object failed: {}", run.redacted(&errors));
                return Err(run.violated(restores, problem));
            }
            return Err(SequenceEnd::Rejected);
        }
        run.destroy_again(restores, &mut imported)
    })?;
    Ok(Progress::More)
}

/// Values for a state of an earlier schema version: the attributes of the current state with the same names and types, and generated
/// ones. `number` selects a change. In the first one, everything that can be null is null.
fn earlier_state(block: &Block, current: &Value, same: &Block, number: usize) -> Option<Value> {
    let settable = block.clone().map_attributes(|it| it.with_mode(Mode::Optional));
    let fields = BlockValues::of(&settable, &[], &FixedValues::new());
    let mut state = settable.object_of(&Value::Null);
    for field in &fields.0 {
        let member = block.member(&field.name)?;
        let kept = same.member(&field.name).filter(|it| it.ty() == member.ty());
        let kept = kept.map(|_| current.attribute_or_null(&field.name)).filter(|it| !it.is_null());
        let value = kept.or(field.typical.first()).cloned();
        let is_write_only = matches!(member, Member::Attribute(it) if it.is_write_only());
        if let (Some(value), false) = (value, is_write_only) {
            state = with_member(&state, &field.name, value);
        }
    }
    let changed = match number {
        0 => state,
        1 => settable.object_of(&Value::Null),
        _ => {
            let (name, value) = fields.changes(&state).into_iter().nth(number - 2)?;
            with_member(&state, &name, value)
        }
    };
    Some(with_placeholders(block, &changed))
}

/// Replaces null with the placeholder of the type if null is not allowed.
fn with_placeholders(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else {
        return value.map_elements(|_, it| with_placeholders(block, it));
    };
    let members = block.members().map(|member| {
        let value = object.get_or_null(member.name());
        let value = match (member, value) {
            (Member::Attribute(it), Value::Null) if !it.is_nullable() && !it.is_write_only() => {
                it.placeholder()
            }
            (_, Value::Null) => Value::Null,
            (_, it) => {
                member.nested().map_or_else(|| it.clone(), |(_, inside)| with_placeholders(inside, it))
            }
        };
        (member.name().clone(), value)
    });
    Value::object(members.collect::<Vec<_>>())
}

/// The state as JSON; `None` if it cannot be encoded.
fn encoded(block: &Block, state: &Value) -> Option<String> {
    json::encode(state, block.ty()).ok().and_then(|it| String::from_utf8(it).ok())
}

/// Upgrades a state of an earlier schema version.
pub(super) fn upgrade(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    const VARIANTS: usize = 8;
    let resource = run.harness.find::<dyn AnyResource>(&target.name);
    let upgrades = resource.upgrades();
    let Some(step) = upgrades.steps.get(number / VARIANTS) else { return Ok(Progress::Finished) };
    let earlier = (step.schema)();
    let config = run.config(target)?;
    let mut object = run.object(target, "a");
    run.apply_or_reject(&mut object, &config)?;
    let Some(current) = object.instance.stored.clone() else { return Err(SequenceEnd::Rejected) };
    let number = number % VARIANTS;
    let Some(state) = earlier_state(&earlier.block, &current.value, target.block(), number) else {
        return Ok(Progress::More);
    };
    let Some(text) = encoded(&earlier.block, &state) else { return Ok(Progress::More) };
    let mut upgraded = run.object(target, "upgraded");
    run.record(format!("upgrade a state of version {}: {text}", step.version));
    let result = upgraded.instance.try_upgrade_state(step.version, &text).into_result();
    run.finish(result, false)?.map_err(|_| SequenceEnd::Rejected)?;
    let keeps = Invariant::UpgradeKeepsValues;
    let found = upgraded.instance.state();
    for member in target.block().members() {
        let Member::Attribute(attribute) = member else { continue };
        let is_same = earlier.block.get(attribute.name()).is_some_and(|it| it.ty() == attribute.ty());
        let [old, new] = [&state, found.value()].map(|it| it.attribute_or_null(attribute.name()));
        if is_same
            && !old.is_null()
            && !attribute.is_write_only()
            && !attribute.is_semantically_equal(old, new)
        {
            let problem = format!(
                "the state of version {} contains {old}, but the upgraded state contains {new}",
                step.version
            );
            let path = ferroform::value::Path::attribute(attribute.name().clone());
            return Err(run.violated_at(keeps, path, problem));
        }
    }
    // The upgraded state of the real object, with its private state.
    if let Some(it) = &mut upgraded.instance.stored {
        (it.private, it.identity) = (current.private.clone(), current.identity.clone());
    }
    let state = upgraded.instance.stored.clone();
    if number == 0
        && target.has_remote_object
        && state.is_some_and(|it| target.differences(&current.value, &it.value).is_empty())
    {
        let kept = Invariant::PrivateStateIsSufficient;
        run.refresh_existing(kept, &mut upgraded)?;
        run.within(kept, |run| run.destroy_again(kept, &mut upgraded))?;
    }
    Ok(Progress::More)
}

/// Moves an object of another resource type to this one.
pub(super) fn moves(run: &mut SequenceRun<'_>, target: &Target, number: usize) -> StepResult<Progress> {
    let resource = run.harness.find::<dyn AnyResource>(&target.name);
    let moves = resource.moves();
    let provider = run.provider;
    const VARIANTS: usize = 4;
    let Some(source) = moves.get(number / VARIANTS) else { return Ok(Progress::Finished) };
    let number = number % VARIANTS;
    let keeps = Invariant::MoveKeepsObject;
    let mut moved = run.object(target, "moved");
    let same_provider =
        provider.targets(Kind::Resource).find(|it| source.provider.is_none() && it.name == source.type_name);
    if let Some(source) = same_provider.filter(|_| number == 0) {
        let mut object = run.object(source, "a");
        run.apply_or_reject(&mut object, &source.base)?;
        run.record(format!("move {}.a to {}.moved", source.name, target.name));
        let result = moved.instance.try_move_from(&object.instance).into_result();
        let result = run.finish(result, false)?;
        run.expect(keeps, "the move", result)?;
        run.within(keeps, |run| {
            run.refresh_existing(keeps, &mut moved)?;
            run.destroy_again(keeps, &mut moved)
        })?;
        return Ok(Progress::More);
    }
    let Some((version, block)) = newest(&source.upgrades) else { return Ok(Progress::More) };
    let current = target.example.as_ref().map_or(Value::Null, |it| it.value.clone());
    let Some(state) = earlier_state(&block, &current, target.block(), number) else {
        return Ok(Progress::More);
    };
    let Some(text) = encoded(&block, &state) else { return Ok(Progress::More) };
    let provider =
        source.provider.clone().unwrap_or_else(|| run.harness.server().provider().address().to_owned());
    let provider = match provider.matches('/').count() {
        1 => format!("registry.terraform.io/{provider}"),
        _ => provider,
    };
    run.record(format!("move a {} to {}.moved: {text}", source.type_name, target.name));
    let source = MovedObject::new(provider, source.type_name.clone(), version, text);
    let result = moved.instance.try_move_from(source).into_result();
    run.within(keeps, |run| run.finish(result, false)?.map_err(|_| SequenceEnd::Rejected))?;
    Ok(Progress::More)
}

/// The version and the block of the newest schema from which the upgrades lead to the target.
fn newest(upgrades: &Upgrades) -> Option<(i64, Block)> {
    let step = upgrades.steps.last()?;
    Some((step.version, (step.schema)().block))
}
