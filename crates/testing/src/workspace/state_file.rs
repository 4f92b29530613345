//! State files with objects that an earlier version of a provider stored.

use std::fs;

use serde_json::json;

use super::address::provider_type;
use super::{Error, Json, Result, Workspace};
use crate::harness::lock;
use crate::terraform::{Address, Mode, ProviderReference, STATE_FILE, module_address};

/// An object for a state file; see [`Workspace::write_state`].
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// use ferroform_testing::workspace::StoredObject;
///
/// // The next plan upgrades this state of schema version 0.
/// let attributes = [("filename", "a.txt"), ("content", "hello")].into_iter().collect();
/// workspace.write_state(&[StoredObject::new("local_file.a", 0, attributes)])?;
/// assert!(workspace.plan()?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct StoredObject {
    address: String,
    version: u64,
    attributes: Json,
    sensitive: Json,
    private: Option<String>,
}

impl StoredObject {
    /// Creates an object from its address (`local_file.a`, `local_file.b["key"]`, `module.m[0].local_file.c` or
    /// `data.local_file.d`), its schema version and its attributes.
    pub fn new(address: impl Into<String>, version: u64, attributes: Json) -> StoredObject {
        StoredObject { address: address.into(), version, attributes, sensitive: json!([]), private: None }
    }

    /// Marks top-level attributes as sensitive.
    #[must_use]
    pub fn sensitive(mut self, names: &[&str]) -> StoredObject {
        self.sensitive = names.iter().map(|it| json!([{ "type": "get_attr", "value": it }])).collect();
        self
    }

    /// Sets the private state in base64, as the state file contains it.
    #[must_use]
    pub fn private(mut self, base64: impl Into<String>) -> StoredObject {
        self.private = Some(base64.into());
        self
    }
}

impl Workspace {
    /// Replaces the state file with one that contains these objects.
    ///
    /// # Errors
    ///
    /// Returns an error if an address is not one of a managed resource or data source, if an object does not belong to a
    /// provider of the workspace, or if the file cannot be written.
    pub fn write_state(&self, objects: &[StoredObject]) -> Result<()> {
        let resource = |it: &StoredObject| {
            let address = Address::parse(&it.address);
            let address = address.filter(|it| matches!(it.resource.mode, Mode::Managed | Mode::Data));
            let address = address.ok_or_else(|| {
                Error::new(format!("{} is not the address of a managed resource or data source", it.address))
            })?;
            lock(&self.external_objects).insert(address.to_string());
            let prefix = ProviderReference::implied(&address.resource.kind).name;
            let provider = self.addresses().find(|it| provider_type(it) == prefix).ok_or_else(|| {
                Error::new(format!(
                    "{address} does not belong to a provider of the workspace: no provider has the type {prefix:?}"
                ))
            })?;
            Ok(json!({
                "module": (!address.module.is_empty()).then(|| module_address(&address.module)),
                "mode": address.resource.mode.json_name(),
                "type": address.resource.kind,
                "name": address.resource.name,
                "provider": format!("provider[{provider:?}]"),
                "instances": [{
                    "index_key": address.key.json(),
                    "schema_version": it.version,
                    "attributes": it.attributes,
                    "sensitive_attributes": it.sensitive,
                    "private": it.private,
                }],
            }))
        };
        let state = json!({
            "version": 4,
            "terraform_version": "1.5.7",
            "serial": 3,
            "lineage": "0d3b7a0e-5d6b-4f3a-9a55-6f1c5f0f7b11",
            "outputs": {},
            "resources": objects.iter().map(resource).collect::<Result<Vec<_>>>()?,
            "check_results": null,
        });
        let written = fs::write(self.path().join(STATE_FILE), state.to_string());
        written.map_err(Error::context("cannot write the state"))
    }
}
