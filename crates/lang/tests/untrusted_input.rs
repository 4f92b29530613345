//! Untrusted expressions are parsed and evaluated within limits. Properties of all expressions.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

#[path = "../../value/tests/common/deadline.rs"]
mod deadline;

use deadline::within_deadline;
use ferroform_lang::type_constraint::{self, Constraint};
use ferroform_lang::values::AssignedValue;
use ferroform_lang::variable::Variable;
use ferroform_lang::{console, expression, values};
use ferroform_value::{Type, Typed, Value};
use proptest::collection::vec;
use proptest::prelude::*;

/// Runs every parser on an input and prints the results.
fn parse_all(input: &str) {
    if let Ok(it) = expression::constant(input) {
        console::show(&it);
        console::show_type(&it.ty);
    }
    let _ = expression::evaluate(input);
    let _ = expression::attributes(input);
    let _ = type_constraint::exact(input);
    if let Ok(ty) = type_constraint::constraint(input) {
        type_constraint::print(&ty);
    }
    if let Ok(it) = Constraint::parse(input) {
        let _ = it.fit(Typed::object([]));
    }
    let _ = Variable::declare(Some(input), "");
}

#[test]
fn nesting_is_limited() {
    let open = [
        "(",
        "[",
        "{a=",
        "list(",
        "object({a=",
        "-",
        "!",
        "\"${",
        "1+(",
        "a.b[",
        "[for x in ",
        "true ? 1 : ",
        "%{if true}",
        "\"%{if ",
        "{(",
        "f(",
        "tuple([object({a=optional(",
        "<<A\n${",
        "\"%{if true}%{for x in [1]}",
    ];
    for open in open {
        within_deadline(|| parse_all(&open.repeat(20_000)));
        assert!(expression::constant(&open.repeat(20_000)).is_err(), "{open}");
    }
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, inner, close) in [
        ("[", "", "]"),
        ("(", "1", ")"),
        ("{a=", "1", "}"),
        ("-", "1", ""),
        ("\"${", "1", "}\""),
        ("\"%{if true}", "", "%{endif}\""),
        ("true ? 1 : ", "1", ""),
        ("[for x in [1] : ", "x", "]"),
        ("[1,2][", "0", "]"),
    ] {
        within_deadline(|| parse_all(&nested(open, inner, close, 95)));
        assert!(expression::evaluate(&nested(open, inner, close, 300)).is_err(), "{open}");
    }
    assert!(Constraint::parse(&nested("list(", "string", ")", 95)).is_ok());
    assert!(Constraint::parse(&nested("object({a=optional(", "string", ")})", 30)).is_ok());
    assert!(Constraint::parse(&nested("list(", "string", ")", 300)).is_err());
}

#[test]
fn long_inputs_are_parsed_in_time() {
    let sum = "1 + ".repeat(50_000) + "1";
    assert_eq!(within_deadline(|| expression::constant(&sum)).unwrap().value, Value::from(50_001));
    let mixed = "1 * 2 + ".repeat(50_000) + "1";
    assert_eq!(within_deadline(|| expression::constant(&mixed)).unwrap().value, Value::from(100_001));
    let path = format!("[0]{}", "[0]".repeat(50_000));
    assert!(within_deadline(|| expression::constant(&path)).is_err());
    let list = format!("[{}]", "1,".repeat(100_000));
    assert!(within_deadline(|| expression::constant(&list)).is_ok());
    let attributes: String = (0..50_000).map(|i| format!("a{i} = optional(string, \"x\")\n")).collect();
    let read = within_deadline(|| Constraint::parse(&format!("object({{{attributes}}})"))).unwrap();
    assert_eq!(read.defaults.unwrap().values().len(), 50_000);
    // At most 64 errors are reported.
    let invalid = format!("tuple([{}])", "x,".repeat(100_000));
    assert_eq!(within_deadline(|| Constraint::parse(&invalid)).unwrap_err().iter().count(), 64);
    for input in ["\"", "<<A\n", "/*", "/", "$${", "%{", "\\u", "1.", "1e", "a.", "<<", "\u{301}", "::"] {
        within_deadline(|| parse_all(&input.repeat(20_000)));
        within_deadline(|| parse_all(&format!("\"{}\"", input.repeat(20_000))));
        within_deadline(|| parse_all(&format!("<<A\n{}\nA\n", input.repeat(20_000))));
    }
}

