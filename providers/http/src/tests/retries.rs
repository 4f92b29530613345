//! Retries and timeouts.

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use expect_test::expect;
use ferroform::path;
use ferroform_testing::{Harness, config};

use super::{errors, read};
use crate::Http;
use crate::server::{Server, ok, response};

/// A server that responds with an error to its first requests.
fn failing(times: usize, status: &'static str, headers: &'static [&'static str]) -> Server {
    Server::start(move |it| if it.index < times { response(status, headers, "") } else { ok("done") })
}

#[test]
fn request_is_retried_until_it_succeeds() {
    for status in ["500 Error", "502 Bad Gateway", "503 Busy", "599 Unknown", "429 Too Many"] {
        let server = failing(2, status, &[]);
        let read = read(
            config! { url = server.url("/"), method = "POST", request_body = "a", retry { attempts = 2 } },
        );
        assert_eq!(read.get::<String>(path!(response_body)), "done");
        let requests: Vec<_> = server.requests().into_iter().map(|it| (it.method, it.body)).collect();
        assert_eq!(requests, vec![("POST".into(), "a".into()); 3], "{status}");
    }
}

#[test]
fn connection_errors_are_retried() {
    let server = Server::start(|it| if it.index < 2 { Vec::new() } else { ok("done") });
    let read = read(config! { url = server.url("/"), retry { attempts = 2 } });
    assert_eq!(read.get::<String>(path!(response_body)), "done");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn last_attempt_determines_the_error() {
    let server = failing(9, "503 Service Unavailable", &[]);
    let error = |attempts: Option<u64>| {
        errors(config! { url = server.url("/"), retry { attempts = attempts, min_delay_ms = 10 } })
            .to_string()
    };
    let note = |it: String| it.split(" within ").next().unwrap_or_default().to_owned();
    expect!["url: Error making request: The server returned the status code 503 Service Unavailable."]
        .assert_eq(&note(error(None)));
    assert_eq!(server.requests().len(), 1);
    expect!["url: Error making request: The server returned the status code 503 Service Unavailable. 3 attempts to send the request failed"].assert_eq(&note(error(Some(2))));
    assert_eq!(server.requests().len(), 4);
}

/// The time that the clock of the test kit advances by, in milliseconds.
fn pauses(server: &Server, min_delay_ms: Option<u64>, max_delay_ms: Option<u64>, attempts: u64) -> u128 {
    let harness = Harness::start::<Http>(config! {});
    let start = harness.clock().system_time();
    let retry = config! {
        url = server.url("/"),
        retry { attempts = attempts, min_delay_ms = min_delay_ms, max_delay_ms = max_delay_ms },
    };
    harness.data_source("http").read(retry);
    harness.clock().system_time().duration_since(start).unwrap().as_millis()
}

#[test]
fn delays_double_up_to_the_maximum() {
    let total = |min, max| pauses(&failing(7, "500 Error", &[]), min, max, 7);
    assert_eq!(total(None, None), 1_000 + 2_000 + 4_000 + 8_000 + 16_000 + 30_000 + 30_000);
    assert_eq!(total(Some(2_000), Some(5_000)), 2_000 + 4_000 + 5 * 5_000);
    assert_eq!(total(None, Some(500)), 7 * 500);
    assert_eq!(total(Some(60_000), None), 7 * 30_000);
    // Each delay has at least a millisecond.
    assert_eq!(total(Some(0), None), 7);
}

#[test]
fn retry_after_header_determines_the_delay() {
    for status in ["429 Too Many", "503 Busy"] {
        // Also more than the maximum.
        assert_eq!(pauses(&failing(1, status, &["Retry-After: 120"]), None, Some(5_000), 1), 120_000);
        // The clock of the tests starts in 2025.
        assert_eq!(
            pauses(&failing(1, status, &["Retry-After: Wed, 01 Jan 2020 00:00:00 GMT"]), None, None, 1),
            0,
        );
        assert_eq!(pauses(&failing(1, status, &["Retry-After: -1"]), None, None, 1), 1_000);
        assert_eq!(pauses(&failing(1, status, &["Retry-After: soon"]), None, None, 1), 1_000);
    }
    assert_eq!(pauses(&failing(1, "502 Bad Gateway", &["Retry-After: 120"]), None, None, 1), 1_000);
    assert_eq!(
        pauses(&failing(1, "503 Busy", &["Retry-After: Wed, 01 Jan 2025 00:01:00 GMT"]), None, None, 1),
        60_000,
    );
}

#[test]
fn large_delays_and_attempts_are_accepted() {
    for headers in [
        &["Retry-After: 18446744073709551615"],
        &["Retry-After: 4294967295"],
        &["Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"],
    ] {
        let server = failing(1, "429 Too Many", headers);
        assert!(pauses(&server, None, None, u64::MAX) >= 1_000, "{headers:?}");
    }
    assert!(pauses(&failing(1, "500 Error", &[]), Some(u64::MAX), Some(u64::MAX), 1) > 1_000);
    let server = failing(0, "", &[]);
    read(config! { url = server.url("/"), request_timeout_ms = u64::MAX });
}

/// A server that waits before it responds to its first requests.
fn slow(times: usize) -> Server {
    Server::start(move |it| {
        if it.index < times {
            thread::sleep(Duration::from_secs(5));
        }
        ok("done")
    })
}

#[test]
fn timeout_error_contains_the_timeout() {
    let server = slow(1);
    let start = Instant::now();
    let error = errors(config! { url = server.url("/"), request_timeout_ms = 50 }).to_string();
    assert!(start.elapsed() < Duration::from_secs(4));
    let error = error.split(" within ").next().unwrap_or_default();
    expect!["request_timeout_ms: Error making request: The request exceeded the timeout of 50ms. Increase `request_timeout_ms`."]
        .assert_eq(error);
}

#[test]
fn timeout_applies_to_each_attempt() {
    let server = slow(2);
    let config = config! { url = server.url("/"), request_timeout_ms = 1500, retry { attempts = 2 } };
    assert_eq!(read(config).get::<String>(path!(response_body)), "done");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn timeout_includes_redirects_and_the_body() {
    let server = Server::start(|it| {
        thread::sleep(Duration::from_millis(120));
        crate::server::redirect(302, &format!("/{}", it.index))
    });
    let error = errors(config! { url = server.url("/"), request_timeout_ms = 300 }).to_string();
    assert!(error.starts_with("request_timeout_ms: Error making request: "), "{error}");
    // The body never arrives.
    let server = Server::start(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".into());
    let error = errors(config! { url = server.url("/"), request_timeout_ms = 300 }).to_string();
    expect!["request_timeout_ms: Error reading response body: The request exceeded the timeout of 300ms. Increase `request_timeout_ms`."].assert_eq(&error);
}

#[test]
fn server_without_tls_handshake_is_a_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    let start = Instant::now();
    let error = errors(config! { url = &*url }).to_string();
    expect!["url: Error making request: Error sending request for url (URL): client error (Connect): operation timed out."].assert_eq(&error.replace(&url, "URL"));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn canceled_request_stops_immediately() {
    let server = slow(1);
    let harness = Harness::start::<Http>(config! {});
    let (stopping, arrived) = (harness.clone(), server.clone());
    let stop = thread::spawn(move || {
        while arrived.requests().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        stopping.stop();
    });
    let start = Instant::now();
    let error = harness.data_source("http").try_read(config! { url = server.url("/") }).error().to_string();
    stop.join().unwrap();
    assert!(error.contains("Operation Canceled"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(4));
}
