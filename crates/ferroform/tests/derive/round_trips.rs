//! Values of Rust types round-trip through MessagePack and JSON.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use ferroform::value::{NfcString, Number, Type, Typed, json, msgpack};
use ferroform::{Attr, Data, Dynamic, Known, Maybe, Model, Set, Unknown};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::{SignedDuration, Timestamp};
use num_bigint::BigInt;
use proptest::collection::{btree_map, btree_set, hash_map, hash_set, vec};
use proptest::prelude::*;
use rust_decimal::Decimal;

/// Asserts that a value round-trips through MessagePack and, if it is wholly known, through JSON.
fn check_round_trip<T: ferroform::AttrValue>(it: T) -> Result<(), TestCaseError> {
    let value = it.to_value();
    prop_assert_eq!(T::from_value(&value), Ok(it.clone()));
    let sent = msgpack::encode(&value, &T::ty()).expect("a value of its type");
    let read = msgpack::decode(&sent, &T::ty()).expect("what was written");
    prop_assert_eq!(T::from_value(&read), Ok(it.clone()));
    if value.is_wholly_known() {
        let stored = json::encode(&value, &T::ty()).expect("a value of its type");
        let read = json::decode(&stored, &T::ty()).expect("what was written");
        prop_assert_eq!(T::from_value(&read), Ok(it.clone()));
    }
    // The checked conversion returns the same value.
    let data = Data::typed(T::ty(), value).expect("a value of its type");
    prop_assert_eq!(data.read::<T>(), Ok(it));
    Ok(())
}

/// Terraform strings are in normal form C.
fn string() -> impl Strategy<Value = String> + Clone {
    any::<String>().prop_map(|it| NfcString::from(it).to_string())
}

/// JSON has no infinities.
fn float() -> impl Strategy<Value = f64> + Clone {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

#[derive(Attr, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Level {
    Low,
    High,
}

fn level() -> impl Strategy<Value = Level> + Clone {
    prop_oneof![Just(Level::Low), Just(Level::High)]
}

#[derive(Attr, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Name(String);

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: Name,
    #[attr(rename = "type")]
    kind: Option<Level>,
    #[attr(flatten)]
    position: Position,
    sizes: BTreeMap<Level, Vec<Option<u64>>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Position {
    row: i16,
}

fn disk() -> impl Strategy<Value = Disk> {
    let sizes = btree_map(level(), vec(any::<Option<u64>>(), 0..3), 0..3);
    (string(), prop::option::of(level()), any::<i16>(), sizes).prop_map(|(name, kind, row, sizes)| Disk {
        name: Name(name),
        kind,
        position: Position { row },
        sizes,
    })
}

