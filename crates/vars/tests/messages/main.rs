//! Snapshots of the diagnostics of `ferroform-vars`.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

mod calls;
mod explain;
mod files;
mod formats;
mod json;
mod layout;
mod references;
mod sensitive_values;
mod strict;
mod table;
mod validations;
mod versions;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::{Expect, expect};
use ferroform_vars::{AsErrors, Report, Request, Setting, evaluate, run};

static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Creates a directory with files, and returns it with the lines before the first file, which are options. A line `@@ name`
/// starts a file.
pub(crate) fn directory(files: &str) -> (PathBuf, Vec<&str>) {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("ferroform-messages-{}-{number}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let mut parts = files.split("@@ ");
    let options = parts.next().unwrap_or_default().lines().collect();
    for (name, content) in parts.filter_map(|it| it.split_once('\n')) {
        let file = directory.join(name.trim());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    (directory, options)
}

/// Evaluates a module and returns its diagnostics and its values.
pub(crate) fn evaluated(files: &str) -> (String, String) {
    let report = report(files);
    (report.diagnostics(), report.to_text())
}

/// Evaluates a module.
///
/// The files and options are those of [`directory`]. Further options are `TF_VAR_…=` for the environment, `-var …=`,
/// `-target-version=…`, `-strict` and `-…-as-errors`.
pub(crate) fn report(files: &str) -> Report {
    in_directory(files, evaluate)
}

/// Runs the program in the directory of a module. Returns the exit code and the output.
pub(crate) fn output(files: &str, args: &[&str]) -> (u8, String, String) {
    in_directory(files, |request| run_in(&request.working_directory, args))
}

/// Runs the program in a directory.
pub(crate) fn run_in(directory: &Path, args: &[&str]) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let directory = format!("-chdir={}", directory.display());
    let args = args.iter().copied().chain([directory.as_str()]).map(Into::into).collect();
    let code = run(args, Vec::new(), &mut stdout, &mut stderr);
    let text = |it: Vec<u8>| anstream::adapter::strip_str(&String::from_utf8(it).unwrap()).to_string();
    (code, text(stdout), text(stderr))
}

/// Writes the files of a module, calls a function, and removes the files.
pub(crate) fn in_directory<T>(files: &str, call: impl FnOnce(&Request) -> T) -> T {
    let (directory, options) = directory(files);
    let mut request = Request {
        directory: ".".into(),
        working_directory: directory.clone(),
        explain: true,
        ..Request::default()
    };
    for trimmed in options {
        if let Some(version) = trimmed.strip_prefix("-target-version=") {
            request.target = Some(version.parse().unwrap());
        } else if trimmed == "-strict" {
            request.as_errors = AsErrors::ALL;
        } else if let Some(option) = trimmed.strip_suffix("-as-errors") {
            request.as_errors.undeclared |= option == "-undeclared";
            request.as_errors.unevaluated |= option == "-unevaluated";
            request.as_errors.warnings |= option == "-warnings";
        } else if let Some((name, value)) = trimmed.trim_start_matches("-var ").split_once('=') {
            let (name, value) = (name.to_owned(), value.to_owned());
            if trimmed.starts_with("-var ") {
                request.options.push(Setting::Value { name, value });
            } else {
                request.environment.push((name.into(), value.into()));
            }
        }
    }
    let result = call(&request);
    fs::remove_dir_all(&directory).unwrap();
    result
}

pub(crate) fn check(files: &str, expected: Expect) {
    expected.assert_eq(&evaluated(files).0);
}

#[test]
fn invalid_declarations_are_reported() {
    check(
        r#"@@ main.tf
variable "a" {
  type    = strng
  defualt = 1
  foo {}
}
variable "a" {}
variable "b" "c" {}
variable {}
variable "1x" {}
variable "count" {}
variable "_" {}
varable "x" {}
stray = 1
variable "d" {
  type     = list(object({ port = number }))
  default  = [{ port = 1 }, { port = "x" }]
  nullable = null
}
variable "e" {
  default   = upper("x")
  sensitive = maybe
}
"#,
        expect![[r#"
            error: Unsupported argument
              --> main.tf:13:1
               |
            13 | stray = 1
               | ^^^^^
               |
               = The argument "stray" is not allowed outside of blocks.

            error: Extraneous label for variable
             --> main.tf:7:1
              |
            7 | variable "b" "c" {}
              | ^^^^^^^^^^^^^^^^
              |
              = A variable block has one label, its name.

            error: Missing name for variable
             --> main.tf:8:1
              |
            8 | variable {}
              | ^^^^^^^^
              |
              = A variable block requires a quoted name.

            error: Invalid variable name
             --> main.tf:9:10
              |
            9 | variable "1x" {}
              |          ^^^^
              |
              = A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.

            error: Invalid variable name
              --> main.tf:10:10
               |
            10 | variable "count" {}
               |          ^^^^^^^
               |
               = The variable name "count" is reserved due to its special meaning inside module blocks.

            error: Invalid variable name
              --> main.tf:11:10
               |
            11 | variable "_" {}
               |          ^^^
               |
               = The variable name "_" is reserved due to its special meaning inside module blocks.

            error: Unsupported block type
              --> main.tf:12:1
               |
            12 | varable "x" {}
               | ^^^^^^^
               |
               = Blocks of type "varable" are not expected in a module.
               = help: did you mean "variable"?

            error: Duplicate variable declaration
             --> main.tf:6:1
              |
            6 | variable "a" {}
              | ^^^^^^^^^^^^
              |
              = A variable named "a" was already declared at main.tf:1:1. Variable names must be unique within a module.

            error: Invalid type specification
             --> main.tf:2:13
              |
            2 |   type    = strng
              |             ^^^^^
              |
              = The keyword "strng" is not a valid type.

            error: Unsupported argument
             --> main.tf:3:3
              |
            3 |   defualt = 1
              |   ^^^^^^^
              |
              = An argument named "defualt" is not expected in a variable block.
              = help: did you mean "default"?

            error: Unsupported block type
             --> main.tf:4:3
              |
            4 |   foo {}
              |   ^^^
              |
              = Blocks of type "foo" are not expected in a variable block.

            error: Unsuitable value type
              --> main.tf:17:14
               |
            17 |   nullable = null
               |              ^^^^
               |
               = The value of this argument is not suitable: the value must not be null.

            error: Invalid default value for variable
              --> main.tf:16:38
               |
            16 |   default  = [{ port = 1 }, { port = "x" }]
               |                                      ^^^
               |
               = The default value is not compatible with the variable's type constraint: [1].port: a number is required.

            error: Function calls not allowed
            --> main.tf:20:15
             = The line is not shown because it may contain a sensitive value.
             = The value is not valid. Details are not shown because they could reveal a sensitive value.

            error: Variables not allowed
            --> main.tf:21:15
             = The line is not shown because it may contain a sensitive value.
             = The value is not valid. Details are not shown because they could reveal a sensitive value.

        "#]],
    );
}

#[test]
fn failed_validations_are_reported() {
    check(
        r#"TF_VAR_size=3
@@ main.tf
variable "size" {
  type = number
  validation {
    condition     = var.size > 5
    error_message = "The size must be above 5, and is ${var.size}."
  }
  validation {
    condition     = var.size / 0 > "x"
    error_message = "Never."
  }
  validation {
    condition     = var.size
    error_message = "Never."
  }
  validation {
    condition     = var.size == 4 ? true : null
    error_message = "Never."
  }
  validation {
    condition     = var.size == 4
    error_message = " "
  }
  validation {
    condition     = var.size == 4
    error_message = "It is ${md5(var.size)}."
  }
  validation {
    condition     = fileexists(var.size)
    error_message = "Not there."
  }
  validation {
    condition     = var.size == local.size
    error_message = "Not there."
  }
  validation {
    condition     = can(regex("\\p{Alphabetic}", var.size))
    error_message = "Not there."
  }
}
"#,
        expect![[r#"
            error: Reference to undeclared local value
              --> main.tf:32:21
               |
            32 |     condition     = var.size == local.size
               |                     ^^^^^^^^^^^^^^^^^^^^^^
               |
               = A local value with the name "size" has not been declared.

            error: Invalid value for variable
             --> TF_VAR_size:1:1
              |
            1 | 3
              | ^
              |
              = The size must be above 5, and is 3.
              = The validation at main.tf:3:3 rejects the value of var.size.

            error: Invalid operand
             --> main.tf:8:36
              |
            8 |     condition     = var.size / 0 > "x"
              |                                    ^^^
              |
              = The operand is not suitable: a number is required.

            error: Invalid variable validation result
              --> main.tf:12:21
               |
            12 |     condition     = var.size
               |                     ^^^^^^^^
               |
               = Invalid validation condition result value: bool required, but have number.

            error: Invalid variable validation result
              --> main.tf:16:21
               |
            16 |     condition     = var.size == 4 ? true : null
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = Validation condition expression must return either true or false, not null.

            error: Invalid value for variable
             --> TF_VAR_size:1:1
              |
            1 | 3
              | ^
              |
              = The error message of the validation could not be evaluated.
              = The validation at main.tf:19:3 rejects the value of var.size.

            error: Invalid value for variable
             --> TF_VAR_size:1:1
              |
            1 | 3
              | ^
              |
              = The error message of the validation was not evaluated.
              = The validation at main.tf:23:3 rejects the value of var.size.

            note: Validation not evaluated
              --> main.tf:27:3
               |
            27 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "size" was not evaluated: it calls fileexists.

            note: Validation not evaluated
              --> main.tf:31:3
               |
            31 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "size" was not evaluated: it refers to local.size.

            note: Validation not evaluated
              --> main.tf:35:3
               |
            35 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "size" was not evaluated: its result in Terraform cannot be determined.

        "#]],
    );
    check(
        r#"@@ main.tf
variable "size" {
  default = 1
  validation {
    condition = var.siez > 5 && start_swith("a", "b")
    message   = "x"
  }
  validation "x" {
    condition     = true
    error_message = "x"
    inner {}
  }
}
"#,
        expect![[r#"
            error: Unsupported argument
             --> main.tf:5:5
              |
            5 |     message   = "x"
              |     ^^^^^^^
              |
              = An argument named "message" is not expected in a validation block.

            error: Missing required argument
             --> main.tf:3:3
              |
            3 |   validation {
              |   ^^^^^^^^^^
              |
              = The argument "error_message" is required, but no definition was found.

            error: Extraneous label for validation
             --> main.tf:7:14
              |
            7 |   validation "x" {
              |              ^^^
              |
              = A validation block does not have labels.

            error: Unsupported block type
              --> main.tf:10:5
               |
            10 |     inner {}
               |     ^^^^^
               |
               = A validation block cannot contain blocks.

            error: Invalid variable validation condition
             --> main.tf:8:21
              |
            8 |     condition     = true
              |                     ^^^^
              |
              = The condition for variable "size" must refer to var.size in order to test incoming values.

        "#]],
    );
}

#[test]
fn invalid_values_are_reported() {
    check(
        r#"-var prots=1
-var flag=yes
-var list=[1,
-var map={ a = [1, "x"] }
TF_VAR_flga=true
@@ main.tf
variable "flag" { type = bool }
variable "list" { type = list(number) }
variable "map" { type = map(list(number)) }
variable "ports" { type = list(object({ port = number, name = optional(string) })) }
variable "needed" {}
variable "set" {
  type     = number
  nullable = false
}
@@ terraform.tfvars
ports = [
  { port = 80 },
  { port = "http", name = "a name that is so long that the line is longer than what is shown of it, by far" },
]
prot = 1
set  = null
@@ terraform.tfvars.json
{"prts": 1, "list": [1, {"x": 1}]}
"#,
        expect![[r#"
            error: Value for undeclared variable
             |
             = The module does not declare a variable named "prots".
             = help: did you mean "ports"?

            error: Invalid value for input variable
             --> -var flag:1:1
              |
            1 | yes
              | ^^^
              |
              = The value is not compatible with the variable's type constraint: var.flag: a bool is required. The type is bool.

            error: Missing expression
             --> -var list:1:4
              |
            1 | [1,
              |    ^
              |
              = Expected an expression.

            error: Invalid value for input variable
             --> -var map:1:11
              |
            1 | { a = [1, "x"] }
              |           ^^^
              |
              = The value is not compatible with the variable's type constraint: var.map["a"][1]: a number is required. The type is map(list(number)).

            error: No value for required variable
             --> main.tf:5:1
              |
            5 | variable "needed" {}
              | ^^^^^^^^^^^^^^^^^
              |
              = The root module input variable "needed" is not set, and has no default value.

            error: Invalid value for input variable
             --> terraform.tfvars:3:12
              |
            3 |   { port = "http", name = "a name that is so long that the line is longer than what is shown of it, by ...
              |            ^^^^^^
              |
              = The value is not compatible with the variable's type constraint: var.ports[1].port: a number is required.

            error: Required variable not set
             --> terraform.tfvars:6:8
              |
            6 | set  = null
              |        ^^^^
              |
              = The variable "set" must not be null, and it has no default.

            warning: Value for undeclared variable
             --> terraform.tfvars:5:1
              |
            5 | prot…
              | ^^^^
              |
              = The module does not declare a variable named "prot". The value is ignored.
              = help: did you mean "ports"?

            warning: Value for undeclared variable
             --> terraform.tfvars.json:1:2
              |
            1 | {"prts"…
              |  ^^^^^^
              |
              = The module does not declare a variable named "prts". The value is ignored.
              = help: did you mean "ports"?

            note: Value for undeclared variable
             |
             = TF_VAR_flga is set, and the module has no variable "flga"; did you mean "flag"?

        "#]],
    );
}

#[test]
fn deprecated_and_undeclared_variables_are_reported() {
    check(
        r#"@@ main.tf
variable "old" {
  default    = 1
  deprecated = "Use new."
  validation {
    condition     = var.old > var.nwe || start_swith("a", "b")
    error_message = "x"
  }
}
variable "new" {
  default = 1
}
@@ terraform.tfvars
old = 2
"#,
        expect![[r#"
            error: Reference to undeclared input variable
             --> main.tf:5:31
              |
            5 |     condition     = var.old > var.nwe || start_swith("a", "b")
              |                               ^^^^^^^
              |
              = An input variable with the name "nwe" has not been declared.
              = help: did you mean "new"?

            warning: Call to unknown function
             --> main.tf:5:21
              |
            5 |     condition     = var.old > var.nwe || start_swith("a", "b")
              |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = No known version of Terraform or OpenTofu has a function named "start_swith", so this expression is not evaluated.
              = help: did you mean "startswith"?

            warning: Deprecated variable got a value
             --> terraform.tfvars:1:1
              |
            1 | old = 2
              | ^^^
              |
              = Use new.

        "#]],
    );
}

#[test]
fn number_of_diagnostics_is_limited() {
    let values: Vec<String> = (0..30_000).map(|i| format!("\"x{i}\": 1")).collect();
    let values = values.join(", ");
    let content = format!("@@ main.tf\nvariable \"a\" {{}}\n@@ terraform.tfvars.json\n{{{values}}}\n");
    let diagnostics = evaluated(&content).0;
    let end = diagnostics.trim_end().lines().last().unwrap_or_default();
    expect!["… and 12 more"].assert_eq(end);
}
