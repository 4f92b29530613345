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

/// Types of a variable in a module, values with sensitive parts, and values of `for_each` in this module.
const SENSITIVE: &[(&str, &str, &str)] = &[
    ("object({ k = string, items = map(string) })", "{ k = var.k, items = { a = 1 } }", "var.c.items"),
    ("object({ k = string, names = list(string) })", "{ k = var.k, names = [1] }", "toset(var.c.names)"),
    ("object({ a = optional(map(string), {}), k = string })", "{ k = var.k }", "var.c.a"),
    ("object({ a = optional(map(string), {}), k = string })", "sensitive({ k = 1 })", "var.c.a"),
    ("object({ s = string })", "{ (var.k) = 1 }", "var.c"),
    (
        "list(object({ n = string, k = string }))",
        "[{ n = 1, k = var.k }]",
        "{ for it in var.c : it.n => it }",
    ),
    ("list(object({ n = string, k = string }))", "[{ n = 1, k = var.k }]", "zipmap(var.c[*].n, var.c)"),
    ("list(object({ n = string, k = string }))", "[{ n = 1, k = var.k }]", "toset(var.c[*].n)"),
    ("list(object({ n = string, k = string }))", "[{ n = 1, k = var.k }]", "toset(var.c[*].k)"),
    ("set(object({ n = string, k = string }))", "[{ n = 1, k = var.k }]", "{ for it in var.c : it.n => it }"),
    ("list(string)", "[1, var.k]", "toset(var.c)"),
    ("set(string)", "[1, var.k]", "var.c"),
    ("map(string)", "{ z = var.k }", "var.c"),
    ("map(string)", "null", "var.c"),
    ("map(string)", "sensitive(null)", "var.c"),
    ("map(map(string))", "{ a = { b = var.k } }", "var.c.a"),
    ("map(set(string))", "{ z = [var.k] }", "var.c"),
    ("map(set(string))", "{ z = [var.k] }", "var.c.z"),
    ("tuple([string, string])", "[1, var.k]", "toset([var.c[0]])"),
    ("string", "var.k", "toset([var.c])"),
    ("any", "{ z = var.k }", "var.c"),
    ("any", "[1, var.k]", "toset(var.c)"),
];

fn sensitive(number: usize, (ty, value, for_each): (&str, &str, &str)) -> Case {
    let root = "variable \"k\" {\n  default = \"s\"\n  sensitive = true\n}\n";
    let call = format!("module \"m\" {{\n  source = \"./child\"\n  c = {value}\n}}\n");
    let variable = format!("variable \"c\" {{\n  type = {ty}\n}}\n");
    let nested = format!("module \"n\" {{\n  source = \"./none\"\n  for_each = {for_each}\n}}\n");
    let child = format!("@@ child/main.tf\n{variable}{nested}@@ child/none/main.tf\n# Empty\n");
    case(&format!("sensitive-{number}"), &format!("{root}{call}{child}"))
}

/// Arguments with calls of functions that are not supported.
const FUNCTIONS: &[&str] = &[
    "map(\"x\", \"y\")",
    "list()",
    "list(terraform_data.a.output)",
    "try(map(\"x\", \"y\"), 1)",
    "true ? 1 : list(1)",
    "md5()",
    "md5(\"a\", \"b\")",
    "md5(\"a\")",
    "try(md5(), 1)",
    "bcrypt(\"a\", 5, 6)",
    "length(md5(\"a\"), 2)",
    "length([md5(\"a\"), 2]...)",
];

fn function(number: usize, call: &str) -> Case {
    let resource = "resource \"terraform_data\" \"a\" {}\n";
    let call = format!("module \"m\" {{\n  source = \"./child\"\n  a = {call}\n}}\n");
    case(&format!("function-{number}"), &format!("{resource}{call}@@ child/main.tf\nvariable \"a\" {{}}\n"))
}

const DYNAMIC_INDEX: &str = r#"
locals {
  e = "x"
  a = { x = { n = "name", l = ["first"] } }
}
module "m" {
  source = "./child"
  a = {
    KEY = 1
  }
}
@@ child/main.tf
variable "a" {
  type = map(number)
}
"#;

/// Object keys, some of which Terraform rejects.
const KEYS: &[&str] = &[
    "local.a[local.e].n",
    "local.a[local.e].l[0]",
    "local.a[\"${local.e}\"][\"n\"]",
    "local.a[(\"x\")].n",
    "(local.a).x.n",
    "local.a[\"x\"].n",
    "local.a[0].n",
    "local.a[true]",
    "local.a[null]",
    "local.a[*].n",
    "f.x",
    "local.a.x.n",
];

