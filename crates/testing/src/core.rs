//! The stand-in for Terraform's core: one provider, configured, and what it has logged.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferroform::raw::AnyProvider;
use ferroform::value::{Path, Type, Value, msgpack};
use ferroform::{Clock, Diagnostics, Provider, Result};
use ferroform_engine::contract::{self, ContractCheck};
use ferroform_engine::{Caller, ProviderServer};
use tokio::runtime::Runtime;

use crate::config::read;
use crate::law::{Breach, Law};
use crate::log::Log;
use crate::secrets::Secrets;
use crate::{Configuration, DataSource, Instance};

/// A stand-in for Terraform's core: runs the real provider and the real engine in this process, without
/// sockets, and checks every [`Law`] at every step.
///
/// It has threads of its own and waits for each answer, so tests are plain functions. What the provider logs
/// in those threads is kept in [`log`](Core::log). Clones are the same core.
///
/// ```
/// use ferroform::{ApplyCx, Cx, Known, Maybe, Model, Planned, Provider, Registry, RequestCx, Resource, Result, path};
/// use ferroform_testing::{Action, Core, config};
///
/// struct Pets;
///
/// impl Provider for Pets {
///     const ADDRESS: &'static str = "example.com/test/pets";
///     type Config = ();
///
///     async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
///         Ok(Known(Pets))
///     }
///
///     fn register(registry: &mut Registry<Self>) {
///         registry.resource::<Pet>("pets_pet");
///     }
/// }
///
/// /// A pet.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Pet {
///     /// What it is called.
///     name: String,
///     /// What it says.
///     #[attr(computed, follows(name))]
///     greeting: String,
/// }
///
/// impl Resource for Pet {
///     type Provider = Pets;
///
///     async fn create(_: &ApplyCx<Pets>, plan: Planned<Self>) -> Result<PetComputed> {
///         Ok(PetComputed { greeting: format!("I am {}", plan.name) })
///     }
///
///     async fn read(_: &Cx<Pets>, state: Self) -> Result<Option<Self>> {
///         Ok(Some(state))
///     }
///
///     async fn delete(_: &ApplyCx<Pets>, _: Self) -> Result<()> {
///         Ok(())
///     }
/// }
///
/// let core = Core::start::<Pets>(config! {});
/// let mut pet = core.resource("pets_pet");
/// assert_eq!(pet.apply(config! { name = "Rex" }).action, Action::Create);
/// assert_eq!(pet.state().get::<String>(path!(greeting)), "I am Rex");
/// ```
#[derive(Clone)]
pub struct Core {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    server: Arc<ProviderServer>,
    /// Taken when the core is dropped.
    runtime: Option<Runtime>,
    log: Log,
    secrets: Mutex<Secrets>,
    excepted: Mutex<BTreeSet<Law>>,
    /// What comes along with every call.
    pub(crate) caller: Mutex<Caller>,
    older: AtomicBool,
    /// How long one call may take, in real time.
    pub(crate) patience: Mutex<Duration>,
}

/// Far more than anything takes that ends.
const PATIENCE: Duration = Duration::from_secs(60);

impl Drop for Shared {
    fn drop(&mut self) {
        // A method that blocks for ever must not keep the test from ending.
        if let Some(it) = self.runtime.take() {
            it.shutdown_background();
        }
    }
}

impl Core {
    /// Starts the provider `P` with this configuration.
    ///
    /// # Panics
    ///
    /// Where the provider's definition or the configuration is refused.
    #[track_caller]
    pub fn start<P: Provider>(config: Configuration) -> Core {
        Core::try_start::<P>(config).unwrap_or_else(|errors| panic!("the provider does not start:\n{errors}"))
    }

    /// The same, for a configuration that may be refused.
    ///
    /// # Errors
    ///
    /// What the provider has against its configuration, or Ferroform against the provider's definition.
    #[track_caller]
    pub fn try_start<P: Provider>(config: Configuration) -> Result<Core> {
        Core::with(ferroform::server::<P>().with_clock(Clock::test()), config)
    }

