//! The provider in debug mode, in which Terraform reattaches to a running process.
//!
//! The provider writes the variable `TF_REATTACH_PROVIDERS` to a file. It contains the address of the provider, so this
//! is also how `cargo ferroform dev` finds the address.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json};

use super::build::{Binary, PREFIX};
use super::error::{Error, Result};
use super::process;
use crate::source_address::{is_same_provider, provider_type};

/// The variable with the addresses of running providers.
pub(super) const VARIABLE: &str = "TF_REATTACH_PROVIDERS";
/// The time limit for the start of a provider. A debugger has none, because the developer starts the provider in it.
const LIMIT: Duration = Duration::from_secs(60);
/// Windows sends Ctrl-C to no process of such a group.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
const PAUSE: Duration = Duration::from_millis(5);

/// A provider in debug mode. The process is ended on drop.
#[derive(Debug)]
pub(super) struct DebugMode {
    child: Child,
    file: PathBuf,
}

impl DebugMode {
    /// Starts the provider without a debugger, in a process group of its own: Ctrl-C must not end it, because Terraform
    /// still needs it then.
    pub(super) fn start(binary: &Binary, is_quiet: bool) -> Result<DebugMode> {
        let mut command = Command::new(&binary.path);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        if is_quiet {
            command.stderr(Stdio::null());
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        DebugMode::spawn(command, binary)
    }

    /// Starts the provider under a debugger, which uses the terminal.
    pub(super) fn start_under(debugger: &[OsString], binary: &Binary) -> Result<DebugMode> {
        let (program, arguments) =
            debugger.split_first().ok_or_else(|| Error::new("--debugger has no value"))?;
        let mut command = Command::new(program);
        command.args(arguments).args(separator(debugger)).arg(&binary.path);
        DebugMode::spawn(command, binary)
    }

    fn spawn(mut command: Command, binary: &Binary) -> Result<DebugMode> {
        let file = env_file(binary);
        let prepared =
            fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).and_then(|()| match file.exists() {
                true => fs::remove_file(&file),
                false => Ok(()),
            });
        prepared.map_err(Error::context(format!("cannot write {}", file.display())))?;
        let child = process::spawn(command.arg("--debug-env-file").arg(&file))?;
        Ok(DebugMode { child, file })
    }

    /// Waits until the provider runs, and returns the value of the variable. Returns `None` if `is_stopped` returns true.
    ///
    /// # Errors
    ///
    /// Returns an error if the process ends before that, or if it exceeds the time limit.
    pub(super) fn value(&mut self, limit: bool, is_stopped: impl Fn() -> bool) -> Result<Option<Reattach>> {
        let start = Instant::now();
        while !is_stopped() {
            let ended = self.child.try_wait().map_err(Error::context("cannot wait for the provider"))?;
            if let Some(value) = self.read() {
                return Reattach::parse(&value).map(Some);
            }
            if let Some(status) = ended {
                return Err(Error::new(format!(
                    "the provider exited before it was ready ({status}): does its function `main` call `ferroform::serve`?"
                )));
            }
            if limit && start.elapsed() > LIMIT {
                return Err(Error::new("the provider was not ready after 60 seconds"));
            }
            thread::sleep(PAUSE);
        }
        Ok(None)
    }

    /// Reads the variable from the file. `None` if the file is missing or not complete.
    fn read(&self) -> Option<String> {
        let text = fs::read_to_string(&self.file).ok()?;
        let assignment = text.strip_suffix('\n')?;
        let value = assignment.strip_prefix(VARIABLE)?.strip_prefix("='")?.strip_suffix('\'')?;
        Some(value.replace(r"'\''", "'"))
    }

    /// The file with the variable.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for DebugMode {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            process::end(&mut self.child);
        }
        // The process does not run anymore. A file that cannot be removed does no harm.
        let _ = fs::remove_file(&self.file);
    }
}

