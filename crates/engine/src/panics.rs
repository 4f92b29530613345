//! Panics of a provider's code become values; the process lives.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::pin::Pin;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::Diagnostic;
use crate::diagnostic_kind::DiagnosticKind;

/// What is known of a panic that was caught.
#[derive(Clone, Debug)]
pub struct Panic {
    /// The panic's text.
    pub message: String,
    /// The source file of the panic.
    pub file: String,
    /// The line in that file.
    pub line: u32,
    /// How it came there; only when `RUST_BACKTRACE` asks for it.
    pub backtrace: Option<String>,
}

impl Panic {
    /// What the user is told: what panicked, where, and what became of it.
    pub fn diagnostic(&self, what: &str, then: &str) -> Diagnostic {
        let text: String = self.message.chars().filter(|it| !it.is_control() || *it == '\n').collect();
        let detail = format!(
            "{what} panicked at {}:{}: {text}\n\nThis is a bug in the provider; please report it to its authors.{then}",
            self.file, self.line
        );
        Diagnostic::error("Provider Panicked").detail(detail).of_kind(DiagnosticKind::ProviderBug)
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at {}:{}", self.message, self.file, self.line)
    }
}

thread_local! {
    /// How many catchers are on this thread's stack.
    static CATCHERS: Cell<u32> = const { Cell::new(0) };
    /// The last panic below one of them, from the hook to the catcher.
    static CAUGHT: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Whether what nobody catches is told in the words that Terraform recognises.
static TELL_HOST: AtomicBool = AtomicBool::new(false);

/// Runs a future; a panic in it becomes an error, and nothing is printed. The future comes in a box: futures hold what they
/// are given twice, and those of calls are large.
///
/// # Errors
///
/// The panic, when there was one.
pub fn catch<F: Future + Unpin>(mut future: F) -> impl Future<Output = Result<F::Output, Panic>> {
    std::future::poll_fn(move |context| match catch_sync(|| Pin::new(&mut future).poll(context)) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => std::task::Poll::Ready(Err(panic)),
    })
}

/// Calls a function; a panic in it becomes an error, and nothing is printed.
///
/// # Errors
///
/// The panic, when there was one.
pub fn catch_sync<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    install();
    CATCHERS.set(CATCHERS.get() + 1);
    // What the call leaves half-done is dropped or, behind a lock, poisoned: the caller sees an error.
    let answer = panic::catch_unwind(AssertUnwindSafe(call));
    CATCHERS.set(CATCHERS.get() - 1);
    answer.map_err(|payload| {
        // Without a hook's record the panic was resumed, not raised, here.
        CAUGHT.take().unwrap_or_else(|| Panic {
            message: message(payload.as_ref()),
            file: "an unknown file".to_owned(),
            line: 0,
            backtrace: None,
        })
    })
}

/// From now on an uncaught panic is printed so that Terraform shows it to the user as a crash.
pub fn report_panics_to_terraform() {
    install();
    TELL_HOST.store(true, Ordering::Relaxed);
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CATCHERS.get() > 0 {
                CAUGHT.set(Some(describe(info)));
            } else if TELL_HOST.load(Ordering::Relaxed) {
                // Nothing is left to do when stderr is gone.
                let _ = io::stderr().write_all(crash_report(&describe(info)).as_bytes());
            } else {
                previous(info);
            }
        }));
    });
}

fn describe(info: &PanicHookInfo<'_>) -> Panic {
    let backtrace = Backtrace::capture();
    Panic {
        message: message(info.payload()),
        file: info.location().map_or_else(String::new, |path| path.file().to_owned()),
        line: info.location().map_or(0, panic::Location::line),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic without a text".to_owned(),
    }
}

/// Terraform takes everything from a line that begins with `panic: ` as the report of a crash.
fn crash_report(panic: &Panic) -> String {
    let thread = thread::current();
    let mut text = format!("panic: {}\n\n", panic.message);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "thread '{}' at {}:{}", thread.name().unwrap_or("?"), panic.file, panic.line);
    text.push_str(panic.backtrace.as_deref().unwrap_or("set RUST_BACKTRACE=1 for a backtrace\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_value() {
        let panic = catch_sync(|| panic!("no {}", "luck")).unwrap_err();
        assert_eq!((panic.message.as_str(), panic.line), ("no luck", line!() - 1));
        assert!(panic.file.ends_with("panics.rs"), "{}", panic.file);
        assert_eq!(catch_sync(|| 1).unwrap(), 1);
    }

    #[test]
    fn catchers_nest() {
        let outer = catch_sync(|| {
            assert_eq!(catch_sync(|| panic!("inner")).unwrap_err().message, "inner");
            panic!("outer");
        });
        assert_eq!(outer.unwrap_err().message, "outer");
    }

    #[test]
    fn a_resumed_panic_has_no_place() {
        let panic = catch_sync(|| panic::resume_unwind(Box::new(5))).unwrap_err();
        assert_eq!(panic.to_string(), "a panic without a text, at an unknown file:0");
    }

    #[test]
    fn the_report_begins_as_terraform_expects() {
        let panic = Panic { message: "oh".into(), file: "a.rs".into(), line: 7, backtrace: None };
        let report = crash_report(&panic);
        assert!(report.starts_with("panic: oh\n\nthread '"), "{report}");
        assert!(report.contains("' at a.rs:7\n"), "{report}");
    }
}
