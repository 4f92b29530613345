//! ValidateProviderConfig and ConfigureProvider.

use std::borrow::Cow;

use ferroform_value::Value;

use super::planning::defaults::{self, Which};
use super::run::{Effect, run};
use super::secrets::Secrets;
use super::{Caller, Server};
use crate::{Diagnostics, Maybe};

impl Server {
    /// Makes the provider's data from its configuration, for the calls that follow.
    pub async fn configure(&self, config: Value, caller: &Caller) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let block = &self.provider.schema().block;
        let config = if config.is_null() { object_of(block, &config) } else { config };
        let filled = diagnostics.take(defaults::fill(block, &config, Which::All));
        let Some(config) = filled.map(Cow::into_owned) else { return diagnostics };
        let secrets = Secrets::of(block, [&config]);
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

/// The object of a value that the host sent: null becomes an object whose attributes are all null.
pub(super) fn object_of(block: &crate::schema::Block, value: &Value) -> Value {
    match value {
        Value::Object(_) => value.clone(),
        _ => Value::Object(
            block
                .attributes
                .iter()
                .map(|it| (it.name.clone(), Value::Null))
                .chain(block.blocks.iter().map(|it| (it.name.clone(), it.absent())))
                .collect(),
        ),
    }
}
