//! Untrusted input is rejected or decoded within limits of time, memory and stack.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

#[path = "common/deadline.rs"]
mod deadline;

use deadline::within_deadline;
use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Number, Type, Value, json, msgpack, unify};

#[test]
fn large_exponents_are_rejected() {
    for decimal in [
        "1e999999999",
        "-1e-999999999",
        "1e99999999999999999999",
        "1p999999999",
        "0.1p-9999999999",
        "9e-2147483648",
    ] {
        assert!(within_deadline(|| Number::parse(decimal)).is_err(), "{decimal}");
    }
    assert!(within_deadline(|| Number::parse("0e999999999")).unwrap().is_zero());
    assert!(Number::parse("1e20000").is_err() && Number::parse("1e-20000").is_err());
    let far = Number::parse("1e19000").unwrap();
    assert_eq!(within_deadline(|| far.to_string()).len(), 19_001);
    let near = Number::parse("1e-19000").unwrap();
    assert_eq!(within_deadline(|| near.to_string()).len(), 19_002);
    // Each number is formatted when it is hashed.
    let tiny: Vec<String> = (1..=200).map(|i| format!("{i}e-18000")).collect();
    let document = format!("[{}]", tiny.join(","));
    let set = within_deadline(|| json::decode(document.as_bytes(), &Type::set(Type::Number))).unwrap();
    assert!(matches!(set, Value::Set(it) if it.len() == 200));
}

#[test]
fn long_numbers_are_parsed_in_time() {
    let digits = "9".repeat(1_000_000);
    assert!(within_deadline(|| Number::parse(&digits)).is_err());
    let fraction = within_deadline(|| Number::parse(&format!("0.{digits}"))).unwrap();
    assert_eq!(fraction.to_string(), "1");
    let spelt = format!("{}{}", "0".repeat(1_000_000), "5");
    assert_eq!(within_deadline(|| Number::parse(&spelt)).unwrap(), Number::from(5));
}

#[test]
fn length_prefix_reserves_no_memory() {
    let list = Type::list(Type::String);
    for bytes in [
        &b"\xdd\xff\xff\xff\xff"[..],
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x0c",
    ] {
        for ty in [&list, &Type::String, &Type::Dynamic, &Type::map(list.clone())] {
            assert!(within_deadline(|| msgpack::decode(bytes, ty)).is_err());
        }
    }
    assert!(within_deadline(|| msgpack::decode(b"\xdf\xff\xff\xff\xff", &Type::map(Type::Bool))).is_err());
    // A list whose refinements require a billion elements stays unknown.
    let refined = b"\xc7\x0f\x0c\x83\x01\xc2\x05\xce\x3b\x9a\xca\x00\x06\xce\x3b\x9a\xca\x00";
    assert!(within_deadline(|| msgpack::decode(refined, &list)).unwrap().is_unknown());
}

/// The limit of the decoders.
const MAX_ELEMENTS: usize = 4_000_000;

/// The MessagePack of `{ items = … }` with an array or a map of this length, followed by that many bytes.
fn items(tag: u8, length: usize, bytes: usize) -> Vec<u8> {
    let header = [b"\x81\xa5items", &[tag][..], &u32::try_from(length).unwrap().to_be_bytes()].concat();
    [header, vec![0xc0; bytes]].concat()
}

#[test]
fn number_of_elements_in_messagepack_is_limited() {
    let object = |items: Type| Type::object([("items", items)]);
    let decode = |bytes: Vec<u8>, ty: Type| msgpack::decode(&bytes, &object(ty));
    let (list, map) = (Type::list(Type::Bool), Type::map(Type::Bool));
    // The attribute counts as well.
    let most = MAX_ELEMENTS - 1;
    assert!(decode(items(0xdd, most, most), list.clone()).is_ok());
    let error = decode(items(0xdd, most + 1, most + 1), list.clone()).unwrap_err();
    let expected = "items: too many elements: this collection has 4000000 in addition to 1 before it, and a value can \
                    have at most 4000000 elements and attributes at all depths";
    assert_eq!((error.to_string().as_str(), error.is_limit_exceeded()), (expected, true));
    assert_eq!(
        error.redacted(),
        "too many elements: a value can have at most 4000000 elements and attributes at all depths"
    );
    // The length is checked before the elements are decoded: these are not bools.
    let twenty_million = vec![0; 40_000_000];
    let bytes = [items(0xdf, 20_000_000, 0), twenty_million].concat();
    let error = within_deadline(|| msgpack::decode(&bytes, &object(map.clone()))).unwrap_err();
    assert!(
        error.to_string().starts_with("items: too many elements: this collection has 20000000, "),
        "{error}"
    );
    // A wrong length does not count.
    assert!(decode(items(0xdd, 1 << 30, 10), list.clone()).unwrap_err().is_malformed());
    // Elements of nested collections are counted together.
    let nested = [items(0xdd, 2, 0), items(0xdd, most, most)[7..].to_vec(), b"\x91\xc0".to_vec()].concat();
    let error = decode(nested, Type::list(list)).unwrap_err();
    assert_eq!(error.path().to_string(), "items[0]");
}

