//! The standard streams of a provider process.
//!
//! Terraform reads the handshake line from stdout and log lines from stderr. Any other output on these streams causes
//! problems: output before the handshake line breaks the handshake, after a line of more than 64 KiB Terraform stops
//! reading stdout, which blocks the next `println!`, and Terraform waits for a child process that has inherited a
//! stream.
//!
//! [`capture`] replaces both streams with pipes. Threads read the pipes and write each line to the real stderr, so that
//! Terraform logs it, at the level debug if it has no level of its own. Sensitive values of the provider's configuration
//! are masked. Only the framework writes to the real streams.
//!
//! Child processes write to the pipes, but on Windows also inherit the original handles, so Terraform waits for a child
//! process that outlives the provider. The original handles stay open there, because the C runtime caches them at
//! startup. This is also why output of C libraries is not captured on Windows.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read as _, Write};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use ferroform_engine::redaction::log_masks;
use filedescriptor::{FileDescriptor, StdioDescriptor};

/// Longer lines are split. Terraform reads lines of up to 64 KiB.
pub(crate) const MAX_LINE: u64 = 32 << 10;
/// The maximum time to wait until the last output has been forwarded.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(200);

/// The real streams once they are captured.
static REAL: OnceLock<Real> = OnceLock::new();

struct Real {
    stdout: Mutex<FileDescriptor>,
    stderr: Mutex<FileDescriptor>,
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
fn forward(stream: PipeReader) {
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
        // Messages and panics of libraries can quote the provider's configuration.
        let masked = log_masks::mask(&[], &String::from_utf8_lossy(&line));
        // If Terraform no longer reads the stream, the provider must be able to continue writing.
        let _ = Stderr.write_all(masked.as_bytes());
    }
}

/// Restores the real streams when it is dropped, after all captured output has been forwarded.
pub(crate) struct Captured {
    ended: mpsc::Receiver<()>,
}

/// Replaces stdout and stderr with pipes.
///
/// # Errors
/// Returns an error if the process cannot open another file descriptor or thread.
pub(crate) fn capture() -> io::Result<Captured> {
    let (end, ended) = mpsc::channel();
    // Everything else that can fail comes before the first stream is replaced.
    let new_stdout = start_forwarding("stdout", end.clone())?;
    let new_stderr = start_forwarding("stderr", end)?;
    let stdout = redirect(StdioDescriptor::Stdout, &new_stdout)?;
    let stderr = redirect(StdioDescriptor::Stderr, &new_stderr).inspect_err(|_| {
        let _ = FileDescriptor::redirect_stdio(&stdout, StdioDescriptor::Stdout);
    })?;
    let _ = REAL.set(Real { stdout: Mutex::new(stdout), stderr: Mutex::new(stderr) });
    Ok(Captured { ended })
}

/// Opens a pipe whose lines a thread forwards, and returns its writing end.
fn start_forwarding(name: &str, end: mpsc::Sender<()>) -> io::Result<PipeWriter> {
    let (read, write) = io::pipe()?;
    thread::Builder::new().name(name.into()).spawn(move || {
        forward(read);
        let _ = end.send(());
    })?;
    Ok(write)
}

/// Replaces a standard stream, and returns the previous one.
fn redirect(stream: StdioDescriptor, target: &PipeWriter) -> io::Result<FileDescriptor> {
    FileDescriptor::redirect_stdio(target, stream).map_err(io::Error::other)
}

impl Drop for Captured {
    fn drop(&mut self) {
        let _ = io::stdout().flush();
        let Some(real) = REAL.get() else { return };
        let streams = [(&real.stdout, StdioDescriptor::Stdout), (&real.stderr, StdioDescriptor::Stderr)];
        for (real, stream) in streams {
            let real = real.lock().unwrap_or_else(PoisonError::into_inner);
            // This closes the writing end of the pipe, unless a child process has inherited it.
            drop(FileDescriptor::redirect_stdio(&*real, stream));
        }
        for _ in 0..2 {
            let _ = self.ended.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

/// True if nothing reads the real stderr anymore: the process that started this one has ended. False if the streams are
/// not captured.
///
/// Writes a log line, because every platform reports a missing reader to a writer. The equivalents of `poll` do not
/// exist on Windows, and macOS does not report the end of a reader without an event to wait for.
pub(crate) fn is_closed_by_reader() -> bool {
    const LINE: &[u8] = br#"{"@level":"trace","@message":"waiting for a connection","@module":"sdk"}
"#;
    REAL.get().is_some()
        && Stderr.write_all(LINE).is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock)
}
