//! Conversions between Rust types and values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ferroform::value::{Number, Type, Value};
use ferroform::{Attr, Dynamic, Known, Maybe, Set, Unhandled, Unknown};

fn survives<T: Attr>(it: T) {
    assert_eq!(T::from_value(&it.to_value()), Ok(it));
}

fn refused<T: Attr>(value: impl Into<Value>, why: &str) {
    let error = T::from_value(&value.into()).expect_err(why);
    assert_eq!(error.to_string(), why);
}

fn number(text: &str) -> Value {
    Value::Number(text.parse().expect("a number"))
}

#[test]
fn integers_convert_exactly_within_their_range() {
    fn ends<T: Attr + Copy>(min: T, max: T, below: &str, above: &str) {
        survives(min);
        survives(max);
        for text in [below, above, "0.5"] {
            assert!(T::from_value(&number(text)).is_err(), "{text} is no {}", std::any::type_name::<T>());
        }
    }
    ends(i8::MIN, i8::MAX, "-129", "128");
    ends(i16::MIN, i16::MAX, "-32769", "32768");
    ends(i32::MIN, i32::MAX, "-2147483649", "2147483648");
    ends(i64::MIN, i64::MAX, "-9223372036854775809", "9223372036854775808");
    let past = "340282366920938463463374607431768211456";
    ends(i128::MIN, i128::MAX, &format!("-{past}"), past);
    ends(u8::MIN, u8::MAX, "-1", "256");
    ends(u16::MIN, u16::MAX, "-1", "65536");
    ends(u32::MIN, u32::MAX, "-1", "4294967296");
    ends(u64::MIN, u64::MAX, "-1", "18446744073709551616");
    ends(u128::MIN, u128::MAX, "-1", past);
    refused::<u8>(number("256"), "a whole number from 0 to 255 is required, but got 256");
}

#[test]
fn floats_reject_numbers_that_lose_digits() {
    for it in [0.1, -1.5, 1e300, f64::MIN_POSITIVE, f64::INFINITY] {
        survives(it);
    }
    for it in [0.1_f32, -1.5, f32::MAX] {
        survives(it);
    }
    assert_eq!(f32::from_value(&number("0.1")), Ok(0.1));
    // What is exact is no loss, also where the shortest text of the float is another.
    assert_eq!(f64::from_value(&number("351777391925925824")), Ok(3.517773919259258e17));
    assert_eq!(f32::from_value(&number("9223372036854775808")), Ok(9_223_372_036_854_775_808.0));
    for text in ["0.1234567890123456789", "9007199254740993", "1e400"] {
        assert!(f64::from_value(&number(text)).is_err(), "{text}");
    }
    for text in ["16777217", "1e39", "1e-46"] {
        assert!(f32::from_value(&number(text)).is_err(), "{text}");
    }
}

#[test]
fn collections_round_trip() {
    survives(vec![1, 2, 2]);
    survives([Some("a".to_owned()), None]);
    survives(BTreeSet::from([3, 1]));
    survives(HashSet::from([3_u8, 1]));
    survives([3, 1].into_iter().collect::<Set<i64>>());
    survives(BTreeMap::from([("k".to_owned(), vec![true])]));
    survives(HashMap::from([("k".to_owned(), 0.5)]));
    survives((1, "a".to_owned(), None::<bool>));
    survives(Arc::new(Box::new(7_i64)));
    survives(Some(Maybe::<i64>::Unknown));
    survives(vec![Known(1), Unknown]);
}

#[test]
fn rust_types_have_terraform_types() {
    assert_eq!(<[u8; 3]>::ty(), Type::list(Type::Number));
    assert_eq!(<(bool, Option<String>)>::ty(), Type::tuple([Type::Bool, Type::String]));
    assert_eq!(<BTreeMap<String, Dynamic>>::ty(), Type::map(Type::Dynamic));
}

