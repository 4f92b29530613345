//! Tests of whole configurations, which are written as HCL and run in process or with a real `terraform` or `tofu`.
//!
//! A [`Workspace`] is a configuration with its state and providers. A [`Runner`] runs the configuration, so the same test runs in process and
//! with each installed CLI:
//!
//! ```
//! use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
//! use ferroform_testing::provider;
//! use ferroform_testing::workspace::{Runner, PlannedAction, Workspace};
//!
//! provider! { Pets { resource Pet = "pets_pet" } }
//!
//! /// A pet.
//! #[derive(Model, Clone, Debug, PartialEq)]
//! struct Pet {
//!     name: String,
//!     #[attr(computed, follows(name))]
//!     greeting: String,
//! }
//!
//! impl Resource for Pet {
//!     type Provider = Pets;
//!
//!     async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PetComputed> {
//!         Ok(PetComputed { greeting: format!("I am {}", plan.name) })
//!     }
//!
//!     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
//!         Ok(Some(state))
//!     }
//!
//!     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
//!         Ok(())
//!     }
//! }
//!
//! # fn test() -> ferroform_testing::workspace::Result<()> {
//! for runner in Runner::all() {
//!     let workspace = Workspace::on(&runner)?.attach::<Pets>()?;
//!     workspace.write("main.tf", r#"
//!         resource "pets_pet" "dog" {
//!           name = "Rex"
//!         }
//!
//!         output "greeting" {
//!           value = pets_pet.dog.greeting
//!         }
//!     "#)?;
//!     let plan = workspace.plan()?;
//!     assert_eq!(plan.change("pets_pet.dog")?.action, PlannedAction::Create);
//!     assert!(plan.change("pets_pet.dog")?.is_unknown("greeting"));
//!     workspace.apply()?;
//!     assert_eq!(workspace.output("greeting")?, "I am Rex");
//!     workspace.plan()?.expect_empty()?;
//! }
//! # Ok(())
//! # }
//! # test().unwrap();
//! ```
//!
//! Every step returns a [`Result`] whose error contains the diagnostics of Terraform, so tests can use `?`.

mod address;
mod attached;
mod cleanup;
mod cli_runner;
mod diagnostic;
mod error;
mod import;
pub(crate) mod json;
mod output;
mod plan;
mod plan_options;
mod planned_action;
mod query;
mod runner;
mod schemas;
mod state;
mod state_file;
mod steps;
mod temporary_directory;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ferroform::{Clock, Provider};
use ferroform_engine::ProviderServer;
use ferroform_server::ReattachServer;

use self::address::equal_addresses;
pub(crate) use self::address::provider_type;
use self::attached::{Attached, Monitor};
use self::cli_runner::CliRunner;
pub use self::diagnostic::{Diagnostic, Validation};
pub use self::error::{Error, Result};
pub use self::json::Json;
pub use self::output::Output;
pub(crate) use self::plan::Counts;
pub use self::plan::{DeferredChange, OutputChange, Plan, ResourceChange};
pub use self::planned_action::PlannedAction;
pub use self::query::QueryResult;
pub use self::runner::Runner;
pub(crate) use self::schemas::Schemas;
pub use self::state::{State, StateObject};
pub use self::state_file::StoredObject;
use self::temporary_directory::TemporaryDirectory;
use crate::Invariant;
use crate::cli::{Cli, Log, Running};
use crate::harness::lock;
use crate::terraform::{ServerFactory, Simulation, is_configuration_file};

/// The file of the configuration with the addresses of the providers.
const PROVIDERS: &str = "providers.tf";

/// The file of the configuration with the values of [`Workspace::variable`].
const VARIABLES: &str = "test.auto.tfvars.json";

