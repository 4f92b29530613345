//! Captures the spans and events that the provider logs in the threads of the harness.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Subscriber, dispatcher};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

/// A callback for each line.
type Watcher = Box<dyn Fn(&str) + Send>;

/// The captured lines, in the order of the log.
#[derive(Clone)]
pub(crate) struct LogCapture {
    lines: Lines,
    dispatch: Dispatch,
}

#[derive(Clone, Default)]
struct Lines(Arc<Inner>);

#[derive(Default)]
struct Inner {
    lines: Mutex<Vec<String>>,
    watcher: Mutex<Option<Watcher>>,
}

thread_local! {
    static GUARD: RefCell<Option<dispatcher::DefaultGuard>> = const { RefCell::new(None) };
}

impl Default for LogCapture {
    fn default() -> LogCapture {
        let lines = Lines::default();
        let dispatch = Dispatch::new(tracing_subscriber::registry().with(lines.clone()));
        LogCapture { lines, dispatch }
    }
}

impl LogCapture {
    /// Captures the log of the current thread. Tests that run in parallel have separate threads and logs.
    pub(crate) fn attach_to_thread(&self) {
        GUARD.set(Some(dispatcher::set_default(&self.dispatch)));
    }

    /// Returns the subscriber that captures the log.
    pub(crate) fn dispatch(&self) -> Dispatch {
        self.dispatch.clone()
    }

    /// Captures the log of a function in the current thread.
    pub(crate) fn capture<T>(&self, run: impl FnOnce() -> T) -> T {
        dispatcher::with_default(&self.dispatch, run)
    }

    /// Removes all lines.
    pub(crate) fn clear(&self) {
        lock(&self.lines.0.lines).clear();
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        lock(&self.lines.0.lines).len()
    }

    /// Returns the lines from the index `start`.
    pub(crate) fn since(&self, start: usize) -> Vec<String> {
        lock(&self.lines.0.lines).get(start..).unwrap_or_default().to_vec()
    }

    /// Calls `watcher` with each further line, in the thread that logs it. `None` removes the watcher.
    pub(crate) fn watch(&self, watcher: Option<Watcher>) {
        *lock(&self.lines.0.watcher) = watcher;
    }
}

impl Lines {
    fn add(&self, text: String) {
        // The lock is released before the watcher runs, because the watcher may log.
        let watcher = lock(&self.0.watcher).take();
        if let Some(watcher) = watcher {
            watcher(&text);
            lock(&self.0.watcher).get_or_insert(watcher);
        }
        lock(&self.0.lines).push(text);
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // The data is consistent at any time, so a panic of another holder does no harm.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Formats fields as `name=value`; the message has no name.
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

impl<S: Subscriber> Layer<S> for Lines {
    fn on_new_span(&self, span: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        let mut fields = Fields(format!("span {}", span.metadata().name()));
        span.record(&mut fields);
        self.add(fields.0);
    }

    fn on_record(&self, _: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut fields = Fields("span".into());
        values.record(&mut fields);
        self.add(fields.0);
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields(event.metadata().level().to_string());
        event.record(&mut fields);
        self.add(fields.0);
    }
}
