//! Plans and states as `terraform show -json` prints them.

use std::collections::{BTreeMap, HashSet};

use ferroform::value::{Path, Step, Value, json};
use ferroform_lang::marks::{Mark, Marked, Marks};
use serde_json::{Map, json};

use super::address::{Address, Mode, ModuleInstance, module_address};
use super::change::SimulatedChange;
use super::providers::Providers;
use super::state::{Object, OutputValue, State, TERRAFORM_VERSION, type_json, typed_json};
use super::values::{marks_of, plain_json};
use crate::workspace::{Json, PlannedAction};

/// A change as an element of `resource_changes`.
pub(crate) fn change_json(change: &SimulatedChange) -> Json {
    let address = &change.address;
    let mut json = resource_json(address);
    if !address.module.is_empty() {
        json["module_address"] = json!(module_address(&address.module));
    }
    json["provider_name"] = json!(change.provider.address);
    let mut body = json!({
        "actions": change.action.names(),
        "before": known_json(&change.before),
        "after": known_json(&change.after),
        "after_unknown": if change.after.is_wholly_known() { json!({}) } else { unknown_json(&change.after) },
        "before_sensitive": sensitive_json(&change.before, &change.before_marks),
        "after_sensitive": sensitive_json(&change.after, &change.after_marks),
    });
    if change.action == PlannedAction::Create || change.action == PlannedAction::Read {
        body["before_sensitive"] = json!(false);
    }
    if !change.requires_replace.is_empty() {
        body["replace_paths"] = change.requires_replace.iter().map(path_json).collect();
    }
    if let Some(importing) = &change.importing {
        body["importing"] = importing.clone();
    }
    json["change"] = body;
    if let Some(reason) = change.reason {
        json["action_reason"] = json!(reason);
    }
    if let Some(deposed) = &change.deposed {
        json["deposed"] = json!(deposed);
    }
    if let Some(previous) = &change.previous_address {
        json["previous_address"] = json!(previous.to_string());
    }
    json
}

/// The members that identify a resource instance.
fn resource_json(address: &Address) -> Json {
    let mut json = json!({
        "address": address.to_string(),
        "mode": address.resource.mode.json_name(),
        "type": address.resource.kind,
        "name": address.resource.name,
    });
    if let Some(key) = address.key.json() {
        json["index"] = key;
    }
    json
}

fn path_json(it: &Path) -> Json {
    it.steps()
        .iter()
        .map(|step| match step {
            Step::Attribute(name) => json!(&**name),
            Step::Index(index) => json!(index),
            Step::Key(key) => json!(key.as_str()),
            Step::Element(value) => plain_json(value),
        })
        .collect()
}

/// A value without the unknown values inside it.
pub(crate) fn known_json(value: &Value) -> Json {
    match value.without_type() {
        Value::Unknown(_) => Json::Null,
        Value::Object(object) => {
            let members = object.iter().filter(|(_, it)| !it.is_unknown());
            Json::Object(members.map(|(name, it)| (name.to_string(), known_json(it))).collect())
        }
        Value::Map(map) => {
            let members = map.iter().filter(|(_, it)| !it.is_unknown());
            Json::Object(members.map(|(name, it)| (name.to_string(), known_json(it))).collect())
        }
        Value::List(elements) | Value::Tuple(elements) => elements.iter().map(known_json).collect(),
        Value::Set(set) => set.sorted().into_iter().map(known_json).collect(),
        other => plain_json(other),
    }
}

/// The structure of a value with `true` for each unknown value.
pub(crate) fn unknown_json(value: &Value) -> Json {
    boolean_tree(value, &mut Path::default(), &|_, it| it.is_unknown())
}

/// The structure of a value with `true` for each sensitive value.
pub(crate) fn sensitive_json(value: &Value, marks: &Marks) -> Json {
    let paths: HashSet<&Path> = marks.paths(Mark::Sensitive).collect();
    boolean_tree(value, &mut Path::default(), &|at, _| paths.contains(at))
}