/// A configuration in a temporary directory, with its state and its providers.
///
/// The providers run in the test process ([`attach`](Workspace::attach)), or are binaries that a CLI starts
/// ([`provider`](Workspace::provider)). Nothing is installed, and no `init` is required. The workspace writes `providers.tf`
/// unless another file contains `required_providers`; a test can overwrite it, for example to configure aliases. Before a
/// step, it installs local modules. A CLI does not inherit `TF_*`, `TOFU_*` and `OPENTOFU_*` variables, CLI configuration or plugin
/// directories.
///
/// When the workspace is dropped, it destroys the objects that are still in the state, so that a failed test leaves no remote
/// objects behind. Imported objects and those of [`write_state`](Workspace::write_state) are kept. If the test panics or returns an
/// [`Error`], its output contains the configuration and the steps that reproduce the failure.
///
/// ```no_run
/// # ferroform_testing::provider! { Notes {} }
/// use ferroform_testing::workspace::{Runner, Result, Workspace};
///
/// fn text_is_updated() -> Result<()> {
///     for runner in Runner::all() {
///         let workspace = Workspace::on(&runner)?.attach::<Notes>()?;
///         for text in ["first", "second"] {
///             workspace.write("main.tf", &format!(r#"
///                 resource "notes_note" "a" {{
///                   title = "a"
///                   text  = "{text}"
///                 }}
///             "#))?;
///             workspace.apply()?;
///             assert_eq!(workspace.state()?.get("notes_note.a")?.values["text"], text);
///         }
///         workspace.destroy()?;
///         assert!(workspace.state()?.is_empty());
///     }
///     Ok(())
/// }
/// ```
pub struct Workspace {
    runner: RunnerState,
    /// The addresses of the provider binaries and their paths.
    binaries: BTreeMap<String, PathBuf>,
    attached: Vec<Attached>,
    monitor: Monitor,
    variables: Mutex<BTreeMap<String, Json>>,
    /// True if the workspace has written [`PROVIDERS`], and not the test.
    owns_providers_file: AtomicBool,
    /// The number of plans so far.
    plans: AtomicU32,
    /// The steps so far, as the command lines of a CLI.
    steps: Mutex<Vec<String>>,
    /// The addresses of objects that the workspace has not created: imported ones, and those of a written state.
    external_objects: Mutex<BTreeSet<String>>,
    /// The last field, because it removes the directory when it is dropped.
    directory: TemporaryDirectory,
}

enum RunnerState {
    InProcess(Box<Mutex<Simulation>>),
    Cli(CliRunner),
}

impl Workspace {
    /// Creates a workspace with an empty configuration that runs in process.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary directory cannot be created.
    pub fn in_process() -> Result<Workspace> {
        Workspace::on(&Runner::InProcess)
    }

    /// Creates a workspace with an empty configuration that a CLI runs.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary directory cannot be created.
    pub fn new(cli: &Cli) -> Result<Workspace> {
        Workspace::on(&Runner::Cli(cli.clone()))
    }

    /// Creates a workspace with an empty configuration for this runner.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary directory cannot be created.
    pub fn on(runner: &Runner) -> Result<Workspace> {
        let cannot_create = || Error::context("cannot create a temporary directory");
        let directory = TemporaryDirectory::new().map_err(cannot_create())?;
        let configuration = directory.configuration();
        fs::create_dir(&configuration).map_err(cannot_create())?;
        let monitor = Monitor::new();
        let runner = match runner {
            Runner::InProcess => {
                let simulation = Simulation::new(&configuration, monitor.clock.clone());
                RunnerState::InProcess(Box::new(Mutex::new(simulation)))
            }
            Runner::Cli(cli) => RunnerState::Cli(CliRunner::new(cli, directory.path())),
        };
        let workspace = Workspace {
            runner,
            binaries: BTreeMap::new(),
            attached: Vec::new(),
            monitor,
            variables: Mutex::default(),
            owns_providers_file: AtomicBool::new(true),
            plans: AtomicU32::new(0),
            steps: Mutex::default(),
            external_objects: Mutex::default(),
            directory,
        };
        if let RunnerState::InProcess(simulation) = &workspace.runner {
            lock(simulation).capture_log(workspace.monitor.log.clone());
        }
        workspace.configure_cli()?;
        Ok(workspace)
    }

