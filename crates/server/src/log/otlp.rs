//! Traces for OpenTelemetry: one span for each request from Terraform, and those of the provider inside it.
//!
//! The crates `opentelemetry-otlp` and `opentelemetry_sdk` read most environment variables, such as
//! `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_BSP_SCHEDULE_DELAY`. This module reads:
//!
//! | variable | meaning |
//! |---|---|
//! | `OTEL_TRACES_EXPORTER` | `otlp` enables traces, as in Terraform |
//! | `OTEL_SDK_DISABLED` | `true` disables them |
//! | `OTEL_SERVICE_NAME` | the name of the service, by default `terraform-provider-` and the name of the provider |
//! | `OTEL_EXPORTER_OTLP_PROTOCOL` | only `http/protobuf` is supported |
//! | `OTEL_EXPORTER_OTLP_TIMEOUT` | the timeout of a request in milliseconds |
//! | `TRACEPARENT` | the span that started Terraform, in the format of W3C Trace Context |

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ferroform_engine::provider::LogMasks;
use ferroform_engine::redaction::log_masks;
use ferroform_value::Value;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceState,
};
use opentelemetry::{InstrumentationScope, KeyValue, Value as AttributeValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{RetryPolicy, SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchSpanProcessor, IdGenerator as _, RandomIdGenerator, SpanData, SpanEvents, SpanLinks,
    SpanProcessor as _,
};
use tracing::span::{Attributes, Id, Record};
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::layer::Fields;
use super::masks::Masks;
use super::{REQUEST_TARGET, SILENT};
use crate::environment::Environment;

/// How long the process waits at exit until the last spans are sent. Terraform kills the process after 2 s.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Records the spans of requests, and those of the provider with the level `INFO` or a more severe one.
///
/// The layer of `tracing-opentelemetry` would send the fields of the provider's spans without masks.
pub(super) struct SpanLayer {
    masks: Masks,
    /// Not valid if the process was started without a trace.
    parent: SpanContext,
    processor: Arc<BatchSpanProcessor>,
}

/// Sends the last spans when it is dropped.
pub(super) struct Flush(Arc<BatchSpanProcessor>);

impl Drop for Flush {
    fn drop(&mut self) {
        // If the last spans cannot be sent, the client has logged the error.
        let _ = self.0.shutdown_with_timeout(FLUSH_TIMEOUT);
    }
}

/// A span that has not ended.
struct OpenSpan {
    context: SpanContext,
    parent: SpanId,
    start: SystemTime,
    fields: Fields,
}

impl SpanLayer {
    /// The layer for the provider with this address, whose exporter it starts; `None` if traces are disabled.
    ///
    /// # Errors
    ///
    /// Returns a message if the environment requires something that is not supported.
    pub(super) fn from_environment(
        address: &str,
        environment: &dyn Environment,
        create_masks: impl FnOnce() -> LogMasks,
    ) -> Result<Option<(SpanLayer, Flush)>, String> {
        let Some(parent) = parent(environment)? else { return Ok(None) };
        // Retries would delay the end of the process.
        let once = RetryPolicy::default().with_max_retries(0);
        let exporter = SpanExporter::builder().with_http().with_http_client(Client::new(environment));
        let exporter = exporter.with_retry_policy(once).build();
        let mut processor = BatchSpanProcessor::builder(exporter.map_err(|it| it.to_string())?).build();
        let resource = Resource::builder();
        let resource = match environment.get("OTEL_SERVICE_NAME") {
            Some(_) => resource,
            None => {
                let name = address.rsplit('/').next().unwrap_or_default();
                resource.with_service_name(format!("terraform-provider-{name}"))
            }
        };
        processor.set_resource(&resource.build());
        let processor = Arc::new(processor);
        let layer = SpanLayer { masks: Masks::new(&create_masks()), parent, processor: processor.clone() };
        Ok(Some((layer, Flush(processor))))
    }
}

/// The span in `TRACEPARENT`, in which Terraform was started. It is not valid if there is none. Returns `None` if
/// traces are disabled.
fn parent(environment: &dyn Environment) -> Result<Option<SpanContext>, String> {
    let is_disabled = environment.get("OTEL_SDK_DISABLED").is_some_and(|it| it.eq_ignore_ascii_case("true"));
    if is_disabled || environment.get("OTEL_TRACES_EXPORTER").as_deref() != Some("otlp") {
        return Ok(None);
    }
    for variable in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
        if let Some(protocol) = environment.get(variable).filter(|it| it != "http/protobuf") {
            return Err(format!("{variable}={protocol} is not supported. Use http/protobuf."));
        }
    }
    let header = environment.get("TRACEPARENT").map(|it| ("traceparent".to_owned(), it));
    let headers: HashMap<_, _> = header.into_iter().collect();
    // `extract` would continue the current span of OpenTelemetry, of which there is none.
    let parent = TraceContextPropagator::new().extract_with_context(&opentelemetry::Context::new(), &headers);
    let parent = parent.span().span_context().clone();
    // If the parent span is not sampled, no spans are recorded.
    Ok((!parent.is_valid() || parent.is_sampled()).then_some(parent))
}

