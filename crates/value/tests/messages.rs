//! What is said about a value that is not what was wanted.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use ferroform_value::convert::{convert, mismatch};
use ferroform_value::{Error, Path, Step, Type, Typed, Value, json, msgpack};

fn tags() -> Type {
    Type::object([("tags", Type::list(Type::String)), ("size", Type::Number)])
}

#[test]
fn errors_name_the_place() {
    let wrong = Value::object([
        ("tags", Value::List(vec!["a".into(), "b".into(), Value::from(3)])),
        ("size", Value::from(1)),
    ]);
    let text = "tags[2]: a string is required, but this is a number";
    assert_eq!(msgpack::encode(&wrong, &tags()).unwrap_err().to_string(), text);
    assert_eq!(json::encode(&wrong, &tags()).unwrap_err().to_string(), text);
    let bytes = b"\x82\xa4size\x01\xa4tags\x93\xa1a\xa1b\x03";
    assert_eq!(msgpack::decode(bytes, &tags()).unwrap_err().to_string(), text);
    let listed = json::decode(br#"{"tags": ["a", "b", {}]}"#, &tags()).unwrap_err().to_string();
    assert_eq!(listed, "tags[2]: a string is required, but this is an object");
}

#[test]
fn what_is_wrong_is_said() {
    let read = |text: &str, ty: &Type| json::decode(text.as_bytes(), ty).unwrap_err().to_string();
    let table = [
        (read("{\"size\": \"big\"}", &tags()), "size: a number is required"),
        (read("{\"sizes\": 1}", &tags()), "there is no attribute \"sizes\""),
        (read("{\"size\": 1", &tags()), "the text ends too early"),
        (read("{\"size\": 1e999999999}", &tags()), "size: the exponent of this number is out of range"),
        (
            read("[\"True\"]", &Type::list(Type::Bool)),
            "[0]: a bool is required; write \"true\" in lower case",
        ),
        (read("\n  [1,,2]", &Type::list(Type::Number)), "[1]: a value is required at line 2, column 6"),
        (read("[1]", &Type::tuple([])), "a tuple of 0 elements is required, but this has 1"),
        (read("1", &Type::Dynamic), "a value with its type is required, but this is a number"),
        (
            msgpack::decode(b"\x80", &tags()).unwrap_err().to_string(),
            "an object of 2 attributes is required, but this has 0",
        ),
        (
            msgpack::decode(b"\x81\xa1k\xc3", &Type::map(Type::String)).unwrap_err().to_string(),
            "[\"k\"]: a string is required, but this is a bool",
        ),
        (
            msgpack::encode(&Value::object([("size", Value::Null)]), &tags()).unwrap_err().to_string(),
            "the attribute \"tags\" is missing",
        ),
        (
            json::encode(&Value::List(vec![Value::UNKNOWN]), &Type::list(Type::Bool))
                .unwrap_err()
                .to_string(),
            "[0]: this value is not known yet, and JSON has no form for that",
        ),
    ];
    for (given, expected) in table {
        assert_eq!(given, expected);
    }
}

/// Values that are not of the type that they are said to be, and types between which there is a conversion.
#[test]
fn what_is_asked_wrongly_is_said() {
    let object = |ty: Type| Type::object([("a", ty)]);
    let convert = |it: Value, from: &Type, to: &Type| convert(it, from, to).unwrap_err().to_string();
    let resolve = |it: Value, ty: &Type| Typed::resolve(it, ty).unwrap_err().to_string();
    let list = Type::list(Type::Number);
    let open = Type::list(Type::Dynamic);
    let lists = Type::list(open.clone());
    let (one, yes) = (Value::from(1), Value::Bool(true));
    let dressed = |ty: Type, it: Value| Value::dynamic(ty, it);
    let table = [
        (
            convert(Value::List(vec![]), &Type::Number, &Type::String),
            "a string is required, but this is a list",
        ),
        (convert(one.clone(), &list, &Type::list(Type::String)), "a list is required, but this is a number"),
        (resolve(one.clone(), &open), "a list is required, but this is a number"),
        (resolve(Value::object([("b", one.clone())]), &object(Type::Dynamic)), "there is no attribute \"b\""),
        (
            resolve(Value::List(vec![dressed(Type::Number, one), dressed(Type::Bool, yes)]), &open),
            "all elements must be of one type",
        ),
        (
            msgpack::encode(&Value::object([("b", Value::Null)]), &object(Type::Bool))
                .unwrap_err()
                .to_string(),
            "the attribute \"a\" is missing",
        ),
        (mismatch(&Type::Number, &Type::Dynamic).to_string(), "any type is required, but this is a number"),
        (mismatch(&Type::Dynamic, &list).to_string(), "a list of numbers is required, but this is any type"),
        (
            mismatch(&object(Type::Bool), &object(Type::Bool)).to_string(),
            "an object is required, but this is an object",
        ),
        (
            mismatch(&Type::tuple([list.clone(), Type::list(Type::Bool)]), &lists).to_string(),
            "a list of lists of any one type is required, but this is a tuple",
        ),
        (
            mismatch(&Type::tuple([Type::Bool]), &Type::tuple([Type::Bool])).to_string(),
            "a tuple is required, but this is a tuple",
        ),
        (
            mismatch(&object(list), &Type::map(open)).to_string(),
            "a map of lists of any one type is required, but this is an object",
        ),
    ];
    for (given, expected) in table {
        assert_eq!(given, expected);
    }
}

#[test]
fn missing_conversions_are_explained() {
    let object = |names: &[&str]| Type::object(names.iter().map(|it| (*it, Type::String)));
    let table = [
        (Type::Number, Type::Bool, "a bool is required, but this is a number"),
        (Type::Bool, Type::list(Type::String), "a list of strings is required, but this is a bool"),
        (Type::Bool, Type::set(Type::Dynamic), "a set of any one type is required, but this is a bool"),
        (Type::Bool, Type::map(object(&[])), "a map of objects is required, but this is a bool"),
        (
            Type::Bool,
            Type::list(Type::set(Type::map(Type::Dynamic))),
            "a list of sets of maps of any one type is required, but this is a bool",
        ),
        (Type::tuple([]), object(&[]), "an object is required, but this is a tuple"),
        (object(&["d"]), object(&["a"]), "the attribute \"a\" is required"),
        (object(&[]), object(&["a", "b", "c"]), "the attributes \"a\", \"b\" and \"c\" are required"),
        (
            Type::object([("a", Type::tuple([]))]),
            object(&["a"]),
            "a: a string is required, but this is a tuple",
        ),
        (
            Type::tuple([Type::String, Type::tuple([])]),
            Type::set(Type::String),
            "[1]: a string is required, but this is a tuple",
        ),
        (
            Type::object([("a", Type::String), ("b", Type::tuple([]))]),
            Type::map(Type::String),
            "[\"b\"]: a string is required, but this is a tuple",
        ),
        (
            Type::tuple([Type::object([("a", Type::tuple([Type::Bool]))])]),
            Type::list(Type::object([("a", Type::set(Type::Number))])),
            "[0].a[0]: a number is required, but this is a bool",
        ),
        (
            Type::tuple([Type::String, Type::Bool]),
            Type::tuple([Type::Bool, Type::Number]),
            "[1]: a number is required, but this is a bool",
        ),
        (Type::tuple([Type::String]), Type::tuple([]), "a tuple of 0 elements is required, but this has 1"),
        (
            Type::tuple([Type::String, Type::tuple([])]),
            Type::list(Type::Dynamic),
            "all elements of the list must have the same type",
        ),
        (
            Type::object([("a", Type::String), ("b", Type::tuple([]))]),
            Type::map(Type::Dynamic),
            "all elements of the map must have the same type",
        ),
        (
            Type::list(Type::Bool),
            Type::list(Type::Number),
            "the element type of the list does not fit: a number is required, but this is a bool",
        ),
    ];
    for (from, to, expected) in table {
        assert_eq!(mismatch(&from, &to).to_string(), expected);
        assert_eq!(convert(Value::Null, &from, &to).unwrap_err().to_string(), expected);
    }
}

#[test]
fn paths_lead_into_values() {
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
fn strings_are_normalised() {
    assert_eq!(Value::string("e\u{301}"), Value::string("\u{e9}"));
    let ty = Type::map(Type::String);
    let read = json::decode("{\"e\u{301}\": \"e\u{301}\"}".as_bytes(), &ty).unwrap();
    assert_eq!(read, Value::map([("\u{e9}", Value::string("\u{e9}"))]));
    let state = json::decode_state("{\"e\u{301}\": \"e\u{301}\"}".as_bytes(), &ty, true).unwrap();
    assert_ne!(state, read);
    let sent = msgpack::decode(b"\x81\xa3e\xcc\x81\xa3e\xcc\x81", &ty).unwrap();
    assert_eq!(sent, read);
}

#[test]
fn what_is_special_in_strings_is_escaped() {
    let text = "a\"\\ \u{8}\u{c}\n\r\t\0\u{1f} <&> \u{2028}\u{2029} \u{2026}\u{e9}\u{20ac}";
    let escaped = "\"a\\\"\\\\ \\b\\f\\n\\r\\t\\u0000\\u001f \\u003c\\u0026\\u003e \\u2028\\u2029 \u{2026}\u{e9}\u{20ac}\"";
    let written = json::encode(&Value::from(text), &Type::String).unwrap();
    assert_eq!(std::str::from_utf8(&written).unwrap(), escaped);
    assert_eq!(json::decode(&written, &Type::String).unwrap(), Value::from(text));
}

#[test]
fn names_come_in_any_order() {
    let ty = Type::object([("a", Type::Number), ("b", Type::String), ("c", Type::Bool)]);
    let value = |a: Value, b: Value, c: Value| Value::object([("a", a), ("b", b), ("c", c)]);
    let read = |text: &str| json::decode(text.as_bytes(), &ty).unwrap();
    let all = value(1.into(), "x".into(), true.into());
    assert_eq!(read(r#"{"c": true, "a": 1, "b": "x"}"#), all);
    assert_eq!(read(r#"{"c": true}"#), value(Value::Null, Value::Null, true.into()));
    // The last counts.
    assert_eq!(read(r#"{"b": "y", "a": 1, "b": "x", "c": true}"#), all);
    assert_eq!(msgpack::decode(b"\x83\xa1c\xc3\xa1a\x01\xa1b\xa1x", &ty).unwrap(), all);
    let twice = msgpack::decode(b"\x83\xa1a\x01\xa1a\x01\xa1c\xc3", &ty).unwrap_err();
    assert_eq!(twice.to_string(), "an attribute is there twice, and another one is missing");
}

/// A sensitive value must not appear in its own error.
#[test]
fn redacted_message_does_not_depend_on_the_value() {
    let general = "the value is not valid; the reason is not shown, because the value is sensitive";
    let error = Error::new("SECRET is too long").below(Step::Index(1)).at(Path::attribute("pin"));
    assert_eq!((error.to_string().as_str(), error.redacted()), ("pin: SECRET is too long", general));
    assert_eq!(error.with_redacted("at most 4 characters").redacted(), "at most 4 characters");
    assert_eq!(Error::constant("a pin is required").redacted(), "a pin is required");
    let converted = |text: &str, to: &Type| {
        let error = convert(text.into(), &Type::String, to).unwrap_err();
        (error.message().to_owned(), error.redacted().to_owned())
    };
    let required = |what: &str| format!("{what} is required");
    assert_eq!(converted("12a", &Type::Number), (required("a number"), required("a number")));
    let hint = "a bool is required; write \"true\" in lower case".to_owned();
    assert_eq!(converted("TRUE", &Type::Bool), (hint, required("a bool")));
    let (message, redacted) = converted("a", &Type::list(Type::String));
    assert_eq!(message, "a list of strings is required, but this is a string");
    assert_eq!(redacted, "a list of strings is required, but this is (sensitive value)");
}
