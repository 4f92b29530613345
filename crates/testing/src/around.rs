//! What a test says of the host and the module besides the configuration, and what is put off.

use std::time::Duration;

use ferroform::{Clock, Deferral, Result};
use ferroform_engine::{ProviderServer, RpcMetadata};

use crate::config::read;
use crate::core::lock;
use crate::{Configuration, Core, DataSource, Instance};

impl Core {
    /// Starts a provider whose server is made by the test: with the real clock, for example.
    ///
    /// ```text
    /// let core = Core::serve(ferroform::server::<Local>().with_clock(Clock::default()), config! {})?;
    /// ```
    ///
    /// # Errors
    ///
    /// What the provider has against its configuration, or Ferroform against the provider's definition.
    #[track_caller]
    pub fn serve(server: ProviderServer, config: Configuration) -> Result<Core> {
        Core::with(server, config)
    }

    /// The clock of the provider's methods. It is a [test clock](Clock::test), where the test has not
    /// [chosen](Core::serve) another: a method that waits for minutes is done at once.
    pub fn clock(&self) -> &Clock {
        self.server().clock()
    }

    /// From now on the test fails where one call of the provider takes longer than this, in real time: 60 seconds,
    /// where nothing else is said. A method that waits without `cx` would hang the test, for no clock of tests ends
    /// that.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Core {
        *lock(&self.shared.patience) = patience;
        self
    }

    /// From now on the host lets the provider put off what it cannot do yet.
    #[must_use]
    pub fn allow_deferral(self) -> Core {
        lock(&self.shared.metadata).deferral_allowed = true;
        self
    }

    /// From now on the host is this version of Terraform, `1.11.4` for example. The provider has been configured
    /// already; [`configure`](Core::configure) does it anew.
    #[must_use]
    pub fn as_terraform(self, version: &str) -> Core {
        lock(&self.shared.metadata).terraform_version = Some(version.into());
        self
    }

    /// From now on the module says this in its `provider_meta` block.
    ///
    /// # Panics
    ///
    /// Where the provider has no such block, or it does not fit.
    #[track_caller]
    #[must_use]
    pub fn with_meta(self, meta: Configuration) -> Core {
        let schema = self.server().provider().meta();
        let schema =
            schema.unwrap_or_else(|| panic!("the provider has registered no model of provider_meta"));
        let value = read(&schema.block, &meta).unwrap_or_else(|errors| panic!("provider_meta:\n{errors}"));
        self.secrets().note(&schema.block, &value);
        let value = self.crossing("provider_meta", &value, &schema.block.ty());
        lock(&self.shared.metadata).provider_meta = Some(value);
        self
    }

    pub(crate) fn metadata(&self) -> RpcMetadata {
        lock(&self.shared.metadata).clone()
    }
}

impl Instance {
    /// Imports what must be put off, and answers why it is.
    ///
    /// # Panics
    ///
    /// Where it is not put off, or there are errors.
    #[track_caller]
    pub fn expect_import_deferral(&mut self, id: &str) -> Deferral {
        match self.try_import(self.by_id(id)) {
            Ok(Some(why)) => why,
            Ok(None) => panic!("{id:?} was imported, not put off:\n{}", self.state()),
            Err(errors) => panic!("the import of {id:?} failed:\n{errors}"),
        }
    }
}

impl DataSource {
    /// Looks up what must be put off, and answers why it is.
    ///
    /// # Panics
    ///
    /// Where it is not put off, or there are errors.
    #[track_caller]
    pub fn expect_deferral(&self, config: Configuration) -> Deferral {
        match self.try_read(&config) {
            Ok((_, Some(why))) => why,
            Ok((found, None)) => panic!("it was looked up, not put off:\n{found}"),
            Err(errors) => panic!("the looking up failed:\n{errors}"),
        }
    }
}
