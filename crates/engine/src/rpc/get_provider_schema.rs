//! GetProviderSchema: the schemas of the provider, and the errors in its definition.
//!
//! The derive macros reject invalid definitions at compile time. Schemas that are built at run time are checked here,
//! when Terraform asks for them, so that every error is reported at once and with its attribute path.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::definitions::Defined;
use crate::failed_check::provider_bug;
use crate::kind::{Kind, Owner};
use crate::provider::{AnyFunction, AnyResource};
use crate::schema::{Schema, SchemaError, check_import_and_identity, is_attribute_name};
use crate::{Diagnostic, Diagnostics, ProviderServer};

impl ProviderServer {
    /// Visits each schema with its errors, the provider's own schema first. A provider may have thousands of types, so
    /// an owned schema is created for the visit and dropped by the visitor.
    pub fn for_each_schema<'a>(&'a self, mut visit: impl FnMut(Owner<'a>, Cow<'a, Schema>, Diagnostics)) {
        let mut visit = |owner, schema: Cow<'a, Schema>, resource: Option<&Arc<dyn AnyResource>>| {
            let errors = schema_errors(owner, &schema, resource);
            visit(owner, schema, errors);
        };
        visit(Owner::PROVIDER, self.provider.describe(), None);
        if let Some(meta) = self.provider.provider_meta() {
            visit(Owner::PROVIDER_META, Cow::Borrowed(meta), None);
        }
        for (owner, definition) in self.provider.definitions().iter() {
            if let Some(object) = definition.configurable() {
                visit(owner, object.describe(), Defined::of(definition));
            }
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
        let definitions = self.provider.definitions();
        for error in definitions.duplicates().iter().chain(&self.provider.definition_errors()) {
            all.push(definition_error("the provider", error));
        }
        let provider_name = parts.last().copied().unwrap_or_default();
        for (owner, _) in definitions.iter() {
            // A list resource has the name of its resource. A function is called with the name of the provider.
            if matches!(owner.kind, Kind::ListResource | Kind::Function) {
                continue;
            }
            // Terraform finds the provider of a type by the part of its name before the first underscore.
            let rest = owner.name.strip_prefix(provider_name);
            if !rest.is_some_and(|it| it.is_empty() || it.starts_with('_')) {
                all.push(definition_error(owner, &format!("the name must begin with \"{provider_name}_\"")));
            }
        }
        for (name, resource) in definitions.of_kind::<dyn AnyResource>() {
            for error in resource.moves().iter().filter_map(|it| it.definition_error()) {
                all.push(definition_error(Kind::Resource.named(name), &error));
            }
        }
        all.extend(self.list_resource_errors());
        all.extend(self.function_errors());
        if self.provider.concurrency_limit() == Some(0) {
            all.push(definition_error("the provider", "the concurrency limit is 0, so no method can run"));
        }
        all
    }

    /// The errors about list resources without a resource, or whose resource has no identity.
    fn list_resource_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        let definitions = self.provider.definitions();
        for name in definitions.names(Kind::ListResource) {
            let message = match definitions.find::<dyn AnyResource>(name) {
                Some(resource) if resource.identity().is_some() => continue,
                Some(_) => {
                    format!("the resource {name} has no identity, which each result of a list requires")
                }
                None => format!("the provider has no resource {name} whose objects it could list"),
            };
            let mut error = definition_error(Kind::ListResource.named(name), &message);
            error.summary = "ListResource Type Defined without a Matching Managed Resource Type".to_owned();
            all.push(error);
        }
        all
    }

    /// The errors in the names and signatures of functions.
    pub fn function_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, function) in self.provider.definitions().of_kind::<dyn AnyFunction>() {
            let owner = Kind::Function.named(name);
            if !is_attribute_name(name) {
                all.push(definition_error(owner, "the name is not a valid identifier"));
            }
            all.extend(function.signature().definition_errors().iter().map(|it| definition_error(owner, it)));
        }
        all
    }
}

/// The errors in one schema, and in the upgrades, import patterns and identity of its resource.
fn schema_errors(owner: Owner<'_>, schema: &Schema, resource: Option<&Arc<dyn AnyResource>>) -> Diagnostics {
    let mut errors = schema.definition_errors_of(owner.kind);
    if let Some(resource) = resource {
        errors.extend(schema.upgrade_errors(&resource.upgrades()));
        let patterns = resource.import_patterns();
        let has_method = resource.capabilities().import_by_identity;
        errors.extend(check_import_and_identity(&schema.block, resource.identity(), patterns, has_method));
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
    provider_bug("Invalid Provider Definition", format_args!("In {owner}: {message}"))
}
