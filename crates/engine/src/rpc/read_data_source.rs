//! ReadDataSource.

use ferroform_value::Value;

use crate::planning::defaults::{self, Which};
use crate::redaction::Secrets;
use crate::rpc::sensitive_values::sensitive_values;
use crate::run_method::{Effect, guarded, run};
use crate::state::overlay;
use crate::state::overlay::After;
use crate::timeouts::Operation;
use crate::{Caller, ProviderServer, contract};
use crate::{Deferral, Diagnostics, Result};

/// What was looked up.
#[derive(Clone, Debug, Default)]
pub struct DataResponse {
    /// What was found; not known where the looking up is put off.
    pub state: Option<Value>,
    /// Why it is put off, where it is.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Looks up a data source.
    pub async fn read_data(&self, type_name: &str, config: Value, caller: &Caller) -> DataResponse {
        let mut response = DataResponse::default();
        let secrets = match self.data_source(type_name) {
            Ok(source) => sensitive_values(&source.schema().block, [&config]),
            Err(_) => Secrets::default(),
        };
        let work = self.read_data_into(type_name, config, caller, &mut response);
        let result = guarded(&format!("the reading of {type_name}"), work).await;
        response.state = response.diagnostics.take(result);
        secrets.mask(&mut response.diagnostics);
        response
    }

    async fn read_data_into(
        &self,
        type_name: &str,
        config: Value,
        caller: &Caller,
        response: &mut DataResponse,
    ) -> Result<Value> {
        let source = self.data_source(type_name)?.clone();
        let block = &source.schema().block;
        let config = block.object_of(&config);
        let config = crate::state::blocks::prepared(block, config);
        let asked = defaults::fill(block, &config, Which::All)?.into_owned();
        response.deferred = self.put_off(caller, false);
        if response.deferred.is_some() {
            return Ok(Value::UNKNOWN);
        }
        let call = self.call(caller)?;
        call.limit(block, Operation::Read, &asked);
        let what = format!("The reading of {type_name}");
        let answer = source.read(call.clone(), asked.clone());
        let computed = run(&call, &what, Effect::Reads, answer, &mut response.diagnostics).await;
        response.deferred = call.allowed_deferral();
        let computed = match computed {
            Some(it) if response.deferred.is_none() => it,
            // What it answered all the same is no more than a guess.
            _ if response.deferred.is_some() => return Ok(Value::UNKNOWN),
            _ => return Err(Diagnostics::new()),
        };
        let state = overlay::keep_same(block, &asked, &overlay::fill(&asked, computed), After::Read);
        let broken = contract::state(block, &state);
        if broken.is_empty() { Ok(state) } else { Err(broken) }
    }
}
