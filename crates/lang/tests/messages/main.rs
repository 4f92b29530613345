//! Snapshots of the errors of expressions, type constraints and variables.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

mod blocks;
mod calls;

use std::fmt::Write;

use expect_test::{Expect, expect};
use ferroform_lang::type_constraint::{self, Constraint};
use ferroform_lang::variable::Variable;
use ferroform_lang::{Errors, expression};

/// Compares a snapshot with each input and its error messages.
pub(crate) fn check<T>(inputs: &[&str], read: impl Fn(&str) -> Result<T, Errors>, expected: Expect) {
    let mut out = String::new();
    for input in inputs {
        writeln!(out, "{input:?}").unwrap();
        match read(input) {
            Ok(_) => out.push_str("    nothing\n"),
            Err(e) => e.iter().for_each(|it| {
                let end = it.span().end;
                writeln!(out, "    {} - {it} [to {}:{}]", it.summary(), end.line, end.column).unwrap();
            }),
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn syntax_errors_are_reported() {
    let inputs = [
        "",
        "1 2",
        "a,b",
        "=",
        "1 +",
        "@",
        "1.2.3",
        "1e999999999",
        "(1",
        "(1]",
        "[1",
        "[1 2]",
        "{a",
        "{a 1}",
        "{a=1",
        "{a=1 b=2}",
        "f(1",
        "f(1 2)",
        "f(a... b)",
        "a::1()",
        "a::b",
        "true ? 1",
        "[for]",
        "[for x]",
        "[for x in y z]",
        "{for x in y : x}",
        "[for x in y : x",
        "a[1",
        "a.",
        "a.1x",
        "a.1..2",
        "a.*.b.*",
        "a.*.0.1",
        "\"a",
        "\"a\nb\"",
        "\"\\q\"",
        "\"\\u12\"",
        "\"${1\"",
        "\"${1 2}\"",
        "\"%{what}\"",
        "\"%{if true}\"",
        "\"%{for x in y}\"",
        "\"%{endif}\"",
        "\"%{if true}%{endfor}\"",
        "<<A\nb",
        "<<",
        "f(1,",
        "[\n  1,\n  \"größe\", @]",
    ];
    check(
        &inputs,
        expression::constant,
        expect![[r#"
            ""
                Missing expression - 1:1: Expected an expression. [to 1:1]
            "1 2"
                Extra characters after expression - 1:3: The expression is complete before this token. [to 1:4]
            "a,b"
                Extra characters after expression - 1:2: The expression is complete before this token. [to 1:3]
            "="
                Invalid expression - 1:1: Expected an expression. [to 1:2]
            "1 +"
                Missing expression - 1:4: Expected an expression. [to 1:4]
            "@"
                Invalid character - 1:1: Expected an expression. [to 1:2]
            "1.2.3"
                Invalid number literal - 1:1: The number literal is invalid: a number is required. [to 1:6]
            "1e999999999"
                Invalid number literal - 1:1: The number literal is invalid: the number is out of range. [to 1:12]
            "(1"
                Unbalanced parentheses - 1:3: Expected a closing parenthesis. [to 1:3]
            "(1]"
                Unbalanced parentheses - 1:3: Expected a closing parenthesis. [to 1:4]
            "[1"
                Unterminated tuple constructor expression - 1:1: The bracket has no matching closing bracket. [to 1:2]
            "[1 2]"
                Missing item separator - 1:4: Expected a comma or "]". [to 1:5]
            "{a"
                Unterminated object constructor expression - 1:1: The bracket has no matching closing bracket. [to 1:2]
            "{a 1}"
                Missing key/value separator - 1:4: Expected an equals sign or a colon, and a value, after the key. [to 1:5]
            "{a=1"
                Unterminated object constructor expression - 1:1: The bracket has no matching closing bracket. [to 1:2]
            "{a=1 b=2}"
                Missing attribute separator - 1:6: Expected a comma or "}". [to 1:7]
            "f(1"
                Unterminated function call - 1:2: The bracket has no matching closing bracket. [to 1:3]
            "f(1 2)"
                Missing argument separator - 1:5: Expected a comma or ")". [to 1:6]
            "f(a... b)"
                Missing closing parenthesis - 1:8: The expanding argument must be the last one. [to 1:9]
            "a::1()"
                Missing function name - 1:4: Expected a function name. [to 1:5]
            "a::b"
                Missing open parenthesis - 1:5: Expected the function's arguments in parentheses. [to 1:5]
            "true ? 1"
                Missing false expression in conditional - 1:9: Expected a colon and the false result after the true result. [to 1:9]
            "[for]"
                Invalid 'for' expression - 1:5: Expected a name. [to 1:6]
            "[for x]"
                Invalid 'for' expression - 1:7: Expected the keyword "in". [to 1:8]
            "[for x in y z]"
                Invalid 'for' expression - 1:13: Expected ":". [to 1:14]
            "{for x in y : x}"
                Invalid 'for' expression - 1:16: Expected "=>". [to 1:17]
            "[for x in y : x"
                Invalid 'for' expression - 1:16: Expected "]". [to 1:16]
            "a[1"
                Missing close bracket on index - 1:4: Expected a closing bracket. [to 1:4]
            "a."
                Invalid attribute name - 1:3: Expected an attribute name after the dot. [to 1:3]
            "a.1x"
                Extra characters after expression - 1:4: The expression is complete before this token. [to 1:5]
            "a.1..2"
                Invalid legacy index syntax - 1:3: The index is invalid: a number is required. [to 1:7]
            "a.*.b.*"
                Nested splat expression not allowed - 1:7: A splat after .* is not allowed; use [*] instead. [to 1:8]
            "a.*.0.1"
                Invalid legacy index syntax - 1:5: Only one legacy index may follow .*; use [*] and brackets instead. [to 1:8]
            "\"a"
                Unterminated template string - 1:1: The string has no closing quote. [to 1:2]
            "\"a\nb\""
                Invalid multi-line string - 1:3: A quoted string cannot span lines; use a heredoc instead. [to 2:1]
            "\"\\q\""
                Invalid escape sequence - 1:2: The escape sequence is not valid. [to 1:4]
            "\"\\u12\""
                Invalid escape sequence - 1:2: The escape sequence is not valid. [to 1:4]
            "\"${1\""
                Extra characters after interpolation expression - 1:5: Expected a closing brace. [to 1:6]
            "\"${1 2}\""
                Extra characters after interpolation expression - 1:6: Expected a closing brace. [to 1:7]
            "\"%{what}\""
                Invalid template directive - 1:4: Expected one of the keywords if, else, endif, for and endfor. [to 1:8]
            "\"%{if true}\""
                Unterminated template directive - 1:2: The directive has no matching endif. [to 1:12]
            "\"%{for x in y}\""
                Unterminated template directive - 1:2: The directive has no matching endfor. [to 1:15]
            "\"%{endif}\""
                Unexpected template directive - 1:2: The directive has no matching opening directive. [to 1:10]
            "\"%{if true}%{endfor}\""
                Unterminated template directive - 1:2: The directive has no matching endif. [to 1:12]
            "<<A\nb"
                Unterminated template string - 1:1: The heredoc has no closing marker "A". [to 2:1]
            "<<"
                Invalid character - 1:1: Expected an expression. [to 1:3]
            "f(1,"
                Missing expression - 1:5: Expected an expression. [to 1:5]
            "[\n  1,\n  \"größe\", @]"
                Invalid character - 3:12: Expected an expression. [to 3:13]
        "#]],
    );
}

#[test]
fn evaluation_errors_are_reported() {
    let inputs = [
        "x",
        "[1, f()]",
        "{a.b = 1}",
        "{(null) = 1}",
        "{([]) = 1}",
        "\"a${null}\"",
        "\"a${[]}\"",
        "1 + true",
        "1 + null",
        "!1",
        "-\"x\"",
        "1 && true",
        "0 / 0",
        "1 ? 2 : 3",
        "null ? 2 : 3",
        "true ? 1 : true",
        "\"true\" ? [1] : {a = 1 + \"x\"}",
        "true ? [1] : 1 + \"x\"",
        "true ? [1][1] : 2",
        "false ? 1 : [[1][1], x]",
        "null ? 1 : [[1][1]]",
        "true ? {a = x} : {b = 1}.a",
        "[for x in [1, {}] : x.a]",
        "[1][1]",
        "[1][\"a\"]",
        "[1][0.5]",
        "{a=1}[\"b\"]",
        "{a=1}[null]",
        "{a=1}[[]]",
        "{a=1}.b",
        "1.5.a",
        "{a = 1 + true}.a",
        "[[1], 1][*].a",
        "(true ? null : [1])[*]",
        "[for x in 1 : x]",
        "[for x in [1] : x if 5]",
        "{for x in [1, 1] : x => x}",
        "{for x in [null] : x => x}",
        "\"%{if 5}%{endif}\"",
    ];
    check(
        &inputs,
        expression::constant,
        expect![[r#"
            "x"
                Variables not allowed - 1:1: Only constant values are allowed here; the variable "x" cannot be used. [to 1:2]
            "[1, f()]"
                Function calls not allowed - 1:5: Only constant values are allowed here; the function "f" cannot be called. [to 1:8]
            "{a.b = 1}"
                Ambiguous attribute key - 1:2: A computed key must be enclosed in parentheses. [to 1:5]
            "{(null) = 1}"
                Null value as key - 1:2: A null value cannot be used as a key. [to 1:8]
            "{([]) = 1}"
                Incorrect key type - 1:2: The value cannot be used as a key: string required, but have tuple. [to 1:6]
            "\"a${null}\""
                Invalid template interpolation value - 1:5: A null value cannot be used in a string template. [to 1:9]
            "\"a${[]}\""
                Invalid template interpolation value - 1:5: The value cannot be used in a string template: string required, but have tuple. [to 1:7]
            "1 + true"
                Invalid operand - 1:5: The operand is not suitable: number required, but have bool. [to 1:9]
            "1 + null"
                Operation failed - 1:1: The operation failed: an operand is null. [to 1:9]
            "!1"
                Invalid operand - 1:2: The operand is not suitable: bool required, but have number. [to 1:3]
            "-\"x\""
                Invalid operand - 1:2: The operand is not suitable: a number is required. [to 1:5]
            "1 && true"
                Invalid operand - 1:1: The operand is not suitable: bool required, but have number. [to 1:2]
            "0 / 0"
                Operation failed - 1:1: The operation failed: the quotient of zero and zero is undefined. [to 1:6]
            "1 ? 2 : 3"
                Incorrect condition type - 1:1: The condition is not suitable: bool required, but have number. [to 1:2]
            "null ? 2 : 3"
                Null condition - 1:1: The condition must not be null. [to 1:5]
            "true ? 1 : true"
                Inconsistent conditional result types - 1:1: The true and false results of a conditional must have a common type. [to 1:16]
            "\"true\" ? [1] : {a = 1 + \"x\"}"
                Inconsistent conditional result types - 1:1: The true and false results of a conditional must have a common type. [to 1:29]
            "true ? [1] : 1 + \"x\""
                Inconsistent conditional result types - 1:1: The true and false results of a conditional must have a common type. [to 1:21]
            "true ? [1][1] : 2"
                Invalid index - 1:12: The value does not have an element for this index. [to 1:13]
            "false ? 1 : [[1][1], x]"
                Inconsistent conditional result types - 1:1: The true and false results of a conditional must have a common type. [to 1:24]
            "null ? 1 : [[1][1]]"
                Inconsistent conditional result types - 1:1: The true and false results of a conditional must have a common type. [to 1:20]
            "true ? {a = x} : {b = 1}.a"
                Variables not allowed - 1:13: Only constant values are allowed here; the variable "x" cannot be used. [to 1:14]
            "[for x in [1, {}] : x.a]"
                Unsupported attribute - 1:23: The value does not have an attribute of this name. [to 1:24]
            "[1][1]"
                Invalid index - 1:5: The value does not have an element for this index. [to 1:6]
            "[1][\"a\"]"
                Invalid index - 1:5: The value cannot be used as an index: a number is required. [to 1:8]
            "[1][0.5]"
                Invalid index - 1:5: An index must be a whole number that is not negative. [to 1:8]
            "{a=1}[\"b\"]"
                Invalid index - 1:7: The value does not have an element for this index. [to 1:10]
            "{a=1}[null]"
                Invalid index - 1:7: A null value cannot be used as a key. [to 1:11]
            "{a=1}[[]]"
                Invalid index - 1:7: The value cannot be used as a key: string required, but have tuple. [to 1:9]
            "{a=1}.b"
                Unsupported attribute - 1:7: The value does not have an attribute of this name. [to 1:8]
            "1.5.a"
                Unsupported attribute - 1:5: The value does not have an attribute of this name. [to 1:6]
            "{a = 1 + true}.a"
                Invalid operand - 1:10: The operand is not suitable: number required, but have bool. [to 1:14]
            "[[1], 1][*].a"
                Unsupported attribute - 1:13: The value does not have an attribute of this name. [to 1:14]
            "(true ? null : [1])[*]"
                Splat of null value - 1:21: The splat operator cannot be applied to a null value. [to 1:22]
            "[for x in 1 : x]"
                Iteration over non-iterable value - 1:11: A collection is required for iteration, but got number. [to 1:12]
            "[for x in [1] : x if 5]"
                Incorrect condition type - 1:22: The condition is not suitable: bool required, but have number. [to 1:23]
            "{for x in [1, 1] : x => x}"
                Duplicate object key - 1:20: Two elements produce the same key. Add ... after the value expression to group values by key. [to 1:21]
            "{for x in [null] : x => x}"
                Null value as key - 1:20: A null value cannot be used as a key. [to 1:21]
            "\"%{if 5}%{endif}\""
                Incorrect condition type - 1:7: The condition is not suitable: bool required, but have number. [to 1:8]
        "#]],
    );
}

#[test]
fn invalid_type_constraints_are_reported() {
    let inputs = [
        "strng",
        "list",
        "set()",
        "map(string, number, bool)",
        "object",
        "tuple(a, b)",
        "5",
        "\"string\"",
        "(string)",
        "string()",
        "any(string)",
        "object([])",
        "object({\"a\" = string})",
        "object({a = string, a = number})",
        "tuple({})",
        "optional(string)",
        "list(optional(string))",
        "array(string)",
        "object({a = optional()})",
        "object({a = optional(string, 1, 2)})",
        "object({a = optional(number, \"x\")})",
        "object({a = optional(list(string), [[]])})",
        "object({a = optional(string, var.x)})",
        "object({a = strng, b = optional(nmber), c = tuple([x, y])})",
        "object({b = strng, a = nmber, \"c\" = bool, b = x, a = tuple({}), d = optional(y, z)})",
    ];
    check(
        &inputs,
        Constraint::parse,
        expect![[r#"
            "strng"
                Invalid type specification - 1:1: The keyword "strng" is not a valid type. [to 1:6]
            "list"
                Invalid type specification - 1:1: The type list requires one argument: the type of its elements. [to 1:5]
            "set()"
                Invalid type specification - 1:4: The type set requires one argument: the type of its elements. [to 1:6]
            "map(string, number, bool)"
                Invalid type specification - 1:13: The type map requires one argument: the type of its elements. [to 1:25]
            "object"
                Invalid type specification - 1:1: The type object requires one argument: the types of its attributes, in braces. [to 1:7]
            "tuple(a, b)"
                Invalid type specification - 1:10: The type tuple requires one argument: the types of its elements, in brackets. [to 1:11]
            "5"
                Invalid type specification - 1:1: A type is one of the keywords bool, number and string, or a call such as list(string). [to 1:2]
            "\"string\""
                Invalid type specification - 1:1: A type is one of the keywords bool, number and string, or a call such as list(string). [to 1:9]
            "(string)"
                Invalid type specification - 1:1: A type is one of the keywords bool, number and string, or a call such as list(string). [to 1:9]
            "string()"
                Invalid type specification - 1:7: The type string does not accept arguments. [to 1:9]
            "any(string)"
                Invalid type specification - 1:4: The type any does not accept arguments. [to 1:12]
            "object([])"
                Invalid type specification - 1:8: An object type requires a map of attribute names to types in braces. [to 1:10]
            "object({\"a\" = string})"
                Invalid type specification - 1:9: Attribute names must be written without quotes and cannot be computed. [to 1:12]
            "object({a = string, a = number})"
                Invalid type specification - 1:21: The attribute "a" is declared more than once. [to 1:22]
            "tuple({})"
                Invalid type specification - 1:7: A tuple type requires a list of element types in brackets. [to 1:9]
            "optional(string)"
                Invalid type specification - 1:1: The optional modifier applies only to attributes of objects. [to 1:9]
            "list(optional(string))"
                Invalid type specification - 1:6: The optional modifier applies only to attributes of objects. [to 1:14]
            "array(string)"
                Invalid type specification - 1:1: The keyword "array" is not a valid type constructor. [to 1:14]
            "object({a = optional()})"
                Invalid type specification - 1:21: The optional modifier requires the attribute's type. [to 1:23]
            "object({a = optional(string, 1, 2)})"
                Invalid type specification - 1:21: The optional modifier accepts the attribute's type and at most one default value. [to 1:35]
            "object({a = optional(number, \"x\")})"
                Invalid default value for optional attribute - 1:30: The default value is not compatible with the attribute's type constraint: a number is required. [to 1:33]
            "object({a = optional(list(string), [[]])})"
                Invalid default value for optional attribute - 1:36: The default value is not compatible with the attribute's type constraint: [0]: string required, but have tuple. [to 1:40]
            "object({a = optional(string, var.x)})"
                Variables not allowed - 1:30: Only constant values are allowed here; the variable "var" cannot be used. [to 1:33]
            "object({a = strng, b = optional(nmber), c = tuple([x, y])})"
                Invalid type specification - 1:13: The keyword "strng" is not a valid type. [to 1:18]
                Invalid type specification - 1:33: The keyword "nmber" is not a valid type. [to 1:38]
                Invalid type specification - 1:52: The keyword "x" is not a valid type. [to 1:53]
                Invalid type specification - 1:55: The keyword "y" is not a valid type. [to 1:56]
            "object({b = strng, a = nmber, \"c\" = bool, b = x, a = tuple({}), d = optional(y, z)})"
                Invalid type specification - 1:13: The keyword "strng" is not a valid type. [to 1:18]
                Invalid type specification - 1:24: The keyword "nmber" is not a valid type. [to 1:29]
                Invalid type specification - 1:31: Attribute names must be written without quotes and cannot be computed. [to 1:34]
                Invalid type specification - 1:43: The attribute "b" is declared more than once. [to 1:44]
                Invalid type specification - 1:50: The attribute "a" is declared more than once. [to 1:51]
                Variables not allowed - 1:81: Only constant values are allowed here; the variable "z" cannot be used. [to 1:82]
                Invalid type specification - 1:78: The keyword "y" is not a valid type. [to 1:79]
        "#]],
    );
}

#[test]
fn invalid_exact_types_are_reported() {
    let inputs = ["any", "list(any)", "object({a = optional(string, 1)})"];
    check(
        &inputs,
        type_constraint::exact,
        expect![[r#"
            "any"
                Invalid type specification - 1:1: The keyword any cannot be used here because an exact type is required. [to 1:4]
            "list(any)"
                Invalid type specification - 1:6: The keyword any cannot be used here because an exact type is required. [to 1:9]
            "object({a = optional(string, 1)})"
                Invalid type specification - 1:13: Optional attributes cannot be used here because an exact type is required. [to 1:21]
        "#]],
    );
    let inputs = ["object({a = optional(string, 1)})", "object({a = optional()})"];
    check(
        &inputs,
        type_constraint::constraint,
        expect![[r#"
            "object({a = optional(string, 1)})"
                Invalid type specification - 1:21: The optional modifier accepts only the attribute's type here. [to 1:32]
            "object({a = optional()})"
                Invalid type specification - 1:21: The optional modifier requires the attribute's type. [to 1:23]
        "#]],
    );
}

#[test]
fn invalid_variables_are_reported() {
    let declared = ["\"string\"", "\"list\"", "\"map\"", "\"foo\"", "set", "\"${string}\""];
    check(
        &declared,
        |input| Variable::declare(Some(input), ""),
        expect![[r#"
            "\"string\""
                Invalid quoted type constraints - 1:1: Type constraints are not quoted: write string instead of "string". [to 1:9]
            "\"list\""
                Invalid quoted type constraints - 1:1: Type constraints are not quoted: write list(string) instead of "list". [to 1:7]
            "\"map\""
                Invalid quoted type constraints - 1:1: Type constraints are not quoted: write map(string) instead of "map". [to 1:6]
            "\"foo\""
                Invalid legacy variable type hint - 1:1: Type constraints are not quoted: write the type instead of "foo". [to 1:6]
            "set"
                Invalid type specification - 1:1: The type set requires one argument: the type of its elements. [to 1:4]
            "\"${string}\""
                Invalid type specification - 1:1: A type is one of the keywords bool, number and string, or a call such as list(string). [to 1:12]
        "#]],
    );
    let arguments = [
        "defalt = 1",
        "sensitive = 5",
        "nullable = null",
        "description = []",
        "default = \"x\"",
        "nullable = false\ndefault = null",
        "validation {\n}",
        "default",
        "default = 1 2",
        "default = 1\ndefault = 2",
        "5",
        "default = x\ndescription = y",
    ];
    check(
        &arguments,
        |input| Variable::declare(Some("number"), input),
        expect![[r#"
            "defalt = 1"
                Unsupported argument - 1:1: An argument named "defalt" is not expected in a variable block. [to 1:7]
            "sensitive = 5"
                Unsuitable value type - 1:13: The value of this argument is not suitable: bool required, but have number. [to 1:14]
            "nullable = null"
                Unsuitable value type - 1:12: The value of this argument is not suitable: the value must not be null. [to 1:16]
            "description = []"
                Unsuitable value type - 1:15: The value of this argument is not suitable: string required, but have tuple. [to 1:17]
            "default = \"x\""
                Invalid default value for variable - 1:11: The default value is not compatible with the variable's type constraint: a number is required. [to 1:14]
            "nullable = false\ndefault = null"
                Invalid default value for variable - 2:11: The default value is not compatible with the variable's type constraint: the value must not be null. [to 2:15]
            "validation {\n}"
                Unexpected block - 1:1: Blocks are not allowed here. [to 1:11]
            "default"
                Invalid argument name - 1:1: Expected an equals sign after the argument name. [to 1:8]
            "default = 1 2"
                Missing newline after argument - 1:13: A newline is required after an argument. [to 1:14]
            "default = 1\ndefault = 2"
                Attribute redefined - 2:1: The argument "default" is set more than once. [to 2:8]
            "5"
                Argument or block definition required - 1:1: Expected a name. [to 1:2]
            "default = x\ndescription = y"
                Variables not allowed - 1:11: Only constant values are allowed here; the variable "x" cannot be used. [to 1:12]
                Variables not allowed - 2:15: Only constant values are allowed here; the variable "y" cannot be used. [to 2:16]
        "#]],
    );
    let it = Variable::declare(Some("object({a = number})"), "nullable = false").unwrap();
    let inputs = ["", "a", "{}", "{a = \"x\"}", "null", "[]"];
    check(
        &inputs,
        |input| it.accept(Some(it.read_text(input)?)),
        expect![[r#"
            ""
                Missing expression - 1:1: Expected an expression. [to 1:1]
            "a"
                Variables not allowed - 1:1: Only constant values are allowed here; the variable "a" cannot be used. [to 1:2]
            "{}"
                Invalid value for input variable - 1:1: The value is not compatible with the variable's type constraint: attribute "a" is required. [to 1:1]
            "{a = \"x\"}"
                Invalid value for input variable - 1:1: The value is not compatible with the variable's type constraint: a: a number is required. [to 1:1]
            "null"
                Required variable not set - 1:1: The variable has no value and no default. [to 1:1]
            "[]"
                Invalid value for input variable - 1:1: The value is not compatible with the variable's type constraint: object required, but have tuple. [to 1:1]
        "#]],
    );
    check(
        &[""],
        |_| it.accept(None),
        expect![[r#"
            ""
                Required variable not set - 1:1: The variable has no value and no default. [to 1:1]
        "#]],
    );
    check(
        &["{", "[1] 2"],
        |input| it.read_json(input),
        expect![[r#"
            "{"
                Invalid JSON - 1:1: The string is not valid JSON: invalid JSON: unexpected end of input. [to 1:2]
            "[1] 2"
                Invalid JSON - 1:1: The string is not valid JSON: invalid JSON: expected end of input at line 1, column 5. [to 1:6]
        "#]],
    );
}