/// Asks the provider for its address by starting it in debug mode.
pub(super) fn address(binary: &Binary, is_stopped: impl Fn() -> bool) -> Result<Option<String>> {
    let mut provider = DebugMode::start(binary, false)?;
    let Some(value) = provider.value(true, is_stopped)? else { return Ok(None) };
    let address = value.address();
    let name = provider_type(&address);
    if binary.name() != format!("{PREFIX}{name}") {
        return Err(Error::new(format!(
            "Terraform and OpenTofu require the binary name {PREFIX}{name} for the provider {address}, but it is {}: \
             change the name of the binary in Cargo.toml, or `Provider::ADDRESS`",
            binary.name()
        )));
    }
    Ok(Some(address))
}

/// The directory of files for this binary, next to it in the target directory.
pub(super) fn directory(binary: &Binary) -> PathBuf {
    binary.directory().join("ferroform-dev")
}

fn env_file(binary: &Binary) -> PathBuf {
    // Two runs at the same time have files of their own.
    directory(binary).join(format!("{}-{}.env", binary.name(), std::process::id()))
}

/// The argument that separates the options of a debugger from the program, if the debugger is given without one.
fn separator(debugger: &[OsString]) -> Option<&'static str> {
    let [program] = debugger else { return None };
    let name = Path::new(program).file_stem().and_then(OsStr::to_str)?;
    match name {
        "gdb" | "rust-gdb" => Some("--args"),
        "lldb" | "rust-lldb" => Some("--"),
        _ => None,
    }
}

/// The value of `TF_REATTACH_PROVIDERS`: an object with the address of each provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reattach(Map<String, Json>);

impl Reattach {
    pub(super) fn parse(value: &str) -> Result<Reattach> {
        match serde_json::from_str(value) {
            Ok(Json::Object(providers)) if !providers.is_empty() => Ok(Reattach(providers)),
            _ => Err(Error::new(format!("{VARIABLE} is not a JSON object of providers: {value}"))),
        }
    }

    /// The address of the provider; that of Terraform's registry, if it has several.
    fn address(&self) -> String {
        self.0.keys().max().cloned().unwrap_or_default()
    }

    /// Adds the other providers of the user's own variable.
    pub(super) fn with(mut self, other: Reattach) -> Reattach {
        for (address, provider) in other.0 {
            self.0.entry(address).or_insert(provider);
        }
        self
    }

    /// Removes a provider. Returns `None` if no other one remains.
    pub(super) fn without(mut self, address: &str) -> Option<Reattach> {
        self.0.retain(|it, _| !is_same_provider(it, address));
        Some(self).filter(|it| !it.0.is_empty())
    }

    /// The value of the variable.
    pub(super) fn to_value(&self) -> String {
        Json::Object(self.0.clone()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_of_both_variables_are_merged() {
        let one = r#"{"registry.opentofu.org/a/b":{"Pid":1},"registry.terraform.io/a/b":{"Pid":1}}"#;
        let first = Reattach::parse(one).unwrap();
        let second =
            Reattach::parse(r#"{"registry.terraform.io/a/b":{"Pid":2},"x.y/c/d":{"Pid":3}}"#).unwrap();
        assert_eq!(first.address(), "registry.terraform.io/a/b");
        let both = first.clone().with(second);
        assert_eq!(
            both.to_value(),
            format!("{},\"x.y/c/d\":{{\"Pid\":3}}}}", one.strip_suffix('}').unwrap())
        );
        assert_eq!(both.without("a/b").unwrap().to_value(), r#"{"x.y/c/d":{"Pid":3}}"#);
        assert_eq!(first.without("registry.terraform.io/a/b"), None);
        assert!(Reattach::parse("{}").is_err());
    }

    #[test]
    fn debuggers_get_their_separator() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(separator(&words("rust-gdb")), Some("--args"));
        assert_eq!(separator(&words("/usr/bin/lldb")), Some("--"));
        assert_eq!(separator(&words("rr record")), None);
        assert_eq!(separator(&words("valgrind")), None);
    }
}
