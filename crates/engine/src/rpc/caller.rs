//! What comes along with a call, and what is put off.

use std::sync::{Arc, PoisonError};

use ferroform_value::Value;

use crate::ProviderServer;
use crate::request::around::Around;
use crate::rpc::validate_config as validate;
use crate::{Deferral, Diagnostics, RequestContext, Result, UnknownConfig};

/// What comes along with a call besides the values that it is about.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// True where the host lets a provider put off what it cannot do yet.
    pub deferral_allowed: bool,
    /// What the module says in its `provider_meta` block; none where it says nothing.
    pub meta: Option<Value>,
    /// Which Terraform it is, where it says so. It does as it configures the provider, and that is remembered.
    pub terraform_version: Option<Arc<str>>,
}

impl ProviderServer {
    /// A call without a provider: for what comes before it is configured, and cannot be put off.
    pub(crate) fn early_call(&self) -> RequestContext {
        let around = Around { host: self.host(), ..self.around() };
        RequestContext::new(None, self.stopper.token(), around)
    }

    /// What all calls have in common.
    fn around(&self) -> Around {
        Around { clock: self.clock.clone(), spawn: self.spawn.clone(), ..Around::default() }
    }

    /// Which Terraform it is, as far as that is known.
    fn host(&self) -> Option<Arc<str>> {
        self.host.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A call that configures the provider. It is put off by answering that it is not known.
    pub(crate) fn configuring(&self, caller: &Caller) -> RequestContext {
        if let Some(it) = &caller.terraform_version {
            *self.host.write().unwrap_or_else(PoisonError::into_inner) = Some(it.clone());
        }
        let (host, deferral) = (self.host(), Some(caller.deferral_allowed));
        RequestContext::new(None, self.stopper.token(), Around { host, deferral, ..self.around() })
    }

    /// A call with the provider as configured, for something that can be put off.
    ///
    /// # Errors
    ///
    /// What is wrong with the module's `provider_meta`.
    pub(crate) fn call(&self, caller: &Caller) -> Result<RequestContext> {
        self.call_with(caller, Some(caller.deferral_allowed))
    }

    /// The same, for what was planned and must be done now.
    pub(crate) fn call_now(&self, caller: &Caller) -> Result<RequestContext> {
        self.call_with(caller, None)
    }

    fn call_with(&self, caller: &Caller, deferral: Option<bool>) -> Result<RequestContext> {
        let (meta, warnings) = self.meta(caller)?;
        let data = self.data.read().unwrap_or_else(PoisonError::into_inner).clone();
        let host = caller.terraform_version.clone().or_else(|| self.host());
        let around = Around { host, deferral, meta, turns: self.turns.clone(), ..self.around() };
        let call = RequestContext::new(data, self.stopper.token(), around);
        warnings.into_iter().for_each(|it| call.report(it));
        Ok(call)
    }

    /// The module's `provider_meta` with its type, and warnings about it.
    fn meta(&self, caller: &Caller) -> Result<(Option<(Value, ferroform_value::Type)>, Diagnostics)> {
        let mut found = Diagnostics::new();
        let given = caller.meta.as_ref().filter(|it| !it.is_null());
        let Some((schema, value)) = self.provider.meta().zip(given) else { return Ok((None, found)) };
        validate::schema("the validation of provider_meta", &schema.block, value, true, &mut found);
        // Its places are not in the configuration of what the call is about.
        let found: Diagnostics = found
            .into_iter()
            .map(|mut it| {
                let place = it.path.as_ref().map(|it| format!(", {it}")).unwrap_or_default();
                let detail = format!("In the provider_meta block of the module{place}: {}", it.detail);
                it.path = None;
                it.detail(detail)
            })
            .collect();
        if found.has_error() { Err(found) } else { Ok((Some((value.clone(), schema.block.ty())), found)) }
    }

    /// True where the provider's configuration is not known, so that there is no provider.
    pub(crate) fn is_unconfigured(&self) -> bool {
        self.data.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Why a call is put off before anything of the author's runs. `passes` says that the call can go on without
    /// the provider where that is the policy.
    pub(crate) fn put_off(&self, caller: &Caller, passes: bool) -> Option<Deferral> {
        let passes = passes && self.provider.unknown_config() == UnknownConfig::Pass;
        let waits = caller.deferral_allowed && !passes && self.is_unconfigured();
        waits.then_some(Deferral::ProviderConfigUnknown)
    }

    /// True where a method is passed over because there is no provider.
    pub(crate) fn passes_over(&self) -> bool {
        self.provider.unknown_config() == UnknownConfig::Pass && self.is_unconfigured()
    }
}
