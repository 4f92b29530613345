//! What happens in each call of the host: one algorithm a file, over values and schemas only.
//!
//! Nothing here knows an author's types (that is `typed`) or the wire (that is `rpc`).

mod apply;
mod blocks;
mod caller;
mod checkpoint;
mod completion;
mod configure;
pub mod contract;
mod data;
mod describe;
mod element_matching;
mod faults;
mod fingerprint;
mod generate;
pub(crate) mod identity;
mod import;
mod in_order;
mod moved;
mod overlay;
pub mod place;
mod plan_resource_change;
pub(crate) mod planning;
mod read;
mod relate;
mod run;
mod secrets;
mod upgrade;
mod validate;

use std::sync::{Arc, RwLock};

use tokio::sync::Semaphore;

use crate::cx::ProviderData;
use crate::raw::{AnyDataSource, AnyProvider, AnyResource};
use crate::stop::Stopper;
use crate::typed::TypedProvider;
use crate::{Clock, Diagnostic, Diagnostics, Provider, Result};

pub use apply::{ApplyRequest, ApplyResponse};
pub use caller::Caller;
pub use data::DataResponse;
pub use describe::Owner;
pub use import::{ImportRequest, ImportResponse};
pub use moved::{MoveRequest, MoveResponse};
pub use plan_resource_change::{PlanRequest, PlanResponse};
pub use read::{ReadRequest, ReadResponse};
pub(crate) use secrets::misfit;

/// A provider that answers the host's calls. One for the life of the process; every method may run many
/// times at once.
pub struct Server {
    provider: Arc<dyn AnyProvider>,
    data: RwLock<Option<ProviderData>>,
    /// Which Terraform it is, where it has said so.
    host: RwLock<Option<Arc<str>>>,
    stopper: Stopper,
    clock: Clock,
    /// The turns of the provider's methods, where only some may run at a time.
    turns: Option<Arc<Semaphore>>,
}

impl Server {
    /// The provider `P`, not configured yet.
    pub fn new<P: Provider>() -> Server {
        Server::raw(Arc::new(TypedProvider::<P>::new()))
    }

    /// The same, stopped by this stopper too.
    #[must_use]
    pub fn stopped_by(mut self, stopper: Stopper) -> Server {
        self.stopper = stopper;
        self
    }

    /// The same, in the time of this clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Server {
        self.clock = clock;
        self
    }

    /// A provider that is made at run time.
    pub fn raw(provider: Arc<dyn AnyProvider>) -> Server {
        let turns = provider.concurrency().map(|it| Arc::new(Semaphore::new(it.min(Semaphore::MAX_PERMITS))));
        let (stopper, clock) = (Stopper::default(), Clock::default());
        Server { provider, data: RwLock::default(), host: RwLock::default(), stopper, clock, turns }
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
