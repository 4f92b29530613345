//! Redirects, with the rules of Go's HTTP client. They differ from those of reqwest in the headers that another request
//! to the same host keeps, for example if `http://` redirects to `https://`.

use reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LOCATION, CONTENT_TYPE, COOKIE, HOST,
    HeaderMap, HeaderName, HeaderValue, LOCATION, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, REFERER,
    WWW_AUTHENTICATE,
};
use reqwest::{Method, Response, Url};

/// The maximum number of requests.
pub(crate) const MAX_REQUESTS: usize = 10;

/// Headers that contain credentials.
const CREDENTIALS: [HeaderName; 6] = [
    AUTHORIZATION,
    COOKIE,
    HeaderName::from_static("cookie2"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    WWW_AUTHENTICATE,
];

/// Headers that describe a body.
const BODY: [HeaderName; 4] = [CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LOCATION, CONTENT_TYPE];

/// One request in a chain of redirects.
pub(crate) struct Hop {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) has_body: bool,
    /// The URL that the configuration contains.
    origin: Url,
    has_own_referer: bool,
}

impl Hop {
    /// The request as configured.
    pub(crate) fn first(method: Method, url: Url, headers: HeaderMap) -> Hop {
        let has_own_referer = headers.contains_key(REFERER);
        Hop { method, origin: url.clone(), url, headers, has_body: true, has_own_referer }
    }

    /// The request that the response redirects to. `None` if the response is not a redirect.
    pub(crate) fn next(mut self, response: &Response) -> Result<Option<Hop>, String> {
        let keeps_body = match response.status().as_u16() {
            301..=303 => false,
            307 | 308 => true,
            _ => return Ok(None),
        };
        let location = response.headers().get(LOCATION).map(|it| String::from_utf8_lossy(it.as_bytes()));
        let Some(location) = location.filter(|it| !it.is_empty()) else { return Ok(None) };
        let url = self
            .url
            .join(&location)
            .map_err(|error| format!("The `Location` header {location:?} is not a valid URL: {error}."))?;

        self.has_body = keeps_body;
        if !keeps_body {
            if self.method != Method::HEAD {
                self.method = Method::GET;
            }
            self.remove(BODY);
        }
        if !is_within(&url, &self.origin) {
            self.remove(CREDENTIALS);
        }
        // A `Host` that the configuration sets applies to the server of the URL.
        if Url::parse(&location).is_ok() {
            self.headers.remove(HOST);
        }
        if !self.has_own_referer {
            self.headers.remove(REFERER);
            if let Some(referer) = referer(self.url, &url) {
                self.headers.insert(REFERER, referer);
            }
        }
        self.url = url;
        Ok(Some(self))
    }

    fn remove<const N: usize>(&mut self, names: [HeaderName; N]) {
        for name in names {
            self.headers.remove(name);
        }
    }
}

/// Returns `true` if the host of the URL is the host of the origin or one of its subdomains.
pub(crate) fn is_within(url: &Url, origin: &Url) -> bool {
    let (Some(host), Some(domain)) = (url.host_str(), origin.host_str()) else { return false };
    host == domain
        || (origin.domain().is_some() && host.strip_suffix(domain).is_some_and(|it| it.ends_with('.')))
}

/// The URL of the previous request without credentials, unless it used TLS and the next one does not.
fn referer(mut previous: Url, next: &Url) -> Option<HeaderValue> {
    if previous.scheme() == "https" && next.scheme() == "http" {
        return None;
    }
    previous.set_fragment(None);
    previous.set_username("").and_then(|()| previous.set_password(None)).ok()?;
    HeaderValue::from_str(previous.as_str()).ok()
}
