//! Attribute types of other crates compared with the custom types of the Go framework: valid strings and semantic
//! equality.

#![allow(clippy::unwrap_used, reason = "test code")]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use ferroform::Attr;
use ferroform::attr::{GoDuration, Json, MacAddress, Rfc3339};
use ferroform::validators::matches;
use ferroform::value::Value;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::{SignedDuration, Timestamp};

fn read<T: ferroform::AttrValue>(string: &str) -> Result<T, String> {
    T::from_value(&Value::string(string)).map_err(|it| it.to_string())
}

/// Asserts that the strings are semantically equal, and that their printed form converts back to the same value.
fn assert_semantically_equal<T: ferroform::AttrValue>(strings: &[&str]) {
    let first: T = read(strings[0]).unwrap();
    for string in strings {
        let it: T = read(string).unwrap();
        assert_eq!(it, first, "{string}");
        assert_eq!(T::from_value(&it.to_value()).unwrap(), it, "{string}");
        // A semantically equal string keeps the prior value.
        let (known, new) = (Value::string(strings[0]), Value::string(string));
        assert_eq!(T::keep_prior(&known, &new), known, "{string}");
    }
}

fn assert_not_equal<T: ferroform::AttrValue>(strings: &[&str]) {
    for (i, one) in strings.iter().enumerate() {
        for other in &strings[..i] {
            assert_ne!(read::<T>(one).unwrap(), read::<T>(other).unwrap(), "{one} and {other}");
        }
    }
}

fn assert_rejected<T: ferroform::AttrValue>(strings: &[&str], why: &str) {
    for string in strings {
        let error = read::<T>(string).unwrap_err();
        assert!(error.starts_with(why), "{string}: {error}");
    }
}

