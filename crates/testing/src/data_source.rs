//! Data sources.

use std::sync::Arc;

use ferroform::raw::AnyDataSource;
use ferroform::value::Value;
use ferroform::{Deferral, Diagnostic, Diagnostics, Result};
use ferroform_engine::{DataResponse, contract};

use crate::config::read;
use crate::diff::SchemaOwner;
use crate::{Configuration, Harness, Invariant, Snapshot};

/// A data source.
#[derive(Clone)]
pub struct DataSource {
    harness: Harness,
    type_name: String,
    source: Arc<dyn AnyDataSource>,
}

impl DataSource {
    pub(crate) fn new(harness: Harness, type_name: &str, source: Arc<dyn AnyDataSource>) -> DataSource {
        DataSource { harness, type_name: type_name.into(), source }
    }

    /// Looks it up.
    ///
    /// # Panics
    ///
    /// Where it fails, or a law is broken.
    #[track_caller]
    pub fn read(&self, config: Configuration) -> Snapshot {
        self.must_read(&config).unwrap_or_else(|errors| {
            let errors = self.harness.sensitive_values().redact(&errors.to_string());
            panic!("the reading of {} failed:\n{errors}", self.type_name)
        })
    }

    /// Looks up what must not be found, and answers the errors and warnings.
    ///
    /// # Panics
    ///
    /// Where it goes well, or a law is broken.
    #[track_caller]
    pub fn expect_error(&self, config: Configuration) -> Diagnostics {
        match self.must_read(&config) {
            Err(errors) => errors,
            Ok(found) => panic!("an error is expected, but it went well:\n{found}"),
        }
    }

    /// What is found; to be put off is an error.
    #[track_caller]
    fn must_read(&self, config: &Configuration) -> Result<Snapshot> {
        match self.try_read(config)? {
            (found, None) => Ok(found),
            (_, Some(why)) => Err(Diagnostic::error(format!("It is put off: {why:?}")).into()),
        }
    }

    #[track_caller]
    pub(crate) fn try_read(&self, config: &Configuration) -> Result<(Snapshot, Option<Deferral>)> {
        let step = format!("the reading of data source {}", self.type_name);
        let block = &self.source.schema().block;
        let config = read(block, config)?;
        self.harness.sensitive_values().record(block, &config);
        let config = self.harness.round_trip(&step, &config, &block.ty());
        self.harness.run_for_diagnostics(&step, self.harness.server().validate_data_source(&self.type_name, config.clone()))?;
        let caller = self.harness.caller();
        let response = self.harness.server().read_data(&self.type_name, config.clone(), &caller);
        let note = |it: &DataResponse| it.state.iter().for_each(|it| self.harness.sensitive_values().record(block, it));
        let done = self.harness.run(&step, response, note);
        self.harness.check_diagnostics(&step, done.diagnostics)?;
        let value = done.state.unwrap_or(Value::Null);
        let snapshot = |value| Snapshot { owner: SchemaOwner::DataSource(self.source.clone()), value };
        if done.deferred.is_some() {
            return Ok((snapshot(value), done.deferred));
        }
        self.harness.check(Invariant::StateIsValid, &step, &contract::state(block, &value));
        self.harness.check(Invariant::ResultMatchesPlan, &step, &contract::plan(block, &config, &Value::Null, &value));
        let value = self.harness.round_trip(&step, &value, &block.ty());
        Ok((snapshot(value), None))
    }
}
