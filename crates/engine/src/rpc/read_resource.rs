//! ReadResource: refreshes the state of a resource, which detects drift.
//! If the value that was read is semantically equal to the prior one, the prior value is kept, so that another format
//! of the same value is not drift. Timeouts are not part of the remote object, so they stay as well.
//!
//! ```text
//! prior state  { name = "a", policy = "{\"v\": 1}", size = 3 }
//! read         { name = "a", policy = "{\"v\":1}",  size = 4 }
//! new state    { name = "a", policy = "{\"v\": 1}", size = 4 }
//! ```

use ferroform_value::Value;

use crate::provider::AnyResource;
use crate::redaction::SensitiveValues;
use crate::request::private_state::Private;
use crate::resource_identity::{ResourceIdentity, known_identity};
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::schema::timeouts;
use crate::state::fingerprint;
use crate::state::overlay::{self, ValueSource};
use crate::timeouts::Operation;
use crate::{Deferral, Diagnostic, Diagnostics, ProviderServer, Result, RpcMetadata, contract};

/// An object to read.
#[derive(Clone, Debug, Default)]
pub struct ReadRequest {
    /// The resource type.
    pub type_name: String,
    /// The prior state.
    pub state: Option<Value>,
    /// The private state.
    pub private: Vec<u8>,
    /// The identity, if Terraform has stored one.
    pub identity: Option<Value>,
    /// The metadata of the RPC.
    pub metadata: RpcMetadata,
}

/// The result of a read.
#[derive(Clone, Debug, Default)]
pub struct ReadResponse {
    /// The new state; null if the object does not exist.
    pub state: Option<Value>,
    /// The private state.
    pub private: Vec<u8>,
    /// The identity, if the resource has one.
    pub identity: Option<Value>,
    /// The reason for the deferral, if the read is deferred. The state is then the prior state, or the values that
    /// could be read.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(ReadResponse, state);

impl ProviderServer {
    /// Reads the remote object of a resource.
    pub async fn read_resource(&self, request: ReadRequest) -> ReadResponse {
        let response = ReadResponse {
            state: request.state.clone(),
            private: request.private.clone(),
            identity: request.identity.clone(),
            deferred: None,
            diagnostics: Diagnostics::new(),
        };
        let type_name = request.type_name.clone();
        let operation = format!("the read of {type_name}");
        let (resource, masked) =
            self.mask_request::<dyn AnyResource>(&type_name, &request.metadata, &request.state);
        masked
            .respond(&operation, response, async |response, sensitive| {
                let resource = resource?;
                self.read_into(&*resource, request, &operation, sensitive, response).await
            })
            .await
    }

    async fn read_into(
        &self,
        resource: &dyn AnyResource,
        request: ReadRequest,
        operation: &str,
        sensitive: &SensitiveValues,
        response: &mut ReadResponse,
    ) -> Result<()> {
        let block = &resource.schema().block;
        let Some(prior) = request.state.filter(|it| !it.is_null()) else { return Ok(()) };
        let mut private = Private::decode(&request.private)?;
        let is_imported = private.take_imported();
        response.deferred = self.deferral_reason(&request.metadata, true);
        if response.deferred.is_some() {
            return Ok(());
        }
        // Only a read can find out whether an imported object exists, so that read is not skipped.
        if self.is_provider_skipped() && !is_imported {
            if let Some(schema) = resource.identity() {
                let stored = response.identity.take().filter(|it| !it.is_null());
                response.identity = stored.or_else(|| known_identity(schema, &prior));
            }
            let detail = format!(
                "The provider's configuration depends on values that are not known yet, so changes outside of Terraform \
                 are not detected. The plan of this {} is based on its last known state.",
                request.type_name
            );
            response.diagnostics.push(Diagnostic::warning("Object Not Refreshed").detail(detail));
            return Ok(());
        }
        let cx = self
            .request_context(sensitive, &request.metadata)?
            .with_private(private)
            .with_identity(request.identity.as_ref());
        cx.set_timeout(block, Operation::Read, &prior);
        let method = resource.read(cx.clone(), prior.clone());
        let read = run(&cx, operation, Effect::Reads, method, &mut response.diagnostics).await;
        response.deferred = cx.allowed_deferral();
        let Some(read) = read else { return Ok(()) };
        let read = timeouts::with_prior_timeouts(block, &prior, read);
        let mut private = cx.take_private();
        response.private = private.encode();
        if read.is_null() {
            response.state = Some(Value::Null);
            response.identity = None;
            return Ok(());
        }
        let state = overlay::keep_semantically_equal(block, &prior, &read, ValueSource::Read);
        let violations = contract::check_state(block, &state);
        if !violations.is_empty() {
            return Err(violations);
        }
        if let Some(identity) = ResourceIdentity::new(resource, &cx) {
            let prior_identity = request.identity.filter(|it| !it.is_null());
            let mut diagnostics = Diagnostics::new();
            let new_identity = if is_imported {
                identity.after_import(prior_identity.as_ref(), &state, &mut diagnostics).await
            } else {
                identity.after_operation("Read", prior_identity.as_ref(), &state, &mut diagnostics).await
            };
            if !diagnostics.is_empty() {
                return Err(diagnostics);
            }
            response.identity = new_identity;
        }
        fingerprint::move_with_elements(block, &prior, &state, &mut private);
        response.private = private.encode();
        response.state = Some(state);
        Ok(())
    }
}
