//! UpgradeResourceState.

use ferroform_value::{Value, json};

use crate::provider::Answer;
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, guarded, run};
use crate::schema::{Block, Upgrades};
use crate::state::overlay;
use crate::{Context as _, Diagnostic, Diagnostics, Result, StoredState};
use crate::{ProviderServer, contract};

const READ: &str = "Unable to Read Previously Saved State for UpgradeResourceState";
const UPGRADE: &str = "Unable to Upgrade Resource State";
/// What is wrong with a state that is no JSON at all.
pub(crate) const FLATMAP: &str =
    "The state was written by Terraform 0.11 or earlier. Upgrade it with Terraform 0.12 first.";

impl ProviderServer {
    /// Reads a stored state, given as JSON, in the form of the current schema, and answers what was said about
    /// it. One of an earlier version goes through the steps that lead from there.
    pub async fn upgrade(
        &self,
        type_name: &str,
        version: i64,
        stored: &[u8],
    ) -> (Option<Value>, Diagnostics) {
        let mut found = Diagnostics::new();
        let work = self.upgrade_into(type_name, version, stored, &mut found);
        let result = guarded(&format!("the upgrade of {type_name} from version {version}"), work).await;
        let state = found.take(result);
        self.hide_stored(type_name, stored, &[], &mut found);
        (state, found)
    }

    async fn upgrade_into(
        &self,
        type_name: &str,
        version: i64,
        stored: &[u8],
        found: &mut Diagnostics,
    ) -> Result<Value> {
        let resource = self.resource(type_name)?.clone();
        let schema = resource.schema();
        if stored.is_empty() {
            return Err(Diagnostic::error(READ).detail(FLATMAP).into());
        }
        if version == schema.version {
            let state = decode(READ, type_name, version, &schema.block, stored)?;
            return Ok(overlay::settle(&schema.block, &state));
        }
        let no = |why: &str| {
            let now = schema.version;
            let detail =
                format!("The state of {type_name} has version {version}, the provider's is {now}: {why}.");
            Err(Diagnostic::error(UPGRADE).detail(detail).into())
        };
        if version > schema.version {
            return no("it was written by a newer version of the provider. Use that one, or a later one");
        }
        let upgrades = resource.upgrades();
        let call = self.early_call();
        let answer: Answer<Value> = if !upgrades.from(version).is_empty() {
            let (from, to) = (type_name.to_owned(), type_name.to_owned());
            let route =
                Route { steps: upgrades, from, version, to, is_own: true, unread: READ, failed: UPGRADE };
            let stored = stored.to_vec();
            Box::pin(async move { route.follow(&stored) })
        } else if upgrades.has_fallback() {
            let what = format!("From version {version} to version {} of {type_name}", schema.version);
            let raw = resource.upgrade(call.clone(), StoredState::new(version, stored).context(READ)?);
            Box::pin(async move { raw.await.context(what).context(UPGRADE) })
        } else {
            return no("the provider has no upgrade from that version");
        };
        let what = format!("The upgrade of {type_name} from version {version}");
        let made = run(&call, &what, Effect::Reads, answer, found).await.ok_or_else(Diagnostics::new)?;
        if made.is_null() {
            let detail = format!("{what} answered nothing. This is a bug in the provider.");
            return Err(Diagnostic::error("Missing Upgraded Resource State").detail(detail).into());
        }
        finish(&schema.block, &made)
    }

    /// Hides what is sensitive in a stored state, by the schema of the resource and those before it.
    pub(crate) fn hide_stored(
        &self,
        type_name: &str,
        stored: &[u8],
        more: &[Block],
        found: &mut Diagnostics,
    ) {
        let Ok(resource) = self.resource(type_name) else { return };
        if found.is_empty() {
            return;
        }
        let earlier: Vec<Block> = resource.upgrades().earlier().map(|it| it.block).collect();
        for block in [&resource.schema().block].into_iter().chain(&earlier).chain(more) {
            // What does not fit is looked through by the names that it has.
            let value = json::decode_state(stored, &block.ty(), true);
            let value = value.or_else(|_| json::decode_simple(stored).map(|it| it.without_type().clone()));
            if let Ok(value) = value {
                sensitive_values(block, [&value]).mask(found);
            }
        }
    }
}

/// A stored state of the version that the schema has.
fn decode(summary: &str, type_name: &str, version: i64, block: &Block, stored: &[u8]) -> Result<Value> {
    // Attributes that the schema no longer has are left behind, as Terraform does with them.
    let state = json::decode_state(stored, &block.ty(), true).map_err(|error| {
        let detail =
            format!("The stored state of {type_name} does not fit its schema of version {version}: {error}.");
        Diagnostic::error(summary).detail(detail)
    })?;
    Ok(overlay::without_write_only(block, &state))
}

/// A way through the versions of a stored object.
pub(crate) struct Route {
    pub(crate) steps: Upgrades,
    /// The resource that it was stored for, and the version.
    pub(crate) from: String,
    pub(crate) version: i64,
    /// The resource that it is to be of.
    pub(crate) to: String,
    /// What this provider's earlier versions did not store is made up for; of another provider's nothing is.
    pub(crate) is_own: bool,
    /// The summary of an error where it cannot be read, and where a step fails.
    pub(crate) unread: &'static str,
    pub(crate) failed: &'static str,
}

impl Route {
    /// The object at the end.
    pub(crate) fn follow(&self, stored: &[u8]) -> Result<Value> {
        let steps = self.steps.from(self.version);
        let Some((last, first)) = steps.last().zip(steps.first()) else { return Ok(Value::Null) };
        let block = (first.schema)().block;
        let mut state = decode(self.unread, &self.from, self.version, &block, stored)?;
        if self.is_own {
            state = overlay::settle(&block, &state);
        }
        for step in steps {
            let (name, from) = (&self.from, step.version);
            let what = if step.version == last.version && self.from != self.to {
                format!("From version {from} of {name} to {}", self.to)
            } else {
                format!("From version {from} to version {} of {name}", from + 1)
            };
            state = (step.convert)(&state).context(what).context(self.failed)?;
        }
        Ok(state)
    }
}

/// What may be stored of an object that the provider made of another one.
pub(crate) fn finish(block: &Block, made: &Value) -> Result<Value> {
    let state = overlay::without_write_only(block, made);
    let mut broken = contract::state(block, &state);
    sensitive_values(block, [&state]).mask(&mut broken);
    if broken.is_empty() { Ok(state) } else { Err(broken) }
}
