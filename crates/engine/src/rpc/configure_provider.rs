//! ValidateProviderConfig and ConfigureProvider.

use std::borrow::Cow;

use ferroform_value::Value;

use crate::planning::defaults::{self, Which};
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, run};
use crate::{Caller, ProviderServer};
use crate::{Diagnostics, Maybe};

impl ProviderServer {
    /// Makes the provider's data from its configuration, for the calls that follow.
    pub async fn configure(&self, config: Value, caller: &Caller) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let block = &self.provider.schema().block;
        let config = if config.is_null() { block.object_of(&config) } else { config };
        let filled = diagnostics.take(defaults::fill(block, &config, Which::All));
        let Some(config) = filled.map(Cow::into_owned) else { return diagnostics };
        let secrets = sensitive_values(block, [&config]);
        let call = self.configuring(caller);
        let answer = self.provider.configure(call.clone(), config);
        let what = "The configuration of the provider";
        if let Some(data) = run(&call, what, Effect::Reads, answer, &mut diagnostics).await {
            // Unknown is remembered as "not configured": what needs the provider then says so.
            *self.data.write().unwrap_or_else(std::sync::PoisonError::into_inner) = match data {
                Maybe::Known(data) => Some(data),
                Maybe::Unknown => None,
            };
        }
        secrets.mask(&mut diagnostics);
        diagnostics
    }
}
