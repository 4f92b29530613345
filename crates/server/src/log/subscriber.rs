//! The `tracing` subscriber: spans with their fields, and one JSON line for each event.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata};
use tracing_core::span::Current;

use super::super::clock::Utc;
use super::super::json::{quote, quoted};

/// Libraries below the transport. What they say of their work may show what they carry.
const SILENT: [&str; 7] = ["h2", "hyper", "hyper_util", "rustls", "tokio", "tonic", "tower"];

thread_local! {
    /// The spans this thread is in, innermost last.
    static ENTERED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

pub(super) struct Subscriber<W> {
    level: LevelFilter,
    next: AtomicU64,
    spans: Mutex<HashMap<u64, Span>>,
    out: Mutex<W>,
}

struct Span {
    metadata: &'static Metadata<'static>,
    parent: Option<u64>,
    fields: Fields,
    /// Handles and children.
    references: usize,
}

impl<W: Write> Subscriber<W> {
    pub(super) fn new(level: LevelFilter, out: W) -> Self {
        Self { level, next: AtomicU64::new(1), spans: Mutex::default(), out: Mutex::new(out) }
    }

    fn spans(&self) -> MutexGuard<'_, HashMap<u64, Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wants(&self, metadata: &Metadata<'_>) -> bool {
        let library = metadata.target().split("::").next().unwrap_or_default();
        *metadata.level() <= self.level && !SILENT.contains(&library)
    }

    /// The fields of a span and of those around it, inner ones over outer ones.
    fn context(&self, innermost: Option<u64>) -> Fields {
        let spans = self.spans();
        let mut chain = Vec::new();
        let mut next = innermost;
        while let Some(span) = next.and_then(|id| spans.get(&id)) {
            chain.push(&span.fields);
            next = span.parent;
        }
        let mut all = Fields::default();
        for (name, value) in chain.iter().rev().flat_map(|fields| &fields.0) {
            all.set(name, value.clone());
        }
        all
    }
}

impl<W: Write + 'static> tracing::Subscriber for Subscriber<W>
where
    Self: Send + Sync,
{
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.wants(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.wants(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let parent = match attributes.parent() {
            Some(parent) => Some(parent.into_u64()),
            None if attributes.is_contextual() => innermost(),
            None => None,
        };
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut spans = self.spans();
        if let Some(parent) = parent.and_then(|parent| spans.get_mut(&parent)) {
            parent.references += 1;
        }
        spans.insert(id, Span { metadata: attributes.metadata(), parent, fields, references: 1 });
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        if let Some(span) = self.spans().get_mut(&span.into_u64()) {
            values.record(&mut span.fields);
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let span = match event.parent() {
            Some(parent) => Some(parent.into_u64()),
            None if event.is_contextual() => innermost(),
            None => None,
        };
        let mut fields = self.context(span);
        event.record(&mut fields);
        let line = line(event.metadata(), Utc::now(), fields);
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // One write a line, so that lines of several processes do not mix. A host that no longer reads
        // is no reason to stop.
        let _ = out.write_all(line.as_bytes());
    }

    fn enter(&self, span: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push(span.into_u64()));
    }

    fn exit(&self, span: &Id) {
        ENTERED.with_borrow_mut(|entered| {
            if let Some(place) = entered.iter().rposition(|id| *id == span.into_u64()) {
                entered.remove(place);
            }
        });
    }

    fn clone_span(&self, span: &Id) -> Id {
        if let Some(span) = self.spans().get_mut(&span.into_u64()) {
            span.references += 1;
        }
        span.clone()
    }

    fn try_close(&self, span: Id) -> bool {
        let mut spans = self.spans();
        let mut next = Some(span.into_u64());
        let mut closed = false;
        // The last handle of a span takes its hold on the parent with it.
        while let Some(id) = next {
            let Some(span) = spans.get_mut(&id) else { break };
            span.references -= 1;
            if span.references > 0 {
                break;
            }
            closed = true;
            next = spans.remove(&id).and_then(|span| span.parent);
        }
        closed
    }

    fn current_span(&self) -> Current {
        let spans = self.spans();
        match innermost().and_then(|id| Some((id, spans.get(&id)?))) {
            Some((id, span)) => Current::new(Id::from_u64(id), span.metadata),
            None => Current::none(),
        }
    }
}

fn innermost() -> Option<u64> {
    ENTERED.with_borrow(|entered| entered.last().copied())
}

/// Names, and values as JSON.
#[derive(Default)]
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    fn set(&mut self, name: &'static str, json: String) {
        match self.0.iter_mut().find(|(present, _)| *present == name) {
            Some((_, value)) => *value = json,
            None => self.0.push((name, json)),
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field.name(), quoted(&format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field.name(), quoted(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), value.to_string());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), value.to_string());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field.name(), value.to_string());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no word for the others.
        let text = value.to_string();
        self.set(field.name(), if value.is_finite() { text } else { quoted(&text) });
    }
}

