//! What happens in each call of the host: one algorithm a file, over values and schemas only.
//!
//! Nothing here knows an author's types (that is `typed`) or the wire (that is `rpc`).

mod apply;
mod blocks;
mod configure;
pub mod contract;
mod data;
mod fit;
mod import;
mod merge;
mod overlay;
mod pair;
mod plan;
mod read;
mod relate;
mod replace;
mod run;
mod secrets;
mod upgrade;
mod validate;

use std::sync::{Arc, RwLock};

use crate::cx::ProviderData;
use crate::raw::{AnyDataSource, AnyProvider, AnyResource};
use crate::schema::SchemaKind;
use crate::stop::Stopper;
use crate::typed::TypedProvider;
use crate::{Call, Diagnostic, Diagnostics, Provider, Result};

pub use apply::{ApplyRequest, ApplyResponse};
pub use plan::{PlanRequest, PlanResponse};
pub use read::{ReadRequest, ReadResponse};

/// A provider that answers the host's calls. One for the life of the process; every method may run many
/// times at once.
pub struct Server {
    provider: Arc<dyn AnyProvider>,
    data: RwLock<Option<ProviderData>>,
    stopper: Stopper,
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

    /// A provider that is made at run time.
    pub fn raw(provider: Arc<dyn AnyProvider>) -> Server {
        Server { provider, data: RwLock::new(None), stopper: Stopper::default() }
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

    /// What is wrong with the provider's definition: every schema's faults, names that are used twice, and
    /// names that the host would take for another provider's.
    pub fn faults(&self) -> Diagnostics {
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
        let name = parts.last().copied().unwrap_or_default();
        let resources = self.provider.resources().iter();
        let resources = resources.map(|(name, it)| (SchemaKind::Resource, "resource", name, it.schema()));
        let data = self.provider.data_sources().iter();
        let data = data.map(|(name, it)| (SchemaKind::DataSource, "data source", name, it.schema()));
        for (kind, word, type_name, schema) in resources.chain(data) {
            let owner = format!("{word} {type_name}");
            // The host finds the provider of a type by what stands before the first underscore.
            if type_name != name && !type_name.starts_with(&format!("{name}_")) {
                all.push(fault(&owner, &format!("the name must begin with \"{name}_\"")));
            }
            for it in schema.faults_of(kind) {
                all.push(Diagnostic { summary: it.summary.into(), ..fault(&owner, &it.to_string()) });
            }
        }
        for it in self.provider.schema().faults_of(SchemaKind::Provider) {
            let fault = fault("the provider's configuration", &it.to_string());
            all.push(Diagnostic { summary: it.summary.into(), ..fault });
        }
        all
    }

    /// A call without a provider: for what comes before it is configured.
    fn early_call(&self) -> Call {
        Call::new(None, self.stopper.token())
    }

    /// A call with the provider as configured.
    fn call(&self) -> Call {
        let data = self.data.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        Call::new(data, self.stopper.token())
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

fn fault(owner: &str, what: &str) -> Diagnostic {
    let detail = format!("In {owner}: {what}. This is a bug in the provider.");
    Diagnostic::error("Invalid provider definition").detail(detail)
}
