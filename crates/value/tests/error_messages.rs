//! Snapshots of every error message of the encodings, the conversions and the numbers. The messages of expressions are in
//! `crates/lang/tests/messages/`.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fmt::{Display, Write};

use expect_test::{Expect, expect};
use ferroform_value::convert::convert;
use ferroform_value::{Attribute, Number, ObjectType, Refinements, Type, Value, json, msgpack};

/// Compares a snapshot with each input and its error message.
fn check<I: Display, T, E: Display>(inputs: impl IntoIterator<Item = (I, Result<T, E>)>, expected: Expect) {
    let mut out = String::new();
    for (input, outcome) in inputs {
        let message = outcome.map_or_else(|e| e.to_string(), |_| "no error".into());
        writeln!(out, "{input}\n    {message}").unwrap();
    }
    expected.assert_eq(&out);
}

fn nested() -> Type {
    Type::object([("a", Type::list(Type::String)), ("b", Type::map(Type::Bool))])
}

#[test]
fn invalid_messagepack_is_reported() {
    let tuple = || Type::tuple([Type::Bool, Type::Number]);
    let deep = b"\x92\xc4\x09\"dynamic\"".repeat(300);
    let inputs: Vec<(&[u8], Type)> = vec![
        (b"", Type::String),
        (b"\xa5abc", Type::String),
        (b"\xa1\xff", Type::String),
        (b"\xc1", Type::Bool),
        (b"\xc3", Type::String),
        (b"\x01", Type::Bool),
        (b"\xa1x", Type::Number),
        (b"\xc3", Type::Number),
        (b"\x80", Type::list(Type::Bool)),
        (b"\x90", Type::map(Type::Bool)),
        (b"\x90", nested()),
        (b"\x91\xc3", tuple()),
        (b"\x92\xc3\xc3", tuple()),
        (b"\x92\x01", Type::set(Type::Number)),
        (b"\x80", nested()),
        (b"\x82\xa1a\x90\xa1c\x80", nested()),
        (b"\x82\xa1a\x90\xa1a\x90", nested()),
        (b"\x82\xa1a\x90\xa1b\x81\x01\xc3", nested()),
        (b"\x82\xa1a\x90\xa1b\x81\xa1k\x01", nested()),
        (b"\x82\xa1a\x90", nested()),
        (b"\x01", Type::Dynamic),
        (b"\x92\x01\x01", Type::Dynamic),
        (b"\x92\xc4\x03\"x\"\x01", Type::Dynamic),
        (b"\x92\x92\xc4\x06\"bool\"\xc3\x92\xc4\x08\"number\"\x01", Type::list(Type::Dynamic)),
        (&deep, Type::Dynamic),
    ];
    check(
        inputs.into_iter().map(|(bytes, ty)| {
            let printed: String = bytes.iter().take(16).map(|it| format!("{it:02x}")).collect();
            (format!("{printed} as {ty}"), msgpack::decode(bytes, &ty))
        }),
        expect![[r#"
             as string
                unexpected end of data
            a5616263 as string
                unexpected end of data
            a1ff as string
                the string is not valid UTF-8
            c1 as bool
                invalid MessagePack: reserved format c1
            c3 as string
                string required, but have bool
            01 as bool
                bool required, but have number
            a178 as number
                a number is required
            c3 as number
                number required, but have bool
            80 as list(bool)
                list required, but have map
            90 as map(bool)
                map required, but have array
            90 as object({a = list(string), b = map(bool)})
                object required, but have array
            91c3 as tuple([bool, number])
                tuple of 2 elements required, but have 1
            92c3c3 as tuple([bool, number])
                [1]: number required, but have bool
            9201 as set(number)
                [1]: unexpected end of data
            80 as object({a = list(string), b = map(bool)})
                object of 2 attributes required, but have 0
            82a16190a16380 as object({a = list(string), b = map(bool)})
                c: unsupported attribute "c"
            82a16190a16190 as object({a = list(string), b = map(bool)})
                the object has a duplicate attribute
            82a16190a1628101c3 as object({a = list(string), b = map(bool)})
                b: string as the name required, but have number
            82a16190a16281a16b01 as object({a = list(string), b = map(bool)})
                b["k"]: bool required, but have number
            82a16190 as object({a = list(string), b = map(bool)})
                unexpected end of data: an attribute name or map key is missing
            01 as any
                dynamic value with its type required, but have number
            920101 as any
                the type of a dynamic value must be a string
            92c40322782201 as any
                unknown type "x"
            9292c40622626f6f6c22c392c408226e as list(any)
                all elements must have the same type
            92c4092264796e616d69632292c40922 as any
                the value is nested too deeply
        "#]],
    );
}

#[test]
fn invalid_refinements_are_reported() {
    let extension = |code: u8, body: &[u8]| {
        let mut bytes = vec![0xc8];
        bytes.extend((body.len() as u16).to_be_bytes());
        bytes.push(code);
        bytes.extend(body);
        bytes
    };
    let refined = |body: &[u8]| extension(12, body);
    let inputs = [
        ("of another kind", extension(7, b"ab"), Type::String),
        ("too long", refined(&[0; 1025]), Type::String),
        ("no map", refined(b"\x01\x01"), Type::String),
        ("a key that is a string", refined(b"\x81\xa1a\xc3"), Type::String),
        ("no bool", refined(b"\x81\x01\x01"), Type::String),
        ("a prefix that is a number", refined(b"\x81\x02\x01"), Type::String),
        ("a prefix that is not UTF-8", refined(b"\x81\x02\xa1\xff"), Type::String),
        ("a prefix of a number", refined(b"\x81\x02\xa1a"), Type::Number),
        ("a bound alone", refined(b"\x81\x03\x01"), Type::Number),
        ("bounds that contradict", refined(b"\x82\x03\x92\x02\xc3\x04\x92\x01\xc3"), Type::Number),
        ("a length that is a string", refined(b"\x81\x05\xa1a"), Type::list(Type::Bool)),
        ("a length below zero", refined(b"\x81\x06\xff"), Type::list(Type::Bool)),
        ("lengths that contradict", refined(b"\x82\x05\x02\x06\x01"), Type::list(Type::Bool)),
        ("an unknown key without a value", refined(b"\x81\x09"), Type::Bool),
    ];
    check(
        inputs.into_iter().map(|(description, bytes, ty)| (description, msgpack::decode(&bytes, &ty))),
        expect![[r#"
            of another kind
                unsupported MessagePack extension of type 7 and 2 bytes
            too long
                the refinements of the unknown value are too long
            no map
                invalid refinements of an unknown value: expected a map
            a key that is a string
                invalid refinements of an unknown value: expected a number as the key
            no bool
                invalid refinements of an unknown value: expected a bool for nullness
            a prefix that is a number
                invalid refinements of an unknown value: expected a string for the prefix
            a prefix that is not UTF-8
                invalid refinements of an unknown value: the prefix is not valid UTF-8
            a prefix of a number
                invalid refinements of an unknown value: the refinement does not apply to the type
            a bound alone
                invalid refinements of an unknown value: expected a number and a bool for a bound
            bounds that contradict
                the refinements of the unknown value contradict each other
            a length that is a string
                invalid refinements of an unknown value: expected a number for a length bound
            a length below zero
                invalid refinements of an unknown value: the length bound is negative
            lengths that contradict
                the refinements of the unknown value contradict each other
            an unknown key without a value
                unexpected end of data
        "#]],
    );
}

#[test]
fn invalid_json_is_reported() {
    let tuple = || Type::tuple([Type::Bool, Type::Number]);
    let deep = "[".repeat(300);
    let inputs = [
        ("", Type::String),
        ("x", Type::String),
        ("nul", Type::String),
        ("[]", Type::String),
        ("{}", Type::Number),
        ("\"x\"", Type::Number),
        ("1", Type::Bool),
        ("\"TRUE\"", Type::Bool),
        ("1", Type::list(Type::Bool)),
        ("1", nested()),
        ("[true", tuple()),
        ("[true]", tuple()),
        ("[true, 1, 2]", tuple()),
        ("[true 1]", tuple()),
        ("{\"a\": 1}", nested()),
        ("{\"a\": [[]]}", nested()),
        ("{\"b\": {\"k\": 1}}", nested()),
        ("{\"c\": 1}", nested()),
        ("{a: 1}", nested()),
        ("{\"a\" 1}", nested()),
        ("{\"a\": [],}", nested()),
        ("\"a", Type::String),
        ("\"\\x\"", Type::String),
        ("\"\\u12\"", Type::String),
        ("\"\u{1}\"", Type::String),
        ("-", Type::Number),
        ("1.", Type::Number),
        ("1e", Type::Number),
        ("1e999999", Type::Number),
        ("1", Type::Dynamic),
        ("{\"value\": 1}", Type::Dynamic),
        ("{\"type\": \"number\"}", Type::Dynamic),
        ("{\"type\": \"number\", \"is\": 1}", Type::Dynamic),
        ("[{\"type\":\"bool\",\"value\":true},{\"type\":\"number\",\"value\":1}]", Type::set(Type::Dynamic)),
        (&deep, Type::Dynamic),
    ];
    check(
        inputs.into_iter().map(|(json, ty)| {
            let printed: String = json.chars().take(60).collect();
            (format!("{printed:?} as {ty}"), json::decode(json.as_bytes(), &ty))
        }),
        expect![[r#"
            "" as string
                invalid JSON: unexpected end of input
            "x" as string
                invalid JSON: expected a value at line 1, column 1
            "nul" as string
                invalid JSON: expected a value at line 1, column 1
            "[]" as string
                string required, but have array
            "{}" as number
                number required, but have object
            "\"x\"" as number
                a number is required
            "1" as bool
                bool required, but have number
            "\"TRUE\"" as bool
                a bool is required; to convert from string, use lowercase "true"
            "1" as list(bool)
                list required, but have number
            "1" as object({a = list(string), b = map(bool)})
                object required, but have number
            "[true" as tuple([bool, number])
                invalid JSON: unexpected end of input
            "[true]" as tuple([bool, number])
                tuple of 2 elements required, but have 1
            "[true, 1, 2]" as tuple([bool, number])
                tuple of 2 elements required, but have 3
            "[true 1]" as tuple([bool, number])
                invalid JSON: expected a comma or a closing bracket at line 1, column 7
            "{\"a\": 1}" as object({a = list(string), b = map(bool)})
                a: list required, but have number
            "{\"a\": [[]]}" as object({a = list(string), b = map(bool)})
                a[0]: string required, but have array
            "{\"b\": {\"k\": 1}}" as object({a = list(string), b = map(bool)})
                b["k"]: bool required, but have number
            "{\"c\": 1}" as object({a = list(string), b = map(bool)})
                unsupported attribute "c"
            "{a: 1}" as object({a = list(string), b = map(bool)})
                invalid JSON: expected a quoted object key at line 1, column 2
            "{\"a\" 1}" as object({a = list(string), b = map(bool)})
                invalid JSON: expected a colon at line 1, column 6
            "{\"a\": [],}" as object({a = list(string), b = map(bool)})
                invalid JSON: expected a quoted object key at line 1, column 10
            "\"a" as string
                invalid JSON: unexpected end of input in a string
            "\"\\x\"" as string
                invalid JSON: expected an escape sequence at line 1, column 3
            "\"\\u12\"" as string
                invalid JSON: expected four hexadecimal digits at line 1, column 4
            "\"\u{1}\"" as string
                invalid JSON: expected an escape sequence instead of a control character at line 1, column 2
            "-" as number
                invalid JSON: expected a digit at line 1, column 2
            "1." as number
                invalid JSON: expected a digit at line 1, column 3
            "1e" as number
                invalid JSON: expected a digit at line 1, column 3
            "1e999999" as number
                the number is out of range
            "1" as any
                dynamic value with its type required, but have number
            "{\"value\": 1}" as any
                the "type" of this value is missing
            "{\"type\": \"number\"}" as any
                the "value" of this type is missing
            "{\"type\": \"number\", \"is\": 1}" as any
                unexpected key "is" next to "type" and "value"
            "[{\"type\":\"bool\",\"value\":true},{\"type\":\"number\",\"value\":1}]" as set(any)
                all elements must have the same type
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[" as any
                dynamic value with its type required, but have array
        "#]],
    );
    check(
        [("1 2", "content after the value"), ("{\"a\": 1, \"a\": true}", "two types"), (&*deep, "deep")]
            .map(|(input, description)| (description, json::decode_simple(input.as_bytes()))),
        expect![[r#"
            content after the value
                invalid JSON: expected end of input at line 1, column 3
            two types
                object key "a" has values of different types
            deep
                the value is nested too deeply
        "#]],
    );
    let state = json::decode_state(b"{\"c\": 1}", &nested(), false);
    check(
        [("a state with a removed attribute", state)],
        expect![[r#"
            a state with a removed attribute
                c: unsupported attribute "c"
        "#]],
    );
}

#[test]
fn invalid_json_types_are_reported() {
    let inputs = [
        "1",
        "\"text\"",
        "[]",
        "[1]",
        "[\"list\"]",
        "[\"list\",\"bool\",\"bool\"]",
        "[\"array\",\"bool\"]",
        "[\"tuple\",\"bool\"]",
        "[\"object\",[]]",
        "[\"object\",{},1]",
        "[\"object\",{},[1]]",
        "[\"object\",{},[\"a\"]]",
        "[\"object\",{},[],1]",
        "\"bool\" 1",
    ];
    check(
        inputs.map(|it| (it, json::type_from_slice(it.as_bytes()))),
        expect![[r#"
            1
                invalid type: expected a string or an array, but got number
            "text"
                unknown type "text"
            []
                invalid type: unexpected end of the array
            [1]
                invalid type: expected the kind of the type as a string
            ["list"]
                invalid type: list without an element type
            ["list","bool","bool"]
                invalid type: unexpected element at the end
            ["array","bool"]
                unknown kind of type "array"
            ["tuple","bool"]
                invalid type: expected an array of element types
            ["object",[]]
                invalid type: expected an object of attribute types
            ["object",{},1]
                invalid type: expected an array of optional attribute names
            ["object",{},[1]]
                invalid type: expected an optional attribute name as a string
            ["object",{},["a"]]
                invalid type: optional attribute "a" has no type
            ["object",{},[],1]
                invalid type: unexpected element at the end
            "bool" 1
                invalid JSON: expected end of input at line 1, column 8
        "#]],
    );
}

#[test]
fn values_that_cannot_be_encoded_are_reported() {
    let inputs = [
        (Value::from(1), Type::Bool),
        (Value::List(vec![Value::from(1), "x".into()]), Type::list(Type::Number)),
        (Value::map([("k", Value::from(1))]), Type::map(Type::Bool)),
        (Value::set([Value::from(1)]), Type::set(Type::Bool)),
        (Value::Tuple(vec![]), Type::tuple([Type::Bool])),
        (Value::object([("a", Value::Null)]), nested()),
        (Value::object([("a", Value::Null), ("b", Value::Null), ("c", Value::Null)]), nested()),
        (Value::List(vec![]), Type::Dynamic),
        (Value::List(vec![Value::List(vec![])]), Type::list(Type::Dynamic)),
    ];
    check(
        inputs.iter().map(|(it, ty)| (format!("{} as {ty}", it.kind()), msgpack::encode(it, ty))),
        expect![[r#"
            number as bool
                bool required, but have number
            list as list(number)
                [1]: number required, but have string
            map as map(bool)
                ["k"]: bool required, but have number
            set as set(bool)
                [0]: bool required, but have number
            tuple as tuple([bool])
                tuple of 1 element required, but have 0
            object as object({a = list(string), b = map(bool)})
                attribute "b" is required
            object as object({a = list(string), b = map(bool)})
                unsupported attribute "c"
            list as any
                dynamic value with its type required, but have list
            list as list(any)
                [0]: dynamic value with its type required, but have list
        "#]],
    );
    check(
        inputs.iter().map(|(it, ty)| (format!("{} as {ty}", it.kind()), json::encode(it, ty))),
        expect![[r#"
            number as bool
                bool required, but have number
            list as list(number)
                [1]: number required, but have string
            map as map(bool)
                ["k"]: bool required, but have number
            set as set(bool)
                [an element of the set]: bool required, but have number
            tuple as tuple([bool])
                tuple of 1 element required, but have 0
            object as object({a = list(string), b = map(bool)})
                attribute "b" is required
            object as object({a = list(string), b = map(bool)})
                unsupported attribute "c"
            list as any
                dynamic value with its type required, but have list
            list as list(any)
                [0]: dynamic value with its type required, but have list
        "#]],
    );
    let infinite = Value::Number(Number::parse("Inf").unwrap());
    check(
        [("an infinity", infinite), ("an unknown", Value::List(vec![Value::UNKNOWN]))]
            .map(|(description, it)| (description, json::encode_simple(&it))),
        expect![[r#"
            an infinity
                a finite number is required
            an unknown
                [0]: the value is unknown; JSON cannot represent unknown values
        "#]],
    );
}

#[test]
fn failed_conversions_are_reported() {
    let optional = |name: &str, ty: Type| Attribute::new(name, ty).optional();
    let with_optional =
        Type::Object(std::sync::Arc::new(ObjectType::new([optional("a", Type::list(Type::String))])));
    let string_map = || Type::map(Type::String);
    let tuple = |of: Type| Type::object([("a", Type::tuple([of]))]);
    let one = |it: Value| Value::object([("a", Value::Tuple(vec![it]))]);
    let tuples = || Type::tuple([tuple(Type::Bool), tuple(Type::Number)]);
    let ones = || Value::Tuple(vec![one(true.into()), one(1.into())]);
    let inputs = [
        (
            "a map without a key",
            string_map(),
            Value::map([("b", "x".into())]),
            Type::object([("a", Type::Bool)]),
        ),
        ("a map with an unsupported key", string_map(), Value::map([("a", "x".into())]), with_optional),
        ("a string", Type::String, "x".into(), Type::Number),
        ("a capitalized bool", Type::String, "True".into(), Type::Bool),
        ("a string that is not a bool", Type::String, "yes".into(), Type::Bool),
        ("a value of another type", Type::Bool, "x".into(), Type::Number),
        (
            "an object that is none",
            Type::object([("a", Type::Bool)]),
            "x".into(),
            Type::object([("a", Type::String)]),
        ),
        ("a map that is none", string_map(), "x".into(), Type::object([("a", Type::String)])),
        ("a value without a type", Type::Dynamic, Value::List(vec![]), Type::Bool),
        ("bools and numbers", tuples(), ones(), Type::list(Type::map(Type::list(Type::Dynamic)))),
        ("bools and numbers", tuples(), ones(), Type::set(Type::map(Type::list(Type::Dynamic)))),
    ];
    check(
        inputs
            .into_iter()
            .map(|(description, from, it, to)| (format!("{description} to {to}"), convert(it, &from, &to))),
        expect![[r#"
            a map without a key to object({a = bool})
                map has no element for required attribute "a"
            a map with an unsupported key to object({a = optional(list(string))})
                map element type is incompatible with attribute "a": list of string required, but have string
            a string to number
                a number is required
            a capitalized bool to bool
                a bool is required; to convert from string, use lowercase "true"
            a string that is not a bool to bool
                a bool is required
            a value of another type to number
                number required, but have bool
            an object that is none to object({a = string})
                object required, but have string
            a map that is none to object({a = string})
                map required, but have string
            a value without a type to bool
                dynamic value with its type required, but have list
            bools and numbers to list(map(list(any)))
                all elements must have the same type
            bools and numbers to set(map(list(any)))
                all set elements must have the same type
        "#]],
    );
}

#[test]
fn invalid_numbers_are_reported() {
    let number = |it: &str| Number::parse(it).unwrap();
    let (infinity, zero) = (number("Inf"), number("0"));
    check(
        ["", "x", "1 ", "0x10", "1e99999999", "1e-99999999"].map(|it| (it, Number::parse(it))),
        expect![[r#"

                a number is required
            x
                a number is required
            1 
                a number is required
            0x10
                a number is required
            1e99999999
                the number is out of range
            1e-99999999
                the number is out of range
        "#]],
    );
    check(
        [("not-a-number", Number::try_from(f64::NAN))],
        expect![[r#"
            not-a-number
                a number is required, but got NaN
        "#]],
    );
    check(
        [
            ("Inf - Inf", infinity.subtract(&infinity)),
            ("0 * Inf", zero.multiply(&infinity)),
            ("Inf / Inf", infinity.divide(&infinity)),
            ("0 / 0", zero.divide(&zero)),
        ],
        expect![[r#"
            Inf - Inf
                the sum of opposing infinities is undefined
            0 * Inf
                the product of zero and infinity is undefined
            Inf / Inf
                the quotient of two infinities is undefined
            0 / 0
                the quotient of zero and zero is undefined
        "#]],
    );
    let bounds = Refinements::new().with_range(number("2")..=number("1"));
    check(
        [("nothing between", bounds.into_value(&Type::Number))],
        expect![[r#"
            nothing between
                the refinements of the unknown value contradict each other
        "#]],
    );
}
