//! The proxies of the environment variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, with the rules of Go's HTTP client,
//! which supports ports and `*.example.com` in `NO_PROXY`, and never uses a proxy for `localhost` and loopback addresses.

use std::net::IpAddr;

use ipnet::IpNet;
use reqwest::{ClientBuilder, Proxy, Url};

/// Adds the proxies to a client.
pub(crate) fn from_env(builder: ClientBuilder) -> ClientBuilder {
    let (http, https) = (proxy("HTTP_PROXY", "http_proxy"), proxy("HTTPS_PROXY", "https_proxy"));
    let excluded = variable("NO_PROXY", "no_proxy").unwrap_or_default();
    let proxy = Proxy::custom(move |url| {
        let proxy = if url.scheme() == "https" { &https } else { &http };
        proxy.clone().filter(|_| !is_loopback(url) && !excluded.split(',').any(|it| matches(it, url)))
    });
    // Without `no_proxy`, reqwest also reads `ALL_PROXY`.
    builder.no_proxy().proxy(proxy)
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

/// Returns `true` for `localhost` and loopback addresses.
fn is_loopback(url: &Url) -> bool {
    url.host_str() == Some("localhost") || ip(url).is_some_and(|it| it.is_loopback())
}

fn ip(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

/// Returns `true` if an element of `NO_PROXY` matches the host and the port of the URL.
pub(crate) fn matches(element: &str, url: &Url) -> bool {
    let element = element.trim().to_ascii_lowercase();
    if element == "*" {
        return true;
    }
    if let (Ok(network), Some(ip)) = (element.parse::<IpNet>(), ip(url)) {
        return network.contains(&ip);
    }
    let (host, port) = match element.rsplit_once(':') {
        // An IPv6 address without a port has several colons.
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, port),
        _ => (&*element, ""),
    };
    if !port.is_empty() && url.port_or_known_default().is_none_or(|it| it.to_string() != port) {
        return false;
    }
    if let Some(ip) = ip(url) {
        return host.trim_matches(['[', ']']).parse() == Ok(ip);
    }
    let name = url.host_str().unwrap_or_default();
    // `.example.com` and `*.example.com` match subdomains only.
    let domain = host.strip_prefix('*').filter(|it| it.starts_with('.')).unwrap_or(host);
    let is_subdomain = |domain: &str| name.strip_suffix(domain).is_some_and(|it| it.ends_with('.'));
    match domain.strip_prefix('.') {
        Some(domain) => is_subdomain(domain),
        None => !domain.is_empty() && (name == domain || is_subdomain(domain)),
    }
}