/// Values in a variable definitions file, valid and corrupted.
const VALUES: &[&str] = &[
    "[1, \"two\", true, null]",
    "{ a = 1, \"b\" : [2, { c = \"x\" }], d = {} }",
    "[{ name = \"a\", port = 80 }, { name = \"b\", port = \"81\", extra = [] }]",
    "[for x in [1, 2] : x]",
    "[[1, 2][0], { a = 1 }.a, [1, 2]...]",
    "{\n  a = <<EOT\nx ${1 + 1}\nEOT\n  b = -1 # c\n\n  c = (true ? 1 : 2)\n}",
    "{ a = 1, a = 2, (\"a\") = 3, e\u{301} = 4, \u{e9} = 5 }",
    "{ for x in [1] : \"k\" => x }",
    "null",
    "[1 + 1, !true, \"${[1]}\", 1e400]",
];

const CONSTRAINTS: &[&str] = &[
    "list(string)",
    "set(number)",
    "map(any)",
    "list(object({ name = string, port = optional(number, 1), extra = optional(list(string)) }))",
    "object({ a = optional(number, 7), b = optional(any), c = optional(object({ d = optional(bool, true) }), {}) })",
    "object({ a = optional(string), b = optional(list(string)) })",
    "tuple([number, string, bool, string])",
    "map(list(number))",
    "map(string)",
    "number",
];

/// A value that is read without a syntax tree is equal to the value of the expression.
#[test]
fn values_files_are_read_as_expressions() {
    let pieces = [
        "{", "}", "[", "]", "(", ",", "\n", "=", ":", "\"", "1", ".a", "[0]", " + 1", "null", "#", "for",
        "/*",
    ];
    let constraints: Vec<Constraint> = CONSTRAINTS.iter().map(|it| Constraint::parse(it).unwrap()).collect();
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((state >> 33) % below as u64).unwrap()
    };
    let (mut read, mut fitted) = (0, 0);
    for round in 0..20_000 {
        let mut value = VALUES[next(VALUES.len())].to_owned();
        for _ in 0..(round % 4) {
            let at = (0..=next(value.len() + 1)).rev().find(|it| value.is_char_boundary(*it)).unwrap();
            value.insert_str(at, pieces[next(pieces.len())]);
        }
        let text = format!("before = 1\nx = {value}\nafter = 2\n");
        let (file, errors) = values::parse(&text);
        let expected = expression::attributes(&text);
        let expected_names = expected.as_ref().map(|it| it.iter().map(|it| &*it.0).collect::<Vec<_>>());
        match (&errors, expected_names) {
            (None, Ok(names)) => {
                assert_eq!(file.assignments.iter().map(|it| it.name).collect::<Vec<_>>(), names, "{text}");
            }
            // A duplicate name or a value that is not constant is an error of the attributes only.
            (None | Some(_), Err(_)) => {}
            (Some(errors), Ok(_)) => panic!("{text}{errors}"),
        }
        for it in file.assignments.iter().map(|it| it.value) {
            let expected = it.expression().unwrap().constant();
            if let Some(value) = it.read() {
                assert_eq!(Ok(&value), expected.as_ref(), "{text}");
                read += 1;
            }
            for constraint in &constraints {
                if let Some(value) = it.fit(constraint) {
                    let expected = constraint.fit(expected.clone().unwrap()).unwrap();
                    assert_eq!(value.value, expected, "{text}{}", constraint.ty);
                    fitted += 1;
                }
            }
        }
    }
    assert!(read > 10_000 && fitted > 5_000, "{read} {fitted}");
}

/// The same for JSON, where a repeated key is an error.
#[test]
fn json_values_are_read_as_values() {
    for (text, expected) in [
        ("[1, \"two\", true, null]", Some("[1, \"two\", true, null]")),
        ("{\"a\": [{\"b\": 1.50}, {\"b\": 2}]}", Some("{ a = [{ b = 1.5 }, { b = 2 }] }")),
        ("\"${1}\"", Some("\"$${1}\"")),
        ("{\"a\": 1, \"a\": 2}", None),
        ("{\"\u{e9}\": 1, \"e\\u0301\": 2}", None),
        ("[1", None),
    ] {
        let value = AssignedValue::json(text, 0..text.len()).read();
        assert_eq!(value, expected.map(|it| expression::constant(it).unwrap()), "{text}");
    }
    let constraint = Constraint::parse("list(object({ a = number, b = optional(string, \"x\") }))").unwrap();
    let fit = |text: &str| AssignedValue::json(text, 0..text.len()).fit(&constraint);
    let fitted = fit("[{\"a\": \"1\", \"c\": 2}, {\"b\": null, \"a\": 3}]").unwrap();
    let expected = expression::constant("[{ a = \"1\" }, { a = 3 }]").unwrap();
    assert_eq!((fitted.value, fitted.has_undeclared), (constraint.fit(expected).unwrap(), true));
    for invalid in
        ["[{\"a\": 1, \"a\": 2}]", "[{\"a\": 1, \"c\": 2, \"c\": 3}]", "[{\"b\": 1}]", "[{\"a\": []}]", "{}"]
    {
        assert_eq!(fit(invalid), None, "{invalid}");
    }
}

