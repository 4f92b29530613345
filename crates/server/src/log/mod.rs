//! Logs: `tracing` events as the JSON lines that Terraform reads from stderr.
//!
//! Terraform's environment variables set the log level. If logs are disabled, [`serve`](super::serve) installs no
//! subscriber: an event then costs one comparison, and nothing is formatted or written. The server logs RPCs, their
//! durations and failed connections, but never values.
//!
//! A provider that also sends its events elsewhere installs a subscriber of its own, with [`layer()`] as one of its
//! layers.

mod layer;
mod level;
mod masks;
#[cfg(feature = "opentelemetry")]
mod otlp;

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use ferroform_engine::provider::LogMasks;
use ferroform_engine::{Diagnostics, Severity};
use ring::rand::{SecureRandom, SystemRandom};
use tracing::field::Empty;
use tracing::{Metadata, Span, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;

use self::layer::JsonLines;
use self::level::Levels;
use self::masks::{Masks, pattern_error};
use crate::environment::Process;
use crate::error::Error;
use crate::standard_streams::Stderr;

/// Libraries of the transport, whose events may contain values.
const SILENT: [&str; 7] = ["h2", "hyper", "hyper_util", "rustls", "tokio", "tonic", "tower"];

/// The target of the spans of requests.
const REQUEST_TARGET: &str = "sdk.request";

/// A layer for a subscriber that has spans, such as [`tracing_subscriber::Registry`].
pub type BoxedLayer<S> = Box<dyn Layer<S> + Send + Sync>;

/// The layer that writes Terraform's log lines to stderr, for the provider with this full address, such as
/// `registry.terraform.io/hashicorp/local`. `None` if no environment variable enables logging; as a layer, `None`
/// does nothing.
///
/// The level is that of the first of `TF_LOG_PROVIDER_<NAME>`, `TF_LOG_PROVIDER` and `TF_LOG` that is set. Subsystems can
/// have levels of their own: `TF_LOG_PROVIDER_<NAME>_<SUBSYSTEM>`, `TF_LOG_SDK` and `TF_LOG_SDK_<SUBSYSTEM>`.
pub fn layer<S>(address: &str, masks: &LogMasks) -> Option<BoxedLayer<S>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    Levels::from_environment(address, &Process).map(|levels| filtered(levels, Masks::new(masks), Stderr))
}

/// The layer with its levels.
fn filtered<S, W>(levels: Levels, masks: Masks, out: W) -> BoxedLayer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Write + Send + 'static,
{
    let max = levels.max();
    let is_enabled = move |metadata: &Metadata<'_>| {
        let library = metadata.target().split("::").next().unwrap_or_default();
        // The span of a request has no level of its own: its fields belong to every line of the request.
        let is_request = metadata.is_span() && metadata.target() == REQUEST_TARGET;
        is_request || *metadata.level() <= levels.of(metadata.target()) && !SILENT.contains(&library)
    };
    Box::new(JsonLines::new(masks, out).with_filter(FilterFn::new(is_enabled).with_max_level_hint(max)))
}

/// Sends what the layers have not sent yet when it is dropped: at the end of the process.
pub(super) type Flush = Option<Box<dyn Send>>;

/// Installs the layers that environment variables enable.
///
/// # Errors
///
/// If a mask of the provider is invalid.
pub(super) fn start(address: &str, create_masks: impl Fn() -> LogMasks) -> Result<Flush, Error> {
    let levels = Levels::from_environment(address, &Process);
    let (traces, flush) = traces(address, &create_masks);
    if levels.is_none() && traces.is_none() {
        return Ok(flush);
    }
    let masks = create_masks();
    if let Some(error) = pattern_error(&masks) {
        return Err(Error::new(error));
    }
    let lines = levels.map(|it| filtered(it, Masks::new(&masks), Stderr));
    // The innermost layer handles the end of a span first: the sensitive values of the request must still be known.
    let subscriber = tracing_subscriber::registry().with(traces).with(lines);
    // Fails only if the provider has installed a subscriber before; then that one is used.
    let _ = tracing::subscriber::set_global_default(subscriber);
    Ok(flush)
}

/// The layer for traces, if an environment variable enables it.
#[cfg(feature = "opentelemetry")]
fn traces<S>(address: &str, create_masks: &impl Fn() -> LogMasks) -> (Option<BoxedLayer<S>>, Flush)
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    match otlp::SpanLayer::from_environment(address, &Process, create_masks) {
        Ok(Some((layer, flush))) => (Some(Box::new(layer)), Some(Box::new(flush))),
        Ok(None) => (None, None),
        Err(error) => {
            // The provider works without traces, so it only warns.
            let _ = writeln!(Stderr, "[WARN] OpenTelemetry: {error}");
            (None, None)
        }
    }
}

