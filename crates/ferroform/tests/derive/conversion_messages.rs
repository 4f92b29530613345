//! Snapshots of the messages of all conversion errors.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use expect_test::{Expect, expect};
use ferroform::schema::{Attribute, AttributeExt as _, Block};
use ferroform::value::{Number, Path, Step, Type, Value};
use ferroform::{Attr, Data, Dynamic, IntoData, Model, Set, Unhandled, path, pattern};

/// Appends the result of reading each value as a `T`.
fn append_results<T: ferroform::AttrValue>(out: &mut String, values: impl IntoIterator<Item = Value>) {
    for it in values {
        match T::from_value(&it) {
            Ok(it) => writeln!(out, "read: {it:?}"),
            Err(error) => writeln!(out, "{error}"),
        }
        .expect("writing to a string does not fail");
    }
}

fn check(expected: Expect, all: impl FnOnce(&mut String)) {
    let mut out = String::new();
    all(&mut out);
    expected.assert_eq(&out);
}

fn number(decimal: &str) -> Value {
    Value::Number(decimal.parse().expect("a number"))
}

fn strings<const N: usize>(strings: [&str; N]) -> [Value; N] {
    strings.map(Value::from)
}

#[test]
fn scalar_conversion_messages() {
    check(
        expect![[r#"
            a bool is required, but got null
            a bool is required, but got an unknown value
            a bool is required, but got a string
            a string is required, but got null
            a string is required, but got a number
            a string is required, but got an object
            a number is required, but got a string
            a number is required, but got null
            a whole number is required, but got a string
            a whole number between 0 and 255 is required, but got 256
            a whole number between 0 and 255 is required, but got -1
            a whole number between 0 and 255 is required, but got 0.5
            a whole number between 0 and 255 is required, but got +Inf
            a number is required, but got a string
            read: 16777216.0
            a number in the range of a 32-bit float is required, but got 1000000000000000000000000000000000000000
            read: inf
            a number is required, but got a string
            read: 9007199254740992.0
            a number in the range of a 64-bit float is required, but got 10000000000000000000000000000000000000000000000000000000000000000000000000000000…
            a whole number is required, but got a string
            a whole number is required, but got 0.5
            a whole number is required, but got +Inf
            a number is required, but got a string
            a number of at most 28 digits is required, but got 100000000000000000000000000000
            a number of at most 28 digits is required, but got +Inf
        "#]],
        |out| {
            append_results::<bool>(out, [Value::Null, Value::UNKNOWN, "true".into()]);
            append_results::<String>(out, [Value::Null, number("1"), Value::object::<&str>([])]);
            append_results::<Number>(out, ["1".into(), Value::dynamic(Type::Number, Value::Null)]);
            append_results::<u8>(
                out,
                ["1".into(), number("256"), number("-1"), number("0.5"), number("Inf")],
            );
            append_results::<f32>(out, ["1".into(), number("16777217"), number("1e39"), number("Inf")]);
            append_results::<f64>(out, ["1".into(), number("9007199254740993"), number("1e400")]);
            append_results::<num_bigint::BigInt>(out, ["1".into(), number("0.5"), number("Inf")]);
            append_results::<rust_decimal::Decimal>(out, ["1".into(), number("1e29"), number("Inf")]);
        },
    );
}

#[test]
fn parsed_string_conversion_messages() {
    check(
        expect![[r#"
            an IP address such as 192.0.2.1 or 2001:db8::1 is required, but got a number
            an IP address such as 192.0.2.1 or 2001:db8::1 is required, but got "10.0.0": invalid IP address syntax
            an IPv4 address such as 192.0.2.1 is required, but got a number
            an IPv4 address such as 192.0.2.1 is required, but got "::1": invalid IPv4 address syntax
            an IPv6 address such as 2001:db8::1 is required, but got a number
            an IPv6 address such as 2001:db8::1 is required, but got "10.0.0.1": invalid IPv6 address syntax
            a network such as 10.0.0.0/8 is required, but got a number
            a network such as 10.0.0.0/8 is required, but got "10.0.0.0/33": invalid IP address syntax
            an IPv4 network such as 10.0.0.0/8 is required, but got a number
            an IPv4 network such as 10.0.0.0/8 is required, but got "fd00::/8": invalid IP address syntax
            an IPv6 network such as fd00::/8 is required, but got a number
            an IPv6 network such as fd00::/8 is required, but got "10.0.0.0/8": invalid IP address syntax
            a URL such as https://example.com is required, but got a number
            a URL such as https://example.com is required, but got "": relative URL without a base
            a URL such as https://example.com is required, but got "https://": empty host
            a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8 is required, but got a number
            a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8 is required, but got "secret": a UUID consists of 32 hexadecimal digits
            a JSON document is required, but got a number
            a JSON document is required, but got "{": EOF while parsing an object at line 1 column 1
            a JSON document is required, but got "1 2": trailing characters at line 1 column 3
            a JSON document is required, but got "secret": expected value at line 1 column 1
            a JSON document is required, but got "[0.1234567890123456789]": a number has more digits than a 64-bit number can represent
            a JSON document is required, but got "{\"a\":1,\"a\":2}": an object has two members with the same name
            a time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got a number
            a time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "secret": the format is invalid
            a time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "2030-13-01T00:00:00Z": the time does not exist, or it has more than nine fractional digits
            a time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "2030-01-01T00:00:00.1234567891Z": the time does not exist, or it has more than nine fractional digits
            a time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "2016-12-31T23:59:60Z": leap seconds are not supported
            a duration such as 1h30m is required, but got a number
            a duration such as 1h30m is required, but got "secret": the format is invalid; the units are h, m, s, ms, us and ns
            a duration such as 1h30m is required, but got "1d": the format is invalid; the units are h, m, s, ms, us and ns
            a duration such as 1h30m is required, but got "99999999999999999999h": the format is invalid; the units are h, m, s, ms, us and ns
            a non-negative duration such as 1h30m is required, but got a number
            a non-negative duration such as 1h30m is required, but got "secret": the format is invalid; the units are h, m, s, ms, us and ns
            a non-negative duration such as 1h30m is required, but got "-1s": this duration is negative
        "#]],
        |out| {
            append_results::<IpAddr>(out, [number("1"), "10.0.0".into()]);
            append_results::<Ipv4Addr>(out, [number("1"), "::1".into()]);
            append_results::<Ipv6Addr>(out, [number("1"), "10.0.0.1".into()]);
            append_results::<ipnet::IpNet>(out, [number("1"), "10.0.0.0/33".into()]);
            append_results::<ipnet::Ipv4Net>(out, [number("1"), "fd00::/8".into()]);
            append_results::<ipnet::Ipv6Net>(out, [number("1"), "10.0.0.0/8".into()]);
            append_results::<url::Url>(out, [number("1"), "".into(), "https://".into()]);
            append_results::<uuid::Uuid>(out, [number("1"), "secret".into()]);
            append_results::<serde_json::Value>(out, [number("1")]);
            append_results::<serde_json::Value>(
                out,
                strings(["{", "1 2", "secret", "[0.1234567890123456789]", r#"{"a":1,"a":2}"#]),
            );
            append_results::<jiff::Timestamp>(out, [number("1")]);
            append_results::<jiff::Timestamp>(
                out,
                strings([
                    "secret",
                    "2030-13-01T00:00:00Z",
                    "2030-01-01T00:00:00.1234567891Z",
                    "2016-12-31T23:59:60Z",
                ]),
            );
            append_results::<jiff::SignedDuration>(
                out,
                [number("1"), "secret".into(), "1d".into(), "99999999999999999999h".into()],
            );
            append_results::<Duration>(out, [number("1"), "secret".into(), "-1s".into()]);
        },
    );
}

/// How the service is reached.
#[derive(Attr, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Public,
    Private,
}

/// An enum with a single variant.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
enum Only {
    This,
}

#[derive(Attr, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[attr(validate = lower)]
struct Word(String);

fn lower(string: &str) -> Result<(), &'static str> {
    if string.to_lowercase() == string { Ok(()) } else { Err("small letters are required") }
}

/// A port outside of the privileged range.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(validate = ferroform::validators::at_least(1024))]
struct Port(u16);

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    size: Option<u8>,
}

#[test]
fn custom_type_conversion_messages() {
    check(
        expect![[r#"
            one of "public", "private" is required, but got null
            one of "public", "private" is required, but got a number
            one of "public", "private" is required, but got "secret"
            "this" is required, but got null
            "this" is required, but got "that"
            a string is required, but got null
            Small letters are required.
            an object is required, but got null
            an object is required, but got an unknown value
            an object is required, but got a string
            size: there is no attribute for this field
            row: there is no field for this attribute
            size: a whole number between 0 and 255 is required, but got 256
            a value is required, but got null
            a value is required, but got an unknown value
            a value is required, but got an unknown value
            dynamic value with its type required, but have list
        "#]],
        |out| {
            append_results::<Access>(out, [Value::Null, number("1"), "secret".into()]);
            append_results::<Only>(out, [Value::Null, "that".into()]);
            append_results::<Word>(out, [Value::Null, "A".into()]);
            append_results::<Disk>(out, [Value::Null, Value::UNKNOWN, "a".into()]);
            append_results::<Disk>(out, [Value::object([("name", Value::from("a"))])]);
            append_results::<Disk>(
                out,
                [Value::object([("name", "a".into()), ("size", Value::Null), ("row", Value::Null)])],
            );
            append_results::<Disk>(out, [Value::object([("name", "a".into()), ("size", number("256"))])]);
            append_results::<Dynamic>(
                out,
                [Value::Null, Value::UNKNOWN, Value::dynamic(Type::Bool, Value::UNKNOWN)],
            );
            append_results::<Dynamic>(out, [Value::List(Vec::new())]);
        },
    );
}

#[test]
fn collection_conversion_messages() {
    let list = |it: &[Value]| Value::List(it.to_vec());
    check(
        expect![[r#"
            a list is required, but got null
            a list is required, but got a string
            [1]: a whole number is required, but got null
            a set is required, but got null
            a set is required, but got a list
            [an element of the set]: Small letters are required.
            [an element of the set]: one of "public", "private" is required, but got a number
            a set is required, but got an unknown value
            a map is required, but got null
            a map is required, but got a list
            ["k"]: a whole number is required, but got null
            a map is required, but got an unknown value
            ["secret"]: one of "public", "private" is required, but got "secret"
            a list of 2 elements is required, but got null
            2 elements are required, but this list has 1
            [1]: a whole number between 0 and 255 is required, but got 256
            a list of 2 elements is required, but got null
            2 elements are required, but this tuple has 1
            [1]: a bool is required, but got a number
            [0]: a whole number is required, but got a string
            ["::1"]: another key of the map is semantically equal
        "#]],
        |out| {
            append_results::<Vec<u8>>(out, [Value::Null, "a".into(), list(&[number("1"), Value::Null])]);
            append_results::<BTreeSet<Word>>(out, [Value::Null, list(&[]), Value::set(strings(["a", "B"]))]);
            append_results::<BTreeSet<Access>>(out, [Value::set([number("1")])]);
            append_results::<Set<Option<u8>>>(out, [Value::UNKNOWN]);
            append_results::<BTreeMap<String, u8>>(
                out,
                [Value::Null, list(&[]), Value::map([("k", Value::Null)])],
            );
            append_results::<HashMap<String, u8>>(out, [Value::UNKNOWN]);
            append_results::<BTreeMap<Access, u8>>(out, [Value::map([("secret", number("1"))])]);
            append_results::<[u8; 2]>(
                out,
                [Value::Null, list(&[number("1")]), list(&[number("1"), number("256")])],
            );
            append_results::<(u8, bool)>(out, [Value::Null, Value::Tuple(vec![number("1")])]);
            append_results::<(u8, bool)>(out, [Value::Tuple(vec![number("1"), number("1")])]);
            append_results::<Option<Vec<Box<u8>>>>(out, [list(&["a".into()])]);
            append_results::<BTreeMap<Ipv6Addr, u8>>(
                out,
                [Value::map([("::1", number("1")), ("0::1", number("2"))])],
            );
        },
    );
}

/// The messages for null and unknown values of types without a default value.
#[test]
fn unhandled_value_messages() {
    let all = Unhandled::default().null_as_default().unknown_as_default();
    fn append_results<T: ferroform::AttrValue>(out: &mut String, value: Value, unhandled: Unhandled) {
        let error = T::from_value_or(&value, unhandled).expect_err("no default value");
        writeln!(out, "{error}").expect("writing to a string does not fail");
    }
    check(
        expect![[r#"
            a value is required, but got null
            one of "public", "private" is required, but got null
            [0]: a URL such as https://example.com is required, but got an unknown value
            a whole number is required, but got null
            a whole number is required, but got null
            a whole number is required, but got an unknown value
        "#]],
        |out| {
            append_results::<Dynamic>(out, Value::Null, all);
            append_results::<Access>(out, Value::Null, all);
            append_results::<Vec<url::Url>>(out, Value::List(vec![Value::UNKNOWN]), all);
            append_results::<Port>(out, Value::Null, all);
            append_results::<u8>(out, Value::Null, Unhandled::default().unknown_as_default());
            append_results::<u8>(out, Value::UNKNOWN, Unhandled::default().null_as_default());
        },
    );
}

fn schema() -> Block {
    Block::new()
        .attribute(Attribute::of::<Option<String>>("name"))
        .attribute(Attribute::of::<Option<Vec<u8>>>("sizes"))
        .attribute(Attribute::of::<Option<BTreeSet<String>>>("zones"))
        .attribute(Attribute::of::<Option<(u8, bool)>>("range"))
        .attribute(Attribute::of::<Option<Dynamic>>("extra"))
}

#[test]
fn path_access_messages() {
    let mut data = Data::new(schema(), Value::Null).expect("a null object");
    data.set(path!(sizes), vec![1_u8]).expect("sizes");
    data.set(path!(extra), vec![1_u8]).expect("any value");
    data.set(path!(zones), BTreeSet::from(["a".to_owned(), "b".to_owned()])).expect("zones");
    let zone = Path::attribute("zones").then(Step::Element(Box::new("a".into())));
    let short_tuple = || Data::tuple_of([Type::Number], [1.into_data()]).expect("a tuple");
    let outcomes = [
        data.set(path!(color), "red"),
        data.set(path!(name), 1),
        data.set(path!(name), Data::null_of(Type::Number)),
        data.set(path!(sizes[2]), 1),
        data.set(path!(sizes["a"]), 1),
        data.set(path!(sizes[0]), 256),
        data.set(path!(zones), vec!["a", "a"].into_iter().map(str::to_owned).collect::<Vec<_>>()),
        data.set(&zone, "b"),
        data.set(path!(range), short_tuple()),
        data.set(path!(range[2]), 1),
        data.set(path!(extra["a"]), 1),
        data.set(path!(name), Dynamic::of(true).expect("a value")),
        data.get::<u8>(path!(name)).map(drop),
        data.get::<Vec<u8>>(path!(name)).map(drop),
        data.get::<bool>(path!(extra)).map(drop),
        data.get::<u8>(path!(extra[0].name)).map(drop),
        data.matches(&pattern!(sizes[*].name)).map(drop),
        data.attributes().and_then(|it| it[0].1.attributes().map(drop)),
        data.elements().map(drop),
        data.entries().map(drop),
        data.at(path!(sizes)).and_then(|it| it.convert(&Type::Bool)).map(drop),
        Data::new(schema(), Value::from("x")).map(drop),
        Data::typed(Type::list(Type::Bool), Value::List(vec![Value::from(1)])).map(drop),
    ];
    check(
        expect![[r#"
            color: Value Conversion Error: There is no such path: a value of the type object({extra = any, name = string, range = tuple([number, bool]), sizes = list(number), zones = set(string)}) has no `color`.
            name: Value Conversion Error: A string is required, but got a number.
            name: Value Conversion Error: A string is required, but got a null of the type number.
            sizes: Value Conversion Error: The next element of this list is [1], so there cannot be one at [2].
            sizes["a"]: Value Conversion Error: There is no such path: a value of the type list(number) has no `["a"]`.
            sizes[0]: Value Conversion Error: A whole number between 0 and 255 is required, but got 256.
            zones: Value Conversion Error: A set cannot contain an element twice.
            zones[an element of the set]: Value Conversion Error: The set already contains this element.
            range: Value Conversion Error: 2 elements are required, but this tuple has 1.
            range[2]: Value Conversion Error: There is no such path: a value of the type tuple([number, bool]) has no `[2]`.
            extra["a"]: Value Conversion Error: There is no such path: a value of the type list(number) has no `["a"]`.
            name: Value Conversion Error: A string is required, but got a dynamic value that contains a bool.
            name: Value Conversion Error: A whole number is required, but got null.
            name: Value Conversion Error: A list is required, but got null.
            extra: Value Conversion Error: A bool is required, but got a dynamic value that contains a list: read it as `Dynamic`.
            extra[0].name: Value Conversion Error: There is no such path: a value of the type number has no `name`.
            Value Conversion Error: No value of the type object({extra = any, name = string, range = tuple([number, bool]), sizes = list(number), zones = set(string)}) has a path that matches `sizes[*].name`.
            Value Conversion Error: A known object is required, but got a list.
            Value Conversion Error: A known list, set or tuple is required, but got an object.
            Value Conversion Error: A known map is required, but got an object.
            Value Conversion Error: A bool is required, but got a list of number.
            Value Conversion Error: An object is required, but got a string.
            [0]: Value Conversion Error: A bool is required, but got a number.
        "#]],
        |out| {
            for it in outcomes {
                writeln!(out, "{}", it.expect_err("an error")).expect("writing to a string does not fail");
            }
        },
    );
}

#[test]
fn constructed_value_messages() {
    let types = [("a", Type::String), ("b", Type::Number)];
    let outcomes = [
        Data::list_of(Type::Number, ["a", "b"]),
        Data::list_of(Type::Dynamic, ["a".into_data(), 1.into_data()]),
        Data::set_of(Type::String, ["a", "a"]),
        Data::map_of(Type::Bool, [("k", 1), ("l", 2)]),
        Data::map_of(Type::Number, [("k", 1), ("k", 2)]),
        Data::tuple_of([Type::Bool], []),
        Data::tuple_of([Type::Bool], [1.into_data()]),
        Data::object_of(types.clone(), [("a", 1.into_data()), ("c", 1.into_data())]),
        Data::object_of(types, [("a", "".into_data()), ("a", "".into_data()), ("b", 1.into_data())]),
    ];
    check(
        expect![[r#"
            [0]: Value Conversion Error: A number is required, but got a string.
            [1]: Value Conversion Error: A number is required, but got a string.
            Value Conversion Error: All elements must have the same type.
            [an element of the set]: Value Conversion Error: The set contains this element twice.
            ["k"]: Value Conversion Error: A bool is required, but got a number.
            ["l"]: Value Conversion Error: A bool is required, but got a number.
            ["k"]: Value Conversion Error: The map contains this key twice.
            Value Conversion Error: 1 elements are required, one for each type, but there are 0.
            [0]: Value Conversion Error: A bool is required, but got a number.
            a: Value Conversion Error: A string is required, but got a number.
            c: Value Conversion Error: There is no such attribute.
            b: Value Conversion Error: The attribute is missing.
            a: Value Conversion Error: The attribute is set twice.
        "#]],
        |out| {
            for it in outcomes {
                writeln!(out, "{}", it.expect_err("an error")).expect("writing to a string does not fail");
            }
        },
    );
}