/// True for the spans that are recorded.
fn is_recorded(metadata: &tracing::Metadata<'_>) -> bool {
    let library = metadata.target().split("::").next().unwrap_or_default();
    metadata.target() == REQUEST_TARGET || *metadata.level() <= Level::INFO && !SILENT.contains(&library)
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id).filter(|it| is_recorded(it.metadata())) else { return };
        let enclosing =
            span.scope().skip(1).find_map(|it| Some(it.extensions().get::<OpenSpan>()?.context.clone()));
        let parent = enclosing.unwrap_or_else(|| self.parent.clone());
        let ids = RandomIdGenerator::default();
        let trace = if parent.is_valid() { parent.trace_id() } else { ids.new_trace_id() };
        let context =
            SpanContext::new(trace, ids.new_span_id(), TraceFlags::SAMPLED, false, TraceState::default());
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let open = OpenSpan { context, parent: parent.span_id(), start: SystemTime::now(), fields };
        span.extensions_mut().insert(open);
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
            let is_request = span.metadata().target() == REQUEST_TARGET;
            let fields = open.fields.0;
            let rpc = fields.get("tf_rpc").and_then(Value::as_str).filter(|_| is_request);
            let name = rpc.unwrap_or(span.metadata().name()).to_owned();
            let has_error = fields.get("diagnostic_error_count").is_some_and(|it| *it != Value::from(0));
            // The values of a request are recorded for its span, which may enclose this one.
            let mut spans: Vec<u64> = span.scope().skip(1).map(|it| it.id().into_u64()).collect();
            spans.push(id.into_u64());
            let masked = fields.into_iter().map(|(name, it)| (name, self.masks.apply(&spans, name, it)));
            self.processor.on_end(SpanData {
                parent_span_is_remote: open.parent == self.parent.span_id(),
                span_context: open.context,
                parent_span_id: open.parent,
                span_kind: if is_request { SpanKind::Server } else { SpanKind::Internal },
                name: name.into(),
                start_time: open.start,
                end_time: SystemTime::now(),
                attributes: masked.map(|(name, it)| KeyValue::new(name, attribute_value(it))).collect(),
                dropped_attributes_count: 0,
                events: SpanEvents::default(),
                links: SpanLinks::default(),
                status: if has_error { Status::error("") } else { Status::Unset },
                instrumentation_scope: InstrumentationScope::builder("ferroform").build(),
            });
        }
        log_masks::remove(id.into_u64());
    }
}

fn attribute_value(value: Value) -> AttributeValue {
    match value {
        Value::Bool(it) => it.into(),
        Value::Number(it) => it.to_string().into(),
        Value::String(it) => it.to_string().into(),
        other => other.summary().into(),
    }
}

/// Sends requests in the thread of the exporter, so that no request from Terraform waits for the collector.
#[derive(Debug)]
struct Client(ureq::Agent);

impl Client {
    /// The client with the timeout of the environment variables of OpenTelemetry, by default 10 s.
    fn new(environment: &dyn Environment) -> Client {
        let variables = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
        let milliseconds = variables.iter().find_map(|it| environment.get(it)?.parse().ok());
        let timeout = Duration::from_millis(milliseconds.unwrap_or(10_000));
        let config = ureq::Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(true);
        Client(config.build().into())
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ureq::Error> {
        let (parts, mut body) = self.0.run(request.map(|it| it.to_vec()))?.into_parts();
        Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
    }
}

#[tonic::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let collector = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        self.send(request).map_err(|error| {
            tracing::warn!(target: "sdk", %error, "cannot send traces to {collector}");
            error.into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const ENABLED: (&str, &str) = ("OTEL_TRACES_EXPORTER", "otlp");

    #[test]
    fn traces_require_the_otlp_exporter_and_a_sampled_parent() {
        assert_eq!(parent(&[]), Ok(None));
        assert_eq!(parent(&[("OTEL_TRACES_EXPORTER", "none")]), Ok(None));
        assert_eq!(parent(&[ENABLED, ("OTEL_SDK_DISABLED", "true")]), Ok(None));
        assert_eq!(parent(&[ENABLED, ("TRACEPARENT", &PARENT.replace("-01", "-00"))]), Ok(None));
    }

    #[test]
    fn span_that_started_terraform_is_the_parent() {
        let context = parent(&[ENABLED, ("TRACEPARENT", PARENT)]).unwrap().unwrap();
        assert_eq!(context.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
        assert_eq!(context.span_id().to_string(), "b7ad6b7169203331");
        for invalid in ["invalid", "00-00000000000000000000000000000000-b7ad6b7169203331-01"] {
            let context = parent(&[ENABLED, ("TRACEPARENT", invalid)]).unwrap().unwrap();
            assert!(!context.is_valid(), "{invalid}");
        }
    }

    #[test]
    fn unsupported_protocol_is_an_error() {
        let grpc = parent(&[ENABLED, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]);
        assert!(grpc.unwrap_err().contains("OTEL_EXPORTER_OTLP_PROTOCOL=grpc"));
        assert!(parent(&[ENABLED, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")]).is_ok());
    }
}