/// A variables file has at most as many elements as a value of the plugin protocol.
#[test]
fn elements_of_values_are_limited() {
    let list = format!("x = [{}]\n", "1,".repeat(values::MAX_ELEMENTS + 1));
    let (file, errors) = within_deadline(|| values::parse(&list));
    assert_eq!((file.assignments.len(), errors.unwrap().first().summary()), (0, "Value too large"));
    let nested = format!("x = {}{}\n", "[".repeat(200), "]".repeat(200));
    let (_, errors) = within_deadline(|| values::parse(&nested));
    assert_eq!(errors.unwrap().first().summary(), "Nested too deeply");
}

#[test]
fn small_expressions_cannot_create_large_values() {
    let doubling: String = (0..60).map(|i| format!("[for x{} in [[x{i}, x{i}]] : ", i + 1)).collect();
    let input = format!("[for x0 in [1] : {doubling}x60{}]", "]".repeat(60));
    let e = within_deadline(|| expression::constant(&input)).unwrap_err();
    assert_eq!(e.first().summary(), "Expression too large");
    let loops: String = (0..60).map(|i| format!("[for x{} in [\"${{x{i}}}${{x{i}}}\"] : ", i + 1)).collect();
    let input = format!("[for x0 in [\"xx\"] : {loops}x60{}]", "]".repeat(60));
    assert!(within_deadline(|| expression::constant(&input)).is_err());
    let loops = "[for x in [1,2,3,4,5,6,7,8,9,10] : ".repeat(20);
    assert!(within_deadline(|| expression::constant(&format!("{loops}1{}", "]".repeat(20)))).is_err());
    assert!(within_deadline(|| expression::constant("1e15000 * 1e15000")).is_err());
    let products = "1e15000 * 1e-15000 * ".repeat(300) + "1";
    assert!(within_deadline(|| expression::constant(&products)).is_ok());
}

#[test]
fn functions_cannot_create_large_values() {
    // Each step doubles the length of the string.
    for step in [
        "replace(IT, \"a\", IT)",
        "join(IT, split(\"\", IT))",
        "format(\"%[1]s%[1]s%[1]s%[1]s\", IT)",
        "join(\"\", formatlist(\"%s%s\", split(\"\", IT), IT))",
        "jsonencode([IT, IT, IT])",
        "base64encode(\"${IT}${IT}\")",
        "urlencode(\"${IT}é${IT}\")",
        "join(\"\", concat([IT], [IT], [IT]))",
    ] {
        let steps: String = (0..40)
            .map(|i| format!("[for x{} in [{}] : ", i + 1, step.replace("IT", &format!("x{i}"))))
            .collect();
        let input = format!("length([for x0 in [\"aaaaaaaa\"] : {steps}x40{}])", "]".repeat(41));
        assert!(within_deadline(|| expression::evaluate(&input)).is_err(), "{step}");
    }
    for input in [
        "setproduct(range(1000), range(1000), range(1000))",
        "indent(44444444444, \"\")",
        "indent(100000, \"${join(\"\\n\", range(1000))}\")",
        "format(\"%99999999999s\", 1)",
        "formatlist(\"%.999999999f\", range(1000))",
        "format(\"%f\", 1e150000)",
        "[for i in range(1000) : range(1000)]",
        "pow(10, 1e15)",
    ] {
        assert!(within_deadline(|| expression::evaluate(input)).is_err(), "{input}");
    }
    let long = "é".repeat(100_000);
    assert!(within_deadline(|| expression::evaluate(&format!("length(\"{long}\")"))).is_ok());
    assert!(
        within_deadline(|| expression::evaluate(&format!("[for i in range(1000) : length(\"{long}\")]")))
            .is_err()
    );
    let digits = "9".repeat(100_000);
    assert!(within_deadline(|| expression::evaluate(&format!("parseint(\"{digits}\", 10)"))).is_err());
}

/// The regular expression functions exist only with a feature.
#[test]
fn regular_expressions_are_limited() {
    let long = "aé".repeat(30_000);
    for input in [
        "can(regex(\"(\\\\pL{30}){30}\", \"x\"))".to_owned(),
        "[for i in range(1000) : can(regex(\"\\\\pL{9}${i}\", \"x\"))]".to_owned(),
        format!("can(regex(\"(.*)\\\\pL{{900}}\", \"{long}\"))"),
        format!("can(regex(\"(a|aé)*x\", \"{long}\"))"),
        format!("replace(\"{long}\", \"/a/\", \"{long}\")"),
    ] {
        let _ = within_deadline(|| expression::evaluate(&input));
    }
}

