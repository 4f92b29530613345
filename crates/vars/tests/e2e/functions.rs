//! Compares the functions with `terraform console`.
//!
//! The results of the listed expressions are recorded in `crates/lang/tests/function_results/`, so that they are checked
//! without Terraform as well. `FERROFORM_RECORD=1` records them again, after each one is equal to that of Terraform.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use ferroform_lang::body::{Expression, Variables};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::{EvaluationError, console, expression};
use ferroform_testing::cli::Cli;
use ferroform_vars::Target;
use serde_json::{Value as Json, json};

use crate::generate::Rng;
use crate::{Directory, Terraform, seed, target, without_lock_messages};

/// The number of expressions in one run of the console.
const BATCH: usize = 50;

/// The number of random calls of each function.
const CALLS: usize = 60;

/// Arguments of random calls: of each type, null, empty, large, and not ASCII.
const ARGUMENTS: &[&str] = &[
    "null",
    "tostring(null)",
    "true",
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "-2.5",
    "16",
    "1e20",
    "\"\"",
    "\"a\"",
    "\"héllo wörld\"",
    "\"a,b,,c\"",
    "\"12\"",
    "\"true\"",
    "\"2026-11-20T08:30:05+01:00\"",
    "\"10.1.0.0/16\"",
    "\"fd00::/48\"",
    "\"1h30m\"",
    "\"%s-%v\"",
    "\"[a-z]+\"",
    "\"YWJj\"",
    "\"{\\\"a\\\": [1, null]}\"",
    "\"x\\ny\\n\"",
    "[]",
    "[1, 2, 3]",
    "[\"b\", \"a\", \"b\"]",
    "[\"a\", 1, null]",
    "[true, false]",
    "[[1], [2, 3]]",
    "tolist([\"x\", \"y\"])",
    "tolist([])",
    "tolist([3, 1])",
    "toset([\"b\", \"a\"])",
    "toset([2, 1])",
    "{}",
    "{ a = 1, b = \"x\" }",
    "{ a = [\"x\", \"y\"], b = [\"y\"] }",
    "tomap({ a = 1, b = 2 })",
    "tomap({ a = \"x\" })",
];

/// The result of an expression in Ferroform.
enum LocalResult {
    Value(String),
    Error,
    /// Not evaluated, because the result of Terraform is undetermined.
    NotEvaluated,
}

/// Returns the logical operators' behavior in the CLI under test.
fn logical_operators() -> LogicalOperators {
    Cli::for_test()
        .as_ref()
        .map(target)
        .as_ref()
        .map_or_else(LogicalOperators::default, Target::logical_operators)
}

fn local_result(expression: &str) -> LocalResult {
    match Expression::parse(expression).unwrap().evaluate_with(&Variables::default(), logical_operators()) {
        Ok(it) => LocalResult::Value(console::show(&it)),
        Err(EvaluationError::Invalid(_)) => LocalResult::Error,
        Err(EvaluationError::Undetermined(_)) => LocalResult::NotEvaluated,
    }
}

struct Console<'a> {
    terraform: &'a Terraform,
    directory: Directory,
}

impl Console<'_> {
    /// Returns the result of Terraform; `None` if it reports an error.
    fn evaluate(&self, expression: &str) -> Option<String> {
        let mut command = Command::new(&self.terraform.cli);
        command.arg("console").current_dir(&self.directory.0);
        command.env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", &self.terraform.rc);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), expression.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let values = || without_lock_messages(&output.stdout).trim_end_matches('\n').to_owned();
        output.status.success().then(values)
    }

    /// Compares all expressions as one tuple, and each one separately if the results of the tuple differ.
    fn compare(&self, expressions: &[&str], differ: &mut Vec<String>) {
        let tuple = format!("[{}]", expressions.join(", "));
        if let LocalResult::Value(local_result) = local_result(&tuple)
            && self.evaluate(&tuple) == Some(local_result)
        {
            return;
        }
        for expression in expressions {
            let terraform_result = self.evaluate(expression);
            let same = match local_result(expression) {
                LocalResult::Value(local_result) => terraform_result.as_ref() == Some(&local_result),
                LocalResult::Error | LocalResult::NotEvaluated => terraform_result.is_none(),
            };
            if !same {
                let local_result =
                    if let LocalResult::Value(it) = local_result(expression) { Some(it) } else { None };
                differ
                    .push(format!("{expression}: here {local_result:?}, in Terraform {terraform_result:?}"));
            }
        }
    }
}