proptest! {
    #[test]
    fn numbers_round_trip(
        a in any::<(i8, i16, i32, i64, i128, isize)>(),
        b in any::<(u8, u16, u32, u64, u128, usize)>(),
        c in (float(), prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO),
        big in (any::<bool>(), vec(any::<u8>(), 0..64)),
        small in (any::<i128>(), 0..=28_u32),
    ) {
        check_round_trip(a)?;
        check_round_trip(b)?;
        check_round_trip(c)?;
        // The decimal string of a 53-bit integer is parsed with a precision of 512 bits.
        check_round_trip(c.0.to_string().parse::<Number>().expect("a number"))?;
        let sign = if big.0 { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus };
        check_round_trip(BigInt::from_bytes_be(sign, &big.1))?;
        check_round_trip(Decimal::from_i128_with_scale(small.0 >> 32, small.1))?;
    }

    #[test]
    fn strings_round_trip(
        it in string(),
        v4 in any::<[u8; 4]>(),
        v6 in any::<[u8; 16]>(),
        prefix in 0..=32_u8,
        uuid in any::<u128>(),
        path in "[a-z0-9/]{0,8}",
    ) {
        check_round_trip(it)?;
        let (v4, v6) = (Ipv4Addr::from(v4), Ipv6Addr::from(v6));
        check_round_trip((v4, v6, IpAddr::from(v4), IpAddr::from(v6)))?;
        let (four, six) = (Ipv4Net::new(v4, prefix), Ipv6Net::new(v6, prefix * 4));
        let (four, six) = (four.expect("a prefix"), six.expect("a prefix"));
        check_round_trip((four, six, IpNet::from(four), IpNet::from(six)))?;
        check_round_trip(uuid::Uuid::from_u128(uuid))?;
        check_round_trip(url::Url::parse(&format!("https://example.com/{path}?q#f")).expect("a URL"))?;
    }

    #[test]
    fn times_round_trip(
        seconds in -377_705_023_201..=253_402_207_200_i64,
        nanos in 0..1_000_000_000_i32,
        signed in any::<i64>(),
        unsigned in 0..=i64::MAX as u64,
    ) {
        if let Ok(it) = Timestamp::new(seconds, nanos)
            && it.as_second() > -62_135_596_800
        {
            check_round_trip(it)?;
        }
        check_round_trip(SignedDuration::new(signed, if signed < 0 { -nanos } else { nanos }))?;
        check_round_trip(Duration::new(unsigned, nanos.unsigned_abs()))?;
    }

    #[test]
    fn documents_round_trip(
        numbers in vec(any::<i64>(), 0..3), floats in vec(float(), 0..3), members in btree_map(string(), any::<bool>(), 0..3)
    ) {
        check_round_trip(serde_json::json!({"numbers": numbers, "floats": floats, "members": members, "null": null}))?;
    }

    #[test]
    fn collections_round_trip(
        list in vec(any::<Option<u8>>(), 0..4),
        tree in btree_set(string(), 0..4),
        hashed in hash_set(any::<i64>(), 0..4),
        map in btree_map(string(), vec(any::<bool>(), 0..3), 0..4),
        table in hash_map(string(), float(), 0..4),
        array in any::<[i32; 3]>(),
        tuple in any::<(u8, bool, Option<i64>, u8, u8, u8, u8, u8, u8, u8)>(),
        disks in vec(disk(), 0..3),
    ) {
        check_round_trip(Box::new(Arc::new(list.clone())))?;
        check_round_trip(list.iter().copied().map(|it| it.map_or(Unknown, Known)).collect::<Vec<Maybe<u8>>>())?;
        check_round_trip::<BTreeSet<String>>(tree.clone())?;
        check_round_trip::<Set<String>>(tree.into_iter().collect())?;
        check_round_trip::<HashSet<i64>>(hashed)?;
        check_round_trip(map.clone())?;
        check_round_trip::<HashMap<String, f64>>(table)?;
        check_round_trip(array)?;
        check_round_trip(tuple)?;
        check_round_trip(Some(disks.clone()))?;
        check_round_trip(Dynamic::of(disks).expect("known"))?;
        check_round_trip(Dynamic::of(map).expect("known"))?;
    }

    /// Neither the order nor the duplicates of the elements affect a set.
    #[test]
    fn set_equality_ignores_order(elements in vec(0..5_i64, 0..8), turn in 0..8_usize) {
        let mut turned = elements.clone();
        turned.rotate_left(turn.min(elements.len()));
        turned.extend(elements.first());
        let set = |it: &[i64]| Data::typed(
            Type::set(Type::Number),
            ferroform::value::Value::set(it.iter().map(|it| (*it).into())),
        ).expect("a set");
        let (a, b) = (set(&elements), set(&turned));
        prop_assert_eq!(&a, &b);
        prop_assert_eq!(a.read::<BTreeSet<i64>>(), b.read::<BTreeSet<i64>>());
        prop_assert_eq!(a.read::<Set<i64>>(), b.read::<Set<i64>>());
        let sent = |it: Data| {
            let it = Typed::from(it);
            msgpack::encode(&it.value, &it.ty)
        };
        prop_assert_eq!(sent(a), sent(b));
    }
}
