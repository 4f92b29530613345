//! Addresses and networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::scalars::{print, texts};

texts! {
    IpAddr, "an IP address", str::parse::<IpAddr>, print;
    Ipv4Addr, "an IPv4 address", str::parse::<Ipv4Addr>, print;
    Ipv6Addr, "an IPv6 address", str::parse::<Ipv6Addr>, print;
    IpNet, "a network such as 10.0.0.0/8", str::parse::<IpNet>, print;
    Ipv4Net, "an IPv4 network such as 10.0.0.0/8", str::parse::<Ipv4Net>, print;
    Ipv6Net, "an IPv6 network such as fd00::/8", str::parse::<Ipv6Net>, print;
}
