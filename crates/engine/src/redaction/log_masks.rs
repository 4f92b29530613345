//! The sensitive values that log lines must not contain.
//!
//! The engine records the sensitive values of each request, by the `tracing` span of the request, and those of the
//! provider's configuration. The server's log layer masks both in every line of the span. In other output of the
//! process, the server masks only the values of the provider's configuration. The values of requests are recorded
//! only if a log layer is installed.
//!
//! The values are in a static variable because a span is the only thing that an event of the provider and its request have
//! in common: provider authors call `tracing` without a context.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::Span;

use super::{ObjectStrings, mask_string};

static IS_ENABLED: AtomicBool = AtomicBool::new(false);
static RECORDED: Mutex<Recorded> =
    Mutex::new(Recorded { provider: ObjectStrings::none(), spans: BTreeMap::new() });

struct Recorded {
    provider: ObjectStrings,
    /// The values of requests by the numbers of their spans.
    spans: BTreeMap<u64, ObjectStrings>,
}

/// Records sensitive values from now on. A log layer calls it, which has to call [`remove`] at the end of each span.
pub fn enable() {
    IS_ENABLED.store(true, Ordering::Relaxed);
}

/// Records sensitive values of the current request.
pub(crate) fn add(strings: &ObjectStrings) {
    if IS_ENABLED.load(Ordering::Relaxed)
        && let Some(span) = Span::current().id()
    {
        recorded().spans.entry(span.into_u64()).or_default().extend(strings);
    }
}

/// Records the sensitive values of the provider's configuration, for all requests.
pub(crate) fn set_provider(strings: ObjectStrings) {
    recorded().provider = strings;
}

/// Removes the values of a span that has ended.
pub fn remove(span: u64) {
    recorded().spans.remove(&span);
}

/// Masks the sensitive values of these spans, and of the provider's configuration, in the string of a log line.
pub fn mask(spans: &[u64], string: &str) -> String {
    let recorded = recorded();
    let of_spans = spans.iter().filter_map(|it| recorded.spans.get(it));
    let all: Vec<&ObjectStrings> = of_spans.chain([&recorded.provider]).collect();
    mask_string(&all, string)
}

fn recorded() -> MutexGuard<'static, Recorded> {
    // Every change is a single insertion, removal or assignment.
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
}
