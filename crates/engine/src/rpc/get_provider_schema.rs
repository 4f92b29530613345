//! What the provider offers, and what is wrong with its definition.

use std::borrow::Cow;
use std::fmt;

use crate::ProviderServer;
use crate::diagnostic_kind::DiagnosticKind;
use crate::provider::AnyResource;
use crate::schema::{Fault, Schema, SchemaKind, resource_faults};
use crate::{Diagnostic, Diagnostics};

/// Whose schema it is. Printed as in errors: `resource local_file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner<'a> {
    /// The provider's configuration.
    Provider,
    /// What modules say in their `provider_meta` blocks.
    Meta,
    /// The resource of that full name.
    Resource(&'a str),
    /// The data source of that full name.
    DataSource(&'a str),
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Provider => f.write_str("the provider's configuration"),
            Owner::Meta => f.write_str("provider_meta"),
            Owner::Resource(name) => write!(f, "resource {name}"),
            Owner::DataSource(name) => write!(f, "data source {name}"),
        }
    }
}

impl ProviderServer {
    /// Shows each schema with its faults, the provider's own first. One at a time: a schema that is not kept is the
    /// visitor's own.
    pub fn each_checked<'a>(&'a self, mut visit: impl FnMut(Owner<'a>, Cow<'a, Schema>, Diagnostics)) {
        let mut each = |owner, schema: Cow<'a, Schema>, of: Option<&dyn AnyResource>| {
            let faults = schema_faults(owner, &schema, of);
            visit(owner, schema, faults);
        };
        each(Owner::Provider, Cow::Borrowed(self.provider.schema()), None);
        if let Some(meta) = self.provider.meta() {
            each(Owner::Meta, Cow::Borrowed(meta), None);
        }
        for (name, it) in self.provider.resources() {
            each(Owner::Resource(name), it.describe(), Some(&**it));
        }
        for (name, it) in self.provider.data_sources() {
            each(Owner::DataSource(name), it.describe(), None);
        }
    }

    /// What is wrong with the provider's definition: every schema's faults, names that are used twice, and
    /// names that the host would take for another provider's.
    pub fn faults(&self) -> Diagnostics {
        let mut all = self.name_faults();
        self.each_checked(|_, _, faults| all.extend(faults));
        all
    }

    /// What is wrong with names and addresses: [`faults`](ProviderServer::faults) without those of the schemas.
    pub fn name_faults(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        let address = self.provider.address();
        let parts: Vec<&str> = address.split('/').collect();
        if parts.len() != 3 || parts.iter().any(|it| it.is_empty()) {
            all.push(fault(
                "the provider",
                &format!("the address {address:?} is not hostname/namespace/type"),
            ));
        }
        for it in self.provider.faults() {
            all.push(fault("the provider", &it));
        }
        let own = parts.last().copied().unwrap_or_default();
        let resources = self.provider.resources().iter().map(|(name, _)| (name, Owner::Resource(name)));
        let data = self.provider.data_sources().iter().map(|(name, _)| (name, Owner::DataSource(name)));
        for (name, owner) in resources.chain(data) {
            // The host finds the provider of a type by what stands before the first underscore.
            let rest = name.strip_prefix(own);
            if !rest.is_some_and(|it| it.is_empty() || it.starts_with('_')) {
                all.push(fault(owner, &format!("the name must begin with \"{own}_\"")));
            }
        }
        for (name, it) in self.provider.resources() {
            let moves = it.moves();
            let faults = moves.iter().filter_map(crate::stored_state::Move::fault);
            faults.for_each(|it| all.push(fault(Owner::Resource(name), &it)));
        }
        all.extend(self.faults_of_life());
        all
    }
}

/// What is wrong with one schema, and with what leads to it from earlier ones.
fn schema_faults(owner: Owner<'_>, schema: &Schema, of: Option<&dyn AnyResource>) -> Diagnostics {
    // What is wrong with `provider_meta` is told with the provider's limits.
    let mut faults = match owner {
        Owner::Meta => Vec::new(),
        Owner::Provider => schema.faults_of(SchemaKind::Provider),
        Owner::Resource(_) => schema.faults_of(SchemaKind::Resource),
        Owner::DataSource(_) => schema.faults_of(SchemaKind::DataSource),
    };
    if let Some(it) = of {
        faults.extend(schema.faults_of_upgrades(&it.upgrades()));
        faults.extend(resource_faults(&schema.block, it.identity(), it.import_patterns()));
    }
    faults.iter().map(|it| schema_fault(owner, it)).collect()
}

/// The error about a fault of a schema, with the summary of the fault.
pub(crate) fn schema_fault(owner: impl fmt::Display, it: &Fault) -> Diagnostic {
    let mut diagnostic = fault(owner, &it.to_string());
    diagnostic.summary = it.summary.into();
    diagnostic
}

/// The error about a provider whose definition is invalid.
pub(crate) fn fault(owner: impl fmt::Display, what: &str) -> Diagnostic {
    let detail = format!("In {owner}: {what}. This is a bug in the provider.");
    Diagnostic::error("Invalid provider definition").detail(detail).of_kind(DiagnosticKind::ProviderBug)
}