    /// Runs the provider `P` in the test process. A CLI reattaches to it, so no binary is built.
    ///
    /// Terraform configures the provider in each step, and each `provider` block separately. Each step and each `provider` block
    /// therefore creates a new value of `P`. In process, a new value is created only if the provider configuration has changed.
    /// So the simulated service must not be a field that `P` creates; keep it outside, for example in a static variable.
    ///
    /// The clock is [`clock`](Workspace::clock), which advances by itself: methods that wait take no real time, neither in
    /// process nor with a CLI. [`attach_server`](Workspace::attach_server) can set another clock.
    ///
    /// In process, every step checks each [`Invariant`] of the [`Harness`](crate::Harness) that needs no additional plan or read,
    /// and panics if one is violated. With a CLI, only [`SecretsAreRedacted`](Invariant::SecretsAreRedacted) is checked.
    /// Terraform checks plans and new states itself, and reports inconsistent results as errors.
    ///
    /// # Errors
    ///
    /// Returns an error if the provider cannot be served.
    pub fn attach<P: Provider>(self) -> Result<Workspace> {
        let clock = self.clock().clone();
        self.attach_server(P::ADDRESS, move || ferroform::server::<P>().with_clock(clock.clone()))
    }

    /// Runs a provider in the test process, like [`attach`](Workspace::attach): with another address or clock, or one that is
    /// built at run time. `create` is called for each `provider` block in each step.
    ///
    /// ```no_run
    /// # ferroform_testing::provider! { Notes {} }
    /// use ferroform_testing::workspace::{Result, Workspace};
    ///
    /// /// A workspace in which a method that waits for a minute takes a minute.
    /// fn in_real_time() -> Result<Workspace> {
    ///     Workspace::in_process()?.attach_server("registry.terraform.io/example/notes", || ferroform::server::<Notes>())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the provider cannot be served.
    pub fn attach_server(
        mut self,
        address: &str,
        create: impl Fn() -> ProviderServer + Send + Sync + 'static,
    ) -> Result<Workspace> {
        let (create, server) = match &self.runner {
            // The simulation checks the log itself.
            RunnerState::InProcess(simulation) => {
                let create: ServerFactory = Arc::new(create);
                lock(simulation).attach(address, create.clone());
                (create, None)
            }
            RunnerState::Cli(_) => {
                let create = self.monitor.observe(create);
                let (log, served) = (self.monitor.log.dispatch(), create.clone());
                let server = ReattachServer::start(address, log, move || served());
                (create, Some(server.map_err(Error::context(format!("cannot serve {address}")))?))
            }
        };
        self.attached.push(Attached { address: address.to_owned(), create, server });
        self.set_reattach_variable()?;
        self.update_providers_file()?;
        Ok(self)
    }

    /// Adds a provider by its address (`registry.terraform.io/hashicorp/local`) and the path of its binary, whose name
    /// must be `terraform-provider-local`. The CLI runs it from this directory (a development override).
    ///
    /// # Errors
    ///
    /// Returns an error if the binary does not exist or has another name, and in process.
    pub fn provider(mut self, address: &str, binary: impl AsRef<Path>) -> Result<Workspace> {
        self.runner.cli("a provider binary")?;
        let binary = binary.as_ref();
        let name = format!("terraform-provider-{}", provider_type(address));
        let invalid = |problem: &str| Error::new(format!("{} {problem}", binary.display()));
        if binary.file_stem().is_none_or(|it| *it != *name) {
            return Err(invalid(&format!("must have the name {name}, by which the CLI finds it")));
        }
        let directory =
            binary.parent().and_then(|it| dunce::canonicalize(it).ok()).filter(|_| binary.is_file());
        let directory = directory.ok_or_else(|| invalid("does not exist: build the provider first"))?;
        let file = binary.file_name().unwrap_or_default();
        self.binaries.insert(address.to_owned(), directory.join(file));
        self.configure_cli()?;
        self.update_providers_file()?;
        Ok(self)
    }

