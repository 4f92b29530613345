//! The normal form of plans and states: what must be equal on every runner.
//!
//! Null attributes are omitted (unknown ones are in `after_unknown`), and so are the values of objects that do not change. In
//! the trees of unknown and sensitive values, parts without any `true` are omitted.

use ferroform_testing::workspace::{Diagnostic, Json, Plan, QueryResult};
use serde_json::{Map, json};

/// The errors and warnings in a fixed order, because Terraform runs operations concurrently.
pub(crate) fn diagnostics(from: &[Diagnostic]) -> Json {
    let line = |it: &Diagnostic| {
        let kind = if it.is_error { "error" } else { "warning" };
        let mut line = format!("{kind}: {}", sort_cycle(&it.summary));
        for (word, part) in [("with", &it.address), ("on", &it.location)] {
            if !part.is_empty() {
                line += &format!(", {word} {part}");
            }
        }
        // Some summaries contain the name of the program.
        replace_uuids(&line).replace("OpenTofu", "Terraform")
    };
    // Terraform prints this warning only in some runs of the same plan.
    let is_stable = |it: &&Diagnostic| it.summary != "Config generation is experimental";
    let mut lines: Vec<String> = from.iter().filter(is_stable).map(line).collect();
    lines.sort();
    lines.into()
}

/// Sorts the members of a cycle, whose order is random, and removes the words about the nodes of Terraform's graph.
fn sort_cycle(summary: &str) -> String {
    let Some(members) = summary.strip_prefix("Cycle: ") else { return summary.to_owned() };
    let mut members: Vec<&str> = members.split(", ").map(|it| it.trim_end_matches(" (expand)")).collect();
    members.sort_unstable();
    format!("Cycle: {}", members.join(", "))
}

/// The changes of a plan, or `empty`.
pub(crate) fn plan(plan: &Plan) -> Json {
    let changes = changes(plan.json());
    // Terraform 1.11 reports changes for `-refresh-only` if the state contains numbers, even if none has changed.
    let is_empty = plan.is_empty() && plan.drift().is_empty() || is_empty(&changes);
    if is_empty { "empty".into() } else { changes }
}

fn changes(plan: &Json) -> Json {
    let mut result = Map::new();
    for (name, source) in
        [("changes", "resource_changes"), ("drift", "resource_drift"), ("deferred", "deferred_changes")]
    {
        let changes = list(&plan[source]).iter().map(|it| (address(it), change(it)));
        insert(&mut result, name, Json::Object(changes.collect()));
    }
    let outputs = plan["output_changes"].as_object().into_iter().flatten();
    let outputs = outputs.map(|(name, it)| (name.clone(), values_of_change(it)));
    insert(&mut result, "outputs", Json::Object(outputs.collect()));
    insert(&mut result, "checks", checks(&plan["checks"]));
    let invocations = list(&plan["action_invocations"]).iter().map(|it| {
        json!({ "address": it["address"], "config": without_nulls(&it["config_values"]), "trigger": it["lifecycle_action_trigger"] })
    });
    let mut invocations: Vec<Json> = invocations.collect();
    invocations.sort_by_key(Json::to_string);
    insert(&mut result, "invocations", invocations.into());
    Json::Object(result)
}

/// The objects that `list` blocks have found.
pub(crate) fn query(found: &[QueryResult]) -> Json {
    let object = |it: &QueryResult| {
        let mut object = Map::new();
        object.insert("list".to_owned(), it.address.as_str().into());
        object.insert("name".to_owned(), it.display_name.as_str().into());
        insert(&mut object, "identity", it.identity.clone());
        insert(&mut object, "values", without_nulls(&it.values));
        Json::Object(object)
    };
    let mut objects: Vec<Json> = found.iter().map(object).collect();
    // The blocks run concurrently.
    objects.sort_by_key(Json::to_string);
    objects.into()
}

/// Adds the objects, outputs and checks of a state to the result.
pub(crate) fn state(state: &Json, shows_identity: bool, result: &mut Map<String, Json>) {
    let mut objects = Map::new();
    module(&state["values"]["root_module"], shows_identity, &mut objects);
    insert(result, "state", Json::Object(objects));
    let outputs = state["values"]["outputs"].as_object().into_iter().flatten();
    let output = |it: &Json| {
        let mut result = Map::from_iter([
            ("type".to_owned(), it["type"].clone()),
            ("value".to_owned(), without_uuids(&it["value"])),
        ]);
        insert(&mut result, "sensitive", it["sensitive"].clone());
        Json::Object(result)
    };
    let outputs = outputs.map(|(name, it)| (name.clone(), output(it)));
    insert(result, "outputs", Json::Object(outputs.collect()));
    insert(result, "checks", checks(&state["checks"]));
}

