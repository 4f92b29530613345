//! Traces for OpenTelemetry, with a collector that the test plays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use serde_json::Value;

use crate::log_masks::log_of;
use crate::plugin::{Setup, without_tls};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Accepts one request, and returns its head and its body.
fn collector() -> (String, JoinHandle<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let handle = thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept().unwrap().0);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            stream.read_line(&mut head).unwrap();
        }
        let length = head.lines().find_map(|it| it.strip_prefix("Content-Length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
        stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    });
    (url, handle)
}

fn traced(url: &str) -> Setup {
    without_tls().env("OTEL_TRACES_EXPORTER", "otlp").env("OTEL_EXPORTER_OTLP_ENDPOINT", url)
}

fn attribute<'a>(span: &'a Value, key: &str) -> &'a Value {
    let all = span["attributes"].as_array().unwrap();
    let found = all.iter().find(|it| it["key"] == key);
    &found.unwrap_or_else(|| panic!("no {key} in {span}"))["value"]["stringValue"]
}

pub(crate) async fn requests_continue_the_trace_of_the_parent() {
    let (url, collector) = collector();
    let setup = traced(&url).env("TRACEPARENT", PARENT).env("OTEL_EXPORTER_OTLP_HEADERS", "api-key=k1");
    assert_eq!(log_of(setup, "nobody").await, "", "traces do not enable logs");
    let (head, body) = collector.join().unwrap();
    assert!(
        head.starts_with("POST /v1/traces HTTP/1.1\r\n") && head.contains("\r\napi-key: k1\r\n"),
        "{head}"
    );
    let spans = &body["resourceSpans"][0];
    let service = &spans["resource"]["attributes"][0];
    assert_eq!(
        (&service["key"], &service["value"]["stringValue"]),
        (&"service.name".into(), &"terraform-provider-loud".into())
    );
    let spans = spans["scopeSpans"][0]["spans"].as_array().unwrap();
    let named = |name: &str| {
        let found = spans.iter().find(|it| it["name"] == name);
        found.unwrap_or_else(|| panic!("no span {name}: {spans:?}"))
    };
    let request = named("ReadDataSource");
    assert_eq!(request["traceId"], "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(request["parentSpanId"], "b7ad6b7169203331");
    assert_eq!(request["spanId"].as_str().unwrap().len(), 16);
    assert_eq!((&request["kind"], &request["status"]["code"]), (&2.into(), &2.into()));
    assert_eq!(attribute(request, "tf_data_source_type"), "loud_account");
    let time = |key: &str| request[key].as_str().unwrap().parse::<u128>().unwrap();
    assert!(time("startTimeUnixNano") <= time("endTimeUnixNano"));
    // A span of the provider is inside the request, and has no secrets.
    let inner = named("sign_in");
    assert_eq!((&inner["traceId"], &inner["parentSpanId"]), (&request["traceId"], &request["spanId"]));
    assert_eq!(attribute(inner, "password"), "(sensitive value)");
    assert_eq!(attribute(inner, "authorization"), "***");
    assert_eq!(named("ConfigureProvider")["status"], serde_json::json!({}));
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
