//! The provider as the server calls it: one method for each RPC.

use std::sync::{Arc, RwLock};

use tokio::sync::Semaphore;

use crate::concurrency::executor::MethodExecutor;
use crate::concurrency::stop::Stopper;
use crate::provider::{AnyDataSource, AnyProvider, AnyResource};
use crate::request::context::ProviderData;
use crate::{Clock, Diagnostic, Diagnostics, Result};

/// A provider that answers the terraform_version's calls. One for the life of the process; every method may run many
/// times at once.
pub struct ProviderServer {
    pub(crate) provider: Arc<dyn AnyProvider>,
    pub(crate) data: RwLock<Option<ProviderData>>,
    /// DefaultScope Terraform it is, where it has said so.
    pub(crate) terraform_version: RwLock<Option<Arc<str>>>,
    pub(crate) stopper: Stopper,
    pub(crate) clock: Clock,
    pub(crate) executor: Option<Arc<dyn MethodExecutor>>,
    /// The method_permits of the provider's methods, where only some may run at a time.
    pub(crate) method_permits: Option<Arc<Semaphore>>,
}

impl ProviderServer {
    /// The same, stopped by this stopper too.
    #[must_use]
    pub fn with_stopper(mut self, stopper: Stopper) -> ProviderServer {
        self.stopper = stopper;
        self
    }

    /// The same, with its methods on this executor, and its timers in the executor's runtime.
    #[must_use]
    pub fn with_executor(mut self, executor: Arc<dyn MethodExecutor>) -> ProviderServer {
        self.clock = self.clock.on(executor.timers().clone());
        self.executor = Some(executor);
        self
    }

    /// The same, in the time of this clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> ProviderServer {
        self.clock = clock;
        self
    }

    /// A server for the provider, not configured yet.
    pub fn new(provider: Arc<dyn AnyProvider>) -> ProviderServer {
        let method_permits =
            provider.concurrency().map(|it| Arc::new(Semaphore::new(it.min(Semaphore::MAX_PERMITS))));
        let (stopper, clock) = (Stopper::default(), Clock::default());
        ProviderServer {
            provider,
            data: RwLock::default(),
            terraform_version: RwLock::default(),
            stopper,
            clock,
            executor: None,
            method_permits,
        }
    }

    /// The clock of the provider's methods.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The provider's definition.
    pub fn provider(&self) -> &dyn AnyProvider {
        &*self.provider
    }

    /// Cancels the calls that are running.
    pub fn stop(&self) {
        self.stopper.stop();
    }

    /// The resource of that full name.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn resource(&self, name: &str) -> Result<&Arc<dyn AnyResource>> {
        find(self.provider.resources(), name).ok_or_else(|| missing("Resource", "resource", name))
    }

    /// The data source of that full name.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn data_source(&self, name: &str) -> Result<&Arc<dyn AnyDataSource>> {
        find(self.provider.data_sources(), name).ok_or_else(|| missing("Data Source", "data source", name))
    }
}

fn find<'a, T>(all: &'a [(String, T)], name: &str) -> Option<&'a T> {
    let at = all.binary_search_by(|(it, _)| it.as_str().cmp(name));
    match at {
        Ok(at) => all.get(at).map(|(_, it)| it),
        // A provider made at run time may list its names in any order.
        Err(_) => all.iter().find(|(it, _)| it == name).map(|(_, it)| it),
    }
}

fn missing(title: &str, kind: &str, name: &str) -> Diagnostics {
    let detail = format!("This version of the provider has no {kind} {name}.");
    Diagnostic::error(format!("{title} Type Not Found")).detail(detail).into()
}
