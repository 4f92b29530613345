//! Responses: status code, header fields, body.

use std::io::Write as _;

use ferroform::path;
use ferroform_testing::config;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Headers, errors, get, read};
use crate::server::{Server, ok, response};

#[test]
fn response_has_all_attributes() {
    let server = Server::start(|_| response("200 OK", &["Content-Type: text/plain; charset=UTF-8"], "1.0.0"));
    let url = server.url("/version?full=1");
    let read = read(config! { url = &*url });
    assert_eq!(read.get::<String>(path!(id)), url);
    assert_eq!(read.get::<String>(path!(url)), url);
    assert_eq!(read.get::<i64>(path!(status_code)), 200);
    assert_eq!(read.get::<String>(path!(response_body)), "1.0.0");
    assert_eq!(read.get::<String>(path!(body)), "1.0.0");
    assert_eq!(read.get::<String>(path!(response_body_base64)), "MS4wLjA=");
    let headers = [("Content-Length", "5"), ("Content-Type", "text/plain; charset=UTF-8")];
    assert_eq!(
        read.get::<Headers>(path!(response_headers)),
        headers.map(|(a, b)| (a.into(), b.into())).into()
    );
    // Arguments that the configuration omits stay null.
    for attribute in [path!(method), path!(request_body), path!(ca_cert_pem)] {
        assert_eq!(read.get::<Option<String>>(attribute), None);
    }
    assert_eq!(read.get::<Option<bool>>(path!(insecure)), None);
    assert_eq!(read.get::<Option<u64>>(path!(request_timeout_ms)), None);
    assert_eq!(server.request().target, "/version?full=1");
}

#[test]
fn duplicate_headers_are_joined_and_names_are_capitalized() {
    let headers =
        ["x-double: 1", "X-Single: foobar", "X-DOUBLE: 2", "ETag: a", "www-authenticate: Basic", "X-Empty:"];
    let server = Server::start(move |_| response("200 OK", &headers, ""));
    let headers: Headers = get(&server, path!(response_headers));
    let expected = [
        ("Content-Length", "0"),
        ("Etag", "a"),
        ("Www-Authenticate", "Basic"),
        ("X-Double", "1, 2"),
        ("X-Empty", ""),
        ("X-Single", "foobar"),
    ];
    assert_eq!(headers, expected.map(|(a, b)| (a.into(), b.into())).into());
}

#[test]
fn transfer_encoding_headers_are_omitted() {
    let server = Server::start(|_| {
        let head =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nPragma: no-cache\r\n\r\n";
        format!("{head}3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n").into_bytes()
    });
    let read = read(config! { url = server.url("/") });
    assert_eq!(read.get::<String>(path!(response_body)), "abcde");
    let headers = [("Cache-Control", "no-cache"), ("Pragma", "no-cache")];
    assert_eq!(
        read.get::<Headers>(path!(response_headers)),
        headers.map(|(a, b)| (a.into(), b.into())).into()
    );
    let server = Server::start(|_| response("200 OK", &["Pragma: no-cache", "Cache-Control: private"], ""));
    assert_eq!(get::<Headers>(&server, path!(response_headers))["Cache-Control"], "private");
}

#[test]
fn invalid_utf_8_in_headers_becomes_replacement_characters() {
    let server =
        Server::start(|_| b"HTTP/1.1 200 OK\r\nX-Latin: caf\xe9\r\nContent-Length: 0\r\n\r\n".into());
    assert_eq!(get::<Headers>(&server, path!(response_headers))["X-Latin"], "caf\u{fffd}");
}

#[test]
fn status_codes_below_500_and_501_are_not_errors() {
    for status in [201, 204, 304, 400, 404, 418, 501] {
        let server = Server::start(move |_| match status {
            204 | 304 => format!("HTTP/1.1 {status} Status\r\n\r\n").into(),
            _ => response(&format!("{status} Status"), &[], "page"),
        });
        let read = read(config! { url = server.url("/"), method = "POST" });
        assert_eq!(read.get::<i64>(path!(status_code)), status);
        let body = if matches!(status, 204 | 304) { "" } else { "page" };
        assert_eq!(read.get::<String>(path!(response_body)), body, "{status}");
    }
}

