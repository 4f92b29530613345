//! Every text of an error of the encodings, the conversions and the numbers: on file, so that a change of one is
//! seen. Those of expressions are in `expression_messages/`.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fmt::{Display, Write};

use expect_test::{Expect, expect};
use ferroform_value::convert::convert;
use ferroform_value::{Attribute, Number, ObjectType, Refinements, Type, Value, json, msgpack};

/// Each input with what is said about it.
fn check<I: Display, T, E: Display>(inputs: impl IntoIterator<Item = (I, Result<T, E>)>, wanted: Expect) {
    let mut out = String::new();
    for (input, outcome) in inputs {
        let said = outcome.map_or_else(|e| e.to_string(), |_| "nothing".into());
        writeln!(out, "{input}\n    {said}").unwrap();
    }
    wanted.assert_eq(&out);
}

fn nested() -> Type {
    Type::object([("a", Type::list(Type::String)), ("b", Type::map(Type::Bool))])
}

#[test]
fn messagepack() {
    let pair = || Type::tuple([Type::Bool, Type::Number]);
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
        (b"\x91\xc3", pair()),
        (b"\x92\xc3\xc3", pair()),
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
            let shown: String = bytes.iter().take(16).map(|it| format!("{it:02x}")).collect();
            (format!("{shown} as {ty}"), msgpack::decode(bytes, &ty))
        }),
        expect![[r#"
             as string
                the data ends too early
            a5616263 as string
                the data ends too early
            a1ff as string
                this string is not UTF-8
            c1 as bool
                the tag c1 has no meaning
            c3 as string
                a string is required, but this is a bool
            01 as bool
                a bool is required, but this is a number
            a178 as number
                a number is required
            c3 as number
                a number is required, but this is a bool
            80 as list(bool)
                a list is required, but this is a map
            90 as map(bool)
                a map is required, but this is an array
            90 as object({a = list(string), b = map(bool)})
                an object is required, but this is an array
            91c3 as tuple([bool, number])
                a tuple of 2 elements is required, but this has 1
            92c3c3 as tuple([bool, number])
                [1]: a number is required, but this is a bool
            9201 as set(number)
                [1]: the data ends too early
            80 as object({a = list(string), b = map(bool)})
                an object of 2 attributes is required, but this has 0
            82a16190a16380 as object({a = list(string), b = map(bool)})
                c: there is no attribute "c"
            82a16190a16190 as object({a = list(string), b = map(bool)})
                an attribute is there twice, and another one is missing
            82a16190a1628101c3 as object({a = list(string), b = map(bool)})
                b: a string as the name is required, but this is a number
            82a16190a16281a16b01 as object({a = list(string), b = map(bool)})
                b["k"]: a bool is required, but this is a number
            82a16190 as object({a = list(string), b = map(bool)})
                a name is missing: the data ends too early
            01 as any
                a value with its type is required, but this is a number
            920101 as any
                the type of this value is not text
            92c40322782201 as any
                there is no type "x"
            9292c40622626f6f6c22c392c408226e as list(any)
                all elements must be of one type
            92c4092264796e616d69632292c40922 as any
                this is nested too deeply
        "#]],
    );
}

