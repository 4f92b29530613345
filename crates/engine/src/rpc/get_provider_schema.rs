//! GetProviderSchema: the schemas of the provider, and the errors in its definition.
//!
//! The derive macros reject invalid definitions at compile time. Schemas that are built at run time are checked here,
//! when Terraform asks for them, so that every error is reported at once and with its attribute path.

use std::borrow::Cow;
use std::fmt;

use crate::diagnostic_kind::DiagnosticKind;
use crate::provider::AnyResource;
use crate::schema::{Schema, SchemaError, SchemaKind, check_import_and_identity, is_name};
use crate::{Diagnostic, Diagnostics, ProviderServer};

/// The owner of a schema. The `Display` form is the one for errors: `resource local_file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner<'a> {
    /// The provider's configuration.
    Provider,
    /// The `provider_meta` blocks of modules.
    ProviderMeta,
    /// The resource with this full name.
    Resource(&'a str),
    /// The list resource with this full name.
    ListResource(&'a str),
    /// The data source with this full name.
    DataSource(&'a str),
    /// The ephemeral resource with this full name.
    EphemeralResource(&'a str),
    /// The action with this full name.
    Action(&'a str),
    /// The state store with this full name.
    StateStore(&'a str),
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Provider => f.write_str("the provider's configuration"),
            Owner::ProviderMeta => f.write_str("provider_meta"),
            Owner::Resource(name) => write!(f, "resource {name}"),
            Owner::ListResource(name) => write!(f, "list resource {name}"),
            Owner::DataSource(name) => write!(f, "data source {name}"),
            Owner::EphemeralResource(name) => write!(f, "ephemeral resource {name}"),
            Owner::Action(name) => write!(f, "action {name}"),
            Owner::StateStore(name) => write!(f, "state store {name}"),
        }
    }
}

impl ProviderServer {
    /// Visits each schema with its errors, the provider's own schema first. A provider may have thousands of types, so
    /// an owned schema is created for the visit and dropped by the visitor.
    pub fn for_each_schema<'a>(&'a self, mut visit: impl FnMut(Owner<'a>, Cow<'a, Schema>, Diagnostics)) {
        let mut visit = |owner, schema: Cow<'a, Schema>, resource: Option<&dyn AnyResource>| {
            let errors = schema_errors(owner, &schema, resource);
            visit(owner, schema, errors);
        };
        visit(Owner::Provider, Cow::Borrowed(self.provider.schema()), None);
        if let Some(meta) = self.provider.provider_meta() {
            visit(Owner::ProviderMeta, Cow::Borrowed(meta), None);
        }
        for (name, resource) in self.provider.resources() {
            visit(Owner::Resource(name), resource.describe(), Some(&**resource));
        }
        for (name, list) in self.provider.list_resources() {
            visit(Owner::ListResource(name), list.describe(), None);
        }
        for (name, source) in self.provider.data_sources() {
            visit(Owner::DataSource(name), source.describe(), None);
        }
        for (name, resource) in self.provider.ephemeral_resources() {
            visit(Owner::EphemeralResource(name), resource.describe(), None);
        }
        for (name, action) in self.provider.actions() {
            visit(Owner::Action(name), action.describe(), None);
        }
        for (name, store) in self.provider.state_stores() {
            visit(Owner::StateStore(name), store.describe(), None);
        }
    }

    /// The errors in the provider's definition: in its address, names, schemas, upgrades, import patterns and
    /// identities.
    pub fn definition_errors(&self) -> Diagnostics {
        let mut all = self.name_errors();
        self.for_each_schema(|_, _, errors| all.extend(errors));
        all
    }

    /// The errors in names, addresses and settings: [`definition_errors`](ProviderServer::definition_errors) without
    /// those in schemas.
    pub fn name_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        let address = self.provider.address();
        let parts: Vec<&str> = address.split('/').collect();
        if parts.len() != 3 || parts.iter().any(|it| it.is_empty()) {
            let message = format!("the address {address:?} is not of the form hostname/namespace/type");
            all.push(definition_error("the provider", &message));
        }
        for error in self.provider.definition_errors() {
            all.push(definition_error("the provider", &error));
        }
        let provider_name = parts.last().copied().unwrap_or_default();
        let resources = self.provider.resources().iter().map(|(name, _)| (name, Owner::Resource(name)));
        let sources = self.provider.data_sources().iter().map(|(name, _)| (name, Owner::DataSource(name)));
        let ephemeral = self.provider.ephemeral_resources().iter();
        let ephemeral = ephemeral.map(|(name, _)| (name, Owner::EphemeralResource(name)));
        let actions = self.provider.actions().iter().map(|(name, _)| (name, Owner::Action(name)));
        let stores = self.provider.state_stores().iter().map(|(name, _)| (name, Owner::StateStore(name)));
        for (name, owner) in resources.chain(sources).chain(ephemeral).chain(actions).chain(stores) {
            // Terraform finds the provider of a type by the part of its name before the first underscore.
            let rest = name.strip_prefix(provider_name);
            if !rest.is_some_and(|it| it.is_empty() || it.starts_with('_')) {
                all.push(definition_error(owner, &format!("the name must begin with \"{provider_name}_\"")));
            }
        }
        for (name, resource) in self.provider.resources() {
            for error in resource.moves().iter().filter_map(|it| it.definition_error()) {
                all.push(definition_error(Owner::Resource(name), &error));
            }
        }
        all.extend(self.list_resource_errors());
        all.extend(self.function_errors());
        all.extend(self.setting_errors());
        all
    }

    /// The errors about list resources without a resource, or whose resource has no identity.
    fn list_resource_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, _) in self.provider.list_resources() {
            let message = match self.resource(name) {
                Ok(resource) if resource.identity().is_some() => continue,
                Ok(_) => format!("the resource {name} has no identity, which each result of a list requires"),
                Err(_) => format!("the provider has no resource {name} whose objects it could list"),
            };
            let mut error = definition_error(Owner::ListResource(name), &message);
            error.summary = "ListResource Type Defined without a Matching Managed Resource Type".to_owned();
            all.push(error);
        }
        all
    }

    /// The errors in the names and signatures of functions.
    pub fn function_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, function) in self.provider.functions() {
            let owner = format!("function {name}");
            if !is_name(name) {
                all.push(definition_error(&owner, "the name is not a valid identifier"));
            }
            all.extend(
                function.signature().definition_errors().iter().map(|it| definition_error(&owner, it)),
            );
        }
        all
    }
}

