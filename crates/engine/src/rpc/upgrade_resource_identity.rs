//! UpgradeResourceIdentity: upgrades a stored identity of an earlier version to the current version.

use ferroform_value::{Value, json};

use crate::provider::AnyResource;
use crate::resource_identity::{missing_identity_error, without_unknowns};
use crate::type_mismatch::message_with_path;
use crate::{Context, Diagnostic, ProviderServer, Result, contract};

impl ProviderServer {
    /// Upgrades a stored identity, which is JSON. Returns null if there is no upgrade from its version: the next read
    /// recreates the identity.
    ///
    /// # Errors
    ///
    /// Returns an error if the resource has no identity, if the stored version is not an earlier one, if the stored
    /// identity does not conform to its version, or if the upgrade fails.
    pub fn upgrade_resource_identity(&self, type_name: &str, version: i64, stored: &[u8]) -> Result<Value> {
        let (resource, masked) = self.mask_request::<dyn AnyResource>(type_name, None, []);
        masked.run(&format!("the identity upgrade of {type_name}"), || {
            upgrade(&*resource?, type_name, version, stored)
        })
    }
}

fn upgrade(resource: &dyn AnyResource, type_name: &str, version: i64, stored: &[u8]) -> Result<Value> {
    let schema = resource.identity().ok_or_else(|| missing_identity_error(type_name))?;
    if stored.is_empty() {
        return Ok(Value::Null);
    }
    if version >= schema.version {
        let detail = format!(
            "The stored identity of {type_name} has version {version}, and the current version is {}. There is \
             nothing to upgrade.",
            schema.version
        );
        return Err(Diagnostic::error("Unexpected Identity Upgrade Request").detail(detail).into());
    }
    let Some(upgrade) = schema.upgrades.iter().find(|it| it.version == version) else {
        return Ok(Value::Null);
    };
    let old = json::decode_state(stored, &upgrade.ty, true).map_err(|error| {
        let detail = format!(
            "The stored identity of {type_name} does not conform to version {version}: {}.",
            message_with_path(&error)
        );
        Diagnostic::error("Unable to Read Previously Saved Identity for UpgradeResourceIdentity")
            .detail(detail)
    })?;
    let new = (upgrade.run)(&old)
        .context(format!("Unable to upgrade the identity of {type_name} from version {version}"))?;
    let violations = contract::check_type(&schema.block, &new);
    if violations.is_empty() { Ok(without_unknowns(new).unwrap_or(Value::Null)) } else { Err(violations) }
}