    /// Starts a provider that is made at run time.
    ///
    /// # Panics
    ///
    /// Where the provider's definition or the configuration is refused.
    #[track_caller]
    pub fn raw(provider: Arc<dyn AnyProvider>, config: Configuration) -> Core {
        let core = Core::with(ProviderServer::new(provider).with_clock(Clock::test()), config);
        core.unwrap_or_else(|errors| panic!("the provider does not start:\n{errors}"))
    }

    #[track_caller]
    pub(crate) fn with(server: ProviderServer, config: Configuration) -> Result<Core> {
        let faults = server.faults();
        if faults.has_error() {
            return Err(faults);
        }
        let log = Log::default();
        let threads = log.clone();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .on_thread_start(move || threads.take_thread())
            .build()
            .unwrap_or_else(|error| panic!("the system gives no threads: {error}"));
        let shared = Shared {
            server: Arc::new(server),
            runtime: Some(runtime),
            log,
            secrets: Mutex::default(),
            excepted: Mutex::default(),
            caller: Mutex::default(),
            older: AtomicBool::new(false),
            patience: Mutex::new(PATIENCE),
        };
        let core = Core { shared: Arc::new(shared) };
        core.configure(config)?;
        Ok(core)
    }

    /// Configures the provider anew, for the steps that follow: with other values, or with
    /// [`unknown()`](crate::unknown) ones as they are while Terraform plans.
    ///
    /// # Errors
    ///
    /// What the provider has against it.
    #[track_caller]
    pub fn configure(&self, config: Configuration) -> Result<Diagnostics> {
        let step = "the configuration of the provider";
        let block = &self.server().provider().schema().block;
        let config = read(block, &config)?;
        self.secrets().note(block, &config);
        let config = self.crossing(step, &config, &block.ty());
        let mut warnings = Diagnostics::new();
        warnings.extend(self.call(step, self.server().validate_provider(config.clone()))?);
        warnings.extend(self.call(step, self.server().configure(config, &self.caller()))?);
        Ok(warnings)
    }

    /// A resource of that type, not created yet.
    ///
    /// # Panics
    ///
    /// Where the provider has no such resource.
    #[track_caller]
    pub fn resource(&self, type_name: &str) -> Instance {
        let resource = self.server().resource(type_name);
        let resource = resource.unwrap_or_else(|error| panic!("{error}")).clone();
        Instance::new(self.clone(), type_name, resource)
    }

    /// A data source of that type.
    ///
    /// # Panics
    ///
    /// Where the provider has no such data source.
    #[track_caller]
    pub fn data_source(&self, type_name: &str) -> DataSource {
        let source = self.server().data_source(type_name);
        let source = source.unwrap_or_else(|error| panic!("{error}")).clone();
        DataSource::new(self.clone(), type_name, source)
    }

    /// From now on this law is not checked. Each exception deserves a comment in the test.
    #[must_use]
    pub fn except(self, law: Law) -> Core {
        lock(&self.shared.excepted).insert(law);
        self
    }

    /// From now on this is a host from before Terraform 1.16: a configuration cannot leave blocks to the provider.
    #[must_use]
    pub fn before_computed_blocks(self) -> Core {
        self.shared.older.store(true, Ordering::Relaxed);
        self
    }

    /// What such a host must be told of a resource's configuration.
    pub(crate) fn left_out(&self, type_name: &str, config: &Value) -> Diagnostics {
        match self.shared.older.load(Ordering::Relaxed) {
            true => self.server().blocks_left_out(type_name, config),
            false => Diagnostics::new(),
        }
    }

    /// Interrupts the provider, as the user does with Ctrl-C, as soon as a line with this text is logged.
    /// Happens once.
    ///
    /// Ferroform logs [`CHECKPOINT`](crate::CHECKPOINT) whenever a method keeps what it has made so far.
    pub fn stop_at(&self, text: impl Into<String>) {
        let (text, server) = (text.into(), Arc::downgrade(&self.shared.server));
        let done = AtomicBool::new(false);
        self.shared.log.watch(Some(Box::new(move |line| {
            if line.contains(&text)
                && !done.swap(true, Ordering::Relaxed)
                && let Some(server) = server.upgrade()
            {
                server.stop();
            }
        })));
    }

    /// What the provider has logged since the start, one event or span a line.
    pub fn log(&self) -> Vec<String> {
        self.shared.log.since(0)
    }

    pub(crate) fn server(&self) -> &ProviderServer {
        &self.shared.server
    }

