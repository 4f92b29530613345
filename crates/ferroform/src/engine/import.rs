//! ImportResourceState.

use ferroform_value::Value;

use super::run::{Effect, run};
use super::{Caller, Server, contract, overlay};
use crate::{Deferral, Diagnostic, Diagnostics, Result};

/// What is to be imported.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// The resource.
    pub type_name: String,
    /// The import id.
    pub id: String,
    /// What comes along.
    pub caller: Caller,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct ImportResponse {
    /// The object; not known where the import is put off, none where there was an error.
    pub state: Option<Value>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// Why it is put off, where it is.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl Server {
    /// Finds an object that exists already.
    pub async fn import(&self, request: ImportRequest) -> ImportResponse {
        let mut response = ImportResponse::default();
        if let Err(more) = self.import_into(request, &mut response).await {
            response.diagnostics.extend(more);
        }
        response
    }

    async fn import_into(&self, request: ImportRequest, response: &mut ImportResponse) -> Result<()> {
        let ImportRequest { type_name, id, caller } = request;
        let resource = self.resource(&type_name)?.clone();
        if !resource.abilities().import {
            let detail =
                format!("{type_name} cannot be imported: the provider has no way to find one by an id.");
            return Err(Diagnostic::error("Resource Import Not Implemented").detail(detail).into());
        }
        let block = &resource.schema().block;
        response.deferred = self.put_off(&caller, false);
        if response.deferred.is_some() {
            response.state = Some(Value::UNKNOWN);
            return Ok(());
        }
        let call = self.call(&caller)?;
        let what = format!("The import of {type_name}");
        let answer = resource.import(call.clone(), id.clone());
        let state = run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
        response.deferred = call.allowed_deferral();
        let Some(state) = state else {
            response.state = response.deferred.map(|_| Value::UNKNOWN);
            return Ok(());
        };
        let state = overlay::without_write_only(block, &state);
        let has = |it: &&crate::schema::Attribute| state.attribute(&it.name).is_some_and(|it| !it.is_null());
        if !block.attributes.is_empty() && block.attributes.iter().find(has).is_none() {
            if id.is_empty() {
                let mut private = call.take_private();
                private.mark_imported();
                (response.state, response.private) = (Some(Value::Null), private.encode());
                return Ok(());
            }
            let detail = format!("The import of {type_name} answered an object in which nothing is set.");
            return Err(Diagnostic::error("Missing Resource Import State").detail(detail).into());
        }
        let broken = contract::state(block, &state);
        let mut private = call.take_private();
        private.mark_imported();
        if !broken.is_empty() {
            return Err(broken);
        }
        (response.state, response.private) = (Some(state), private.encode());
        Ok(())
    }
}
