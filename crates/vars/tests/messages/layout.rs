//! Syntax errors, excerpts of long lines, and the number of diagnostics.

use expect_test::expect;

use crate::{check, evaluated};

#[test]
fn parsing_continues_after_a_syntax_error() {
    check(
        r#"@@ main.tf
variable "a" {
  type = list(string
}
variable "b" {
  defualt = 1
}
locals {
  x = [1 2]
  y = <<EOT
variable "in_a_text" {
EOT
}
# variable "in_a_comment" {
variable "c" {
  default = "x
}
variable "d" {
  type = strng
}
variable "e" {
  default = <<EOT
  no end
}
variable "f" {
variable "g" {
  default = var.h
}
@@ override.tf
variable "a" {
  default = ["x"]
}
@@ terraform.tfvars
a = ["y"]
b = 1
"#,
        expect![[r#"
            error: Missing argument separator
             --> main.tf:3:1
              |
            3 | }
              | ^
              |
              = Expected a comma or ")".

            error: Missing item separator
             --> main.tf:8:10
              |
            8 |   x = [1 2]
              |          ^
              |
              = Expected a comma or "]".

            error: Invalid multi-line string
              --> main.tf:15:15
               |
            15 |   default = "x
               |               ^
               |
               = A quoted string cannot span lines; use a heredoc instead.

            error: Unterminated template string
              --> main.tf:21:13
               |
            21 |   default = <<EOT
               |             ^^^^^
               |
               = The heredoc has no closing marker "EOT".

            error: Unclosed configuration block
              --> main.tf:24:14
               |
            24 | variable "f" {
               |              ^
               |
               = The block has no closing brace.

            error: Unsupported argument
             --> main.tf:5:3
              |
            5 |   defualt = 1
              |   ^^^^^^^
              |
              = An argument named "defualt" is not expected in a variable block.
              = help: did you mean "default"?

            error: Invalid type specification
              --> main.tf:18:10
               |
            18 |   type = strng
               |          ^^^^^
               |
               = The keyword "strng" is not a valid type.

            error: Variables not allowed
              --> main.tf:26:13
               |
            26 |   default = var.h
               |             ^^^
               |
               = Only constant values are allowed here; the variable "var" cannot be used.

        "#]],
    );
}

#[test]
fn missing_values_are_not_reported_if_a_file_has_syntax_errors() {
    check(
        "@@ main.tf\nvariable \"a\" {}\nvariable \"b\" {\n  type = number\n}\nvariable \"c\" {}\n@@ terraform.tfvars\nb = \"x\"\na = [1 2]\nc = 1\n",
        expect![[r#"
            error: Missing item separator
             --> terraform.tfvars:2:8
              |
            2 | a = [1 2]
              |        ^
              |
              = Expected a comma or "]".

            error: Invalid value for input variable
             --> terraform.tfvars:1:5
              |
            1 | b = "x"
              |     ^^^
              |
              = The value is not compatible with the variable's type constraint: var.b: a number is required.

        "#]],
    );
}

#[test]
fn errors_after_wide_characters_are_underlined() {
    check(
        "@@ main.tf\nvariable \"a\" {\n  default = [\"日本\", \"e\u{301}🇩🇪\", @]\n}\nvariable \"b\" {\n  default = \"日本\" + 1\n}\n",
        expect![[r#"
            error: Invalid character
             --> main.tf:2:26
              |
             ::: 
            2 |   default = ["日本", "é🇩🇪", @]
              |                             ^
              |
              = Expected an expression.

            error: Invalid operand
             --> main.tf:5:13
              |
            5 |   default = "日本" + 1
              |             ^^^^^^
              |
              = The operand is not suitable: a number is required.

        "#]],
    );
    let long = "日".repeat(60);
    check(
        &format!("@@ main.tf\nvariable \"a\" {{\n  default = [\"{long}\", @, \"{long}\"]\n}}\n"),
        expect![[r#"
            error: Invalid character
             --> main.tf:2:78
              |
            2 | ... 日日日日日日日日日日日日日日日日日日日日日日", @, "日日日日日日日日日日日日日日日日日日日日日日日...
              |                                                    ^
              |
              = Expected an expression.

        "#]],
    );
}

#[test]
fn invalid_json_templates_are_reported() {
    check(
        r#"@@ main.tf.json
{
  "locals": {
    "x": ["${1 +}", {"${": "%{ if }"}],
    "//": "${"
  },
  "output": {"o": {"value": "${local.x", "description": "${"}},
  "resource": {"terraform_data": {"x": {"//": "${", "input": "a ${upper(} b"}}},
  "terraform": {"required_version": "${"}
}
"#,
        expect![[r#"
            error: Invalid version constraint
             --> main.tf.json:8:37
              |
            8 |   "terraform": {"required_version": "${"}
              |                                     ^^^^
              |
              = A version constraint such as ">= 1.9, < 2.0" is required.

            error: Invalid expression
             --> main.tf.json:3:11
              |
            3 |     "x": ["${1 +}", {"${": "%{ if }"}],
              |           ^^^^^^^^
              |
              = Expected an expression.

            error: Missing expression
             --> main.tf.json:3:22
              |
            3 |     "x": ["${1 +}", {"${": "%{ if }"}],
              |                      ^^^^
              |
              = Expected an expression.

            error: Invalid expression
             --> main.tf.json:3:28
              |
            3 |     "x": ["${1 +}", {"${": "%{ if }"}],
              |                            ^^^^^^^^^
              |
              = Expected an expression.

            error: Extra characters after interpolation expression
             --> main.tf.json:6:29
              |
            6 |   "output": {"o": {"value": "${local.x", "description": "${"}},
              |                             ^^^^^^^^^^^
              |
              = Expected a closing brace.

            error: Invalid expression
             --> main.tf.json:7:62
              |
            7 |   "resource": {"terraform_data": {"x": {"//": "${", "input": "a ${upper(} b"}}},
              |                                                              ^^^^^^^^^^^^^^^
              |
              = Expected an expression.

        "#]],
    );
}

#[test]
fn every_error_is_reported() {
    let lines: String = (0..500).map(|i| format!("variable \"v{i}\" {{\n  typ = string\n}}\n")).collect();
    let (diagnostics, _) = evaluated(&format!("@@ main.tf\n{lines}"));
    assert_eq!(
        diagnostics.matches("An argument named \"typ\" is not expected in a variable block.").count(),
        500
    );
    assert!(diagnostics.contains("main.tf:1499:3"));
}

/// An override file can make every variable sensitive.
#[test]
fn values_are_hidden_if_an_override_file_has_syntax_errors() {
    check(
        "@@ main.tf\nvariable \"a\" {\n  type = number\n}\n@@ override.tf\nvariable \"a\" {\n  sensitive = true\n  type = [1 2]\n}\n@@ terraform.tfvars\na = \"hush\"\n",
        expect![[r#"
            error: Missing item separator
             --> override.tf:3:13
              |
            3 |   type = [1 2]
              |             ^
              |
              = Expected a comma or "]".

            error: Invalid value for input variable
            --> terraform.tfvars:1:5
             = The line is not shown because it may contain a sensitive value.
             = The value is not compatible with the variable's type constraint: var.a: a number is required.

        "#]],
    );
}

#[test]
fn invalid_regular_expressions_are_reported() {
    check(
        r#"@@ main.tf
variable "a" {
  default = "x"
  validation {
    condition     = regex("(a)(?P<b>b)", var.a) != null
    error_message = "x"
  }
  validation {
    condition     = regex("y", var.a) != null
    error_message = "x"
  }
  validation {
    condition     = replace(var.a, "/(?i)X/", "<$0>") == "x"
    error_message = "It is ${replace(var.a, "/(?i)X/", "<$0>")}."
  }
}
"#,
        expect![[r#"
            error: Invalid function argument
             --> main.tf:4:27
              |
            4 |     condition     = regex("(a)(?P<b>b)", var.a) != null
              |                           ^^^^^^^^^^^^^
              |
              = Call of function "regex" failed: the capture groups must be either all named or all unnamed.

            error: Error in function call
             --> main.tf:8:21
              |
            8 |     condition     = regex("y", var.a) != null
              |                     ^^^^^^^^^^^^^^^^^
              |
              = Call of function "regex" failed: the pattern does not match.

            error: Invalid value for variable
             --> main.tf:2:13
              |
            2 |   default = "x"
              |             ^^^
              |
              = It is <x>.
              = The validation at main.tf:11:3 rejects the value of var.a.

        "#]],
    );
}
