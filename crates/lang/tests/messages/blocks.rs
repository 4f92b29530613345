//! Snapshots of the errors of configuration files and of the limits.

use expect_test::expect;
use ferroform_lang::body;
use ferroform_lang::expression;
use ferroform_lang::variable::Variable;

use crate::check;

#[test]
fn invalid_blocks_are_reported() {
    let inputs = [
        "1",
        "a",
        "a 1",
        "a = 1 b = 2",
        "a = 1\na = 2",
        "a b",
        "a \"b\" = 1",
        "a \"b${1}\" {}",
        "a {} b {}",
        "a {",
        "a {\n  b = 1",
        "a {\n  1\n}",
        "a { 1 }",
        "a { b = 1, c = 2 }",
        "a { b {} }",
        "a {\n  b = [1 2]\n}",
    ];
    check(
        &inputs,
        |input| body::parse(input).map(drop),
        expect![[r#"
            "1"
                Argument or block definition required - 1:1: Expected a name. [to 1:2]
            "a"
                Invalid block definition - 1:2: Expected an equals sign and a value, or a block in braces, after the name. [to 1:2]
            "a 1"
                Invalid block definition - 1:3: Expected an equals sign and a value, or a block in braces, after the name. [to 1:4]
            "a = 1 b = 2"
                Missing newline after argument or block - 1:7: A newline is required before the next argument or block. [to 1:8]
            "a = 1\na = 2"
                Attribute redefined - 2:1: The argument "a" is set more than once. [to 2:2]
            "a b"
                Invalid block definition - 1:4: Expected an opening brace. [to 1:4]
            "a \"b\" = 1"
                Invalid block definition - 1:7: Expected an opening brace. [to 1:8]
            "a \"b${1}\" {}"
                Invalid string literal - 1:3: A block label cannot contain template sequences. [to 1:10]
            "a {} b {}"
                Missing newline after argument or block - 1:6: A newline is required before the next argument or block. [to 1:7]
            "a {"
                Unclosed configuration block - 1:3: The block has no closing brace. [to 1:4]
            "a {\n  b = 1"
                Unclosed configuration block - 1:3: The block has no closing brace. [to 1:4]
            "a {\n  1\n}"
                Argument or block definition required - 2:3: Expected a name. [to 2:4]
            "a { 1 }"
                Argument or block definition required - 1:5: Expected a name. [to 1:6]
            "a { b = 1, c = 2 }"
                Invalid single-argument block definition - 1:10: A single-line block can contain only one argument. [to 1:11]
            "a { b {} }"
                Invalid single-argument block definition - 1:5: A single-line block cannot contain another block. [to 1:6]
            "a {\n  b = [1 2]\n}"
                Missing item separator - 2:10: Expected a comma or "]". [to 2:11]
        "#]],
    );
}

#[test]
fn exceeded_limits_are_reported() {
    let read = |limit: &str| match limit {
        "parentheses" => expression::constant(&"(".repeat(101)).map(drop),
        "braces" => body::parse(&"a {\n".repeat(101)).map(drop),
        _ => {
            let loops = "[for x in [1, 2] : ".repeat(25);
            expression::constant(&format!("{loops}1{}", "]".repeat(25))).map(drop)
        }
    };
    check(
        &["parentheses", "braces", "loops"],
        read,
        expect![[r#"
            "parentheses"
                Nested too deeply - 1:101: The expression is nested too deeply. [to 1:102]
            "braces"
                Nested too deeply - 101:4: The expression is nested too deeply. [to 102:1]
            "loops"
                Expression too large - 1:471: The value of this expression is too large. [to 1:472]
        "#]],
    );
}

#[test]
fn invalid_overrides_are_reported() {
    let mut it = Variable::declare(None, "default = null").unwrap();
    let by = Variable::declare(None, "nullable = false").unwrap();
    assert_eq!(
        it.clone().override_with(by, &["nullable"]).unwrap_err().to_string(),
        "the value must not be null"
    );
    it.default = Some(expression::constant("[1, []]").unwrap());
    let by = Variable::declare(Some("list(number)"), "").unwrap();
    let message = it.override_with(by, &["type"]).unwrap_err().to_string();
    assert_eq!(message, "[1]: number required, but have tuple");
}
