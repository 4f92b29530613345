//! ReadDataSource: reads a data source.
//!
//! The state consists of the configuration with its defaults and of the computed values that `read` returns. If the
//! read is deferred, the whole state is unknown.

use ferroform_value::Value;

use crate::normalization;
use crate::provider::AnyDataSource;
use crate::redaction::SensitiveValues;
use crate::rpc::respond::response;
use crate::run_method::{Effect, run};
use crate::state::overlay::{self, ValueSource};
use crate::timeouts::Operation;
use crate::{Deferral, Diagnostic, Diagnostics, ProviderServer, Result, RpcMetadata, contract};

/// The result of a read.
#[derive(Clone, Debug, Default)]
pub struct DataResponse {
    /// The state; unknown if the read is deferred.
    pub state: Option<Value>,
    /// The reason for the deferral, if the read is deferred.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(DataResponse, state);

/// Appends how to read the data source later, if the provider is not configured.
fn with_data_source_hint(diagnostic: Diagnostic) -> Diagnostic {
    if !diagnostic.is_provider_not_configured() {
        return diagnostic;
    }
    let detail = format!(
        "{} Alternatively, add these resources to the depends_on argument of the data source, so that it is read during \
         apply.",
        diagnostic.detail
    );
    diagnostic.detail(detail)
}

impl ProviderServer {
    /// Reads a data source with this configuration.
    pub async fn read_data_source(
        &self,
        type_name: &str,
        config: Value,
        metadata: &RpcMetadata,
    ) -> DataResponse {
        let operation = format!("the read of {type_name}");
        let (source, masked) = self.mask_request::<dyn AnyDataSource>(type_name, metadata, [&config]);
        masked
            .respond(&operation, DataResponse::default(), async |response, sensitive| {
                let source = source?;
                response.state = Some(
                    self.read_data_source_into(&*source, &config, metadata, &operation, sensitive, response)
                        .await?,
                );
                Ok(())
            })
            .await
    }

    async fn read_data_source_into(
        &self,
        source: &dyn AnyDataSource,
        config: &Value,
        metadata: &RpcMetadata,
        operation: &str,
        sensitive: &SensitiveValues,
        response: &mut DataResponse,
    ) -> Result<Value> {
        let block = &source.schema().block;
        let config = normalization::with_defaults(block, config)?;
        response.deferred = self.deferral_reason(metadata, false);
        if response.deferred.is_some() {
            return Ok(Value::UNKNOWN);
        }
        let cx = self.request_context(sensitive, metadata)?;
        cx.set_timeout(block, Operation::Read, &config);
        let method = source.read(cx.clone(), config.clone());
        let computed = run(&cx, operation, Effect::Reads, method, &mut response.diagnostics).await;
        response.deferred = cx.allowed_deferral();
        if response.deferred.is_some() {
            // Terraform accepts no partial state of a deferred data source.
            return Ok(Value::UNKNOWN);
        }
        let Some(computed) = computed else {
            let diagnostics = std::mem::take(&mut response.diagnostics).into_iter();
            return Err(diagnostics.map(with_data_source_hint).collect());
        };
        let state = overlay::with_computed_values(block, &config, &config, computed);
        let state = overlay::keep_semantically_equal(block, &config, &state, ValueSource::Read);
        let violations = contract::check_state(block, &state);
        if violations.is_empty() { Ok(state) } else { Err(violations) }
    }
}