/// Compares the listed expressions with Terraform and with their recorded results.
pub(crate) fn compare_recorded(name: &str, expressions: &[&str]) {
    let not_evaluated = compare(name, expressions);
    assert!(not_evaluated.is_empty(), "not evaluated:\n{}", not_evaluated.join("\n"));
    if Cli::for_test().is_none() {
        return;
    }
    let results: Vec<Json> = expressions
        .iter()
        .map(|expression| match local_result(expression) {
            LocalResult::Value(result) => json!({ "expression": expression, "result": result }),
            LocalResult::Error | LocalResult::NotEvaluated => {
                json!({ "expression": expression, "error": true })
            }
        })
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lang/tests/function_results");
    let path = path.join(format!("{name}.json"));
    if std::env::var_os("FERROFORM_RECORD").is_some_and(|it| it == "1") {
        let lines: Vec<String> = results.iter().map(Json::to_string).collect();
        fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let recorded: Vec<Json> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(recorded, results, "the recorded results are outdated: run this test with FERROFORM_RECORD=1");
}

/// Compares expressions with Terraform, and returns those that are not evaluated here.
pub(crate) fn compare<'t>(name: &str, expressions: &[&'t str]) -> Vec<&'t str> {
    let Some(terraform) = Terraform::for_test(name) else { return Vec::new() };
    let console = Console { terraform: &terraform, directory: Directory::new(&format!("{name}-module")) };
    let (mut values, mut errors, mut not_evaluated) = (Vec::new(), Vec::new(), Vec::new());
    for expression in expressions {
        match local_result(expression) {
            LocalResult::Value(_) => values.push(*expression),
            LocalResult::Error => errors.push(*expression),
            LocalResult::NotEvaluated => not_evaluated.push(*expression),
        }
    }
    let mut differ = Vec::new();
    for expressions in values.chunks(BATCH) {
        console.compare(expressions, &mut differ);
    }
    for expressions in errors.chunks(BATCH) {
        let tested: Vec<String> = expressions.iter().map(|it| format!("can({it})")).collect();
        console.compare(&tested.iter().map(String::as_str).collect::<Vec<_>>(), &mut differ);
    }
    let line = format!(
        "{name}: {} with the same result, {} with an error in both, {} not evaluated, {} differ\n",
        values.len(),
        errors.len(),
        not_evaluated.len(),
        differ.len()
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    assert!(differ.is_empty(), "{line}{}", differ.join("\n"));
    not_evaluated
}

pub(crate) fn lines(expression: &str) -> Vec<&str> {
    expression.lines().filter(|it| !it.is_empty() && !it.starts_with('#')).collect()
}

#[test]
fn functions_return_the_results_of_terraform() {
    let files = [
        include_str!("../../../lang/tests/function_results/types.txt"),
        include_str!("../../../lang/tests/function_results/collections.txt"),
        include_str!("../../../lang/tests/function_results/strings.txt"),
        include_str!("../../../lang/tests/function_results/format.txt"),
        include_str!("../../../lang/tests/function_results/regular_expressions.txt"),
        include_str!("../../../lang/tests/function_results/numbers.txt"),
        include_str!("../../../lang/tests/function_results/network.txt"),
        include_str!("../../../lang/tests/function_results/times.txt"),
    ];
    let expressions: Vec<&str> = files.into_iter().flat_map(lines).collect();
    compare_recorded("functions", &expressions);
}

/// The operators `&&` and `||`, whose behavior depends on the version.
#[test]
fn logical_operators_return_the_results_of_terraform() {
    let recorded = include_str!("../../../lang/tests/function_results/logical_operators.json");
    let recorded: Vec<Json> = serde_json::from_str(recorded).unwrap();
    let expressions: Vec<&str> = recorded.iter().map(|it| it["expression"].as_str().unwrap()).collect();
    let not_evaluated = compare("logical-operators", &expressions);
    assert!(not_evaluated.is_empty(), "not evaluated:\n{}", not_evaluated.join("\n"));
}

/// A call is not evaluated if its result in Terraform is undetermined.
#[test]
fn undetermined_calls_are_not_evaluated() {
    for expression in lines(include_str!("../../../lang/tests/function_results/declined.txt")) {
        assert!(matches!(local_result(expression), LocalResult::NotEvaluated), "{expression}");
    }
}

