//! Ephemeral resources.

use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::ConfigAddress;
use super::configuration::Resource;
use super::decode::located;
use super::evaluation::Evaluation;
use super::problem::{Problem, Problems, Result, diagnostics_of_failure};
use super::resource_instance::ResourceInstance;
use super::values::{combined, marked, repetition_kind, with_unknown_computed};
use crate::Configuration;

impl Evaluation<'_> {
    /// Opens the instances of an ephemeral resource.
    pub(crate) fn open_ephemeral(
        &mut self,
        config_address: &ConfigAddress,
        resource: &Resource<'_>,
    ) -> Result<()> {
        let provider = self.provider_of(&config_address.module, resource)?;
        let mut problems = Problems::new();
        for module in self.instances_of(&config_address.module) {
            let mut values = Vec::new();
            for (key, each) in self.expand(&module, &resource.repetition)? {
                let instance = ResourceInstance::new(&module, resource, &provider, (&key, each.as_ref()));
                match self.open_instance(&instance) {
                    Ok(value) => values.push((key, value)),
                    Err(found) => problems.extend(found),
                }
            }
            self.set_value(
                &module,
                resource.id.to_string(),
                combined(values, repetition_kind(&resource.repetition)),
            );
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Opens an ephemeral resource. While its configuration is unknown, its value is unknown.
    fn open_instance(&mut self, it: &ResourceInstance<'_>) -> Result<Marked> {
        let harness = self.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        self.check_preconditions(it)?;
        let decoded = self.decode(it, block)?;
        let value = if decoded.value.is_wholly_known() {
            let label = it.address.to_string();
            let configuration = Configuration::from_entries(decoded.configuration);
            let ephemeral = harness.ephemeral_resource(&it.resource.id.kind);
            let opened = ephemeral.run_open(&format!("opening {label}"), &configuration);
            let opened = opened
                .map_err(|error| located(diagnostics_of_failure(error, &label), &it.resource.config))?;
            let value = opened.values().value().clone();
            self.open.push((it.address.clone(), opened));
            value
        } else {
            with_unknown_computed(block, &decoded.value)
        };
        // Terraform 1.11 ignores which attributes are sensitive.
        let marks = Marks::of(Mark::Ephemeral);
        let value = Marked { marks, ..marked(block, &value, &Marks::none()) };
        self.check_postconditions(it, &value)?;
        Ok(value)
    }

    /// Closes the ephemeral resources in reverse order.
    pub(crate) fn close_ephemeral(&mut self) {
        while let Some((address, open)) = self.open.pop() {
            let (Ok(diagnostics) | Err(diagnostics)) = open.run_close();
            let problems = Problem::from_provider(diagnostics, &address.to_string());
            self.report(match self.configuration.resource(&address.config()) {
                Some(it) => located(problems, &it.config),
                None => problems,
            });
        }
    }
}
