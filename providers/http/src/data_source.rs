//! The data source `http`.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform::validators::at_least;
use ferroform::{Args, Attr, DataCx, DataSource, Diagnostic, Model, Result, path};

use crate::client::Request;
use crate::retry::Retry;
use crate::{Http, response};

/// The method of a request.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Method {
    Get,
    Head,
    /// For requests that only read, such as a search.
    Post,
}

/// Sends an HTTP request and returns the response.
///
/// Terraform sends the request whenever it reads the data source, including during plan, so use only requests without side
/// effects. An HTTP status code such as 404 is not an error: check `status_code`. If the last attempt returns 429, or 500 or
/// higher except 501, the data source returns an error.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Response {
    /// The URL of the request. It must begin with `http://` or `https://`.
    pub(crate) url: String,
    /// The method of the request. Defaults to `GET`.
    pub(crate) method: Option<Method>,
    /// The header fields of the request. A `Host` header overrides the host of the URL.
    pub(crate) request_headers: Option<BTreeMap<String, String>>,
    /// The body of the request.
    pub(crate) request_body: Option<String>,
    /// The timeout of each attempt in milliseconds, including redirects and the body of the response. By default, there is no
    /// timeout.
    #[attr(validate = at_least(1))]
    pub(crate) request_timeout_ms: Option<u64>,
    /// Retries a failed request, for example if the server refuses the connection, or if it returns the status code 429, or
    /// 500 or higher except 501. By default, requests are not retried. If a response with the status code 429 or 503 contains
    /// a `Retry-After` header, it determines the delay before the next attempt.
    #[attr(block)]
    pub(crate) retry: Option<Retry>,
    /// The PEM-encoded certificates of the certificate authorities (CAs) to trust, instead of those of the operating system.
    #[attr(conflicts_with(insecure))]
    pub(crate) ca_cert_pem: Option<String>,
    /// The PEM-encoded client certificate, for servers that require mutual TLS. Intermediate certificates can follow it.
    #[attr(requires(client_key_pem))]
    pub(crate) client_cert_pem: Option<String>,
    /// The PEM-encoded private key of `client_cert_pem`.
    #[attr(requires(client_cert_pem))]
    pub(crate) client_key_pem: Option<String>,
    /// Whether to accept any server certificate, without verifying its issuer or its name. Defaults to `false`.
    pub(crate) insecure: Option<bool>,
    /// The URL of the request.
    #[attr(computed)]
    id: String,
    /// The status code of the response, such as 200.
    #[attr(computed)]
    status_code: u16,
    /// The header fields of the response, with names such as `Content-Type`. If a field occurs several times, its values are
    /// joined with a comma and a space.
    #[attr(computed)]
    response_headers: BTreeMap<String, String>,
    /// The body of the response as a string. Each invalid UTF-8 byte is replaced with U+FFFD.
    #[attr(computed)]
    response_body: String,
    /// The same as `response_body`.
    #[attr(computed, deprecated = "Use `response_body` instead.")]
    body: String,
    /// The base64-encoded body of the response.
    #[attr(computed)]
    response_body_base64: String,
}

impl DataSource for Response {
    type Provider = Http;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<ResponseComputed> {
        cx.unless_cancelled(exchange(cx, args)).await?
    }
}

/// Sends the request and reads the response.
async fn exchange(cx: &DataCx<Response>, args: Args<Response>) -> Result<ResponseComputed> {
    let request = Request::new(&args)?;
    let retry = args.retry.map(Retry::try_from).transpose()?.unwrap_or_default();
    let response = retry.run(cx, || request.attempt(cx)).await?;
    let (status_code, response_headers) = (response.status().as_u16(), response::headers(&response));
    let bytes = response.bytes().await;
    let bytes = bytes.map_err(|it| request.diagnostics(it, "Error reading response body"))?;
    if std::str::from_utf8(&bytes).is_err() {
        let warning = Diagnostic::warning("Response body is not recognized as UTF-8");
        let detail = "Invalid UTF-8 bytes in `response_body` were replaced. Use `response_body_base64` for the original bytes.";
        cx.report(warning.detail(detail).at(path!(url)));
    }
    let response_body = response::text(&bytes);
    Ok(ResponseComputed {
        id: args.url,
        status_code,
        response_headers,
        body: response_body.clone(),
        response_body,
        response_body_base64: STANDARD.encode(&bytes),
    })
}
