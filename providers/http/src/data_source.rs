//! The data source `http`.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform::validators::at_least;
use ferroform::{Args, Attr, Context, DataCx, DataSource, Diagnostic, Model, Result, path};

use crate::client::Request;
use crate::retry::Retry;
use crate::{Http, response, retry};

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
/// The request is sent whenever Terraform reads the data source, also during a plan, so it should not change anything. A
/// status of the server, such as 404, is not an error: check `status_code`. The exceptions are 429 and all statuses from
/// 500 on except 501, which are errors after the last attempt.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Response {
    /// The URL, which begins with `http://` or `https://`.
    pub(crate) url: String,
    /// The method of the request. The default is `GET`.
    pub(crate) method: Option<Method>,
    /// The header fields of the request. `Host` replaces the host of the URL in the request.
    pub(crate) request_headers: Option<BTreeMap<String, String>>,
    /// The body of the request.
    pub(crate) request_body: Option<String>,
    /// The time limit in milliseconds for each attempt, including redirects and the body of the response. By default, there
    /// is none.
    #[attr(validate = at_least(1))]
    pub(crate) request_timeout_ms: Option<u64>,
    /// Repeats a request that has failed, for example because the server refuses the connection, or that has the status
    /// 429, or one from 500 on except 501. By default, there is one attempt. If a response with the status 429 or 503
    /// contains `Retry-After`, that is the delay before the next attempt.
    #[attr(block)]
    pub(crate) retry: Option<Retry>,
    /// The certificates of the authorities that the request trusts, in PEM. They replace those of the operating system.
    #[attr(conflicts_with(insecure))]
    pub(crate) ca_cert_pem: Option<String>,
    /// The certificate of the client in PEM, for servers that require one. The certificates of its issuers can follow.
    #[attr(requires(client_key_pem))]
    pub(crate) client_cert_pem: Option<String>,
    /// The private key of `client_cert_pem` in PEM.
    #[attr(requires(client_cert_pem))]
    pub(crate) client_key_pem: Option<String>,
    /// Accepts every certificate of the server, without verifying its issuer or its name. Defaults to `false`.
    pub(crate) insecure: Option<bool>,
    /// The URL of the request.
    #[attr(computed)]
    id: String,
    /// The status of the response, such as 200.
    #[attr(computed)]
    status_code: u16,
    /// The header fields of the response, with names such as `Content-Type`. The values of a field that occurs several
    /// times are joined with a comma and a space.
    #[attr(computed)]
    response_headers: BTreeMap<String, String>,
    /// The body of the response as a string. Each byte that is not part of UTF-8 text becomes U+FFFD.
    #[attr(computed)]
    response_body: String,
    /// The same as `response_body`.
    #[attr(computed, deprecated = "Use `response_body` instead.")]
    body: String,
    /// The body of the response in base64.
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
    let response = retry::run(cx, args.retry, || request.attempt(cx)).await?;
    let (status_code, response_headers) = (response.status().as_u16(), response::headers(&response));
    let bytes = response.bytes().await.context("Error reading response body").at(path!(url))?;
    if std::str::from_utf8(&bytes).is_err() {
        let warning = Diagnostic::warning("Response body is not recognized as UTF-8");
        let detail = "`response_body` differs from the body. `response_body_base64` contains it unchanged.";
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
