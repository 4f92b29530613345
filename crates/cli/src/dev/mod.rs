//! `cargo ferroform dev`: builds a provider, and runs Terraform or OpenTofu with it.
//!
//! | module | contents |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`build`] | the build, and the binary that results |
//! | [`cli_config`] | the CLI configuration file with the development override |
//! | [`debug_mode`] | a running provider, to which Terraform reattaches |
//! | [`watch`] | changes of the sources |
//! | [`process`] | child processes and signals |
//!
//! ```text
//! build ──▶ debug_mode: the address ──▶ cli_config: the override ──▶ process: terraform plan
//! ```

mod args;
mod build;
mod cli_config;
mod debug_mode;
mod error;
mod hcl;
mod process;
mod watch;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

pub(crate) use self::args::{DevArgs, command, read};

use self::args::Mode;
use self::build::Binary;
use self::cli_config::UserConfig;
use self::debug_mode::{DebugMode, Reattach};
use self::error::{Error, Result};
use self::process::{INTERRUPTED, Signals};
use self::watch::Snapshot;

/// Runs the command, and returns the exit code. The programs that it runs inherit the streams of this process.
pub(crate) fn run(
    args: &DevArgs,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    let mut session = Session { args, stdout, stderr };
    let code = session.run().unwrap_or_else(|error| session.report(&error));
    (code, Ok(()))
}

/// A file that exists as long as the command runs.
struct OwnFile(PathBuf);

impl Drop for OwnFile {
    fn drop(&mut self) {
        // A file that cannot be removed does no harm.
        let _ = fs::remove_file(&self.0);
    }
}

struct Session<'a> {
    args: &'a DevArgs,
    stdout: &'a mut dyn io::Write,
    stderr: &'a mut dyn io::Write,
}

