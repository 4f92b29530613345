//! The proxies of the environment variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, with the rules of Go's HTTP client,
//! which supports ports and `*.example.com` in `NO_PROXY`, and never uses a proxy for this machine.

use std::net::IpAddr;

use ferroform::{Context, Result, path};
use ipnet::IpNet;
use reqwest::{ClientBuilder, Proxy, Url};

/// Adds the proxies to a client.
pub(crate) fn from_env(builder: ClientBuilder) -> Result<ClientBuilder> {
    let http = proxy("HTTP_PROXY", "http_proxy")?;
    let https = proxy("HTTPS_PROXY", "https_proxy")?;
    let excluded = variable("NO_PROXY", "no_proxy").unwrap_or_default();
    let proxy = Proxy::custom(move |url| {
        let proxy = if url.scheme() == "https" { &https } else { &http };
        proxy.clone().filter(|_| !is_local(url) && !excluded.split(',').any(|it| matches(it, url)))
    });
    // Without `no_proxy`, reqwest also reads `ALL_PROXY`.
    Ok(builder.no_proxy().proxy(proxy))
}

fn variable(upper: &str, lower: &str) -> Option<String> {
    [upper, lower].into_iter().filter_map(|it| std::env::var(it).ok()).find(|it| !it.is_empty())
}

fn proxy(upper: &str, lower: &str) -> Result<Option<Url>> {
    let Some(value) = variable(upper, lower) else { return Ok(None) };
    let value = if value.contains("://") { value } else { format!("http://{value}") };
    // The proxy resolves the names of hosts.
    let value = value.replacen("socks5://", "socks5h://", 1);
    // The value can contain a password.
    let url = Url::parse(&value).context(format!("The environment variable {upper} is no URL"));
    Ok(Some(url.context("Error making request").at(path!(url))?))
}

/// True for the machine on which the provider runs.
fn is_local(url: &Url) -> bool {
    url.host_str() == Some("localhost") || ip(url).is_some_and(|it| it.is_loopback())
}

fn ip(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

/// True if an element of `NO_PROXY` matches the host and the port of the URL.
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
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, port.parse::<u16>().ok()),
        _ => (&*element, None),
    };
    if port.is_some() && port != url.port_or_known_default() {
        return false;
    }
    if let Some(ip) = ip(url) {
        return host.trim_matches(['[', ']']).parse() == Ok(ip);
    }
    let name = url.host_str().unwrap_or_default();
    // `.example.com` and `*.example.com` match subdomains only.
    let domain = host.trim_start_matches('*');
    let is_subdomain = |domain: &str| name.strip_suffix(domain).is_some_and(|it| it.ends_with('.'));
    match domain.strip_prefix('.') {
        Some(domain) => is_subdomain(domain),
        None => !domain.is_empty() && (name == domain || is_subdomain(domain)),
    }
}
