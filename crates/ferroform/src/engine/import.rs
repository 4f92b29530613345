//! ImportResourceState.

use ferroform_value::Value;

use super::run::{Effect, run};
use super::{Server, contract, overlay};
use crate::{Diagnostic, Diagnostics, Result};

impl Server {
    /// Finds the object of that import id: its state and what the provider keeps beside it, and what was said
    /// about it.
    pub async fn import(&self, type_name: &str, id: String) -> (Option<(Value, Vec<u8>)>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let result = self.import_into(type_name, id, &mut diagnostics).await;
        (diagnostics.take(result), diagnostics)
    }

    async fn import_into(
        &self,
        type_name: &str,
        id: String,
        found: &mut Diagnostics,
    ) -> Result<(Value, Vec<u8>)> {
        let resource = self.resource(type_name)?.clone();
        if !resource.abilities().import {
            let detail =
                format!("{type_name} cannot be imported: the provider has no way to find one by an id.");
            return Err(Diagnostic::error("Resource Import Not Implemented").detail(detail).into());
        }
        let block = &resource.schema().block;
        let call = self.call();
        let what = format!("The import of {type_name}");
        let answer = resource.import(call.clone(), id.clone());
        let state = run(&call, &what, Effect::Reads, answer, found).await.ok_or_else(Diagnostics::new)?;
        let state = overlay::without_write_only(block, &state);
        let has = |it: &&crate::schema::Attribute| state.attribute(&it.name).is_some_and(|it| !it.is_null());
        if !block.attributes.is_empty() && block.attributes.iter().find(has).is_none() {
            if id.is_empty() {
                let mut private = call.take_private();
                private.mark_imported();
                return Ok((Value::Null, private.encode()));
            }
            let detail = format!("The import of {type_name} answered an object in which nothing is set.");
            return Err(Diagnostic::error("Missing Resource Import State").detail(detail).into());
        }
        let broken = contract::state(block, &state);
        let mut private = call.take_private();
        private.mark_imported();
        if broken.is_empty() { Ok((state, private.encode())) } else { Err(broken) }
    }
}
