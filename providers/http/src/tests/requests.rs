//! Requests: URL, method, header fields, body.

use std::collections::BTreeMap;

use ferroform::path;
use ferroform_testing::config;

use super::{errors, read};
use crate::server::{Request, Server, ok};

fn headers<const N: usize>(headers: [(&str, &str); N]) -> BTreeMap<String, String> {
    headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The request of a configuration that a server receives.
macro_rules! received {
    ($($config:tt)*) => {{
        let server = Server::start(|_| ok(""));
        read(config! { url = server.url("/"), $($config)* });
        server.request()
    }};
}

/// The header fields, without those that contain the port or the version.
fn other_headers(request: &Request) -> Vec<&str> {
    let is_other = |it: &&str| !it.starts_with("Host: ") && !it.starts_with("User-Agent: ");
    request.headers.iter().map(String::as_str).filter(is_other).collect()
}

#[test]
fn request_without_arguments_is_get_without_body() {
    let request = received! {};
    assert_eq!((&*request.method, &*request.target, &*request.body), ("GET", "/", ""));
    assert_eq!(other_headers(&request), ["Accept: */*", "Accept-Encoding: gzip"]);
    let agent = request.header("User-Agent").unwrap();
    assert_eq!(agent, concat!("terraform-provider-http/", env!("CARGO_PKG_VERSION")));
}

#[test]
fn request_headers_are_sent_with_capitalized_names() {
    let request = received! {
        request_headers = headers([("authorization", "Zm9v"), ("X-API-key", "ü"), ("ACCEPT", "a/b"), ("user-agent", "me")]),
    };
    assert_eq!(request.header("Authorization"), Some("Zm9v"));
    assert_eq!(request.header("X-Api-Key"), Some("ü"));
    assert_eq!((request.header("Accept"), request.header("User-Agent")), (Some("a/b"), Some("me")));
    assert_eq!(request.headers.iter().filter(|it| it.starts_with("User-Agent")).count(), 1);
}

#[test]
fn host_header_overrides_host_of_url() {
    let request = received! { request_headers = headers([("host", "www.example.com")]) };
    let hosts: Vec<_> = request.headers.iter().filter(|it| it.starts_with("Host")).collect();
    assert_eq!(hosts, ["Host: www.example.com"]);
}

#[test]
fn transfer_encoding_headers_are_ignored() {
    let request = received! {
        request_body = "four",
        request_headers = headers([("Content-Length", "9"), ("Transfer-Encoding", "chunked"), ("Trailer", "a")]),
    };
    assert_eq!(request.body, "four");
    assert_eq!(other_headers(&request), ["Accept: */*", "Accept-Encoding: gzip", "Content-Length: 4"]);
}

#[test]
fn body_is_sent_with_each_method() {
    for method in [None, Some("GET"), Some("POST"), Some("HEAD")] {
        let request = received! { method = method, request_body = "body" };
        assert_eq!((&*request.method, &*request.body), (method.unwrap_or("GET"), "body"));
        assert_eq!(request.header("Content-Type"), None);
    }
    // An empty body is none.
    assert_eq!(received! { request_body = "" }.header("Content-Length"), None);
    assert_eq!(received! { method = "POST", request_body = "" }.header("Content-Length"), Some("0"));
    assert_eq!(received! { method = "POST" }.header("Content-Length"), Some("0"));
}

#[test]
fn url_credentials_are_sent_and_redacted() {
    let server = Server::start(|it| match &*it.target {
        "/" => ok(""),
        _ => crate::server::response("503 Busy", &[], ""),
    });
    let url = |path: &str| server.url(path).replace("://", "://user:pass%40word@");
    read(config! { url = url("/") });
    assert_eq!(server.request().header("Authorization"), Some("Basic dXNlcjpwYXNzQHdvcmQ="));
    read(config! { url = url("/"), request_headers = headers([("Authorization", "Bearer token")]) });
    assert_eq!(server.requests()[1].header("Authorization"), Some("Bearer token"));

    let unreachable = "http://user:pass%40word@localhost:1/";
    for url in [url("/busy"), unreachable.to_owned()] {
        let error = errors(config! { url = url }).to_string();
        assert!(!error.contains("pass"), "{error}");
    }
}

#[test]
fn target_of_request_is_that_of_url() {
    let server = Server::start(|_| ok(""));
    for (path, target) in [
        ("", "/"),
        ("/a%2Fb/%C3%BC?q=a+b%20c&q#fragment", "/a%2Fb/%C3%BC?q=a+b%20c&q"),
        ("/ü b", "/%C3%BC%20b"),
        ("/a/../b/./c", "/b/c"),
        ("/a\\b?c\\d", "/a%5Cb?c\\d"),
    ] {
        let read = read(config! { url = server.url(path) });
        assert_eq!(read.get::<String>(path!(id)), server.url(path), "the ID is the URL as configured");
        assert_eq!(server.requests().last().unwrap().target, target);
    }
}

#[test]
fn invalid_url_is_an_error() {
    for (url, expected) in [
        ("http://local host/", "url: Error creating request: "),
        ("http://localhost:port/", "url: Error creating request: "),
        ("example.com/without-scheme", "url: Error creating request: "),
        (
            " http://localhost/",
            "url: Error creating request: The URL is not valid: it does not begin with a scheme and a host.",
        ),
        (
            "http:localhost/",
            "url: Error creating request: The URL is not valid: it does not begin with a scheme and a host.",
        ),
        (
            "http:/localhost/",
            "url: Error creating request: The URL is not valid: it does not begin with a scheme and a host.",
        ),
        (
            "http:///localhost/",
            "url: Error creating request: The URL is not valid: it does not begin with a scheme and a host.",
        ),
        ("http://", "url: Error creating request: "),
        ("http://a\\b/", "url: Error creating request: "),
        ("http://127.0.0.1:99999/", "url: Error creating request: "),
        (
            "http://localhost/a\n",
            "url: Error creating request: The URL is not valid: it contains a control character.",
        ),
        ("ftp://localhost/", "url: Error making request: "),
    ] {
        let error = errors(config! { url = url, retry { attempts = 3 } }).to_string();
        assert!(error.starts_with(expected) && !error.contains("attempts"), "{error}");
    }
}

#[test]
fn null_header_is_rejected() {
    let headers = BTreeMap::from([("X-A".to_owned(), None::<String>)]);
    let error = errors(config! { url = "http://localhost:1/", request_headers = headers }).to_string();
    assert!(error.starts_with("request_headers[\"X-A\"]: "), "{error}");
}

#[test]
fn invalid_header_is_an_error_at_its_name() {
    for (name, value) in [("a b", "c"), ("", "c"), ("X-A", "line\nbreak")] {
        let error =
            errors(config! { url = "http://localhost:1/", request_headers = headers([(name, value)]) });
        let expected = format!("request_headers[{name:?}]: Error making request: ");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}
