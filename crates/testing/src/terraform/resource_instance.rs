//! The instances of resources in a configuration.

use ferroform::schema::Block;
use ferroform_lang::marks::Marked;

use super::address::{Address, InstanceKey, ModuleInstance};
use super::configuration::Resource;
use super::problem::{Problem, Result};
use super::providers::ProviderKey;
use super::values::instance_values;
use crate::Harness;

/// The values that are available only in one block, by their names: `each`, `count` and `self`.
pub(crate) type BlockValues = Vec<(&'static str, Marked)>;

/// An instance of a resource, data source or ephemeral resource.
pub(crate) struct ResourceInstance<'r> {
    pub(crate) address: Address,
    pub(crate) resource: &'r Resource<'r>,
    pub(crate) provider: &'r ProviderKey,
    /// `each` or `count`.
    pub(crate) values: BlockValues,
}

impl<'r> ResourceInstance<'r> {
    /// An instance in a module instance, with its key and the value of `each.value`.
    pub(crate) fn new(
        module: &ModuleInstance,
        resource: &'r Resource<'r>,
        provider: &'r ProviderKey,
        (key, each): (&InstanceKey, Option<&Marked>),
    ) -> ResourceInstance<'r> {
        ResourceInstance {
            address: Address { module: module.clone(), resource: resource.id.clone(), key: key.clone() },
            resource,
            provider,
            values: instance_values(key, each).into_iter().collect(),
        }
    }

    /// Returns the values for its postconditions.
    pub(crate) fn values_with_self(&self, value: &Marked) -> BlockValues {
        let mut values = self.values.clone();
        values.push(("self", value.clone()));
        values
    }
}

impl Resource<'_> {
    /// The schema of its type.
    pub(crate) fn block<'h>(&self, harness: &'h Harness) -> Result<&'h Block> {
        let owner = self.id.mode.kind().named(&self.id.kind);
        harness.server().block(owner).map_err(|_| vec![self.unknown_type()])
    }

    /// The error about a type that the provider does not define.
    fn unknown_type(&self) -> Problem {
        let (kind, name) = (self.id.mode.noun(), &self.id.kind);
        let detail = format!("The provider does not support {kind} type {name:?}.");
        let summary = match kind {
            "resource" => "Invalid resource type".to_owned(),
            _ => format!("Invalid {kind}"),
        };
        Problem::error(summary, detail).at(self.config.file, self.config.header.clone())
    }
}
