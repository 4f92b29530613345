//! UpgradeResourceState: upgrades a stored state of an earlier schema version to the current version.
//!
//! Terraform calls this RPC for every stored state, also for those of the current version. A state of an earlier
//! version runs through the upgrades from that version on, each of which leads to the next version.
//!
//! Example: the schema has version 2, with upgrades from version 0 and from version 1.
//!
//! ```text
//! stored state  { "size": "3" }        version 0
//! upgrade 0     { size = 3 }           version 1: a number
//! upgrade 1     { size = 3, unit = "GiB" }  version 2: the current schema
//! ```

use ferroform_value::{Value, json};

use crate::diagnostic::capitalized;
use crate::failed_check::provider_bug;
use crate::provider::{AnyResource, MethodFuture};
use crate::redaction::SensitiveValues;
use crate::redaction::display::{display_path, with_display_paths};
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, run};
use crate::schema::{Block, Upgrades};
use crate::state::{overlay, stored_values};
use crate::type_mismatch;
use crate::{
    Context as _, Diagnostic, Diagnostics, ProviderServer, RequestContext, Result, StoredState, contract,
};

const READ_ERROR: &str = "Unable to Read Previously Saved State for UpgradeResourceState";
const UPGRADE_ERROR: &str = "Unable to Upgrade Resource State";
/// The detail for a state that is not JSON.
pub(crate) const FLATMAP: &str =
    "The state was written by Terraform 0.11 or earlier. Upgrade it with Terraform 0.12 first.";

impl ProviderServer {
    /// Upgrades a stored state, which is JSON. Returns the state and the diagnostics.
    pub async fn upgrade_resource_state(
        &self,
        type_name: &str,
        version: i64,
        stored: &[u8],
    ) -> (Option<Value>, Diagnostics) {
        let operation = upgrade_operation(type_name, version);
        let (resource, masked) = self.mask_request::<dyn AnyResource>(type_name, None, []);
        let mut state = None;
        let upgrade = async |diagnostics: &mut Diagnostics, sensitive: &mut SensitiveValues| {
            let resource = resource?;
            // No upgrade runs for a state of the current schema version, so only an error about the state can contain its values.
            let is_current = version == resource.schema().version;
            if !is_current {
                add_stored_values(sensitive, &*resource, &[], stored);
            }
            let upgraded =
                self.upgrade_into(&*resource, type_name, version, stored, sensitive, diagnostics).await;
            match &upgraded {
                Err(_) if is_current => add_stored_values(sensitive, &*resource, &[], stored),
                // The schema of an earlier version may not mark an attribute as sensitive.
                Ok(state) if !is_current => sensitive.add(&resource.schema().block, state),
                _ => {}
            }
            state = Some(upgraded?);
            Ok(())
        };
        let diagnostics = masked.respond(&operation, Diagnostics::new(), upgrade).await;
        (state, diagnostics)
    }

    async fn upgrade_into(
        &self,
        resource: &dyn AnyResource,
        type_name: &str,
        version: i64,
        stored: &[u8],
        sensitive: &SensitiveValues,
        diagnostics: &mut Diagnostics,
    ) -> Result<Value> {
        let schema = resource.schema();
        let current = schema.version;
        if stored.is_empty() {
            return Err(Diagnostic::error(READ_ERROR).detail(FLATMAP).into());
        }
        if version == current {
            let state = decode(READ_ERROR, type_name, version, &schema.block, stored)?;
            return Ok(overlay::with_placeholders(&schema.block, &state));
        }
        let error = |reason: &str| {
            let detail = format!(
                "The stored state of {type_name} has schema version {version}, and the provider has schema version {current}. \
                 {reason}"
            );
            Err(Diagnostic::error(UPGRADE_ERROR).detail(detail).into())
        };
        if version > current {
            return error("A newer version of the provider has written it. Use that version or a later one.");
        }
        let upgrades = resource.upgrades();
        let cx = self.unconfigured_context(sensitive);
        let operation = upgrade_operation(type_name, version);
        let method: MethodFuture<Value> = if upgrades.lead(version, current) {
            let path = UpgradePath {
                steps: upgrades,
                from: type_name.to_owned(),
                version,
                to: type_name.to_owned(),
                is_same_provider: true,
                read_error: READ_ERROR,
                upgrade_error: UPGRADE_ERROR,
            };
            let stored = stored.to_vec();
            let cx = cx.clone();
            Box::pin(async move { path.run(&stored, &cx) })
        } else if upgrades.has_fallback() {
            let step = format!("From version {version} to version {current} of {type_name}");
            let stored = StoredState::new(version, stored).context(READ_ERROR)?;
            let upgrade = resource.upgrade(cx.clone(), stored);
            Box::pin(async move { upgrade.await.context(step).context(UPGRADE_ERROR) })
        } else {
            return error(
                "This provider version cannot upgrade the state. Apply the configuration with an earlier provider version \
                 that can, and then switch back to this version. If no such version exists, report this to the authors of \
                 the provider.",
            );
        };
        let upgraded = run(&cx, &operation, Effect::Reads, method, diagnostics).await;
        let upgraded = upgraded.ok_or_else(Diagnostics::new)?;
        if upgraded.is_null() {
            let message = format!("{} returned no state", capitalized(&operation));
            return Err(provider_bug("Missing Upgraded Resource State", message).into());
        }
        let state = storable(&schema.block, &upgraded)?;
        Ok(stored_values::keep_stored(&schema.block, stored, state))
    }
}

