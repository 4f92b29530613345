//! A temporary workspace: a configuration, its state and the providers that it uses.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs};

use super::temporary_directory::TemporaryDirectory;
use super::{Cli, Error, Json, Log, Output, Plan, Result, Running, State, Validation, json};

/// The time limit of a run. A run that takes this long hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// The registries of Terraform and OpenTofu.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// A configuration with its state in a temporary directory, and the providers that it uses.
///
/// The CLI does not inherit `TF_` variables, CLI configuration or plugin directories. It runs the providers directly from
/// their build directory (a development override), so nothing is installed and no `init` is required. The workspace writes
/// `providers.tf`; a test can overwrite this file, for example to configure aliases.
///
/// ```no_run
/// use ferroform_testing::cli::{Cli, Result, Workspace};
///
/// fn content_is_updated(provider: &str) -> Result<()> {
///     let Some(cli) = Cli::for_test() else { return Ok(()) };
///     let workspace = Workspace::new(&cli)?.provider("registry.terraform.io/hashicorp/local", provider)?;
///     for content in ["first", "second"] {
///         workspace.write("main.tf", &format!(r#"
///             resource "local_file" "a" {{
///               filename = "a.txt"
///               content  = "{content}"
///             }}
///         "#))?;
///         workspace.apply()?;
///         assert_eq!(workspace.state()?.get("local_file.a")?.values["content"], content);
///     }
///     workspace.destroy()?;
///     assert!(workspace.state()?.is_empty());
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct Workspace {
    cli: Cli,
    directory: TemporaryDirectory,
    /// The addresses of the providers and the directories of their binaries.
    providers: BTreeMap<String, PathBuf>,
    variables: BTreeMap<OsString, OsString>,
    plans: AtomicU32,
}

impl Workspace {
    /// Creates a workspace with an empty configuration.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary directory cannot be created.
    pub fn new(cli: &Cli) -> Result<Workspace> {
        let directory =
            TemporaryDirectory::new().map_err(Error::context("cannot create a temporary directory"))?;
        let workspace = Workspace {
            cli: cli.clone(),
            directory,
            providers: BTreeMap::new(),
            variables: BTreeMap::new(),
            plans: AtomicU32::new(0),
        };
        fs::create_dir(workspace.path()).map_err(Error::context("cannot create a temporary directory"))?;
        workspace.configure_cli()?;
        Ok(workspace)
    }

    /// Adds a provider by its address (`registry.terraform.io/hashicorp/local`) and the path of its binary, whose name
    /// must be `terraform-provider-local`.
    ///
    /// # Errors
    ///
    /// Returns an error if the binary does not exist or has another name.
    pub fn provider(mut self, address: &str, binary: impl AsRef<Path>) -> Result<Workspace> {
        let binary = binary.as_ref();
        let name = format!("terraform-provider-{}", address.rsplit('/').next().unwrap_or_default());
        let invalid = |problem: &str| Error::new(format!("{} {problem}", binary.display()));
        if binary.file_stem().is_none_or(|it| *it != *name) {
            return Err(invalid(&format!("must have the name {name}, by which the CLI finds it")));
        }
        let directory =
            binary.parent().and_then(|it| dunce::canonicalize(it).ok()).filter(|_| binary.is_file());
        let directory = directory.ok_or_else(|| invalid("does not exist: build the provider first"))?;
        self.providers.insert(address.to_owned(), directory);
        self.configure_cli()?;
        self.write("providers.tf", &self.required_providers())?;
        Ok(self)
    }

    /// Sets an environment variable of the CLI and its providers.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Workspace {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Enables the trace log, for [`log`](Workspace::log).
    #[must_use]
    pub fn traced(self) -> Workspace {
        let path = self.log_path();
        self.env("TF_LOG", "TRACE").env("TF_LOG_PATH", path)
    }

    /// Returns the CLI.
    pub fn cli(&self) -> &Cli {
        &self.cli
    }

