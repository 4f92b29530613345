//! Child processes: their signals, and their exit codes.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::error::{Error, Result};

/// The pause between two checks of a child process.
const PAUSE: Duration = Duration::from_millis(5);
/// The time that a process gets to end by itself.
const GRACE: Duration = Duration::from_secs(3);
/// The exit code after Ctrl-C, as in a shell.
pub(super) const INTERRUPTED: u8 = 130;

/// The signals that this process has received.
///
/// A terminal sends Ctrl-C to all processes of the foreground, so the child processes get it too, and this process waits
/// until they end.
#[derive(Debug)]
pub(super) struct Signals {
    interrupted: Arc<AtomicBool>,
    terminated: Arc<AtomicBool>,
}

impl Signals {
    /// Handles the signals from now on, instead of ending the process.
    pub(super) fn handle() -> Result<Signals> {
        let signals = Signals { interrupted: Arc::default(), terminated: Arc::default() };
        register(SIGINT, &signals.interrupted)?;
        register(SIGTERM, &signals.terminated)?;
        // A terminal that is closed sends SIGHUP.
        #[cfg(unix)]
        if !ignores_hangup() {
            register(signal_hook::consts::SIGHUP, &signals.terminated)?;
        }
        // A terminal sends SIGQUIT after Ctrl-\.
        #[cfg(unix)]
        register(signal_hook::consts::SIGQUIT, &signals.terminated)?;
        Ok(signals)
    }

    /// Returns true after Ctrl-C, SIGTERM, SIGHUP or SIGQUIT.
    pub(super) fn is_stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.terminated.load(Ordering::Relaxed)
    }

    /// Runs a command until it ends.
    pub(super) fn run(&self, command: &mut Command) -> Result<ExitStatus> {
        let mut child = spawn(command)?;
        self.wait(&mut child)
    }

    /// Waits for the end of a child process. After SIGTERM, SIGHUP or SIGQUIT, it gets SIGTERM.
    pub(super) fn wait(&self, child: &mut Child) -> Result<ExitStatus> {
        let mut is_forwarded = false;
        loop {
            if let Some(status) = child.try_wait().map_err(Error::context("cannot wait for a process"))? {
                return Ok(status);
            }
            if self.terminated.load(Ordering::Relaxed) && !is_forwarded {
                is_forwarded = true;
                terminate(child);
            }
            thread::sleep(PAUSE);
        }
    }
}

fn register(signal: i32, flag: &Arc<AtomicBool>) -> Result<()> {
    signal_hook::flag::register(signal, Arc::clone(flag)).map_err(Error::context("cannot handle signals"))?;
    Ok(())
}

/// Returns true if SIGHUP is ignored, as `nohup` requests it. Only Linux has a file with this information.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|it| u64::from_str_radix(it.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // The lowest bit is that of signal 1.
    ignored.is_some_and(|it| it & 1 << (signal_hook::consts::SIGHUP - 1) != 0)
}

/// Starts a command.
///
/// # Errors
///
/// Returns an error with the exit code of a shell: 127 if the program does not exist, 126 if it cannot be started.
pub(super) fn spawn(command: &mut Command) -> Result<Child> {
    command.spawn().map_err(|error| {
        let code = if error.kind() == ErrorKind::NotFound { 127 } else { 126 };
        let program = command.get_program().to_string_lossy().into_owned();
        Error::context(format!("cannot run {program}"))(error).with_code(code)
    })
}

/// Returns the exit code that a shell would return for the process.
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.code().map_or(1, |it| u8::try_from(it).unwrap_or(u8::MAX))
}

/// Ends a process: as Ctrl-C does, and by force if it has not ended after some seconds.
pub(super) fn end(child: &mut Child) {
    interrupt(child);
    let start = Instant::now();
    while start.elapsed() < GRACE {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(PAUSE);
    }
    // An error means that the process has ended.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn terminate(child: &Child) {
    // An error means that the process has ended.
    let _ =
        rustix::process::kill_process(rustix::process::Pid::from_child(child), rustix::process::Signal::TERM);
}

#[cfg(unix)]
fn interrupt(child: &mut Child) {
    // An error means that the process has ended.
    let _ =
        rustix::process::kill_process(rustix::process::Pid::from_child(child), rustix::process::Signal::INT);
}

/// Windows has no SIGTERM that a process can receive.
#[cfg(not(unix))]
fn terminate(_: &Child) {}

#[cfg(not(unix))]
fn interrupt(child: &mut Child) {
    // An error means that the process has ended.
    let _ = child.kill();
}

/// Returns a command line for a message, with quotation marks around arguments that contain spaces.
pub(super) fn command_line(words: &[OsString]) -> String {
    let words = words.iter().map(|it| match it.to_string_lossy() {
        word if word.is_empty() || word.contains(char::is_whitespace) => format!("'{word}'"),
        word => word.into_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn exit_codes_are_those_of_a_shell() {
        assert_eq!(exit_code(ExitStatus::from_raw(2 << 8)), 2);
        assert_eq!(exit_code(ExitStatus::from_raw(9)), 137);
        assert_eq!(spawn(&mut Command::new("/no/such/program")).unwrap_err().code(), 127);
        assert_eq!(spawn(&mut Command::new("/")).unwrap_err().code(), 126);
    }
}
