//! Prints plans as Terraform does, and generated configurations.
//!
//! ```text
//!   # notes_note.a will be updated in-place
//!   ~ resource "notes_note" "a" {
//!       ~ text  = "hello" -> "good bye"
//!         # (2 unchanged attributes hidden)
//!     }
//!
//! Plan: 0 to add, 1 to change, 0 to destroy.
//! ```

mod alignment;
mod change;
mod configuration;
mod diff;
mod text;

use ferroform_engine::Kind;

use self::change::{Action, ValueChange};
pub(crate) use self::configuration::{configuration, format_key, formatted};
use self::text::{Options, SHOWS_UNCHANGED};
use crate::terraform::explain_deferral;
use crate::workspace::json::{self, Json};
use crate::workspace::{Counts, DeferredChange, Plan, PlannedAction, ResourceChange, Schemas};

/// Prints the changes of a plan, without the legend.
pub(crate) fn plan(plan: &Plan, schemas: &Schemas) -> String {
    let changes = plan.changes();
    let resources: Vec<String> = changes
        .iter()
        .zip(json::list(&plan.json()["resource_changes"]))
        .filter(|(change, _)| is_shown(change))
        .map(|(change, json)| resource(change, json, &header(change, json), schemas, options(change)))
        .collect();
    let deferred: Vec<String> = plan
        .deferred()
        .iter()
        .zip(json::list(&plan.json()["deferred_changes"]))
        .map(|(DeferredChange { change, reason }, json)| {
            let header = format!("  # {} was deferred\n  # ({})\n", change.address, explain_deferral(reason));
            resource(change, &json["resource_change"], &header, schemas, Options::default())
        })
        .collect();
    let outputs = outputs(&plan.json()["output_changes"]);
    // Only a plan with `-refresh-only` contains no object at all.
    let mut text = if changes.is_empty() { drift(plan, schemas) } else { resources.join("\n") };
    if !resources.is_empty() {
        text += &format!("\n{}\n", summary(changes));
    }
    if !deferred.is_empty() {
        let note = "Note: This is a partial plan, parts can only be known in the next plan / apply cycle.";
        text += &format!("\n{note}\n\n{}", deferred.join("\n"));
    }
    if !outputs.is_empty() {
        text += &format!("\nChanges to Outputs:\n{outputs}");
        if resources.is_empty() {
            text += "\nYou can apply this plan to save these new output values to the Terraform\nstate, without changing any \
                     real infrastructure.\n";
        }
    }
    match text.trim_start_matches('\n') {
        "" => "No changes. Your infrastructure matches the configuration.\n".to_owned(),
        text => text.to_owned(),
    }
}

/// The part about changes that a refresh has found; empty if there are none.
fn drift(plan: &Plan, schemas: &Schemas) -> String {
    let resources: Vec<String> = plan
        .drift()
        .iter()
        .zip(json::list(&plan.json()["resource_drift"]))
        .filter(|(change, _)| is_shown(change))
        .map(|(change, json)| {
            let is_deleted = change.action == PlannedAction::Delete;
            let verb = if is_deleted { "has been deleted" } else { "has changed" };
            let header = format!("  # {} {verb}\n", change.address);
            resource(change, json, &header, schemas, Options::default())
        })
        .collect();
    if resources.is_empty() {
        return String::new();
    }
    format!(
        "Note: Objects have changed outside of Terraform\n\nTerraform detected the following changes made outside of Terraform \
         since the\nlast \"terraform apply\" which may have affected this plan:\n\n{}",
        resources.join("\n")
    )
}

/// The options for printing the change of a resource: an import without another change shows every attribute.
fn options(change: &ResourceChange) -> Options {
    let is_import = change.action == PlannedAction::NoOp && change.is_imported();
    if is_import { SHOWS_UNCHANGED } else { Options::default() }
}

/// True if Terraform prints the object: it changes, or its address does.
fn is_shown(change: &ResourceChange) -> bool {
    change.action != PlannedAction::NoOp || change.is_moved() || change.is_imported()
}

/// Prints a resource with the lines above it.
fn resource(
    change: &ResourceChange,
    json: &Json,
    header: &str,
    schemas: &Schemas,
    options: Options,
) -> String {
    let is_data = json["mode"] == "data";
    let (kind, keyword) = if is_data { (Kind::DataSource, "data") } else { (Kind::Resource, "resource") };
    let string = |name: &str| json[name].as_str().unwrap_or_default();
    let block = schemas.block(string("provider_name"), kind, string("type"));
    let planned = ValueChange::from_json(&json["change"]);
    let planned = match change.action {
        // The object stays the same, and Terraform forgets it.
        PlannedAction::Forget => planned.unchanged(),
        _ => planned,
    };
    let diff = diff::block_diff(&planned, block.as_deref());
    let symbol = match change.action {
        PlannedAction::NoOp => "   ",
        PlannedAction::Create => "  +",
        PlannedAction::Read => " <=",
        PlannedAction::Update => "  ~",
        PlannedAction::Delete => "  -",
        PlannedAction::Replace => "-/+",
        PlannedAction::CreateBeforeDestroy => "+/-",
        PlannedAction::Forget => " .",
    };
    let body = text::value(&diff, 0, options);
    format!("{header}{symbol} {keyword} \"{}\" \"{}\" {body}\n", string("type"), string("name"))
}

