//! The request of a configuration, and the client that sends it.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferroform::wait::RetryError;
use ferroform::{Args, Context, Diagnostic, Diagnostics, RequestCx, Result, path};
use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue, RANGE, TRAILER,
    TRANSFER_ENCODING, USER_AGENT,
};
use reqwest::{Client, Method, Proxy, Url, redirect};

use crate::data_source::{self, Response};
use crate::proxy::Proxies;
use crate::redirect::{Hop, MAX_REQUESTS};
use crate::{retry, tls};

/// The timeout for establishing a connection, including the TLS handshake. It is the timeout of the handshake in Go.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of header fields in a response. Go has no limit.
const MAX_HEADERS: usize = 10_000;

/// The maximum size of the header of a response with HTTP/2, as in Go.
const MAX_HEADER_SIZE: u32 = 10 << 20;

/// Servers such as `api.github.com` reject requests without a user agent.
const DEFAULT_USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")));

/// The summary of errors, as in the original.
pub(crate) const REQUEST_ERROR: &str = "Error making request";

/// A request that can be sent several times.
pub(crate) struct Request {
    client: Client,
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Option<String>,
    timeout: Option<Duration>,
    proxies: Arc<Proxies>,
}

impl Request {
    pub(crate) fn new(args: &Args<Response>) -> Result<Request> {
        let url = parse_url(&args.url).map_err(|reason| {
            let detail =
                format!("The URL is not valid: {reason}. It must have the form https://example.com/path.");
            Diagnostic::error("Error creating request").detail(detail).at(path!(url))
        })?;
        let method = match args.method {
            None | Some(data_source::Method::Get) => Method::GET,
            Some(data_source::Method::Head) => Method::HEAD,
            Some(data_source::Method::Post) => Method::POST,
        };
        let mut headers = HeaderMap::from_iter([(USER_AGENT, DEFAULT_USER_AGENT)]);
        for (name, value) in args.request_headers.iter().flatten() {
            let header_path = path!(request_headers[name.as_str()]);
            let name =
                HeaderName::from_bytes(name.as_bytes()).context(REQUEST_ERROR).at(header_path.clone())?;
            headers.insert(
                name,
                HeaderValue::from_bytes(value.as_bytes()).context(REQUEST_ERROR).at(header_path)?,
            );
        }
        // The client determines the length and the encoding of the body.
        for name in [CONTENT_LENGTH, TRANSFER_ENCODING, TRAILER] {
            headers.remove(name);
        }
        let is_head = method == Method::HEAD;
        let is_decoded = !is_head && !headers.contains_key(ACCEPT_ENCODING) && !headers.contains_key(RANGE);
        // With HTTP/2, the host of the request would still be that of the URL.
        let has_http2 = !headers.contains_key(HOST);
        let proxies = Arc::new(Proxies::from_env());
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .gzip(is_decoded)
            .http1_title_case_headers()
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_max_headers(MAX_HEADERS)
            .http2_max_header_list_size(MAX_HEADER_SIZE)
            .redirect(redirect::Policy::none())
            .tls_backend_preconfigured(tls::config(args, has_http2)?)
            // Without `no_proxy`, reqwest also reads `ALL_PROXY`.
            .no_proxy()
            .proxy(Proxy::custom({
                let proxies = proxies.clone();
                move |url| proxies.find(url).cloned()
            }))
            .build()
            .context("Error creating request")
            .at(path!(url))?;
        let timeout = args.request_timeout_ms.map(Duration::from_millis);
        Ok(Request { client, method, url, headers, body: args.request_body.clone(), timeout, proxies })
    }

