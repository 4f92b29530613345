//! Errors about values: paths, kinds, messages and redacted messages.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use ferroform_value::convert::{convert, mismatch};
use ferroform_value::{Error, Number, Path, Step, Type, Typed, Value, json, msgpack};

fn tags() -> Type {
    Type::object([("tags", Type::list(Type::String)), ("size", Type::Number)])
}

#[test]
fn error_contains_the_attribute_path() {
    let mismatched = Value::object([
        ("tags", Value::List(vec!["a".into(), "b".into(), Value::from(3)])),
        ("size", Value::from(1)),
    ]);
    let message = "tags[2]: string required, but have number";
    assert_eq!(msgpack::encode(&mismatched, &tags()).unwrap_err().to_string(), message);
    assert_eq!(json::encode(&mismatched, &tags()).unwrap_err().to_string(), message);
    let bytes = b"\x82\xa4size\x01\xa4tags\x93\xa1a\xa1b\x03";
    assert_eq!(msgpack::decode(bytes, &tags()).unwrap_err().to_string(), message);
    let listed = json::decode(br#"{"tags": ["a", "b", {}]}"#, &tags()).unwrap_err().to_string();
    assert_eq!(listed, "tags[2]: string required, but have object");
}

#[test]
fn invalid_input_is_explained() {
    let read = |input: &str, ty: &Type| json::decode(input.as_bytes(), ty).unwrap_err().to_string();
    let table = [
        (read("{\"size\": \"big\"}", &tags()), "size: a number is required"),
        (read("{\"sizes\": 1}", &tags()), "unsupported attribute \"sizes\""),
        (read("{\"size\": 1", &tags()), "invalid JSON: unexpected end of input"),
        (read("{\"size\": 1e999999999}", &tags()), "size: the number is out of range"),
        (
            read("[\"True\"]", &Type::list(Type::Bool)),
            "[0]: a bool is required; to convert from string, use lowercase \"true\"",
        ),
        (
            read("\n  [1,,2]", &Type::list(Type::Number)),
            "[1]: invalid JSON: expected a value at line 2, column 6",
        ),
        (read("[1]", &Type::tuple([])), "tuple of 0 elements required, but have 1"),
        (read("1", &Type::Dynamic), "dynamic value with its type required, but have number"),
        (
            msgpack::decode(b"\x80", &tags()).unwrap_err().to_string(),
            "object of 2 attributes required, but have 0",
        ),
        (
            msgpack::decode(b"\x81\xa1k\xc3", &Type::map(Type::String)).unwrap_err().to_string(),
            "[\"k\"]: string required, but have bool",
        ),
        (
            msgpack::encode(&Value::object([("size", Value::Null)]), &tags()).unwrap_err().to_string(),
            "attribute \"tags\" is required",
        ),
        (
            json::encode(&Value::List(vec![Value::UNKNOWN]), &Type::list(Type::Bool))
                .unwrap_err()
                .to_string(),
            "[0]: the value is unknown; JSON cannot represent unknown values",
        ),
    ];
    for (actual, expected) in table {
        assert_eq!(actual, expected);
    }
}

/// Values that do not conform to their declared type, and types with a conversion between them.
#[test]
fn value_of_another_type_is_rejected() {
    let object = |ty: Type| Type::object([("a", ty)]);
    let convert = |it: Value, from: &Type, to: &Type| convert(it, from, to).unwrap_err().to_string();
    let resolve = |it: Value, ty: &Type| Typed::resolve(it, ty).unwrap_err().to_string();
    let list = Type::list(Type::Number);
    let any_list = Type::list(Type::Dynamic);
    let lists = Type::list(any_list.clone());
    let (one, yes) = (Value::from(1), Value::Bool(true));
    let dressed = |ty: Type, it: Value| Value::dynamic(ty, it);
    let table = [
        (convert(Value::List(vec![]), &Type::Number, &Type::String), "string required, but have list"),
        (convert(one.clone(), &list, &Type::list(Type::String)), "list required, but have number"),
        (resolve(one.clone(), &any_list), "list required, but have number"),
        (resolve(Value::object([("b", one.clone())]), &object(Type::Dynamic)), "unsupported attribute \"b\""),
        (
            resolve(Value::List(vec![dressed(Type::Number, one), dressed(Type::Bool, yes)]), &any_list),
            "all elements must have the same type",
        ),
        (
            msgpack::encode(&Value::object([("b", Value::Null)]), &object(Type::Bool))
                .unwrap_err()
                .to_string(),
            "attribute \"a\" is required; unsupported attribute \"b\"",
        ),
        (mismatch(&Type::Number, &Type::Dynamic).to_string(), "any type required, but have number"),
        (mismatch(&Type::Dynamic, &list).to_string(), "list of number required, but have dynamic"),
        (mismatch(&object(Type::Bool), &object(Type::Bool)).to_string(), "object required, but have object"),
        (
            mismatch(&Type::tuple([list.clone(), Type::list(Type::Bool)]), &lists).to_string(),
            "list of list of any single type required, but have tuple",
        ),
        (
            mismatch(&Type::tuple([Type::Bool]), &Type::tuple([Type::Bool])).to_string(),
            "tuple required, but have tuple",
        ),
        (
            mismatch(&object(list), &Type::map(any_list)).to_string(),
            "map of list of any single type required, but have object",
        ),
    ];
    for (actual, expected) in table {
        assert_eq!(actual, expected);
    }
}

#[test]
fn missing_conversion_is_explained() {
    let object = |names: &[&str]| Type::object(names.iter().map(|it| (*it, Type::String)));
    let table = [
        (Type::Number, Type::Bool, "bool required, but have number"),
        (Type::Bool, Type::list(Type::String), "list of string required, but have bool"),
        (Type::Bool, Type::set(Type::Dynamic), "set of any single type required, but have bool"),
        (Type::Bool, Type::map(object(&[])), "map of object required, but have bool"),
        (
            Type::Bool,
            Type::list(Type::set(Type::map(Type::Dynamic))),
            "list of set of map of any single type required, but have bool",
        ),
        (Type::tuple([]), object(&[]), "object required, but have tuple"),
        (object(&["d"]), object(&["a"]), "attribute \"a\" is required"),
        (object(&[]), object(&["a", "b", "c"]), "attributes \"a\", \"b\", and \"c\" are required"),
        (Type::object([("a", Type::tuple([]))]), object(&["a"]), "a: string required, but have tuple"),
        (
            Type::tuple([Type::String, Type::tuple([])]),
            Type::set(Type::String),
            "[1]: string required, but have tuple",
        ),
        (
            Type::object([("a", Type::String), ("b", Type::tuple([]))]),
            Type::map(Type::String),
            "[\"b\"]: string required, but have tuple",
        ),
        (
            Type::tuple([Type::object([("a", Type::tuple([Type::Bool]))])]),
            Type::list(Type::object([("a", Type::set(Type::Number))])),
            "[0].a[0]: number required, but have bool",
        ),
        (
            Type::tuple([Type::String, Type::Bool]),
            Type::tuple([Type::Bool, Type::Number]),
            "[1]: number required, but have bool",
        ),
        (Type::tuple([Type::String]), Type::tuple([]), "tuple of 0 elements required, but have 1"),
        (
            Type::tuple([Type::String, Type::tuple([])]),
            Type::list(Type::Dynamic),
            "all list elements must have the same type",
        ),
        (
            Type::object([("a", Type::String), ("b", Type::tuple([]))]),
            Type::map(Type::Dynamic),
            "all map elements must have the same type",
        ),
        (
            Type::list(Type::Bool),
            Type::list(Type::Number),
            "incorrect list element type: number required, but have bool",
        ),
    ];
    for (from, to, expected) in table {
        assert_eq!(mismatch(&from, &to).to_string(), expected);
        assert_eq!(convert(Value::Null, &from, &to).unwrap_err().to_string(), expected);
    }
}

#[test]
fn path_selects_a_part_of_a_value() {
    let ty = Type::object([("a", Type::map(Type::list(Type::Dynamic)))]);
    let inner = Value::dynamic(Type::object([("b", Type::Bool)]), Value::object([("b", Value::Bool(true))]));
    let mut value = Value::object([("a", Value::map([("k", Value::List(vec![inner]))]))]);
    assert!(msgpack::encode(&value, &ty).is_ok());
    let path = Path::attribute("a").then(Step::Key("k".into())).then(Step::Index(0)).name("b");
    assert_eq!(path.to_string(), "a[\"k\"][0].b");
    assert_eq!(value.at(&path), Some(&Value::Bool(true)));
    assert_eq!(value.at(&Path::attribute("z")), None);
    *value.at_mut(&path).unwrap() = Value::Null;
    let mut seen = Vec::new();
    value.walk(&mut |path, it| {
        seen.push(format!("{path} {}", it.kind()));
        true
    });
    assert_eq!(seen, [" object", "a map", "a[\"k\"] list", "a[\"k\"][0] object", "a[\"k\"][0].b null"]);
    let changed =
        value.transform(&mut |_, it| Ok::<_, Error>(if it.is_null() { Value::Bool(false) } else { it }));
    assert_eq!(changed.unwrap().at(&path), Some(&Value::Bool(false)));
}

#[test]
fn strings_and_map_keys_are_normalized() {
    assert_eq!(Value::string("e\u{301}"), Value::string("\u{e9}"));
    let ty = Type::map(Type::String);
    let read = json::decode("{\"e\u{301}\": \"e\u{301}\"}".as_bytes(), &ty).unwrap();
    assert_eq!(read, Value::map([("\u{e9}", Value::string("\u{e9}"))]));
    let state = json::decode_state("{\"e\u{301}\": \"e\u{301}\"}".as_bytes(), &ty, true).unwrap();
    assert_eq!(state, read);
    let sent = msgpack::decode(b"\x81\xa3e\xcc\x81\xa3e\xcc\x81", &ty).unwrap();
    assert_eq!(sent, read);
}

#[test]
fn special_characters_of_json_strings_are_escaped() {
    let string = "a\"\\ \u{8}\u{c}\n\r\t\0\u{1f} <&> \u{2028}\u{2029} \u{2026}\u{e9}\u{20ac}";
    let escaped = "\"a\\\"\\\\ \\b\\f\\n\\r\\t\\u0000\\u001f \\u003c\\u0026\\u003e \\u2028\\u2029 \u{2026}\u{e9}\u{20ac}\"";
    let written = json::encode(&Value::from(string), &Type::String).unwrap();
    assert_eq!(std::str::from_utf8(&written).unwrap(), escaped);
    assert_eq!(json::decode(&written, &Type::String).unwrap(), Value::from(string));
}

#[test]
fn attribute_names_can_have_any_order() {
    let ty = Type::object([("a", Type::Number), ("b", Type::String), ("c", Type::Bool)]);
    let value = |a: Value, b: Value, c: Value| Value::object([("a", a), ("b", b), ("c", c)]);
    let read = |input: &str| json::decode(input.as_bytes(), &ty).unwrap();
    let all = value(1.into(), "x".into(), true.into());
    assert_eq!(read(r#"{"c": true, "a": 1, "b": "x"}"#), all);
    assert_eq!(read(r#"{"c": true}"#), value(Value::Null, Value::Null, true.into()));
    // The last duplicate takes precedence.
    assert_eq!(read(r#"{"b": "y", "a": 1, "b": "x", "c": true}"#), all);
    assert_eq!(msgpack::decode(b"\x83\xa1c\xc3\xa1a\x01\xa1b\xa1x", &ty).unwrap(), all);
    let twice = msgpack::decode(b"\x83\xa1a\x01\xa1a\x01\xa1c\xc3", &ty).unwrap_err();
    assert_eq!(twice.to_string(), "the object has a duplicate attribute");
}

/// A predicate for errors.
type Predicate = fn(&Error) -> bool;

/// Every error kind, with its predicate and its message for a sensitive value.
#[test]
fn errors_have_kinds_and_redacted_messages() {
    let map = Type::map(Type::String);
    let secret = || Value::string("hunter2");
    let table: [(Error, Predicate, &str); 11] = [
        (
            convert(secret(), &Type::String, &Type::list(Type::Bool)).unwrap_err(),
            Error::is_type_mismatch,
            "list of bool required",
        ),
        (
            convert(Value::map([("hunter2", secret())]), &map, &Type::map(Type::Number)).unwrap_err(),
            Error::is_invalid_value,
            "a number is required",
        ),
        (
            convert(Value::map([("b", secret())]), &map, &Type::object([("a", Type::String)])).unwrap_err(),
            Error::is_missing_attribute,
            "map has no element for required attribute \"a\"",
        ),
        (
            convert(Value::Null, &Type::object::<&str>([]), &tags()).unwrap_err(),
            Error::is_missing_attribute,
            "attributes \"size\" and \"tags\" are required",
        ),
        (
            json::decode(b"{\"hunter2\": 1}", &tags()).unwrap_err(),
            Error::is_unsupported_attribute,
            "unsupported attribute",
        ),
        (msgpack::decode(b"\xa7hunter2", &Type::Bool).unwrap_err(), Error::is_type_mismatch, "bool required"),
        (
            json::encode(&Value::UNKNOWN, &Type::Bool).unwrap_err(),
            Error::is_unknown,
            "the value is unknown; JSON cannot represent unknown values",
        ),
        (
            json::type_from_slice(b"\"hunter2\"").unwrap_err(),
            Error::is_malformed,
            "the encoding is malformed",
        ),
        (
            Number::parse("1e99999").unwrap_err().into(),
            Error::is_limit_exceeded,
            "the number is out of range",
        ),
        (
            Error::invalid_value("a port", "hunter2"),
            Error::is_invalid_value,
            "a port is required, but got (sensitive value)",
        ),
        (
            Error::new("hunter2 is too short").with_redacted("too short"),
            |it| it.message() != it.redacted(),
            "too short",
        ),
    ];
    for (error, is_kind, redacted) in table {
        assert!(is_kind(&error), "{error:?}");
        assert_eq!(error.redacted(), redacted);
    }
}

#[test]
fn cause_of_a_nested_error_determines_its_kind() {
    let (from, to) = (Type::list(Type::String), Type::list(Type::object([("a", Type::Bool)])));
    let error = mismatch(&from, &to);
    assert_eq!(error.to_string(), "incorrect list element type: object required, but have string");
    assert!(error.is_type_mismatch() && !error.is_missing_attribute());
    assert_eq!((error.expected(), error.found()), (Some("object"), Some("string")));
    assert_eq!(error.redacted(), "incorrect list element type: object required");
}

/// The error of a sensitive value must not contain the value.
#[test]
fn redacted_message_does_not_depend_on_the_value() {
    let general = "the value is not valid; the reason is not shown because the value is sensitive";
    let error = Error::new("SECRET is too long").below(Step::Index(1)).at(Path::attribute("pin"));
    assert_eq!((error.to_string().as_str(), &*error.redacted()), ("pin[1]: SECRET is too long", general));
    assert_eq!(error.with_redacted("at most 4 characters").redacted(), "at most 4 characters");
    assert_eq!(Error::constant("a pin is required").redacted(), "a pin is required");
    let converted = |string: &str, to: &Type| {
        let error = convert(string.into(), &Type::String, to).unwrap_err();
        (error.message().to_owned(), error.redacted())
    };
    let required = |what: &str| format!("{what} is required");
    assert_eq!(converted("12a", &Type::Number), (required("a number"), required("a number")));
    let hint = "a bool is required; to convert from string, use lowercase \"true\"".to_owned();
    assert_eq!(converted("TRUE", &Type::Bool), (hint, required("a bool")));
    let (message, redacted) = converted("a", &Type::list(Type::String));
    assert_eq!(message, "list of string required, but have string");
    assert_eq!(redacted, "list of string required");
}
