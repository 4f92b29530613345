//! The environment variables of OpenTelemetry.
//!
//! | variable | meaning |
//! |---|---|
//! | `OTEL_TRACES_EXPORTER` | `otlp` enables traces, as in Terraform |
//! | `OTEL_SDK_DISABLED` | `true` disables them |
//! | `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` | the URL for traces |
//! | `OTEL_EXPORTER_OTLP_ENDPOINT` | the URL of the collector, by default `http://localhost:4318` |
//! | `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TRACES_HEADERS` | HTTP headers: `name=value,name=value` |
//! | `OTEL_EXPORTER_OTLP_TIMEOUT` | the timeout in milliseconds, by default 10,000 |
//! | `OTEL_SERVICE_NAME` | the name of the service, by default `terraform-provider-` and the name of the provider |
//! | `TRACEPARENT` | the span that started Terraform, in the format of W3C Trace Context |

use std::time::Duration;

use crate::environment::Environment;

/// The settings of the exporter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// The host and the port, such as `localhost:4318`.
    pub(super) authority: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) timeout: Duration,
    pub(super) service: String,
    pub(super) parent: Option<Parent>,
}

/// The span that started Terraform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    /// 32 hexadecimal digits.
    pub(super) trace_id: String,
    /// 16 hexadecimal digits.
    pub(super) span_id: String,
}

impl Settings {
    /// The settings for the provider with this address; `None` if traces are disabled.
    ///
    /// # Errors
    ///
    /// Returns a message if the variables require something that is not supported.
    pub(super) fn from_environment(
        address: &str,
        environment: &dyn Environment,
    ) -> Result<Option<Settings>, String> {
        let get = |names: &[&str]| names.iter().find_map(|it| environment.get(it));
        let is_disabled = get(&["OTEL_SDK_DISABLED"]).is_some_and(|it| it.eq_ignore_ascii_case("true"));
        if is_disabled || get(&["OTEL_TRACES_EXPORTER"]).as_deref() != Some("otlp") {
            return Ok(None);
        }
        let parent = match get(&["TRACEPARENT"]).as_deref().map(parse_traceparent) {
            // The program that started Terraform records no traces.
            Some(Some((_, false))) => return Ok(None),
            Some(Some((parent, true))) => Some(parent),
            Some(None) | None => None,
        };
        let protocol = get(&["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]);
        if let Some(protocol) = protocol.filter(|it| !it.starts_with("http/")) {
            return Err(format!("the OTLP protocol {protocol} is not supported: use http/json"));
        }
        let url = get(&["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]).unwrap_or_else(|| {
            let base = get(&["OTEL_EXPORTER_OTLP_ENDPOINT"]);
            let base = base.unwrap_or_else(|| "http://localhost:4318".to_owned());
            format!("{}/v1/traces", base.trim_end_matches('/'))
        });
        let Some(rest) = url.strip_prefix("http://") else {
            return Err(format!("the endpoint {url} is not supported: use a collector with http://"));
        };
        let (authority, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
        let has_port = authority.rsplit(']').next().is_some_and(|it| it.contains(':'));
        let headers = get(&["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]);
        let timeout = get(&["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]);
        let name = address.rsplit('/').next().unwrap_or_default();
        Ok(Some(Settings {
            authority: if has_port { authority.to_owned() } else { format!("{authority}:80") },
            path: path.to_owned(),
            headers: headers.as_deref().map(parse_headers).unwrap_or_default(),
            timeout: Duration::from_millis(timeout.and_then(|it| it.parse().ok()).unwrap_or(10_000)),
            service: get(&["OTEL_SERVICE_NAME"]).unwrap_or_else(|| format!("terraform-provider-{name}")),
            parent,
        }))
    }
}

/// Parses the variable `TRACEPARENT`: version, trace ID, span ID and flags, of which the first means that the trace is
/// recorded. Returns `None` if it is not valid.
fn parse_traceparent(value: &str) -> Option<(Parent, bool)> {
    let mut parts = value.trim().split('-');
    let mut hex = |length: usize| {
        parts.next().filter(|it| it.len() == length && it.bytes().all(|c| c.is_ascii_hexdigit()))
    };
    let (version, trace_id, span_id, flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
    let is_zero = |it: &str| it.bytes().all(|c| c == b'0');
    if version.eq_ignore_ascii_case("ff") || is_zero(trace_id) || is_zero(span_id) {
        return None;
    }
    let is_recorded = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
    Some((Parent { trace_id: trace_id.to_lowercase(), span_id: span_id.to_lowercase() }, is_recorded))
}

/// Parses headers. Line breaks would begin another header, so such a header is dropped.
fn parse_headers(value: &str) -> Vec<(String, String)> {
    let pairs = value.split(',').filter_map(|it| it.split_once('='));
    let trimmed = pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().replace("%20", " ")));
    trimmed
        .filter(|(name, value)| !name.is_empty() && !format!("{name}{value}").contains(['\r', '\n']))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn settings<const N: usize>(variables: &[(&str, &str); N]) -> Result<Option<Settings>, String> {
        Settings::from_environment("a/b/big-cloud", variables)
    }

    #[test]
    fn traces_are_disabled_by_default() {
        assert_eq!(settings(&[]), Ok(None));
        assert_eq!(settings(&[("OTEL_TRACES_EXPORTER", "none")]), Ok(None));
        assert_eq!(settings(&[("OTEL_TRACES_EXPORTER", "otlp"), ("OTEL_SDK_DISABLED", "true")]), Ok(None));
        let not_sampled = PARENT.replace("-01", "-00");
        assert_eq!(settings(&[("OTEL_TRACES_EXPORTER", "otlp"), ("TRACEPARENT", &not_sampled)]), Ok(None));
    }

    #[test]
    fn variables_of_open_telemetry_are_read() {
        let all = settings(&[
            ("OTEL_TRACES_EXPORTER", "otlp"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:9000/base/"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b, x = y,bad"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "250"),
            ("OTEL_SERVICE_NAME", "clouds"),
            ("TRACEPARENT", PARENT),
        ]);
        let parent = Parent {
            trace_id: "0af7651916cd43dd8448eb211c80319c".into(),
            span_id: "b7ad6b7169203331".into(),
        };
        let expected = Settings {
            authority: "collector:9000".into(),
            path: "/base/v1/traces".into(),
            headers: vec![("api-key".into(), "a b".into()), ("x".into(), "y".into())],
            timeout: Duration::from_millis(250),
            service: "clouds".into(),
            parent: Some(parent),
        };
        assert_eq!(all, Ok(Some(expected)));
        let defaults =
            settings(&[("OTEL_TRACES_EXPORTER", "otlp"), ("TRACEPARENT", "invalid")]).unwrap().unwrap();
        assert_eq!((&*defaults.authority, &*defaults.path), ("localhost:4318", "/v1/traces"));
        assert_eq!((&*defaults.service, defaults.parent), ("terraform-provider-big-cloud", None));
    }

    #[test]
    fn unsupported_settings_are_errors() {
        let https = settings(&[
            ("OTEL_TRACES_EXPORTER", "otlp"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector"),
        ]);
        assert!(https.unwrap_err().contains("https://collector/v1/traces"));
        let grpc = settings(&[("OTEL_TRACES_EXPORTER", "otlp"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]);
        assert!(grpc.unwrap_err().contains("grpc"));
    }
}
