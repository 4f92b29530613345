//! Traces for OpenTelemetry: one span for each request of Terraform, and those of the provider inside it.
//!
//! | module | contents |
//! |---|---|
//! | `settings` | the environment variables of OpenTelemetry, and `TRACEPARENT` |
//! | `layer` | the layer that records spans |
//! | `message` | the message with spans, in the JSON form of OTLP |
//! | `exporter` | the thread that sends messages |

mod exporter;
mod layer;
mod message;
mod settings;

pub(super) use self::layer::SpanLayer;
