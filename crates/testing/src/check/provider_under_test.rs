//! The provider under test.

use std::collections::{BTreeMap, BTreeSet, HashMap};
#[cfg(feature = "unstable-state-stores")]
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ferroform::raw::AnyProvider;
use ferroform::value::Value;
use ferroform::{Clock, Diagnostic};
use ferroform_engine::{Kind, ProviderServer};

use super::hcl;
use super::intercept::Interceptor;
use super::service::FaultInjection;
use super::step::{SequenceEnd, StepResult};
use super::target::Target;
use crate::config::evaluate;
use crate::harness::lock;
use crate::sensitive_values::SensitiveValues;
use crate::workspace::provider_type;
use crate::{Configuration, Harness, Invariant};

/// The time limit of an RPC, in real time.
const CALL_TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum number of sequences with the same configured provider.
const MAX_SEQUENCES: usize = 25;

/// A configured instance of the provider.
pub(super) struct ConfiguredProvider {
    pub(super) harness: Harness,
    /// The sensitive values of the provider's configuration.
    sensitive: SensitiveValues,
    /// The number of sequences that have used it.
    pub(super) sequences: usize,
}

/// The provider under test.
pub(super) struct ProviderUnderTest {
    pub(super) intercepted: Arc<dyn AnyProvider>,
    pub(super) interceptor: Arc<Interceptor>,
    pub(super) config: Configuration,
    pub(super) skipped: BTreeSet<Invariant>,
    pub(super) service: Option<Arc<dyn FaultInjection>>,
    pub(super) targets: Vec<Target>,
    /// The first results of functions, by their names and arguments.
    pub(super) results: Mutex<HashMap<(String, Vec<Value>), Value>>,
    /// The configured provider of the sequence before, if the next one can use it.
    pub(super) idle: Mutex<Option<ConfiguredProvider>>,
    /// The number of workspaces whose states were used.
    #[cfg(feature = "unstable-state-stores")]
    pub(super) workspaces: AtomicUsize,
}

impl ProviderUnderTest {
    /// Stores the result of the first call of a function, and returns it for later calls.
    pub(super) fn first_result(&self, function: &str, arguments: &[Value], result: &Value) -> Value {
        let call = (function.to_owned(), arguments.to_vec());
        lock(&self.results).entry(call).or_insert_with(|| result.clone()).clone()
    }

    /// Returns a configured provider for a sequence. The objects of a service outlive the provider, so a provider with a service is
    /// configured once for several sequences: it takes longer than most sequences to create an HTTP client.
    pub(super) fn configured(&self) -> StepResult<ConfiguredProvider> {
        if let Some(idle) = lock(&self.idle).take() {
            return Ok(idle);
        }
        let harness = self.start()?;
        let sensitive = harness.sensitive_values().clone();
        Ok(ConfiguredProvider { harness, sensitive, sequences: 0 })
    }

    /// Keeps a configured provider for the next sequence.
    pub(super) fn keep(&self, mut configured: ConfiguredProvider) {
        configured.sequences += 1;
        if self.service.is_some() && configured.sequences < MAX_SEQUENCES {
            configured.harness.reset(&configured.sensitive);
            *lock(&self.idle) = Some(configured);
        }
    }

    /// Makes the next sequence configure a new provider.
    pub(super) fn discard_idle(&self) {
        lock(&self.idle).take();
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
            configured.map_err(|mut errors| {
                errors.push(Diagnostic::error("Provider Configuration Rejected").detail(
                    "Set a configuration that the provider accepts, such as the URL of a mock: \
                     `ProviderCheck::new().configure(config! { … })`.",
                ));
                errors
            })
        });
        match violation {
            Some(violation) => Err(SequenceEnd::Violated(violation)),
            None => Ok(started.ok()),
        }
    }

    /// The step that configures the provider, in the form in which it is reported.
    pub(super) fn configuration_step(&self) -> String {
        let block = &self.intercepted.schema().block;
        let config = evaluate(block, &self.config).unwrap_or(Value::Null);
        let name = provider_type(self.intercepted.address());
        hcl::step("configure", &hcl::block(Kind::Provider, name, "", block, &config, &[]))
    }

    /// The numbers of checked types by their kinds.
    pub(super) fn counts(&self) -> String {
        let mut counts = BTreeMap::new();
        for target in self.targets.iter().filter(|it| it.kind != Kind::Provider) {
            *counts.entry(target.kind.noun()).or_insert(0) += 1;
        }
        let counts = counts.iter().map(|(noun, count)| match count {
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        });
        counts.collect::<Vec<_>>().join(", ")
    }

    /// The targets of a kind.
    pub(super) fn targets(&self, kind: Kind) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(move |it| it.kind == kind)
    }
}
