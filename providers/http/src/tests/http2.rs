//! HTTP/2.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use ferroform::path;
use ferroform_testing::config;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::runtime;
use tokio_rustls::TlsAcceptor;

use super::{Headers, read};
use crate::server::certificates::{self_signed, server};

/// Starts a server that supports both versions, and responds with the version, the URL and the `Host` of the request.
fn start() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("https://localhost:{}/path", listener.local_addr().unwrap().port());
    let mut config = server(&self_signed("localhost", true), None);
    config.alpn_protocols = vec![b"h2".into(), b"http/1.1".into()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let stream = acceptor.accept(stream).await.unwrap();
                let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let (stream, service) = (TokioIo::new(stream), service_fn(respond));
                // The result is an error if the client closes the connection.
                if is_http2 {
                    let connection =
                        http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service);
                    tokio::spawn(async { connection.await.ok() });
                } else {
                    let connection = http1::Builder::new().serve_connection(stream, service);
                    tokio::spawn(async { connection.await.ok() });
                }
            }
        });
    });
    url
}

async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let text = format!("{:?} {} {:?}", request.version(), request.uri(), request.headers().get("host"));
    let response =
        Response::builder().header("X-Test", "a").header("x-test", "b").header("pragma", "no-cache");
    Ok(response.body(Full::new(Bytes::from(text))).unwrap())
}

#[test]
fn http2_is_used_if_the_server_supports_it() {
    let url = start();
    let read = read(config! { url = &*url, insecure = true });
    assert_eq!(read.get::<String>(path!(response_body)), format!("HTTP/2.0 {url} None"));
    let headers: Headers = read.get(path!(response_headers));
    assert_eq!(headers["X-Test"], "a, b");
    assert!(!headers.contains_key("Cache-Control"), "{headers:?}");
}

#[test]
fn host_header_requires_http1() {
    let headers = Headers::from([("Host".into(), "www.example.com".into())]);
    let read = read(config! { url = start(), insecure = true, request_headers = headers });
    assert_eq!(read.get::<String>(path!(response_body)), "HTTP/1.1 /path Some(\"www.example.com\")");
}
