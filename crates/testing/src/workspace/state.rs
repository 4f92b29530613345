//! The state.

use ferroform::Model;

use super::{Error, Json, Result, json};

/// The state, as `terraform show -json` prints it.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// workspace.apply()?;
/// let state = workspace.state()?;
/// let file = state.get("local_file.a")?;
/// assert_eq!(file.values["content"], "hello");
/// assert!(!file.is_tainted);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    json: Json,
    objects: Vec<StateObject>,
}

/// An object in the state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateObject {
    /// The address of the object: `local_file.a["key"]`.
    pub address: String,
    /// The attributes.
    pub values: Json,
    /// The structure of the attributes with `true` for each sensitive value.
    pub sensitive_values: Json,
    /// True if the object is tainted: its creation failed, or `taint` marked it. The next apply replaces it.
    pub is_tainted: bool,
    /// The schema version of the stored attributes.
    pub schema_version: u64,
    /// The resource identity; null if the object has none, or if this version of Terraform does not support identities.
    pub identity: Json,
}

impl State {
    pub(super) fn from_json(json: Json) -> State {
        let mut objects = Vec::new();
        module(&json["values"]["root_module"], &mut objects);
        State { json, objects }
    }

    /// Returns true if the state contains no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Returns all objects, including data sources and the objects of child modules.
    pub fn objects(&self) -> &[StateObject] {
        &self.objects
    }

    /// Returns an object by its address.
    ///
    /// # Errors
    ///
    /// Returns an error if the state does not contain the object.
    pub fn get(&self, address: &str) -> Result<&StateObject> {
        self.objects.iter().find(|it| it.address == address).ok_or_else(|| {
            let all: Vec<_> = self.objects.iter().map(|it| it.address.as_str()).collect();
            Error::new(format!("the state does not contain {address}; it contains [{}]", all.join(", ")))
        })
    }

    /// Returns the attributes of an object as the model of its resource or data source.
    ///
    /// ```no_run
    /// # use ferroform::Model;
    /// # #[derive(Model, Clone, Debug, PartialEq)]
    /// # struct Note { title: String, #[attr(computed)] size: u64 }
    /// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
    /// let note: Note = workspace.state()?.object("notes_note.a")?;
    /// assert_eq!(note.size, 5);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the state does not contain the object, or if its attributes do not conform to the model.
    pub fn object<M: Model>(&self, address: &str) -> Result<M> {
        let stored = self.get(address)?;
        let values = &stored.values;
        let value = json::decode(values, M::schema().block.ty());
        value.and_then(|it| M::from_value(&it)).map_err(|error| {
            let (path, version) = (error.path().to_string(), stored.schema_version);
            let at = if path.is_empty() { path } else { format!("{path}: ") };
            Error::new(format!(
                "{address} does not conform to its model: {at}{} (the schema version in the state is {version})",
                error.message()
            ))
        })
    }

    /// Returns the value of an output.
    ///
    /// # Errors
    ///
    /// Returns an error if the output does not exist.
    pub fn output(&self, name: &str) -> Result<&Json> {
        let output = self.json["values"]["outputs"].get(name).map(|it| &it["value"]);
        output.ok_or_else(|| Error::new(format!("the state does not contain the output {name}")))
    }

    /// Returns the state as `terraform show -json` prints it.
    pub fn json(&self) -> &Json {
        &self.json
    }
}

fn module(from: &Json, objects: &mut Vec<StateObject>) {
    objects.extend(json::list(&from["resources"]).iter().map(|it| StateObject {
        address: json::string(&it["address"]),
        values: it["values"].clone(),
        sensitive_values: it["sensitive_values"].clone(),
        is_tainted: it["tainted"] == true,
        schema_version: it["schema_version"].as_u64().unwrap_or_default(),
        identity: it["identity"].clone(),
    }));
    for child in json::list(&from["child_modules"]) {
        module(child, objects);
    }
}
