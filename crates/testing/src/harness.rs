//! The in-process harness: one configured provider, its engine and its captured log.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferroform::raw::AnyProvider;
use ferroform::schema::Block;
use ferroform::value::{Path, Type, Value, msgpack};
use ferroform::{Clock, Diagnostics, Provider, Result};
use ferroform_engine::contract::{self, ContractCheck};
use ferroform_engine::definitions::Defined;
use ferroform_engine::{ApplyRequest, Owner, ProviderServer, RpcMetadata};
use tokio::runtime::Runtime;

use crate::cleanup::CreatedObjects;
use crate::config::evaluate;
use crate::instance_state::InstanceState;
use crate::invariant::{Invariant, Violation};
use crate::log_capture::LogCapture;
use crate::sensitive_values::SensitiveValues;
use crate::{Configuration, Outcome};

/// Runs a provider and Ferroform's engine in the test process, and simulates Terraform.
///
/// The harness calls the engine directly, without sockets, and checks [invariants](Invariant#invariants-of-the-harness) after
/// every step. It has its own threads and waits for each response, so tests are plain functions. [`log`](Harness::log) returns
/// the log lines of the provider in these threads. Clones share one provider.
///
/// If the test panics, the harness destroys the objects that it has created, in the reverse order of their creation, and
/// prints which ones, so that a failed test leaves no remote objects behind. Imported objects are kept.
///
/// ```
/// use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, path};
/// use ferroform_testing::{Action, Harness, config, provider};
///
/// provider! { Pets { resource Pet = "pets_pet" } }
///
/// /// A pet.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Pet {
///     /// The name of the pet.
///     name: String,
///     /// The greeting that the API computes from the name.
///     #[attr(computed, follows(name))]
///     greeting: String,
/// }
///
/// impl Resource for Pet {
///     type Provider = Pets;
///
///     async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PetComputed> {
///         Ok(PetComputed { greeting: format!("I am {}", plan.name) })
///     }
///
///     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
///         Ok(Some(state))
///     }
///
///     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
///         Ok(())
///     }
/// }
///
/// let harness = Harness::start::<Pets>(config! {});
/// let mut pet = harness.resource("pets_pet");
/// assert_eq!(pet.apply(config! { name = "Rex" }).action, Action::Create);
/// assert_eq!(pet.state().get::<String>(path!(greeting)), "I am Rex");
/// ```
#[derive(Clone)]
pub struct Harness {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) server: Arc<ProviderServer>,
    /// `None` only while the harness is dropped.
    pub(crate) runtime: Option<Runtime>,
    pub(crate) log: LogCapture,
    sensitive_values: Mutex<SensitiveValues>,
    skipped_checks: Mutex<BTreeSet<Invariant>>,
    /// The client data that every request carries.
    pub(crate) metadata: Mutex<RpcMetadata>,
    without_computed_blocks: AtomicBool,
    /// The limit for one RPC, in real time.
    pub(crate) call_timeout: Mutex<Duration>,
    /// The objects to destroy if the test fails.
    pub(crate) created: Mutex<CreatedObjects>,
    /// The violations found so far, if they are collected; `None` if a violation fails the test.
    collected: Mutex<Option<Vec<Violation>>>,
}

/// The payload of the panic that ends a step whose RPC exceeds the time limit, while violations are collected.
pub(crate) struct RpcTimeout;

/// The default limit for one RPC, in real time. Methods run on a test clock, so an RPC that exceeds it blocks its thread or waits
/// without `cx`.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// The step that configures the provider.
const CONFIGURATION: &str = "the configuration of the provider";

impl Drop for Shared {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let created = std::mem::take(&mut *lock(&self.created));
            let redact = |problem: &str| lock(&self.sensitive_values).redact(problem);
            created.destroy_all(|type_name, state| self.delete(type_name, state), redact);
        }
        // A method that blocks forever must not prevent the test from ending.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Shared {
    /// Sends an ApplyResourceChange that deletes an object of a failed test. No invariant is checked.
    fn delete(&self, type_name: &str, state: InstanceState) -> std::result::Result<(), String> {
        let Some(runtime) = &self.runtime else { unreachable!("the runtime exists until the drop") };
        let request = ApplyRequest {
            type_name: type_name.to_owned(),
            prior: Some(state.value),
            planned: Some(Value::Null),
            config: Some(Value::Null),
            planned_private: state.private,
            planned_identity: state.identity,
            metadata: lock(&self.metadata).clone(),
        };
        let limit = *lock(&self.call_timeout);
        let deletion = self.server.apply_resource_change(request);
        // The timer must be created inside the runtime.
        let deletion = async { tokio::time::timeout(limit, deletion).await };
        let response = self.log.capture(|| runtime.block_on(deletion));
        let response = response.map_err(|_| format!("`delete` did not finish within {limit:?}"))?;
        if response.diagnostics.has_error() { Err(response.diagnostics.to_string()) } else { Ok(()) }
    }
}