/// Traces need the feature `opentelemetry`.
#[cfg(not(feature = "opentelemetry"))]
fn traces<S>(_: &str, _: &impl Fn() -> LogMasks) -> (Option<BoxedLayer<S>>, Flush)
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    (None, None)
}

/// Adds a field to the span of the current request, such as `tf_resource_type`. The span has these fields:
///
/// `tf_resource_type`, `tf_data_source_type`, `tf_ephemeral_resource_type`, `tf_list_resource_type`,
/// `tf_action_type`, `tf_state_store_type`, `tf_function_name`, `tf_deferred_reason`.
pub fn annotate(field: &'static str, value: &str) {
    Span::current().record(field, value);
}

/// Logs the diagnostics of a response, and adds their numbers to the span of the current request.
pub fn log_diagnostics(all: &Diagnostics) {
    let errors = all.errors().count();
    let span = Span::current();
    span.record("diagnostic_error_count", errors).record("diagnostic_warning_count", all.len() - errors);
    for it in all.iter() {
        let attribute = it.path.as_ref().map(ToString::to_string);
        let (summary, detail) = (it.summary.as_str(), it.detail.as_str());
        match it.severity {
            Severity::Error => tracing::error!(
                target: "sdk.proto",
                diagnostic_severity = "ERROR",
                diagnostic_summary = summary,
                diagnostic_detail = detail,
                diagnostic_attribute = attribute,
                "Response contains error diagnostic"
            ),
            Severity::Warning => tracing::warn!(
                target: "sdk.proto",
                diagnostic_severity = "WARNING",
                diagnostic_summary = summary,
                diagnostic_detail = detail,
                diagnostic_attribute = attribute,
                "Response contains warning diagnostic"
            ),
        }
    }
}

/// Creates the spans of requests.
pub(super) struct RequestSpans {
    address: String,
    protocol: String,
    /// A request id consists of a random number and a counter.
    process: u64,
    count: AtomicU64,
}

impl RequestSpans {
    pub(super) fn new(address: String, protocol: String) -> Self {
        let mut process = [0; 8];
        // Without random numbers, request IDs are less distinct, which is acceptable.
        let _ = SystemRandom::new().fill(&mut process);
        Self { address, protocol, process: u64::from_ne_bytes(process), count: AtomicU64::new(0) }
    }

    /// The span of a request. All events within it carry its fields.
    pub(super) fn span(&self, rpc: &str) -> Span {
        let span = tracing::error_span!(
            target: REQUEST_TARGET,
            "request",
            tf_rpc = rpc,
            tf_req_id = Empty,
            tf_provider_addr = self.address,
            tf_proto_version = self.protocol,
            tf_resource_type = Empty,
            tf_data_source_type = Empty,
            tf_ephemeral_resource_type = Empty,
            tf_list_resource_type = Empty,
            tf_action_type = Empty,
            tf_state_store_type = Empty,
            tf_function_name = Empty,
            tf_deferred_reason = Empty,
            diagnostic_error_count = Empty,
            diagnostic_warning_count = Empty,
        );
        if !span.is_disabled() {
            let count = self.count.fetch_add(1, Ordering::Relaxed);
            span.record("tf_req_id", uuid(self.process, count));
        }
        span
    }
}

/// Formats a request id like a random (version 4) UUID.
fn uuid(process: u64, count: u64) -> String {
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        process >> 32,
        process >> 16 & 0xffff,
        process >> 4 & 0xfff,
        count >> 48 & 0xfff,
        count & 0xffff_ffff_ffff,
    )
}

#[cfg(test)]
mod tests {
    use ferroform_engine::Definition;

    use super::*;

    #[test]
    fn span_of_a_request_has_the_field_of_each_kind() {
        tracing::subscriber::with_default(tracing_subscriber::registry(), || {
            let span = RequestSpans::new(String::new(), String::new()).span("PlanResourceChange");
            for field in Definition::KINDS.iter().filter_map(|it| it.log_field()) {
                assert!(span.has_field(field), "{field}");
            }
        });
    }

    #[test]
    fn request_ids_have_the_format_of_a_uuid() {
        assert_eq!(uuid(0x0123_4567_89ab_cdef, 26), "01234567-89ab-4cde-8000-00000000001a");
    }
}
