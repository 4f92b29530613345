//! `UpgradeResourceIdentity`: a stored identity of an earlier version in the form of the current one.

use ferroform_value::{Value, json};

use crate::resource_identity::{known, without_identity};
use crate::run_method::guarded_now;
use crate::{Diagnostic, Result};
use crate::{ProviderServer, contract};

impl ProviderServer {
    /// Reads a stored identity, given as JSON, in the form of the current version. One that has no upgrade is
    /// null: it is made anew where the object is next read.
    ///
    /// # Errors
    ///
    /// Where the resource has no identity, or has it in this version; where the identity does not fit its version,
    /// or the upgrade fails.
    pub fn upgrade_identity(&self, type_name: &str, version: i64, stored: &[u8]) -> Result<Value> {
        guarded_now(&format!("the upgrade of the identity of {type_name}"), || {
            self.upgrade_identity_now(type_name, version, stored)
        })
    }

    fn upgrade_identity_now(&self, type_name: &str, version: i64, stored: &[u8]) -> Result<Value> {
        let resource = self.resource(type_name)?;
        let schema = resource.identity().ok_or_else(|| without_identity(type_name))?;
        if stored.is_empty() {
            return Ok(Value::Null);
        }
        if version >= schema.version {
            let detail = format!(
                "The identity of {type_name} has version {version}, the provider's is {}: there is nothing to upgrade.",
                schema.version
            );
            return Err(Diagnostic::error("Unexpected Identity Upgrade Request").detail(detail).into());
        }
        let Some(upgrade) = schema.upgrades.iter().find(|it| it.version == version) else {
            return Ok(Value::Null);
        };
        let old = json::decode_state(stored, &upgrade.ty, true).map_err(|error| {
            let detail =
                format!("The stored identity of {type_name} does not fit its version {version}: {error}.");
            Diagnostic::error("Unable to Read Previously Saved Identity for UpgradeResourceIdentity")
                .detail(detail)
        })?;
        let new = (upgrade.run)(&old)?;
        let broken = contract::conforms(&schema.block, &new);
        if broken.is_empty() { Ok(known(new).unwrap_or(Value::Null)) } else { Err(broken) }
    }
}