fn module(from: &Json, shows_identity: bool, objects: &mut Map<String, Json>) {
    for it in list(&from["resources"]) {
        let mut object = Map::new();
        object.insert("values".to_owned(), without_nulls(&it["values"]));
        insert(&mut object, "sensitive", marked(&it["sensitive_values"]));
        insert(&mut object, "tainted", it["tainted"].clone());
        let mut dependencies: Vec<&str> = list(&it["depends_on"]).iter().filter_map(Json::as_str).collect();
        dependencies.sort_unstable();
        insert(&mut object, "depends_on", dependencies.into());
        if shows_identity {
            insert(&mut object, "identity", it["identity"].clone());
        }
        let mut address = address(it);
        // The keys of several deposed objects are random.
        while objects.contains_key(&address) {
            address.push('+');
        }
        objects.insert(address, Json::Object(object));
    }
    for child in list(&from["child_modules"]) {
        module(child, shows_identity, objects);
    }
}

/// The address, with a suffix for a deposed object, whose key is random.
fn address(of: &Json) -> String {
    let address = of["address"].as_str().unwrap_or_default();
    let is_deposed = ["deposed", "deposed_key"].iter().any(|it| of[it].is_string());
    if is_deposed { format!("{address} (deposed)") } else { address.to_owned() }
}

fn change(from: &Json) -> Json {
    // A deferred change contains it.
    let resource = if from["resource_change"].is_object() { &from["resource_change"] } else { from };
    let change = &resource["change"];
    let is_no_op = change["actions"] == json!(["no-op"]);
    let values = if is_no_op { json!({ "actions": "no-op" }) } else { values_of_change(change) };
    let Json::Object(mut result) = values else { return values };
    insert(&mut result, "previous_address", resource["previous_address"].clone());
    insert(&mut result, "reason", resource["action_reason"].clone());
    insert(&mut result, "deferred", from["reason"].clone());
    insert(&mut result, "importing", change["importing"].clone());
    let mut paths: Vec<String> = list(&change["replace_paths"]).iter().map(ToString::to_string).collect();
    paths.sort();
    insert(&mut result, "replace_paths", paths.join(" ").into());
    Json::Object(result)
}

fn values_of_change(change: &Json) -> Json {
    let mut result = Map::new();
    let actions = list(&change["actions"]).iter().filter_map(Json::as_str).collect::<Vec<_>>().join(", ");
    result.insert("actions".to_owned(), actions.into());
    for name in ["before", "after"] {
        insert(&mut result, name, without_nulls(&change[name]));
    }
    for name in ["after_unknown", "before_sensitive", "after_sensitive"] {
        insert(&mut result, name, marked(&change[name]));
    }
    Json::Object(result)
}

/// The checks by address, with the status and the problems of each instance.
fn checks(from: &Json) -> Json {
    let text = |it: &Json| it["address"]["to_display"].as_str().unwrap_or_default().to_owned();
    let instance = |it: &Json| {
        let problems = list(&it["problems"]).iter().filter_map(|it| it["message"].as_str());
        let mut problems: Vec<&str> = problems.collect();
        problems.sort_unstable();
        let status = it["status"].as_str().unwrap_or_default();
        let result = if problems.is_empty() {
            status.into()
        } else {
            json!({ "status": status, "problems": problems })
        };
        (text(it), result)
    };
    let check = |it: &Json| {
        let instances: Map<_, _> = list(&it["instances"]).iter().map(instance).collect();
        (text(it), json!({ "status": it["status"], "instances": instances }))
    };
    Json::Object(list(from).iter().map(check).collect())
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => true,
        Json::String(text) => text.is_empty(),
        Json::Array(elements) => elements.is_empty(),
        Json::Object(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Inserts a value that is not empty.
fn insert(result: &mut Map<String, Json>, name: &str, value: Json) {
    if !is_empty(&value) {
        result.insert(name.to_owned(), value);
    }
}

/// The value without null attributes at the top, and without random values.
fn without_nulls(value: &Json) -> Json {
    match without_uuids(value) {
        Json::Object(entries) => Json::Object(entries.into_iter().filter(|(_, it)| !it.is_null()).collect()),
        other => other,
    }
}

/// The paths of a tree of marks that lead to `true`.
fn marked(tree: &Json) -> Json {
    match tree {
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, it)| (key.clone(), marked(it)));
            Json::Object(entries.filter(|(_, it)| !is_empty(it)).collect())
        }
        Json::Array(elements) => {
            let elements: Vec<Json> = elements.iter().map(marked).collect();
            if elements.iter().all(is_empty) { Json::Array(Vec::new()) } else { Json::Array(elements) }
        }
        other => other.clone(),
    }
}

/// Replaces random values, such as the IDs of `terraform_data`.
fn without_uuids(value: &Json) -> Json {
    match value {
        Json::String(text) => replace_uuids(text).into(),
        Json::Array(elements) => elements.iter().map(without_uuids).collect(),
        Json::Object(entries) => {
            Json::Object(entries.iter().map(|(key, it)| (key.clone(), without_uuids(it))).collect())
        }
        other => other.clone(),
    }
}

fn replace_uuids(text: &str) -> String {
    let is_uuid = |it: &[u8]| {
        it.iter().enumerate().all(|(i, byte)| match i {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    };
    match text.as_bytes().windows(36).position(is_uuid) {
        Some(start) => format!("{}<uuid>{}", &text[..start], replace_uuids(&text[start + 36..])),
        None => text.to_owned(),
    }
}
