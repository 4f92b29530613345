//! The standard streams of a provider process.
//!
//! Terraform reads the handshake line from stdout and log lines from stderr. Any other output on these streams causes
//! problems: output before the handshake line breaks the handshake, after a line of more than 64 KiB Terraform stops
//! reading stdout, which blocks the next `println!`, and Terraform waits for a child process that has inherited a
//! stream.
//!
//! [`capture`] replaces both streams with pipes. Threads read the pipes and write each line to the real stderr, so that
//! Terraform logs it, at the level debug if it has no level of its own. Only the framework writes to the real streams,
//! and child processes do not inherit them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Longer lines are split. Terraform reads lines of up to 64 KiB.
const MAX_LINE: u64 = 32 << 10;

/// The real streams once they are captured.
static REAL: OnceLock<Real> = OnceLock::new();

struct Real {
    stdout: Mutex<File>,
    stderr: Mutex<File>,
}

/// Writes to the real stdout, which Terraform reads until the handshake line.
pub(crate) fn write_to_stdout(bytes: &[u8]) -> io::Result<()> {
    match REAL.get() {
        Some(real) => write_all(&mut *real.stdout.lock().unwrap_or_else(PoisonError::into_inner), bytes),
        None => write_all(&mut io::stdout().lock(), bytes),
    }
}

fn write_all(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

/// The real stderr, which Terraform reads for log lines. Each write is one or several whole lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match REAL.get() {
            Some(real) => {
                real.stderr.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
                Ok(bytes.len())
            }
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the lines of a captured stream to the real stderr until its end.
fn forward(stream: File) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match stream.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
        // If Terraform no longer reads the stream, the provider must be able to continue writing.
        let _ = Stderr.write_all(&line);
    }
}

#[cfg(unix)]
pub(crate) use self::unix::{capture, is_closed_by_reader};

#[cfg(unix)]
mod unix {
    use std::os::fd::OwnedFd;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::fcntl_dupfd_cloexec;
    use rustix::pipe::{PipeFlags, pipe_with};
    use rustix::stdio::{dup2_stderr, dup2_stdout};

    use super::*;

    /// The first file descriptor after the standard streams.
    const FIRST_DESCRIPTOR: i32 = 3;
    /// The maximum time to wait until the last output has been forwarded.
    const FLUSH_TIMEOUT: Duration = Duration::from_millis(200);

    /// Restores the real streams when it is dropped, after all captured output has been forwarded.
    pub(crate) struct Captured {
        ended: mpsc::Receiver<()>,
    }

    /// Replaces stdout and stderr with pipes.
    ///
    /// # Errors
    /// Returns an error if the process cannot open another file descriptor or thread.
    pub(crate) fn capture() -> io::Result<Captured> {
        // Everything that can fail comes before the first stream is replaced.
        let stdout = File::from(fcntl_dupfd_cloexec(io::stdout(), FIRST_DESCRIPTOR)?);
        let stderr = File::from(fcntl_dupfd_cloexec(io::stderr(), FIRST_DESCRIPTOR)?);
        let (end, ended) = mpsc::channel();
        let new_stdout = start_forwarding("stdout", end.clone())?;
        let new_stderr = start_forwarding("stderr", end)?;
        let _ = REAL.set(Real { stdout: Mutex::new(stdout), stderr: Mutex::new(stderr) });
        dup2_stdout(new_stdout)?;
        dup2_stderr(new_stderr)?;
        Ok(Captured { ended })
    }

    /// Opens a pipe whose lines a thread forwards, and returns its writing end.
    fn start_forwarding(name: &str, end: mpsc::Sender<()>) -> io::Result<OwnedFd> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        thread::Builder::new().name(name.into()).spawn(move || {
            forward(File::from(read));
            let _ = end.send(());
        })?;
        Ok(write)
    }

    impl Drop for Captured {
        fn drop(&mut self) {
            let _ = io::stdout().flush();
            let Some(real) = REAL.get() else { return };
            // This closes the writing ends of the pipes, unless a child process has inherited them.
            let _ = dup2_stdout(&*real.stdout.lock().unwrap_or_else(PoisonError::into_inner));
            let _ = dup2_stderr(&*real.stderr.lock().unwrap_or_else(PoisonError::into_inner));
            for _ in 0..2 {
                let _ = self.ended.recv_timeout(FLUSH_TIMEOUT);
            }
        }
    }

    /// True if the real stdout has no reader anymore: the process that started this one has ended. False if the streams
    /// are not captured, or stdout is not a pipe.
    pub(crate) fn is_closed_by_reader() -> bool {
        let Some(real) = REAL.get() else { return false };
        let stdout = real.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        let mut descriptors = [PollFd::new(&*stdout, PollFlags::empty())];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let is_ready = poll(&mut descriptors, Some(&at_once)).is_ok_and(|count| count > 0);
        is_ready && descriptors[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
    }
}

/// There is no safe way to replace the streams here, so they stay as they are.
#[cfg(not(unix))]
pub(crate) struct Captured;

#[cfg(not(unix))]
pub(crate) fn capture() -> io::Result<Captured> {
    Ok(Captured)
}

#[cfg(not(unix))]
pub(crate) fn is_closed_by_reader() -> bool {
    false
}