    /// Returns the directory of the configuration. Relative paths in the configuration start here.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("configuration")
    }

    /// Writes a file of the configuration and replaces an existing one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        fs::write(self.path().join(name), text).map_err(Error::context(format!("cannot write {name}")))
    }

    /// Runs `plan`.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn plan(&self) -> Result<Plan> {
        self.plan_with(&[])
    }

    /// Runs `plan` with further arguments, such as `-destroy` or `-refresh-only`.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn plan_with(&self, arguments: &[&str]) -> Result<Plan> {
        let count = self.plans.fetch_add(1, Ordering::Relaxed);
        let file = self.directory.path().join(format!("{count}.tfplan"));
        let out = format!("-out={}", file.display());
        let output =
            self.run(&[&["plan", "-input=false", "-detailed-exitcode", &out], arguments].concat())?;
        // With `-detailed-exitcode`, the exit code 2 is that of a plan with changes.
        let is_empty = output.code == Some(0);
        let output = if output.code == Some(2) { output } else { output.expect_success()? };
        let content = self.run(&["show", "-json", &file.display().to_string()])?.expect_success()?;
        Plan::read(file, output.stdout, is_empty, json::parse(&content.stdout, "the plan")?)
    }

    /// Runs `apply` without a saved plan.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn apply(&self) -> Result<Output> {
        self.run(&["apply", "-input=false", "-auto-approve"])?.expect_success()
    }

    /// Applies a saved plan.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn apply_plan(&self, plan: &Plan) -> Result<Output> {
        self.run(&["apply", "-input=false", &plan.file().display().to_string()])?.expect_success()
    }

    /// Runs `destroy`.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn destroy(&self) -> Result<Output> {
        self.run(&["destroy", "-input=false", "-auto-approve"])?.expect_success()
    }

    /// Imports an existing object by its import ID.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn import(&self, address: &str, id: &str) -> Result<Output> {
        self.run(&["import", "-input=false", address, id])?.expect_success()
    }

    /// Runs `validate -json`. An invalid configuration is a [`Validation`], not an error.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI does not print a validation result.
    pub fn validate_json(&self) -> Result<Validation> {
        let output = self.run(&["validate", "-json"])?;
        Ok(Validation::read(&json::parse(&output.stdout, "the validation")?))
    }

    /// Returns the state.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn state(&self) -> Result<State> {
        let output = self.run(&["show", "-json"])?.expect_success()?;
        Ok(State::read(json::parse(&output.stdout, "the state")?))
    }

    /// Returns the value of an output.
    ///
    /// # Errors
    ///
    /// Returns an error if the output does not exist.
    pub fn output(&self, name: &str) -> Result<Json> {
        let output = self.run(&["output", "-json", name])?.expect_success()?;
        json::parse(&output.stdout, "the output")
    }

    /// Returns the log of a [traced](Workspace::traced) workspace.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no log.
    pub fn log(&self) -> Result<Log> {
        let text = fs::read(self.log_path()).map_err(Error::context("cannot read the log"))?;
        Ok(Log::new(String::from_utf8_lossy(&text).into_owned()))
    }

    /// Runs the CLI with these arguments and returns its output, whether the run succeeds or fails.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI does not start, or exceeds the time limit.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        self.spawn(arguments)?.wait()
    }

    /// Starts the CLI with these arguments and returns without waiting for it.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI does not start.
    pub fn spawn(&self, arguments: &[&str]) -> Result<Running> {
        let mut command = Command::new(self.cli.program());
        let foreign = |name: &OsString| {
            ["TF_", "TOFU_", "OPENTOFU_"].iter().any(|it| name.to_string_lossy().starts_with(it))
        };
        for (name, _) in env::vars_os().filter(|(name, _)| foreign(name)) {
            command.env_remove(name);
        }
        command
            .current_dir(self.path())
            .env("TF_CLI_CONFIG_FILE", self.cli_configuration())
            .env("TF_DATA_DIR", self.directory.path().join("data"))
            .env("TF_IN_AUTOMATION", "1")
            .env("CHECKPOINT_DISABLE", "1")
            // OpenTofu replaces the host `registry.terraform.io` in a state file by its own, where it finds no provider.
            .env("OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION", "0")
            // Escape sequences would separate the words that a test searches for.
            .env("TF_CLI_ARGS", "-no-color")
            .envs(&self.variables)
            .args(arguments);
        let line = [&[self.cli.name().as_str()], arguments].concat().join(" ");
        Running::start(command, line, LIMIT)
    }

    /// Returns the addresses of the providers.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &str> {
        self.providers.keys().map(String::as_str)
    }

    fn log_path(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    fn cli_configuration(&self) -> PathBuf {
        self.directory.path().join("cli.tfrc")
    }

    fn configure_cli(&self) -> Result<()> {
        let mut text = String::from("provider_installation {\n  dev_overrides {\n");
        for (address, directory) in &self.providers {
            for address in equal_addresses(address) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "    {address:?} = {directory:?}");
            }
        }
        text.push_str("  }\n  direct {}\n}\n");
        fs::write(self.cli_configuration(), text)
            .map_err(Error::context("cannot write the CLI configuration"))
    }

    fn required_providers(&self) -> String {
        let mut text = String::from("terraform {\n  required_providers {\n");
        for address in self.providers.keys() {
            let name = address.rsplit('/').next().unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    {name} = {{ source = {address:?} }}");
        }
        text + "  }\n}\n"
    }
}

/// Returns the addresses by which Terraform and OpenTofu find the provider: without a host in `source`, each of them
/// searches its own registry.
fn equal_addresses(address: &str) -> Vec<String> {
    let name = REGISTRIES.iter().find_map(|it| address.strip_prefix(it));
    match name {
        Some(name) => REGISTRIES.iter().map(|it| format!("{it}{name}")).collect(),
        None => vec![address.to_owned()],
    }
}
