//! Traces for OpenTelemetry, with a collector that the test plays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::Message as _;

use crate::log_masks::log_of;
use crate::plugin::{Setup, without_tls};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Accepts one request, and returns its head in lowercase and its body.
fn collector() -> (String, JoinHandle<(String, ExportTraceServiceRequest)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let handle = thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            stream.read_line(&mut head).unwrap();
        }
        let head = head.to_lowercase();
        let length = head.lines().find_map(|it| it.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
        stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
        (head, ExportTraceServiceRequest::decode(&*body).unwrap())
    });
    (url, handle)
}

fn traced(url: &str) -> Setup {
    without_tls().env("OTEL_TRACES_EXPORTER", "otlp").env("OTEL_EXPORTER_OTLP_ENDPOINT", url)
}

fn attribute<'a>(attributes: &'a [KeyValue], key: &str) -> &'a str {
    let found = attributes.iter().find(|it| it.key == key);
    let value = found.and_then(|it| it.value.as_ref()?.value.as_ref());
    match value {
        Some(any_value::Value::StringValue(value)) => value,
        other => panic!("{key} is {other:?} in {attributes:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

pub(crate) async fn requests_continue_the_trace_of_the_parent() {
    let (url, collector) = collector();
    let setup = traced(&url).env("TRACEPARENT", PARENT).env("OTEL_EXPORTER_OTLP_HEADERS", "api-key=k1");
    assert_eq!(log_of(setup, "nobody").await, "", "traces do not enable logs");
    let (head, body) = collector.join().unwrap();
    assert!(
        head.starts_with("post /v1/traces http/1.1\r\n") && head.contains("\r\napi-key: k1\r\n"),
        "{head}"
    );
    let spans = &body.resource_spans[0];
    let resource = &spans.resource.as_ref().unwrap().attributes;
    assert_eq!(attribute(resource, "service.name"), "terraform-provider-loud");
    let spans = &spans.scope_spans[0].spans;
    let named = |name: &str| -> &Span {
        let found = spans.iter().find(|it| it.name == name);
        found.unwrap_or_else(|| panic!("no span {name}: {spans:?}"))
    };
    let request = named("ReadDataSource");
    assert_eq!(hex(&request.trace_id), "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(hex(&request.parent_span_id), "b7ad6b7169203331");
    assert_eq!(request.kind(), SpanKind::Server);
    assert_eq!(request.status.as_ref().unwrap().code(), StatusCode::Error);
    assert_eq!(attribute(&request.attributes, "tf_data_source_type"), "loud_account");
    assert!(request.start_time_unix_nano <= request.end_time_unix_nano);
    // A span of the provider is inside the request, and has no secrets.
    let inner = named("sign_in");
    assert_eq!((&inner.trace_id, &inner.parent_span_id), (&request.trace_id, &request.span_id));
    assert_eq!(attribute(&inner.attributes, "password"), "(sensitive value)");
    assert_eq!(attribute(&inner.attributes, "authorization"), "***");
    let configure = named("ConfigureProvider").status.as_ref();
    assert_eq!(configure.map_or(StatusCode::Unset, |it| it.code()), StatusCode::Unset);
}

pub(crate) async fn traces_are_not_sent_by_default() {
    let (url, collector) = collector();
    let setup = without_tls().env("OTEL_EXPORTER_OTLP_ENDPOINT", &url).env("TRACEPARENT", PARENT);
    assert_eq!(log_of(setup, "ada").await, "");
    assert!(!collector.is_finished());
    // Without a collector, the provider works, and logs the reason.
    let log = log_of(traced("http://127.0.0.1:1").env("TF_LOG", "warn"), "ada").await;
    assert!(log.contains("cannot send traces to 127.0.0.1:1"), "{log}");
}
