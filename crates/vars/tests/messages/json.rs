//! Errors of JSON files.

use expect_test::expect;

use crate::{check, evaluated};

/// The error of each input as a `.tfvars.json` file.
#[test]
fn invalid_json_is_reported_with_its_position() {
    let deep = "[".repeat(257);
    let inputs = [
        "",
        "{} {}",
        "{\"a\": ",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\": [1 2]}",
        "{a: 1}",
        "{\"a\" 1}",
        "{\"a\": !}",
        "{\"a\": nul}",
        "{\"a\": 01}",
        "{\"a\": 1e999999999}",
        "{\"a\": \"x}",
        "{\"a\": \"x\ty\"}",
        "{\"a\": \"\\u12\"}",
        "{\"a\": \"\\q\"}",
        &deep,
    ];
    let mut out = String::new();
    for input in inputs {
        let diagnostics = evaluated(&format!(
            "@@ main.tf\nvariable \"a\" {{ default = 1 }}\n@@ terraform.tfvars.json\n{input}"
        ))
        .0;
        let mut lines = diagnostics.lines().filter(|it| it.contains("--> ") || it.contains(" = "));
        let at = lines.next().and_then(|it| it.split_once(':')).map_or("", |it| it.1);
        let detail = lines.next().and_then(|it| it.split_once("= ")).map_or("", |it| it.1);
        let input = if input.len() > 40 { "too many brackets" } else { input };
        out += &format!("{input:?}\n    {at}: {detail}\n");
    }
    expect![[r#"
        ""
            1:1: Unexpected end of input.
        "{} {}"
            1:4: Expected end of input.
        "{\"a\": "
            1:7: Unexpected end of input.
        "{\"a\": 1 \"b\": 2}"
            1:9: Expected a comma or a closing bracket.
        "{\"a\": [1 2]}"
            1:10: Expected a comma or a closing bracket.
        "{a: 1}"
            1:2: Expected a quoted object key.
        "{\"a\" 1}"
            1:6: Expected a colon.
        "{\"a\": !}"
            1:7: Expected a value.
        "{\"a\": nul}"
            1:7: Expected a value.
        "{\"a\": 01}"
            1:8: Expected a comma or a closing bracket.
        "{\"a\": 1e999999999}"
            1:7: Invalid JSON number: the number is out of range.
        "{\"a\": \"x}"
            1:8: Unexpected end of input in a string.
        "{\"a\": \"x\ty\"}"
            1:9: Expected an escape sequence instead of a control character.
        "{\"a\": \"\\u12\"}"
            1:10: Expected four hexadecimal digits.
        "{\"a\": \"\\q\"}"
            1:9: Expected an escape sequence.
        "too many brackets"
            1:257: The value is nested too deeply.
    "#]]
    .assert_eq(&out);
}

#[test]
fn invalid_json_modules_are_reported() {
    check(
        "@@ main.tf.json\n{\n  \"variable\": [1],\n  \"locals\": {}\n}\n",
        expect![[r#"
            error: Incorrect JSON value type
             --> main.tf.json:2:15
              |
            2 |   "variable": [1],
              |               ^^^
              |
              = The value of "variable" must be an object or an array of objects, but got an array.

            error: Missing block label
             --> main.tf.json:2:15
              |
            2 |   "variable": [1],
              |               ^^^
              |
              = At least one variable name is required.

        "#]],
    );
    check(
        "@@ main.tf.json\n{\"variable\": {}}\n",
        expect![[r#"
            error: Missing block label
             --> main.tf.json:1:14
              |
            1 | {"variable": {}}
              |              ^^
              |
              = At least one variable name is required.

        "#]],
    );
    check(
        "@@ main.tf.json\n[1]\n",
        expect![[r#"
            error: Incorrect JSON value type
             --> main.tf.json:1:1
              |
            1 | [1]
              | ^^^
              |
              = The root value in a JSON-based configuration must be an object or an array of objects, but got an array.

        "#]],
    );
    check(
        "@@ main.tf.json\n{\"variable\": {\"a\": {\"default\": {\"x\": 1, \"x\": 2}}}}\n",
        expect![[r#"
            error: Duplicate object attribute
             --> main.tf.json:1:41
              |
            1 | {"variable": {"a": {"default": {"x": 1, "x": 2}}}}
              |                                         ^^^
              |
              = The key "x" is set more than once.

        "#]],
    );
    check(
        "@@ main.tf.json\n{\"variable\": {\"a\": {\"validation\": 1, \"default\": 1}}}\n",
        expect![[r#"
            error: Incorrect JSON value type
             --> main.tf.json:1:35
              |
            1 | {"variable": {"a": {"validation": 1, "default": 1}}}
              |                                   ^
              |
              = A validation must be an object or an array of objects, but got a number.

        "#]],
    );
    check(
        "@@ main.tf.json\n{\"variable\": {\"a\": {\"default\": 1, \"validation\": {\"condition\": true, \"condition\": false, \"error_message\": \"x\"}}}}\n",
        expect![[r#"
            error: Duplicate argument
             --> main.tf.json:1:69
              |
            1 | {"variable": {"a": {"default": 1, "validation": {"condition": true, "condition": false, "error_message"...
              |                                                                     ^^^^^^^^^^^
              |
              = The argument "condition" is set more than once.

        "#]],
    );
    check(
        "@@ main.tf.json\n{\"variable\": {\"a\": {}\n",
        expect![[r#"
            error: Invalid JSON
             --> main.tf.json:2:1
              |
            2 |
              | ^
              |
              = Unexpected end of input.

        "#]],
    );
}