/// Conditions of a variable in `child` whose values are partly unknown. `id` is unknown.
const CONDITIONS: &[&str] = &[
    "alltrue([for p in var.pools : p.l >= 16])",
    "alltrue([for p in var.pools : p.l >= 4])",
    "alltrue([for p in var.pools : p.id != \"\"])",
    "anytrue([for p in var.pools : p.id == \"x\"])",
    "var.pools[0].l >= 16",
    "var.pools[0].id == \"x\"",
    "length(var.pools) > 1",
    "length(var.pools) == 1",
    "min(var.pools[*].l...) > 5",
    "contains(keys(var.map), \"z\")",
    "contains(values(var.map), \"z\")",
    "contains(var.pools[*].id, \"z\")",
    "startswith(var.name, \"a\")",
    "startswith(var.name, \"b\")",
    "startswith(var.name, \"b-a\")",
    "length(var.name) > 300",
    "var.name == \"\"",
    "var.name != null",
    "var.name == null",
    "var.o.l > 5",
    "var.o.id != null",
    "can(regex(\"^a\", var.name))",
    "can(tonumber(var.o.id))",
    "try(var.o.id, \"x\") == \"y\"",
    "length([for p in var.pools : p if p.l > 5]) == 1",
    "length([for p in var.pools : p if p.id == \"x\"]) == 1",
    "length(distinct(var.pools[*].l)) == 2",
    "length(toset(var.pools[*].id)) == 2",
    "coalesce(var.o.id, \"x\") == \"y\"",
    "lookup(var.map, \"z\", \"none\") != \"none\"",
    "var.o.id == \"x\" || var.o.l > 5",
    "var.o.id == \"x\" && var.o.l > 5",
    "var.o.l > 5 && var.o.id == \"x\"",
    "var.o.id == \"x\" ? false : false",
    "var.o.id",
    "var.o.id + 1 > 0 && var.pools",
    "one(var.pools[*].l) == 5",
    "merge(var.map, { b = \"c\" })[\"b\"] == \"d\"",
    "length(merge(var.map, { b = \"c\" })) == 5",
    "join(\",\", keys(var.map)) == \"b\"",
    "join(\",\", values(var.map)) == \"b\"",
    "length(setproduct(keys(var.map), [1, 2])) == 3",
    "length(flatten([var.pools, var.pools])) == 3",
    "sum(var.pools[*].l) == 5",
    "md5(var.o.id) == \"x\"",
    "length(md5(var.o.id), 1) == 1",
    "upper(var.o.id) == lower(var.o.id) && length(var.pools) == 2",
    "substr(var.name, 0, 1) == \"a\"",
    "format(\"%s\", var.o.id) == \"x\"",
    "element(var.pools, 1).l == 5",
    "var.pools == []",
    "var.pools[1].l == 4",
    "nonsensitive(var.o.id) == \"x\" || length(var.pools) > 3",
    "local.l > 5",
    "tonumber(local.id) > 5 || local.l > 5",
    "local.id == \"\"",
];

const PARTLY_UNKNOWN: &str = r#"
resource "terraform_data" "x" {}
module "m" {
  source = "./child"
  pools  = [{ id = terraform_data.x.id, l = 4 }]
  map    = { a = terraform_data.x.id }
  name   = "b-${terraform_data.x.id}"
  o      = { id = terraform_data.x.id, l = 4 }
}
@@ child/main.tf
locals {
  l  = var.o.l
  id = var.o.id
}
variable "pools" {
  type = list(object({ id = string, l = number }))
}
variable "map" {
  type = map(string)
}
variable "name" {
  type = string
}
variable "o" {
  type = object({ id = string, l = number })
}
variable "checked" {
  default = true
  validation {
    condition     = var.checked && (CONDITION)
    error_message = "No."
  }
}
"#;

/// A validation with the value of another variable. Without instances, Terraform evaluates it with unknown values of the other
/// variable only.
const OTHER_VARIABLE: &str = r#"
module "m" {
  source = "./child"
  count  = COUNT
  size   = SIZE
  limit  = 2
}
@@ child/main.tf
variable "size" {
  type = number
  validation {
    condition     = var.size <= var.limit && var.size < 10
    error_message = "Too large."
  }
}
variable "limit" {
  type = number
}
"#;