/// The upgrade as part of a sentence.
fn upgrade_operation(type_name: &str, version: i64) -> String {
    format!("the state upgrade of {type_name} from version {version}")
}

/// Adds the sensitive values of a stored state, by the schema of the resource and those of its earlier versions.
/// `sources` are the schemas of other resources that the state may belong to.
pub(crate) fn add_stored_values(
    sensitive: &mut SensitiveValues,
    resource: &dyn AnyResource,
    sources: &[Block],
    stored: &[u8],
) {
    let earlier: Vec<Block> = resource.upgrades().earlier().map(|it| it.block).collect();
    let blocks = [&resource.schema().block].into_iter().chain(&earlier).chain(sources);
    for block in blocks.filter(|it| it.facts().has_sensitive) {
        // If the state does not conform to the schema, its attributes are found by their names.
        let value = json::decode_state(stored, block.ty(), true);
        let value = value.or_else(|_| json::decode_simple(stored).map(|it| it.without_type().clone()));
        if let Ok(value) = value {
            sensitive.add_with_defaults(block, [&value]);
        }
    }
}

/// Decodes a stored state of the schema. As in Terraform, attributes that the schema no longer has are dropped.
fn decode(summary: &str, type_name: &str, version: i64, block: &Block, stored: &[u8]) -> Result<Value> {
    let state = json::decode_state(stored, block.ty(), true).map_err(|error| {
        let path = display_path(block, error.path());
        let at = if path.is_root() { String::new() } else { format!("{path}: ") };
        let detail = format!(
            "The stored state of {type_name} does not conform to schema version {version}: {at}{}.",
            type_mismatch::message(&error)
        );
        Diagnostic::error(summary).detail(detail)
    })?;
    Ok(overlay::without_write_only(block, &state))
}

/// The upgrades from the version of a stored state to the current version of a resource.
pub(crate) struct UpgradePath {
    pub(crate) steps: Upgrades,
    /// The resource type of the stored state.
    pub(crate) from: String,
    /// The schema version of the stored state.
    pub(crate) version: i64,
    /// The resource type that the state is upgraded to; another one if the state is moved.
    pub(crate) to: String,
    /// True if this provider has written the state. Missing values are then replaced by placeholders, because its own
    /// earlier versions may have stored less.
    pub(crate) is_same_provider: bool,
    /// The summary of the error if the state cannot be read.
    pub(crate) read_error: &'static str,
    /// The summary of the error if an upgrade fails.
    pub(crate) upgrade_error: &'static str,
}

impl UpgradePath {
    /// Runs the upgrades. Returns the object of the last one, and reports the warnings.
    ///
    /// # Errors
    ///
    /// Returns an error if the state does not conform to its version, or if an upgrade fails.
    pub(crate) fn run(&self, stored: &[u8], cx: &RequestContext) -> Result<Value> {
        let steps = self.steps.from(self.version);
        let Some((last, first)) = steps.last().zip(steps.first()) else { return Ok(Value::Null) };
        let block = (first.schema)().block;
        let mut state = decode(self.read_error, &self.from, self.version, &block, stored)?;
        if self.is_same_provider {
            state = overlay::with_placeholders(&block, &state);
        }
        for step in steps {
            let (name, from) = (&self.from, step.version);
            let description = if step.version == last.version && self.from != self.to {
                format!("From version {from} of {name} to {}", self.to)
            } else {
                format!("From version {from} to version {} of {name}", from + 1)
            };
            if let Some(warnings) = &step.warnings {
                let warnings = warnings(&state).context(&description).context(self.upgrade_error)?;
                warnings.into_iter().for_each(|it| cx.report(it));
            }
            // The schema of an earlier version can have other sensitive attributes than the current one.
            let upgraded =
                (step.convert)(&state).map_err(|errors| with_display_paths(&(step.schema)().block, errors));
            state = upgraded.context(description).context(self.upgrade_error)?;
        }
        Ok(state)
    }
}

/// The part of an upgraded object that Terraform can store.
///
/// # Errors
///
/// Returns an error if the object does not conform to the schema.
pub(crate) fn storable(block: &Block, upgraded: &Value) -> Result<Value> {
    let state = overlay::without_write_only(block, upgraded);
    let mut violations = contract::check_state(block, &state);
    sensitive_values(block, [&state]).mask(&mut violations);
    if violations.is_empty() { Ok(state) } else { Err(violations) }
}