#[test]
fn random_calls_return_the_results_of_terraform() {
    let mut rng = Rng::new(seed());
    let mut expressions = Vec::new();
    // OpenTofu 1.6 rejects a value that is not sensitive.
    let is_tofu = Cli::for_test().is_some_and(|it| it.name() == "tofu");
    for name in expression::functions().filter(|it| !(is_tofu && *it == "nonsensitive")) {
        for _ in 0..CALLS {
            let count = 1 + rng.next(3);
            let arguments: Vec<&str> = (0..count).map(|_| rng.pick(ARGUMENTS)).collect();
            let call = format!("{name}({})", arguments.join(", "));
            // Most random calls are invalid, and few of these are sufficient.
            if !matches!(local_result(&call), LocalResult::Error) || rng.once_in(6) {
                expressions.push(call);
            }
        }
    }
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    let not_evaluated = compare("calls", &expressions);
    assert!(
        not_evaluated.len() * 20 <= expressions.len(),
        "too many calls are not evaluated:\n{}",
        not_evaluated.join("\n")
    );
}

/// Format verbs, regular expressions and times.
#[test]
fn random_formats_return_the_results_of_terraform() {
    const NUMBERS: &[&str] =
        &["0", "1", "-7", "255", "3.75", "-0.0625", "1e9", "1234567.891", "1e-7", "0.1", "1/3"];
    const PIECES: &[&str] = &[
        "a",
        "b",
        "k",
        "é",
        "1",
        "-",
        " ",
        ".",
        "^",
        "$",
        "|",
        "*",
        "+",
        "?",
        "{2}",
        "{0,1}",
        "{1,}",
        "(",
        ")",
        "(?:",
        "(?i)",
        "(?s)",
        "[a-c]",
        "[^b]",
        "[É-í]",
        "[[:alpha:]]",
        "[^[:digit:] ]",
        "\\\\d",
        "\\\\W",
        "\\\\s",
        "\\\\b",
        "\\\\B",
        "\\\\pL",
        "\\\\p{Lu}",
        "[\\\\w-]",
        "ſ",
        "\\\\.",
    ];
    const SUBJECTS: &[&str] = &["abc-1 K", "éÉ a1\\nb", "kK\u{212a} sſ", "", "aabb  cc"];
    const LETTERS: &[&str] = &["Y", "M", "D", "E", "h", "H", "m", "s", "A", "a", "Z", "'", "-", "é"];
    let mut rng = Rng::new(seed() + 1);
    let mut expressions = Vec::new();
    for _ in 0..300 {
        let mut verb = String::from("%");
        for flag in ["0", "#", "-", "+", " "] {
            verb.push_str(if rng.once_in(4) { flag } else { "" });
        }
        verb.push_str(rng.pick(&["", "", "1", "9", "14"]));
        verb.push_str(rng.pick(&["", "", ".", ".0", ".1", ".3", ".12"]));
        verb.push_str(rng.pick(&["b", "d", "o", "x", "X", "e", "E", "f", "g", "G", "s", "q", "v", "t"]));
        expressions.push(format!("try(format(\"{verb}|\", {}), null)", rng.pick(NUMBERS)));
        let pattern: String = (0..1 + rng.next(6)).map(|_| rng.pick(PIECES)).collect();
        let pattern = pattern.replace("${", "$${");
        expressions.push(format!("regexall(\"{pattern}\", \"{}\")", rng.pick(SUBJECTS)));
        expressions.push(format!("replace(\"{}\", \"/{pattern}/\", \"<$0$1>\")", rng.pick(SUBJECTS)));
        let letters: String = (0..rng.next(4)).map(|_| rng.pick(LETTERS).repeat(1 + rng.next(5))).collect();
        let (hour, month) = (rng.next(24), 1 + rng.next(12));
        let time = format!("{}-{month:02}-28T{hour:02}:04:05-07:30", 1900 + rng.next(200));
        expressions.push(format!("try(formatdate(\"{letters}\", \"{time}\"), null)"));
        let span = format!("{}h{}m{}s", rng.next(90_000), rng.next(600), rng.next(600));
        let sign = rng.pick(&["", "-"]);
        expressions.push(format!("timeadd(\"{time}\", \"{sign}{span}\")"));
    }
    compare("random-formats", &expressions.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn every_function_is_documented_and_compared() {
    let compared = concat!(
        include_str!("../../../lang/tests/function_results/types.txt"),
        include_str!("../../../lang/tests/function_results/collections.txt"),
        include_str!("../../../lang/tests/function_results/strings.txt"),
        include_str!("../../../lang/tests/function_results/format.txt"),
        include_str!("../../../lang/tests/function_results/regular_expressions.txt"),
        include_str!("../../../lang/tests/function_results/numbers.txt"),
        include_str!("../../../lang/tests/function_results/network.txt"),
        include_str!("../../../lang/tests/function_results/times.txt"),
    );
    let page = include_str!("../../README.md");
    for name in expression::functions() {
        assert!(compared.contains(&format!("{name}(")), "{name} is not compared with Terraform");
        assert!(page.contains(&format!("`{name}`")), "{name} is not in README.md");
    }
}
