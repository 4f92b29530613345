//! The metadata that Terraform sends with an RPC, and the request contexts that the engine creates from it.
//!
//! In addition to the values of an RPC, Terraform sends its client capabilities (deferred actions), the module's
//! `provider_meta` block and, with ConfigureProvider, its version. The engine validates the block and passes all of it
//! to the provider's methods in a [`RequestContext`].
//!
//! Example: a module configures `provider_meta "cloud" { team = "web" }`. Terraform sends the block with each
//! PlanResourceChange of a resource in that module, and `plan` reads it with
//! [`provider_meta`](RequestContext::provider_meta).

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use ferroform_value::{Type, Value};

use crate::ProviderServer;
use crate::redaction::SensitiveValues;
use crate::request::context::ProviderData;
use crate::request::settings::RequestSettings;
use crate::rpc::validate_config::validate_schema;
use crate::{Deferral, Diagnostics, RequestContext, Result, UnknownConfig};

/// The metadata of an RPC: everything that Terraform sends in addition to the values of the RPC.
#[derive(Clone, Debug, Default)]
pub struct RpcMetadata {
    /// True if Terraform supports deferred actions, so that the provider may defer the operation.
    pub deferral_allowed: bool,
    /// The `provider_meta` block of the module; `None` if the module has none.
    pub provider_meta: Option<Value>,
    /// The version of Terraform or OpenTofu. Only ConfigureProvider carries it; later requests use the same version.
    pub terraform_version: Option<Arc<str>>,
}

/// Each method takes the sensitive values that mask the diagnostics of the request, although it does not use them: a method of the
/// provider needs a context, so no RPC can call one without masking what it reports.
impl ProviderServer {
    /// The context of a request that does not use the configured provider and cannot be deferred: validation, state
    /// upgrades and moves.
    pub(crate) fn unconfigured_context(&self, _: &SensitiveValues) -> RequestContext {
        self.new_context(RequestSettings::default())
    }

    /// The context of ConfigureProvider. It is deferred by returning [`Unknown`](crate::Unknown) instead of the
    /// provider.
    pub(crate) fn configuring_context(&self, _: &SensitiveValues, metadata: &RpcMetadata) -> RequestContext {
        if let Some(version) = &metadata.terraform_version {
            *self.terraform_version.write().unwrap_or_else(PoisonError::into_inner) = Some(version.clone());
        }
        self.new_context(RequestSettings {
            deferral_allowed: Some(metadata.deferral_allowed),
            ..RequestSettings::default()
        })
    }

    /// The context of an operation that uses the configured provider and can be deferred.
    ///
    /// # Errors
    ///
    /// Returns the errors in the module's `provider_meta` block.
    pub(crate) fn request_context(
        &self,
        _: &SensitiveValues,
        metadata: &RpcMetadata,
    ) -> Result<RequestContext> {
        self.configured_context(metadata, Some(metadata.deferral_allowed))
    }

    /// The context of an operation that uses the configured provider and cannot be deferred: the apply of a plan.
    ///
    /// # Errors
    ///
    /// Returns the errors in the module's `provider_meta` block.
    pub(crate) fn non_deferrable_context(
        &self,
        _: &SensitiveValues,
        metadata: &RpcMetadata,
    ) -> Result<RequestContext> {
        self.configured_context(metadata, None)
    }

    /// The context of a method that the engine calls without a request from Terraform. It does not wait for the concurrency limit, because
    /// the permits can belong to methods that hang while the process ends.
    pub(crate) fn unattended_context(&self, _: &SensitiveValues) -> RequestContext {
        self.new_context(RequestSettings { provider: self.provider_data(), ..RequestSettings::default() })
    }

    fn provider_data(&self) -> Option<ProviderData> {
        self.data.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn configured_context(
        &self,
        metadata: &RpcMetadata,
        deferral_allowed: Option<bool>,
    ) -> Result<RequestContext> {
        let (provider_meta, warnings) = self.provider_meta(metadata)?;
        let cx = self.new_context(RequestSettings {
            provider: self.provider_data(),
            terraform_version: metadata.terraform_version.clone(),
            deferral_allowed,
            provider_meta,
            method_permits: self.method_permits.clone(),
            ..RequestSettings::default()
        });
        warnings.into_iter().for_each(|it| cx.report(it));
        Ok(cx)
    }

    /// A context with these settings and those that are the same for every request.
    fn new_context(&self, settings: RequestSettings) -> RequestContext {
        let known_version = || self.terraform_version.read().unwrap_or_else(PoisonError::into_inner).clone();
        let settings = RequestSettings {
            clock: self.clock.clone(),
            executor: self.executor.clone(),
            terraform_version: settings.terraform_version.clone().or_else(known_version),
            ..settings
        };
        RequestContext::new(self.stopper.token(), settings)
    }

    /// The module's `provider_meta` block with its type, and the warnings about it.
    ///
    /// # Errors
    ///
    /// Returns the errors in the block.
    fn provider_meta(&self, metadata: &RpcMetadata) -> Result<(Option<(Value, Type)>, Diagnostics)> {
        let configured = metadata.provider_meta.as_ref().filter(|it| !it.is_null());
        let Some((schema, value)) = self.provider.provider_meta().zip(configured) else {
            return Ok((None, Diagnostics::new()));
        };
        let mut diagnostics = Diagnostics::new();
        validate_schema("the validation of provider_meta", &schema.block, value, true, &mut diagnostics);
        // Terraform would look up a path of the block in the configuration of the resource, so the detail names it.
        let diagnostics: Diagnostics = diagnostics
            .into_iter()
            .map(|mut diagnostic| {
                let path = diagnostic.path.take().map(|it| format!(", {it}")).unwrap_or_default();
                let detail = format!("In the provider_meta block of the module{path}: {}", diagnostic.detail);
                diagnostic.detail(detail)
            })
            .collect();
        if diagnostics.has_error() {
            return Err(diagnostics);
        }
        Ok((Some((value.clone(), schema.block.ty().clone())), diagnostics))
    }

    /// True if there is no configured provider, because its configuration has unknown values.
    fn has_unknown_config(&self) -> bool {
        self.has_unknown_config.load(Ordering::Acquire)
    }

    /// The reason to defer an RPC before any method of the provider is called. `can_skip_provider` is true if the
    /// RPC can respond without the provider, which [`UnknownConfig::Proceed`] prefers to a deferral.
    pub(crate) fn deferral_reason(
        &self,
        metadata: &RpcMetadata,
        can_skip_provider: bool,
    ) -> Option<Deferral> {
        let is_skipped = can_skip_provider && self.provider.unknown_config() == UnknownConfig::Proceed;
        let is_deferred = metadata.deferral_allowed && !is_skipped && self.has_unknown_config();
        is_deferred.then_some(Deferral::ProviderConfigUnknown)
    }

    /// True if the RPC proceeds without calling the provider, because the provider is not configured and the RPC is not
    /// deferred.
    pub(crate) fn is_provider_skipped(&self) -> bool {
        self.provider.unknown_config() != UnknownConfig::Reject && self.has_unknown_config()
    }
}
