//! Runs of the CLI.

use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::workspace::{Error, Output, Result};

/// A run in progress, for tests that act while the CLI runs. The process is killed on drop.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// let apply = workspace.spawn(&["apply", "-auto-approve"])?;
/// apply.wait_for("Creating...")?;
/// apply.interrupt()?;
/// assert!(apply.wait()?.contains("Operation Canceled"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Running {
    command: String,
    id: u32,
    limit: Duration,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Progress {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// The number of closed streams, of two.
    closed: u8,
    status: Option<ExitStatus>,
}

impl Progress {
    fn contains(&self, text: &str) -> bool {
        [&self.stdout, &self.stderr].iter().any(|it| String::from_utf8_lossy(it).contains(text))
    }

    fn is_finished(&self) -> bool {
        self.status.is_some() && self.closed == 2
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn collect(self: Arc<Self>, mut from: impl Read + Send + 'static, to: fn(&mut Progress) -> &mut Vec<u8>) {
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            // An error ends the stream.
            while let Ok(length @ 1..) = from.read(&mut chunk) {
                self.update(|it| to(it).extend_from_slice(&chunk[..length]));
            }
            self.update(|it| it.closed += 1);
        });
    }
}

/// A signal and its recipients.
#[derive(Clone, Copy)]
enum Signal {
    /// An interrupt of the CLI and its providers.
    Interrupt,
    /// Kills the CLI.
    Kill,
    /// Kills the CLI and its providers.
    KillAll,
}

impl Signal {
    /// Returns the command that sends it to the process and its group: a builtin of the shell, because not every system has
    /// a `kill` program.
    #[cfg(unix)]
    fn command(self, id: u32) -> Option<Command> {
        let (name, group) = match self {
            Signal::Interrupt => ("INT", "-"),
            Signal::Kill => ("KILL", ""),
            Signal::KillAll => ("KILL", "-"),
        };
        let mut command = Command::new("sh");
        command.args(["-c", &format!("kill -s {name} -- {group}{id}")]);
        Some(command)
    }

    /// Returns the command that sends it to the process and its child processes. Windows has no
    /// command that sends Ctrl-C to another process.
    #[cfg(windows)]
    fn command(self, id: u32) -> Option<Command> {
        let mut command = Command::new("taskkill");
        command.args(["/F", "/PID", &id.to_string()]);
        match self {
            Signal::Interrupt => return None,
            Signal::Kill => {}
            Signal::KillAll => {
                command.arg("/T");
            }
        }
        Some(command)
    }
}

impl Running {
    pub(crate) fn start(mut command: Command, line: String, limit: Duration) -> Result<Running> {
        // A separate process group, so that an interrupt reaches the CLI and its providers, as in a terminal.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Error::context(format!("cannot run `{line}`")))?;
        let (id, shared) = (child.id(), Arc::new(Shared::default()));
        if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
            Arc::clone(&shared).collect(stdout, |it| &mut it.stdout);
            Arc::clone(&shared).collect(stderr, |it| &mut it.stderr);
        }
        let end = Arc::clone(&shared);
        thread::spawn(move || {
            let status = child.wait();
            end.update(|it| it.status = status.ok());
        });
        Ok(Running { command: line, id, limit, shared })
    }

    /// Waits until the output of the CLI contains the string.
    ///
    /// # Errors
    ///
    /// Returns an error if the run ends without printing it, or exceeds the time limit.
    pub fn wait_for(&self, text: &str) -> Result<()> {
        let progress = self.wait_until(|it| it.contains(text) || it.is_finished())?;
        if progress.contains(text) {
            return Ok(());
        }
        let output = self.output(&progress);
        Err(Error::with_output(format!("`{}` ended without printing {text:?}", self.command), output))
    }

    /// Waits for the end of the run.
    ///
    /// # Errors
    ///
    /// Returns an error if the run exceeds the time limit.
    pub fn wait(self) -> Result<Output> {
        Ok(self.output(&*self.wait_until(Progress::is_finished)?))
    }

    fn wait_until(&self, done: impl Fn(&Progress) -> bool) -> Result<MutexGuard<'_, Progress>> {
        let end = Instant::now() + self.limit;
        let mut progress = self.shared.lock();
        while !done(&progress) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let output = self.output(&progress);
                return Err(Error::with_output(
                    format!("`{}` did not finish within {:?}", self.command, self.limit),
                    output,
                ));
            }
            let waited = self.shared.changed.wait_timeout(progress, left);
            progress = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(progress)
    }

    fn output(&self, progress: &Progress) -> Output {
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        Output {
            command: self.command.clone(),
            code: progress.status.and_then(|it| it.code()),
            stdout: text(&progress.stdout),
            stderr: text(&progress.stderr),
            diagnostics: Vec::new(),
        }
    }

    /// Interrupts the CLI and its providers at the same time, as Ctrl-C in a terminal does.
    ///
    /// # Errors
    ///
    /// Returns an error if the run has ended, and on Windows, which has no command that sends Ctrl-C to another
    /// process.
    pub fn interrupt(&self) -> Result<()> {
        self.signal(Signal::Interrupt, "interrupt")
    }

    /// Kills the CLI but not its providers, as the operating system does when memory runs out. Providers notice that
    /// the connection and their standard streams are closed.
    ///
    /// # Errors
    ///
    /// Returns an error if the run has ended.
    pub fn kill(&self) -> Result<()> {
        self.signal(Signal::Kill, "kill")
    }

    fn signal(&self, signal: Signal, verb: &str) -> Result<()> {
        let operation = format!("cannot {verb} `{}`", self.command);
        let Some(mut command) = signal.command(self.id) else {
            return Err(Error::new(format!("{operation}: interrupts are not supported on Windows")));
        };
        let output = command.output().map_err(Error::context(operation.clone()))?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(Error::new(format!("{operation}: {stderr}"))) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.shared.lock().status.is_none() {
            // The process may have ended in the meantime, so an error does no harm.
            let _ = self.signal(Signal::KillAll, "kill");
        }
    }
}