fn line(metadata: &Metadata<'_>, now: Utc, mut fields: Fields) -> String {
    let message = fields.0.iter().position(|(name, _)| *name == "message");
    let message = message.map_or_else(|| "\"\"".to_owned(), |place| fields.0.remove(place).1);
    let level = match *metadata.level() {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    };
    let mut line = format!("{{\"@level\":\"{level}\",\"@message\":{message},\"@module\":");
    quote(&mut line, &metadata.target().replace("::", "."));
    let Utc { year, month, day, hour, minute, second, micros } = now;
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        ",\"@timestamp\":\"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z\""
    );
    for (name, value) in fields.0 {
        line.push(',');
        quote(&mut line, name);
        line.push(':');
        line.push_str(&value);
    }
    line.push_str("}\n");
    line
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The lines without their time, which is checked for its form.
    fn logged(level: LevelFilter, act: impl FnOnce()) -> String {
        let buffer = Buffer::default();
        tracing::subscriber::with_default(Subscriber::new(level, buffer.clone()), act);
        let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        let mut out = String::new();
        for line in text.lines() {
            let (before, rest) = line.split_once(",\"@timestamp\":\"").unwrap();
            let (time, after) = rest.split_once('"').unwrap();
            let form: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            assert_eq!(form, "0000-00-00T00:00:00.000000Z");
            out += &format!("{before}{after}\n");
        }
        out
    }

    #[test]
    fn an_event_is_a_line_with_the_fields_of_its_spans() {
        let text = logged(LevelFilter::DEBUG, || {
            let outer = tracing::error_span!("outer", a = 1, b = "outer", c = tracing::field::Empty);
            let _outer = outer.enter();
            let inner = tracing::info_span!("inner", b = "inner");
            inner.in_scope(|| {
                outer.record("c", true);
                tracing::info!(target: "acme::disk", d = 1.5, e = f64::NAN, f = ?Some(1), "made \"{}\"", "x");
            });
            tracing::Span::current().record("a", 2);
            tracing::trace!("too much");
            tracing::error!(target: "h2::codec", "not ours");
            tracing::debug!(target: "acme", g = %"shown");
        });
        let expected = [
            r#"{"@level":"info","@message":"made \"x\"","@module":"acme.disk","a":1,"b":"inner","c":true,"#,
            r#""d":1.5,"e":"NaN","f":"Some(1)"}"#,
            "\n",
            r#"{"@level":"debug","@message":"","@module":"acme","a":2,"b":"outer","c":true,"g":"shown"}"#,
            "\n",
        ];
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn closed_spans_are_forgotten() {
        let subscriber = Arc::new(Subscriber::new(LevelFilter::TRACE, Vec::new()));
        tracing::subscriber::with_default(Arc::clone(&subscriber), || {
            let outer = tracing::info_span!("outer");
            let inner = tracing::info_span!(parent: &outer, "inner");
            drop(outer);
            assert_eq!(subscriber.spans().len(), 2);
            drop(inner);
        });
        assert_eq!(subscriber.spans().len(), 0);
    }
}
