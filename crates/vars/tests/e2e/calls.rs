//! Module calls: `ferroform-vars -check` and Terraform accept the same ones.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use ferroform_testing::cli::{Cli, Feature};
use ferroform_vars::{CheckRequest, check};

use crate::fixed_cases::case;
use crate::{Case, Terraform, generate, seed};

/// A variables file that is an environment, so that required variables must have a value.
const ENVIRONMENT: &str = "environment.tfvars";

/// Modules in `child` and `other`, which are valid, and callers.
const CHILD: &str = r#"
variable "name" {
  type = string
  validation {
    condition     = length(var.name) < 10
    error_message = "Too long."
  }
}
variable "sizes" {
  type    = list(number)
  default = [1]
  validation {
    condition     = alltrue([for size in var.sizes : size < 100])
    error_message = "Too large."
  }
}
variable "options" {
  type     = object({ color = optional(string, "red"), count = optional(number) })
  default  = {}
  nullable = false
}
variable "key" {
  type      = string
  default   = null
  ephemeral = true
}
output "name" {
  value = var.name
}
"#;

const CALLS: &[(&str, &str)] = &[
    ("valid", "name = \"web\""),
    ("missing", "sizes = [1]"),
    ("unsupported", "name = \"web\"\nnmae = \"web\""),
    ("converted", "name = 5\nsizes = [\"1\", 2]"),
    ("not-converted", "name = \"web\"\nsizes = [\"x\"]"),
    ("set-to-list", "name = \"web\"\nsizes = toset([1, 2])"),
    ("rejected", "name = \"a-name-that-is-too-long\""),
    ("rejected-element", "name = \"web\"\nsizes = [1, 100]"),
    ("null", "name = null"),
    ("null-with-default", "name = \"web\"\noptions = null"),
    ("undeclared-attribute", "name = \"web\"\noptions = { size = 1 }"),
    ("attribute-type", "name = \"web\"\noptions = { count = \"many\" }"),
    ("ephemeral", "name = \"web\"\nkey = \"k\""),
    ("function", "name = upper(\"web\")\nsizes = [for i in range(3) : i * 40]"),
    ("function-rejected", "name = upper(\"web\")\nsizes = [for i in range(4) : i * 40]"),
    ("function-error", "name = upper([])"),
    ("unknown-reference", "name = var.nothing"),
    ("unknown-local", "name = local.nothing"),
    ("count", "count = 2\nname = \"web-${count.index}\""),
    ("count-rejected", "count = 2\nname = \"web\"\nsizes = [count.index * 100]"),
    ("count-zero", "count = 0\nname = \"a-name-that-is-too-long\""),
    ("count-zero-type", "count = 0\nname = []"),
    ("count-string", "count = \"2\"\nname = \"web\""),
    ("count-negative", "count = -1\nname = \"web\""),
    ("count-fraction", "count = 1.5\nname = \"web\""),
    ("count-null", "count = null\nname = \"web\""),
    ("count-list", "count = [1]\nname = \"web\""),
    ("count-without", "name = count.index"),
    ("each", "for_each = { a = 1, b = 2 }\nname = each.key\nsizes = [each.value]"),
    ("each-rejected", "for_each = { a = 1, b = 200 }\nname = each.key\nsizes = [each.value]"),
    ("each-set", "for_each = toset([\"a\", \"b\"])\nname = each.value"),
    ("each-set-of-numbers", "for_each = toset([1, 2])\nname = each.value"),
    ("each-list", "for_each = [\"a\"]\nname = each.value"),
    ("each-tuple-of-none", "for_each = []\nname = each.value"),
    ("each-empty", "for_each = {}\nname = \"a-name-that-is-too-long\""),
    ("each-null", "for_each = null\nname = \"web\""),
    ("each-string", "for_each = \"a\"\nname = \"web\""),
    ("each-without", "name = each.key"),
    ("each-sensitive", "for_each = sensitive({ a = 1 })\nname = each.key"),
    ("each-sensitive-value", "for_each = { a = sensitive(1) }\nname = each.key\nsizes = [each.value]"),
    ("each-null-element", "for_each = toset([null])\nname = \"web\""),
    ("resource", "name = terraform_data.a.id\nsizes = [terraform_data.a.output]"),
    ("resource-and-invalid", "name = terraform_data.a.id\nsizes = { a = terraform_data.a.output }"),
    ("other-module", "name = module.other.name"),
    ("path", "name = basename(path.module) == \"\" ? \"a\" : \"b\""),
    ("conditional", "name = var.flag ? \"web\" : \"a-name-that-is-too-long\""),
    ("conditional-rejected", "name = var.flag ? \"a-name-that-is-too-long\" : \"web\""),
    ("local-chain", "name = local.second"),
    ("local-rejected", "name = \"${local.second}-and-something\""),
    ("splat", "name = \"web\"\nsizes = local.objects[*].size"),
    ("splat-invalid", "name = \"web\"\nsizes = local.objects[*].name"),
    ("ephemeral-to-other", "name = var.key"),
    ("sensitive", "name = var.token"),
    ("providers", "name = \"web\"\nproviders = {}\ndepends_on = [module.other]"),
    ("version-argument", "name = \"web\"\nlifecycle = 1"),
    ("hash", "name = substr(sha256(\"x\"), 0, 5)"),
    ("file", "name = file(\"name.txt\")"),
];

