//! Settings of the harness: the Terraform that it simulates, the module, and the clock.

use std::time::Duration;

use ferroform::Clock;
use ferroform_engine::{ProviderServer, RpcMetadata};

use crate::config::evaluate;
use crate::harness::lock;
use crate::{Configuration, Harness, Outcome};

impl Harness {
    /// Starts a provider with a server that the test builds, for example with the real clock.
    ///
    /// ```
    /// use ferroform::Clock;
    /// use ferroform_testing::{Harness, config, provider};
    ///
    /// provider! { Pets {} }
    ///
    /// let server = ferroform::server::<Pets>().with_clock(Clock::default());
    /// let harness = Harness::with_server(server, config! {});
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the provider's definition is invalid or if the provider rejects the configuration.
    #[track_caller]
    pub fn with_server(server: ProviderServer, config: Configuration) -> Harness {
        Harness::try_with_server(server, config).ok()
    }

    /// Like [`with_server`](Harness::with_server), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_with_server(server: ProviderServer, config: Configuration) -> Outcome<Harness> {
        Harness::start_with(server, |harness| harness.run_configure(&config).map(drop))
    }

    /// Returns the clock of the provider's methods.
    ///
    /// It is a [test clock](Clock::test), unless the test [builds the server](Harness::with_server) with another one: a
    /// method that waits for minutes returns immediately.
    pub fn clock(&self) -> &Clock {
        self.server().clock()
    }

    /// Sets the real time after which an RPC fails the test. The default is 60 seconds.
    ///
    /// A method that waits without `cx` would otherwise hang the test, because the test clock does not end such a wait.
    #[must_use]
    pub fn call_timeout(self, limit: Duration) -> Harness {
        *lock(&self.shared.call_timeout) = limit;
        self
    }

    /// Simulates a version of Terraform that supports deferred actions.
    #[must_use]
    pub fn allow_deferral(self) -> Harness {
        lock(&self.shared.metadata).deferral_allowed = true;
        self
    }

    /// Simulates this version of Terraform, such as `1.11.4`.
    ///
    /// The provider has already been configured; [`configure`](Harness::configure) configures it again with this
    /// version.
    #[must_use]
    pub fn with_terraform_version(self, version: &str) -> Harness {
        lock(&self.shared.metadata).terraform_version = Some(version.into());
        self
    }

    /// Sets the `provider_meta` block of the module.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no model for provider metadata, or if the configuration does not conform to it.
    #[track_caller]
    #[must_use]
    pub fn with_provider_meta(self, meta: Configuration) -> Harness {
        let schema = self.server().provider().provider_meta();
        let schema =
            schema.unwrap_or_else(|| panic!("the provider has not registered a model for provider_meta"));
        let value =
            evaluate(&schema.block, &meta).unwrap_or_else(|errors| panic!("provider_meta:\n{errors}"));
        self.sensitive_values().record(&schema.block, &value);
        let value = self.round_trip("provider_meta", &value, schema.block.ty());
        lock(&self.shared.metadata).provider_meta = Some(value);
        self
    }

    pub(crate) fn metadata(&self) -> RpcMetadata {
        lock(&self.shared.metadata).clone()
    }
}
