//! Runs a CLI in the directory of a workspace.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Output, Result};
use crate::cli::{Cli, Running};

/// The default time limit of a run of the CLI. A run that exceeds it fails with an error.
const LIMIT: Duration = Duration::from_secs(120);

/// A CLI with its environment.
#[derive(Clone)]
pub(super) struct CliRunner {
    cli: Cli,
    /// The directory of the workspace.
    directory: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    limit: Duration,
}

impl CliRunner {
    pub(super) fn new(cli: &Cli, directory: &Path) -> CliRunner {
        let environment = BTreeMap::new();
        CliRunner { cli: cli.clone(), directory: directory.to_owned(), environment, limit: LIMIT }
    }

    /// The same CLI and environment for another workspace.
    pub(super) fn in_directory(&self, directory: &Path) -> CliRunner {
        CliRunner { directory: directory.to_owned(), ..self.clone() }
    }

    pub(super) fn cli(&self) -> &Cli {
        &self.cli
    }

    /// The path of the CLI configuration.
    pub(super) fn configuration(&self) -> PathBuf {
        self.directory.join("cli.tfrc")
    }

    pub(super) fn set_env(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.environment.insert(name.into(), value.into());
    }

    pub(super) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Result<Output> {
        self.spawn(arguments)?.wait()
    }

    pub(super) fn spawn(&self, arguments: &[&str]) -> Result<Running> {
        let mut command = Command::new(self.cli.program());
        let is_cli_variable = |name: &OsString| {
            ["TF_", "TOFU_", "OPENTOFU_"].iter().any(|it| name.to_string_lossy().starts_with(it))
        };
        for (name, _) in env::vars_os().filter(|(name, _)| is_cli_variable(name)) {
            command.env_remove(name);
        }
        command
            .current_dir(self.directory.join("configuration"))
            .env("TF_CLI_CONFIG_FILE", self.configuration())
            .env("TF_DATA_DIR", self.directory.join("data"))
            .env("TF_IN_AUTOMATION", "1")
            .env("CHECKPOINT_DISABLE", "1")
            // OpenTofu replaces the hostname `registry.terraform.io` in a state file with its own, under which the provider is not
            // configured.
            .env("OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION", "0")
            // Escape sequences would separate the words that a test searches for.
            .env("TF_CLI_ARGS", "-no-color")
            .envs(&self.environment)
            .args(arguments);
        Running::start(command, self.command_line(arguments), self.limit)
    }

    /// The command line for messages: `terraform plan -json`.
    fn command_line(&self, arguments: &[&str]) -> String {
        [&[self.cli.name().as_str()], arguments].concat().join(" ")
    }

    /// The command line for a shell, with the environment that the CLI needs.
    pub(super) fn shell_command(&self, arguments: &str) -> String {
        format!(
            "cd {} && TF_CLI_CONFIG_FILE={} TF_DATA_DIR={} {} {arguments}",
            self.directory.join("configuration").display(),
            self.configuration().display(),
            self.directory.join("data").display(),
            self.cli.program().display(),
        )
    }
}
