//! Panics of provider code: they become diagnostics, and the process continues.

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

use crate::diagnostic_kind::DiagnosticKind;
use crate::failed_check::REPORT_TO_AUTHORS;
use crate::{Diagnostic, Diagnostics};

/// A caught panic.
#[derive(Clone, Debug)]
pub struct Panic {
    /// The message.
    pub message: String,
    /// The source file.
    pub file: String,
    /// The line in the source file.
    pub line: u32,
    /// The backtrace, if `RUST_BACKTRACE` enables it.
    pub backtrace: Option<String>,
}

impl Panic {
    /// The diagnostic about the panic. `subject` begins a sentence, such as `The creation of cloud_server`.
    pub fn diagnostic(&self, subject: &str) -> Diagnostic {
        let text: String = self.message.chars().filter(|it| !it.is_control() || *it == '\n').collect();
        let detail =
            format!("{subject} panicked at {}:{}: {text}\n\n{REPORT_TO_AUTHORS}", self.file, self.line);
        Diagnostic::error("Provider Panicked").detail(detail).of_kind(DiagnosticKind::ProviderBug)
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at {}:{}", self.message, self.file, self.line)
    }
}

thread_local! {
    /// The number of active catchers on this thread.
    static CATCHERS: Cell<u32> = const { Cell::new(0) };
    /// The last caught panic, which the hook passes to the catcher.
    static CAUGHT: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// True if uncaught panics are printed in the format that Terraform recognizes.
static REPORTS_TO_TERRAFORM: AtomicBool = AtomicBool::new(false);

/// Runs a future. A panic in it becomes an error, and nothing is printed. The future is boxed by the caller, because an
/// `async` block would store it twice.
///
/// # Errors
///
/// Returns the panic.
pub fn catch<F: Future + Unpin>(mut future: F) -> impl Future<Output = Result<F::Output, Panic>> {
    std::future::poll_fn(move |context| match catch_sync(|| Pin::new(&mut future).poll(context)) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => std::task::Poll::Ready(Err(panic)),
    })
}

/// Calls a function. A panic in it becomes an error, and nothing is printed.
///
/// # Errors
///
/// Returns the panic.
pub fn catch_sync<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    install();
    CATCHERS.set(CATCHERS.get() + 1);
    // Data that the call leaves inconsistent is dropped, or poisoned behind a lock.
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    CATCHERS.set(CATCHERS.get() - 1);
    result.map_err(|payload| {
        // The hook is not called for a panic that is resumed.
        CAUGHT.take().unwrap_or_else(|| Panic {
            message: message(payload.as_ref()),
            file: "an unknown file".to_owned(),
            line: 0,
            backtrace: None,
        })
    })
}

/// Calls a function that may create a schema. A panic becomes an error.
///
/// # Errors
///
/// Returns the panic as a diagnostic, and the errors of the call.
pub fn catch_schema_panics<T>(create: impl FnOnce() -> Result<T, Diagnostics>) -> Result<T, Diagnostics> {
    catch_sync(create).unwrap_or_else(|panic| Err(panic.diagnostic("The creation of a schema").into()))
}

/// Prints uncaught panics from now on so that Terraform shows them as a crash of the provider.
pub fn report_panics_to_terraform() {
    install();
    REPORTS_TO_TERRAFORM.store(true, Ordering::Relaxed);
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CATCHERS.get() > 0 {
                CAUGHT.set(Some(describe(info)));
            } else if REPORTS_TO_TERRAFORM.load(Ordering::Relaxed) {
                // If stderr is closed, there is no way to report the panic.
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
        file: info.location().map_or_else(String::new, |it| it.file().to_owned()),
        line: info.location().map_or(0, panic::Location::line),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic without a message".to_owned(),
    }
}

/// The report of a crash. Terraform recognizes it by a line that begins with `panic: `.
fn crash_report(panic: &Panic) -> String {
    let thread = thread::current();
    let mut report = format!("panic: {}\n\n", panic.message);
    // Writing to a string cannot fail.
    let _ = writeln!(report, "thread '{}' at {}:{}", thread.name().unwrap_or("?"), panic.file, panic.line);
    report.push_str(panic.backtrace.as_deref().unwrap_or("set RUST_BACKTRACE=1 for a backtrace\n"));
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_an_error_with_message_and_line() {
        let panic = catch_sync(|| panic!("invalid {}", "size")).unwrap_err();
        assert_eq!((panic.message.as_str(), panic.line), ("invalid size", line!() - 1));
        assert!(panic.file.ends_with("panics.rs"), "{}", panic.file);
        assert_eq!(catch_sync(|| 1).unwrap(), 1);
    }

    #[test]
    fn nested_catchers_return_their_own_panics() {
        let outer = catch_sync(|| {
            assert_eq!(catch_sync(|| panic!("inner")).unwrap_err().message, "inner");
            panic!("outer");
        });
        assert_eq!(outer.unwrap_err().message, "outer");
    }

    #[test]
    fn resumed_panic_has_no_location() {
        let panic = catch_sync(|| panic::resume_unwind(Box::new(5))).unwrap_err();
        assert_eq!(panic.to_string(), "a panic without a message, at an unknown file:0");
    }

    #[test]
    fn crash_report_begins_as_terraform_expects() {
        let panic = Panic { message: "oh".into(), file: "a.rs".into(), line: 7, backtrace: None };
        let report = crash_report(&panic);
        assert!(report.starts_with("panic: oh\n\nthread '"), "{report}");
        assert!(report.contains("' at a.rs:7\n"), "{report}");
    }
}