/// `jsontypes.Normalized`: whitespace and the order of keys do not matter.
#[test]
fn json_strings_are_semantically_equal_by_content() {
    assert_semantically_equal::<Json>(&[
        r#"{"a":1,"b":[1,2]}"#,
        "{ \"b\" : [1, 2],\n\t\"a\": 1 }",
        r#"{"a":1.0,"b":[1e0,2]}"#,
    ]);
    assert_semantically_equal::<serde_json::Value>(&[r#"{"a":1,"b":[1,2]}"#, "{ \"b\" : [1, 2], \"a\": 1 }"]);
    assert_semantically_equal::<Json>(&["123456789012345678901234567890", " 123456789012345678901234567890"]);
    assert_not_equal::<Json>(&["1", "\"1\"", "null", "[1]", "[]", "{}", r#"{"a":null}"#, "[1,2]", "[2,1]"]);
    assert_not_equal::<Json>(&["123456789012345678901234567890", "123456789012345678901234567891"]);
    assert_rejected::<Json>(&["", "{", "{'a':1}", "[1,]", "1 2", "nul"], "a JSON document is required");
    assert_rejected::<serde_json::Value>(&["", "{"], "a JSON document is required");
    // The configured string is kept, including whitespace.
    assert_eq!(read::<Json>("[ 1 ]").unwrap().to_value(), "[ 1 ]".into());
}

/// `iptypes`.
#[test]
fn addresses_are_semantically_equal_in_any_notation() {
    assert_semantically_equal::<IpAddr>(&["2001:db8::1", "2001:0DB8:0:0:0:0:0:1"]);
    assert_semantically_equal::<Ipv6Addr>(&["::ffff:1.2.3.4", "::ffff:102:304"]);
    assert_not_equal::<IpAddr>(&["1.2.3.4", "::ffff:1.2.3.4", "::1.2.3.4"]);
    assert_rejected::<IpAddr>(
        &["", "1.2.3", "01.2.3.4", "1.2.3.4/8", "fe80::1%eth0", "::g"],
        "an IP address such as 192.0.2.1 or 2001:db8::1 is required",
    );
    assert_rejected::<Ipv4Addr>(
        &["::1", "1.2.3.256", "001.2.3.4"],
        "an IPv4 address such as 192.0.2.1 is required",
    );
    assert_rejected::<Ipv6Addr>(&["1.2.3.4", ":::"], "an IPv6 address such as 2001:db8::1 is required");
}

/// `cidrtypes`: the host bits of a network are compared too.
#[test]
fn networks_are_semantically_equal_in_any_notation() {
    assert_semantically_equal::<IpNet>(&["2001:db8::/32", "2001:DB8:0::/32"]);
    assert_semantically_equal::<Ipv6Net>(&["::ffff:1.2.3.4/96", "::ffff:102:304/96"]);
    assert_not_equal::<IpNet>(&["10.0.0.0/8", "10.0.0.1/8", "10.0.0.0/9"]);
    let invalid =
        ["10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "010.0.0.0/8", "10.0.0.0/+8", "fe80::%a/64"];
    assert_rejected::<IpNet>(&invalid, "a network such as 10.0.0.0/8 is required");
    assert_rejected::<Ipv4Net>(&["fd00::/8"], "an IPv4 network such as 10.0.0.0/8 is required");
    assert_rejected::<Ipv6Net>(&["10.0.0.0/8", "fd00::/129"], "an IPv6 network such as fd00::/8 is required");
}

/// `timetypes.RFC3339`.
#[test]
fn time_keeps_its_offset() {
    let text = "2030-12-31T23:59:59.5+02:00";
    let time: Rfc3339 = read(text).unwrap();
    assert_eq!((time.as_str(), time.to_string(), time.to_value()), (text, text.to_owned(), text.into()));
    assert_eq!(time.timestamp(), "2030-12-31T21:59:59.5Z".parse().ok());
    // Later than the last `Timestamp`.
    let last: Rfc3339 = read("9999-12-31T23:59:59Z").unwrap();
    assert!(last > time && last.timestamp().is_none());
    assert_semantically_equal::<Rfc3339>(&[text, "2030-12-31t23:59:59.500+02:00"]);
    let utc = ["2030-12-31T21:59:59.5Z", "2030-12-31T21:59:59.500+00:00", "2030-12-31T21:59:59.5-00:00"];
    assert_semantically_equal::<Rfc3339>(&utc);
    let canonical = utc.map(|it| Rfc3339::canonical(&it.into()));
    assert!(canonical.iter().all(|it| *it == canonical[0]), "{canonical:?}");
    assert_not_equal::<Rfc3339>(&[
        text,
        utc[0],
        "2030-12-31T23:59:59Z",
        "2030-12-31T23:59:59+02:00",
        "2030-12-31T23:59:59.1Z",
    ]);
    assert_rejected::<Rfc3339>(
        &[
            "",
            "2030-12-31",
            "2030-12-31 23:59:59Z",
            "2030-12-31T23:59:60Z",
            "2030-02-30T00:00:00Z",
            "2030-12-31T23:59:59+24:00",
            "2030-12-31T23:59:59+01:60",
        ],
        "a time such as 2030-12-31T23:59:59Z (RFC 3339) is required",
    );
    assert_eq!(Rfc3339::from(time.timestamp().unwrap()).as_str(), "2030-12-31T21:59:59.5Z");
    assert!(read::<Rfc3339>(Rfc3339::placeholder().as_str().unwrap()).is_ok());
}

/// `timetypes.GoDuration`.
#[test]
fn go_duration_is_read_and_printed_as_in_go() {
    let printed = [
        ("0", "0s"),
        ("1h30m", "1h30m0s"),
        ("90m", "1h30m0s"),
        ("-1.5h", "-1h30m0s"),
        ("61s", "1m1s"),
        ("3600.5s", "1h0m0.5s"),
        ("1.5s", "1.5s"),
        ("1500us", "1.5ms"),
        ("1µs", "1µs"),
        ("7ns", "7ns"),
        ("-2562047h47m16.854775808s", "-2562047h47m16.854775808s"),
    ];
    for (string, expected) in printed {
        let duration: GoDuration = read(string).unwrap();
        assert_eq!(duration.to_string(), expected);
        assert_eq!(duration.to_value(), string.into(), "the configured string is kept");
        assert_eq!(read::<GoDuration>(expected).unwrap(), duration);
    }
    assert_semantically_equal::<GoDuration>(&["1h30m", "90m", "1.5h", "+5400s"]);
    assert_not_equal::<GoDuration>(&["1s", "-1s", "1m"]);
    let invalid = ["", "PT1H30M", "1 hour", "1d", "1h 30m", "30", "P1D", "3000000h"];
    assert_rejected::<GoDuration>(&invalid, "a duration in the format of Go such as 1h30m is required");
    assert!(Duration::try_from(GoDuration::from_nanos(-1)).is_err());
    assert_eq!(GoDuration::try_from(Duration::from_secs(2)), Ok(GoDuration::from_nanos(2_000_000_000)));
}

/// The summaries are those of the Go types.
#[test]
fn errors_have_the_summaries_of_the_go_types() {
    fn summary<T: Attr>() -> Option<&'static str> {
        T::from_value(&"x".into()).err().unwrap().summary()
    }
    for (summary, expected) in [
        (summary::<Json>(), "Invalid JSON String Value"),
        (summary::<serde_json::Value>(), "Invalid JSON String Value"),
        (summary::<IpAddr>(), "Invalid IP Address String Value"),
        (summary::<Ipv4Addr>(), "Invalid IPv4 Address String Value"),
        (summary::<Ipv6Addr>(), "Invalid IPv6 Address String Value"),
        (summary::<IpNet>(), "Invalid IP CIDR String Value"),
        (summary::<Ipv4Net>(), "Invalid IPv4 CIDR String Value"),
        (summary::<Ipv6Net>(), "Invalid IPv6 CIDR String Value"),
        (summary::<MacAddress>(), "Invalid MAC Address String Value"),
        (summary::<Rfc3339>(), "Invalid RFC3339 String Value"),
        (summary::<Timestamp>(), "Invalid RFC3339 String Value"),
        (summary::<GoDuration>(), "Invalid Time Duration String Value"),
    ] {
        assert_eq!(summary, Some(expected));
    }
}

/// String validators support every type that is a string in Terraform, and check the configured string.
#[test]
fn string_validators_check_the_configured_string() {
    let object = matches::<Json>(r"^\{", "an object is required");
    assert!(object.validate(&"{ }".into()).is_ok() && object.validate(&"[]".into()).is_err());
    let hours = matches::<Option<GoDuration>>("^[0-9]+h$", "whole hours are required");
    assert!(hours.validate(&"2h".into()).is_ok() && hours.validate(&"120m".into()).is_err());
}

/// `hwtypes`.
#[test]
fn hardware_addresses_are_semantically_equal_in_any_notation() {
    assert_semantically_equal::<MacAddress>(&[
        "02:00:5e:10:00:01",
        "02-00-5E-10-00-01",
        "0200.5e10.0001",
        "02:00:5E:10:00:01",
    ]);
    assert_semantically_equal::<MacAddress>(&["0200.5e10.0000.0001", "02:00:5e:10:00:00:00:01"]);
    assert_not_equal::<MacAddress>(&["02:00:5e:10:00:01", "02:00:5e:10:00:02", "02:00:5e:10:00:00:00:01"]);
    let twenty = ["00"; 20].join(":");
    assert_eq!(read::<MacAddress>(&twenty).unwrap().bytes(), [0; 20]);
    let invalid = [
        "",
        "02:00:5e:10:00",
        "2:0:5e:10:0:1",
        "02:00-5e:10:00:01",
        "02005e100001",
        "0g:00:5e:10:00:01",
        "+2:00:5e:10:00:01",
        "02:00:5e:10:00:01:",
    ];
    assert_rejected::<MacAddress>(&invalid, "a MAC address such as 02:00:5e:10:00:01 is required");
    let number = MacAddress::from_value(&Value::from(2)).unwrap_err().to_string();
    assert_eq!(number, "a MAC address is required, but got a number");
}

/// `timetypes.RFC3339`: times are compared as instants.
#[test]
fn times_round_trip() {
    assert_semantically_equal::<Timestamp>(&[
        "2030-12-31T23:59:59Z",
        "2030-12-31T23:59:59+00:00",
        "2030-12-31t23:59:59z",
    ]);
    assert_semantically_equal::<Timestamp>(&["2030-12-31T23:59:59+02:00", "2030-12-31T21:59:59Z"]);
    assert_not_equal::<Timestamp>(&[
        "2030-12-31T23:59:59Z",
        "2030-12-31T23:59:59.5Z",
        "2030-12-31T23:59:59-01:00",
    ]);
    let invalid = [
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
    assert_rejected::<Timestamp>(&invalid, "a time such as 2030-12-31T23:59:59Z (RFC 3339) is required");
}

/// `timetypes.GoDuration`: the strings that Go parses and prints.
#[test]
fn durations_are_semantically_equal_in_any_notation() {
    assert_semantically_equal::<SignedDuration>(&[
        "1h30m", "90m", "1.5h", "1h30m0s", "5400s", "+1h30m", "30m1h", "1h 30m", "PT1H30M",
    ]);
    assert_semantically_equal::<SignedDuration>(&["-1.5s", "-1s500ms", "-1500ms"]);
    assert_semantically_equal::<SignedDuration>(&["0", "0s", "-0", "+0h"]);
    assert_semantically_equal::<SignedDuration>(&["1.5h1.5m", "91m30s"]);
    assert_semantically_equal::<SignedDuration>(&["1us", "1µs", "1μs", "1000ns", ".001ms", "0.000001s"]);
    assert_semantically_equal::<SignedDuration>(&["1.s", "1s", "1.000000000000000000000001s"]);
    assert_semantically_equal::<SignedDuration>(&["2562047h47m16.854775807s", "9223372036854775807ns"]);
    assert_semantically_equal::<Duration>(&["1m", "60s"]);
    for (nanos, string) in [
        (5_400_000_000_000, "1h30m"),
        (-5_400_000_000_000, "-1h30m"),
        (1_500_000_000, "1s500ms"),
        (1_000, "1µs"),
        (0, "0s"),
    ] {
        assert_eq!(SignedDuration::from_nanos(nanos).to_value(), string.into());
        assert_eq!(read::<SignedDuration>(string).unwrap(), SignedDuration::from_nanos(nanos));
    }
    let invalid = [
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
    assert_rejected::<SignedDuration>(&invalid, "a duration such as 1h30m is required");
    assert_rejected::<Duration>(&["-1s", "1"], "a non-negative duration such as 1h30m is required");
}