#[test]
fn head_response_has_headers_and_no_body() {
    let server = Server::start(|_| {
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Encoding: gzip\r\n\r\n".into()
    });
    let read = read(config! { url = server.url("/"), method = "HEAD" });
    let headers: Headers = read.get(path!(response_headers));
    assert_eq!((&*headers["Content-Length"], &*headers["Content-Encoding"]), ("1000", "gzip"));
    assert_eq!(read.get::<String>(path!(response_body)), "");
    assert_eq!(server.request().header("Accept-Encoding"), None);
}

#[test]
fn text_in_another_charset_is_not_converted() {
    let utf_16 = [0xff, 0xfe, b'a', 0, b'b', 0];
    let server =
        Server::start(move |_| response("200 OK", &["Content-Type: text/plain; charset=utf-16"], utf_16));
    let read = read(config! { url = server.url("/") });
    assert_eq!(read.get::<String>(path!(response_body)), "\u{fffd}\u{fffd}a\0b\0");
    assert_eq!(read.get::<String>(path!(response_body_base64)), "//5hAGIA");
    // A declared charset has no effect on UTF-8.
    let server =
        Server::start(|_| response("200 OK", &["Content-Type: text/plain; charset=latin1"], "你好世界"));
    assert_eq!(get::<String>(&server, path!(response_body)), "你好世界");
    assert_eq!(get::<String>(&server, path!(response_body_base64)), "5L2g5aW95LiW55WM");
}

#[test]
fn body_that_is_not_utf_8_is_a_warning() {
    let server = Server::start(|it| match &*it.target {
        "/binary" => response("200 OK", &["Content-Type: text/plain"], b"GIF\x80\x81"),
        _ => response("200 OK", &["Content-Type: image/gif"], "text"),
    });
    let warnings = |path: &str| {
        let found = read(config! { url = server.url(path) });
        found.warnings().iter().map(|it| it.summary.clone()).collect::<Vec<_>>()
    };
    assert_eq!(warnings("/binary"), ["Response body is not recognized as UTF-8"]);
    // The type of the content has no effect.
    assert_eq!(warnings("/text"), [""; 0]);
}

#[test]
fn large_body_is_read_completely() {
    let body = "0123456789abcdef".repeat(1 << 19);
    let sent = body.clone();
    let server = Server::start(move |_| ok(&sent));
    assert_eq!(get::<String>(&server, path!(response_body)), body);
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn compressed_body_is_decoded_unless_the_configuration_accepts_encodings() {
    let server = Server::start(|_| response("200 OK", &["Content-Encoding: gzip"], gzip("unpacked")));
    let decoded = read(config! { url = server.url("/") });
    assert_eq!(decoded.get::<String>(path!(response_body)), "unpacked");
    assert_eq!(decoded.get::<Headers>(path!(response_headers)), Headers::new());
    assert_eq!(server.request().header("Accept-Encoding"), Some("gzip"));

    for header in ["Accept-Encoding", "Range"] {
        let headers = Headers::from([(header.into(), "gzip".into())]);
        let raw = read(config! { url = server.url("/"), request_headers = headers });
        assert_eq!(raw.get::<Headers>(path!(response_headers))["Content-Encoding"], "gzip");
        assert_ne!(raw.get::<String>(path!(response_body)), "unpacked");
    }
}

#[test]
fn incomplete_body_is_an_error() {
    let server = Server::start(|it| match it.index {
        0 => {
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nno length"
                .into()
        }
        _ => Vec::new(),
    });
    let error = errors(config! { url = server.url("/"), retry { attempts = 1 } }).to_string();
    assert!(error.starts_with("url: Error reading response body: "), "{error}");
    assert_eq!(server.requests().len(), 1, "the body is not a part of the attempt");
}

#[test]
fn header_can_have_many_fields_and_folded_values() {
    let server = Server::start(|_| {
        let fields: String = (0..1000).map(|it| format!("X-{it}: {it}\r\n")).collect();
        format!("HTTP/1.1 200 OK\r\n{fields}X-Folded: a\r\n b\r\nContent-Length: 0\r\n\r\n").into_bytes()
    });
    let headers: Headers = get(&server, path!(response_headers));
    assert_eq!((&*headers["X-999"], &*headers["X-Folded"]), ("999", "a b"));
}
