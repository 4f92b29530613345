//! ReadDataSource.

use ferroform_value::Value;

use super::run::{Effect, run};
use super::{Server, contract, merge, overlay};
use crate::{Diagnostics, Result};

impl Server {
    /// Looks up a data source: its state, and what was said about it.
    pub async fn read_data(&self, type_name: &str, config: Value) -> (Option<Value>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let result = self.read_data_into(type_name, config, &mut diagnostics).await;
        (diagnostics.take(result), diagnostics)
    }

    async fn read_data_into(&self, type_name: &str, config: Value, found: &mut Diagnostics) -> Result<Value> {
        let source = self.data_source(type_name)?.clone();
        let block = &source.schema().block;
        let config = super::configure::object_of(block, &config);
        let config = super::blocks::prepared(block, config);
        let asked = match &config {
            Value::Object(it) => merge::with_defaults(block, it),
            _ => config,
        };
        let call = self.call();
        let what = format!("The reading of {type_name}");
        let answer = source.read(call.clone(), asked.clone());
        let computed = run(&call, &what, Effect::Reads, answer, found).await.ok_or_else(Diagnostics::new)?;
        let state = overlay::keep_same(block, &asked, &overlay::fill(&asked, computed));
        let broken = contract::state(block, &state);
        if broken.is_empty() { Ok(state) } else { Err(broken) }
    }
}