    /// Sends the request once, and follows redirects.
    pub(crate) async fn attempt(&self, cx: &RequestCx) -> Result<reqwest::Response, RetryError> {
        let start = Instant::now();
        let mut hop = Hop::first(self.method.clone(), self.url.clone(), self.headers.clone());
        for _ in 0..MAX_REQUESTS {
            tracing::debug!(method = %hop.method, host = hop.url.host_str(), "sending a request");
            let mut request =
                self.client.request(hop.method.clone(), hop.url.clone()).headers(hop.headers.clone());
            match self.body.as_ref().filter(|it| hop.has_body && !it.is_empty()) {
                Some(body) => request = request.body(body.clone()),
                // Many servers require the length of the body of `POST`, even if there is none.
                None if hop.method == Method::POST => request = request.header(CONTENT_LENGTH, 0),
                None => {}
            }
            if let Some(timeout) = self.timeout {
                // The time that remains after redirects.
                request = request.timeout(timeout.saturating_sub(start.elapsed()));
            }
            let response = request.send().await.map_err(|it| self.retry_error(it, &hop.url))?;
            match hop.next(&response) {
                Ok(Some(next)) => hop = next,
                Ok(None) => return retry::check(cx, response),
                Err(detail) => return Err(redirect_error(detail).into()),
            }
        }
        let detail =
            format!("Stopped after {MAX_REQUESTS} redirects. Check whether the server redirects in a loop.");
        Err(redirect_error(detail).into())
    }

    /// Converts an error of the client. It is transient, unless the request or the server certificate is invalid.
    fn retry_error(&self, cause: reqwest::Error, url: &Url) -> RetryError {
        let is_permanent = cause.is_builder() || has_invalid_certificate(&cause);
        let kind = if is_permanent { RetryError::Permanent } else { RetryError::Transient };
        let proxy = self.proxies.find(url).filter(|_| cause.is_connect());
        kind(match proxy {
            Some(proxy) => {
                // Without the credentials. 1080 is the default port of SOCKS proxies.
                let (host, port) = (proxy.host_str().unwrap_or_default(), proxy.port_or_known_default());
                let summary = format!("connecting through the proxy {host}:{} failed", port.unwrap_or(1080));
                self.diagnostics(cause, &summary).context(REQUEST_ERROR)
            }
            None => self.diagnostics(cause, REQUEST_ERROR),
        })
    }

    /// Converts an error of the client to diagnostics at the attribute that is its cause.
    pub(crate) fn diagnostics(&self, cause: reqwest::Error, summary: &str) -> Diagnostics {
        // Establishing a connection has its own timeout.
        match self.timeout.filter(|_| cause.is_timeout() && !cause.is_connect()) {
            Some(timeout) => {
                let detail = format!(
                    "The request exceeded the timeout of {timeout:?}. Increase `request_timeout_ms`."
                );
                Diagnostic::error(summary).detail(detail).at(path!(request_timeout_ms)).into()
            }
            None => Diagnostics::from(cause).context(summary).at(path!(url)),
        }
    }
}

/// Parses a URL. The `url` crate follows the URL standard, which is more lenient than Go: it ignores white space and control
/// characters, reads a backslash as a slash, and does not require the slashes before the host.
fn parse_url(text: &str) -> Result<Url, String> {
    if text.contains(|it: char| it.is_ascii_control()) {
        return Err("it contains a control character".to_owned());
    }
    let query = text.find(['?', '#']).unwrap_or(text.len());
    let url =
        Url::parse(&(text[..query].replace('\\', "%5C") + &text[query..])).map_err(|it| it.to_string())?;
    let after_scheme = text.get(url.scheme().len()..).and_then(|it| it.strip_prefix("://"));
    if after_scheme.is_none_or(|it| it.starts_with('/')) {
        return Err("it does not begin with a scheme and a host".to_owned());
    }
    Ok(url)
}

fn redirect_error(detail: String) -> Diagnostic {
    Diagnostic::error(REQUEST_ERROR).detail(detail).at(path!(url))
}

/// Returns `true` if an invalid server certificate is one of the causes of an error.
fn has_invalid_certificate(error: &reqwest::Error) -> bool {
    let causes = std::iter::successors(error.source(), |it| {
        let error: &dyn Error = *it;
        match error.downcast_ref::<io::Error>() {
            // The source of an I/O error is that of the error inside it.
            Some(error) => error.get_ref().map(|it| it as _),
            None => error.source(),
        }
    });
    causes.filter_map(|it| it.downcast_ref()).any(|it| matches!(it, rustls::Error::InvalidCertificate(_)))
}
