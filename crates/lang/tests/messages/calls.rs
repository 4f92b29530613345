//! What is said about calls that go wrong.

use expect_test::expect;
use ferroform_lang::expression;

use crate::check;

#[test]
fn calls() {
    let texts = [
        "nope()",
        "tolist()",
        "tolist(1, 2)",
        "tolist(\"a\")",
        "tolist([1, []])",
        "tonumber(\"x\")",
        "length(1)",
        "length(null)",
        "keys([])",
        "concat([], 1)",
        "flatten(1)",
        "merge({}, [])",
        "lookup({}, \"a\")",
        "lookup([], 1, 2)",
        "setunion([1], [[]])",
        "coalesce(null, \"\")",
        "coalesce(1, [])",
        "jsondecode(\"{\")",
        "upper([])",
        "try(x)",
        "concat([1]...)",
        "concat({}...)",
        "element([], 0)",
        "element([1], -1)",
        "element([1, 2], -1)",
        "element([1], 0.5)",
        "index([1], 2)",
        "slice([1, 2], 1, 3)",
        "range(0, 2, -1)",
        "range(2000)",
        "chunklist([1], -1)",
        "coalescelist([])",
        "coalescelist(1)",
        "matchkeys([1], [1, 2], [])",
        "matchkeys([1], [1], [[]])",
        "zipmap([1], [])",
        "zipmap([null], [1])",
        "transpose({ a = null })",
        "transpose({ a = [null] })",
        "one([1, 2])",
        "one(1)",
        "reverse(1)",
        "range(-1/0, 0, 1/0)",
        "concat(tolist([toset([\"x\"])]), tolist([tolist([1])]))",
        "matchkeys([1], [toset([\"x\"])], [tolist([1])])",
        "coalesce(toset([\"x\"]), tolist([1]))",
        "setunion(toset([toset([\"x\"])]), toset([tolist([1])]))",
        "setproduct([toset([\"x\"]), tolist([1])], [1])",
        "jsonencode(1/0)",
        "format(\"%v\", [1/0])",
        "sum([\"x\"])",
        "sum([1/0, -1/0])",
        "upper(null)",
        "sort([null])",
        "join(\"\", [null])",
        "setproduct([1], 2)",
        "setproduct([1, []], [2])",
        "sum([])",
        "sum([null])",
        "pow(-1, 0.5)",
        "parseint(1, 10)",
        "parseint(\"1\", 1)",
        "parseint(\"2\", 2)",
        "indent(-1, \"\")",
        "format(\"%\")",
        "format(\"%[x]\", 1)",
        "format(\"%z\", 1)",
        "format(\"%d\", \"x\")",
        "format(\"%d\", 1.5)",
        "format(\"%s\", tostring(null))",
        "format(\"%s\")",
        "format(\"%s\", 1, 2)",
        "formatlist(\"%s%s\", [1], [])",
        "cidrhost(\"10.0.0.0\", 1)",
        "cidrhost(\"10.0.0.0/8\", 0.5)",
        "cidrhost(\"10.0.0.0/24\", 256)",
        "cidrnetmask(\"fd00::/8\")",
        "cidrsubnet(\"10.0.0.0/24\", 9, 0)",
        "cidrsubnet(\"10.0.0.0/24\", 1, 2)",
        "cidrsubnet(\"10.0.0.0/24\", 1, 0.5)",
        "cidrsubnets(\"10.0.0.0/24\", 0)",
        "cidrsubnets(\"10.0.0.0/24\", 9)",
        "cidrsubnets(\"10.0.0.0/24\", 1, 1, 1)",
        "timeadd(\"2026-11-20\", \"1h\")",
        "timeadd(\"2026-11-20T00:00:00Z\", \"1d\")",
        "formatdate(\"Q\", \"2026-11-20T00:00:00Z\")",
        "formatdate(\"'\", \"2026-11-20T00:00:00Z\")",
        "base64decode(\"x\")",
        "base64decode(\"/w==\")",
        "pow(2, 0.3)",
        "try(1, 2)",
        "core::upper([])",
    ];
    check(
        &texts,
        expression::evaluate,
        expect![[r#"
            "nope()"
                Call to unknown function - 1:1: There is no function "nope" here. [to 1:5]
            "tolist()"
                Not enough function arguments - 1:7: 0 arguments are the wrong number for "tolist". [to 1:9]
            "tolist(1, 2)"
                Too many function arguments - 1:7: 2 arguments are the wrong number for "tolist". [to 1:13]
            "tolist(\"a\")"
                Invalid function argument - 1:8: The function "tolist" cannot be applied: list of any single type required, but have string. [to 1:11]
            "tolist([1, []])"
                Invalid function argument - 1:8: The function "tolist" cannot be applied: all list elements must have the same type. [to 1:15]
            "tonumber(\"x\")"
                Invalid function argument - 1:10: The function "tonumber" cannot be applied: a number is required. [to 1:13]
            "length(1)"
                Invalid function argument - 1:8: The function "length" cannot be applied: a string or a collection is required. [to 1:9]
            "length(null)"
                Invalid function argument - 1:8: The function "length" cannot be applied: the argument must not be null. [to 1:12]
            "keys([])"
                Invalid function argument - 1:6: The function "keys" cannot be applied: a map or an object is required. [to 1:8]
            "concat([], 1)"
                Invalid function argument - 1:12: The function "concat" cannot be applied: a list or a tuple is required. [to 1:13]
            "flatten(1)"
                Invalid function argument - 1:9: The function "flatten" cannot be applied: a list, set or tuple is required. [to 1:10]
            "merge({}, [])"
                Invalid function argument - 1:11: The function "merge" cannot be applied: a map or an object is required. [to 1:13]
            "lookup({}, \"a\")"
                Error in function call - 1:1: The function "lookup" cannot be applied: there is no element "a", and no default is given. [to 1:16]
            "lookup([], 1, 2)"
                Invalid function argument - 1:8: The function "lookup" cannot be applied: a map or an object is required. [to 1:10]
            "setunion([1], [[]])"
                Invalid function argument - 1:15: The function "setunion" cannot be applied: a set of the same type as the others is required. [to 1:19]
            "coalesce(null, \"\")"
                Error in function call - 1:1: The function "coalesce" cannot be applied: no argument is there that is neither null nor empty. [to 1:19]
            "coalesce(1, [])"
                Invalid function argument - 1:13: The function "coalesce" cannot be applied: the type of the other arguments is required. [to 1:15]
            "jsondecode(\"{\")"
                Invalid function argument - 1:12: The function "jsondecode" cannot be applied: invalid JSON: unexpected end of input. [to 1:15]
            "upper([])"
                Invalid function argument - 1:7: The function "upper" cannot be applied: string required, but have tuple. [to 1:9]
            "try(x)"
                Variables not allowed - 1:5: Only constant values may be used here, and "x" would be a variable. [to 1:6]
            "concat([1]...)"
                Invalid function argument - 1:8: The function "concat" cannot be applied: a list or a tuple is required. [to 1:11]
            "concat({}...)"
                Invalid expanding argument value - 1:8: Only a list, a set or a tuple can be expanded to arguments. [to 1:10]
            "element([], 0)"
                Invalid function argument - 1:9: The function "element" cannot be applied: there are no elements. [to 1:11]
            "element([1], -1)"
                nothing
            "element([1, 2], -1)"
                Invalid function argument - 1:17: The function "element" cannot be applied: an index from zero is required. [to 1:19]
            "element([1], 0.5)"
                Invalid function argument - 1:14: The function "element" cannot be applied: a whole number of at most 64 bits is required. [to 1:17]
            "index([1], 2)"
                Invalid function argument - 1:12: The function "index" cannot be applied: there is no such element. [to 1:13]
            "slice([1, 2], 1, 3)"
                Invalid function argument - 1:18: The function "slice" cannot be applied: an index from 1 to 2 is required. [to 1:19]
            "range(0, 2, -1)"
                Error in function call - 1:1: The function "range" cannot be applied: the step leads away from the end. [to 1:16]
            "range(2000)"
                Error in function call - 1:1: The function "range" cannot be applied: these are more than 1024 numbers. [to 1:12]
            "chunklist([1], -1)"
                Invalid function argument - 1:16: The function "chunklist" cannot be applied: a size from zero is required. [to 1:18]
            "coalescelist([])"
                Error in function call - 1:1: The function "coalescelist" cannot be applied: no argument has elements. [to 1:17]
            "coalescelist(1)"
                Invalid function argument - 1:14: The function "coalescelist" cannot be applied: a list or a tuple is required. [to 1:15]
            "matchkeys([1], [1, 2], [])"
                Error in function call - 1:1: The function "matchkeys" cannot be applied: the numbers of values and keys differ: 1 and 2. [to 1:27]
            "matchkeys([1], [1], [[]])"
                Invalid function argument - 1:21: The function "matchkeys" cannot be applied: a list of the keys' type is required. [to 1:25]
            "zipmap([1], [])"
                Error in function call - 1:1: The function "zipmap" cannot be applied: the numbers of keys and values differ: 1 and 0. [to 1:16]
            "zipmap([null], [1])"
                Invalid function argument - 1:8: The function "zipmap" cannot be applied: a key is null. [to 1:14]
            "transpose({ a = null })"
                Invalid function argument - 1:11: The function "transpose" cannot be applied: a list in it is null. [to 1:23]
            "transpose({ a = [null] })"
                Invalid function argument - 1:11: The function "transpose" cannot be applied: an element is null. [to 1:25]
            "one([1, 2])"
                Invalid function argument - 1:5: The function "one" cannot be applied: there is more than one element. [to 1:11]
            "one(1)"
                Invalid function argument - 1:5: The function "one" cannot be applied: a list, set or tuple is required. [to 1:6]
            "reverse(1)"
                Invalid function argument - 1:9: The function "reverse" cannot be applied: a list, set or tuple is required. [to 1:10]
            "range(-1/0, 0, 1/0)"
                Invalid function argument - 1:16: The function "range" cannot be applied: the sum of opposing infinities is undefined. [to 1:19]
            "concat(tolist([toset([\"x\"])]), tolist([tolist([1])]))"
                Invalid function argument - 1:32: The function "concat" cannot be applied: [0][0]: a number is required. [to 1:53]
            "matchkeys([1], [toset([\"x\"])], [tolist([1])])"
                Invalid function argument - 1:32: The function "matchkeys" cannot be applied: [0]: a number is required. [to 1:45]
            "coalesce(toset([\"x\"]), tolist([1]))"
                nothing
            "setunion(toset([toset([\"x\"])]), toset([tolist([1])]))"
                Invalid function argument - 1:10: The function "setunion" cannot be applied: [0][0]: a number is required. [to 1:31]
            "setproduct([toset([\"x\"]), tolist([1])], [1])"
                Invalid function argument - 1:12: The function "setproduct" cannot be applied: [0]: a number is required. [to 1:39]
            "jsonencode(1/0)"
                Invalid function argument - 1:12: The function "jsonencode" cannot be applied: a finite number is required. [to 1:15]
            "format(\"%v\", [1/0])"
                Invalid function argument - 1:14: The function "format" cannot be applied: [0]: a finite number is required. [to 1:19]
            "sum([\"x\"])"
                Invalid function argument - 1:5: The function "sum" cannot be applied: a number is required. [to 1:10]
            "sum([1/0, -1/0])"
                Invalid function argument - 1:5: The function "sum" cannot be applied: the sum of opposing infinities is undefined. [to 1:16]
            "upper(null)"
                Invalid function argument - 1:7: The function "upper" cannot be applied: the argument must not be null. [to 1:11]
            "sort([null])"
                Invalid function argument - 1:6: The function "sort" cannot be applied: an element is null. [to 1:12]
            "join(\"\", [null])"
                Invalid function argument - 1:10: The function "join" cannot be applied: an element is null. [to 1:16]
            "setproduct([1], 2)"
                Invalid function argument - 1:17: The function "setproduct" cannot be applied: a set or a list is required. [to 1:18]
            "setproduct([1, []], [2])"
                Invalid function argument - 1:12: The function "setproduct" cannot be applied: a list of elements of one type is required. [to 1:19]
            "sum([])"
                Invalid function argument - 1:5: The function "sum" cannot be applied: there is nothing to add. [to 1:7]
            "sum([null])"
                Invalid function argument - 1:5: The function "sum" cannot be applied: an element is null. [to 1:11]
            "pow(-1, 0.5)"
                Error in function call - 1:1: The function "pow" cannot be applied: a negative number has no such power. [to 1:13]
            "parseint(1, 10)"
                Invalid function argument - 1:10: The function "parseint" cannot be applied: a string is required. [to 1:11]
            "parseint(\"1\", 1)"
                Invalid function argument - 1:15: The function "parseint" cannot be applied: a base from 2 to 62 is required. [to 1:16]
            "parseint(\"2\", 2)"
                Invalid function argument - 1:10: The function "parseint" cannot be applied: this is no whole number in base 2. [to 1:13]
            "indent(-1, \"\")"
                Invalid function argument - 1:8: The function "indent" cannot be applied: a number from zero is required. [to 1:10]
            "format(\"%\")"
                Invalid function argument - 1:8: The function "format" cannot be applied: a letter is required after a percent sign. [to 1:11]
            "format(\"%[x]\", 1)"
                Invalid function argument - 1:8: The function "format" cannot be applied: the number of an argument is required after a percent sign. [to 1:14]
            "format(\"%z\", 1)"
                Invalid function argument - 1:8: The function "format" cannot be applied: there is no verb %z. [to 1:12]
            "format(\"%d\", \"x\")"
                Invalid function argument - 1:14: The function "format" cannot be applied: a number is required. [to 1:17]
            "format(\"%d\", 1.5)"
                Invalid function argument - 1:14: The function "format" cannot be applied: a whole number is required. [to 1:17]
            "format(\"%s\", tostring(null))"
                Invalid function argument - 1:14: The function "format" cannot be applied: a null cannot be shown by %s. [to 1:28]
            "format(\"%s\")"
                Error in function call - 1:1: The function "format" cannot be applied: there is no argument 1 for %s. [to 1:13]
            "format(\"%s\", 1, 2)"
                Invalid function argument - 1:17: The function "format" cannot be applied: no verb shows this argument. [to 1:18]
            "formatlist(\"%s%s\", [1], [])"
                Invalid function argument - 1:25: The function "formatlist" cannot be applied: the lists are not of one length. [to 1:27]
            "cidrhost(\"10.0.0.0\", 1)"
                Invalid function argument - 1:10: The function "cidrhost" cannot be applied: this is no range of addresses. [to 1:20]
            "cidrhost(\"10.0.0.0/8\", 0.5)"
                Invalid function argument - 1:24: The function "cidrhost" cannot be applied: a whole number is required. [to 1:27]
            "cidrhost(\"10.0.0.0/24\", 256)"
                Invalid function argument - 1:25: The function "cidrhost" cannot be applied: the range has no host of this number. [to 1:28]
            "cidrnetmask(\"fd00::/8\")"
                Invalid function argument - 1:13: The function "cidrnetmask" cannot be applied: only an IPv4 range has a netmask. [to 1:23]
            "cidrsubnet(\"10.0.0.0/24\", 9, 0)"
                Invalid function argument - 1:27: The function "cidrsubnet" cannot be applied: the addresses have not so many bits. [to 1:28]
            "cidrsubnet(\"10.0.0.0/24\", 1, 2)"
                Invalid function argument - 1:30: The function "cidrsubnet" cannot be applied: the range has no part of this number. [to 1:31]
            "cidrsubnet(\"10.0.0.0/24\", 1, 0.5)"
                Invalid function argument - 1:30: The function "cidrsubnet" cannot be applied: a whole number is required. [to 1:33]
            "cidrsubnets(\"10.0.0.0/24\", 0)"
                Invalid function argument - 1:28: The function "cidrsubnets" cannot be applied: a number of bits from 1 to 32 is required. [to 1:29]
            "cidrsubnets(\"10.0.0.0/24\", 9)"
                Invalid function argument - 1:28: The function "cidrsubnets" cannot be applied: the addresses have not so many bits. [to 1:29]
            "cidrsubnets(\"10.0.0.0/24\", 1, 1, 1)"
                Invalid function argument - 1:34: The function "cidrsubnets" cannot be applied: not enough of the range is left. [to 1:35]
            "timeadd(\"2026-11-20\", \"1h\")"
                Invalid function argument - 1:9: The function "timeadd" cannot be applied: a time as in RFC 3339 is required. [to 1:21]
            "timeadd(\"2026-11-20T00:00:00Z\", \"1d\")"
                Invalid function argument - 1:33: The function "timeadd" cannot be applied: a duration such as 1h30m is required. [to 1:37]
            "formatdate(\"Q\", \"2026-11-20T00:00:00Z\")"
                Invalid function argument - 1:12: The function "formatdate" cannot be applied: a letter in it stands for nothing, or not so often. [to 1:15]
            "formatdate(\"'\", \"2026-11-20T00:00:00Z\")"
                Invalid function argument - 1:12: The function "formatdate" cannot be applied: a quote is not closed. [to 1:15]
            "base64decode(\"x\")"
                Invalid function argument - 1:14: The function "base64decode" cannot be applied: text in base 64 is required. [to 1:17]
            "base64decode(\"/w==\")"
                Invalid function argument - 1:14: The function "base64decode" cannot be applied: the bytes are not UTF-8. [to 1:20]
            "pow(2, 0.3)"
                Error in function call - 1:1: The function "pow" cannot be applied: this use of it is not understood. [to 1:12]
            "try(1, 2)"
                nothing
            "core::upper([])"
                Invalid function argument - 1:13: The function "core::upper" cannot be applied: string required, but have tuple. [to 1:15]
        "#]],
    );
}