impl Harness {
    /// Starts and configures the provider `P`.
    ///
    /// # Panics
    ///
    /// Panics if the provider's definition is invalid or if the provider rejects the configuration.
    #[track_caller]
    pub fn start<P: Provider>(config: Configuration) -> Harness {
        Harness::try_start::<P>(config).ok()
    }

    /// Like [`start`](Harness::start), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_start<P: Provider>(config: Configuration) -> Outcome<Harness> {
        Harness::try_with_server(ferroform::server::<P>().with_clock(Clock::test()), config)
    }

    /// Starts the provider `P` without configuring it. Functions can be called; resources and data sources cannot be
    /// used before [`configure`](Harness::configure).
    ///
    /// # Panics
    ///
    /// Panics if the provider's definition is invalid.
    #[track_caller]
    pub fn unconfigured<P: Provider>() -> Harness {
        Harness::start_with(ferroform::server::<P>().with_clock(Clock::test()), |_| Ok(())).ok()
    }

    /// Starts and configures a provider that is built at run time.
    ///
    /// # Panics
    ///
    /// Panics if the provider's definition is invalid or if the provider rejects the configuration.
    #[track_caller]
    pub fn raw(provider: Arc<dyn AnyProvider>, config: Configuration) -> Harness {
        Harness::try_raw(provider, config).ok()
    }

    /// Like [`raw`](Harness::raw), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_raw(provider: Arc<dyn AnyProvider>, config: Configuration) -> Outcome<Harness> {
        Harness::try_with_server(ProviderServer::new(provider).with_clock(Clock::test()), config)
    }

    /// Starts a provider, and prepares it with `prepare` if its definition is valid.
    #[track_caller]
    pub(crate) fn start_with(
        server: ProviderServer,
        prepare: impl FnOnce(&Harness) -> Result<()>,
    ) -> Outcome<Harness> {
        Harness::start_with_log(server, LogCapture::default(), prepare)
    }

    /// Starts a provider with a log that it shares with others.
    #[track_caller]
    pub(crate) fn start_with_log(
        server: ProviderServer,
        log: LogCapture,
        prepare: impl FnOnce(&Harness) -> Result<()>,
    ) -> Outcome<Harness> {
        let thread_log = log.clone();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .on_thread_start(move || thread_log.attach_to_thread())
            .build()
            .unwrap_or_else(|error| panic!("cannot start the threads of the harness: {error}"));
        let shared = Shared {
            server: Arc::new(server),
            runtime: Some(runtime),
            log,
            sensitive_values: Mutex::default(),
            skipped_checks: Mutex::default(),
            metadata: Mutex::default(),
            without_computed_blocks: AtomicBool::new(false),
            call_timeout: Mutex::new(CALL_TIMEOUT),
            created: Mutex::default(),
            collected: Mutex::default(),
        };
        let harness = Harness { shared: Arc::new(shared) };
        for (owner, _) in harness.server().provider().definitions().iter() {
            harness.sensitive_values().show(owner.name);
        }
        let definition = harness.server().definition_errors();
        let prepared = if definition.has_error() { Err(definition) } else { prepare(&harness) };
        Outcome::new(&harness, "the start of the provider", prepared.map(|()| harness.clone()))
    }

    /// Configures the provider again, for the steps that follow, and returns its warnings.
    ///
    /// The configuration can contain [`unknown()`](crate::unknown) values, as it does while Terraform plans.
    ///
    /// # Panics
    ///
    /// Panics if the provider rejects the configuration.
    #[track_caller]
    pub fn configure(&self, config: Configuration) -> Diagnostics {
        self.try_configure(config).ok()
    }

    /// Like [`configure`](Harness::configure), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_configure(&self, config: Configuration) -> Outcome<Diagnostics> {
        Outcome::new(self, CONFIGURATION, self.run_configure(&config))
    }

    #[track_caller]
    pub(crate) fn run_configure(&self, config: &Configuration) -> Result<Diagnostics> {
        let step = CONFIGURATION;
        let block = &self.server().provider().schema().block;
        let (config, mut warnings) = self.evaluate_and_validate(step, Owner::PROVIDER, block, config)?;
        let metadata = self.metadata();
        let configured = self.server().configure_provider(config, &metadata);
        warnings.extend(self.run_for_diagnostics(step, Owner::PROVIDER, configured)?);
        Ok(warnings)
    }

    /// Stops checking an invariant that the provider cannot satisfy. Explain each exception in a comment of the test.
    #[must_use]
    pub fn skip_check(self, invariant: Invariant) -> Harness {
        lock(&self.shared.skipped_checks).insert(invariant);
        self
    }

    /// Simulates a version of Terraform before 1.16, which does not support computed blocks: a configuration cannot omit
    /// required blocks, even if the provider computes them.
    #[must_use]
    pub fn before_computed_blocks(self) -> Harness {
        self.shared.without_computed_blocks.store(true, Ordering::Relaxed);
        self
    }

    /// The errors for required blocks that the configuration omits, as a version of Terraform without computed blocks reports them.
    pub(crate) fn check_omitted_blocks(&self, type_name: &str, config: &Value) -> Diagnostics {
        match self.shared.without_computed_blocks.load(Ordering::Relaxed) {
            true => self.server().validate_computed_blocks(type_name, config),
            false => Diagnostics::new(),
        }
    }

    /// Returns the log of the provider since the start: one line for each event and span.
    pub fn log(&self) -> Vec<String> {
        self.shared.log.since(0)
    }

    /// Returns the definition with this name.
    #[track_caller]
    pub(crate) fn find<D: Defined + ?Sized>(&self, name: &str) -> Arc<D> {
        self.server().find::<D>(name).unwrap_or_else(|error| panic!("{error}")).clone()
    }

    pub(crate) fn server(&self) -> &ProviderServer {
        &self.shared.server
    }

    pub(crate) fn sensitive_values(&self) -> MutexGuard<'_, SensitiveValues> {
        lock(&self.shared.sensitive_values)
    }

    /// Waits for the response of an RPC. `record` registers the sensitive values of the response; after that, no line
    /// that was logged in the meantime may contain a sensitive value.
    #[track_caller]
    pub(crate) fn run<T>(&self, step: &str, rpc: impl Future<Output = T>, record: impl FnOnce(&T)) -> T {
        let start = self.shared.log.len();
        let Some(runtime) = &self.shared.runtime else { unreachable!("the runtime exists until the drop") };
        let limit = *lock(&self.shared.call_timeout);
        // The timer must be created inside the runtime.
        let rpc = async { tokio::time::timeout(limit, rpc).await };
        let response = self.shared.log.capture(|| runtime.block_on(rpc)).unwrap_or_else(|_| {
            let problem = format!(
                "{step} did not finish within {limit:?} of real time: a method blocks its thread or waits for an \
                 event that never happens. The test clock advances only while a method waits with `cx`"
            );
            if lock(&self.shared.collected).is_none() {
                panic!("{problem}");
            }
            self.report(Violation::new(Invariant::MethodEnds, step, Path::ROOT, problem));
            // There is no response to continue with, and nothing to print.
            std::panic::resume_unwind(Box::new(RpcTimeout))
        });
        record(&response);
        let lines = self.shared.log.since(start);
        let found = {
            let sensitive = self.sensitive_values();
            let found = lines.iter().find_map(|it| sensitive.find_in(it).map(|path| (it, path)));
            found.map(|(line, path)| (sensitive.redact(line), path.clone()))
        };
        if let Some((line, path)) = found {
            let problem = format!("a log line contains this sensitive value: {line}");
            self.report(Violation::new(Invariant::SecretsAreRedacted, step, path, problem));
        }
        response
    }

    /// Evaluates a configuration and validates it. Returns the configuration as the provider receives it, and the warnings.
    #[track_caller]
    pub(crate) fn evaluate_and_validate(
        &self,
        step: &str,
        owner: Owner<'_>,
        block: &Block,
        config: &Configuration,
    ) -> Result<(Value, Diagnostics)> {
        let config = evaluate(block, config)?;
        self.sensitive_values().record(block, &config);
        let config = self.round_trip(step, &config, block.ty());
        let validation = self.server().validate_config(owner, config.clone(), true);
        let warnings = self.run_for_diagnostics(step, owner, validation)?;
        Ok((config, warnings))
    }

    /// Waits for an RPC whose response consists of diagnostics.
    #[track_caller]
    pub(crate) fn run_for_diagnostics(
        &self,
        step: &str,
        owner: Owner<'_>,
        rpc: impl Future<Output = Diagnostics>,
    ) -> Result<Diagnostics> {
        let found = self.run(step, rpc, |_| ());
        self.check_diagnostics(step, owner, found)
    }

    /// Checks the diagnostics of a response, whose attribute paths belong to the schema of `owner`. Errors of the engine's contract
    /// checks are violated invariants. Returns the diagnostics as an error if one of them is an error.
    #[track_caller]
    pub(crate) fn check_diagnostics(
        &self,
        step: &str,
        owner: Owner<'_>,
        found: Diagnostics,
    ) -> Result<Diagnostics> {
        let found = self.check_diagnostics_of_stored_state(step, found);
        let (Ok(all) | Err(all)) = &found;
        self.check_diagnostic_paths(step, owner, all);
        found
    }

    /// Checks the diagnostics of a response whose attribute paths can belong to an old schema.
    #[track_caller]
    pub(crate) fn check_diagnostics_of_stored_state(
        &self,
        step: &str,
        found: Diagnostics,
    ) -> Result<Diagnostics> {
        // Most responses have no diagnostics.
        let sensitive =
            if found.is_empty() { SensitiveValues::default() } else { self.sensitive_values().clone() };
        for it in found.iter() {
            if let Some(path) = sensitive.find_in(&it.to_string()) {
                let problem = format!(
                    "a diagnostic contains this sensitive value: {}",
                    sensitive.redact(&it.to_string())
                );
                self.report(Violation::new(Invariant::SecretsAreRedacted, step, path.clone(), problem));
            }
        }
        for (check, invariant) in [
            (ContractCheck::Plan, Invariant::PlanMatchesConfiguration),
            (ContractCheck::Result, Invariant::ResultMatchesPlan),
            (ContractCheck::State, Invariant::StateIsValid),
            (ContractCheck::Identity, Invariant::IdentityIsStable),
        ] {
            let mut failed = Diagnostics::new();
            failed.extend(found.iter().filter(|it| contract::failed_check(it) == Some(check)).cloned());
            self.check(invariant, step, &failed);
        }
        if found.has_error() { Err(found) } else { Ok(found) }
    }

    /// Encodes the value as MessagePack and decodes it again, as a call over the plugin protocol does.
    #[track_caller]
    pub(crate) fn round_trip(&self, step: &str, value: &Value, ty: &Type) -> Value {
        let decoded = msgpack::encode(value, ty).and_then(|it| msgpack::decode(&it, ty));
        let (path, problem) = match decoded {
            Ok(it) if it == *value => return it,
            Ok(_) => {
                (Path::ROOT, "the value changes when it is encoded as MessagePack and decoded".to_owned())
            }
            Err(error) => (
                error.path().clone(),
                format!("the value cannot be encoded as MessagePack: {}", error.message()),
            ),
        };
        self.report(Violation::new(Invariant::ValuesRoundTrip, step, path, problem));
        value.clone()
    }

    /// Fails the test with the violation, unless the test skips the check of this invariant. While violations are collected,
    /// the step continues.
    #[track_caller]
    pub(crate) fn report(&self, violation: Violation) {
        if lock(&self.shared.skipped_checks).contains(&violation.invariant) {
            return;
        }
        match &mut *lock(&self.shared.collected) {
            Some(collected) => collected.push(violation),
            None => panic!("{violation}"),
        }
    }

    /// Collects violations from now on, instead of failing the test.
    pub(crate) fn collect_violations(&self) {
        lock(&self.shared.collected).get_or_insert_default();
    }

    /// Returns the violations since the last call.
    pub(crate) fn take_violations(&self) -> Vec<Violation> {
        lock(&self.shared.collected).as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Forgets the steps so far, so that an independent test can use the provider.
    pub(crate) fn reset(&self, sensitive_values: &SensitiveValues) {
        self.shared.log.clear();
        *self.sensitive_values() = sensitive_values.clone();
        self.take_violations();
    }

    /// Deletes the objects that the steps so far have left, and ignores errors.
    pub(crate) fn clean_up(&self) {
        let created = std::mem::take(&mut *lock(&self.shared.created));
        for (type_name, state) in created.into_newest_first() {
            let _ = self.shared.delete(&type_name, state);
        }
    }

    /// Reports a violation of the invariant if a check returned diagnostics.
    #[track_caller]
    pub(crate) fn check(&self, invariant: Invariant, step: &str, found: &Diagnostics) {
        if !found.is_empty() {
            self.report(Violation::from_diagnostics(invariant, step, found));
        }
    }
}

impl fmt::Debug for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness")
            .field("provider", &self.server().provider().address())
            .finish_non_exhaustive()
    }
}

pub(crate) fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // The data is consistent at any time, so a panic of another holder does no harm.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
