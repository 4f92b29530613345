//! Conversions between Rust types and values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ferroform::value::{Number, Type, Value};
use ferroform::{Attr, Dynamic, Known, Maybe, Set, Unhandled, Unknown};

fn assert_round_trip<T: ferroform::AttrValue>(it: T) {
    assert_eq!(T::from_value(&it.to_value()), Ok(it));
}

fn assert_rejected<T: ferroform::AttrValue>(value: impl Into<Value>, why: &str) {
    let error = T::from_value(&value.into()).expect_err(why);
    assert_eq!(error.to_string(), why);
}

fn number(decimal: &str) -> Value {
    Value::Number(decimal.parse().expect("a number"))
}

#[test]
fn integers_convert_exactly_within_their_range() {
    fn assert_range<T: ferroform::AttrValue + Copy>(min: T, max: T, below: &str, above: &str) {
        assert_round_trip(min);
        assert_round_trip(max);
        for string in [below, above, "0.5"] {
            assert!(
                T::from_value(&number(string)).is_err(),
                "{string} is not a {}",
                std::any::type_name::<T>()
            );
        }
    }
    assert_range(i8::MIN, i8::MAX, "-129", "128");
    assert_range(i16::MIN, i16::MAX, "-32769", "32768");
    assert_range(i32::MIN, i32::MAX, "-2147483649", "2147483648");
    assert_range(i64::MIN, i64::MAX, "-9223372036854775809", "9223372036854775808");
    let past = "340282366920938463463374607431768211456";
    assert_range(i128::MIN, i128::MAX, &format!("-{past}"), past);
    assert_range(u8::MIN, u8::MAX, "-1", "256");
    assert_range(u16::MIN, u16::MAX, "-1", "65536");
    assert_range(u32::MIN, u32::MAX, "-1", "4294967296");
    assert_range(u64::MIN, u64::MAX, "-1", "18446744073709551616");
    assert_range(u128::MIN, u128::MAX, "-1", past);
    assert_rejected::<u8>(number("256"), "a whole number between 0 and 255 is required, but got 256");
}

#[test]
fn number_converts_to_nearest_float() {
    for it in [0.1, -1.5, 1e300, f64::MIN_POSITIVE, f64::INFINITY] {
        assert_round_trip(it);
    }
    for it in [0.1_f32, -1.5, f32::MAX] {
        assert_round_trip(it);
    }
    assert_eq!(f32::from_value(&number("0.1")), Ok(0.1));
    // A number that the float represents exactly is accepted, even if the shortest decimal string differs.
    assert_eq!(f64::from_value(&number("351777391925925824")), Ok(3.517773919259258e17));
    assert_eq!(f32::from_value(&number("9223372036854775808")), Ok(9_223_372_036_854_775_808.0));
    assert_eq!(f64::from_value(&number("0.12345678901234567890")), Ok(0.123_456_789_012_345_68));
    assert_eq!(f64::from_value(&number("9007199254740993")), Ok(9_007_199_254_740_992.0));
    assert_eq!(f32::from_value(&number("16777217")), Ok(16_777_216.0));
    assert_eq!(f64::from_value(&number("-0")), Ok(0.0));
    for string in ["1e400", "-1e400", "1e-400"] {
        assert!(f64::from_value(&number(string)).is_err(), "{string}");
    }
    for string in ["1e39", "1e-46"] {
        assert!(f32::from_value(&number(string)).is_err(), "{string}");
    }
    // `to_f64_exact`, `as_f64` and `as_f32` do not round.
    let Value::Number(precise) = number("9007199254740993") else { unreachable!() };
    assert_eq!((precise.to_f64_exact(), precise.as_f64(), precise.as_f32()), (None, None, None));
}

