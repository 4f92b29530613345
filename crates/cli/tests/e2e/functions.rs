//! The functions that conditions are made of, as the console computes them.

use std::process::{Command, Stdio};

use ferroform_value::body::{Expression, Names};
use ferroform_value::console;

use crate::{Folder, Program};

const EXPRESSIONS: &[&str] = &[
    "contains([1, \"2\"], \"2\")",
    "contains([\"1\"], 1)",
    "contains([null], null)",
    "contains(toset([\"a\"]), \"a\")",
    "contains(\"abc\", \"a\")",
    "contains([1, 2], 1.0)",
    "alltrue([])",
    "alltrue([true, \"true\"])",
    "alltrue([true, null])",
    "alltrue([1])",
    "anytrue([])",
    "anytrue([null, true])",
    "anytrue([false, null])",
    "startswith(\"abc\", \"ab\")",
    "startswith(12, 1)",
    "startswith(null, \"a\")",
    "endswith(\"abc\", \"bc\")",
    "strcontains(\"abc\", \"b\")",
    "trimspace(\" \\u00a0x\\t\\n\")",
    "trim(\"?!hello?!\", \"!?\")",
    "trimprefix(\"aab\", \"a\")",
    "trimsuffix(\"abb\", \"b\")",
    "join(\"-\", [\"a\", 1], [true])",
    "join(\",\", [])",
    "join(\",\", [null])",
    "split(\",\", \"a,b,,\")",
    "split(\"\", \"héy\")",
    "split(\",\", \"\")",
    "replace(\"a.b.c\", \".\", \"-\")",
    "replace(\"abab\", \"ab\", \"\")",
    "substr(\"hello\", 1, 3)",
    "substr(\"hello\", 1, -1)",
    "substr(\"hello\", 9, 1)",
    "substr(\"hello\", 0, 0)",
    "substr(\"e\\u0301x\", 0, 1)",
    "strrev(\"he\\u0301y\")",
    "abs(-1.5)",
    "ceil(1.2)",
    "ceil(-1.2)",
    "floor(-1.2)",
    "floor(1.999)",
    "floor(\"2.5\")",
    "max(1, 3, 2)",
    "min(1, \"-3\", 2)",
    "max()",
    "sum([1, 2.5])",
    "sum([])",
    "sum([\"1\", 2])",
    "sum(toset([1, 2]))",
    "distinct([\"a\", \"b\", \"a\"])",
    "distinct([1, \"1\"])",
    "distinct([])",
    "one([])",
    "one([1])",
    "one([1, 2])",
    "one(toset([\"x\"]))",
    "sort([\"b\", \"a\", \"B\"])",
    "sort([10, 9])",
    "sort([null])",
    "compact([\"a\", \"\", null])",
    "compact([])",
    "reverse([1, \"a\"])",
    "reverse(tolist([1, 2]))",
    "reverse(toset([\"a\", \"b\"]))",
    "setintersection([1, 2], [2, 3])",
    "setintersection([\"a\"])",
    "setsubtract([1, 2], [2])",
    "setsubtract([\"a\"], [1])",
    "regex(\"[a-z]+\", \"53ab\")",
    "regex(\"(\\\\d)(x)?\", \"5\")",
    "regex(\"(?P<year>\\\\d{4})-(?P<month>\\\\d\\\\d)\", \"2026-11\")",
    "regex(\"^a$\", \"b\")",
    "can(regex(\"^[A-Z]{2,3}$\", \"ABC\"))",
    "can(regex(\"^\\\\s*$\", \"\\u000b\"))",
    "regexall(\"[a-z]\", \"a1b\")",
    "regexall(\"(.)(\\\\d)\", \"a1b2\")",
    "regexall(\"x\", \"a\")",
    "regex(\"a|ab\", \"ab\")",
    "regex(\"a*?b\", \"aab\")",
    "regex(\"[^a]\\\\S\", \"abc\")",
    "regex(\"\", \"abc\")",
    "regexall(\"\", \"ab\")",
    "can(regex(\"é.\", \"aéb\"))",
    "regex(\"[é-ü]\", \"ü\")",
    "can(regex(\"^\\\\w+$\", \"é\"))",
    "can(regex(\"\\\\bx\\\\b\", \"a x b\"))",
    "can(regex(\"[a\", \"a\"))",
    "can(regex(\"^(?:a|b)+$\", \"abab\"))",
    "can(regex(\"^.$\", \"\\n\"))",
    "can(regex(\"a$\", \"a\\n\"))",
    "can(regex(\"^[\\\\w.-]+@[\\\\w-]+\\\\.[a-z]+$\", \"a.b@c.de\"))",
    "cidrhost(\"10.1.2.0/24\", 5)",
    "cidrhost(\"10.1.2.9/24\", 0)",
    "cidrhost(\"10.0.0.0/24\", 256)",
    "cidrhost(\"10.0.0.0\", 0)",
    "cidrhost(\"10.0.0.0/33\", 0)",
    "cidrhost(\"fd00::/64\", 1)",
    "cidrhost(\"10.0.0/8\", 0)",
    "cidrhost(\"x/8\", 0)",
    "cidrhost(\"10.0.0.0/+8\", 0)",
    "cidrnetmask(\"172.16.0.0/12\")",
    "cidrnetmask(\"fd00::/8\")",
    "cidrnetmask(\"0.0.0.0/0\")",
    "cidrhost(\"0.0.0.0/0\", 4294967295)",
    "cidrhost(\"1.2.3.4/32\", 0)",
    "cidrhost(null, 0)",
    "lookup({ a = 1 }, \"b\", 2)",
    "coalesce(null, \"\", \"x\")",
    "length(null)",
    "upper(\"straße ᾳᾀŉǆ\")",
    "lower(\"ΑΣ İ ǅ\")",
    "contains([null, 1], 1)",
    "lower(\"ÀB\")",
    "keys({ b = 1, a = 2 })",
    "try(tonumber(\"x\"), \"y\")",
    "can(tonumber(\"x\"))",
    "flatten([[1], [[2]]])",
    "merge({ a = 1 }, null)",
    "concat([1], [\"a\"])",
    "jsonencode({ a = [1, null] })",
    "jsondecode(\"{\\\"a\\\": 1}\")",
    "values({ b = 1, a = \"x\" })",
    "max([1, 2]...)",
    "upper(\"a\", \"b\")",
    "join(\",\")",
    "true || null",
    "false && tobool(\"x\")",
    "1 == \"1\"",
    "[] == []",
    "tolist([]) == []",
];

#[test]
fn functions_are_as_in_the_program() {
    let Some(program) = Program::for_test("functions") else { return };
    let folder = Folder::new("functions-module");
    let mut differ = Vec::new();
    let mut declined = Vec::new();
    for text in EXPRESSIONS {
        let Some(here) = Expression::parse(text).unwrap().evaluate(&Names::default()) else {
            declined.push(*text);
            continue;
        };
        let here = here.ok().map(|it| console::show(&it));
        let mut command = Command::new(&program.cli);
        command
            .arg("console")
            .current_dir(&folder.0)
            .env("CHECKPOINT_DISABLE", "1")
            .env("TF_CLI_CONFIG_FILE", &program.rc);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let there = output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned());
        if here != there {
            differ.push(format!("{text}: here {here:?}, in the program {there:?}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    // A pattern that cannot be read is left to the program.
    assert_eq!(declined, ["can(regex(\"[a\", \"a\"))"]);
}
