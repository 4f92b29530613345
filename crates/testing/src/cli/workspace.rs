//! A configuration in a folder of its own, and what one does with it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs};

use super::folder::Folder;
use super::{Cli, Failed, Json, Log, Output, Plan, Result, Running, State, Validation, json};

/// No step takes that long; one that does hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// A configuration with its state in a temporary folder, and the providers that it uses.
///
/// The CLI runs there without anything of the caller's: no `TF_` variables, no settings, no plugin folders. It
/// takes the providers from where they were built (a development override), so nothing is installed and no
/// `init` is needed. The file `providers.tf` is written for you; write your own over it for aliases and the like.
#[derive(Debug)]
pub struct Workspace {
    cli: Cli,
    folder: Folder,
    /// Addresses, and the folders of the binaries.
    providers: BTreeMap<String, PathBuf>,
    variables: BTreeMap<OsString, OsString>,
    plans: AtomicU32,
}

impl Workspace {
    /// An empty configuration.
    ///
    /// # Errors
    ///
    /// Where the temporary folder cannot be made.
    pub fn new(cli: &Cli) -> Result<Workspace> {
        let folder = Folder::new().map_err(Failed::context("cannot make a temporary folder"))?;
        let space = Workspace {
            cli: cli.clone(),
            folder,
            providers: BTreeMap::new(),
            variables: BTreeMap::new(),
            plans: AtomicU32::new(0),
        };
        fs::create_dir(space.path()).map_err(Failed::context("cannot make a temporary folder"))?;
        space.configure_cli()?;
        Ok(space)
    }

    /// Uses the provider of that address (`registry.terraform.io/hashicorp/local`), as built: the path of a
    /// binary, which must have the name `terraform-provider-local`.
    ///
    /// # Errors
    ///
    /// Where there is no such binary, or it has another name.
    pub fn provider(mut self, address: &str, binary: impl AsRef<Path>) -> Result<Workspace> {
        let binary = binary.as_ref();
        let name = format!("terraform-provider-{}", address.rsplit('/').next().unwrap_or_default());
        let wrong = |what: &str| Failed::new(format!("{} {what}", binary.display()));
        if binary.file_stem().is_none_or(|it| *it != *name) {
            return Err(wrong(&format!("must be called {name}: the CLI looks for that name")));
        }
        let folder = binary.parent().and_then(|it| fs::canonicalize(it).ok()).filter(|_| binary.is_file());
        let folder = folder.ok_or_else(|| wrong("is not there: build the provider first"))?;
        self.providers.insert(address.to_owned(), folder);
        self.configure_cli()?;
        self.write("providers.tf", &self.required_providers())?;
        Ok(self)
    }

    /// Sets a variable in the environment of the CLI and its providers.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Workspace {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Logs everything from now on, for [`log`](Workspace::log).
    #[must_use]
    pub fn traced(self) -> Workspace {
        let path = self.log_path();
        self.env("TF_LOG", "TRACE").env("TF_LOG_PATH", path)
    }