impl Session<'_> {
    fn run(&mut self) -> Result<u8> {
        let signals = Signals::handle()?;
        match &self.args.mode {
            Mode::Override => {
                let binary = build::build(&self.args.build, &signals)?;
                self.run_with_override(&binary, &signals)
            }
            Mode::Watch => self.watch(&signals),
            Mode::Debug { debugger } => {
                let binary = build::build(&self.args.build, &signals)?;
                self.debug(&binary, debugger, &signals)
            }
        }
    }

    /// Prints an error, and returns its exit code.
    fn report(&mut self, error: &Error) -> u8 {
        if let Some(message) = error.message() {
            self.progress(&format!("error: {message}"));
        }
        error.code()
    }

    /// Prints a line to stderr. A closed stream is not an error.
    fn progress(&mut self, line: &str) {
        let _ = writeln!(self.stderr, "{line}");
    }

    /// Prints an environment variable as a shell reads it.
    fn print_variable(&mut self, name: &str, value: &str) -> Result<()> {
        let quoted = value.replace('\'', r"'\''");
        match writeln!(self.stdout, "export {name}='{quoted}'").and_then(|()| self.stdout.flush()) {
            // A closed stream is not an error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Error::context("cannot write the output")(error))
            }
            _ => Ok(()),
        }
    }

    fn run_with_override(&mut self, binary: &Binary, signals: &Signals) -> Result<u8> {
        let Some(address) = debug_mode::address(binary, || signals.is_stopped())? else {
            return Ok(INTERRUPTED);
        };
        // The shell that evaluates the variable needs the file after this process.
        let shared = debug_mode::directory(binary).join(format!("{}.tfrc", binary.name()));
        if self.args.command.is_empty() {
            self.write_cli_config(binary, &address, &shared, &shared)?;
            return self.print_variable(cli_config::VARIABLE, &shared.display().to_string()).map(|()| 0);
        }
        // Two runs at the same time have files of their own, because their user configurations can differ.
        let file = OwnFile(shared.with_file_name(format!("{}-{}.tfrc", binary.name(), std::process::id())));
        self.write_cli_config(binary, &address, &shared, &file.0)?;
        let mut command = self.command();
        command.env(cli_config::VARIABLE, &file.0);
        // A provider that runs in debug mode has precedence over the override.
        if let Some(value) =
            self.args.environment.get(OsStr::new(debug_mode::VARIABLE)).and_then(|it| it.to_str())
        {
            match Reattach::parse(value)?.without(&address) {
                Some(others) => command.env(debug_mode::VARIABLE, others.to_value()),
                None => command.env_remove(debug_mode::VARIABLE),
            };
        }
        signals.run(&mut command).map(process::exit_code)
    }

    /// Writes the CLI configuration file. The file `shared` is not the user's own, although the variable can contain it.
    fn write_cli_config(&mut self, binary: &Binary, address: &str, shared: &Path, file: &Path) -> Result<()> {
        let program = self.args.command.first().map(Path::new).and_then(Path::file_stem);
        let is_tofu = program.is_some_and(|it| it == "tofu");
        let user = match self.args.ignores_cli_config {
            true => UserConfig::default(),
            false => UserConfig::read(&self.args.environment, is_tofu, shared)?,
        };
        for skipped in &user.skipped {
            self.progress(&format!("warning: {} is not included, because it is JSON", skipped.display()));
        }
        if let Some(missing) = &user.missing {
            self.progress(&format!(
                "warning: {} is {}, which does not exist",
                cli_config::VARIABLE,
                missing.display()
            ));
        }
        let mirrors = cli_config::implied_mirrors(&self.args.environment, Path::new("."));
        let text = cli_config::with_override(&user, address, binary.directory(), &mirrors)?;
        cli_config::write(file, &text)
    }

    /// Returns the command of the command line.
    fn command(&self) -> Command {
        let (program, arguments) =
            self.args.command.split_first().map_or((OsStr::new(""), &[][..]), |(it, rest)| (it, rest));
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(directory) = &self.args.build.directory {
            command.current_dir(directory);
        }
        command
    }

    /// Builds and runs until Ctrl-C.
    fn watch(&mut self, signals: &Signals) -> Result<u8> {
        let directory = self.args.build.directory.clone().unwrap_or_else(|| PathBuf::from("."));
        let mut packages = BTreeSet::from([directory.clone()]);
        let directory = directory.join(watch::chdir(&self.args.command));
        let mut code = 0;
        while !signals.is_stopped() {
            // Changes during the build and during the command count.
            let mut before = Snapshot::take(&packages, &directory);
            let binary = build::build(&self.args.build, signals);
            if let Ok(binary) = &binary {
                let directories = watch::package_directories(&self.args.build, binary)?;
                if directories != packages {
                    packages = directories;
                    before = Snapshot::take(&packages, &directory);
                }
            }
            let result = binary.and_then(|it| self.run_with_override(&it, signals));
            if signals.is_stopped() {
                break;
            }
            let command = process::command_line(&self.args.command);
            let outcome = match result {
                Ok(exit_code) => {
                    code = exit_code;
                    format!("Exit code of {command}: {code}.")
                }
                Err(error) => {
                    code = self.report(&error);
                    format!("{command} was not run.")
                }
            };
            self.progress(&format!("{outcome} Waiting for changes. Press Ctrl-C to exit."));
            loop {
                thread::sleep(watch::INTERVAL);
                if signals.is_stopped() {
                    break;
                }
                if let Some(path) = before.first_change(&Snapshot::take(&packages, &directory)) {
                    self.progress(&format!("{} has changed", path.display()));
                    break;
                }
            }
        }
        Ok(code)
    }

    /// Starts the provider in debug mode, and runs the command or waits.
    fn debug(&mut self, binary: &Binary, debugger: &[OsString], signals: &Signals) -> Result<u8> {
        let mut provider = match debugger {
            [] => DebugMode::start(binary, false)?,
            debugger => DebugMode::start_under(debugger, binary)?,
        };
        if !debugger.is_empty() {
            self.progress("The provider starts when the debugger runs it.");
        }
        let Some(value) =
            provider.value(debugger.is_empty(), || debugger.is_empty() && signals.is_stopped())?
        else {
            return Ok(INTERRUPTED);
        };
        let value =
            match self.args.environment.get(OsStr::new(debug_mode::VARIABLE)).and_then(|it| it.to_str()) {
                Some(others) => value.with(Reattach::parse(others)?),
                None => value,
            };
        if self.args.command.is_empty() {
            self.print_variable(debug_mode::VARIABLE, &value.to_value())?;
            self.progress(&format!(
                "The variable is also in {}. Press Ctrl-C to stop the provider.",
                provider.file().display()
            ));
            // A debugger handles Ctrl-C itself.
            while !(debugger.is_empty() && signals.is_stopped()) {
                let ended =
                    provider.child().try_wait().map_err(Error::context("cannot wait for the provider"))?;
                if let Some(status) = ended {
                    return Ok(process::exit_code(status));
                }
                thread::sleep(watch::INTERVAL);
            }
            return Ok(0);
        }
        let mut command = self.command();
        command.env(debug_mode::VARIABLE, value.to_value());
        signals.run(&mut command).map(process::exit_code)
    }
}
