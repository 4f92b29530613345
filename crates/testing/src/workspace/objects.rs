//! The objects of a state that a workspace has not created.

use std::collections::BTreeSet;

use super::json::{self, Json};

/// The addresses of objects that a workspace has not created: imported ones, and those of a written state.
#[derive(Debug, Default)]
pub(super) struct ExternalObjects(BTreeSet<String>);

impl ExternalObjects {
    pub(super) fn insert(&mut self, address: &str) {
        self.0.insert(address.to_owned());
    }

    pub(super) fn extend(&mut self, addresses: impl Iterator<Item = String>) {
        self.0.extend(addresses);
    }

    /// Removes the objects from a state, and returns the addresses of the others.
    pub(super) fn remove_from(&self, state: &mut Json) -> Vec<String> {
        let mut others = Vec::new();
        let Some(resources) = state["resources"].as_array_mut() else { return others };
        for resource in resources.iter_mut().filter(|it| it["mode"] == "managed") {
            let mut name = format!("{}.{}", json::string(&resource["type"]), json::string(&resource["name"]));
            if let Some(module) = resource["module"].as_str() {
                name = format!("{module}.{name}");
            }
            let Some(instances) = resource["instances"].as_array_mut() else { continue };
            instances.retain(|instance| {
                let address = match &instance["index_key"] {
                    Json::Null => name.clone(),
                    key => format!("{name}[{key}]"),
                };
                let is_other = !self.0.contains(&address);
                if is_other {
                    others.push(address);
                }
                is_other
            });
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_created_objects_are_destroyed() {
        let mut state = json!({ "resources": [
            { "mode": "managed", "type": "a", "name": "x", "instances": [{ "index_key": 0 }, { "index_key": "k" }] },
            { "mode": "managed", "type": "a", "name": "y", "module": "module.m", "instances": [{}] },
            { "mode": "data", "type": "a", "name": "z", "instances": [{}] },
        ] });
        let mut external = ExternalObjects::default();
        external.insert("a.x[0]");
        assert_eq!(external.remove_from(&mut state), ["a.x[\"k\"]", "module.m.a.y"]);
        assert_eq!(state["resources"][0]["instances"], json!([{ "index_key": "k" }]));
    }
}