const ROOT: &str = r#"
variable "flag" {
  type    = bool
  default = true
}
variable "token" {
  type      = string
  default   = "s3cr3t"
  sensitive = true
}
variable "key" {
  type      = string
  default   = "k"
  ephemeral = true
}
locals {
  first   = "we"
  second  = "${local.first}b"
  objects = [{ name = "a", size = 1 }, { name = "b", size = 2 }]
}
resource "terraform_data" "a" {
  input = 1
}
module "other" {
  source = "./child"
  name   = "other"
}
"#;

fn fixed(name: &str, arguments: &str) -> Case {
    let call =
        format!("module \"m\" {{\n  source = \"./child\"\n  {}\n}}\n", arguments.replace('\n', "\n  "));
    let mut case = case(&format!("call-{name}"), &format!("{ROOT}{call}@@ child/main.tf\n{CHILD}"));
    case.files.insert("name.txt".to_owned(), "web".to_owned());
    case
}

/// Returns a module with the variables of a generated case that calls a module with those of the same or of another case.
fn generated(number: usize, root: &Case, called: &Case) -> Case {
    let mut case = Case { name: format!("call-{number}"), ..root.clone() };
    let declarations =
        called.files.iter().filter(|(name, _)| name.ends_with(".tf") || name.ends_with(".tf.json"));
    case.files.extend(declarations.map(|(name, text)| (format!("child/{name}"), text.clone())));
    let declares = |case: &Case, name: &str| {
        let quoted = format!("\"{name}\"");
        case.files.iter().any(|(file, text)| !file.contains("tfvars") && text.contains(&quoted))
    };
    let mut call = "module \"m\" {\n  source = \"./child\"\n".to_owned();
    for name in ["one", "two", "three"].iter().filter(|name| declares(root, name)) {
        call.push_str(&format!("  {name} = var.{name}\n"));
    }
    case.files.insert("call.tf".to_owned(), format!("{call}}}\n"));
    case
}

/// Returns the difference between the verdicts.
fn difference(terraform: &Terraform, root: &Path, case: &Case) -> Option<String> {
    let directory = root.join(&case.name);
    for (name, content) in case.files.iter().chain([(&ENVIRONMENT.to_owned(), &String::new())]) {
        let file = directory.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    let init = terraform.run(case, &directory, &["init", "-input=false", "-backend=false"], "");
    let plan = terraform.run(
        case,
        &directory,
        &["plan", "-input=false", "-lock=false", &format!("-var-file={ENVIRONMENT}")],
        "",
    );
    let stderr = String::from_utf8_lossy(&plan.stderr).into_owned();
    let accepted = init.status.success() && plan.status.success() && !stderr.contains("Error: ");
    let (report, _) = check(&CheckRequest {
        directories: vec![directory],
        environments: vec![ENVIRONMENT.to_owned()],
        target: Some(terraform.target.clone()),
        ..CheckRequest::default()
    });
    (accepted != report.is_valid()).then(|| {
        let verdict = if accepted { "accepts" } else { "rejects" };
        format!("== {case:#?}\nTerraform {verdict} the call:\n{stderr}\nFerroform:\n{}", report.diagnostics())
    })
}

fn compare(name: &str, cases: &[Case]) {
    let Some(terraform) = Terraform::for_test(name) else { return };
    let root = &terraform.directory.0;
    let mut cases = cases.to_vec();
    if Cli::for_test().is_some_and(|it| !it.supports(Feature::EphemeralResources).unwrap()) {
        // Its variables cannot be ephemeral.
        for text in cases.iter_mut().flat_map(|it| it.files.values_mut()) {
            let lines = text.split_inclusive('\n').filter(|it| !it.trim_start().starts_with("ephemeral = "));
            *text = lines.collect();
        }
        cases.retain(|it| !it.files.values().any(|it| it.contains("\"ephemeral\"")));
    }
    let differences: Vec<String> = cases.iter().filter_map(|it| difference(&terraform, root, it)).collect();
    let line = format!("{} module calls, {} differ\n", cases.len(), differences.len());
    // Printed directly, because the test harness captures stdout.
    let _ = std::io::stderr().write_all(line.as_bytes());
    assert!(differences.is_empty(), "{line}\n{}", differences[..differences.len().min(8)].join("\n"));
}

#[test]
fn fixed_calls_match_terraform() {
    let cases: Vec<Case> = CALLS.iter().map(|(name, arguments)| fixed(name, arguments)).collect();
    compare("calls", &cases);
}

#[test]
fn generated_calls_match_terraform() {
    let cases = generate::cases(seed(), 300);
    let cases: Vec<Case> =
        cases.into_iter().filter(|it| it.options.is_empty() && it.environment.is_empty()).collect();
    let pairs = cases.iter().zip(cases.iter().cycle().skip(1)).enumerate();
    let calls: Vec<Case> =
        pairs.map(|(i, (root, next))| generated(i, root, if i % 3 == 0 { next } else { root })).collect();
    compare("generated-calls", &calls);
}
