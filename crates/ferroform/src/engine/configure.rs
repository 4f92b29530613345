//! ValidateProviderConfig and ConfigureProvider.

use ferroform_value::Value;

use super::Server;
use super::run::{Effect, run};
use crate::{Diagnostics, Maybe};

impl Server {
    /// Makes the provider's data from its configuration, for the calls that follow.
    pub async fn configure(&self, config: Value) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let call = self.early_call();
        let answer = self.provider.configure(call.clone(), config);
        let what = "The configuration of the provider";
        if let Some(data) = run(&call, what, Effect::Reads, answer, &mut diagnostics).await {
            // Unknown is remembered as "not configured": what needs the provider then says so.
            *self.data.write().unwrap_or_else(std::sync::PoisonError::into_inner) = match data {
                Maybe::Known(data) => Some(data),
                Maybe::Unknown => None,
            };
        }
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
