//! A `tracing` layer that writes one JSON line for each event, in the format that Terraform reads from stderr.
//!
//! ```text
//! {"@level":"info","@message":"created","@module":"acme.disk","@timestamp":"2026-01-02T03:04:05.678901Z","size":10}
//! ```
//!
//! Terraform reads these fields as go-hclog writes them. The fields of an event and of its spans follow the fields with
//! an `@`; a field of the event replaces the field of a span with the same name.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use ferroform_engine::redaction::log_masks;
use ferroform_value::{Number, Object, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::level;
use super::masks::Masks;

/// The layer. Each line carries the fields of the event and of the spans around it; an inner span's field replaces an
/// outer span's field of the same name.
pub(super) struct JsonLines<W> {
    masks: Masks,
    out: Mutex<W>,
}

impl<W: Write> JsonLines<W> {
    /// A layer that writes its lines to `out`, without the parts to mask.
    pub(super) fn new(masks: Masks, out: W) -> JsonLines<W> {
        JsonLines { masks, out: Mutex::new(out) }
    }
}

impl<S, W> Layer<S> for JsonLines<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Write + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut all = Fields::default();
        let mut spans = Vec::new();
        for span in context.event_scope(event).into_iter().flat_map(|it| it.from_root()) {
            spans.push(span.id().into_u64());
            if let Some(fields) = span.extensions().get::<Fields>() {
                all.0.extend(fields.0.iter().map(|(name, value)| (*name, value.clone())));
            }
        }
        event.record(&mut all);
        let masked = all.0.into_iter().map(|(name, it)| (name, self.masks.apply(&spans, name, it)));
        let line = line(event.metadata(), Fields(masked.collect()));
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // Each line is written at once, so that lines of several processes do not mix. If Terraform no longer reads
        // them, the provider continues.
        let _ = out.write_all(line.as_bytes());
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        log_masks::remove(id.into_u64());
    }
}

/// Fields by name.
#[derive(Default)]
pub(super) struct Fields(pub(super) BTreeMap<&'static str, Value>);

impl Fields {
    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name(), value.into());
    }

    fn set_string(&mut self, field: &Field, text: &str) {
        self.set(field, Value::String(text.into()));
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set_string(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set_string(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, Number::from(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        match Number::from_f64(value).filter(|_| value.is_finite()) {
            Some(number) => self.set(field, number),
            // JSON has no representation of infinity and NaN.
            None => self.set_string(field, &value.to_string()),
        }
    }
}

fn line(metadata: &Metadata<'_>, Fields(mut fields): Fields) -> String {
    let level = match *metadata.level() {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    };
    let message = fields.remove("message").unwrap_or_else(|| Value::string(""));
    let mut time = String::new();
    // RFC 3339 with microseconds, the only form that Terraform recognizes. Writing to a string cannot fail.
    let _ = SystemTime.format_time(&mut Writer::new(&mut time));
    fields.extend([
        ("@level", Value::string(level)),
        ("@message", message),
        ("@module", Value::string(level::module(metadata.target()))),
        ("@timestamp", Value::string(&time)),
    ]);
    let object: Object = fields.into_iter().map(|(name, value)| (name.into(), value)).collect();
    // All values are known and finite, so JSON can represent them.
    let json = json::encode_simple(&Value::Object(object)).unwrap_or_default();
    String::from_utf8_lossy(&json).into_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use tracing::level_filters::LevelFilter;
    use tracing_subscriber::layer::SubscriberExt as _;

    use ferroform_engine::provider::LogMasks;

    use super::super::filtered;
    use super::super::level::Levels;
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

    /// The lines without their timestamps, whose format is checked.
    fn logged(level: LevelFilter, act: impl FnOnce()) -> String {
        let buffer = Buffer::default();
        let level = level.to_string();
        let variables = [("TF_LOG", level.as_str())];
        let levels = Levels::from_environment("a/b/acme", &variables).unwrap();
        let masks = Masks::new(&LogMasks { fields: vec!["pin".into()], patterns: vec!["tok-[0-9]+".into()] });
        let subscriber = tracing_subscriber::registry().with(filtered(levels, masks, buffer.clone()));
        tracing::subscriber::with_default(subscriber, act);
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
    fn event_is_a_line_with_the_fields_of_its_spans() {
        let text = logged(LevelFilter::DEBUG, || {
            let outer = tracing::error_span!("outer", a = 1, b = "outer", c = tracing::field::Empty);
            let _outer = outer.enter();
            let inner = tracing::info_span!("inner", b = "inner");
            inner.in_scope(|| {
                outer.record("c", true);
                tracing::info!(target: "acme::disk", d = 1.5, e = f64::NAN, f = ?Some(1), "made \"{}\"", "x\n");
            });
            tracing::Span::current().record("a", 2);
            tracing::trace!("too detailed");
            tracing::error!(target: "h2::codec", "a library below the transport");
            tracing::debug!(target: "acme", g = %"shown", h = f64::INFINITY, i = u64::MAX);
        });
        let expected = [
            r#"{"@level":"info","@message":"made \"x\n\"","@module":"acme.disk","a":1,"b":"inner","c":true,"#,
            r#""d":1.5,"e":"NaN","f":"Some(1)"}"#,
            "\n",
            r#"{"@level":"debug","@message":"","@module":"acme","a":2,"b":"outer","c":true,"g":"shown","#,
            r#""h":"inf","i":18446744073709551615}"#,
            "\n",
        ];
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn fields_of_spans_and_messages_are_masked() {
        let text = logged(LevelFilter::INFO, || {
            let span = tracing::info_span!("request", pin = 1234, url = "https://h/?t=tok-1");
            span.in_scope(|| tracing::info!(target: "acme", "sent tok-22"));
        });
        let expected = r#"{"@level":"info","@message":"sent ***","@module":"acme","pin":"***","url":"https://h/?t=***"}"#;
        assert_eq!(text, format!("{expected}\n"));
    }

    #[test]
    fn nothing_is_logged_above_the_level() {
        let text = logged(LevelFilter::WARN, || {
            let span = tracing::info_span!("outer", a = 1);
            span.in_scope(|| tracing::warn!(target: "acme", "shown"));
            tracing::info!("not shown");
        });
        assert_eq!(text, "{\"@level\":\"warn\",\"@message\":\"shown\",\"@module\":\"acme\"}\n");
    }
}