fn any_tokens() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(
            &[
                "string", "number", "bool", "any", "list", "set", "map", "object", "tuple", "optional", "(",
                ")", "[", "]", "{", "}", ",", "=", ":", "\n", "1", "0.5", "1e3", "\"a\"", "\"${", "}\"",
                "%{", "if", "for", "in", "endif", "endfor", "null", "true", "-", "!", "+", "*", "/", "%",
                "==", "&&", "?", ".", "...", "<<A\n", "\nA\n", "<<-A\n", "  ", "#", "//", "/*", "*/", "=>",
                "a", "x", "~", "$", "\\", "é", "\r\n", "::", "upper(", "tolist(", "merge(",
            ][..]
        )
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    vec(word, 0..24).prop_map(|it| it.concat())
}

fn constraint() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(&["string", "number", "bool", "any"][..]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|it| format!("list({it})")),
            inner.clone().prop_map(|it| format!("set({it})")),
            inner.clone().prop_map(|it| format!("map({it})")),
            vec(inner.clone(), 0..4).prop_map(|it| format!("tuple([{}])", it.join(", "))),
            vec((inner, 0..3), 0..4).prop_map(|it| {
                let attribute = |(i, (ty, how)): (usize, (String, i32))| match how {
                    0 => format!("a{i} = {ty}\n"),
                    1 => format!("a{i} = optional({ty})\n"),
                    _ => format!("a{i} = optional({ty}, null)\n"),
                };
                let attributes: String = it.into_iter().enumerate().map(attribute).collect();
                format!("object({{{attributes}}})")
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_input_is_parsed_or_rejected(input in any_tokens()) {
        parse_all(&input);
    }

    #[test]
    fn type_constraints_round_trip(input in constraint()) {
        let it = Constraint::parse(&input).unwrap();
        let bare = it.ty.without_optional();
        prop_assert_eq!(&type_constraint::constraint(&type_constraint::print(&it.ty)).unwrap(), &bare);
        prop_assert_eq!(&type_constraint::constraint(&it.ty.to_string()).unwrap(), &it.ty);
        // A null has no attributes that could be missing.
        let null = it.fit(Typed::new(Type::Dynamic, Value::Null)).unwrap();
        prop_assert_eq!(null.value, Value::Null);
    }

    #[test]
    fn strings_round_trip(input in "[^\\x00-\\x1f]*") {
        let it = Typed::new(Type::String, Value::string(&input));
        let printed = console::show(&it).replace("${", "$${").replace("%{", "%%{");
        // The console prints a few escape sequences that the language does not parse.
        if !printed.contains("\\x") {
            prop_assert_eq!(expression::constant(&printed).unwrap(), it);
        }
    }

    #[test]
    fn integer_arithmetic_is_exact(a in any::<i64>(), b in any::<i64>(), c in 1i64..1_000_000) {
        let compute = |input: String| console::show(&expression::constant(&input).unwrap());
        let (a, b, c) = (i128::from(a), i128::from(b), i128::from(c));
        prop_assert_eq!(compute(format!("{a} + {b}")), (a + b).to_string());
        prop_assert_eq!(compute(format!("{a} - {b}")), (a - b).to_string());
        let product = compute(format!("{a} * {b}"));
        prop_assert_eq!(product.trim_start_matches("-0").is_empty(), a * b == 0 && product == "-0");
        if a * b != 0 {
            prop_assert_eq!(product, (a * b).to_string());
        }
        if a % c != 0 {
            prop_assert_eq!(compute(format!("{a} % {c}")), (a % c).to_string());
        }
        prop_assert_eq!(compute(format!("{a} < {b}")), (a < b).to_string());
    }
}

#[test]
fn attribute_names_match_in_every_normal_form() {
    let constraint = Constraint::parse("object({e\u{301} = optional(string, \"d\")})").unwrap();
    for expression_with_attribute in ["{e\u{301} = \"x\"}", "{\u{e9} = \"x\"}", "{\"e\u{301}\" = \"x\"}"] {
        let fit = constraint.fit(expression::constant(expression_with_attribute).unwrap()).unwrap();
        assert_eq!(fit.value, Value::object([("\u{e9}", Value::from("x"))]), "{expression_with_attribute}");
    }
}

#[test]
fn deep_types_are_printed() {
    for (open, close, depth) in [("[\"list\",", "]", 511), ("[\"object\",{\"a\":", "}]", 255)] {
        let input = format!("{}\"string\"{}", open.repeat(depth), close.repeat(depth));
        let ty = ferroform_value::json::type_from_slice(input.as_bytes()).unwrap();
        assert!(console::show_type(&ty).len() > depth && type_constraint::print(&ty).len() > depth);
    }
}
