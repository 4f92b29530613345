//! Data sources under test.

use std::sync::Arc;

use ferroform::raw::AnyDataSource;
use ferroform::value::Value;
use ferroform::{Deferral, Diagnostic, Diagnostics, Result};
use ferroform_engine::Kind;
use ferroform_engine::{DataResponse, contract};

use crate::config::evaluate;
use crate::diff::SchemaOwner;
use crate::{Configuration, Harness, Invariant, Snapshot};

/// A data source of the provider under test; see [`Harness::data_source`].
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform::path;
/// use ferroform_testing::config;
///
/// let file = harness.data_source("local_file").read(config! { filename = "a.txt" });
/// assert_eq!(file.get::<String>(path!(content)), "hello");
///
/// let errors = harness.data_source("local_file").expect_error(config! { filename = "missing.txt" });
/// assert!(errors.has_error());
/// # }
/// ```
#[derive(Clone)]
pub struct DataSource {
    harness: Harness,
    type_name: String,
    source: Arc<dyn AnyDataSource>,
}

impl Harness {
    /// Returns the data source of this type.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no data source of this type.
    #[track_caller]
    pub fn data_source(&self, type_name: &str) -> DataSource {
        let source = self.server().find::<dyn AnyDataSource>(type_name);
        let source = source.unwrap_or_else(|error| panic!("{error}")).clone();
        DataSource::new(self.clone(), type_name, source)
    }
}

impl DataSource {
    pub(crate) fn new(harness: Harness, type_name: &str, source: Arc<dyn AnyDataSource>) -> DataSource {
        DataSource { harness, type_name: type_name.into(), source }
    }

    /// Validates the configuration and reads the data source.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the read is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn read(&self, config: Configuration) -> Snapshot {
        self.must_read(&config).unwrap_or_else(|errors| {
            let errors = self.harness.sensitive_values().redact(&errors.to_string());
            panic!("the read of {} failed:\n{errors}", self.type_name)
        })
    }

    /// Reads the data source, which must report an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_error(&self, config: Configuration) -> Diagnostics {
        match self.must_read(&config) {
            Err(errors) => errors,
            Ok(found) => panic!("expected an error, but the read returned:\n{found}"),
        }
    }

    /// Reads the data source, whose read must be deferred, and returns the reason.
    ///
    /// # Panics
    ///
    /// Panics if the read is not deferred, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_deferral(&self, config: Configuration) -> Deferral {
        match self.try_read(&config) {
            Ok((_, Some(reason))) => reason,
            Ok((found, None)) => panic!("expected a deferral, but the read returned:\n{found}"),
            Err(errors) => panic!("expected a deferral, but the read failed:\n{errors}"),
        }
    }

    /// Reads the data source. A deferral is an error.
    #[track_caller]
    fn must_read(&self, config: &Configuration) -> Result<Snapshot> {
        match self.try_read(config)? {
            (found, None) => Ok(found),
            (_, Some(reason)) => Err(Diagnostic::error(format!("The read was deferred: {reason:?}")).into()),
        }
    }

    #[track_caller]
    pub(crate) fn try_read(&self, config: &Configuration) -> Result<(Snapshot, Option<Deferral>)> {
        let step = format!("the read of data source {}", self.type_name);
        let block = &self.source.schema().block;
        let config = evaluate(block, config)?;
        self.harness.sensitive_values().record(block, &config);
        let config = self.harness.round_trip(&step, &config, &block.ty());
        self.harness.run_for_diagnostics(
            &step,
            self.harness.server().validate_config(
                Kind::DataSource.named(&self.type_name),
                config.clone(),
                true,
            ),
        )?;
        let metadata = self.harness.metadata();
        let response = self.harness.server().read_data_source(&self.type_name, config.clone(), &metadata);
        let record = |it: &DataResponse| {
            it.state.iter().for_each(|it| self.harness.sensitive_values().record(block, it))
        };
        let response = self.harness.run(&step, response, record);
        self.harness.check_diagnostics(&step, response.diagnostics)?;
        let value = response.state.unwrap_or(Value::Null);
        let snapshot = |value| Snapshot { owner: SchemaOwner::Object(self.source.clone()), value };
        if response.deferred.is_some() {
            return Ok((snapshot(value), response.deferred));
        }
        self.harness.check(Invariant::StateIsValid, &step, &contract::check_state(block, &value));
        self.harness.check(
            Invariant::ResultMatchesPlan,
            &step,
            &contract::check_plan(block, &config, &Value::Null, &value),
        );
        let value = self.harness.round_trip(&step, &value, &block.ty());
        Ok((snapshot(value), None))
    }
}
