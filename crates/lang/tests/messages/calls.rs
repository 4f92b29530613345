//! Snapshots of the errors of function calls.

use expect_test::expect;
use ferroform_lang::expression;

use crate::check;

#[test]
fn invalid_calls_are_reported() {
    let inputs = [
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
        &inputs,
        expression::evaluate,
        expect![[r#"
            "nope()"
                Call to unknown function - 1:1: The function "nope" is not available here. [to 1:5]
            "tolist()"
                Not enough function arguments - 1:7: The function "tolist" does not accept 0 arguments. [to 1:9]
            "tolist(1, 2)"
                Too many function arguments - 1:7: The function "tolist" does not accept 2 arguments. [to 1:13]
            "tolist(\"a\")"
                Invalid function argument - 1:8: Call of function "tolist" failed: list of any single type required, but have string. [to 1:11]
            "tolist([1, []])"
                Invalid function argument - 1:8: Call of function "tolist" failed: all list elements must have the same type. [to 1:15]
            "tonumber(\"x\")"
                Invalid function argument - 1:10: Call of function "tonumber" failed: a number is required. [to 1:13]
            "length(1)"
                Invalid function argument - 1:8: Call of function "length" failed: a string or a collection is required. [to 1:9]
            "length(null)"
                Invalid function argument - 1:8: Call of function "length" failed: the argument must not be null. [to 1:12]
            "keys([])"
                Invalid function argument - 1:6: Call of function "keys" failed: a map or an object is required. [to 1:8]
            "concat([], 1)"
                Invalid function argument - 1:12: Call of function "concat" failed: a list or a tuple is required. [to 1:13]
            "flatten(1)"
                Invalid function argument - 1:9: Call of function "flatten" failed: a list, set or tuple is required. [to 1:10]
            "merge({}, [])"
                Invalid function argument - 1:11: Call of function "merge" failed: a map or an object is required. [to 1:13]
            "lookup({}, \"a\")"
                Error in function call - 1:1: Call of function "lookup" failed: the key "a" does not exist, and no default is set. [to 1:16]
            "lookup([], 1, 2)"
                Invalid function argument - 1:8: Call of function "lookup" failed: a map or an object is required. [to 1:10]
            "setunion([1], [[]])"
                Invalid function argument - 1:15: Call of function "setunion" failed: a set of the same type as the others is required. [to 1:19]
            "coalesce(null, \"\")"
                Error in function call - 1:1: Call of function "coalesce" failed: all arguments are null or empty. [to 1:19]
            "coalesce(1, [])"
                Invalid function argument - 1:13: Call of function "coalesce" failed: the type of the other arguments is required. [to 1:15]
            "jsondecode(\"{\")"
                Invalid function argument - 1:12: Call of function "jsondecode" failed: invalid JSON: unexpected end of input. [to 1:15]
            "upper([])"
                Invalid function argument - 1:7: Call of function "upper" failed: string required, but have tuple. [to 1:9]
            "try(x)"
                Variables not allowed - 1:5: Only constant values are allowed here; the variable "x" cannot be used. [to 1:6]
            "concat([1]...)"
                Invalid function argument - 1:8: Call of function "concat" failed: a list or a tuple is required. [to 1:11]
            "concat({}...)"
                Invalid expanding argument value - 1:8: The expanding argument must be a list, a set or a tuple. [to 1:10]
            "element([], 0)"
                Error in function call - 1:1: Call of function "element" failed: the list must not be empty. [to 1:15]
            "element([1], -1)"
                nothing
            "element([1, 2], -1)"
                Invalid function argument - 1:17: Call of function "element" failed: an index that is not negative is required. [to 1:19]
            "element([1], 0.5)"
                Invalid function argument - 1:14: Call of function "element" failed: a whole number of at most 64 bits is required. [to 1:17]
            "index([1], 2)"
                Invalid function argument - 1:12: Call of function "index" failed: the list does not contain the value. [to 1:13]
            "slice([1, 2], 1, 3)"
                Invalid function argument - 1:18: Call of function "slice" failed: an index from 1 to 2 is required. [to 1:19]
            "range(0, 2, -1)"
                Error in function call - 1:1: Call of function "range" failed: the step must lead from the start to the limit. [to 1:16]
            "range(2000)"
                Error in function call - 1:1: Call of function "range" failed: the range has more than 1024 numbers. [to 1:12]
            "chunklist([1], -1)"
                Invalid function argument - 1:16: Call of function "chunklist" failed: a size that is not negative is required. [to 1:18]
            "coalescelist([])"
                Error in function call - 1:1: Call of function "coalescelist" failed: all lists are empty. [to 1:17]
            "coalescelist(1)"
                Invalid function argument - 1:14: Call of function "coalescelist" failed: a list or a tuple is required. [to 1:15]
            "matchkeys([1], [1, 2], [])"
                Error in function call - 1:1: Call of function "matchkeys" failed: the numbers of values and keys differ: 1 and 2. [to 1:27]
            "matchkeys([1], [1], [[]])"
                Invalid function argument - 1:21: Call of function "matchkeys" failed: a list of the same type as the keys is required. [to 1:25]
            "zipmap([1], [])"
                Error in function call - 1:1: Call of function "zipmap" failed: the numbers of keys and values differ: 1 and 0. [to 1:16]
            "zipmap([null], [1])"
                Invalid function argument - 1:8: Call of function "zipmap" failed: the keys must not be null. [to 1:14]
            "transpose({ a = null })"
                Invalid function argument - 1:11: Call of function "transpose" failed: the lists must not be null. [to 1:23]
            "transpose({ a = [null] })"
                Invalid function argument - 1:11: Call of function "transpose" failed: the elements must not be null. [to 1:25]
            "one([1, 2])"
                Invalid function argument - 1:5: Call of function "one" failed: the collection must have at most one element. [to 1:11]
            "one(1)"
                Invalid function argument - 1:5: Call of function "one" failed: a list, set or tuple is required. [to 1:6]
            "reverse(1)"
                Invalid function argument - 1:9: Call of function "reverse" failed: a list, set or tuple is required. [to 1:10]
            "range(-1/0, 0, 1/0)"
                Invalid function argument - 1:16: Call of function "range" failed: the sum of opposing infinities is undefined. [to 1:19]
            "concat(tolist([toset([\"x\"])]), tolist([tolist([1])]))"
                Invalid function argument - 1:32: Call of function "concat" failed: [0][0]: a number is required. [to 1:53]
            "matchkeys([1], [toset([\"x\"])], [tolist([1])])"
                Invalid function argument - 1:32: Call of function "matchkeys" failed: [0]: a number is required. [to 1:45]
            "coalesce(toset([\"x\"]), tolist([1]))"
                nothing
            "setunion(toset([toset([\"x\"])]), toset([tolist([1])]))"
                Invalid function argument - 1:10: Call of function "setunion" failed: [0][0]: a number is required. [to 1:31]
            "setproduct([toset([\"x\"]), tolist([1])], [1])"
                Invalid function argument - 1:41: Call of function "setproduct" failed: [0]: a number is required. [to 1:44]
            "jsonencode(1/0)"
                Invalid function argument - 1:12: Call of function "jsonencode" failed: a finite number is required. [to 1:15]
            "format(\"%v\", [1/0])"
                Invalid function argument - 1:14: Call of function "format" failed: [0]: a finite number is required. [to 1:19]
            "sum([\"x\"])"
                Invalid function argument - 1:5: Call of function "sum" failed: a number is required. [to 1:10]
            "sum([1/0, -1/0])"
                Invalid function argument - 1:5: Call of function "sum" failed: the sum of opposing infinities is undefined. [to 1:16]
            "upper(null)"
                Invalid function argument - 1:7: Call of function "upper" failed: the argument must not be null. [to 1:11]
            "sort([null])"
                Invalid function argument - 1:6: Call of function "sort" failed: the elements must not be null. [to 1:12]
            "join(\"\", [null])"
                Invalid function argument - 1:10: Call of function "join" failed: the elements must not be null. [to 1:16]
            "setproduct([1], 2)"
                Invalid function argument - 1:17: Call of function "setproduct" failed: a set or a list is required. [to 1:18]
            "setproduct([1, []], [2])"
                Invalid function argument - 1:12: Call of function "setproduct" failed: a list of elements of one type is required. [to 1:19]
            "sum([])"
                Invalid function argument - 1:5: Call of function "sum" failed: the collection must not be empty. [to 1:7]
            "sum([null])"
                Invalid function argument - 1:5: Call of function "sum" failed: the elements must not be null. [to 1:11]
            "pow(-1, 0.5)"
                Error in function call - 1:1: Call of function "pow" failed: the power of a negative base and a fractional exponent is undefined. [to 1:13]
            "parseint(1, 10)"
                Invalid function argument - 1:10: Call of function "parseint" failed: a string is required. [to 1:11]
            "parseint(\"1\", 1)"
                Invalid function argument - 1:15: Call of function "parseint" failed: a base from 2 to 62 is required. [to 1:16]
            "parseint(\"2\", 2)"
                Invalid function argument - 1:10: Call of function "parseint" failed: the string is not a whole number in base 2. [to 1:13]
            "indent(-1, \"\")"
                Invalid function argument - 1:8: Call of function "indent" failed: a number that is not negative is required. [to 1:10]
            "format(\"%\")"
                Invalid function argument - 1:8: Call of function "format" failed: a letter is required after a percent sign. [to 1:11]
            "format(\"%[x]\", 1)"
                Invalid function argument - 1:8: Call of function "format" failed: the number of an argument is required after a percent sign. [to 1:14]
            "format(\"%z\", 1)"
                Invalid function argument - 1:8: Call of function "format" failed: the verb %z is not supported. [to 1:12]
            "format(\"%d\", \"x\")"
                Invalid function argument - 1:14: Call of function "format" failed: a number is required. [to 1:17]
            "format(\"%d\", 1.5)"
                Invalid function argument - 1:14: Call of function "format" failed: a whole number is required. [to 1:17]
            "format(\"%s\", tostring(null))"
                Invalid function argument - 1:14: Call of function "format" failed: %s does not accept null values. [to 1:28]
            "format(\"%s\")"
                Error in function call - 1:1: Call of function "format" failed: %s requires argument 1. [to 1:13]
            "format(\"%s\", 1, 2)"
                Invalid function argument - 1:17: Call of function "format" failed: the format string has no verb for this argument. [to 1:18]
            "formatlist(\"%s%s\", [1], [])"
                Invalid function argument - 1:25: Call of function "formatlist" failed: the lists must have the same length. [to 1:27]
            "cidrhost(\"10.0.0.0\", 1)"
                Invalid function argument - 1:10: Call of function "cidrhost" failed: the CIDR block is not valid. [to 1:20]
            "cidrhost(\"10.0.0.0/8\", 0.5)"
                Invalid function argument - 1:24: Call of function "cidrhost" failed: a whole number is required. [to 1:27]
            "cidrhost(\"10.0.0.0/24\", 256)"
                Invalid function argument - 1:25: Call of function "cidrhost" failed: the host number does not exist in the CIDR block. [to 1:28]
            "cidrnetmask(\"fd00::/8\")"
                Invalid function argument - 1:13: Call of function "cidrnetmask" failed: only an IPv4 CIDR block has a netmask. [to 1:23]
            "cidrsubnet(\"10.0.0.0/24\", 9, 0)"
                Invalid function argument - 1:27: Call of function "cidrsubnet" failed: the prefix would be longer than an address. [to 1:28]
            "cidrsubnet(\"10.0.0.0/24\", 1, 2)"
                Invalid function argument - 1:30: Call of function "cidrsubnet" failed: the subnet number does not exist in the CIDR block. [to 1:31]
            "cidrsubnet(\"10.0.0.0/24\", 1, 0.5)"
                Invalid function argument - 1:30: Call of function "cidrsubnet" failed: a whole number is required. [to 1:33]
            "cidrsubnets(\"10.0.0.0/24\", 0)"
                Invalid function argument - 1:28: Call of function "cidrsubnets" failed: a number of bits from 1 to 32 is required. [to 1:29]
            "cidrsubnets(\"10.0.0.0/24\", 9)"
                Invalid function argument - 1:28: Call of function "cidrsubnets" failed: the prefix would be longer than an address. [to 1:29]
            "cidrsubnets(\"10.0.0.0/24\", 1, 1, 1)"
                Invalid function argument - 1:34: Call of function "cidrsubnets" failed: the remaining address space is not sufficient. [to 1:35]
            "timeadd(\"2026-11-20\", \"1h\")"
                Invalid function argument - 1:9: Call of function "timeadd" failed: a time as in RFC 3339 is required. [to 1:21]
            "timeadd(\"2026-11-20T00:00:00Z\", \"1d\")"
                Invalid function argument - 1:33: Call of function "timeadd" failed: a duration such as 1h30m is required. [to 1:37]
            "formatdate(\"Q\", \"2026-11-20T00:00:00Z\")"
                Invalid function argument - 1:12: Call of function "formatdate" failed: the format contains an unsupported verb. [to 1:15]
            "formatdate(\"'\", \"2026-11-20T00:00:00Z\")"
                Invalid function argument - 1:12: Call of function "formatdate" failed: a quote is not closed. [to 1:15]
            "base64decode(\"x\")"
                Invalid function argument - 1:14: Call of function "base64decode" failed: a string in Base64 is required. [to 1:17]
            "base64decode(\"/w==\")"
                Invalid function argument - 1:14: Call of function "base64decode" failed: the decoded bytes are not valid UTF-8. [to 1:20]
            "pow(2, 0.3)"
                Error in function call - 1:1: Call of function "pow" failed: the result of this call cannot be determined here. [to 1:12]
            "try(1, 2)"
                nothing
            "core::upper([])"
                Invalid function argument - 1:13: Call of function "core::upper" failed: string required, but have tuple. [to 1:15]
        "#]],
    );
}