/// Returns a copy of the value's structure, with `true` for each nested value that matches.
fn boolean_tree(value: &Value, at: &mut Path, matches: &dyn Fn(&Path, &Value) -> bool) -> Json {
    let value = value.without_type();
    if matches(at, value) {
        return json!(true);
    }
    let mut inner = |step: Step, it: &Value| {
        at.push(step);
        let json = boolean_tree(it, at, matches);
        at.pop();
        json
    };
    let members: Map<String, Json> = match value {
        Value::Object(it) => {
            it.iter().map(|(name, it)| (name.to_string(), inner(Step::Attribute(name.clone()), it))).collect()
        }
        Value::Map(it) => {
            it.iter().map(|(key, it)| (key.to_string(), inner(Step::Key(key.clone()), it))).collect()
        }
        Value::List(it) | Value::Tuple(it) => {
            return it.iter().enumerate().map(|(index, it)| inner(Step::Index(index), it)).collect();
        }
        Value::Set(it) => {
            let elements = it.sorted().into_iter();
            return elements.map(|it| inner(Step::Element(Box::new(it.clone())), it)).collect();
        }
        _ => return json!(false),
    };
    Json::Object(members.into_iter().filter(|(_, it)| *it != false).collect())
}

/// The changes of the outputs of the root module.
pub(crate) fn output_changes(
    before: &BTreeMap<String, OutputValue>,
    after: &BTreeMap<String, Marked>,
    is_destroy: bool,
) -> Json {
    let mut changes = Map::new();
    for name in before.keys().chain(after.keys()) {
        let old = before.get(name);
        let new = after.get(name).filter(|_| !is_destroy);
        // A null output is not stored.
        let new_value = new.map_or(&Value::Null, |it| &it.typed.value);
        let old_json = old.map_or(Json::Null, |it| plain_json(&it.typed.value));
        let new_sensitive = new.is_some_and(|it| it.marks.contains(Mark::Sensitive));
        let old_sensitive = old.is_some_and(|it| it.is_sensitive);
        let is_same = old.is_some_and(|old| new.is_some_and(|new| old.typed == new.typed))
            && old_sensitive == new_sensitive;
        let actions = match (old, new) {
            _ if is_same => "no-op",
            (None, _) if new_value.is_null() => "no-op",
            (None, _) => "create",
            (Some(_), None) => "delete",
            _ => "update",
        };
        if actions == "no-op" && new.is_none() {
            continue;
        }
        let is_known = new_value.is_wholly_known();
        let mut change = json!({
            "actions": [actions],
            "before": old_json,
            "after_unknown": if is_known { json!(false) } else { unknown_json(new_value) },
            // Terraform redacts both values if one of them is sensitive.
            "before_sensitive": old_sensitive || new_sensitive,
            "after_sensitive": old_sensitive || new_sensitive,
        });
        if !new_value.is_unknown() {
            change["after"] = known_json(new_value);
        }
        changes.insert(name.clone(), change);
    }
    Json::Object(changes)
}

/// The state as `show -json` prints it.
pub(crate) fn state_json(state: &State, providers: &Providers) -> Json {
    if state.objects.is_empty() && state.outputs.is_empty() {
        return json!({ "format_version": "1.0" });
    }
    let mut modules = Modules::new();
    // As in Terraform, data sources are first.
    let (data, managed): (Vec<_>, Vec<_>) =
        state.objects.iter().partition(|((address, _), _)| address.resource.mode == Mode::Data);
    for ((address, deposed), object) in data.into_iter().chain(managed) {
        let json = object_json(address, deposed.as_deref(), object, providers);
        modules.entry(address.module.clone()).or_default().push(json);
    }
    let mut values = json!({ "root_module": module_json(&modules, &ModuleInstance::new()) });
    if !state.outputs.is_empty() {
        values["outputs"] = outputs_json(state);
    }
    let mut json =
        json!({ "format_version": "1.0", "terraform_version": TERRAFORM_VERSION, "values": values });
    if !state.checks.is_empty() {
        json["checks"] = state.checks.json();
    }
    json
}

