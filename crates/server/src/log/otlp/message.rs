//! The message with spans: an `ExportTraceServiceRequest` in the JSON form of OTLP.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use ferroform_value::{Object, Value, json};

/// A span that has ended.
#[derive(Clone, Debug)]
pub(super) struct FinishedSpan {
    pub(super) trace_id: String,
    pub(super) span_id: String,
    /// Empty if the span has no parent.
    pub(super) parent_id: String,
    pub(super) name: String,
    /// True for the span of a request of Terraform.
    pub(super) is_request: bool,
    pub(super) start: SystemTime,
    pub(super) end: SystemTime,
    pub(super) attributes: BTreeMap<&'static str, Value>,
    pub(super) has_error: bool,
}

/// `SPAN_KIND_INTERNAL`, `SPAN_KIND_SERVER` and `STATUS_CODE_ERROR` of OTLP.
const INTERNAL: i64 = 1;
const SERVER: i64 = 2;
const ERROR: i64 = 2;

/// The message as JSON.
pub(super) fn encode(service: &str, spans: &[FinishedSpan]) -> Vec<u8> {
    let resource =
        object([("attributes", Value::Tuple(vec![attribute("service.name", &Value::string(service))]))]);
    let spans = object([
        ("scope", object([("name", Value::string("ferroform"))])),
        ("spans", Value::Tuple(spans.iter().map(span).collect())),
    ]);
    let spans = object([("resource", resource), ("scopeSpans", Value::Tuple(vec![spans]))]);
    // All values are known and finite, so JSON can represent them.
    json::encode_simple(&object([("resourceSpans", Value::Tuple(vec![spans]))])).unwrap_or_default()
}

fn span(it: &FinishedSpan) -> Value {
    let time = |time: SystemTime| {
        // A 64-bit integer is a string in the JSON form.
        Value::string(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string())
    };
    let attributes = it.attributes.iter().map(|(name, value)| attribute(name, value)).collect();
    let kind = if it.is_request { SERVER } else { INTERNAL };
    let status = if it.has_error { object([("code", ERROR.into())]) } else { object([]) };
    object([
        ("traceId", Value::string(&it.trace_id)),
        ("spanId", Value::string(&it.span_id)),
        ("parentSpanId", Value::string(&it.parent_id)),
        ("name", Value::string(&it.name)),
        ("kind", kind.into()),
        ("startTimeUnixNano", time(it.start)),
        ("endTimeUnixNano", time(it.end)),
        ("attributes", Value::Tuple(attributes)),
        ("status", status),
    ])
}

fn attribute(name: &str, value: &Value) -> Value {
    let value = match value {
        Value::Bool(it) => object([("boolValue", (*it).into())]),
        Value::Number(it) => object([("stringValue", Value::string(it.to_string()))]),
        Value::String(it) => object([("stringValue", Value::String(it.clone()))]),
        other => object([("stringValue", Value::string(other.summary()))]),
    };
    object([("key", Value::string(name)), ("value", value)])
}

fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    let attributes: Object = attributes.into_iter().map(|(name, it)| (name.into(), it)).collect();
    Value::Object(attributes)
}