    /// Sets an environment variable of the CLI and its providers. It has no effect in process, and on attached providers,
    /// which have the environment of the test.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Workspace {
        if let RunnerState::Cli(runner) = &mut self.runner {
            runner.set_env(name, value);
        }
        self
    }

    /// Sets the time after which a command of the CLI fails with an error, such as `terraform apply` of many objects. The default
    /// is 120 seconds. It has no effect in process.
    ///
    /// ```no_run
    /// # fn example() -> ferroform_testing::workspace::Result<()> {
    /// use std::time::Duration;
    /// use ferroform_testing::workspace::{Runner, Workspace};
    ///
    /// for runner in Runner::all() {
    ///     let workspace = Workspace::on(&runner)?.command_timeout(Duration::from_secs(600));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn command_timeout(mut self, limit: Duration) -> Workspace {
        if let RunnerState::Cli(runner) = &mut self.runner {
            runner.set_limit(limit);
        }
        self
    }

    /// Enables the trace log of the CLI, for [`log`](Workspace::log).
    #[must_use]
    pub fn with_trace_log(self) -> Workspace {
        let path = self.log_path();
        self.env("TF_LOG", "TRACE").env("TF_LOG_PATH", path)
    }

    /// Stops checking an invariant that the attached providers cannot satisfy. Call it before the first step, and explain the
    /// exception in a comment of the test.
    #[must_use]
    pub fn skip_check(mut self, invariant: Invariant) -> Workspace {
        if invariant == Invariant::SecretsAreRedacted {
            self.monitor.skip_secrets();
        }
        if let RunnerState::InProcess(simulation) = &self.runner {
            lock(simulation).skip_check(invariant);
        }
        self
    }

    /// Returns the runner of the configuration.
    pub fn runner(&self) -> Runner {
        match &self.runner {
            RunnerState::InProcess(_) => Runner::InProcess,
            RunnerState::Cli(runner) => Runner::Cli(runner.cli().clone()),
        }
    }

    /// Returns the CLI.
    ///
    /// # Panics
    ///
    /// Panics in process, where there is none.
    #[track_caller]
    pub fn cli(&self) -> &Cli {
        match &self.runner {
            RunnerState::InProcess(_) => panic!("a workspace in process has no CLI"),
            RunnerState::Cli(runner) => runner.cli(),
        }
    }

    /// Returns the clock of the attached providers' methods: a [test clock](Clock::test), which tests can advance.
    pub fn clock(&self) -> &Clock {
        &self.monitor.clock
    }

    /// Returns the log of the attached providers: one line for each event and span.
    pub fn provider_log(&self) -> Vec<String> {
        self.monitor.log.since(0)
    }

    /// Returns the directory of the configuration. Relative paths in the configuration start here.
    pub fn path(&self) -> PathBuf {
        self.directory.configuration()
    }

    /// Writes a file of the configuration, such as `main.tf`, `main.tf.json` or `modules/disk/main.tf`, and replaces an existing
    /// one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path().join(name);
        let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
        parent
            .and_then(|()| fs::write(&path, text))
            .map_err(Error::context(format!("cannot write {name}")))?;
        if name == PROVIDERS {
            self.owns_providers_file.store(false, Ordering::Relaxed);
        }
        self.update_providers_file()
    }

    /// Reads a file of the configuration, such as one that `-generate-config-out` wrote.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn read(&self, name: &str) -> Result<String> {
        fs::read_to_string(self.path().join(name)).map_err(Error::context(format!("cannot read {name}")))
    }

    /// Removes a file of the configuration.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be removed.
    pub fn remove(&self, name: &str) -> Result<()> {
        fs::remove_file(self.path().join(name)).map_err(Error::context(format!("cannot remove {name}")))?;
        self.update_providers_file()
    }

    /// Copies a configuration with its modules and other files, such as `examples/basic`. The path is relative to the working
    /// directory, which is that of the package in tests. States and installed providers are not copied.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be copied.
    pub fn copy(&self, directory: impl AsRef<Path>) -> Result<()> {
        let directory = directory.as_ref();
        copy_files(directory, &self.path())
            .map_err(Error::context(format!("cannot copy {}", directory.display())))?;
        if directory.join(PROVIDERS).exists() {
            self.owns_providers_file.store(false, Ordering::Relaxed);
        }
        self.update_providers_file()
    }

    /// Sets a variable of the root module, for all following steps: `workspace.variable("ports", json!([80, 443]))`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file with the variables cannot be written.
    pub fn variable(&self, name: &str, value: impl Into<Json>) -> Result<()> {
        let mut variables = lock(&self.variables);
        variables.insert(name.to_owned(), value.into());
        let all = Json::Object(variables.clone().into_iter().collect());
        fs::write(self.path().join(VARIABLES), format!("{all:#}"))
            .map_err(Error::context("cannot write the variables"))
    }

    /// Returns the log of a workspace [with a trace log](Workspace::with_trace_log).
    ///
    /// # Errors
    ///
    /// Returns an error if there is no log, as in process.
    pub fn log(&self) -> Result<Log> {
        self.runner.cli("the log of the CLI")?;
        let text = fs::read(self.log_path()).map_err(Error::context("cannot read the log"))?;
        Ok(Log::new(String::from_utf8_lossy(&text).into_owned()))
    }

    /// Runs the CLI with these arguments and returns its output, whether the run succeeds or fails.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI does not start, or exceeds the time limit, and in process.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        self.spawn(arguments)?.wait()
    }

    /// Starts the CLI with these arguments and returns without waiting for it.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI does not start, and in process.
    pub fn spawn(&self, arguments: &[&str]) -> Result<Running> {
        let runner = self.runner.cli(&format!("`{}`", arguments.join(" ")))?;
        lock(&self.steps).push(arguments.join(" "));
        runner.spawn(arguments)
    }

    /// Returns the addresses of the providers.
    fn addresses(&self) -> impl Iterator<Item = &str> {
        self.binaries.keys().map(String::as_str).chain(self.attached.iter().map(|it| it.address.as_str()))
    }

    fn log_path(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    fn configure_cli(&self) -> Result<()> {
        let RunnerState::Cli(runner) = &self.runner else { return Ok(()) };
        let mut text = String::from("provider_installation {\n  dev_overrides {\n");
        for (address, binary) in &self.binaries {
            let directory = binary.parent().unwrap_or(binary);
            for address in equal_addresses(address) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "    {address:?} = {directory:?}");
            }
        }
        text.push_str("  }\n  direct {}\n}\n");
        fs::write(runner.configuration(), text).map_err(Error::context("cannot write the CLI configuration"))
    }

    /// Sets the variable with which a CLI reattaches to the attached providers.
    fn set_reattach_variable(&mut self) -> Result<()> {
        let RunnerState::Cli(runner) = &mut self.runner else { return Ok(()) };
        let mut all = serde_json::Map::new();
        for server in self.attached.iter().filter_map(|it| it.server.as_ref()) {
            let providers: serde_json::Map<String, Json> = serde_json::from_str(server.variable())
                .map_err(Error::context("the reattach configuration is not JSON"))?;
            all.extend(providers);
        }
        runner.set_env("TF_REATTACH_PROVIDERS", Json::Object(all).to_string());
        Ok(())
    }

    /// Writes or removes the file with the addresses of the providers, unless the test has written it.
    fn update_providers_file(&self) -> Result<()> {
        if !self.owns_providers_file.load(Ordering::Relaxed) {
            return Ok(());
        }
        let cannot_write = || Error::context(format!("cannot write {PROVIDERS}"));
        let mut is_required_elsewhere = false;
        for entry in fs::read_dir(self.path()).map_err(cannot_write())? {
            let path = entry.map_err(cannot_write())?.path();
            if is_configuration_file(&path.to_string_lossy()) && !path.ends_with(PROVIDERS) {
                let text = fs::read(&path).map_err(cannot_write())?;
                is_required_elsewhere |= String::from_utf8_lossy(&text).contains("required_providers");
            }
        }
        let file = self.path().join(PROVIDERS);
        if !is_required_elsewhere && self.addresses().next().is_some() {
            fs::write(file, self.required_providers()).map_err(cannot_write())
        } else if file.exists() {
            fs::remove_file(file).map_err(cannot_write())
        } else {
            Ok(())
        }
    }

    fn required_providers(&self) -> String {
        let mut text = String::from("terraform {\n  required_providers {\n");
        for address in self.addresses() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    {} = {{ source = {address:?} }}", provider_type(address));
        }
        text + "  }\n}\n"
    }
}

impl RunnerState {
    /// Returns the runner of a CLI, for an operation that is not possible in process.
    fn cli(&self, operation: &str) -> Result<&CliRunner> {
        match self {
            RunnerState::Cli(runner) => Ok(runner),
            RunnerState::InProcess(_) => {
                Err(Error::new(format!("{operation} requires a CLI, but the test runs in process")))
            }
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace")
            .field("runner", &self.runner())
            .field("path", &self.path())
            .finish_non_exhaustive()
    }
}

/// Copies the files of a configuration, without states and installed providers.
fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.starts_with(".terraform") || text.contains(".tfstate") {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &to.join(&name))?;
        } else {
            fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}
