//! IP addresses and networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::scalars::{print, string_types};

/// Rejects leading zeros in the prefix length, which the library accepts.
fn network<N: FromStr<Err: ToString>>(string: &str) -> Result<N, String> {
    let parts = string.split_once('/').filter(|(_, bits)| bits.len() == 1 || !bits.starts_with('0'));
    match parts.map(|(address, _)| address.parse::<IpAddr>()) {
        Some(Ok(_)) => string.parse().map_err(|it: N::Err| it.to_string()),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("the format is invalid".to_owned()),
    }
}

string_types! {
    IpAddr, "an IP address such as 192.0.2.1 or 2001:db8::1", "0.0.0.0", str::parse::<IpAddr>, print,
        summary = "Invalid IP Address String Value";
    Ipv4Addr, "an IPv4 address such as 192.0.2.1", "0.0.0.0", str::parse::<Ipv4Addr>, print,
        summary = "Invalid IPv4 Address String Value";
    Ipv6Addr, "an IPv6 address such as 2001:db8::1", "::", str::parse::<Ipv6Addr>, print,
        summary = "Invalid IPv6 Address String Value";
    IpNet, "a network such as 10.0.0.0/8", "0.0.0.0/0", network::<IpNet>, print,
        summary = "Invalid IP CIDR String Value";
    Ipv4Net, "an IPv4 network such as 10.0.0.0/8", "0.0.0.0/0", network::<Ipv4Net>, print,
        summary = "Invalid IPv4 CIDR String Value";
    Ipv6Net, "an IPv6 network such as fd00::/8", "::/0", network::<Ipv6Net>, print,
        summary = "Invalid IPv6 CIDR String Value";
}
