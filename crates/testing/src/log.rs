//! What the provider logs: every span and event of the threads that run it.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};
use tracing_core::span::Current;

/// Called with each line.
type Watcher = Box<dyn Fn(&str) + Send>;

/// The lines, in the order in which they came.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Inner>);

#[derive(Default)]
struct Inner {
    lines: Mutex<Vec<String>>,
    watcher: Mutex<Option<Watcher>>,
    spans: AtomicU64,
}

thread_local! {
    static GUARD: RefCell<Option<tracing::subscriber::DefaultGuard>> = const { RefCell::new(None) };
}

impl Log {
    /// From now on this thread logs here. Others do not: tests that run side by side have a log each.
    pub(crate) fn take_thread(&self) {
        let guard = tracing::dispatcher::set_default(&Dispatch::new(self.clone()));
        GUARD.set(Some(guard));
    }

    /// Runs something that logs here.
    pub(crate) fn during<T>(&self, run: impl FnOnce() -> T) -> T {
        tracing::dispatcher::with_default(&Dispatch::new(self.clone()), run)
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        lock(&self.0.lines).len()
    }

    /// The lines after the first `start`.
    pub(crate) fn since(&self, start: usize) -> Vec<String> {
        lock(&self.0.lines).get(start..).unwrap_or_default().to_vec()
    }

    /// Has each line that comes shown to this, in the thread that logs it; or no longer.
    pub(crate) fn watch(&self, watcher: Option<Watcher>) {
        *lock(&self.0.watcher) = watcher;
    }

    fn line(&self, text: String) {
        // Released before the watcher runs: it may log.
        let watcher = lock(&self.0.watcher).take();
        if let Some(watcher) = watcher {
            watcher(&text);
            lock(&self.0.watcher).get_or_insert(watcher);
        }
        lock(&self.0.lines).push(text);
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // Both are whole at any time, also after a panic of somebody who logs.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes fields as `name=value`, the message without its name.
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(format!("span {}", span.metadata().name()));
        span.record(&mut fields);
        self.line(fields.0);
        Id::from_u64(self.0.spans.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut fields = Fields("span".into());
        values.record(&mut fields);
        self.line(fields.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(event.metadata().level().to_string());
        event.record(&mut fields);
        self.line(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn current_span(&self) -> Current {
        Current::none()
    }
}