/// Conditions with the wrong number of arguments of a function.
const ARGUMENT_COUNTS: &[&str] = &[
    "can(regex(\"^a$\", var.m), var.m == \"b\")",
    "length(var.m, 1) > 0",
    "substr(var.m, 1) == \"x\"",
    "md5() == var.m",
    "file() == var.m",
    "timestamp(var.m) == \"\"",
    "can(length(var.m, 1)) || var.m == \"\"",
    "length(md5(var.m), 1) > 0",
    "list(var.m)[0] == \"x\"",
    "map(\"a\", var.m) == var.m",
];

/// Calls with `count` and `for_each`, one of which is in an override file.
const OVERRIDES: &[(&str, &str)] = &[
    ("count = 2\n  a = count.index", "for_each = toset([\"x\"])"),
    ("count = 2\n  a = each.key", "for_each = toset([\"x\"])"),
    ("for_each = toset([\"x\"])\n  a = count.index", "count = 2"),
    ("for_each = toset([\"x\"])\n  a = each.key", "count = 2"),
    ("count = 2\n  a = 1", "for_each = 5"),
    ("for_each = toset([\"x\"])\n  a = 1", "count = -1"),
];

fn overridden(number: usize, (base, overriding): (&str, &str)) -> Case {
    let call = format!("module \"m\" {{\n  source = \"./child\"\n  {base}\n}}\n");
    let overriding = format!("module \"m\" {{\n  {overriding}\n}}\n");
    let files = format!("{call}@@ override.tf\n{overriding}@@ child/main.tf\nvariable \"a\" {{}}\n");
    case(&format!("override-{number}"), &files)
}

/// The sources and version constraints of calls, and the sources and versions that `modules.json` contains. `HOST` is the
/// host of the public registry.
const CHANGES: &[(&str, Option<&str>, &str, Option<&str>)] = &[
    ("example/network/local", None, "HOST/example/network/local", Some("1.0.0")),
    ("example/network/local", Some("~> 1.0"), "HOST/example/network/local", Some("1.5.0")),
    ("example/network/local", Some("~> 1.0"), "HOST/example/network/local", Some("2.0.0")),
    ("example/network/local", Some(">= 1.0, != 1.5.0"), "HOST/example/network/local", Some("1.5.0")),
    ("example/network/local", Some(">= 1.0"), "HOST/example/network/local", Some("2.0.0-beta1")),
    ("example/network/local", Some("!= 1.0.0"), "HOST/example/network/local", Some("2.0.0-beta1")),
    ("example/network/local", Some("2.0.0-beta1"), "HOST/example/network/local", Some("2.0.0-beta1")),
    ("example/network/local", Some("1.0.0"), "HOST/example/network/local", Some("1.0.0+build")),
    ("example/network/local", None, "HOST/example/subnet/local", Some("1.0.0")),
    ("example/network/local//a/../b/", None, "HOST/example/network/local//b", Some("1.0.0")),
    ("App.Terraform.io:443/a/b/c", None, "app.terraform.io/a/b/c", Some("1.0.0")),
    ("app.terraform.io:8443/a/b/c", None, "app.terraform.io/a/b/c", Some("1.0.0")),
    ("example/network/local", None, "./child", None),
    ("github.com/a/b", None, "git::https://github.com/a/b.git", None),
    ("github.com/a/b/c//d", None, "git::https://github.com/a/b.git//c/d", None),
    ("github.com/a/b//c?ref=v1", None, "git::https://github.com/a/b.git//c?ref=v1", None),
    ("github.com/a/b?ref=v2", None, "git::https://github.com/a/b.git?ref=v1", None),
    ("git::github.com/a/b.git", None, "git::https://github.com/a/b.git", None),
    ("git@github.com:a/b.git//c?ref=v1", None, "git::ssh://git@github.com/a/b.git//c?ref=v1", None),
    ("git@github.com:a/b.git?ref=v1", None, "git::ssh://git@github.com/a/b.git?ref=v2", None),
    ("git::git@example.com:/a/b.git", None, "git::ssh://git@example.com/a/b.git", None),
    (
        "git::https://example.com/a.git//b/./c/?ref=v1",
        None,
        "git::https://example.com/a.git//b/c?ref=v1",
        None,
    ),
    ("git::https://example.com/a.git//b", None, "git::https://example.com/a.git//c", None),
    ("https://example.com/a//b?archive=zip", None, "https://example.com/a//b?archive=zip", None),
    ("https://github.com/a/b", None, "git::https://github.com/a/b.git", None),
    ("git::https://example.com/a.git", None, "./child", None),
    ("s3::https://s3.amazonaws.com/a/b.zip", None, "s3::https://s3.amazonaws.com/a/c.zip", None),
    ("s3.amazonaws.com/a/b.zip", None, "s3::https://s3.amazonaws.com/a/b.zip", None),
];

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

