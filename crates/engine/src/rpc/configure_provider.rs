//! ConfigureProvider: creates the provider's data from its configuration.
//!
//! Example: `provider "cloud" { region = var.region }`. If `var.region` is known, the `configure` method returns a client,
//! which every later request gets. If it is unknown, `configure` may return [`Unknown`](crate::Unknown); the provider
//! then counts as not configured, and operations that need it are deferred or rejected
//! ([`UnknownConfig`](crate::UnknownConfig)).

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use ferroform_value::Value;

use crate::kind::Owner;
use crate::normalization;
use crate::redaction::log_masks;
use crate::run_method::{Effect, run};
use crate::{Diagnostics, ProviderServer, RpcMetadata};

impl ProviderServer {
    /// Configures the provider, for all requests that follow. Returns the errors and warnings.
    pub async fn configure_provider(&self, config: Value, metadata: &RpcMetadata) -> Diagnostics {
        let masked = self.mask_config(Owner::PROVIDER, &config);
        let operation = "the configuration of the provider";
        masked
            .respond(operation, Diagnostics::new(), async |diagnostics, sensitive| {
                let block = &self.provider.schema().block;
                let config = normalization::with_defaults(block, &config)?;
                sensitive.add(block, &config);
                log_masks::set_provider(sensitive.strings().clone());
                *self.sensitive.write().unwrap_or_else(PoisonError::into_inner) =
                    Arc::new(sensitive.strings().clone());
                let cx = self.configuring_context(sensitive, metadata);
                let method = self.provider.configure(cx.clone(), config);
                if let Some(data) = run(&cx, operation, Effect::Reads, method, diagnostics).await {
                    self.has_unknown_config.store(data.is_unknown(), Ordering::Release);
                    *self.data.write().unwrap_or_else(PoisonError::into_inner) = data.known();
                }
                Ok(())
            })
            .await
    }
}