#[test]
fn errors_contain_the_attribute_path() {
    let list = Value::List(vec!["a".into(), Value::Null]);
    refused::<Vec<String>>(list.clone(), "[1]: a string is required, but got null");
    refused::<[String; 3]>(list.clone(), "3 elements are required, but this list has 2");
    refused::<(String, String)>(list, "[1]: a string is required, but got null");
    let map = Value::map([("k", Value::UNKNOWN)]);
    refused::<BTreeMap<String, bool>>(map, r#"["k"]: a bool is required, but got an unknown value"#);
    refused::<Vec<i64>>("a", "a list is required, but got a string");
}

/// Two texts, one address: a set of the author's type would hold one element less than the configuration.
#[test]
fn set_with_equal_elements_is_rejected() {
    let set = Value::set(["::1".into(), "0:0:0:0:0:0:0:1".into()]);
    refused::<HashSet<std::net::Ipv6Addr>>(set.clone(), "two elements of the set are semantically equal");
    assert_eq!(Vec::<std::net::Ipv6Addr>::from_value(&set).map(|it| it.len()), Ok(2));
    let map = Value::map([("::1", Value::from(1)), ("0::1", Value::from(2))]);
    let error = BTreeMap::<std::net::Ipv6Addr, i64>::from_value(&map).expect_err("one key twice");
    assert_eq!(error.message(), "another key of the map is semantically equal");
}

#[test]
fn unhandled_null_and_unknown_become_default_values() {
    let strict = Unhandled::default();
    let (null, both) = (strict.null_as_default(), strict.null_as_default().unknown_as_default());
    assert_eq!(<(u8, String)>::from_value_or(&Value::Null, null), Ok((0, String::new())));
    assert_eq!(<[bool; 2]>::from_value_or(&Value::Null, null), Ok([false, false]));
    assert_eq!(Vec::<u8>::from_value_or(&Value::List(vec![Value::UNKNOWN]), both), Ok(vec![0]));
    assert!(Vec::<u8>::from_value_or(&Value::List(vec![Value::UNKNOWN]), null).is_err());
    assert_eq!(Option::<u8>::from_value_or(&Value::UNKNOWN, both), Ok(None));
    assert_eq!(Maybe::<u8>::from_value_or(&Value::UNKNOWN, both), Ok(Unknown));
    assert_eq!(Maybe::<u8>::from_value_or(&Value::Null, both), Ok(Known(0)));
    assert!(Dynamic::from_value_or(&Value::Null, both).is_err());
}

#[test]
fn dynamic_value_keeps_its_type() {
    let list = Value::dynamic(Type::list(Type::Bool), Value::List(vec![true.into()]));
    survives(BTreeMap::from([("k".to_owned(), Some(Dynamic::from_value(&list).expect("a value")))]));
    let it = Dynamic::of(vec![true]).expect("a value");
    assert_eq!(it.to_value(), list);
    assert_eq!(it.get::<Vec<bool>>(), Ok(vec![true]));
    assert!(it.get::<Vec<u8>>().is_err());
    assert!(Dynamic::of(None::<bool>).is_err());
    assert_eq!(Option::<Dynamic>::from_value(&Value::Null), Ok(None));
}

#[test]
fn addresses_and_networks_parse_and_print() {
    use std::net::{IpAddr, Ipv4Addr};
    survives(Ipv4Addr::LOCALHOST);
    survives("10.1.2.3/8".parse::<ipnet::IpNet>().expect("a network, host bits kept"));
    assert_eq!(IpAddr::from_value(&"::0001".into()), IpAddr::from_value(&"::1".into()));
    refused::<Ipv4Addr>("010.0.0.1", "an IPv4 address is required: invalid IPv4 address syntax");
    assert!(ipnet::Ipv6Net::from_value(&"10.0.0.0/8".into()).is_err());
}

#[test]
fn urls_and_uuids_parse_and_print() {
    let url = url::Url::from_value(&"HTTPS://example.com".into()).expect("a URL");
    assert_eq!(Ok(url.clone()), url::Url::from_value(&"https://example.com/".into()));
    survives(url);
    refused::<url::Url>("here", "a URL is required: relative URL without a base");
    let uuid = uuid::Uuid::from_value(&"{67E55044-10B1-426F-9247-BB680E5FE0C8}".into());
    assert_eq!(uuid, uuid::Uuid::from_value(&"67e55044-10b1-426f-9247-bb680e5fe0c8".into()));
}

#[test]
fn json_documents_are_compared_by_content() {
    let read = |text: &str| serde_json::Value::from_value(&text.into());
    assert_eq!(read(r#"{"a": [1, 2], "b": "\"1e999\""}"#), read(r#"{"b":"\"1e999\"","a":[1,2]}"#));
    assert_ne!(read("[1,2]"), read("[2,1]"));
    survives(read(r#"{"a":null,"b":18446744073709551615,"c":0.1}"#).expect("a document"));
    // The last digit counts.
    assert_eq!(read("2.2331463283039115e-108").map(|it| it.as_f64()), Ok(Some(2.2331463283039115e-108)));
    for text in
        ["", "{", "1 2", "[0.1234567890123456789]", r#"{"n":340282366920938463463374607431768211457}"#]
    {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn times_and_durations_parse_and_print() {
    use jiff::{SignedDuration, Timestamp};
    use std::time::Duration;
    let read = |text: &str| Timestamp::from_value(&text.into());
    assert_eq!(read("2030-01-01T00:00:00Z"), read("2030-01-01T02:00:00.000+02:00"));
    survives(read("2030-01-01T00:00:00.123456789Z").expect("a time"));
    for text in [
        "2030-01-01",
        "2030-01-01 00:00:00Z",
        "2030-01-01T00:00:00",
        "2030-01-01T00:00:00[UTC]",
        "2030-13-01T00:00:00Z",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(SignedDuration::from_value(&"-1h30m".into()), Ok(SignedDuration::from_mins(-90)));
    assert_eq!(Duration::from_value(&"PT90S".into()), Duration::from_value(&"1m30s".into()));
    survives(Duration::from_millis(1500));
    assert!(Duration::from_value(&"-1s".into()).is_err());
    survives(SignedDuration::MIN);
    refused::<Duration>(
        Duration::MAX.to_value(),
        "a non-negative duration such as 1h30m is required, but got a number",
    );
}

#[test]
fn big_numbers_round_trip_without_loss() {
    use num_bigint::BigInt;
    use rust_decimal::Decimal;
    for text in ["0", "-1", "123456789012345678901234567890"] {
        survives(text.parse::<BigInt>().expect("an integer"));
    }
    survives(BigInt::from(1) << 5000_u32);
    let past = (BigInt::from(1) << 5000_u32) + 1_u8;
    refused::<BigInt>(past.to_value(), "a whole number is required, but got a string");
    assert!(BigInt::from_value(&number("0.5")).is_err());
    assert!(BigInt::from_value(&number("Inf")).is_err());
    survives("-79228162514264337593543950335".parse::<Decimal>().expect("a decimal"));
    survives("0.0000000000000000000000000001".parse::<Decimal>().expect("a decimal"));
    for text in ["1e29", "0.12345678901234567890123456789", "Inf"] {
        assert!(Decimal::from_value(&number(text)).is_err(), "{text}");
    }
    survives(Number::parse("0.1234567890123456789").expect("a number"));
}
