//! The proxies from the environment variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`.

use reqwest::Url;

use crate::no_proxy;

/// The proxies, and the hosts that bypass them.
#[derive(Debug)]
pub(crate) struct Proxies {
    http: Option<Url>,
    https: Option<Url>,
    excluded: String,
}

impl Proxies {
    pub(crate) fn from_env() -> Proxies {
        Proxies {
            http: proxy("HTTP_PROXY", "http_proxy"),
            https: proxy("HTTPS_PROXY", "https_proxy"),
            excluded: variable("NO_PROXY", "no_proxy").unwrap_or_default(),
        }
    }

    /// The proxy for a URL.
    pub(crate) fn find(&self, url: &Url) -> Option<&Url> {
        let proxy = if url.scheme() == "https" { &self.https } else { &self.http };
        let (host, port) = (url.host_str()?, url.port_or_known_default()?);
        proxy.as_ref().filter(|_| !no_proxy::is_excluded(&self.excluded, host, port))
    }
}

fn variable(upper: &str, lower: &str) -> Option<String> {
    [upper, lower].into_iter().filter_map(|it| std::env::var(it).ok()).find(|it| !it.is_empty())
}

/// The URL of a proxy. An invalid URL is ignored, because the proxy may not be needed.
fn proxy(upper: &str, lower: &str) -> Option<Url> {
    let value = variable(upper, lower)?;
    let value = if value.contains("://") { value } else { format!("http://{value}") };
    // The proxy resolves the names of hosts.
    let value = value.replacen("socks5://", "socks5h://", 1);
    // The log does not contain the value, which can contain a password.
    Url::parse(&value)
        .inspect_err(|error| tracing::warn!(%error, variable = upper, "the proxy is ignored"))
        .ok()
}
