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

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use ring::rand::{SecureRandom, SystemRandom};
use tracing::field::Empty;
use tracing::level_filters::LevelFilter;
use tracing::{Metadata, Span, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;

use self::layer::JsonLines;
use crate::environment::Process;
use crate::standard_streams::Stderr;

/// Libraries of the transport, whose events may contain values.
const SILENT: [&str; 7] = ["h2", "hyper", "hyper_util", "rustls", "tokio", "tonic", "tower"];

/// A layer for a subscriber that has spans, such as [`tracing_subscriber::Registry`].
pub type BoxedLayer<S> = Box<dyn Layer<S> + Send + Sync>;

/// The layer that writes Terraform's log lines to stderr, for the provider with this full address, such as
/// `registry.terraform.io/hashicorp/local`. `None` if no environment variable enables logging; as a layer, `None`
/// does nothing.
///
/// The level is that of the first of `TF_LOG_PROVIDER_<NAME>`, `TF_LOG_PROVIDER` and `TF_LOG` that is set.
pub fn layer<S>(address: &str) -> Option<BoxedLayer<S>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    level::from_environment(address, &Process).map(|level| filtered(level, Stderr))
}

/// The layer with its level.
fn filtered<S, W>(level: LevelFilter, out: W) -> BoxedLayer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Write + Send + 'static,
{
    let is_enabled = move |metadata: &Metadata<'_>| {
        let library = metadata.target().split("::").next().unwrap_or_default();
        *metadata.level() <= level && !SILENT.contains(&library)
    };
    Box::new(JsonLines::new(out).with_filter(FilterFn::new(is_enabled).with_max_level_hint(level)))
}

/// Installs the layer if an environment variable enables logging.
pub(super) fn start(address: &str) {
    if let Some(layer) = layer(address) {
        // Fails only if the provider has installed a subscriber before; then that one is used.
        let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer));
    }
}

/// Adds a field to the span of the current request, such as `tf_resource_type`. The span has these fields:
///
/// `tf_resource_type`, `tf_data_source_type`, `tf_ephemeral_resource_type`, `tf_list_resource_type`,
/// `tf_action_type`, `tf_state_store_type`, `tf_function_name`.
pub fn annotate(field: &'static str, value: &str) {
    Span::current().record(field, value);
}

/// Creates the spans of requests.
pub(super) struct RequestSpans {
    address: String,
    protocol: &'static str,
    /// A request id consists of a random number and a counter.
    process: u64,
    count: AtomicU64,
}

impl RequestSpans {
    pub(super) fn new(address: String, protocol: &'static str) -> Self {
        let mut process = [0; 8];
        // Without random numbers, request IDs are less distinct, which is acceptable.
        let _ = SystemRandom::new().fill(&mut process);
        Self { address, protocol, process: u64::from_ne_bytes(process), count: AtomicU64::new(0) }
    }

    /// The span of a request. All events within it carry its fields.
    pub(super) fn span(&self, rpc: &str) -> Span {
        let span = tracing::error_span!(
            target: "sdk",
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
    use super::*;

    #[test]
    fn request_ids_have_the_format_of_a_uuid() {
        assert_eq!(uuid(0x0123_4567_89ab_cdef, 26), "01234567-89ab-4cde-8000-00000000001a");
    }
}
