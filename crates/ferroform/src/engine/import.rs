//! ImportResourceState.

use ferroform_value::Value;

use super::run::{Effect, run};
use super::{Server, contract, overlay};
use crate::{Diagnostic, Diagnostics, Result};

impl Server {
    /// Finds the object of that import id: its state, and what was said about it.
    pub async fn import(&self, type_name: &str, id: String) -> (Option<Value>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let result = self.import_into(type_name, id, &mut diagnostics).await;
        (diagnostics.take(result), diagnostics)
    }

    async fn import_into(&self, type_name: &str, id: String, found: &mut Diagnostics) -> Result<Value> {
        let resource = self.resource(type_name)?.clone();
        if !resource.abilities().import {
            let detail =
                format!("{type_name} cannot be imported: the provider has no way to find one by an id.");
            return Err(Diagnostic::error("Resource Import Not Implemented").detail(detail).into());
        }
        let block = &resource.schema().block;
        let call = self.call();
        let what = format!("The import of {type_name}");
        let answer = resource.import(call.clone(), id);
        let state = run(&call, &what, Effect::Reads, answer, found).await.ok_or_else(Diagnostics::new)?;
        let state = overlay::without_write_only(block, &state);
        let broken = contract::state(block, &state);
        if broken.is_empty() { Ok(state) } else { Err(broken) }
    }
}
