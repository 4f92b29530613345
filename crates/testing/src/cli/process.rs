//! A run of the CLI.

use std::fmt;
use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Failed, Result};

/// What a finished run answered.
#[derive(Clone, Debug)]
pub struct Output {
    /// What was run, as one would type it.
    pub command: String,
    /// The exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it printed as errors and warnings.
    pub stderr: String,
}

impl Output {
    /// Itself, where the run succeeded.
    ///
    /// # Errors
    ///
    /// Where it did not.
    pub fn ok(self) -> Result<Output> {
        match self.code {
            Some(0) => Ok(self),
            Some(code) => Err(Failed::of(format!("`{}` failed with code {code}", self.command), self)),
            None => Err(Failed::of(format!("`{}` was ended by a signal", self.command), self)),
        }
    }

    /// True where it printed these words, wherever it broke the lines: the CLI wraps what a provider says.
    pub fn says(&self, words: &str) -> bool {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = flat(words);
        [&self.stdout, &self.stderr].iter().any(|it| flat(it).contains(&words))
    }

    /// Itself, where the run failed as it should: for tests of errors.
    ///
    /// # Errors
    ///
    /// Where it succeeded.
    pub fn fails(self) -> Result<Output> {
        if self.code == Some(0) {
            return Err(Failed::of(format!("`{}` succeeded, but should have failed", self.command), self));
        }
        Ok(self)
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}\n{}{}", self.command, self.stdout, self.stderr)
    }
}

/// A run that goes on: for what happens in the midst of it. Dropped, it is killed.
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
    /// How many of the two streams have ended.
    closed: u8,
    status: Option<ExitStatus>,
}

impl Progress {
    fn says(&self, text: &str) -> bool {
        [&self.stdout, &self.stderr].iter().any(|it| String::from_utf8_lossy(it).contains(text))
    }

    fn is_over(&self) -> bool {
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
            // A stream that breaks has ended.
            while let Ok(length @ 1..) = from.read(&mut chunk) {
                self.update(|it| to(it).extend_from_slice(&chunk[..length]));
            }
            self.update(|it| it.closed += 1);
        });
    }
}

impl Running {
    pub(super) fn start(mut command: Command, line: String, limit: Duration) -> Result<Running> {
        // A group of its own, so that it can be interrupted as a terminal does it: with its providers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Failed::context(format!("cannot run `{line}`")))?;
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

    /// Waits until the text has been printed.
    ///
    /// # Errors
    ///
    /// Where the run ends without it, or takes too long.
    pub fn wait_for(&self, text: &str) -> Result<()> {
        let progress = self.wait_until(|it| it.says(text) || it.is_over())?;
        if progress.says(text) {
            return Ok(());
        }
        let output = self.output(&progress);
        Err(Failed::of(format!("`{}` ended without printing {text:?}", self.command), output))
    }

    /// Waits for the end.
    ///
    /// # Errors
    ///
    /// Where it takes too long.
    pub fn wait(self) -> Result<Output> {
        Ok(self.output(&*self.wait_until(Progress::is_over)?))
    }

    fn wait_until(&self, done: impl Fn(&Progress) -> bool) -> Result<MutexGuard<'_, Progress>> {
        let end = Instant::now() + self.limit;
        let mut progress = self.shared.lock();
        while !done(&progress) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let output = self.output(&progress);
                return Err(Failed::of(format!("`{}` goes on for {:?}", self.command, self.limit), output));
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
        }
    }

    /// Interrupts the CLI and its providers at once, as a terminal does with Ctrl-C.
    ///
    /// # Errors
    ///
    /// Where it has ended already, or where there are no signals.
    pub fn interrupt(&self) -> Result<()> {
        self.signal("INT")
    }

    fn signal(&self, name: &str) -> Result<()> {
        let what = format!("cannot send {name} to `{}`", self.command);
        if !cfg!(unix) {
            return Err(Failed::new(format!("{what}: there are no signals here")));
        }
        // The shell's own `kill`: there is not always a program of that name.
        let kill = format!("kill -s {name} -- -{}", self.id);
        let done = Command::new("sh").args(["-c", &kill]).stderr(Stdio::piped()).output();
        let done = done.map_err(Failed::context(what.clone()))?;
        let said = String::from_utf8_lossy(&done.stderr);
        if done.status.success() { Ok(()) } else { Err(Failed::new(format!("{what}: {said}"))) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.shared.lock().status.is_none() {
            // It may end just now by itself.
            let _ = self.signal("KILL");
        }
    }
}
