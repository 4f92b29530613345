//! Reads of data sources.

use ferroform::Deferral;
use ferroform::schema::Block;
use ferroform_lang::marks::{Marked, Marks};

use super::decode::{Decoded, located};
use super::evaluation::Evaluation;
use super::problem::{Problem, Result, diagnostics_of_failure};
use super::resource_instance::ResourceInstance;
use super::state::Object;
use super::values::{marked, with_unknown_computed};
use crate::Configuration;
use crate::instance_state::InstanceState;
use crate::outcome::StepFailure;

impl Evaluation<'_> {
    /// Reads a data source and stores its object in the state. Returns the reason if the provider defers the read.
    pub(crate) fn read_data(
        &mut self,
        it: &ResourceInstance<'_>,
        decoded: &Decoded,
    ) -> Result<std::result::Result<Marked, Deferral>> {
        let source = self.providers.get(it.provider)?.data_source(&it.resource.id.kind);
        let label = it.address.to_string();
        let configuration = Configuration::from_entries(decoded.configuration.clone());
        let snapshot = match source.run_read(&format!("the read of {label}"), &configuration) {
            Err(StepFailure::Deferred(reason)) => return Ok(Err(reason)),
            read => {
                read.map_err(|error| located(diagnostics_of_failure(error, &label), &it.resource.config))?
            }
        };
        self.report(Problem::from_provider(snapshot.warnings().clone(), &label));
        let sensitive = decoded.sensitive();
        let value = marked(source.block(), snapshot.value(), &sensitive);
        let state = InstanceState::new(snapshot.value().clone(), Vec::new());
        let object = Object::new(it.provider.clone(), (source.block(), source.version()), None, &state)?;
        self.state.objects.insert((it.address.clone(), None), Object { sensitive, ..object });
        self.check_postconditions(it, &value)?;
        Ok(Ok(value))
    }

    /// Stores the configuration of a data source that could not be read.
    pub(crate) fn store_unread(
        &mut self,
        it: &ResourceInstance<'_>,
        block: &Block,
        decoded: &Decoded,
    ) -> Result<Marked> {
        let state = InstanceState::new(decoded.value.clone(), Vec::new());
        let object = Object::new(it.provider.clone(), (block, 0), None, &state)?;
        self.state.objects.insert((it.address.clone(), None), object);
        Ok(marked(block, &with_unknown_computed(block, &decoded.value), &Marks::none()))
    }
}
