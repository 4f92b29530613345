//! What is said about expressions, type expressions and variables that are wrong.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

mod blocks;
mod calls;

use std::fmt::Write;

use expect_test::{Expect, expect};
use ferroform_lang::type_constraint::{self, Constraint};
use ferroform_lang::variable::Variable;
use ferroform_lang::{Errors, expression};

/// Each text with what is said about it.
pub(crate) fn check<T>(texts: &[&str], read: impl Fn(&str) -> Result<T, Errors>, expected: Expect) {
    let mut out = String::new();
    for text in texts {
        writeln!(out, "{text:?}").unwrap();
        match read(text) {
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
fn syntax() {
    let texts = [
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
        &texts,
        expression::constant,
        expect![[r#"
            ""
                Missing expression - 1:1: A value is required here. [to 1:1]
            "1 2"
                Extra characters after expression - 1:3: The expression ends before this. [to 1:4]
            "a,b"
                Extra characters after expression - 1:2: The expression ends before this. [to 1:3]
            "="
                Invalid expression - 1:1: A value is required here. [to 1:2]
            "1 +"
                Missing expression - 1:4: A value is required here. [to 1:4]
            "@"
                Invalid character - 1:1: A value is required here. [to 1:2]
            "1.2.3"
                Invalid number literal - 1:1: This number cannot be read: a number is required. [to 1:6]
            "1e999999999"
                Invalid number literal - 1:1: This number cannot be read: the number is out of range. [to 1:12]
            "(1"
                Unbalanced parentheses - 1:3: A closing parenthesis is required here. [to 1:3]
            "(1]"
                Unbalanced parentheses - 1:3: A closing parenthesis is required here. [to 1:4]
            "[1"
                Unterminated tuple constructor expression - 1:1: This bracket is not closed. [to 1:2]
            "[1 2]"
                Missing item separator - 1:4: A comma or "]" is required here. [to 1:5]
            "{a"
                Unterminated object constructor expression - 1:1: This bracket is not closed. [to 1:2]
            "{a 1}"
                Missing key/value separator - 1:4: An equals sign or a colon, and a value, are required after a key. [to 1:5]
            "{a=1"
                Unterminated object constructor expression - 1:1: This bracket is not closed. [to 1:2]
            "{a=1 b=2}"
                Missing attribute separator - 1:6: A comma or "}" is required here. [to 1:7]
            "f(1"
                Unterminated function call - 1:2: This bracket is not closed. [to 1:3]
            "f(1 2)"
                Missing argument separator - 1:5: A comma or ")" is required here. [to 1:6]
            "f(a... b)"
                Missing closing parenthesis - 1:8: Nothing may follow an argument that is expanded. [to 1:9]
            "a::1()"
                Missing function name - 1:4: A function's name is required here. [to 1:5]
            "a::b"
                Missing open parenthesis - 1:5: The arguments of the function are required here, in parentheses. [to 1:5]
            "true ? 1"
                Missing false expression in conditional - 1:9: A colon and the other result are required after the first. [to 1:9]
            "[for]"
                Invalid 'for' expression - 1:5: A name is required here. [to 1:6]
            "[for x]"
                Invalid 'for' expression - 1:7: The word "in" is required here. [to 1:8]
            "[for x in y z]"
                Invalid 'for' expression - 1:13: ":" is required here. [to 1:14]
            "{for x in y : x}"
                Invalid 'for' expression - 1:16: "=>" is required here. [to 1:17]
            "[for x in y : x"
                Invalid 'for' expression - 1:16: "]" is required here. [to 1:16]
            "a[1"
                Missing close bracket on index - 1:4: A closing bracket is required here. [to 1:4]
            "a."
                Invalid attribute name - 1:3: A name is required after a dot. [to 1:3]
            "a.1x"
                Extra characters after expression - 1:4: The expression ends before this. [to 1:5]
            "a.1..2"
                Invalid legacy index syntax - 1:3: This index cannot be read: a number is required. [to 1:7]
            "a.*.b.*"
                Nested splat expression not allowed - 1:7: What follows .* cannot have another one; write [*]. [to 1:8]
            "a.*.0.1"
                Invalid legacy index syntax - 1:5: After .* there is one such index at a time; write [*] and brackets. [to 1:8]
            "\"a"
                Unterminated template string - 1:1: This text has no closing quote. [to 1:2]
            "\"a\nb\""
                Invalid multi-line string - 1:3: A quoted text must end on its own line; a heredoc may have many. [to 2:1]
            "\"\\q\""
                Invalid escape sequence - 1:2: There is no such escape. [to 1:4]
            "\"\\u12\""
                Invalid escape sequence - 1:2: There is no such escape. [to 1:4]
            "\"${1\""
                Extra characters after interpolation expression - 1:5: A closing brace is required here. [to 1:6]
            "\"${1 2}\""
                Extra characters after interpolation expression - 1:6: A closing brace is required here. [to 1:7]
            "\"%{what}\""
                Invalid template directive - 1:4: One of if, else, endif, for and endfor is required here. [to 1:8]
            "\"%{if true}\""
                Unterminated template directive - 1:2: There is no endif that belongs to this. [to 1:12]
            "\"%{for x in y}\""
                Unterminated template directive - 1:2: There is no endfor that belongs to this. [to 1:15]
            "\"%{endif}\""
                Unexpected template directive - 1:2: There is nothing here that this could belong to. [to 1:10]
            "\"%{if true}%{endfor}\""
                Unterminated template directive - 1:2: There is no endif that belongs to this. [to 1:12]
            "<<A\nb"
                Unterminated template string - 1:1: This heredoc has no line "A" at its end. [to 2:1]
            "<<"
                Invalid character - 1:1: A value is required here. [to 1:3]
            "f(1,"
                Missing expression - 1:5: A value is required here. [to 1:5]
            "[\n  1,\n  \"größe\", @]"
                Invalid character - 3:12: A value is required here. [to 3:13]
        "#]],
    );
}

#[test]
fn values() {
    let texts = [
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
        &texts,
        expression::constant,
        expect![[r#"
            "x"
                Variables not allowed - 1:1: Only constant values may be used here, and "x" would be a variable. [to 1:2]
            "[1, f()]"
                Function calls not allowed - 1:5: Only constant values may be used here, and "f" would be called. [to 1:8]
            "{a.b = 1}"
                Ambiguous attribute key - 1:2: A key that is to be computed stands in parentheses. [to 1:5]
            "{(null) = 1}"
                Null value as key - 1:2: A key must not be null. [to 1:8]
            "{([]) = 1}"
                Incorrect key type - 1:2: This is no key: string required, but have tuple. [to 1:6]
            "\"a${null}\""
                Invalid template interpolation value - 1:5: A null has no place in a text. [to 1:9]
            "\"a${[]}\""
                Invalid template interpolation value - 1:5: This has no place in a text: string required, but have tuple. [to 1:7]
            "1 + true"
                Invalid operand - 1:5: This does not fit the operation: number required, but have bool. [to 1:9]
            "1 + null"
                Operation failed - 1:1: This cannot be computed: an operand is null. [to 1:9]
            "!1"
                Invalid operand - 1:2: This does not fit the operation: bool required, but have number. [to 1:3]
            "-\"x\""
                Invalid operand - 1:2: This does not fit the operation: a number is required. [to 1:5]
            "1 && true"
                Invalid operand - 1:1: This does not fit the operation: bool required, but have number. [to 1:2]
            "0 / 0"
                Operation failed - 1:1: This cannot be computed: the quotient of zero and zero is undefined. [to 1:6]
            "1 ? 2 : 3"
                Incorrect condition type - 1:1: This is no condition: bool required, but have number. [to 1:2]
            "null ? 2 : 3"
                Null condition - 1:1: A condition must not be null. [to 1:5]
            "true ? 1 : true"
                Inconsistent conditional result types - 1:1: The two results of a condition must have a type in common. [to 1:16]
            "\"true\" ? [1] : {a = 1 + \"x\"}"
                Inconsistent conditional result types - 1:1: The two results of a condition must have a type in common. [to 1:29]
            "true ? [1] : 1 + \"x\""
                Inconsistent conditional result types - 1:1: The two results of a condition must have a type in common. [to 1:21]
            "true ? [1][1] : 2"
                Invalid index - 1:12: This value has no such element. [to 1:13]
            "false ? 1 : [[1][1], x]"
                Inconsistent conditional result types - 1:1: The two results of a condition must have a type in common. [to 1:24]
            "null ? 1 : [[1][1]]"
                Inconsistent conditional result types - 1:1: The two results of a condition must have a type in common. [to 1:20]
            "true ? {a = x} : {b = 1}.a"
                Variables not allowed - 1:13: Only constant values may be used here, and "x" would be a variable. [to 1:14]
            "[for x in [1, {}] : x.a]"
                Unsupported attribute - 1:23: This value has no such attribute. [to 1:24]
            "[1][1]"
                Invalid index - 1:5: This value has no such element. [to 1:6]
            "[1][\"a\"]"
                Invalid index - 1:5: This is no index: a number is required. [to 1:8]
            "[1][0.5]"
                Invalid index - 1:5: An index is a whole number, from zero. [to 1:8]
            "{a=1}[\"b\"]"
                Invalid index - 1:7: This value has no such element. [to 1:10]
            "{a=1}[null]"
                Invalid index - 1:7: A key must not be null. [to 1:11]
            "{a=1}[[]]"
                Invalid index - 1:7: This is no key: string required, but have tuple. [to 1:9]
            "{a=1}.b"
                Unsupported attribute - 1:7: This value has no such attribute. [to 1:8]
            "1.5.a"
                Unsupported attribute - 1:5: This value has no such attribute. [to 1:6]
            "{a = 1 + true}.a"
                Invalid operand - 1:10: This does not fit the operation: number required, but have bool. [to 1:14]
            "[[1], 1][*].a"
                Unsupported attribute - 1:13: This value has no such attribute. [to 1:14]
            "(true ? null : [1])[*]"
                Splat of null value - 1:21: A null has no elements. [to 1:22]
            "[for x in 1 : x]"
                Iteration over non-iterable value - 1:11: A collection is required here, and this is a number. [to 1:12]
            "[for x in [1] : x if 5]"
                Incorrect condition type - 1:22: This is no condition: bool required, but have number. [to 1:23]
            "{for x in [1, 1] : x => x}"
                Duplicate object key - 1:20: Two values have the same key; write ... after the value to gather them. [to 1:21]
            "{for x in [null] : x => x}"
                Null value as key - 1:20: A key must not be null. [to 1:21]
            "\"%{if 5}%{endif}\""
                Incorrect condition type - 1:7: This is no condition: bool required, but have number. [to 1:8]
        "#]],
    );
}

#[test]
fn types() {
    let texts = [
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
        &texts,
        Constraint::parse,
        expect![[r#"
            "strng"
                Invalid type specification - 1:1: There is no type "strng". [to 1:6]
            "list"
                Invalid type specification - 1:1: For a list one argument is required: the type of its elements. [to 1:5]
            "set()"
                Invalid type specification - 1:4: For a set one argument is required: the type of its elements. [to 1:6]
            "map(string, number, bool)"
                Invalid type specification - 1:13: For a map one argument is required: the type of its elements. [to 1:25]
            "object"
                Invalid type specification - 1:1: For an object one argument is required: the types of its attributes, in braces. [to 1:7]
            "tuple(a, b)"
                Invalid type specification - 1:10: For a tuple one argument is required: the types of its elements, in brackets. [to 1:11]
            "5"
                Invalid type specification - 1:1: A type is one of the words bool, number, string, or a call such as list(string). [to 1:2]
            "\"string\""
                Invalid type specification - 1:1: A type is one of the words bool, number, string, or a call such as list(string). [to 1:9]
            "(string)"
                Invalid type specification - 1:1: A type is one of the words bool, number, string, or a call such as list(string). [to 1:9]
            "string()"
                Invalid type specification - 1:7: The type string takes no argument. [to 1:9]
            "any(string)"
                Invalid type specification - 1:4: The type any takes no argument. [to 1:12]
            "object([])"
                Invalid type specification - 1:8: An object is of attributes in braces: names, and their types. [to 1:10]
            "object({\"a\" = string})"
                Invalid type specification - 1:9: The name of an attribute is written without quotes and is not computed. [to 1:12]
            "object({a = string, a = number})"
                Invalid type specification - 1:21: There is an attribute "a" already. [to 1:22]
            "tuple({})"
                Invalid type specification - 1:7: A tuple is of a list of types in brackets. [to 1:9]
            "optional(string)"
                Invalid type specification - 1:1: Only an attribute of an object can be optional. [to 1:9]
            "list(optional(string))"
                Invalid type specification - 1:6: Only an attribute of an object can be optional. [to 1:14]
            "array(string)"
                Invalid type specification - 1:1: There is no kind of type "array". [to 1:14]
            "object({a = optional()})"
                Invalid type specification - 1:21: An optional attribute has a type. [to 1:23]
            "object({a = optional(string, 1, 2)})"
                Invalid type specification - 1:21: An optional attribute has a type and one default at most. [to 1:35]
            "object({a = optional(number, \"x\")})"
                Invalid default value for optional attribute - 1:30: This default does not fit the attribute's type: a number is required. [to 1:33]
            "object({a = optional(list(string), [[]])})"
                Invalid default value for optional attribute - 1:36: This default does not fit the attribute's type: [0]: string required, but have tuple. [to 1:40]
            "object({a = optional(string, var.x)})"
                Variables not allowed - 1:30: Only constant values may be used here, and "var" would be a variable. [to 1:33]
            "object({a = strng, b = optional(nmber), c = tuple([x, y])})"
                Invalid type specification - 1:13: There is no type "strng". [to 1:18]
                Invalid type specification - 1:33: There is no type "nmber". [to 1:38]
                Invalid type specification - 1:52: There is no type "x". [to 1:53]
                Invalid type specification - 1:55: There is no type "y". [to 1:56]
            "object({b = strng, a = nmber, \"c\" = bool, b = x, a = tuple({}), d = optional(y, z)})"
                Invalid type specification - 1:13: There is no type "strng". [to 1:18]
                Invalid type specification - 1:24: There is no type "nmber". [to 1:29]
                Invalid type specification - 1:31: The name of an attribute is written without quotes and is not computed. [to 1:34]
                Invalid type specification - 1:43: There is an attribute "b" already. [to 1:44]
                Invalid type specification - 1:50: There is an attribute "a" already. [to 1:51]
                Variables not allowed - 1:81: Only constant values may be used here, and "z" would be a variable. [to 1:82]
                Invalid type specification - 1:78: There is no type "y". [to 1:79]
        "#]],
    );
}

#[test]
fn exact_types() {
    let texts = ["any", "list(any)", "object({a = optional(string, 1)})"];
    check(
        &texts,
        type_constraint::exact,
        expect![[r#"
            "any"
                Invalid type specification - 1:1: The word any says that the type is open, and an exact type is required here. [to 1:4]
            "list(any)"
                Invalid type specification - 1:6: The word any says that the type is open, and an exact type is required here. [to 1:9]
            "object({a = optional(string, 1)})"
                Invalid type specification - 1:13: An exact type is required here, without optional attributes. [to 1:21]
        "#]],
    );
    let texts = ["object({a = optional(string, 1)})", "object({a = optional()})"];
    check(
        &texts,
        type_constraint::constraint,
        expect![[r#"
            "object({a = optional(string, 1)})"
                Invalid type specification - 1:21: An optional attribute has nothing but a type here. [to 1:32]
            "object({a = optional()})"
                Invalid type specification - 1:21: An optional attribute has a type. [to 1:23]
        "#]],
    );
}

#[test]
fn variables() {
    let declared = ["\"string\"", "\"list\"", "\"map\"", "\"foo\"", "set", "\"${string}\""];
    check(
        &declared,
        |text| Variable::declare(Some(text), ""),
        expect![[r#"
            "\"string\""
                Invalid quoted type constraints - 1:1: A type stands without quotes: write string in place of "string". [to 1:9]
            "\"list\""
                Invalid quoted type constraints - 1:1: A type stands without quotes: write list(string) in place of "list". [to 1:7]
            "\"map\""
                Invalid quoted type constraints - 1:1: A type stands without quotes: write map(string) in place of "map". [to 1:6]
            "\"foo\""
                Invalid legacy variable type hint - 1:1: A type stands without quotes: write the type in place of "foo". [to 1:6]
            "set"
                Invalid type specification - 1:1: For a set one argument is required: the type of its elements. [to 1:4]
            "\"${string}\""
                Invalid type specification - 1:1: A type is one of the words bool, number, string, or a call such as list(string). [to 1:12]
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
        |text| Variable::declare(Some("number"), text),
        expect![[r#"
            "defalt = 1"
                Unsupported argument - 1:1: A variable has no argument "defalt". [to 1:7]
            "sensitive = 5"
                Unsuitable value type - 1:13: This argument does not fit: bool required, but have number. [to 1:14]
            "nullable = null"
                Unsuitable value type - 1:12: This argument does not fit: the value must not be null. [to 1:16]
            "description = []"
                Unsuitable value type - 1:15: This argument does not fit: string required, but have tuple. [to 1:17]
            "default = \"x\""
                Invalid default value for variable - 1:11: The default does not fit the variable's type: a number is required. [to 1:14]
            "nullable = false\ndefault = null"
                Invalid default value for variable - 2:11: The default does not fit the variable's type: the value must not be null. [to 2:15]
            "validation {\n}"
                Unexpected block - 1:1: There are no blocks here. [to 1:11]
            "default"
                Invalid argument name - 1:1: An equals sign is required after a name. [to 1:8]
            "default = 1 2"
                Missing newline after argument - 1:13: What follows the value of a name must stand on a line of its own. [to 1:14]
            "default = 1\ndefault = 2"
                Attribute redefined - 2:1: There is a value for "default" already. [to 2:8]
            "5"
                Argument or block definition required - 1:1: A name is required here. [to 1:2]
            "default = x\ndescription = y"
                Variables not allowed - 1:11: Only constant values may be used here, and "x" would be a variable. [to 1:12]
                Variables not allowed - 2:15: Only constant values may be used here, and "y" would be a variable. [to 2:16]
        "#]],
    );
    let it = Variable::declare(Some("object({a = number})"), "nullable = false").unwrap();
    let given = ["", "a", "{}", "{a = \"x\"}", "null", "[]"];
    check(
        &given,
        |text| it.accept(Some(it.read_text(text)?)),
        expect![[r#"
            ""
                Missing expression - 1:1: A value is required here. [to 1:1]
            "a"
                Variables not allowed - 1:1: Only constant values may be used here, and "a" would be a variable. [to 1:2]
            "{}"
                Invalid value for input variable - 1:1: The value does not fit the variable's type: attribute "a" is required. [to 1:1]
            "{a = \"x\"}"
                Invalid value for input variable - 1:1: The value does not fit the variable's type: a: a number is required. [to 1:1]
            "null"
                Required variable not set - 1:1: This variable has no default. [to 1:1]
            "[]"
                Invalid value for input variable - 1:1: The value does not fit the variable's type: object required, but have tuple. [to 1:1]
        "#]],
    );
    check(
        &[""],
        |_| it.accept(None),
        expect![[r#"
            ""
                Required variable not set - 1:1: This variable has no default. [to 1:1]
        "#]],
    );
    check(
        &["{", "[1] 2"],
        |text| it.read_json(text),
        expect![[r#"
            "{"
                Invalid JSON - 1:1: This is not JSON: invalid JSON: unexpected end of input. [to 1:2]
            "[1] 2"
                Invalid JSON - 1:1: This is not JSON: invalid JSON: expected end of input at line 1, column 5. [to 1:6]
        "#]],
    );
}