/// Returns the difference between the results of Terraform and Ferroform.
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
        let verb = if accepted { "accepts" } else { "rejects" };
        format!("== {case:#?}\nTerraform {verb} the call:\n{stderr}\nFerroform:\n{}", report.diagnostics())
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
fn fixed_modules_match_terraform() {
    let sensitive = SENSITIVE.iter().enumerate().map(|(i, it)| sensitive(i, *it));
    let functions = FUNCTIONS.iter().enumerate().map(|(i, call)| function(i, call));
    let keys =
        KEYS.iter().enumerate().map(|(i, key)| case(&format!("key-{i}"), &DYNAMIC_INDEX.replace("KEY", key)));
    let conditions = CONDITIONS.iter().enumerate().map(|(i, condition)| {
        case(&format!("condition-{i}"), &PARTLY_UNKNOWN.replace("CONDITION", condition))
    });
    let others = [("0", "3"), ("1", "3"), ("1", "1"), ("0", "20"), ("0", "\"x\"")];
    let others = others.iter().enumerate().map(|(i, (count, size))| {
        let files = OTHER_VARIABLE.replace("COUNT", count).replace("SIZE", size);
        case(&format!("other-variable-{i}"), &files)
    });
    let overrides = OVERRIDES.iter().enumerate().map(|(i, it)| overridden(i, *it));
    let cases: Vec<Case> =
        sensitive.chain(functions).chain(keys).chain(conditions).chain(others).chain(overrides).collect();
    compare("modules", &cases);
}

#[test]
fn numbers_of_arguments_match_terraform() {
    let cases = ARGUMENT_COUNTS.iter().enumerate().map(|(i, condition)| {
        let validation =
            format!("validation {{\n    condition = {condition}\n    error_message = \"No.\"\n  }}");
        case(
            &format!("arguments-{i}"),
            &format!("variable \"m\" {{\n  type    = string\n  default = \"b\"\n  {validation}\n}}\n"),
        )
    });
    compare("arguments", &cases.collect::<Vec<_>>());
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

/// Terraform rejects a call whose source or version constraint has changed since `terraform init`; here it is not checked.
#[test]
fn changed_calls_match_terraform() {
    let Some(terraform) = Terraform::for_test("changed-calls") else { return };
    let registry = match &*Cli::for_test().unwrap().name() {
        "tofu" => "registry.opentofu.org",
        _ => "registry.terraform.io",
    };
    let mut differences = Vec::new();
    for (i, (source, constraint, recorded, version)) in CHANGES.iter().enumerate() {
        let directory = terraform.directory.0.join(i.to_string());
        let recorded = recorded.replace("HOST", registry);
        let argument = constraint.map(|it| format!("  version = \"{it}\"\n")).unwrap_or_default();
        let version = version.map(|it| format!("\"Version\": \"{it}\", ")).unwrap_or_default();
        let entry = format!("{{\"Key\": \"m\", \"Source\": \"{recorded}\", {version}\"Dir\": \"child\"}}");
        let manifest =
            format!("{{\"Modules\": [{{\"Key\": \"\", \"Source\": \"\", \"Dir\": \".\"}}, {entry}]}}");
        let call = format!("module \"m\" {{\n  source = \"{source}\"\n{argument}}}\n");
        for (name, text) in [
            ("main.tf", &*call),
            ("child/main.tf", "# Empty\n"),
            (".terraform/modules/modules.json", &*manifest),
        ] {
            let file = directory.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let output = terraform.run(&Case::default(), &directory, &["validate"], "");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let is_rejected = stderr.contains("have changed") || stderr.contains("has changed");
        assert!(is_rejected || output.status.success(), "{source}: {stderr}");
        let request = CheckRequest { directories: vec![directory], ..CheckRequest::default() };
        if is_rejected != (check(&request).1.unchecked_calls > 0) {
            differences
                .push(format!("{source} {constraint:?}, installed {recorded}: rejected: {is_rejected}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