    pub(crate) fn secrets(&self) -> MutexGuard<'_, Secrets> {
        lock(&self.shared.secrets)
    }

    /// Waits for an answer of the provider; then what was logged meanwhile must show no secret. What is
    /// sensitive in the answer itself is noted by `note` first.
    #[track_caller]
    pub(crate) fn ask<T>(&self, step: &str, answer: impl Future<Output = T>, note: impl FnOnce(&T)) -> T {
        let start = self.shared.log.len();
        let Some(runtime) = &self.shared.runtime else { unreachable!("it is there until the drop") };
        let patience = *lock(&self.shared.patience);
        // The timer has to be made within the runtime.
        let answer = async { tokio::time::timeout(patience, answer).await };
        let answer = self.shared.log.during(|| runtime.block_on(answer)).unwrap_or_else(|_| {
            panic!(
                "{step} has not ended after {patience:?} of real time: a method waits for something that nobody \
                 does, or blocks its thread. A test clock moves only while somebody waits with `cx`"
            )
        });
        note(&answer);
        let lines = self.shared.log.since(start);
        let secrets = self.secrets().clone();
        if let Some((line, place)) = lines.iter().find_map(|it| secrets.shown_in(it).map(|place| (it, place)))
        {
            let what = format!("a log line shows this sensitive value: {}", secrets.hide(line));
            self.judge(Breach::new(Law::SecretsStaySecret, step, place.clone(), what));
        }
        answer
    }

    /// The same, for an answer of diagnostics only.
    #[track_caller]
    pub(crate) fn call(&self, step: &str, answer: impl Future<Output = Diagnostics>) -> Result<Diagnostics> {
        let found = self.ask(step, answer, |_| ());
        self.heard(step, found)
    }

    /// Judges what a provider has said: errors that are those of the engine's own checks are broken laws.
    #[track_caller]
    pub(crate) fn heard(&self, step: &str, found: Diagnostics) -> Result<Diagnostics> {
        let secrets = self.secrets().clone();
        for it in found.iter() {
            if let Some(place) = secrets.shown_in(&it.to_string()) {
                let what =
                    format!("a diagnostic shows this sensitive value: {}", secrets.hide(&it.to_string()));
                self.judge(Breach::new(Law::SecretsStaySecret, step, place.clone(), what));
            }
        }
        for (check, law) in [
            (ContractCheck::Plan, Law::PlanKeepsConfiguration),
            (ContractCheck::Result, Law::StateKeepsPlan),
            (ContractCheck::State, Law::StateIsWhole),
            (ContractCheck::Identity, Law::IdentityStays),
        ] {
            let mut broken = Diagnostics::new();
            broken.extend(found.iter().filter(|it| contract::failed_check(it) == Some(check)).cloned());
            self.uphold(law, step, &broken);
        }
        if found.has_error() { Err(found) } else { Ok(found) }
    }

    /// The value after it went to the other side and was read there.
    #[track_caller]
    pub(crate) fn crossing(&self, step: &str, value: &Value, ty: &Type) -> Value {
        let crossed = msgpack::encode(value, ty).and_then(|it| msgpack::decode(&it, ty));
        let fault = match crossed {
            Ok(it) if it == *value => return it,
            Ok(_) => (Path::ROOT, "it is another one after MessagePack".to_owned()),
            Err(error) => {
                (error.path().clone(), format!("it does not go through MessagePack: {}", error.message()))
            }
        };
        self.judge(Breach::new(Law::EncodingsKeepValues, step, fault.0, fault.1));
        value.clone()
    }

    /// Ends the test over a broken law, except where it is excepted.
    #[track_caller]
    pub(crate) fn judge(&self, breach: Breach) {
        if !lock(&self.shared.excepted).contains(&breach.law) {
            panic!("{breach}");
        }
    }

    /// Whether a check found nothing; otherwise the law is broken.
    #[track_caller]
    pub(crate) fn uphold(&self, law: Law, step: &str, found: &Diagnostics) {
        if !found.is_empty() {
            self.judge(Breach::found(law, step, found));
        }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("provider", &self.server().provider().address()).finish_non_exhaustive()
    }
}

pub(crate) fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whole at any time, also after a test has failed while it was held.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
