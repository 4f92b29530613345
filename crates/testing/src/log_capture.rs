//! What the provider logs: every span and event of the threads that run it.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Subscriber, dispatcher};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

/// Called with each line.
type Watcher = Box<dyn Fn(&str) + Send>;

/// The lines, in the order in which they came.
#[derive(Clone)]
pub(crate) struct Log {
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

impl Default for Log {
    fn default() -> Log {
        let lines = Lines::default();
        let dispatch = Dispatch::new(tracing_subscriber::registry().with(lines.clone()));
        Log { lines, dispatch }
    }
}

impl Log {
    /// From now on this thread logs here. Others do not: tests that run side by side have a log each.
    pub(crate) fn take_thread(&self) {
        GUARD.set(Some(dispatcher::set_default(&self.dispatch)));
    }

    /// Runs something that logs here.
    pub(crate) fn during<T>(&self, run: impl FnOnce() -> T) -> T {
        dispatcher::with_default(&self.dispatch, run)
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        lock(&self.lines.0.lines).len()
    }

    /// The lines after the first `start`.
    pub(crate) fn since(&self, start: usize) -> Vec<String> {
        lock(&self.lines.0.lines).get(start..).unwrap_or_default().to_vec()
    }

    /// Has each line that comes shown to this, in the thread that logs it; or no longer.
    pub(crate) fn watch(&self, watcher: Option<Watcher>) {
        *lock(&self.lines.0.watcher) = watcher;
    }
}

impl Lines {
    fn add(&self, text: String) {
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