#[test]
fn collections_round_trip() {
    assert_round_trip(vec![1, 2, 2]);
    assert_round_trip([Some("a".to_owned()), None]);
    assert_round_trip(BTreeSet::from([3, 1]));
    assert_round_trip(HashSet::from([3_u8, 1]));
    assert_round_trip([3, 1].into_iter().collect::<Set<i64>>());
    assert_round_trip(BTreeMap::from([("k".to_owned(), vec![true])]));
    assert_round_trip(HashMap::from([("k".to_owned(), 0.5)]));
    assert_round_trip((1, "a".to_owned(), None::<bool>));
    assert_round_trip(Arc::new(Box::new(7_i64)));
    assert_round_trip(Some(Maybe::<i64>::Unknown));
    assert_round_trip(vec![Known(1), Unknown]);
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
    assert_rejected::<Vec<String>>(list.clone(), "[1]: a string is required, but got null");
    assert_rejected::<[String; 3]>(list.clone(), "3 elements are required, but this list has 2");
    assert_rejected::<(String, String)>(list, "[1]: a string is required, but got null");
    let map = Value::map([("k", Value::UNKNOWN)]);
    assert_rejected::<BTreeMap<String, bool>>(map, r#"["k"]: a bool is required, but got an unknown value"#);
    assert_rejected::<Vec<i64>>("a", "a list is required, but got a string");
}

/// Two strings for the same address: a set of addresses would contain fewer elements than the configuration.
#[test]
fn equal_elements_of_a_set_are_merged_and_equal_keys_of_a_map_are_rejected() {
    let set = Value::set(["::1".into(), "0:0:0:0:0:0:0:1".into()]);
    assert_eq!(HashSet::<std::net::Ipv6Addr>::from_value(&set).map(|it| it.len()), Ok(1));
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
    assert_round_trip(BTreeMap::from([("k".to_owned(), Some(Dynamic::from_value(&list).expect("a value")))]));
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
    assert_round_trip(Ipv4Addr::LOCALHOST);
    assert_round_trip("10.1.2.3/8".parse::<ipnet::IpNet>().expect("a network, host bits kept"));
    assert_eq!(IpAddr::from_value(&"::0001".into()), IpAddr::from_value(&"::1".into()));
    assert_rejected::<Ipv4Addr>(
        "010.0.0.1",
        "an IPv4 address such as 192.0.2.1 is required, but got \"010.0.0.1\": invalid IPv4 address syntax",
    );
    assert!(ipnet::Ipv6Net::from_value(&"10.0.0.0/8".into()).is_err());
}

#[test]
fn urls_and_uuids_parse_and_print() {
    let url = url::Url::from_value(&"HTTPS://example.com".into()).expect("a URL");
    assert_eq!(Ok(url.clone()), url::Url::from_value(&"https://example.com/".into()));
    assert_round_trip(url);
    assert_rejected::<url::Url>(
        "here",
        "a URL such as https://example.com is required, but got \"here\": relative URL without a base",
    );
    let uuid = uuid::Uuid::from_value(&"{67E55044-10B1-426F-9247-BB680E5FE0C8}".into());
    assert_eq!(uuid, uuid::Uuid::from_value(&"67e55044-10b1-426f-9247-bb680e5fe0c8".into()));
}

#[test]
fn json_documents_are_compared_by_content() {
    let read = |string: &str| serde_json::Value::from_value(&string.into());
    assert_eq!(read(r#"{"a": [1, 2], "b": "\"1e999\""}"#), read(r#"{"b":"\"1e999\"","a":[1,2]}"#));
    assert_ne!(read("[1,2]"), read("[2,1]"));
    assert_round_trip(read(r#"{"a":null,"b":18446744073709551615,"c":0.1}"#).expect("a document"));
    // The conversion is exact to the last digit.
    assert_eq!(read("2.2331463283039115e-108").map(|it| it.as_f64()), Ok(Some(2.2331463283039115e-108)));
    for string in
        ["", "{", "1 2", "[0.1234567890123456789]", r#"{"n":340282366920938463463374607431768211457}"#]
    {
        assert!(read(string).is_err(), "{string}");
    }
}

#[test]
fn times_and_durations_parse_and_print() {
    use jiff::{SignedDuration, Timestamp};
    use std::time::Duration;
    let read = |string: &str| Timestamp::from_value(&string.into());
    assert_eq!(read("2030-01-01T00:00:00Z"), read("2030-01-01T02:00:00.000+02:00"));
    assert_round_trip(read("2030-01-01T00:00:00.123456789Z").expect("a time"));
    for string in [
        "2030-01-01",
        "2030-01-01 00:00:00Z",
        "2030-01-01T00:00:00",
        "2030-01-01T00:00:00[UTC]",
        "2030-13-01T00:00:00Z",
    ] {
        assert!(read(string).is_err(), "{string}");
    }
    assert_eq!(SignedDuration::from_value(&"-1h30m".into()), Ok(SignedDuration::from_mins(-90)));
    assert_eq!(Duration::from_value(&"PT90S".into()), Duration::from_value(&"1m30s".into()));
    assert_round_trip(Duration::from_millis(1500));
    assert!(Duration::from_value(&"-1s".into()).is_err());
    assert_round_trip(SignedDuration::MIN);
    assert_rejected::<Duration>(
        Duration::MAX.to_value(),
        "a non-negative duration such as 1h30m is required, but got a number",
    );
}

#[test]
fn big_numbers_round_trip_without_loss() {
    use num_bigint::BigInt;
    use rust_decimal::Decimal;
    for string in ["0", "-1", "123456789012345678901234567890"] {
        assert_round_trip(string.parse::<BigInt>().expect("an integer"));
    }
    assert_round_trip(BigInt::from(1) << 5000_u32);
    let past = (BigInt::from(1) << 5000_u32) + 1_u8;
    let error = BigInt::from_value(&past.to_value()).expect_err("more than 512 bits").to_string();
    assert!(error.starts_with("a whole number is required, but got 14124670321394"), "{error}");
    assert!(error.ends_with("…, which Terraform cannot represent"), "{error}");
    assert!(BigInt::from_value(&number("0.5")).is_err());
    assert!(BigInt::from_value(&number("Inf")).is_err());
    assert_round_trip("-79228162514264337593543950335".parse::<Decimal>().expect("a decimal"));
    assert_round_trip("0.0000000000000000000000000001".parse::<Decimal>().expect("a decimal"));
    for string in ["1e29", "0.12345678901234567890123456789", "Inf"] {
        assert!(Decimal::from_value(&number(string)).is_err(), "{string}");
    }
    assert_round_trip(Number::parse("0.1234567890123456789").expect("a number"));
}
