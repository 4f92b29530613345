//! Redirects.

use std::collections::BTreeMap;

use ferroform::path;
use ferroform_testing::config;

use super::{errors, read};
use crate::server::{Server, ok, redirect, response};

/// The method, the target and the body of each request.
fn seen(server: &Server) -> Vec<String> {
    server
        .requests()
        .iter()
        .map(|it| format!("{} {} {}", it.method, it.target, it.body).trim_end().into())
        .collect()
}

fn headers<const N: usize>(headers: [(&str, &str); N]) -> BTreeMap<String, String> {
    headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

#[test]
fn redirects_are_followed_to_the_last_response() {
    let server = Server::start(|it| match &*it.target {
        "/a/1" => redirect(301, "2?b=c"),
        "/a/2?b=c" => redirect(308, "/d"),
        _ => ok("last"),
    });
    let read = read(config! { url = server.url("/a/1"), retry { attempts = 0 } });
    assert_eq!(read.get::<String>(path!(id)), server.url("/a/1"));
    assert_eq!(read.get::<String>(path!(response_body)), "last");
    assert_eq!(seen(&server), ["GET /a/1", "GET /a/2?b=c", "GET /d"]);
}

#[test]
fn method_and_body_depend_on_the_status_code() {
    for (status, method, expected) in [
        (301, "POST", "GET /b"),
        (302, "POST", "GET /b"),
        (303, "POST", "GET /b"),
        (307, "POST", "POST /b body"),
        (308, "POST", "POST /b body"),
        (302, "GET", "GET /b"),
        (307, "GET", "GET /b body"),
        (303, "HEAD", "HEAD /b"),
        (308, "HEAD", "HEAD /b body"),
    ] {
        let server = Server::start(move |it| if it.index == 0 { redirect(status, "/b") } else { ok("") });
        let headers = headers([("Content-Type", "text/plain"), ("X-A", "a")]);
        read(
            config! { url = server.url("/a"), method = method, request_body = "body", request_headers = headers },
        );
        assert_eq!(seen(&server)[1], expected, "{status} {method}");
        let second = &server.requests()[1];
        assert_eq!(second.header("Content-Type").is_some(), status > 303, "{status} {method}");
        assert_eq!(second.header("X-A"), Some("a"));
    }
}

#[test]
fn response_without_location_is_the_result() {
    for headers in [&[][..], &["Location:"]] {
        let server = Server::start(move |_| response("302 Found", headers, "page"));
        let read = read(config! { url = server.url("/") });
        assert_eq!(read.get::<i64>(path!(status_code)), 302);
        assert_eq!(read.get::<String>(path!(response_body)), "page");
    }
    // Other status codes are not redirects.
    let server = Server::start(|_| redirect(300, "/other"));
    assert_eq!(read(config! { url = server.url("/") }).get::<i64>(path!(status_code)), 300);
}

#[test]
fn too_many_redirects_are_an_error_and_not_retried() {
    let server = Server::start(|it| if it.index < 9 { redirect(302, "/next") } else { ok("last") });
    assert_eq!(read(config! { url = server.url("/") }).get::<String>(path!(response_body)), "last");
    let server = Server::start(|_| redirect(302, "/next"));
    let error = errors(config! { url = server.url("/"), retry { attempts = 3 } }).to_string();
    assert_eq!(
        error,
        "url: Error making request: Stopped after 10 redirects. Check whether the server redirects in a loop."
    );
    assert_eq!(server.requests().len(), 10);
}

#[test]
fn invalid_location_is_an_error_and_not_retried() {
    for (location, expected) in [
        ("http://[", "The `Location` header \"http://[\" is not a valid URL"),
        ("ftp://localhost/", "scheme"),
    ] {
        let server = Server::start(move |_| redirect(302, location));
        let error = errors(config! { url = server.url("/"), retry { attempts = 3 } }).to_string();
        assert!(error.starts_with("url: Error making request: ") && error.contains(expected), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn redirect_to_failing_server_is_retried_from_the_first_request() {
    let server = Server::start(|it| match it.index {
        0 | 2 => redirect(302, "/b"),
        1 => response("503 Busy", &[], ""),
        _ => ok("done"),
    });
    let read = read(config! { url = server.url("/a"), retry { attempts = 1 } });
    assert_eq!(read.get::<String>(path!(response_body)), "done");
    assert_eq!(seen(&server), ["GET /a", "GET /b", "GET /a", "GET /b"]);
}

#[test]
fn credentials_are_sent_only_to_the_same_host_and_its_subdomains() {
    let secrets = || headers([("Authorization", "secret"), ("Cookie", "a=b"), ("X-Other", "c")]);
    // The same host with another port, as if HTTP redirects to HTTPS.
    let target = Server::start(|_| ok(""));
    let location = target.url("/");
    let server = Server::start(move |_| redirect(302, &location));
    read(config! { url = server.url("/"), request_headers = secrets() });
    let request = target.request();
    assert_eq!((request.header("Authorization"), request.header("Cookie")), (Some("secret"), Some("a=b")));

    // Another host, which redirects to the first one again.
    let target = Server::start(|_| ok(""));
    let back = target.url("/");
    let other = Server::start(move |_| redirect(302, &back));
    let location = other.url("/").replace("localhost", "127.0.0.1");
    let server = Server::start(move |_| redirect(302, &location));
    read(config! { url = server.url("/"), request_headers = secrets() });
    for request in [other.request(), target.request()] {
        assert_eq!((request.header("Authorization"), request.header("Cookie")), (None, None));
        assert_eq!(request.header("X-Other"), Some("c"));
    }
}

#[test]
fn credentials_apply_to_host_and_subdomains_only() {
    for (url, origin, expected) in [
        ("https://example.com/", "http://example.com:8080/", true),
        ("http://www.example.com/", "http://example.com/", true),
        ("http://example.com/", "http://www.example.com/", false),
        ("http://myexample.com/", "http://example.com/", false),
        ("http://example.org/", "http://example.com/", false),
        ("http://10.0.0.1/", "http://10.0.0.1/", true),
        ("http://[::1]/", "http://[::1]/", true),
        ("http://10.0.0.1/", "http://0.0.0.1/", false),
    ] {
        let is_within = crate::redirect::is_within(&url.parse().unwrap(), &origin.parse().unwrap());
        assert_eq!(is_within, expected, "{url} and {origin}");
    }
}

#[test]
fn host_header_applies_to_relative_locations() {
    let target = Server::start(|_| ok(""));
    let location = target.url("/absolute");
    let server = Server::start(move |it| match &*it.target {
        "/" => redirect(302, "/relative"),
        _ => redirect(302, &location),
    });
    read(config! { url = server.url("/"), request_headers = headers([("Host", "www.example.com")]) });
    let hosts: Vec<_> = server.requests().iter().map(|it| it.header("Host").unwrap().to_owned()).collect();
    assert_eq!(hosts, ["www.example.com", "www.example.com"]);
    assert_eq!(target.request().header("Host").unwrap(), format!("localhost:{}", target.address.port()));
}

#[test]
fn referer_is_the_previous_url_without_credentials() {
    let server = Server::start(|it| if it.index == 0 { redirect(302, "/b") } else { ok("") });
    let url = server.url("/a?b=c#d").replace("://", "://user:secret@");
    read(config! { url = url });
    let request = &server.requests()[1];
    assert_eq!(request.header("Referer"), Some(&*server.url("/a?b=c")));
    // The location is relative, so the credentials are those of the first URL.
    assert_eq!(request.header("Authorization"), Some("Basic dXNlcjpzZWNyZXQ="));

    let server = Server::start(|it| if it.index == 0 { redirect(302, "/b") } else { ok("") });
    read(
        config! { url = server.url("/a"), request_headers = headers([("Referer", "https://example.com/")]) },
    );
    assert_eq!(server.requests()[1].header("Referer"), Some("https://example.com/"));
}