/// The comments above a resource.
fn header(change: &ResourceChange, json: &Json) -> String {
    let mut address = change.address.clone();
    if let Some(key) = json["deposed"].as_str() {
        address += &format!(" (deposed object {key})");
    }
    let mut lines = Vec::new();
    let reason = change.reason.as_str();
    match change.action {
        PlannedAction::NoOp if change.is_moved() => {
            lines.push(format!("{} has moved to {address}", change.previous_address));
        }
        PlannedAction::NoOp => lines.push(format!("{address} will be imported")),
        PlannedAction::Create => lines.push(format!("{address} will be created")),
        PlannedAction::Read => lines.push(format!("{address} will be read during apply")),
        PlannedAction::Update => lines.push(format!("{address} will be updated in-place")),
        PlannedAction::Delete => lines.push(format!("{address} will be destroyed")),
        PlannedAction::Forget => {
            lines
                .push(format!("{address} will no longer be managed by Terraform, but will not be destroyed"));
        }
        PlannedAction::Replace | PlannedAction::CreateBeforeDestroy => lines.push(match reason {
            "replace_because_tainted" => format!("{address} is tainted, so must be replaced"),
            "replace_by_request" => format!("{address} will be replaced, as requested"),
            "replace_by_triggers" => {
                format!("{address} will be replaced due to changes in replace_triggered_by")
            }
            _ => format!("{address} must be replaced"),
        }),
    }
    let is_delete = change.action == PlannedAction::Delete;
    if is_delete && json["deposed"].is_string() {
        lines.push("(left over from a partially-failed replacement of this instance)".to_owned());
    } else if change.action == PlannedAction::Forget {
        lines.push("(destroy = false is set in the configuration)".to_owned());
    } else if let Some(explanation) = explanation(reason, change, json) {
        lines.push(format!("({explanation})"));
    }
    if change.is_moved() && change.action != PlannedAction::NoOp {
        lines.push(format!("(moved from {})", change.previous_address));
    }
    if change.is_imported() && change.action != PlannedAction::NoOp {
        let imported = change.importing["id"].as_str().map(|it| format!("(imported from {it:?})"));
        lines.push(imported.unwrap_or_else(|| "(imported using its identity)".to_owned()));
        if change.action.is_replace() {
            lines.push("Warning: this will destroy the imported resource".to_owned());
        }
    }
    if json["change"]["generated_config"].is_string() {
        lines.push("(config will be generated)".to_owned());
    }
    let indent = if change.action == PlannedAction::Forget { " " } else { "  " };
    lines.iter().map(|line| format!("{indent}# {line}\n")).collect()
}

/// The reason for an action, as Terraform explains it.
fn explanation(reason: &str, change: &ResourceChange, json: &Json) -> Option<String> {
    let (index, module) = (&json["index"], json["module_address"].as_str().unwrap_or_default());
    let resource = || {
        let name = format!("{}.{}", json["type"].as_str()?, json["name"].as_str()?);
        Some(if module.is_empty() { name } else { format!("{module}.{name}") })
    };
    Some(match reason {
        "delete_because_no_resource_config" => format!("because {} is not in configuration", resource()?),
        "delete_because_no_module" => format!("because {module} is not in configuration"),
        "delete_because_no_move_target" => {
            format!(
                "because {} was moved to {}, which is not in configuration",
                change.previous_address, change.address
            )
        }
        "delete_because_wrong_repetition" => match index {
            Json::Null => "because resource uses count or for_each".to_owned(),
            Json::String(_) => "because resource does not use for_each".to_owned(),
            _ => "because resource does not use count".to_owned(),
        },
        "delete_because_count_index" => format!("because index [{index}] is out of range for count"),
        "delete_because_each_key" => format!("because key [{index}] is not in for_each map"),
        "read_because_config_unknown" => "config refers to values not yet known".to_owned(),
        "read_because_dependency_pending" => {
            "depends on a resource or a module with changes pending".to_owned()
        }
        "read_because_check_nested" => "config will be reloaded to verify a check block".to_owned(),
        _ => return None,
    })
}

/// The line with the number of changes.
fn summary(changes: &[ResourceChange]) -> String {
    let Counts { imported, added, changed, destroyed } = Counts::of(changes);
    let imported = if imported > 0 { format!("{imported} to import, ") } else { String::new() };
    format!("Plan: {imported}{added} to add, {changed} to change, {destroyed} to destroy.")
}

/// The changes of outputs, one in each line; empty if no output changes.
fn outputs(changes: &Json) -> String {
    let changes = changes.as_object().into_iter().flatten();
    let diffs = changes.map(|(name, it)| (name.clone(), diff::value(&ValueChange::from_json(it))));
    let diffs: Vec<_> = diffs.filter(|(_, it)| it.action != Action::NoOp).collect();
    text::values(&diffs)
}
