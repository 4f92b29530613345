//! ConfigureProvider: creates the provider's data from its configuration.
//!
//! Example: `provider "cloud" { region = var.region }`. If `var.region` is known, the `configure` method returns a client,
//! which every later request gets. If it is unknown, `configure` may return [`Unknown`](crate::Unknown); the provider
//! then counts as not configured, and operations that need it are deferred or rejected
//! ([`UnknownConfig`](crate::UnknownConfig)).

use std::borrow::Cow;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use ferroform_value::Value;

use crate::planning::defaults::{self, DefaultScope};
use crate::redaction::log_masks;
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, run};
use crate::{Diagnostics, ProviderServer, RpcMetadata};

impl ProviderServer {
    /// Configures the provider, for all requests that follow. Returns the errors and warnings.
    pub async fn configure_provider(&self, config: Value, metadata: &RpcMetadata) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let block = &self.provider.schema().block;
        let config = if config.is_null() { block.object_of(&config) } else { config };
        let with_defaults = defaults::apply_defaults(block, &config, DefaultScope::All).map(Cow::into_owned);
        let Some(config) = diagnostics.ok_or_extend(with_defaults) else { return diagnostics };
        let sensitive = sensitive_values(block, [&config]);
        log_masks::set_provider(sensitive.strings());
        *self.sensitive.write().unwrap_or_else(PoisonError::into_inner) =
            sensitive.clone().into_strings().into();
        let cx = self.configuring_context(metadata);
        let method = self.provider.configure(cx.clone(), config);
        let operation = "The configuration of the provider";
        if let Some(data) = run(&cx, operation, Effect::Reads, method, &mut diagnostics).await {
            self.has_unknown_config.store(data.is_unknown(), Ordering::Release);
            *self.data.write().unwrap_or_else(PoisonError::into_inner) = data.known();
        }
        sensitive.mask(&mut diagnostics);
        diagnostics
    }
}
