//! Evaluates `NO_PROXY` like Go's HTTP client: with ports and `*.example.com`, and never with a proxy for `localhost` and loopback
//! addresses. The providers `http` and `tls` share this module.

use std::net::IpAddr;

use ipnet::IpNet;

/// Returns `true` if requests to a host and a port use no proxy. IPv6 addresses can have brackets, as in URLs.
pub(crate) fn is_excluded(no_proxy: &str, host: &str, port: u16) -> bool {
    let ip: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    let is_loopback = host == "localhost" || ip.is_some_and(|it| it.is_loopback());
    is_loopback || no_proxy.split(',').any(|it| matches(it, host, ip, port))
}

/// Returns `true` if an element of `NO_PROXY` matches the host and the port.
fn matches(element: &str, name: &str, ip: Option<IpAddr>, port: u16) -> bool {
    let element = element.trim().to_ascii_lowercase();
    if element == "*" {
        return true;
    }
    if let (Ok(network), Some(ip)) = (element.parse::<IpNet>(), ip) {
        return network.contains(&ip);
    }
    let (host, element_port) = match element.rsplit_once(':') {
        // An IPv6 address without a port has several colons.
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, port),
        _ => (&*element, ""),
    };
    if !element_port.is_empty() && element_port != port.to_string() {
        return false;
    }
    if let Some(ip) = ip {
        return host.trim_matches(['[', ']']).parse() == Ok(ip);
    }
    // `.example.com` and `*.example.com` match subdomains only.
    let domain = host.strip_prefix('*').filter(|it| it.starts_with('.')).unwrap_or(host);
    let is_subdomain = |domain: &str| name.strip_suffix(domain).is_some_and(|it| it.ends_with('.'));
    match domain.strip_prefix('.') {
        Some(domain) => is_subdomain(domain),
        None => !domain.is_empty() && (name == domain || is_subdomain(domain)),
    }
}
