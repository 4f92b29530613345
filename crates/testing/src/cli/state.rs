//! What the state holds.

use super::{Failed, Json, Result, json};

/// The state, as `show -json` prints it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    json: Json,
    instances: Vec<Instance>,
}

/// One object in the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The object: `local_file.a["key"]`.
    pub address: String,
    /// Its attributes.
    pub values: Json,
    /// `true` in the place of each attribute that is not shown.
    pub sensitive_values: Json,
    /// True where it was made only half, and the next apply replaces it.
    pub is_tainted: bool,
    /// The version of the schema that it was written with.
    pub schema_version: u64,
}

impl State {
    pub(super) fn read(json: Json) -> State {
        let mut instances = Vec::new();
        module(&json["values"]["root_module"], &mut instances);
        State { json, instances }
    }

    /// True where there is nothing.
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// Every object, those of modules included; data sources too.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The object of that address.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn get(&self, address: &str) -> Result<&Instance> {
        self.instances.iter().find(|it| it.address == address).ok_or_else(|| {
            let all: Vec<_> = self.instances.iter().map(|it| it.address.as_str()).collect();
            Failed::new(format!("the state does not hold {address}; it holds [{}]", all.join(", ")))
        })
    }

    /// All of it.
    pub fn json(&self) -> &Json {
        &self.json
    }
}

fn module(from: &Json, instances: &mut Vec<Instance>) {
    instances.extend(json::list(&from["resources"]).iter().map(|it| Instance {
        address: json::text(&it["address"]),
        values: it["values"].clone(),
        sensitive_values: it["sensitive_values"].clone(),
        is_tainted: it["tainted"] == true,
        schema_version: it["schema_version"].as_u64().unwrap_or_default(),
    }));
    for child in json::list(&from["child_modules"]) {
        module(child, instances);
    }
}
