//! ReadResource.

use ferroform_value::Value;

use crate::request::private_state::Private;
use crate::resource_identity::{Identified, so_far};
use crate::run_method::{Effect, guarded, run};
use crate::schema::timeouts;
use crate::state::fingerprint;
use crate::state::overlay;
use crate::state::overlay::After;
use crate::timeouts::Operation;
use crate::{Caller, ProviderServer, contract};
use crate::{Deferral, Diagnostics, Result};

/// What is to be read.
#[derive(Clone, Debug, Default)]
pub struct ReadRequest {
    /// The resource.
    pub type_name: String,
    /// The object as the state has it.
    pub state: Option<Value>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// What the object is known by, where that is in the state.
    pub identity: Option<Value>,
    /// What comes along.
    pub caller: Caller,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct ReadResponse {
    /// The object as it is now; null where it is gone.
    pub state: Option<Value>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// What the object is known by, where the resource has an identity.
    pub identity: Option<Value>,
    /// Why it is put off, where it is; the state is then as it was, or as well as it could be read.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Reads a resource as it is now.
    pub async fn read(&self, request: ReadRequest) -> ReadResponse {
        let mut response = ReadResponse {
            state: request.state.clone(),
            private: request.private.clone(),
            identity: request.identity.clone(),
            deferred: None,
            diagnostics: Diagnostics::new(),
        };
        let secrets = self.secrets(&request.type_name, [&request.state]);
        let what = format!("the reading of {}", request.type_name);
        let done = guarded(&what, self.read_into(request, &mut response)).await;
        response.diagnostics.take(done);
        secrets.mask(&mut response.diagnostics);
        response
    }

    async fn read_into(&self, request: ReadRequest, response: &mut ReadResponse) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let block = &resource.schema().block;
        let Some(known) = request.state.filter(|it| !it.is_null()) else { return Ok(()) };
        let mut private = Private::decode(&request.private)?;
        let imported = private.take_imported();
        response.deferred = self.put_off(&request.caller, true);
        if response.deferred.is_some() {
            return Ok(());
        }
        // Whether there is an object that was only asked for, nobody knows who has not read it.
        if self.passes_over() && !imported {
            if let Some(schema) = resource.identity() {
                let stored = response.identity.take().filter(|it| !it.is_null());
                response.identity = stored.or_else(|| so_far(schema, &known));
            }
            return Ok(());
        }
        let call = self.call(&request.caller)?.with_private(private);
        call.limit(block, Operation::Read, &known);
        let what = format!("The reading of {}", request.type_name);
        let answer = resource.read(call.clone(), known.clone());
        let found = run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
        response.deferred = call.allowed_deferral();
        let Some(found) = found else { return Ok(()) };
        // Timeouts are no part of the real object: whatever was read, they stay.
        let found = timeouts::carried_over(block, &known, found);
        let mut private = call.take_private();
        response.private = private.encode();
        if found.is_null() {
            response.state = Some(Value::Null);
            response.identity = None;
            return Ok(());
        }
        let found = overlay::keep_same(block, &known, &found, After::Read);
        let broken = contract::state(block, &found);
        if !broken.is_empty() {
            return Err(broken);
        }
        if let Some(it) = Identified::new(&*resource, &call) {
            let identity = request.identity.filter(|it| !it.is_null());
            let mut said = Diagnostics::new();
            let identity = if imported {
                it.imported(identity.as_ref(), &found, &mut said).await
            } else {
                it.after("Read", identity.as_ref(), &found, &mut said).await
            };
            if !said.is_empty() {
                return Err(said);
            }
            response.identity = identity;
        }
        fingerprint::follow(block, &known, &found, &mut private);
        response.private = private.encode();
        response.state = Some(found);
        Ok(())
    }
}
