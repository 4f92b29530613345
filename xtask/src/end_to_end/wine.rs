//! Windows builds of the providers, which run with Wine.
//!
//! Terraform on Linux starts a shell script with the name of the provider:
//!
//! ```sh
//! WINEPREFIX="target/wine/prefix" WINEDEBUG=-all exec setarch -R wine "target/x86_64-pc-windows-gnu/debug/terraform-provider-probe.exe" "$@"
//! ```
//!
//! `setarch -R` disables address space layout randomization. Wine must map a page at 0x7ffe0000. Without its preloader,
//! which Debian 12 does not have, the heap already contains this address in about one of 3,000 starts. Wine then exits
//! with code 1 and without a message.
//!
//! The process of the script becomes the process of the provider, so signals and the end of the process are those of the
//! provider. Wine turns SIGINT into the event of Ctrl-C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo::cargo_of_providers;
use crate::clients;
use crate::result::Result;

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// The library that older versions of Wine lack.
const LIBRARY: &str = "bcryptprimitives";
const PROVIDERS: [&str; 2] = ["terraform-provider-probe", "terraform-provider-probefive"];

/// The scenarios that do not run with Windows provider binaries: those of planning and validation, which do not depend
/// on the operating system. The others run on one protocol.
pub(super) const SKIPPED: [&str; 9] = [
    "protocol5",
    "aws_mux::",
    "element_matching::",
    "matrix::",
    "nested_attributes::",
    "plan_modifiers::",
    "plan_with::",
    "unknown_provider_config::",
    "validation::",
];

/// The missing tools for building and running Windows provider binaries.
pub(super) fn missing_tools() -> Vec<&'static str> {
    let runs = |program: &str| output(Command::new(program).arg("--version")).is_ok();
    let has_target = || {
        let libraries = output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
        libraries.is_ok_and(|it| Path::new(it.trim()).is_dir())
    };
    let tools = [("wine", runs("wine")), (COMPILER, runs(COMPILER)), (TARGET, has_target())];
    tools.iter().filter(|(_, is_installed)| !is_installed).map(|(name, _)| *name).collect()
}

/// A Wine server, which ends with this value.
pub(super) struct Wine {
    /// The directory `target/wine`.
    directory: PathBuf,
    /// The directory of the binaries.
    binaries: PathBuf,
}

impl Wine {
    /// Builds the providers, writes the scripts, and starts the server. Without a running server, Terraform would wait
    /// for the server that the first provider starts and that inherits its standard streams.
    ///
    /// # Errors
    ///
    /// Returns an error if a tool is missing or fails.
    pub(super) fn start() -> Result<Wine> {
        let target = fs::canonicalize(clients::target_directory()?)?;
        let wine = Wine { directory: target.join("wine"), binaries: target.join(TARGET).join("debug") };
        wine.build()?;
        fs::create_dir_all(wine.scripts())?;
        for provider in PROVIDERS {
            wine.write_script(provider)?;
        }
        fs::create_dir_all(wine.prefix())?;
        // A server of an interrupted run would not have the current environment.
        let _ = wine.command("wineserver").arg("--kill").status();
        run(wine.command("wineserver").arg("--persistent"))?;
        // The first program creates the prefix and starts the services. `wineboot --init` would start them twice, and a
        // file operation of a provider could hang indefinitely.
        run(wine.command("wine").args(["cmd", "/c", "exit"]))?;
        wine.install_library()?;
        Ok(wine)
    }

    /// The directory of the scripts that run the providers.
    pub(super) fn scripts(&self) -> PathBuf {
        self.directory.join("providers")
    }

    /// Checks that all providers have ended.
    ///
    /// # Errors
    ///
    /// Returns an error that names the running providers.
    pub(super) fn check_no_provider_is_running(&self) -> Result {
        let mut running = Vec::new();
        for process in fs::read_dir("/proc")? {
            // Another process may have ended in the meantime.
            let command = fs::read(process?.path().join("cmdline")).unwrap_or_default();
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            if Path::new(&command).starts_with(&self.binaries) {
                running.push(command);
            }
        }
        if running.is_empty() {
            return Ok(());
        }
        Err(format!("these providers are still running:\n{}", running.join("\n")).into())
    }

    fn build(&self) -> Result {
        let mut command = cargo_of_providers()?;
        command.args(["build", "--package", "probe", "--target", TARGET]);
        command.args(PROVIDERS.iter().flat_map(|it| ["--bin", it]));
        // Wine reads the whole file at every start.
        command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_PROFILE_DEV_STRIP", "symbols");
        run(&mut command)
    }

    fn write_script(&self, provider: &str) -> Result {
        let (prefix, binaries) = (self.prefix(), &self.binaries);
        let (prefix, binaries) = (prefix.display(), binaries.display());
        // Some containers do not allow `setarch -R`.
        let setarch =
            if output(Command::new("setarch").args(["-R", "true"])).is_ok() { "setarch -R " } else { "" };
        let script = format!(
            "#!/bin/sh\nWINEPREFIX=\"{prefix}\" WINEDEBUG=-all exec {setarch}wine \"{binaries}/{provider}.exe\" \"$@\"\n"
        );
        let path = self.scripts().join(provider);
        fs::write(&path, script)?;
        clients::make_executable(&path)
    }

    /// Compiles the library, unless this version of Wine has it.
    fn install_library(&self) -> Result {
        let library = self.prefix().join("drive_c/windows/system32").join(LIBRARY).with_extension("dll");
        if library.exists() {
            return Ok(());
        }
        let source = format!("{}/src/end_to_end/{LIBRARY}.c", env!("CARGO_MANIFEST_DIR"));
        run(Command::new(COMPILER).args(["-shared", "-s", "-o"]).arg(library).args([&source, "-ladvapi32"]))
    }

    fn prefix(&self) -> PathBuf {
        self.directory.join("prefix")
    }

    /// A command of Wine. The server outlives it and must not inherit its streams.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("WINEPREFIX", self.prefix()).env("WINEDEBUG", "-all");
        // Without .NET and the browser engine, which are not installed.
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml=");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        // Ends all programs of the server.
        let _ = self.command("wineserver").arg("--kill").status();
    }
}

fn run(command: &mut Command) -> Result {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("cannot run {name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}").into()) }
}

/// The standard output of a successful command.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err("it failed".into())
}
