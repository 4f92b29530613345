//! The layer that records spans and passes them to the exporter when they end.

use std::sync::mpsc::Sender;
use std::time::SystemTime;

use ferroform_engine::provider::LogMasks;
use ferroform_engine::random;
use ferroform_engine::redaction::log_masks;
use ferroform_value::Value;
use tracing::span::{Attributes, Id, Record};
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::exporter::{self, Command};
use super::message::FinishedSpan;
use super::settings::{Parent, Settings};
use crate::environment::Environment;
use crate::log::layer::Fields;
use crate::log::masks::Masks;
use crate::log::{REQUEST_TARGET, SILENT};

/// Records the spans of requests, and those of the provider with the level `INFO` or a more severe one.
pub(in crate::log) struct SpanLayer {
    masks: Masks,
    parent: Option<Parent>,
    exporter: Sender<Command>,
}

/// Sends the last spans when it is dropped.
pub(in crate::log) struct Flush(Sender<Command>);

impl Drop for Flush {
    fn drop(&mut self) {
        exporter::flush(&self.0);
    }
}

/// A span that has not ended.
struct OpenSpan {
    trace_id: String,
    span_id: String,
    parent_id: String,
    start: SystemTime,
    fields: Fields,
}

impl SpanLayer {
    /// The layer for the provider with this address, whose thread it starts; `None` if traces are disabled.
    ///
    /// # Errors
    ///
    /// Returns a message if the environment requires something that is not supported.
    pub(in crate::log) fn from_environment(
        address: &str,
        environment: &dyn Environment,
        create_masks: impl FnOnce() -> LogMasks,
    ) -> Result<Option<(SpanLayer, Flush)>, String> {
        let Some(settings) = Settings::from_environment(address, environment)? else { return Ok(None) };
        let parent = settings.parent.clone();
        let exporter = exporter::start(settings).map_err(|it| it.to_string())?;
        let layer = SpanLayer { masks: Masks::new(&create_masks()), parent, exporter: exporter.clone() };
        Ok(Some((layer, Flush(exporter))))
    }
}

/// True for the spans that are recorded.
fn is_recorded(metadata: &tracing::Metadata<'_>) -> bool {
    let library = metadata.target().split("::").next().unwrap_or_default();
    metadata.target() == REQUEST_TARGET || *metadata.level() <= Level::INFO && !SILENT.contains(&library)
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id).filter(|it| is_recorded(it.metadata())) else { return };
        let enclosing = span.scope().skip(1).find_map(|it| {
            let extensions = it.extensions();
            extensions.get::<OpenSpan>().map(|it| (it.trace_id.clone(), it.span_id.clone()))
        });
        let parent =
            enclosing.or_else(|| self.parent.as_ref().map(|it| (it.trace_id.clone(), it.span_id.clone())));
        let (trace_id, parent_id) =
            parent.unwrap_or_else(|| (random::uuid().replace('-', ""), String::new()));
        let mut span_id = random::uuid().replace('-', "");
        span_id.truncate(16);
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let start = SystemTime::now();
        span.extensions_mut().insert(OpenSpan { trace_id, span_id, parent_id, start, fields });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions_mut().get_mut::<OpenSpan>()
        {
            values.record(&mut open.fields);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        if let Some(span) = context.span(&id)
            && let Some(open) = span.extensions_mut().remove::<OpenSpan>()
        {
            let OpenSpan { trace_id, span_id, parent_id, start, fields } = open;
            let is_request = span.metadata().target() == REQUEST_TARGET;
            let rpc = fields.0.get("tf_rpc").and_then(Value::as_str).filter(|_| is_request);
            let name = rpc.unwrap_or(span.metadata().name()).to_owned();
            let errors = fields.0.get("diagnostic_error_count");
            let has_error = errors.is_some_and(|it| *it != Value::from(0));
            // The values of a request are recorded for its span, which may enclose this one.
            let mut spans: Vec<u64> = span.scope().skip(1).map(|it| it.id().into_u64()).collect();
            spans.push(id.into_u64());
            let attributes = fields.0.into_iter();
            let attributes =
                attributes.map(|(name, it)| (name, self.masks.apply(&spans, name, it))).collect();
            let end = SystemTime::now();
            let finished = FinishedSpan {
                trace_id,
                span_id,
                parent_id,
                name,
                is_request,
                start,
                end,
                attributes,
                has_error,
            };
            // Fails only if the thread of the exporter has ended.
            let _ = self.exporter.send(Command::Export(Box::new(finished)));
        }
        log_masks::remove(id.into_u64());
    }
}