#[test]
fn number_of_elements_in_json_is_limited() {
    // The exponent of such a number counts as 246 elements.
    let numbers = |count: usize| format!("[{}0]", "1e-19000,".repeat(count));
    let list = |it: &str| format!(r#"{{"type":["list","number"],"value":{it}}}"#);
    let decode = |text: String, ty: &Type| within_deadline(|| json::decode(text.as_bytes(), ty));
    let ty = Type::list(Type::Number);
    assert!(decode(numbers(16_000), &ty).is_ok());
    assert!(decode(numbers(17_000), &ty).unwrap_err().is_limit_exceeded());
    let pair = Type::tuple([Type::Dynamic, Type::Dynamic]);
    let halves = format!("[{},{}]", list(&numbers(8_000)), list(&numbers(9_000)));
    assert!(decode(halves, &pair).unwrap_err().is_limit_exceeded());

    let null = format!("[{}null]", "null,".repeat(MAX_ELEMENTS));
    for error in [
        json::decode(null.as_bytes(), &Type::list(Type::Bool)).unwrap_err(),
        json::decode_state(null.as_bytes(), &Type::set(Type::Bool), true).unwrap_err(),
        json::implied_type(null.as_bytes()).unwrap_err(),
    ] {
        assert!(error.is_limit_exceeded(), "{error}");
    }
    let types = format!("[\"tuple\",[{}\"bool\"]]", "\"bool\",".repeat(MAX_ELEMENTS));
    assert!(json::type_from_slice(types.as_bytes()).unwrap_err().is_limit_exceeded());
    let length = u32::try_from(types.len()).unwrap().to_be_bytes();
    let dynamic = [b"\x92\xc6", &length[..], types.as_bytes(), b"\xc0"].concat();
    assert!(within_deadline(|| msgpack::decode(&dynamic, &Type::Dynamic)).unwrap_err().is_limit_exceeded());
}

#[test]
fn nesting_is_limited() {
    let mut bytes = Vec::new();
    for _ in 0..100_000 {
        bytes.extend(b"\x92\xc4\x09\"dynamic\"");
    }
    assert!(msgpack::decode(&bytes, &Type::Dynamic).is_err());
    let brackets = "[".repeat(100_000);
    assert!(json::implied_type(brackets.as_bytes()).is_err());
    assert!(json::type_from_slice("[\"list\",".repeat(100_000).as_bytes()).is_err());
    let wrapped = "{\"type\":\"dynamic\",\"value\":".repeat(100_000);
    assert!(json::decode(wrapped.as_bytes(), &Type::Dynamic).is_err());
    let undeclared = format!("{{\"gone\":{brackets}");
    assert!(json::decode_state(undeclared.as_bytes(), &Type::object::<&str>([]), true).is_err());
    // A value within the limits must also be encodable, comparable and droppable.
    let deep = format!("{}{}", "[".repeat(250), "]".repeat(250));
    let value = json::decode_simple(deep.as_bytes()).unwrap();
    assert_eq!(json::encode_simple(&value).unwrap(), deep.as_bytes());
    let bytes = msgpack::encode(&value, &Type::Dynamic).unwrap();
    assert_eq!(msgpack::decode(&bytes, &Type::Dynamic).unwrap(), value);
}

#[test]
fn truncated_input_is_rejected() {
    let ty = Type::object([("a", Type::list(Type::Dynamic)), ("b", Type::String)]);
    let list = Value::List(vec![Value::dynamic(Type::Number, Value::from(300)); 3]);
    let value = Value::object([("a", list), ("b", "text".into())]);
    let bytes = msgpack::encode(&value, &ty).unwrap();
    assert_eq!(msgpack::decode(&bytes, &ty).unwrap(), value);
    for end in 0..bytes.len() {
        assert!(msgpack::decode(&bytes[..end], &ty).is_err());
    }
    let document = json::encode(&value, &ty).unwrap();
    for end in 0..document.len() {
        assert!(json::decode(&document[..end], &ty).is_err());
    }
}

/// All operations on the types with the maximum nesting depth.
#[test]
fn deepest_types_do_not_overflow_the_stack() {
    let read = |open: &str, leaf: &str, close: &str, depth: usize| {
        json::type_from_slice(format!("{}\"{leaf}\"{}", open.repeat(depth), close.repeat(depth)).as_bytes())
    };
    for (open, close, most) in [("[\"list\",", "]", 511), ("[\"object\",{\"a\":", "}]", 255)] {
        assert!(read(open, "bool", close, most + 5).is_err());
        let (string, number) = (read(open, "string", close, most), read(open, "number", close, most));
        let (string, number) = (string.unwrap(), number.unwrap());
        assert_eq!(json::type_from_slice(json::type_to_string(&string).as_bytes()).unwrap(), string);
        assert!(string.to_string().len() > most);
        assert_eq!(unify(&[string.clone(), number.clone()], Mode::Unsafe).unwrap().ty, string);
        assert!(convert(Value::Null, &number, &string).is_ok());
        assert!(convert(Value::Null, &number, &Type::Bool).is_err());
    }
}

/// Every prefix of a document, and every document with one replaced byte.
#[test]
fn damaged_json_is_decoded_or_rejected() {
    let ty =
        Type::object([("a", Type::set(Type::Dynamic)), ("b", Type::tuple([Type::Number, Type::String]))]);
    let value = r#"{"a": [{"type": ["list", "bool"], "value": [true, null]}], "b": [-1.5e3, "\u00e9\ud83d\ude00\n"]}"#;
    let types = r#"["object", {"a": ["set", "dynamic"], "b": ["tuple", ["number", "string"]]}, ["a"]]"#;
    let read_all = |bytes: &[u8]| {
        let read = [
            json::decode(bytes, &ty).is_ok(),
            json::decode_state(bytes, &ty, false).is_ok(),
            json::decode_state(bytes, &ty, true).is_ok(),
            json::decode_simple(bytes).is_ok(),
            json::implied_type(bytes).is_ok(),
            json::type_from_slice(bytes).is_ok(),
        ];
        if let Ok(string) = std::str::from_utf8(bytes) {
            let _ = Number::parse(string);
        }
        read.contains(&true)
    };
    for document in [value, types] {
        assert!(read_all(document.as_bytes()));
        for end in 0..document.len() {
            assert!(!read_all(&document.as_bytes()[..end]), "{}", &document[..end]);
            for byte in [0, b'"', b'\\', b'[', b'}', b',', b'9', b'-', b'e', 0x80, 0xc3, 0xff] {
                let mut damaged = document.as_bytes().to_vec();
                damaged[end] = byte;
                read_all(&damaged);
            }
        }
    }
    // A string that is not UTF-8 is an error in MessagePack. In JSON, the invalid bytes become the replacement
    // character.
    assert!(msgpack::decode(b"\xa2\xc3\x28", &Type::String).is_err());
    assert_eq!(json::decode(b"\"\xc3\x28\"", &Type::String), Ok("\u{fffd}(".into()));
}

#[test]
fn large_sets_take_linear_time() {
    let elements = |shift: i64| {
        (0..50_000).map(move |i| Value::object([("id", Value::from(i + shift)), ("name", "x".into())]))
    };
    let (a, b) = within_deadline(|| (Value::set(elements(0)), Value::set(elements(0).rev())));
    assert!(within_deadline(|| a == b));
    assert!(within_deadline(|| a != Value::set(elements(1))));
    let ty = Type::set(Type::object([("id", Type::Number), ("name", Type::String)]));
    let bytes = within_deadline(|| msgpack::encode(&a, &ty)).unwrap();
    assert!(within_deadline(|| msgpack::decode(&bytes, &ty)).unwrap() == b);
}
