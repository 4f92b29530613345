//! Attribute types of other crates compared with the custom types of the Go framework: which strings are valid, and
//! which are semantically equal.

#![allow(clippy::unwrap_used, reason = "test code")]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use ferroform::Attr;
use ferroform::attr::{Json, MacAddress};
use ferroform::value::Value;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::{SignedDuration, Timestamp};

fn read<T: Attr>(text: &str) -> Result<T, String> {
    T::from_value(&Value::string(text)).map_err(|it| it.to_string())
}

/// The texts mean the same, and each survives as what it is printed as.
fn same<T: Attr>(texts: &[&str]) {
    let first: T = read(texts[0]).unwrap();
    for text in texts {
        let it: T = read(text).unwrap();
        assert_eq!(it, first, "{text}");
        assert_eq!(T::from_value(&it.to_value()).unwrap(), it, "{text}");
        // What is there already stays, however it is written.
        let (known, new) = (Value::string(texts[0]), Value::string(text));
        assert_eq!(T::keep_prior(&known, &new), known, "{text}");
    }
}

fn differ<T: Attr>(texts: &[&str]) {
    for (i, one) in texts.iter().enumerate() {
        for other in &texts[..i] {
            assert_ne!(read::<T>(one).unwrap(), read::<T>(other).unwrap(), "{one} and {other}");
        }
    }
}

fn refused<T: Attr>(texts: &[&str], why: &str) {
    for text in texts {
        let error = read::<T>(text).unwrap_err();
        assert!(error.starts_with(why), "{text}: {error}");
    }
}

