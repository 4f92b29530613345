//! Data sources under test.

use std::sync::Arc;

use ferroform::raw::AnyDataSource;
use ferroform::schema::Block;
use ferroform::value::Value;
use ferroform_engine::Kind;
use ferroform_engine::{DataResponse, contract};

use crate::diff::SchemaOwner;
use crate::outcome::StepFailure;
use crate::{Configuration, Harness, Invariant, Outcome, Snapshot};

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
/// let errors = harness.data_source("local_file").try_read(config! { filename = "missing.txt" }).error();
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
        DataSource { harness: self.clone(), type_name: type_name.into(), source: self.find(type_name) }
    }
}

impl DataSource {
    /// Validates the configuration and reads the data source. [`Snapshot::warnings`] returns the warnings of both.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the read is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn read(&self, config: Configuration) -> Snapshot {
        self.try_read(config).ok()
    }

    /// Like [`read`](DataSource::read), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_read(&self, config: Configuration) -> Outcome<Snapshot> {
        let step = format!("the read of data source {}", self.type_name);
        let found = self.run_read(&step, &config);
        Outcome::new(&self.harness, step, found)
    }

    pub(crate) fn block(&self) -> &Block {
        &self.source.schema().block
    }

    pub(crate) fn version(&self) -> i64 {
        self.source.schema().version
    }

    #[track_caller]
    pub(crate) fn run_read(&self, step: &str, config: &Configuration) -> Result<Snapshot, StepFailure> {
        let block = &self.source.schema().block;
        let owner = Kind::DataSource.named(&self.type_name);
        let (config, mut warnings) = self.harness.evaluate_and_validate(step, owner, block, config)?;
        let metadata = self.harness.metadata();
        let response = self.harness.server().read_data_source(&self.type_name, config.clone(), &metadata);
        let record = |it: &DataResponse| {
            it.state.iter().for_each(|it| self.harness.sensitive_values().record(block, it))
        };
        let response = self.harness.run(step, response, record);
        warnings.extend(self.harness.check_diagnostics(step, owner, response.diagnostics)?);
        if let Some(reason) = response.deferred {
            return Err(StepFailure::Deferred(reason));
        }
        let value = response.state.unwrap_or(Value::Null);
        self.harness.check(Invariant::StateIsValid, step, &contract::check_state(block, &value));
        self.harness.check(
            Invariant::ResultMatchesPlan,
            step,
            &contract::check_plan(block, &config, &Value::Null, &value),
        );
        let value = self.harness.round_trip(step, &value, block.ty());
        Ok(Snapshot::new(SchemaOwner::Object(self.source.clone()), value).with_warnings(warnings))
    }
}