#[test]
fn refinements() {
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
        ("a key that is text", refined(b"\x81\xa1a\xc3"), Type::String),
        ("no bool", refined(b"\x81\x01\x01"), Type::String),
        ("a prefix that is a number", refined(b"\x81\x02\x01"), Type::String),
        ("a prefix that is not UTF-8", refined(b"\x81\x02\xa1\xff"), Type::String),
        ("a prefix of a number", refined(b"\x81\x02\xa1a"), Type::Number),
        ("a bound alone", refined(b"\x81\x03\x01"), Type::Number),
        ("bounds that contradict", refined(b"\x82\x03\x92\x02\xc3\x04\x92\x01\xc3"), Type::Number),
        ("a length that is text", refined(b"\x81\x05\xa1a"), Type::list(Type::Bool)),
        ("a length below zero", refined(b"\x81\x06\xff"), Type::list(Type::Bool)),
        ("lengths that contradict", refined(b"\x82\x05\x02\x06\x01"), Type::list(Type::Bool)),
        ("an unknown key without a value", refined(b"\x81\x09"), Type::Bool),
    ];
    check(
        inputs.into_iter().map(|(what, bytes, ty)| (what, msgpack::decode(&bytes, &ty))),
        expect![[r#"
        of another kind
            an extension of type 7 and 2 bytes has no meaning here
        too long
            the refinements of this unknown are too long
        no map
            the refinements of this unknown are damaged: they are not a map
        a key that is text
            the refinements of this unknown are damaged: a key is not a number
        no bool
            the refinements of this unknown are damaged: whether it is null is not a bool
        a prefix that is a number
            the refinements of this unknown are damaged: a prefix is not a string
        a prefix that is not UTF-8
            the refinements of this unknown are damaged: a prefix is not text
        a prefix of a number
            the refinements of this unknown are damaged: they do not go with the type
        a bound alone
            the refinements of this unknown are damaged: a bound is not a number and a bool
        bounds that contradict
            the refinements of this unknown contradict each other
        a length that is text
            the refinements of this unknown are damaged: a length is not a number
        a length below zero
            the refinements of this unknown are damaged: a length is negative
        lengths that contradict
            the refinements of this unknown contradict each other
        an unknown key without a value
            the data ends too early
    "#]],
    );
}

#[test]
fn json_values() {
    let pair = || Type::tuple([Type::Bool, Type::Number]);
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
        ("[true", pair()),
        ("[true]", pair()),
        ("[true, 1, 2]", pair()),
        ("[true 1]", pair()),
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
        inputs.into_iter().map(|(text, ty)| {
            let shown: String = text.chars().take(60).collect();
            (format!("{shown:?} as {ty}"), json::decode(text.as_bytes(), &ty))
        }),
        expect![[r#"
            "" as string
                the text ends too early
            "x" as string
                a value is required at line 1, column 1
            "nul" as string
                a value is required at line 1, column 1
            "[]" as string
                a string is required, but this is an array
            "{}" as number
                a number is required, but this is an object
            "\"x\"" as number
                a number is required
            "1" as bool
                a bool is required, but this is a number
            "\"TRUE\"" as bool
                a bool is required; write "true" in lower case
            "1" as list(bool)
                a list is required, but this is a number
            "1" as object({a = list(string), b = map(bool)})
                an object is required, but this is a number
            "[true" as tuple([bool, number])
                the text ends too early
            "[true]" as tuple([bool, number])
                a tuple of 2 elements is required, but this has 1
            "[true, 1, 2]" as tuple([bool, number])
                a tuple of 2 elements is required, but this has 3
            "[true 1]" as tuple([bool, number])
                a comma or the closing bracket is required at line 1, column 7
            "{\"a\": 1}" as object({a = list(string), b = map(bool)})
                a: a list is required, but this is a number
            "{\"a\": [[]]}" as object({a = list(string), b = map(bool)})
                a[0]: a string is required, but this is an array
            "{\"b\": {\"k\": 1}}" as object({a = list(string), b = map(bool)})
                b["k"]: a bool is required, but this is a number
            "{\"c\": 1}" as object({a = list(string), b = map(bool)})
                there is no attribute "c"
            "{a: 1}" as object({a = list(string), b = map(bool)})
                a name in quotes is required at line 1, column 2
            "{\"a\" 1}" as object({a = list(string), b = map(bool)})
                a colon is required at line 1, column 6
            "{\"a\": [],}" as object({a = list(string), b = map(bool)})
                a name in quotes is required at line 1, column 10
            "\"a" as string
                the text ends within a string
            "\"\\x\"" as string
                an escape is required at line 1, column 3
            "\"\\u12\"" as string
                an escape of four hexadecimal digits is required at line 1, column 4
            "\"\u{1}\"" as string
                an escape in place of this control character is required at line 1, column 2
            "-" as number
                a digit is required at line 1, column 2
            "1." as number
                a digit is required at line 1, column 3
            "1e" as number
                a digit is required at line 1, column 3
            "1e999999" as number
                the exponent of this number is out of range
            "1" as any
                a value with its type is required, but this is a number
            "{\"value\": 1}" as any
                a type is missing beside this value
            "{\"type\": \"number\"}" as any
                a value is missing beside this type
            "{\"type\": \"number\", \"is\": 1}" as any
                "is" has no meaning beside a type and a value
            "[{\"type\":\"bool\",\"value\":true},{\"type\":\"number\",\"value\":1}]" as set(any)
                all elements must be of one type
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[" as any
                a value with its type is required, but this is an array
        "#]],
    );
    check(
        [("1 2", "text after the value"), ("{\"a\": 1, \"a\": true}", "two types"), (&*deep, "deep")]
            .map(|(text, what)| (what, json::decode_simple(text.as_bytes()))),
        expect![[r#"
            text after the value
                the end is required at line 1, column 3
            two types
                the name "a" stands for values of two types
            deep
                this is nested too deeply
        "#]],
    );
    let state = json::decode_state(b"{\"c\": 1}", &nested(), false);
    check(
        [("a state with an attribute that is gone", state)],
        expect![[r#"
        a state with an attribute that is gone
            c: there is no attribute "c"
    "#]],
    );
}

#[test]
fn types_in_json() {
    let texts = [
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
        texts.map(|it| (it, json::type_from_slice(it.as_bytes()))),
        expect![[r#"
        1
            a type is required, but this is a number
        "text"
            there is no type "text"
        []
            this type is incomplete
        [1]
            the kind of a type is required
        ["list"]
            what the list is of is missing
        ["list","bool","bool"]
            there is too much in this type
        ["array","bool"]
            there is no kind of type "array"
        ["tuple","bool"]
            the types of the elements are required
        ["object",[]]
            the types of the attributes are required
        ["object",{},1]
            the names of the optional attributes are required
        ["object",{},[1]]
            the name of an optional attribute is required
        ["object",{},["a"]]
            there is no attribute "a" that could be optional
        ["object",{},[],1]
            there is too much in this type
        "bool" 1
            the end is required at line 1, column 8
    "#]],
    );
}

#[test]
fn what_is_written() {
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
                a bool is required, but this is a number
            list as list(number)
                [1]: a number is required, but this is a string
            map as map(bool)
                ["k"]: a bool is required, but this is a number
            set as set(bool)
                [0]: a bool is required, but this is a number
            tuple as tuple([bool])
                a tuple of 1 element is required, but this has 0
            object as object({a = list(string), b = map(bool)})
                the attribute "b" is missing
            object as object({a = list(string), b = map(bool)})
                there is no attribute "c"
            list as any
                this list needs a type of its own
            list as list(any)
                [0]: this list needs a type of its own
        "#]],
    );
    check(
        inputs.iter().map(|(it, ty)| (format!("{} as {ty}", it.kind()), json::encode(it, ty))),
        expect![[r#"
            number as bool
                a bool is required, but this is a number
            list as list(number)
                [1]: a number is required, but this is a string
            map as map(bool)
                ["k"]: a bool is required, but this is a number
            set as set(bool)
                [an element of the set]: a bool is required, but this is a number
            tuple as tuple([bool])
                a tuple of 1 element is required, but this has 0
            object as object({a = list(string), b = map(bool)})
                the attribute "b" is missing
            object as object({a = list(string), b = map(bool)})
                there is no attribute "c"
            list as any
                this list needs a type of its own
            list as list(any)
                [0]: this list needs a type of its own
        "#]],
    );
    let infinite = Value::Number(Number::parse("Inf").unwrap());
    check(
        [("an infinity", infinite), ("an unknown", Value::List(vec![Value::UNKNOWN]))]
            .map(|(what, it)| (what, json::encode_simple(&it))),
        expect![[r#"
            an infinity
                JSON has no form for infinity
            an unknown
                [0]: this value is not known yet, and JSON has no form for that
        "#]],
    );
}

#[test]
fn conversions() {
    let optional = |name: &str, ty: Type| Attribute { name: name.into(), ty, optional: true };
    let with_optional =
        Type::Object(std::sync::Arc::new(ObjectType::new([optional("a", Type::list(Type::String))])));
    let texts = || Type::map(Type::String);
    let tuple = |of: Type| Type::object([("a", Type::tuple([of]))]);
    let one = |it: Value| Value::object([("a", Value::Tuple(vec![it]))]);
    let tuples = || Type::tuple([tuple(Type::Bool), tuple(Type::Number)]);
    let ones = || Value::Tuple(vec![one(true.into()), one(1.into())]);
    let inputs = [
        ("a map without a key", texts(), Value::map([("b", "x".into())]), Type::object([("a", Type::Bool)])),
        ("a map with a wrong key", texts(), Value::map([("a", "x".into())]), with_optional),
        ("a text", Type::String, "x".into(), Type::Number),
        ("a word", Type::String, "True".into(), Type::Bool),
        ("another word", Type::String, "yes".into(), Type::Bool),
        ("a value of another type", Type::Bool, "x".into(), Type::Number),
        (
            "an object that is none",
            Type::object([("a", Type::Bool)]),
            "x".into(),
            Type::object([("a", Type::String)]),
        ),
        ("a map that is none", texts(), "x".into(), Type::object([("a", Type::String)])),
        ("a value without a type", Type::Dynamic, Value::List(vec![]), Type::Bool),
        ("bools and numbers", tuples(), ones(), Type::list(Type::map(Type::list(Type::Dynamic)))),
        ("bools and numbers", tuples(), ones(), Type::set(Type::map(Type::list(Type::Dynamic)))),
    ];
    check(
        inputs.into_iter().map(|(what, from, it, to)| (format!("{what} to {to}"), convert(it, &from, &to))),
        expect![[r#"
            a map without a key to object({a = bool})
                the map has no element for the required attribute "a"
            a map with a wrong key to object({a = optional(list(string))})
                the elements of the map do not fit the attribute "a": a list of strings is required, but this is a string
            a text to number
                a number is required
            a word to bool
                a bool is required; write "true" in lower case
            another word to bool
                a bool is required
            a value of another type to number
                a number is required, but this is a bool
            an object that is none to object({a = string})
                an object is required
            a map that is none to object({a = string})
                a map is required
            a value without a type to bool
                this list needs a type of its own
            bools and numbers to list(map(list(any)))
                the elements have no type in common
            bools and numbers to set(map(list(any)))
                the elements of a set must all be of one type
        "#]],
    );
}

#[test]
fn numbers() {
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
                the exponent of this number is out of range
            1e-99999999
                the exponent of this number is out of range
        "#]],
    );
    check(
        [("not-a-number", Number::try_from(f64::NAN))],
        expect![[r#"
        not-a-number
            a number is required, but this is not a number
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
                there is no sum of an infinity and its opposite
            0 * Inf
                there is no product of zero and an infinity
            Inf / Inf
                there is no quotient of two infinities
            0 / 0
                there is no quotient of zero by zero
        "#]],
    );
    let bounds = Refinements {
        min: Some((number("2"), true)),
        max: Some((number("1"), true)),
        ..Refinements::default()
    };
    check(
        [("nothing between", bounds.settle(&Type::Number))],
        expect![[r#"
        nothing between
            the refinements of this unknown contradict each other
    "#]],
    );
}