    /// Where the configuration is, and where relative paths in it begin.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("configuration")
    }

    /// Writes a file of the configuration, over what was there.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        fs::write(self.path().join(name), text).map_err(Failed::context(format!("cannot write {name}")))
    }

    /// Plans.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn plan(&self) -> Result<Plan> {
        self.plan_with(&[])
    }

    /// Plans with more arguments, such as `-destroy` or `-refresh-only`.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn plan_with(&self, arguments: &[&str]) -> Result<Plan> {
        let count = self.plans.fetch_add(1, Ordering::Relaxed);
        let file = self.folder.path().join(format!("{count}.tfplan"));
        let out = format!("-out={}", file.display());
        let output =
            self.run(&[&["plan", "-input=false", "-detailed-exitcode", &out], arguments].concat())?;
        // The code 2 says that something is to change.
        let is_empty = output.code == Some(0);
        let output = if output.code == Some(2) { output } else { output.ok()? };
        let content = self.run(&["show", "-json", &file.display().to_string()])?.ok()?;
        Plan::read(file, output.stdout, is_empty, json::parse(&content.stdout, "the plan")?)
    }

    /// Plans and applies.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn apply(&self) -> Result<Output> {
        self.run(&["apply", "-input=false", "-auto-approve"])?.ok()
    }

    /// Applies what was planned.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn apply_plan(&self, plan: &Plan) -> Result<Output> {
        self.run(&["apply", "-input=false", &plan.file().display().to_string()])?.ok()
    }

    /// Destroys everything.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn destroy(&self) -> Result<Output> {
        self.run(&["destroy", "-input=false", "-auto-approve"])?.ok()
    }

    /// Takes an object that exists into the state.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn import(&self, address: &str, id: &str) -> Result<Output> {
        self.run(&["import", "-input=false", address, id])?.ok()
    }

    /// Judges the configuration. That it is wrong is an answer, not an error.
    ///
    /// # Errors
    ///
    /// Where the CLI cannot judge it.
    pub fn validate_json(&self) -> Result<Validation> {
        let output = self.run(&["validate", "-json"])?;
        Ok(Validation::read(&json::parse(&output.stdout, "the validation")?))
    }

    /// What the state holds.
    ///
    /// # Errors
    ///
    /// Where the CLI reports an error.
    pub fn state(&self) -> Result<State> {
        let output = self.run(&["show", "-json"])?.ok()?;
        Ok(State::read(json::parse(&output.stdout, "the state")?))
    }

    /// The value of an output.
    ///
    /// # Errors
    ///
    /// Where there is no such output.
    pub fn output(&self, name: &str) -> Result<Json> {
        let output = self.run(&["output", "-json", name])?.ok()?;
        json::parse(&output.stdout, "the output")
    }

    /// What was logged so far, in a [traced](Workspace::traced) workspace.
    ///
    /// # Errors
    ///
    /// Where nothing was.
    pub fn log(&self) -> Result<Log> {
        let text = fs::read(self.log_path()).map_err(Failed::context("cannot read the log"))?;
        Ok(Log::new(String::from_utf8_lossy(&text).into_owned()))
    }

    /// Runs the CLI with these arguments, whatever comes of it.
    ///
    /// # Errors
    ///
    /// Where it does not run, or does not end.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        self.spawn(arguments)?.wait()
    }

    /// Starts the CLI with these arguments, and leaves it running.
    ///
    /// # Errors
    ///
    /// Where it does not run.
    pub fn spawn(&self, arguments: &[&str]) -> Result<Running> {
        let mut command = Command::new(self.cli.program());
        let foreign =
            |name: &OsString| ["TF_", "TOFU_"].iter().any(|it| name.to_string_lossy().starts_with(it));
        for (name, _) in env::vars_os().filter(|(name, _)| foreign(name)) {
            command.env_remove(name);
        }
        command
            .current_dir(self.path())
            .env("TF_CLI_CONFIG_FILE", self.cli_configuration())
            .env("TF_DATA_DIR", self.folder.path().join("data"))
            .env("TF_IN_AUTOMATION", "1")
            .env("CHECKPOINT_DISABLE", "1")
            // Colours would stand between the words that a test looks for.
            .env("TF_CLI_ARGS", "-no-color")
            .envs(&self.variables)
            .args(arguments);
        let line = [&[self.cli.name().as_str()], arguments].concat().join(" ");
        Running::start(command, line, LIMIT)
    }

    /// The providers.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &str> {
        self.providers.keys().map(String::as_str)
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn cli_configuration(&self) -> PathBuf {
        self.folder.path().join("cli.tfrc")
    }

    fn configure_cli(&self) -> Result<()> {
        let mut text = String::from("provider_installation {\n  dev_overrides {\n");
        for (address, folder) in &self.providers {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    {address:?} = {folder:?}");
        }
        text.push_str("  }\n  direct {}\n}\n");
        fs::write(self.cli_configuration(), text).map_err(Failed::context("cannot write the CLI's settings"))
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
