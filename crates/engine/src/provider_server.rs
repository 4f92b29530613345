//! The provider as the server calls it: one method for each RPC.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};

use ferroform_value::Value;
use tokio::sync::Semaphore;

use crate::concurrency::executor::MethodExecutor;
use crate::concurrency::stop::Stopper;
use crate::configured_state_store::ConfiguredStore;
use crate::definitions::{Defined, Definition};
use crate::diagnostic::capitalized;
use crate::kind::{Kind, Owner};
use crate::panics::catch_schema_panics;
use crate::provider::{AnyConfigurable, AnyProvider};
use crate::redaction::ObjectStrings;
use crate::request::context::ProviderData;
use crate::request::open_resource::OpenResource;
use crate::schema::Block;
use crate::{Clock, Diagnostic, Diagnostics, Result};

/// Receives each object of a request or response, with the schema of the object.
pub type ObjectObserver = Arc<dyn Fn(&Block, &Value) + Send + Sync>;

/// A provider that serves RPCs. It lives as long as the process, and its methods may run concurrently.
pub struct ProviderServer {
    pub(crate) provider: Arc<dyn AnyProvider>,
    /// The configured provider; `None` before it is configured, and while its configuration is unknown.
    pub(crate) data: RwLock<Option<ProviderData>>,
    /// True if the provider was configured with values that it needs but that are unknown.
    pub(crate) has_unknown_config: AtomicBool,
    /// The sensitive values of the provider's configuration, which no diagnostic may contain.
    pub(crate) sensitive: RwLock<Arc<ObjectStrings>>,
    /// The version of Terraform or OpenTofu, from ConfigureProvider.
    pub(crate) terraform_version: RwLock<Option<Arc<str>>>,
    /// The ephemeral resources that are open.
    pub(crate) opened: Mutex<Vec<OpenResource>>,
    /// The configured state stores by their full names.
    pub(crate) state_stores: RwLock<BTreeMap<String, ConfiguredStore>>,
    pub(crate) stopper: Stopper,
    pub(crate) clock: Clock,
    pub(crate) executor: Option<Arc<dyn MethodExecutor>>,
    /// The permits of the concurrency limit; `None` if there is no limit.
    pub(crate) method_permits: Option<Arc<Semaphore>>,
    pub(crate) observer: Option<ObjectObserver>,
}

impl ProviderServer {
    /// A server for the provider, which is not configured yet.
    pub fn new(provider: Arc<dyn AnyProvider>) -> ProviderServer {
        let permits = |limit: usize| Arc::new(Semaphore::new(limit.min(Semaphore::MAX_PERMITS)));
        ProviderServer {
            method_permits: provider.concurrency_limit().map(permits),
            provider,
            data: RwLock::default(),
            has_unknown_config: AtomicBool::new(false),
            sensitive: RwLock::new(Arc::default()),
            terraform_version: RwLock::default(),
            opened: Mutex::default(),
            state_stores: RwLock::default(),
            stopper: Stopper::default(),
            clock: Clock::default(),
            executor: None,
            observer: None,
        }
    }

    /// The same server, which passes every object of a request or response to the observer. The test kit finds out in this
    /// way which values are sensitive.
    #[must_use]
    pub fn with_observer(mut self, observer: ObjectObserver) -> ProviderServer {
        self.observer = Some(observer);
        self
    }

    /// The same server, with requests that the stopper cancels.
    #[must_use]
    pub fn with_stopper(mut self, stopper: Stopper) -> ProviderServer {
        self.stopper = stopper;
        self
    }

    /// The same server, with methods that run on the executor, and timers in the executor's runtime.
    #[must_use]
    pub fn with_executor(mut self, executor: Arc<dyn MethodExecutor>) -> ProviderServer {
        self.clock = self.clock.with_runtime(executor.timers().clone());
        self.executor = Some(executor);
        self
    }

    /// The same server with another clock, such as a [test clock](Clock::test).
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> ProviderServer {
        self.clock = clock;
        self
    }

    /// The clock of the provider's methods.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The provider.
    pub fn provider(&self) -> &dyn AnyProvider {
        &*self.provider
    }

    /// Cancels all running requests.
    pub fn stop(&self) {
        self.stopper.stop();
    }

    /// The object of a kind with this full name: `server.find::<dyn AnyResource>("local_file")`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub fn find<T: Defined + ?Sized>(&self, name: &str) -> Result<&Arc<T>> {
        self.provider.definitions().find(name).ok_or_else(|| not_found(T::KIND, name))
    }

    /// The object with a configuration that owns a schema.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub fn configurable(&self, owner: Owner<'_>) -> Result<&dyn AnyConfigurable> {
        if owner == Owner::PROVIDER {
            return Ok(&*self.provider);
        }
        let definition = self.provider.definitions().get(owner);
        definition.and_then(Definition::configurable).ok_or_else(|| not_found(owner.kind, owner.name))
    }

    /// The root block of the owner's schema.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such object, or if the creation of its schema panics.
    pub fn block(&self, owner: Owner<'_>) -> Result<&Block> {
        let object = self.configurable(owner)?;
        catch_schema_panics(|| Ok(&object.schema().block))
    }
}

fn not_found(kind: Kind, name: &str) -> Diagnostics {
    let detail = format!("This version of the provider has no {} {name}.", kind.noun());
    let title: Vec<String> = kind.noun().split(' ').map(capitalized).collect();
    Diagnostic::error(format!("{} Type Not Found", title.join(" "))).detail(detail).into()
}
