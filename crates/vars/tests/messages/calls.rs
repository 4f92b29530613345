//! The errors of module calls, and the values of environments.

use std::fs;

use expect_test::{Expect, expect};
use ferroform_vars::{AsErrors, CheckRequest};

use crate::{directory, output};

/// Checks all modules in a directory with these files. The options before the first file are `-environment=…`,
/// `-target-version=…`, `-strict`, `-recursive` and directories; by default, the directory itself.
fn check(files: &str, expected: Expect) {
    let (directory, options) = directory(files);
    let mut request = CheckRequest { working_directory: directory.clone(), ..CheckRequest::default() };
    for option in options {
        if let Some(pattern) = option.strip_prefix("-environment=") {
            request.environments.push(pattern.to_owned());
        } else if let Some(version) = option.strip_prefix("-target-version=") {
            request.target = Some(version.parse().unwrap());
        } else if option == "-strict" {
            request.as_errors = AsErrors::ALL;
        } else if option == "-recursive" {
            request.is_recursive = true;
        } else {
            request.directories.push(option.into());
        }
    }
    if request.directories.is_empty() {
        request.directories.push(".".into());
    }
    let (report, summary) = ferroform_vars::check(&request);
    fs::remove_dir_all(&directory).unwrap();
    expected.assert_eq(&format!("{}{summary}\n", report.diagnostics()));
}

#[test]
fn example_of_the_readme_is_complete() {
    let files = r#"@@ main.tf
variable "region" {
  type = string
}
variable "sizes" {
  type    = map(number)
  default = {}
}

module "subnets" {
  source   = "./modules/subnet"
  for_each = var.sizes
  regoin   = var.region
  size     = each.value
}
@@ modules/subnet/main.tf
variable "region" {
  default = "eu"
}
variable "size" {
  type = number
  validation {
    condition     = var.size >= 8 && var.size <= 1024
    error_message = "A subnet must have from 8 to 1024 addresses, not ${var.size}."
  }
}
@@ envs/live.tfvars
region = "eu"
sizes  = { a = 64, b = 4096 }
@@ envs/test.tfvars
region = "us"
"#;
    let command = "ferroform-vars -check -recursive -environment='envs/*.tfvars'";
    let (code, stdout, stderr) = output(files, &["-check", "-recursive", "-environment=envs/*.tfvars"]);
    let text = format!("```console\n$ {command}\n{stderr}{stdout}```\n");
    assert!(code == 1 && include_str!("../../README.md").contains(&text), "{text}");
}

