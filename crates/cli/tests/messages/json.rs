//! What is said about JSON that is none, and about modules that are written in it.

use expect_test::expect;

use crate::{check, said};

/// Each text in the place of a file of values, with what is said about it.
#[test]
fn no_json() {
    let deep = "[".repeat(257);
    let texts = [
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
    for text in texts {
        let said =
            said(&format!("@@ main.tf\nvariable \"a\" {{ default = 1 }}\n@@ terraform.tfvars.json\n{text}"))
                .0;
        let mut lines = said.lines().filter(|it| it.contains("--> ") || it.contains(" = "));
        let at = lines.next().and_then(|it| it.split_once(':')).map_or("", |it| it.1);
        let detail = lines.next().and_then(|it| it.split_once("= ")).map_or("", |it| it.1);
        let text = if text.len() > 40 { "too many brackets" } else { text };
        out += &format!("{text:?}\n    {at}: {detail}\n");
    }
    expect![[r#"
        ""
            1:1: The text ends too early.
        "{} {}"
            1:4: The end is required.
        "{\"a\": "
            1:7: The text ends too early.
        "{\"a\": 1 \"b\": 2}"
            1:9: A comma or the closing bracket is required.
        "{\"a\": [1 2]}"
            1:10: A comma or the closing bracket is required.
        "{a: 1}"
            1:2: A name in quotes is required.
        "{\"a\" 1}"
            1:6: A colon is required.
        "{\"a\": !}"
            1:7: A value is required.
        "{\"a\": nul}"
            1:7: A value is required.
        "{\"a\": 01}"
            1:8: A comma or the closing bracket is required.
        "{\"a\": 1e999999999}"
            1:7: This number cannot be read: the exponent of this number is out of range.
        "{\"a\": \"x}"
            1:8: The text ends within a string.
        "{\"a\": \"x\ty\"}"
            1:9: An escape in place of this control character is required.
        "{\"a\": \"\\u12\"}"
            1:10: An escape of four hexadecimal digits is required.
        "{\"a\": \"\\q\"}"
            1:9: An escape is required.
        "too many brackets"
            1:257: This is nested too deeply.
    "#]]
    .assert_eq(&out);
}

#[test]
fn modules_in_json() {
    check(
        "@@ main.tf.json\n{\n  \"variable\": [1],\n  \"locals\": {}\n}\n",
        expect![[r#"
        error: Incorrect JSON value type
         --> main.tf.json:2:15
          |
        2 |   "variable": [1],
          |               ^^^
          = What is called variable is an object or an array of objects, and this is an array.

        error: Missing block label
         --> main.tf.json:2:15
          |
        2 |   "variable": [1],
          |               ^^^
          = The name of a variable is required here.

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
          = The name of a variable is required here.

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
          = The root value in a JSON-based configuration is an object or an array of objects, and this is an array.

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
          = There is a value for "x" already.

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
          = A validation is an object or an array of objects, and this is a number.

    "#]],
    );
    check(
        "@@ main.tf.json\n{\"variable\": {\"a\": {\"default\": 1, \"validation\": {\"condition\": true, \"condition\": false, \"error_message\": \"x\"}}}}\n",
        expect![[r#"
            error: Duplicate argument
             --> main.tf.json:1:69
              |
            1 |  {"default": 1, "validation": {"condition": true, "condition": false, "error_message": "x"}}}}
              |                                                   ^^^^^^^^^^^
              = There is a value for "condition" already.

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
              = The text ends too early.

        "#]],
    );
}
