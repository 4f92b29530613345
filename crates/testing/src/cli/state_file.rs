//! States from before: written as a file, as an earlier version of a provider left it.

use std::fs;

use serde_json::json;

use super::{Failed, Json, Result, Workspace};

/// An object in a state file: see [`Workspace::store`].
#[derive(Clone, Debug)]
pub struct Stored {
    address: String,
    version: u64,
    attributes: Json,
    sensitive: Json,
    private: Option<String>,
}

impl Stored {
    /// The object of that address (`local_file.a`), with the version of the schema that it was written with.
    pub fn new(address: impl Into<String>, version: u64, attributes: Json) -> Stored {
        Stored { address: address.into(), version, attributes, sensitive: json!([]), private: None }
    }

    /// Names the attributes that are not shown.
    #[must_use]
    pub fn sensitive(mut self, names: &[&str]) -> Stored {
        self.sensitive = names.iter().map(|it| json!([{ "type": "get_attr", "value": it }])).collect();
        self
    }

    /// What the provider kept beside it, in base64 as it stands in the file.
    #[must_use]
    pub fn private(mut self, base64: impl Into<String>) -> Stored {
        self.private = Some(base64.into());
        self
    }
}

impl Workspace {
    /// Writes the state: these objects of the workspace's providers and nothing else.
    ///
    /// # Errors
    ///
    /// Where an object is of none of the providers, or the file cannot be written.
    pub fn store(&self, objects: &[Stored]) -> Result<()> {
        let resource = |it: &Stored| {
            let wrong = || Failed::new(format!("{} is the address of no object of a provider", it.address));
            let (kind, name) = it.address.split_once('.').ok_or_else(wrong)?;
            let prefix = kind.split('_').next().unwrap_or_default();
            let mut addresses = self.addresses();
            let provider = addresses.find(|it| it.rsplit('/').next() == Some(prefix)).ok_or_else(wrong)?;
            Ok(json!({
                "mode": "managed",
                "type": kind,
                "name": name,
                "provider": format!("provider[{provider:?}]"),
                "instances": [{
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
        let written = fs::write(self.path().join("terraform.tfstate"), state.to_string());
        written.map_err(Failed::context("cannot write the state"))
    }
}