/// The errors in one schema, and in the upgrades, import patterns and identity of its resource.
fn schema_errors(owner: Owner<'_>, schema: &Schema, resource: Option<&dyn AnyResource>) -> Diagnostics {
    let mut errors = match owner {
        // `setting_errors` checks the schema of `provider_meta`.
        Owner::ProviderMeta => Vec::new(),
        Owner::Provider => schema.definition_errors_of(SchemaKind::Provider),
        Owner::Resource(_) => schema.definition_errors_of(SchemaKind::Resource),
        Owner::ListResource(_) => schema.definition_errors_of(SchemaKind::ListResource),
        Owner::DataSource(_) => schema.definition_errors_of(SchemaKind::DataSource),
        Owner::EphemeralResource(_) => schema.definition_errors_of(SchemaKind::EphemeralResource),
        Owner::Action(_) => schema.definition_errors_of(SchemaKind::Action),
        Owner::StateStore(_) => schema.definition_errors_of(SchemaKind::StateStore),
    };
    if let Some(resource) = resource {
        errors.extend(schema.upgrade_errors(&resource.upgrades()));
        let patterns = resource.import_patterns();
        errors.extend(check_import_and_identity(&schema.block, resource.identity(), patterns));
    }
    errors.iter().map(|it| schema_error(owner, it)).collect()
}

/// The diagnostic about an error in a schema, with the summary of the error.
pub(crate) fn schema_error(owner: impl fmt::Display, error: &SchemaError) -> Diagnostic {
    let mut diagnostic = definition_error(owner, &error.to_string());
    diagnostic.summary = error.summary.into();
    diagnostic
}

/// The diagnostic about an error in the provider's definition.
pub(crate) fn definition_error(owner: impl fmt::Display, message: &str) -> Diagnostic {
    let detail = format!("In {owner}: {message}. This is a bug in the provider.");
    Diagnostic::error("Invalid Provider Definition").detail(detail).of_kind(DiagnosticKind::ProviderBug)
}
