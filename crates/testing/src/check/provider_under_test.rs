//! The provider under test.

use std::collections::{BTreeMap, BTreeSet};
#[cfg(feature = "unstable-state-stores")]
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ferroform::Clock;
use ferroform::raw::AnyProvider;
use ferroform::value::Value;
use ferroform_engine::{Kind, ProviderServer};

use super::intercept::Interceptor;
use super::service::FaultInjection;
use super::step::{SequenceEnd, StepResult};
use super::target::Target;
use super::values::ExistingValues;
use crate::harness::lock;
use crate::{Configuration, Harness, Invariant};

/// The time limit of an RPC, in real time.
const CALL_TIMEOUT: Duration = Duration::from_secs(3);

/// The provider under test.
pub(super) struct ProviderUnderTest {
    pub(super) intercepted: Arc<dyn AnyProvider>,
    pub(super) interceptor: Arc<Interceptor>,
    pub(super) config: Configuration,
    pub(super) skipped: BTreeSet<Invariant>,
    pub(super) service: Option<Arc<dyn FaultInjection>>,
    pub(super) targets: Vec<Target>,
    /// The values of attributes in the states of objects.
    pub(super) existing_values: ExistingValues,
    /// The first results of functions, by their calls.
    pub(super) results: Mutex<BTreeMap<String, Value>>,
    /// The number of workspaces whose states were used.
    #[cfg(feature = "unstable-state-stores")]
    pub(super) workspaces: AtomicUsize,
}

impl ProviderUnderTest {
    /// Stores the result of the first call of a function, and returns it for later calls.
    pub(super) fn first_result(&self, call: &str, result: &Value) -> Value {
        lock(&self.results).entry(call.to_owned()).or_insert_with(|| result.clone()).clone()
    }

    /// Starts a new instance of the provider, which collects violations.
    pub(super) fn start(&self) -> StepResult<Harness> {
        let server = ProviderServer::new(self.intercepted.clone())
            .with_clock(Clock::test())
            .with_stopper(self.interceptor.stopper.clone());
        let mut violation = None;
        let started = Harness::start_with(server, |harness| {
            harness.collect_violations();
            let harness =
                self.skipped.iter().fold(harness.clone(), |it, invariant| it.skip_check(*invariant));
            let harness = harness.call_timeout(CALL_TIMEOUT);
            let configured = harness.run_configure(&self.config).map(drop);
            violation = harness.take_violations().into_iter().next();
            configured
        });
        match violation {
            Some(violation) => Err(SequenceEnd::Violated(violation)),
            None => Ok(started.ok()),
        }
    }

    /// The targets of a kind.
    pub(super) fn targets(&self, kind: Kind) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(move |it| it.kind == kind)
    }
}
