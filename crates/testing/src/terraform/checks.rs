//! The results of pre- and postconditions, validations and `check` blocks.

use std::collections::BTreeMap;

use serde_json::json;

use super::address::{
    Address, Mode, ModuleInstance, module_address, module_instance_prefix, module_path, module_path_prefix,
};
use crate::workspace::Json;

/// The status of an object with conditions. A variant that is declared later takes precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    #[default]
    Pass,
    Unknown,
    Fail,
    Error,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Unknown => "unknown",
            Status::Fail => "fail",
            Status::Error => "error",
        }
    }

    fn parse(name: &str) -> Status {
        [Status::Pass, Status::Fail, Status::Error]
            .into_iter()
            .find(|it| it.name() == name)
            .unwrap_or(Status::Unknown)
    }
}

/// An object with conditions: its kind, and its addresses in the configuration and as an instance.
#[derive(Clone, Debug)]
pub(crate) struct CheckableObject {
    kind: &'static str,
    config: String,
    instance: String,
}

impl CheckableObject {
    pub(crate) fn is_variable(&self) -> bool {
        self.kind == "var"
    }

    pub(crate) fn resource(address: &Address) -> CheckableObject {
        CheckableObject {
            kind: "resource",
            config: address.config().to_string(),
            instance: address.to_string(),
        }
    }

    pub(crate) fn of(kind: &'static str, module: &ModuleInstance, name: &str) -> CheckableObject {
        let prefix = module_path_prefix(&module_path(module));
        CheckableObject {
            kind,
            config: format!("{prefix}{name}"),
            instance: format!("{}{name}", module_instance_prefix(module)),
        }
    }
}

/// The results by object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Checks(BTreeMap<(String, String), InstanceResults>);

/// The status and the messages of each instance of an object.
type InstanceResults = BTreeMap<String, (Status, Vec<String>)>;

impl Checks {
    /// Adds an object without results.
    pub(crate) fn declare(&mut self, kind: &str, config: &str) {
        self.0.entry((kind.to_owned(), config.to_owned())).or_default();
    }

    /// Adds the result of a condition.
    pub(crate) fn record(&mut self, checked: &CheckableObject, status: Status, message: Option<String>) {
        let instances = self.0.entry((checked.kind.to_owned(), checked.config.clone())).or_default();
        let (all, messages) = instances.entry(checked.instance.clone()).or_default();
        *all = status.max(*all);
        messages.extend(message);
    }

    /// True if a condition of the object is false or cannot be evaluated.
    pub(crate) fn has_failed(&self, checked: &CheckableObject) -> bool {
        let instances = self.0.get(&(checked.kind.to_owned(), checked.config.clone()));
        instances.and_then(|it| it.get(&checked.instance)).is_some_and(|(status, _)| *status >= Status::Fail)
    }

    fn status(instances: &InstanceResults) -> Status {
        instances.values().map(|(status, _)| *status).max().unwrap_or(Status::Unknown)
    }

    /// The results as `show -json` prints them.
    pub(crate) fn json(&self) -> Json {
        let checks = self.0.iter().map(|((kind, config), instances)| {
            let objects: Vec<Json> = instances
                .iter()
                .map(|(address, (status, messages))| {
                    let mut object = json!({ "address": instance_json(address), "status": status.name() });
                    if !messages.is_empty() {
                        object["problems"] = messages.iter().map(|it| json!({ "message": it })).collect();
                    }
                    object
                })
                .collect();
            let mut check = json!({
                "address": config_json(kind, config),
                "status": Checks::status(instances).name(),
            });
            if !objects.is_empty() {
                check["instances"] = json!(objects);
            }
            check
        });
        checks.collect()
    }

    /// The results as a state file contains them.
    pub(crate) fn stored(&self) -> Json {
        if self.0.is_empty() {
            return Json::Null;
        }
        let checks = self.0.iter().map(|((kind, config), instances)| {
            let objects = instances.iter().map(|(address, (status, messages))| {
                let mut object = json!({ "object_addr": address, "status": status.name() });
                if !messages.is_empty() {
                    object["failure_messages"] = json!(messages);
                }
                object
            });
            json!({
                "object_kind": if kind == "output_value" { "output" } else { kind },
                "config_addr": config,
                "status": Checks::status(instances).name(),
                "objects": objects.collect::<Vec<_>>(),
            })
        });
        checks.collect()
    }

    /// Converts the results in a state file.
    pub(crate) fn from_json(json: &Json) -> Checks {
        let text = |it: &Json| it.as_str().unwrap_or_default().to_owned();
        let list = |it: &Json| it.as_array().cloned().unwrap_or_default();
        let checks = list(json).into_iter().map(|check| {
            let objects = list(&check["objects"]).into_iter().map(|object| {
                let messages = list(&object["failure_messages"]).iter().map(text).collect();
                (text(&object["object_addr"]), (Status::parse(&text(&object["status"])), messages))
            });
            let kind = match text(&check["object_kind"]) {
                kind if kind == "output" => "output_value".to_owned(),
                kind => kind,
            };
            ((kind, text(&check["config_addr"])), objects.collect())
        });
        Checks(checks.collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The address of an object in the configuration, with its parts. Those of variables, outputs and checks have the form of a
/// resource's address.
fn config_json(kind: &str, address: &str) -> Json {
    let mut json = json!({ "kind": kind, "to_display": address });
    let Some(parsed) = Address::parse(address) else { return json };
    json["name"] = json!(parsed.resource.name);
    if kind == "resource" {
        json["mode"] = json!(if parsed.resource.mode == Mode::Data { "data" } else { "managed" });
        json["type"] = json!(parsed.resource.kind);
    }
    add_module(&mut json, &parsed);
    json
}

/// The address of an instance of an object, with its parts.
fn instance_json(address: &str) -> Json {
    let mut json = json!({ "to_display": address });
    let Some(parsed) = Address::parse(address) else { return json };
    if let Some(key) = parsed.key.json() {
        json["instance_key"] = key;
    }
    add_module(&mut json, &parsed);
    json
}

fn add_module(json: &mut Json, address: &Address) {
    if !address.module.is_empty() {
        json["module"] = json!(module_address(&address.module));
    }
}
