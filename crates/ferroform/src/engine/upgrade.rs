//! UpgradeResourceState.

use ferroform_value::{Value, json};

use super::{Server, overlay};
use crate::{Diagnostic, Result};

impl Server {
    /// Reads a stored state, given as JSON, in the form of the current schema.
    ///
    /// # Errors
    ///
    /// Where the state is not of the schema's type, or of another version of it.
    pub fn upgrade(&self, type_name: &str, version: i64, stored: &[u8]) -> Result<Value> {
        let schema = self.resource(type_name)?.schema();
        if version != schema.version {
            let (now, cannot) = (schema.version, "the provider has no upgrade from that version");
            let detail =
                format!("The state of {type_name} has version {version}, the provider's is {now}: {cannot}.");
            return Err(Diagnostic::error("Unable to Upgrade Resource State").detail(detail).into());
        }
        // Attributes that the schema no longer has are left behind, as Terraform does with them.
        let state = json::decode_state(stored, &schema.block.ty(), true).map_err(|error| {
            let detail = format!("The stored state of {type_name} does not fit its schema: {error}.");
            Diagnostic::error("Unable to Read Previously Saved State for UpgradeResourceState").detail(detail)
        })?;
        Ok(overlay::settle(&schema.block, &overlay::without_write_only(&schema.block, &state)))
    }
}
