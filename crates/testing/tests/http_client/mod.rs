//! A minimal HTTP client for providers of tests.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use ferroform::{Context as _, Diagnostics, Result};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::HeaderMap;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    /// Null if the body is empty.
    pub body: Value,
}

/// Sends a request with a connection of its own.
pub async fn send(method: &str, url: &str, body: &Value) -> Result<Response> {
    send_with(method, url, body, &[]).await
}

/// Like [`send`], with headers.
pub async fn send_with(method: &str, url: &str, body: &Value, headers: &[(&str, &str)]) -> Result<Response> {
    let address = url.strip_prefix("http://").context("Invalid URL")?;
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let stream = TcpStream::connect(host).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(error)?;
    let mut request = hyper::Request::builder().method(method).uri(format!("/{path}")).header("host", host);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = request.body(Full::new(Bytes::from(body))).context("Invalid Request")?;
    let exchange = async {
        let response = sender.send_request(request).await.map_err(error)?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(error)?.to_bytes();
        let body = if body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&body).context("Invalid Body")?
        };
        Ok(Response { status: head.status.as_u16(), headers: head.headers, body })
    };
    // The connection does its work while the exchange waits for it.
    tokio::pin!(exchange, connection);
    tokio::select! {
        response = &mut exchange => response,
        ended = &mut connection => match ended {
            Ok(()) => exchange.await,
            Err(ended) => Err(error(ended)),
        },
    }
}

fn error(error: hyper::Error) -> Diagnostics {
    ferroform::Diagnostic::error("Cannot Send Request").detail(error.to_string()).into()
}