/// `jsontypes.Normalized`: whitespace and the order of keys mean nothing.
#[test]
fn json_strings_are_semantically_equal_by_content() {
    same::<Json>(&[r#"{"a":1,"b":[1,2]}"#, "{ \"b\" : [1, 2],\n\t\"a\": 1 }", r#"{"a":1.0,"b":[1e0,2]}"#]);
    same::<serde_json::Value>(&[r#"{"a":1,"b":[1,2]}"#, "{ \"b\" : [1, 2], \"a\": 1 }"]);
    same::<Json>(&["123456789012345678901234567890", " 123456789012345678901234567890"]);
    differ::<Json>(&["1", "\"1\"", "null", "[1]", "[]", "{}", r#"{"a":null}"#, "[1,2]", "[2,1]"]);
    differ::<Json>(&["123456789012345678901234567890", "123456789012345678901234567891"]);
    refused::<Json>(&["", "{", "{'a':1}", "[1,]", "1 2", "nul"], "a JSON document is required");
    refused::<serde_json::Value>(&["", "{"], "a JSON document is required");
    // The text is the user's, to the last space.
    assert_eq!(read::<Json>("[ 1 ]").unwrap().to_value(), "[ 1 ]".into());
}

/// `iptypes`.
#[test]
fn addresses_are_semantically_equal_in_any_notation() {
    same::<IpAddr>(&["2001:db8::1", "2001:0DB8:0:0:0:0:0:1"]);
    same::<Ipv6Addr>(&["::ffff:1.2.3.4", "::ffff:102:304"]);
    differ::<IpAddr>(&["1.2.3.4", "::ffff:1.2.3.4", "::1.2.3.4"]);
    refused::<IpAddr>(
        &["", "1.2.3", "01.2.3.4", "1.2.3.4/8", "fe80::1%eth0", "::g"],
        "an IP address is required",
    );
    refused::<Ipv4Addr>(&["::1", "1.2.3.256", "001.2.3.4"], "an IPv4 address is required");
    refused::<Ipv6Addr>(&["1.2.3.4", ":::"], "an IPv6 address is required");
}

/// `cidrtypes`: the bits behind the prefix count.
#[test]
fn networks_are_semantically_equal_in_any_notation() {
    same::<IpNet>(&["2001:db8::/32", "2001:DB8:0::/32"]);
    same::<Ipv6Net>(&["::ffff:1.2.3.4/96", "::ffff:102:304/96"]);
    differ::<IpNet>(&["10.0.0.0/8", "10.0.0.1/8", "10.0.0.0/9"]);
    let wrong =
        ["10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "010.0.0.0/8", "10.0.0.0/+8", "fe80::%a/64"];
    refused::<IpNet>(&wrong, "a network such as 10.0.0.0/8 is required");
    refused::<Ipv4Net>(&["fd00::/8"], "an IPv4 network such as 10.0.0.0/8 is required");
    refused::<Ipv6Net>(&["10.0.0.0/8", "fd00::/129"], "an IPv6 network such as fd00::/8 is required");
}

/// `hwtypes`.
#[test]
fn hardware_addresses_are_semantically_equal_in_any_notation() {
    same::<MacAddress>(&["02:00:5e:10:00:01", "02-00-5E-10-00-01", "0200.5e10.0001", "02:00:5E:10:00:01"]);
    same::<MacAddress>(&["0200.5e10.0000.0001", "02:00:5e:10:00:00:00:01"]);
    differ::<MacAddress>(&["02:00:5e:10:00:01", "02:00:5e:10:00:02", "02:00:5e:10:00:00:00:01"]);
    let twenty = ["00"; 20].join(":");
    assert_eq!(read::<MacAddress>(&twenty).unwrap().bytes(), [0; 20]);
    let wrong = [
        "",
        "02:00:5e:10:00",
        "2:0:5e:10:0:1",
        "02:00-5e:10:00:01",
        "02005e100001",
        "0g:00:5e:10:00:01",
        "+2:00:5e:10:00:01",
        "02:00:5e:10:00:01:",
    ];
    refused::<MacAddress>(&wrong, "a MAC address such as 02:00:5e:10:00:01 is required");
    let number = MacAddress::from_value(&Value::from(2)).unwrap_err().to_string();
    assert_eq!(number, "a MAC address is required, but got a number");
}

/// `timetypes.RFC3339`: the point in time counts.
#[test]
fn times_round_trip() {
    same::<Timestamp>(&["2030-12-31T23:59:59Z", "2030-12-31T23:59:59+00:00", "2030-12-31t23:59:59z"]);
    same::<Timestamp>(&["2030-12-31T23:59:59+02:00", "2030-12-31T21:59:59Z"]);
    differ::<Timestamp>(&["2030-12-31T23:59:59Z", "2030-12-31T23:59:59.5Z", "2030-12-31T23:59:59-01:00"]);
    let wrong = [
        "",
        "2030-12-31",
        "2030-12-31 23:59:59Z",
        "2030-12-31T23:59:59",
        "2030-02-30T00:00:00Z",
        "2030-12-31T24:00:00Z",
        "2030-12-31T23:59:60Z",
        "2030-12-31T23:59:59,5Z",
        "30-12-31T23:59:59Z",
        "2030-12-31T23:59:59Z[UTC]",
    ];
    refused::<Timestamp>(&wrong, "a time such as 2030-12-31T23:59:59Z (RFC 3339) is required");
}

/// `timetypes.GoDuration`: what Go takes and prints.
#[test]
fn durations_are_semantically_equal_in_any_notation() {
    same::<SignedDuration>(&[
        "1h30m", "90m", "1.5h", "1h30m0s", "5400s", "+1h30m", "30m1h", "1h 30m", "PT1H30M",
    ]);
    same::<SignedDuration>(&["-1.5s", "-1s500ms", "-1500ms"]);
    same::<SignedDuration>(&["0", "0s", "-0", "+0h"]);
    same::<SignedDuration>(&["1.5h1.5m", "91m30s"]);
    same::<SignedDuration>(&["1us", "1µs", "1μs", "1000ns", ".001ms", "0.000001s"]);
    same::<SignedDuration>(&["1.s", "1s", "1.000000000000000000000001s"]);
    same::<SignedDuration>(&["2562047h47m16.854775807s", "9223372036854775807ns"]);
    same::<Duration>(&["1m", "60s"]);
    for (nanos, text) in [
        (5_400_000_000_000, "1h30m"),
        (-5_400_000_000_000, "-1h30m"),
        (1_500_000_000, "1s500ms"),
        (1_000, "1µs"),
        (0, "0s"),
    ] {
        assert_eq!(SignedDuration::from_nanos(nanos).to_value(), text.into());
        assert_eq!(read::<SignedDuration>(text).unwrap(), SignedDuration::from_nanos(nanos));
    }
    let wrong = [
        "",
        "1",
        "h",
        ".s",
        "1d",
        "1h-30m",
        "--1s",
        "1 h m",
        "1..5s",
        "1H30X",
        "99999999999999999999999999999999999999999h",
    ];
    refused::<SignedDuration>(&wrong, "a duration such as 1h30m is required");
    refused::<Duration>(&["-1s", "1"], "a non-negative duration such as 1h30m is required");
}
