//! The command line of `cargo ferroform dev`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::ArgAction;
use clap::{Arg, ArgMatches, value_parser};

use super::build::BuildOptions;
use super::cli_config::Environment;

/// The arguments of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct DevArgs {
    pub(super) build: BuildOptions,
    pub(super) mode: Mode,
    /// True if the user's CLI configuration is not included.
    pub(super) ignores_cli_config: bool,
    /// The command to run, such as `terraform plan`; empty to print the environment variable instead.
    pub(super) command: Vec<OsString>,
    pub(super) environment: Environment,
}

/// How Terraform finds the provider.
#[derive(Debug, PartialEq)]
pub(super) enum Mode {
    /// By a development override.
    Override,
    /// By a development override, again after each change.
    Watch,
    /// By reattaching to a running process, which a debugger can start.
    Debug { debugger: Vec<OsString> },
}

const AFTER_HELP: &str = "\
Examples:
  cargo ferroform dev -- terraform plan
  cargo ferroform dev --package terraform-provider-notes -- tofu apply
  cargo ferroform dev --watch -- terraform plan
  cargo ferroform dev --debug
  cargo ferroform dev --debug --debugger rust-lldb

The command runs in the working directory with a CLI configuration file in the target directory,
which contains your own CLI configuration and a development override. `terraform init` is not needed for the
provider. Without a command, the command prints the environment variable for the shell.
The exit code is that of the command, or that of Cargo if the build fails.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    clap::Command::new("dev")
        .about("Build a provider and run Terraform or OpenTofu with it")
        .after_help(AFTER_HELP)
        .arg(option("package", "NAME", "The package of the provider"))
        .arg(option("bin", "NAME", "The binary of the provider"))
        .arg(flag("release", "Build with optimizations"))
        .arg(option("features", "FEATURES", "The features of the package, as for cargo build"))
        .arg(
            option("manifest-path", "PATH", "The Cargo.toml of the package")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            flag("watch", "Rebuild the provider and run the command again after each change")
                .requires("command"),
        )
        .arg(
            flag("debug", "Start the provider, and print TF_REATTACH_PROVIDERS for Terraform or OpenTofu")
                .conflicts_with("watch"),
        )
        .arg(
            option("debugger", "PROGRAM", "Start the provider in this debugger, such as rust-lldb")
                .requires("debug")
                .conflicts_with("command"),
        )
        .arg(flag("ignore-cli-config", "Do not include your own CLI configuration"))
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .help("The command to run, such as terraform plan")
                .last(true)
                .num_args(0..)
                .value_parser(value_parser!(OsString)),
        )
}

/// Reads the arguments.
pub(crate) fn read(matches: &ArgMatches, environment: &[(OsString, OsString)]) -> DevArgs {
    let mut arguments: Vec<OsString> = Vec::new();
    for name in ["package", "bin", "features"] {
        if let Some(value) = matches.get_one::<String>(name) {
            arguments.extend([format!("--{name}").into(), value.into()]);
        }
    }
    if let Some(path) = matches.get_one::<PathBuf>("manifest-path") {
        arguments.extend(["--manifest-path".into(), path.into()]);
    }
    if matches.get_flag("release") {
        arguments.push("--release".into());
    }
    // Cargo sets the variable for its subcommands.
    let cargo =
        environment.iter().find(|(name, _)| name == "CARGO").map_or("cargo".into(), |it| it.1.clone());
    let debugger = matches.get_one::<String>("debugger").map(String::as_str).unwrap_or_default();
    DevArgs {
        build: BuildOptions { arguments, directory: matches.get_one::<PathBuf>("chdir").cloned(), cargo },
        mode: match (matches.get_flag("watch"), matches.get_flag("debug")) {
            (true, _) => Mode::Watch,
            (_, true) => Mode::Debug { debugger: debugger.split_whitespace().map(OsString::from).collect() },
            _ => Mode::Override,
        },
        ignores_cli_config: matches.get_flag("ignore-cli-config"),
        environment: environment.iter().cloned().collect(),
        command: matches.get_many::<OsString>("command").into_iter().flatten().cloned().collect(),
    }
}