#[test]
fn names_of_arguments_are_checked() {
    check(
        r#"@@ main.tf
module "network" {
  source     = "./network"
  providers  = {}
  depends_on = []
  regoin     = "eu"
}
module "network" {
  source = "./network"
}
module "missing" {
  source = "./nothing"
}
module "no-source" {
}
@@ network/main.tf
variable "region" {
  type = string
}
variable "zone" {
  default = null
}
"#,
        expect![[r#"
            error: Missing required argument
             --> main.tf:1:1
              |
            1 | module "network" {
              | ^^^^^^^^^^^^^^^^
              |
              = The argument "region" is required, but no definition was found.
              = The variable is declared at network/main.tf:1:1.

            error: Unsupported argument
             --> main.tf:5:3
              |
            5 |   regoin     = "eu"
              |   ^^^^^^
              |
              = The module "network" does not declare a variable named "regoin".
              = help: did you mean "region"?

            error: Duplicate module call
             --> main.tf:7:1
              |
            7 | module "network" {
              | ^^^^^^^^^^^^^^^^
              |
              = A module call named "network" was already defined. Module calls must have unique names within a module.

            error: Unreadable module directory
              --> main.tf:11:12
               |
            11 |   source = "./nothing"
               |            ^^^^^^^^^^^
               |
               = The module directory nothing cannot be read.

            error: Missing required argument
              --> main.tf:13:1
               |
            13 | module "no-source" {
               | ^^^^^^^^^^^^^^^^^^
               |
               = The argument "source" is required, but no definition was found.

            Checked 3 modules, 1 module call and 0 environments: 5 errors, 0 warnings
        "#]],
    );
}

#[test]
fn values_are_converted_and_validated() {
    check(
        r#"@@ main.tf
locals {
  sizes = { small = 1, large = 900 }
  name  = var.name
}
variable "name" {
  type = string
}
module "a" {
  source   = "./module"
  for_each = local.sizes
  size     = each.value
  ports    = [{ number = 80 }, { number = "http" }]
  name     = each.key
}
module "b" {
  source = "./module"
  count  = 2
  size   = count.index - 1
  ports  = null
  name   = local.name
}
module "c" {
  source = "./module"
  count  = 0
  size   = -1
  ports  = "none"
  name   = "c"
}
module "d" {
  source = "./module"
  size   = data.http.size.body
  ports  = [{ number = length(var.name), nmae = "web" }]
  name   = upper(var.nmae)
}
@@ module/main.tf
variable "size" {
  type = number
  validation {
    condition     = var.size > 0 && var.size < 100
    error_message = "${var.name} has the size ${var.size}."
  }
}
variable "ports" {
  type     = list(object({ number = number, name = optional(string) }))
  nullable = false
}
variable "name" {
  type = string
  validation {
    condition     = length(var.name) < 20
    error_message = "Too long."
  }
}
"#,
        expect![[r#"
            error: Invalid value for variable
              --> main.tf:11:14
               |
            11 |   size     = each.value
               |              ^^^^^^^^^^
               |
               = large has the size 900.
               = The validation at module/main.tf:3:3 rejects the value of var.size. The error occurs in module instance module.a["large"].

            error: Invalid value for input variable
              --> main.tf:12:43
               |
            12 |   ports    = [{ number = 80 }, { number = "http" }]
               |                                           ^^^^^^
               |
               = The value is not compatible with the variable's type constraint: var.ports[1].number: a number is required.
               = The variable is declared at module/main.tf:8:1. The error occurs in module instance module.a.

            error: Invalid value for variable
              --> main.tf:18:12
               |
            18 |   size   = count.index - 1
               |            ^^^^^^^^^^^^^^^
               |
               = The error message of the validation was not evaluated.
               = The validation at module/main.tf:3:3 rejects the value of var.size. The error occurs in module instance module.b[0].

            error: Invalid value for variable
              --> main.tf:18:12
               |
            18 |   size   = count.index - 1
               |            ^^^^^^^^^^^^^^^
               |
               = The error message of the validation was not evaluated.
               = The validation at module/main.tf:3:3 rejects the value of var.size. The error occurs in module instance module.b[1].

            error: Required variable not set
              --> main.tf:19:12
               |
            19 |   ports  = null
               |            ^^^^
               |
               = The variable "ports" must not be null, and it has no default.
               = The variable is declared at module/main.tf:8:1. The error occurs in module instance module.b.

            error: Invalid value for variable
              --> main.tf:25:12
               |
            25 |   size   = -1
               |            ^^
               |
               = c has the size -1.
               = The validation at module/main.tf:3:3 rejects the value of var.size. The error occurs in module instance module.c.

            error: Invalid value for input variable
              --> main.tf:26:12
               |
            26 |   ports  = "none"
               |            ^^^^^^
               |
               = The value is not compatible with the variable's type constraint: var.ports: list of object required, but have string.
               = The variable is declared at module/main.tf:8:1. The error occurs in module instance module.c.

            error: Reference to undeclared resource
              --> main.tf:31:12
               |
            31 |   size   = data.http.size.body
               |            ^^^^^^^^^^^^^^^^^^^
               |
               = A data resource "http" "size" has not been declared in this module.

            error: Reference to undeclared input variable
              --> main.tf:33:18
               |
            33 |   name   = upper(var.nmae)
               |                  ^^^^^^^^
               |
               = An input variable with the name "nmae" has not been declared.

            warning: Undeclared object attribute
              --> main.tf:32:49
               |
            32 |   ports  = [{ number = length(var.name), nmae = "web" }]
               |                                                 ^^^^^
               |
               = The type of var.ports[0] has no attribute "nmae", so the attribute is ignored. Did you mean "name"?
               = The variable is declared at module/main.tf:8:1.

            Checked 2 modules, 4 module calls and 0 environments: 9 errors, 1 warning
        "#]],
    );
}

#[test]
fn nested_calls_get_the_values_of_their_callers() {
    check(
        r#"@@ main.tf
module "outer" {
  source   = "./modules/outer"
  for_each = toset(["eu", "us"])
  region   = each.key
}
@@ modules/outer/main.tf
variable "region" {
  type = string
}
locals {
  zone = "${var.region}-1"
}
module "inner" {
  source = "../inner"
  zone   = local.zone
}
@@ modules/inner/main.tf.json
{
  "variable": {
    "zone": {
      "validation": {
        "condition": "${startswith(var.zone, \"eu\")}",
        "error_message": "The zone ${var.zone} is not in Europe."
      }
    }
  },
  "module": {
    "again": { "source": "../outer", "region": "us" },
    "list": { "source": "../list", "values": ["${var.zone}", 1, { "k": "v" }], "extra": true }
  }
}
@@ modules/list/main.tf
variable "values" {
  type = list(string)
}
"#,
        expect![[r#"
            error: Invalid value for variable
             --> modules/outer/main.tf:9:12
              |
            9 |   zone   = local.zone
              |            ^^^^^^^^^^
              |
              = The zone us-1 is not in Europe.
              = The validation at modules/inner/main.tf.json:4:7 rejects the value of var.zone. The error occurs in module instance module.outer["us"].module.inner.

            error: Module cycle
              --> modules/inner/main.tf.json:11:5
               |
            11 |     "again": { "source": "../outer", "region": "us" },
               |     ^^^^^^^
               |
               = The module "again" calls itself.
               = The error occurs in module instance module.outer.module.inner.

            error: Invalid value for input variable
              --> modules/inner/main.tf.json:12:65
               |
            12 |     "list": { "source": "../list", "values": ["${var.zone}", 1, { "k": "v" }], "extra": true }
               |                                                                 ^^^^^^^^^^^^
               |
               = The value is not compatible with the variable's type constraint: var.values[2]: string required, but have object.
               = The variable is declared at modules/list/main.tf:1:1. The error occurs in module instance module.outer.module.inner.module.list.

            error: Unsupported argument
              --> modules/inner/main.tf.json:12:80
               |
            12 |     "list": { "source": "../list", "values": ["${var.zone}", 1, { "k": "v" }], "extra": true }
               |                                                                                ^^^^^^^
               |
               = The module "list" does not declare a variable named "extra".
               = The error occurs in module instance module.outer.module.inner.

            Checked 4 modules, 3 module calls and 0 environments: 4 errors, 0 warnings
        "#]],
    );
}

#[test]
fn attributes_of_each_and_count_are_checked() {
    check(
        r#"@@ main.tf
module "a" {
  source   = "./module"
  for_each = { a = 1 }
  value    = each.val
}
module "b" {
  source = "./module"
  count  = 1
  value  = count.key
}
module "c" {
  source   = "./module"
  for_each = { a = 1 }
  value    = each
}
@@ module/main.tf
variable "value" {}
"#,
        expect![[r#"
            error: Invalid "each" attribute
             --> main.tf:4:14
              |
            4 |   value    = each.val
              |              ^^^^^^^^
              |
              = The "each" object does not have an attribute named "val". The supported attributes are each.key and each.value, the current key and value pair of the "for_each" attribute set.
              = The error occurs in module instance module.a.

            error: Invalid "count" attribute
             --> main.tf:9:12
              |
            9 |   value  = count.key
              |            ^^^^^^^^^
              |
              = The "count" object does not have an attribute named "key". The only supported attribute is count.index, which is the index of each instance of a resource block that has the "count" argument set.
              = The error occurs in module instance module.b.

            error: Invalid reference
              --> main.tf:14:14
               |
            14 |   value    = each
               |              ^^^^
               |
               = The "each" object cannot be accessed directly. Instead, access one of its attributes.

            Checked 2 modules, 3 module calls and 0 environments: 3 errors, 0 warnings
        "#]],
    );
}

#[test]
fn count_and_for_each_are_checked() {
    check(
        r#"@@ main.tf
variable "keys" {
  type    = set(string)
  default = ["a"]
}
variable "token" {
  type      = string
  sensitive = true
  default   = "s3cr3t-value"
}
module "a" {
  source = "./module"
  count  = -1
  value  = each.key
}
module "b" {
  source   = "./module"
  for_each = ["a", "b"]
  value    = count.index
}
module "c" {
  source   = "./module"
  for_each = null
  value    = 1
}
module "d" {
  source   = "./module"
  for_each = { (var.token) = 1 }
  value    = 1
}
module "e" {
  source = "./module"
  count  = "two"
  value  = 1
}
module "f" {
  source   = "./module"
  for_each = var.keys
  value    = each.value + 1
}
@@ module/main.tf
variable "value" {}
"#,
        expect![[r#"
            error: Invalid count argument
              --> main.tf:12:12
               |
            12 |   count  = -1
               |            ^^
               |
               = The value of "count" must be a non-negative whole number, but got -1.

            error: Reference to "each" in context without for_each
              --> main.tf:13:12
               |
            13 |   value  = each.key
               |            ^^^^^^^^
               |
               = The "each" object can be used only in "module" or "resource" blocks, and only when the "for_each" argument is set.
               = The error occurs in module instance module.a.

            error: Invalid for_each argument
              --> main.tf:17:14
               |
            17 |   for_each = ["a", "b"]
               |              ^^^^^^^^^^
               |
               = The value of "for_each" must be a map or a set of strings, but got tuple.

            error: Reference to "count" in non-counted context
              --> main.tf:18:14
               |
            18 |   value    = count.index
               |              ^^^^^^^^^^^
               |
               = The "count" object can only be used in "module", "resource", and "data" blocks, and only when the "count" argument is set.
               = The error occurs in module instance module.b.

            error: Invalid for_each argument
              --> main.tf:22:14
               |
            22 |   for_each = null
               |              ^^^^
               |
               = The value of "for_each" must not be null.

            error: Invalid count argument
              --> main.tf:32:12
               |
            32 |   count  = "two"
               |            ^^^^^
               |
               = The value of "count" is not suitable: a number is required.

            Checked 2 modules, 6 module calls and 0 environments: 6 errors, 0 warnings
        "#]],
    );
}

#[test]
fn environments_are_checked_one_by_one() {
    check(
        r#"-environment=envs/*.tfvars
@@ main.tf
variable "region" {
  type = string
}
variable "size" {
  type    = number
  default = 1
}
module "network" {
  source = "./network"
  region = var.region
  size   = var.size
}
@@ network/main.tf
variable "region" {
  validation {
    condition     = contains(["eu", "us"], var.region)
    error_message = "Unknown region ${var.region}."
  }
}
variable "size" {
  type = number
  validation {
    condition     = var.size < 5
    error_message = "Size ${var.size}."
  }
}
@@ terraform.tfvars
size = 2
@@ envs/live.tfvars
region = "eu"
@@ envs/test.tfvars
region = "mars"
size   = 7
@@ envs/broken.tfvars
size = "x"
"#,
        expect![[r#"
            error: No value for required variable
             --> main.tf:1:1
              |
            1 | variable "region" {
              | ^^^^^^^^^^^^^^^^^
              |
              = The root module input variable "region" is not set, and has no default value.
              = The error occurs with the variables file envs/broken.tfvars.

            error: Invalid value for variable
              --> main.tf:10:12
               |
            10 |   region = var.region
               |            ^^^^^^^^^^
               |
               = Unknown region mars.
               = The validation at network/main.tf:2:3 rejects the value of var.region. The error occurs with the variables file envs/test.tfvars.

            error: Invalid value for variable
              --> main.tf:11:12
               |
            11 |   size   = var.size
               |            ^^^^^^^^
               |
               = Size 7.
               = The validation at network/main.tf:9:3 rejects the value of var.size. The error occurs with the variables file envs/test.tfvars.

            error: Invalid value for input variable
             --> envs/broken.tfvars:1:8
              |
            1 | size = "x"
              |        ^^^
              |
              = The value is not compatible with the variable's type constraint: var.size: a number is required.

            Checked 2 modules, 1 module call and 3 environments: 4 errors, 0 warnings
        "#]],
    );
}

#[test]
fn without_values_variables_are_unknown() {
    // A caller or another environment can override the default.
    check(
        r#"@@ main.tf
variable "size" {
  default = 0
}
variable "invalid" {
  default = 1
  validation {
    condition     = var.invalid > 1
    error_message = "The default is invalid."
  }
}
module "a" {
  source = "./module"
  size   = var.size
}
@@ module/main.tf
variable "size" {
  validation {
    condition     = var.size > 0
    error_message = "Positive."
  }
}
"#,
        expect![[r#"
            warning: Invalid value for variable
             --> main.tf:5:13
              |
            5 |   default = 1
              |             ^
              |
              = The default is invalid.
              = The validation at main.tf:6:3 rejects the value of var.invalid.

            Checked 2 modules, 1 module call and 0 environments: 0 errors, 1 warning
        "#]],
    );
}

#[test]
fn modules_of_other_sources_are_checked_if_they_are_installed() {
    check(
        r#"@@ main.tf
module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
  cidr   = "10.0.0.0/8"
  nmae   = "x"
}
module "a" {
  source = "git::https://example.com/a.git"
}
module "b" {
  source = "git::https://example.com/a.git"
}
module "c" {
  source = "./${terraform.workspace}"
}
@@ .terraform/modules/modules.json
{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"vpc","Source":"registry.terraform.io/terraform-aws-modules/vpc/aws","Dir":".terraform/modules/vpc"},{"Key":"vpc.sub","Source":"./sub","Dir":".terraform/modules/vpc/sub"}]}
@@ .terraform/modules/vpc/main.tf
variable "name" {
  default = "x"
}
variable "cidr" {}
variable "broken" {
  type = strng
}
module "sub" {
  source = "./sub"
  cidr   = var.cidr
}
@@ .terraform/modules/vpc/sub/main.tf
variable "cidr" {
  type = list(string)
}
"#,
        expect![[r#"
            error: Unsupported argument
             --> main.tf:4:3
              |
            4 |   nmae   = "x"
              |   ^^^^
              |
              = The module "vpc" does not declare a variable named "nmae".
              = help: did you mean "name"?

            error: Invalid value for input variable
              --> .terraform/modules/vpc/main.tf:10:12
               |
            10 |   cidr   = var.cidr
               |            ^^^^^^^^
               |
               = The value is not compatible with the variable's type constraint: var.cidr: list of string required, but have string.
               = The variable is declared at .terraform/modules/vpc/sub/main.tf:1:1. The error occurs in module instance module.vpc.module.sub.

            note: Module call not checked
             --> main.tf:6:1
              |
            6 | module "a" {
              | ^^^^^^^^^^
              |
              = The module "git::https://example.com/a.git" is not installed. Run `terraform init` to install it. This also applies to the call at main.tf:9:1.

            note: Module call not checked
              --> main.tf:12:1
               |
            12 | module "c" {
               | ^^^^^^^^^^
               |
               = The source of the module is not a constant string.

            Checked 3 modules, 2 module calls and 0 environments: 2 errors, 0 warnings; 3 module calls not checked
        "#]],
    );
}

#[test]
fn secrets_of_callers_are_not_shown() {
    check(
        r#"@@ main.tf
variable "token" {
  sensitive = true
  type      = string
}
variable "key" {
  ephemeral = true
  type      = string
}
locals {
  tokens = { a = var.token }
}
module "a" {
  source   = "./module"
  name     = var.token
  number   = local.tokens.a
  password = ["s3cr3t-literal"]
}
module "b" {
  source   = "./module"
  for_each = local.tokens
  name     = "x-${each.value}"
  number   = var.key
  password = "s3cr3t-literal" + 1
}
@@ terraform.tfvars
token = "s3cr3t-value"
key   = "s3cr3t-key"
@@ module/main.tf
variable "name" {
  validation {
    condition     = length(var.name) < 5
    error_message = "The name ${var.name} is too long."
  }
}
variable "number" {
  type = number
}
variable "password" {
  type      = string
  sensitive = true
}
"#,
        expect![[r#"
            error: Invalid value for variable
              --> main.tf:14:14
               |
            14 |   name     = var.token
               |              ^^^^^^^^^
               |
               = The error message of the validation is not shown because it could reveal a sensitive value.
               = The validation at module/main.tf:2:3 rejects the value of var.name.

            error: Invalid value for input variable
              --> main.tf:15:14
               |
            15 |   number   = local.tokens.a
               |              ^^^^^^^^^^^^^^
               |
               = The value is not compatible with the variable's type constraint: var.number: a number is required.
               = The variable is declared at module/main.tf:7:1.

            error: Invalid value for input variable
            --> main.tf:16:14
             = The line is not shown because it may contain a sensitive value.
             = The value is not compatible with the variable's type constraint: var.password: string required.
             = The variable is declared at module/main.tf:10:1.

            error: Invalid value for variable
              --> main.tf:21:14
               |
            21 |   name     = "x-${each.value}"
               |              ^^^^^^^^^^^^^^^^^
               |
               = The error message of the validation is not shown because it could reveal a sensitive value.
               = The validation at module/main.tf:2:3 rejects the value of var.name. The error occurs in module instance module.b["a"].

            error: Ephemeral value not allowed
              --> main.tf:22:14
               |
            22 |   number   = var.key
               |              ^^^^^^^
               |
               = The value of "number" is derived from an ephemeral value, but the variable is not ephemeral.
               = The variable is declared at module/main.tf:7:1. The error occurs in module instance module.b.

            error: Invalid operand
            --> main.tf:23:14
             = The line is not shown because it may contain a sensitive value.
             = The value is not valid. Details are not shown because they could reveal a sensitive value.
             = The error occurs in module instance module.b.

            Checked 2 modules, 2 module calls and 0 environments: 6 errors, 0 warnings
        "#]],
    );
}

#[test]
fn directories_are_found_by_pattern_and_recursively() {
    check(
        r#"modules/*
missing*
-recursive
@@ modules/a/main.tf
variable "a" {
  type = strng
}
@@ modules/a/examples/one/main.tf
variable "one" {
  type = nmber
}
@@ modules/b/.hidden/main.tf
variable "hidden" {
  type = strng
}
@@ modules/b/README.md
No module.
"#,
        expect![[r#"
            error: No match for pattern
             |
             = No file or directory matches missing*.

            error: Invalid type specification
             --> modules/a/main.tf:2:10
              |
            2 |   type = strng
              |          ^^^^^
              |
              = The keyword "strng" is not a valid type.

            error: Invalid type specification
             --> modules/a/examples/one/main.tf:2:10
              |
            2 |   type = nmber
              |          ^^^^^
              |
              = The keyword "nmber" is not a valid type.

            Checked 2 modules, 0 module calls and 0 environments: 3 errors, 0 warnings
        "#]],
    );
}

#[test]
fn directories_without_modules_do_not_match_a_pattern() {
    check(
        r#"modules/*
@@ modules/a/main.tf
@@ modules/docs/README.md
No module.
"#,
        expect![[r#"
            Checked 1 module, 0 module calls and 0 environments: 0 errors, 0 warnings
        "#]],
    );
}

#[test]
fn modules_that_call_themselves_are_reported() {
    check(
        r#"@@ main.tf
module "a" {
  source = "./a"
}
@@ a/main.tf
module "b" {
  source = "../b"
}
@@ b/main.tf
module "a" {
  source = "../a"
}
"#,
        expect![[r#"
            error: Module cycle
             --> b/main.tf:1:1
              |
            1 | module "a" {
              | ^^^^^^^^^^
              |
              = The module "a" calls itself.
              = The error occurs in module instance module.a.module.b.

            Checked 3 modules, 2 module calls and 0 environments: 1 error, 0 warnings
        "#]],
    );
}

#[test]
fn secrets_passed_to_modules_of_modules_are_not_shown() {
    check(
        r#"@@ main.tf
module "child" {
  source = "./child"
}
@@ child/main.tf
module "database" {
  source   = "acme/database/any"
  password = ["s3cr3t-literal"]
}
@@ .terraform/modules/modules.json
{"Modules":[{"Key":"child","Source":"./child","Dir":"child"},{"Key":"child.database","Source":"registry.terraform.io/acme/database/any","Dir":".terraform/modules/child.database"}]}
@@ .terraform/modules/child.database/main.tf
variable "password" {
  type      = string
  sensitive = true
}
"#,
        expect![[r#"
            error: Invalid value for input variable
            --> child/main.tf:3:14
             = The line is not shown because it may contain a sensitive value.
             = The value is not compatible with the variable's type constraint: var.password: string required.
             = The variable is declared at .terraform/modules/child.database/main.tf:1:1. The error occurs in module instance module.child.module.database.

            Checked 3 modules, 2 module calls and 0 environments: 1 error, 0 warnings
        "#]],
    );
}

#[test]
fn unevaluated_validations_can_be_errors() {
    let files = r#"@@ main.tf
variable "text" {
  default = "a: 1"
  validation {
    condition     = can(yamldecode(var.text))
    error_message = "Not YAML."
  }
}
"#;
    check(
        files,
        expect![[r#"
        Checked 1 module, 0 module calls and 0 environments: 0 errors, 0 warnings; 1 validation not evaluated
    "#]],
    );
    check(
        &format!("-strict\n{files}"),
        expect![[r#"
        error: Validation not evaluated
         --> main.tf:3:3
          |
        3 |   validation {
          |   ^^^^^^^^^^
          |
          = A validation of variable "text" was not evaluated: it calls yamldecode.

        Checked 1 module, 0 module calls and 0 environments: 1 error, 0 warnings; 1 validation not evaluated
    "#]],
    );
}

#[test]
fn errors_of_variables_files_are_errors_without_environments() {
    check(
        r#"@@ main.tf
variable "region" {}
@@ terraform.tfvars.json
{"region": }
@@ z.auto.tfvars
variable "region" {}
"#,
        expect![[r#"
            error: Invalid JSON
             --> terraform.tfvars.json:1:12
              |
            1 | {"region": }
              |            ^
              |
              = Expected a value.

            error: Variable declaration in .tfvars file
             --> z.auto.tfvars:1:1
              |
            1 | variable "region"…
              | ^^^^^^^^^^^^^^^^^
              |
              = A .tfvars file assigns values to variables; it cannot declare them.
              = help: to give it a value, write: region = …

            Checked 1 module, 0 module calls and 0 environments: 2 errors, 0 warnings
        "#]],
    );
}

#[test]
fn ephemeral_values_do_not_determine_instances() {
    check(
        r#"@@ main.tf
variable "key" {
  type      = string
  ephemeral = true
}
module "a" {
  source = "./module"
  count  = length(var.key)
}
module "b" {
  source   = "./module"
  for_each = toset([var.key])
}
@@ terraform.tfvars
key = "a"
@@ module/main.tf
"#,
        expect![[r#"
            error: Invalid count argument
             --> main.tf:7:12
              |
            7 |   count  = length(var.key)
              |            ^^^^^^^^^^^^^^^
              |
              = The value of "count" is derived from an ephemeral value.

            error: Invalid for_each argument
              --> main.tf:11:14
               |
            11 |   for_each = toset([var.key])
               |              ^^^^^^^^^^^^^^^^
               |
               = The value of "for_each" is derived from an ephemeral value.

            Checked 2 modules, 2 module calls and 0 environments: 2 errors, 0 warnings
        "#]],
    );
}

#[test]
fn parts_of_values_keep_their_sensitivity_in_modules() {
    check(
        r#"@@ main.tf
variable "key" {
  sensitive = true
}
module "a" {
  source = "./a"
  config = { secret = var.key, items = { one = 1 }, secrets = [var.key] }
}
@@ a/main.tf
variable "config" {
  type = object({ secret = string, items = map(number), secrets = set(string) })
}
module "items" {
  source   = "./b"
  for_each = var.config.items
}
module "secrets" {
  source   = "./b"
  for_each = var.config.secrets
}
@@ a/b/main.tf
"#,
        expect![[r#"
            error: Invalid for_each argument
              --> a/main.tf:10:14
               |
            10 |   for_each = var.config.secrets
               |              ^^^^^^^^^^^^^^^^^^
               |
               = The value of "for_each" is derived from a sensitive value, whose keys would be visible as instance keys.

            Checked 3 modules, 3 module calls and 0 environments: 1 error, 0 warnings
        "#]],
    );
}

#[test]
fn object_keys_with_dynamic_indices_are_expressions() {
    check(
        r#"@@ main.tf
locals {
  env   = "x"
  names = { x = { name = "web" } }
}
module "a" {
  source = "./a"
  sizes = {
    local.names[local.env].name = 1
    local.names["x"].name       = 2
  }
}
module "b" {
  source = "./a"
  sizes  = { local.names[local.env].name = "many" }
}
@@ a/main.tf
variable "sizes" {
  type = map(number)
}
"#,
        expect![[r#"
            error: Ambiguous attribute key
             --> main.tf:9:5
              |
            9 |     local.names["x"].name       = 2
              |     ^^^^^^^^^^^^^^^^^^^^^
              |
              = A computed key must be enclosed in parentheses.

            error: Invalid value for input variable
              --> main.tf:14:12
               |
            14 |   sizes  = { local.names[local.env].name = "many" }
               |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = The value is not compatible with the variable's type constraint: var.sizes["web"]: a number is required.
               = The variable is declared at a/main.tf:1:1.

            Checked 2 modules, 2 module calls and 0 environments: 2 errors, 0 warnings
        "#]],
    );
}

#[test]
fn error_of_a_call_replaces_the_warning_of_the_default() {
    check(
        r#"-recursive
@@ a/main.tf
variable "pools" {
  type    = list(string)
  default = null
  validation {
    condition     = var.pools != null
    error_message = "Pools are required."
  }
}
@@ z/main.tf
module "m" {
  source = "../a"
}
"#,
        expect![[r#"
            error: Invalid value for variable
             --> a/main.tf:3:13
              |
            3 |   default = null
              |             ^^^^
              |
              = Pools are required.
              = The validation at a/main.tf:4:3 rejects the value of var.pools.

            Checked 2 modules, 1 module call and 0 environments: 1 error, 0 warnings
        "#]],
    );
}

#[test]
fn values_with_unknown_parts_are_validated() {
    check(
        r#"@@ main.tf
resource "terraform_data" "x" {}
module "a" {
  source = "./a"
  pools  = [{ id = terraform_data.x.id, size = 32 }, { id = terraform_data.x.id, size = 4 }]
  name   = "b-${terraform_data.x.id}"
}
module "b" {
  source = "./a"
  pools  = terraform_data.x.output
  name   = terraform_data.x.id
}
@@ a/main.tf
variable "pools" {
  type = list(object({ id = string, size = number }))
  validation {
    condition     = alltrue([for pool in var.pools : pool.size >= 16])
    error_message = "Pools have at least 16 addresses."
  }
  validation {
    condition     = alltrue([for pool in var.pools : pool.id != "x"])
    error_message = "The id must not be x."
  }
  validation {
    condition     = length(var.pools) <= 1
    error_message = "The pool ${var.pools[0].id} must be the only one."
  }
}
variable "name" {
  type = string
  validation {
    condition     = startswith(var.name, "a")
    error_message = "The name must start with a."
  }
  validation {
    condition     = var.name != "b" && md5(var.name) != "b"
    error_message = "x"
  }
}
"#,
        expect![[r#"
            error: Invalid value for variable
             --> main.tf:4:12
              |
            4 |   pools  = [{ id = terraform_data.x.id, size = 32 }, { id = terraform_data.x.id, size = 4 }]
              |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = The error message of the validation was not evaluated.
              = The validation at a/main.tf:11:3 rejects the value of var.pools.

            error: Invalid value for variable
             --> main.tf:4:54
              |
            4 |   pools  = [{ id = terraform_data.x.id, size = 32 }, { id = terraform_data.x.id, size = 4 }]
              |                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = Pools have at least 16 addresses.
              = The validation at a/main.tf:3:3 rejects var.pools[1].

            error: Invalid value for variable
             --> main.tf:5:12
              |
            5 |   name   = "b-${terraform_data.x.id}"
              |            ^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = The name must start with a.
              = The validation at a/main.tf:18:3 rejects the value of var.name.

            Checked 2 modules, 2 module calls and 0 environments: 3 errors, 0 warnings; 1 validation not evaluated
        "#]],
    );
}

#[test]
fn functions_are_checked_without_values() {
    check(
        r#"@@ main.tf
variable "mode" {
  type = string
  validation {
    condition     = can(regex("^a$", var.mode), var.mode == "b")
    error_message = "x"
  }
  validation {
    condition     = md5() == var.mode
    error_message = "x"
  }
  validation {
    condition     = md5(var.mode) == "b"
    error_message = "x"
  }
}
locals {
  list = mapp("x")
}
module "a" {
  source = "./a"
  a      = map("x", "y")
  b      = local.list
  c      = file()
  d      = length(mapp("x"), 2)
}
@@ a/main.tf
variable "a" {}
variable "b" {}
variable "c" {}
variable "d" {}
"#,
        expect![[r#"
            error: Too many function arguments
             --> main.tf:4:24
              |
            4 |     condition     = can(regex("^a$", var.mode), var.mode == "b")
              |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = The function "can" does not accept 2 arguments.

            error: Not enough function arguments
             --> main.tf:8:24
              |
            8 |     condition     = md5() == var.mode
              |                        ^^
              |
              = The function "md5" does not accept 0 arguments.

            error: Error in function call
              --> main.tf:21:12
               |
            21 |   a      = map("x", "y")
               |            ^^^^^^^^^^^^^
               |
               = Call of function "map" failed: the function "map" was removed in Terraform 0.12, so write tomap({ ... }) instead.

            error: Not enough function arguments
              --> main.tf:23:16
               |
            23 |   c      = file()
               |                ^^
               |
               = The function "file" does not accept 0 arguments.

            error: Too many function arguments
              --> main.tf:24:18
               |
            24 |   d      = length(mapp("x"), 2)
               |                  ^^^^^^^^^^^^^^
               |
               = The function "length" does not accept 2 arguments.

            warning: Call to unknown function
              --> main.tf:17:10
               |
            17 |   list = mapp("x")
               |          ^^^^^^^^^
               |
               = No known version of Terraform or OpenTofu has a function named "mapp", so this expression is not evaluated.
               = help: did you mean "map"?

            warning: Call to unknown function
              --> main.tf:24:12
               |
            24 |   d      = length(mapp("x"), 2)
               |            ^^^^^^^^^^^^^^^^^^^^
               |
               = No known version of Terraform or OpenTofu has a function named "mapp", so this expression is not evaluated.
               = help: did you mean "map"?

            Checked 2 modules, 1 module call and 0 environments: 5 errors, 2 warnings; 2 expressions not evaluated
        "#]],
    );
}

#[test]
fn same_error_in_several_instances_names_each_instance_and_its_environments() {
    check(
        r#"-environment=envs/*.tfvars
@@ main.tf
variable "sizes" {
  type = map(number)
}
module "subnets" {
  source   = "./subnet"
  for_each = var.sizes
  size     = each.value
}
@@ subnet/main.tf
variable "size" {
  validation {
    condition     = var.size >= 8
    error_message = "A subnet has at least 8 addresses."
  }
}
@@ envs/live.tfvars
sizes = { b = 4, z = 2 }
@@ envs/stage.tfvars
sizes = { a = 1, b = 4, c = 17 }
"#,
        expect![[r#"
            error: Invalid value for variable
             --> main.tf:7:14
              |
            7 |   size     = each.value
              |              ^^^^^^^^^^
              |
              = A subnet has at least 8 addresses.
              = The validation at subnet/main.tf:2:3 rejects the value of var.size. The error occurs in module instance module.subnets["b"].

            error: Invalid value for variable
             --> main.tf:7:14
              |
            7 |   size     = each.value
              |              ^^^^^^^^^^
              |
              = A subnet has at least 8 addresses.
              = The validation at subnet/main.tf:2:3 rejects the value of var.size. The error occurs in module instance module.subnets["z"]. The error occurs with the variables file envs/live.tfvars.

            error: Invalid value for variable
             --> main.tf:7:14
              |
            7 |   size     = each.value
              |              ^^^^^^^^^^
              |
              = A subnet has at least 8 addresses.
              = The validation at subnet/main.tf:2:3 rejects the value of var.size. The error occurs in module instance module.subnets["a"]. The error occurs with the variables file envs/stage.tfvars.

            Checked 2 modules, 1 module call and 2 environments: 3 errors, 0 warnings
        "#]],
    );
}

#[test]
fn error_that_does_not_depend_on_the_caller_is_reported_once() {
    check(
        r#"-recursive
@@ a/main.tf
module "network" {
  source = "../network"
}
@@ b/main.tf
module "network" {
  source = "../network"
  count  = 2
}
@@ network/main.tf
module "subnets" {
  source   = "../subnet"
  for_each = { a = 1, b = 16 }
  size     = each.value
}
@@ subnet/main.tf
variable "size" {
  validation {
    condition     = var.size >= 8
    error_message = "A subnet has at least 8 addresses."
  }
}
"#,
        expect![[r#"
            error: Invalid value for variable
             --> network/main.tf:4:14
              |
            4 |   size     = each.value
              |              ^^^^^^^^^^
              |
              = A subnet has at least 8 addresses.
              = The validation at subnet/main.tf:2:3 rejects the value of var.size. The error occurs in module instance module.subnets["a"].

            Checked 4 modules, 3 module calls and 0 environments: 1 error, 0 warnings
        "#]],
    );
}

const NETWORK: &str = r#"@@ network/main.tf
variable "id" {
  default = null
}
variable "tags" {
  default = {}
}
output "vpc_id" {
  value = 1
}
"#;

#[test]
fn blocks_and_meta_arguments_of_calls_are_checked() {
    check(
        &format!(
            r#"@@ main.tf
module "a" {{
  source   = "./network"
  version  = "1.0"
  count    = 1
  for_each = {{}}
  tags {{
    env = "live"
  }}
}}
module "later" {{
  source = "./network"
  lifecycle {{}}
}}
@@ b.tf.json
{{"module": {{"b": {{"source": "./network", "count": 1, "for_each": {{}}}}}}}}
{NETWORK}"#
        ),
        expect![[r#"
            error: Invalid combination of "count" and "for_each"
             --> b.tf.json:1:54
              |
            1 | {"module": {"b": {"source": "./network", "count": 1, "for_each": {}}}}
              |                                                      ^^^^^^^^^^
              |
              = The arguments "count" and "for_each" are mutually exclusive.

            error: Invalid registry module source address
             --> main.tf:3:3
              |
            3 |   version  = "1.0"
              |   ^^^^^^^
              |
              = The argument "version" applies only to modules from a registry, but the source is a local path.

            error: Invalid combination of "count" and "for_each"
             --> main.tf:5:3
              |
            5 |   for_each = {}
              |   ^^^^^^^^
              |
              = The arguments "count" and "for_each" are mutually exclusive.

            error: Unsupported block type
             --> main.tf:6:3
              |
            6 |   tags {
              |   ^^^^
              |
              = Blocks of type "tags" are not expected in a module block.
              = help: to set the argument, write tags = { … }

            Checked 2 modules, 3 module calls and 0 environments: 4 errors, 0 warnings
        "#]],
    );
}

#[test]
fn references_in_calls_are_checked() {
    check(
        &format!(
            r#"@@ main.tf
variable "region" {{
  default = true
}}
resource "terraform_data" "net" {{
  count = 2
}}
module "network" {{
  source = "./network"
}}
module "many" {{
  source = "./network"
  count  = 2
}}
module "remote" {{
  source = "example/network/local"
}}
module "valid" {{
  source = "./network"
  id     = [module.network.vpc_id, module.many[0].vpc_id, module.many[*].vpc_id, module.remote.any, module.json, try(module.network.no, null), path.root]
  tags = {{
    region = [for region in [{{ name = 1 }}] : region.name]
    data   = [data.local_file.a.content, data.http.b.body, terraform_data.net[0].id, resource.terraform_data.net, terraform.workspace]
  }}
  depends_on = [module.network, terraform_data.net, data.http.b, var.region]
}}
module "invalid" {{
  source = "./network"
  id     = [module.network.vpcid, module.nett.id, path.modul, terraform.env, region]
  tags = {{
    unused = true ? 1 : terraform_data.nett.id
    data   = data.local_file.b
  }}
  depends_on = [module.netwrk, null_resource.a]
}}
data "local_file" "a" {{}}
check "c" {{
  data "http" "b" {{}}
}}
@@ calls.tf.json
{{"module": {{"json": {{
  "source": "./network", "//": "${{module.comment}}",
  "id": "${{module.network.vpcid}}",
  "depends_on": ["module.netwrk", "resource.x"]
}}}}}}
{NETWORK}"#
        ),
        expect![[r#"
            error: Unsupported attribute
             --> calls.tf.json:3:9
              |
            3 |   "id": "${module.network.vpcid}",
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = The module "network" does not declare an output named "vpcid".

            error: Reference to undeclared module
             --> calls.tf.json:4:18
              |
            4 |   "depends_on": ["module.netwrk", "resource.x"]
              |                  ^^^^^^^^^^^^^^^
              |
              = No module call named "netwrk" is declared in this module.
              = help: did you mean "network"?

            error: Invalid reference
              --> main.tf:28:12
               |
            28 |   id     = [module.network.vpcid, module.nett.id, path.modul, terraform.env, region]
               |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = A reference to a resource type must be followed by at least one attribute access, specifying the resource name.
               = help: to refer to the variable, write var.region

            error: Unsupported attribute
              --> main.tf:28:13
               |
            28 |   id     = [module.network.vpcid, module.nett.id, path.modul, terraform.env, region]
               |             ^^^^^^^^^^^^^^^^^^^^
               |
               = The module "network" does not declare an output named "vpcid".

            error: Reference to undeclared module
              --> main.tf:28:35
               |
            28 |   id     = [module.network.vpcid, module.nett.id, path.modul, terraform.env, region]
               |                                   ^^^^^^^^^^^^^^
               |
               = No module call named "nett" is declared in this module.

            error: Invalid "path" attribute
              --> main.tf:28:51
               |
            28 |   id     = [module.network.vpcid, module.nett.id, path.modul, terraform.env, region]
               |                                                   ^^^^^^^^^^
               |
               = The "path" object does not have an attribute named "modul". Its attributes are cwd, module and root.
               = help: did you mean "module"?

            error: Invalid "terraform" attribute
              --> main.tf:28:63
               |
            28 |   id     = [module.network.vpcid, module.nett.id, path.modul, terraform.env, region]
               |                                                               ^^^^^^^^^^^^^
               |
               = The "terraform" object does not have an attribute named "env". Its attributes are applying and workspace.

            error: Reference to undeclared resource
              --> main.tf:30:25
               |
            30 |     unused = true ? 1 : terraform_data.nett.id
               |                         ^^^^^^^^^^^^^^^^^^^^^^
               |
               = A managed resource "terraform_data" "nett" has not been declared in this module.
               = help: did you mean "net"?

            error: Reference to undeclared resource
              --> main.tf:31:14
               |
            31 |     data   = data.local_file.b
               |              ^^^^^^^^^^^^^^^^^
               |
               = A data resource "local_file" "b" has not been declared in this module.

            error: Reference to undeclared module
              --> main.tf:33:17
               |
            33 |   depends_on = [module.netwrk, null_resource.a]
               |                 ^^^^^^^^^^^^^
               |
               = No module call named "netwrk" is declared in this module.
               = help: did you mean "network"?

            error: Reference to undeclared resource
              --> main.tf:33:32
               |
            33 |   depends_on = [module.netwrk, null_resource.a]
               |                                ^^^^^^^^^^^^^^^
               |
               = A managed resource "null_resource" "a" has not been declared in this module.

            note: Module call not checked
              --> main.tf:14:1
               |
            14 | module "remote" {
               | ^^^^^^^^^^^^^^^
               |
               = The module "example/network/local" is not installed. Run `terraform init` to install it.

            Checked 2 modules, 5 module calls and 0 environments: 11 errors, 0 warnings; 1 module call not checked
        "#]],
    );
}

#[test]
fn references_to_blocks_in_other_files_are_valid() {
    check(
        &format!(
            r#"-recursive
@@ main.tf
module "a" {{
  source = "./network"
  id     = [terraform_data.json.id, data.http.json.body, module.json.any, terraform_data.extra.id]
}}
@@ b.tf.json
{{
  "resource": {{"terraform_data": {{"json": {{}}}}}},
  "data": [{{"http": {{"json": {{}}}}}}],
  "module": {{"json": {{"source": "./json"}}}}
}}
@@ json/main.tf.json
{{"output": {{"any": {{"value": 1}}}}}}
@@ extra_override.tf
resource "terraform_data" "extra" {{}}
@@ broken/main.tf
module "a" {{
  source = "../network"
  id     = terraform_data.b.id
}}
resource "terraform_data" {{ =
{NETWORK}"#
        ),
        expect![[r#"
            error: Argument or block definition required
             --> broken/main.tf:5:29
              |
            5 | resource "terraform_data" { =
              |                             ^
              |
              = Expected a name.

            Checked 4 modules, 3 module calls and 0 environments: 1 error, 0 warnings
        "#]],
    );
}

#[test]
fn lengths_of_partly_unknown_values_are_compared() {
    check(
        r#"@@ main.tf
resource "terraform_data" "x" {}
module "a" {
  source = "./a"
  name   = "application-${terraform_data.x.id}"
  ids    = [1, terraform_data.x.id]
}
@@ a/main.tf
variable "name" {
  validation {
    condition     = length(var.name) <= 8
    error_message = "The name must have at most 8 characters."
  }
  validation {
    condition     = length(var.name) >= 8 && length(var.name) < 14
    error_message = "It is not certain that a name is too long."
  }
}
variable "ids" {
  type = set(string)
  validation {
    condition     = 3 <= length(var.ids)
    error_message = "At least 3 IDs are required."
  }
  validation {
    condition     = length(var.ids) < 2
    error_message = "It is not certain that there are too many IDs."
  }
}
"#,
        expect![[r#"
            error: Invalid value for variable
             --> main.tf:4:12
              |
            4 |   name   = "application-${terraform_data.x.id}"
              |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = The name must have at most 8 characters.
              = The validation at a/main.tf:2:3 rejects the value of var.name.

            error: Invalid value for variable
             --> main.tf:5:12
              |
            5 |   ids    = [1, terraform_data.x.id]
              |            ^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = At least 3 IDs are required.
              = The validation at a/main.tf:13:3 rejects the value of var.ids.

            Checked 2 modules, 1 module call and 0 environments: 2 errors, 0 warnings
        "#]],
    );
}

#[test]
fn calls_that_changed_after_the_installation_are_not_checked() {
    check(
        r#"@@ main.tf
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.1"
  nmae    = "x"
}
module "same_version" {
  source  = "terraform-aws-modules/vpc/aws//modules/a/"
  version = ">= 4.0, < 6.0"
}
module "network" {
  source = "git::https://example.com/network.git?ref=v2"
  nmae   = "x"
}
module "same_source" {
  source = "github.com/example/network?ref=v2"
}
module "other_kind" {
  source = "github.com/example/network"
}
module "prerelease" {
  source  = "terraform-aws-modules/vpc/aws"
  version = ">= 4.0"
}
@@ .terraform/modules/modules.json
{"Modules": [
  {"Key": "", "Source": "", "Dir": "."},
  {"Key": "vpc", "Source": "registry.terraform.io/terraform-aws-modules/vpc/aws", "Version": "5.0.3", "Dir": ".terraform/modules/m"},
  {"Key": "same_version", "Source": "registry.terraform.io/terraform-aws-modules/vpc/aws//modules/a", "Version": "5.0.3", "Dir": ".terraform/modules/m"},
  {"Key": "network", "Source": "git::https://example.com/network.git?ref=v1", "Dir": ".terraform/modules/m"},
  {"Key": "same_source", "Source": "git::https://github.com/example/network.git?ref=v2", "Dir": ".terraform/modules/m"},
  {"Key": "other_kind", "Source": "./network", "Dir": "network"},
  {"Key": "prerelease", "Source": "registry.terraform.io/terraform-aws-modules/vpc/aws", "Version": "6.0.0-beta1", "Dir": ".terraform/modules/m"}
]}
@@ .terraform/modules/m/main.tf
variable "name" {
  default = "x"
}
@@ network/main.tf
variable "name" {
  default = "x"
}
"#,
        expect![[r#"
            note: Module call not checked
             --> main.tf:1:1
              |
            1 | module "vpc" {
              | ^^^^^^^^^^^^
              |
              = The version requirements of "terraform-aws-modules/vpc/aws" were changed since the module was installed, and the installed version 5.0.3 does not satisfy them. Run `terraform init` to install it.

            note: Module call not checked
              --> main.tf:10:1
               |
            10 | module "network" {
               | ^^^^^^^^^^^^^^^^
               |
               = The source was changed to "git::https://example.com/network.git?ref=v2" since the module was installed. Run `terraform init` to install it.

            note: Module call not checked
              --> main.tf:17:1
               |
            17 | module "other_kind" {
               | ^^^^^^^^^^^^^^^^^^^
               |
               = The source was changed to "github.com/example/network" since the module was installed. Run `terraform init` to install it.

            note: Module call not checked
              --> main.tf:20:1
               |
            20 | module "prerelease" {
               | ^^^^^^^^^^^^^^^^^^^
               |
               = The version requirements of "terraform-aws-modules/vpc/aws" were changed since the module was installed, and the installed version 6.0.0-beta1 does not satisfy them. Run `terraform init` to install it.

            Checked 3 modules, 2 module calls and 0 environments: 0 errors, 0 warnings; 4 module calls not checked
        "#]],
    );
}

#[test]
fn calls_of_unsupported_functions_are_counted_and_can_be_errors() {
    let files = r#"@@ main.tf
variable "name" {}
locals {
  text   = file("name.txt")
  nested = "${local.text}-a"
}
module "network" {
  source   = "./network"
  for_each = toset(["a", "b"])
  hash     = "${each.key}-${sha256("a")}"
  text     = [local.nested, local.text]
  constant = true ? "a" : md5("a")
  random   = uuid()
  unknown  = md5(var.name)
  many     = [provider::local::direxists("."), yamldecode("1"), lenght("a")]
}
module "unknown" {
  source   = "./network"
  for_each = terraform_data.a.output
  hash     = base64sha256("b")
}
resource "terraform_data" "a" {}
@@ network/main.tf
variable "hash" {}
variable "text" { default = null }
variable "constant" { default = null }
variable "random" { default = null }
variable "unknown" { default = null }
variable "many" { default = null }
"#;
    check(
        files,
        expect![[r#"
            warning: Call to unknown function
              --> main.tf:14:14
               |
            14 |   many     = [provider::local::direxists("."), yamldecode("1"), lenght("a")]
               |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = No known version of Terraform or OpenTofu has a function named "lenght", so this expression is not evaluated.
               = help: did you mean "length"?

            Checked 2 modules, 2 module calls and 0 environments: 0 errors, 1 warning; 4 expressions not evaluated
        "#]],
    );
    check(
        &format!("-strict\n{files}"),
        expect![[r#"
            error: Expression not evaluated
             --> main.tf:3:12
              |
            3 |   text   = file("name.txt")
              |            ^^^^^^^^^^^^^^^^
              |
              = This expression was not evaluated: it calls file.

            error: Expression not evaluated
             --> main.tf:9:14
              |
            9 |   hash     = "${each.key}-${sha256("a")}"
              |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = This expression was not evaluated: it calls sha256.

            error: Call to unknown function
              --> main.tf:14:14
               |
            14 |   many     = [provider::local::direxists("."), yamldecode("1"), lenght("a")]
               |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = No known version of Terraform or OpenTofu has a function named "lenght", so this expression is not evaluated.
               = help: did you mean "length"?

            error: Expression not evaluated
              --> main.tf:14:14
               |
            14 |   many     = [provider::local::direxists("."), yamldecode("1"), lenght("a")]
               |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = This expression was not evaluated: it calls provider::local::direxists and yamldecode.

            error: Expression not evaluated
              --> main.tf:19:14
               |
            19 |   hash     = base64sha256("b")
               |              ^^^^^^^^^^^^^^^^^
               |
               = This expression was not evaluated: it calls base64sha256.

            Checked 2 modules, 2 module calls and 0 environments: 5 errors, 0 warnings; 4 expressions not evaluated
        "#]],
    );
}

#[test]
fn errors_of_local_values_are_reported_once() {
    check(
        r#"-environment=*.tfvars
@@ main.tf
variable "regions" {}
variable "limit" {}
variable "token" {
  sensitive = true
  validation {
    condition     = local.number != 1 && var.token != ""
    error_message = "The token is empty."
  }
}
locals {
  number = tonumber("one")
  parts  = { limit = var.limit }.size
  secret = tonumber("x${var.token}")
}
module "network" {
  source   = "./network"
  for_each = var.regions
  number   = local.number
  parts    = local.parts
  secret   = local.secret
}
@@ network/main.tf
variable "number" {}
variable "parts" {}
variable "secret" {}
@@ a.tfvars
regions = { eu = 1 }
limit   = 1
token   = "a"
@@ b.tfvars
regions = { us = 1, asia = 2 }
limit   = 2
token   = "b"
"#,
        expect![[r#"
            error: Invalid function argument
              --> main.tf:11:21
               |
            11 |   number = tonumber("one")
               |                     ^^^^^
               |
               = Call of function "tonumber" failed: a number is required.

            error: Unsupported attribute
              --> main.tf:12:34
               |
            12 |   parts  = { limit = var.limit }.size
               |                                  ^^^^
               |
               = The value does not have an attribute of this name.

            error: Invalid function argument
              --> main.tf:13:21
               |
            13 |   secret = tonumber("x${var.token}")
               |                     ^^^^^^^^^^^^^^^
               |
               = The value is not valid. Details are not shown because they could reveal a sensitive value.

            Checked 2 modules, 1 module call and 2 environments: 3 errors, 0 warnings; 1 validation not evaluated
        "#]],
    );
}