/// The outputs as `output -json` prints them.
pub(crate) fn outputs_json(state: &State) -> Json {
    let outputs = state.outputs.iter().map(|(name, it)| {
        let output = json!({
            "sensitive": it.is_sensitive,
            "value": typed_json(&it.typed),
            "type": type_json(&it.typed.ty),
        });
        (name.clone(), output)
    });
    Json::Object(outputs.collect())
}

/// The values of the objects and outputs after the apply, as far as they are known.
pub(crate) fn planned_values<'c>(
    changes: impl Iterator<Item = &'c SimulatedChange>,
    outputs: &BTreeMap<String, Marked>,
    providers: &Providers,
) -> Json {
    let mut modules = Modules::new();
    for it in changes.filter(|it| !it.after.is_null() && it.deposed.is_none()) {
        let mut json = resource_json(&it.address);
        json["provider_name"] = json!(it.provider.address);
        json["schema_version"] = json!(providers.schema_version(&it.provider.address, &it.address.resource));
        let values = known_json(&it.after);
        if values != json!({}) {
            json["values"] = values;
        }
        json["sensitive_values"] = sensitive_json(&it.after, &it.after_marks);
        modules.entry(it.address.module.clone()).or_default().push(json);
    }
    // As in Terraform, resources are sorted by their address strings.
    for resources in modules.values_mut() {
        resources.sort_by(|a, b| a["address"].as_str().cmp(&b["address"].as_str()));
    }
    let mut values = json!({ "root_module": module_json(&modules, &ModuleInstance::new()) });
    if !outputs.is_empty() {
        let outputs = outputs.iter().map(|(name, it)| (name.clone(), planned_output(it)));
        values["outputs"] = Json::Object(outputs.collect());
    }
    values
}

fn planned_output(output: &Marked) -> Json {
    let mut json = json!({ "sensitive": output.marks.contains(Mark::Sensitive) });
    if output.typed.value.is_wholly_known() {
        json["value"] = typed_json(&output.typed);
        json["type"] = type_json(&output.typed.ty);
    }
    json
}

/// The JSON of the objects in each module instance.
type Modules = BTreeMap<ModuleInstance, Vec<Json>>;

fn module_json(modules: &Modules, at: &ModuleInstance) -> Json {
    let inside = modules.range(at.clone()..).map(|(it, _)| it).take_while(|it| it.starts_with(at));
    let mut children: Vec<ModuleInstance> =
        inside.filter(|it| it.len() > at.len()).map(|it| it[..=at.len()].to_vec()).collect();
    children.dedup();
    let mut json = json!({});
    if !at.is_empty() {
        json["address"] = json!(module_address(at));
    }
    if let Some(resources) = modules.get(at) {
        json["resources"] = json!(resources);
    }
    if !children.is_empty() {
        json["child_modules"] = children.iter().map(|it| module_json(modules, it)).collect();
    }
    json
}

fn object_json(address: &Address, deposed: Option<&str>, object: &Object, providers: &Providers) -> Json {
    let mut json = resource_json(address);
    json["provider_name"] = json!(object.provider.address);
    json["schema_version"] = json!(object.schema_version);
    // An object of an older schema version is shown as it is stored.
    let decoded = providers.with_schema(&object.provider.address, &address.resource, |schema| {
        let value = json::decode(object.attributes.as_bytes(), schema.block.ty()).ok()?;
        let marks = marks_of(&schema.block, &value, &object.sensitive);
        Some((plain_json(&value), sensitive_json(&value, &marks)))
    });
    let stored = || (serde_json::from_str(&object.attributes).unwrap_or(Json::Null), json!({}));
    (json["values"], json["sensitive_values"]) = decoded.flatten().unwrap_or_else(stored);
    if !object.dependencies.is_empty() {
        json["depends_on"] = json!(object.dependencies);
    }
    if object.is_tainted {
        json["tainted"] = json!(true);
    }
    if let Some(deposed) = deposed {
        json["deposed_key"] = json!(deposed);
    }
    if let Some((version, identity)) = &object.identity {
        json["identity_schema_version"] = json!(version);
        json["identity"] = serde_json::from_str(identity).unwrap_or(Json::Null);
    }
    json
}
