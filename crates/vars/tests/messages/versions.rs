//! The behavior of versions of Terraform and OpenTofu.

use expect_test::expect;

use crate::{check, evaluated};

/// Validations as in popular public modules: the right operand is an error if the variable is null.
const NULL_CHECKS: &str = r#"
variable "name" {
  type    = string
  default = null
  validation {
    condition     = var.name == null || length(var.name) <= 16
    error_message = "The name is too long."
  }
}
variable "rules" {
  type    = list(object({ port = optional(number), protocol = optional(string) }))
  default = [{ port = 80 }]
  validation {
    condition     = alltrue([for it in var.rules : it.protocol == null || contains(["tcp", "udp"], it.protocol)])
    error_message = "The protocol is unknown."
  }
}
variable "kms_key" {
  type    = object({ arn = string })
  default = null
  validation {
    condition     = var.kms_key == null || startswith(var.kms_key.arn, "arn:")
    error_message = "The key has no ARN."
  }
}
variable "retention" {
  type    = number
  default = null
  validation {
    condition     = !(var.retention != null && var.retention < 1)
    error_message = "The retention is too short."
  }
}
"#;

#[test]
fn logical_operators_short_circuit_since_version_1_12() {
    let strict = evaluated(&format!("-target-version=1.11\n@@ main.tf\n{NULL_CHECKS}")).0;
    assert_eq!(strict.matches("error: ").count(), 4, "{strict}");
    for files in [
        format!("@@ main.tf\n{NULL_CHECKS}"),
        format!("-target-version=1.12\n@@ main.tf\n{NULL_CHECKS}"),
        format!("-target-version=opentofu-1.10\n@@ main.tf\n{NULL_CHECKS}"),
        format!("@@ main.tf\nterraform {{\n  required_version = \">= 1.3\"\n}}\n{NULL_CHECKS}"),
    ] {
        assert_eq!(evaluated(&files).0, "");
    }
}

#[test]
fn required_version_selects_the_behavior() {
    let required =
        |it: &str| format!("@@ main.tf\nterraform {{\n  required_version = {it:?}\n}}\n{NULL_CHECKS}");
    for older in ["~> 1.11.0", "< 1.12", ">= 1.9, < 1.12", "= 1.9.8"] {
        assert_eq!(evaluated(&required(older)).0.matches("error: ").count(), 4, "{older}");
    }
    for newer in ["~> 1.11", ">= 1.9, < 2.0", "1.13.0"] {
        assert_eq!(evaluated(&required(newer)).0, "", "{newer}");
    }
    let json = "@@ a.tf.json\n{\"terraform\": {\"required_version\": \"< 1.12\"}}\n";
    assert_eq!(evaluated(&format!("{json}@@ main.tf\n{NULL_CHECKS}")).0.matches("error: ").count(), 4);
    // The option takes precedence, but the version must satisfy `required_version`.
    check(
        &format!("-target-version=1.12\n{}", required("~> 1.11.0")),
        expect![[r#"
            error: Unsupported Terraform Core version
             --> main.tf:2:22
              |
            2 |   required_version = "~> 1.11.0"
              |                      ^^^^^^^^^^^
              |
              = The target version 1.12 does not satisfy the module's required_version.

        "#]],
    );
    check(
        "@@ main.tf\nterraform {\n  required_version = \">= 1.5\"\n}\nterraform {\n  required_version = \">= 99.0\"\n}\n",
        expect![[r#"
            error: Unsupported Terraform Core version
             --> main.tf:5:22
              |
            5 |   required_version = ">= 99.0"
              |                      ^^^^^^^^^
              |
              = No version of Terraform or OpenTofu before 2.0 satisfies the module's required_version.

        "#]],
    );
    check(
        "@@ a.tf.json\n{\"terraform\": {\"required_version\": \">= 1.5, < 1.2\"}}\n",
        expect![[r#"
        error: Unsupported Terraform Core version
         --> a.tf.json:1:36
          |
        1 | {"terraform": {"required_version": ">= 1.5, < 1.2"}}
          |                                    ^^^^^^^^^^^^^^^
          |
          = No version of Terraform or OpenTofu before 2.0 satisfies the module's required_version.

    "#]],
    );
    check(
        "@@ main.tf\nterraform {\n  required_version = \"latest\"\n}\n",
        expect![[r#"
            error: Invalid version constraint
             --> main.tf:2:22
              |
            2 |   required_version = "latest"
              |                      ^^^^^^^^
              |
              = A version constraint such as ">= 1.9, < 2.0" is required.

        "#]],
    );
}

#[test]
fn validations_refer_to_other_objects_since_version_1_9() {
    let module = r#"@@ main.tf
locals {
  least = 3
}
variable "other" {
  default = 1
}
variable "size" {
  default = 1
  validation {
    condition     = var.size < var.other || var.size < local.least
    error_message = "The size is too large."
  }
}
"#;
    assert_eq!(evaluated(&format!("-target-version=1.9\n{module}")).0, "");
    check(
        &format!("-target-version=1.8\n{module}"),
        expect![[r#"
            error: Invalid reference in variable validation
              --> main.tf:10:21
               |
            10 |     condition     = var.size < var.other || var.size < local.least
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = Before Terraform 1.9 and OpenTofu 1.9, the validation of variable "size" can refer only to var.size, but this validation refers to var.other.

        "#]],
    );
}

/// Syntax of later versions and functions of OpenTofu and of providers do not make a module invalid.
#[test]
fn syntax_of_later_versions_is_accepted() {
    let module = r#"@@ main.tf
variable "token" {
  type       = string
  default    = "x"
  ephemeral  = true
  deprecated = "Use secret."
}
variable "zone" {
  type    = string
  default = "x"
  const   = true
}
ephemeral "random_password" "this" {
  length = 16
}
import {
  for_each = { a = "x" }
  to       = terraform_data.this[each.key]
  id       = each.value
}
removed {
  from = terraform_data.old
  lifecycle {
    destroy = false
  }
}
action "local_command" "this" {
  config {
    command = "true"
  }
}
check "health" {
  assert {
    condition     = provider::time::rfc3339_parse("2026-01-01T00:00:00Z").year == 2026
    error_message = "wrong"
  }
}
resource "terraform_data" "this" {
  input_wo = ephemeral.random_password.this.result
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.this]
    }
  }
}
output "name" {
  type  = string
  value = provider::local::direxists(path.module) ? "a" : "b"
}
@@ list.tfquery.hcl
list "x" "y" {
@@ main.tftest.hcl
run "x" {
"#;
    assert_eq!(evaluated(module), (String::new(), "token = (ephemeral value)\nzone = \"x\"\n".to_owned()));
}

#[test]
fn constant_variables_are_neither_sensitive_nor_ephemeral() {
    check(
        "@@ main.tf\nvariable \"a\" {\n  const     = true\n  sensitive = true\n}\nvariable \"b\" {\n  const     = \"false\"\n  ephemeral = true\n  default   = 1\n}\n",
        expect![[r#"
            error: Invalid constant variable
            --> main.tf:2:3
             = The line is not shown because it may contain a sensitive value.
             = A constant variable can be neither sensitive nor ephemeral.

        "#]],
    );
}

#[test]
fn unknown_functions_are_warnings() {
    check(
        r#"@@ main.tf
variable "a" {
  default = "10.0.0.1"
  validation {
    condition     = cidrcontains("10.0.0.0/8", var.a)
    error_message = "wrong"
  }
  validation {
    condition     = provider::net::contains("10.0.0.0/8", var.a)
    error_message = "wrong"
  }
  validation {
    condition     = convert(var.a, list(string)) == []
    error_message = "wrong"
  }
  validation {
    condition     = start_with(var.a, "10.")
    error_message = "wrong"
  }
  validation {
    condition     = var.a != null || of_a_later_version(var.a)
    error_message = "wrong"
  }
}
"#,
        expect![[r#"
            warning: Call to unknown function
              --> main.tf:16:21
               |
            16 |     condition     = start_with(var.a, "10.")
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = No known version of Terraform or OpenTofu has a function named "start_with", so this expression is not evaluated.
               = help: did you mean "startswith"?

            warning: Call to unknown function
              --> main.tf:20:21
               |
            20 |     condition     = var.a != null || of_a_later_version(var.a)
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = No known version of Terraform or OpenTofu has a function named "of_a_later_version", so this expression is not evaluated.

            note: Validation not evaluated
             --> main.tf:3:3
              |
            3 |   validation {
              |   ^^^^^^^^^^
              |
              = A validation of variable "a" was not evaluated: it calls cidrcontains.

            note: Validation not evaluated
             --> main.tf:7:3
              |
            7 |   validation {
              |   ^^^^^^^^^^
              |
              = A validation of variable "a" was not evaluated: it calls provider::net::contains.

            note: Validation not evaluated
              --> main.tf:11:3
               |
            11 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "a" was not evaluated: it calls convert.

        "#]],
    );
}

#[test]
fn tofu_files_replace_terraform_files() {
    let files = r#"@@ main.tf
variable "a" {
  default = "terraform"
}
@@ main.tofu
variable "a" {
  default = "opentofu"
}
@@ other.tf
variable "b" {
  default = "terraform"
}
@@ json.tf.json
{"variable": {"c": {"default": "terraform"}}}
@@ json.tofu.json
{"variable": {"c": {"default": "opentofu"}}}
@@ x_override.tofu
variable "b" {
  default = "override"
}
"#;
    let opentofu = "a = \"opentofu\"\nb = \"override\"\nc = \"opentofu\"\n";
    assert_eq!(evaluated(files), (String::new(), opentofu.to_owned()));
    assert_eq!(evaluated(&format!("-target-version=opentofu-1.8\n{files}")).1, opentofu);
    let terraform = "a = \"terraform\"\nb = \"terraform\"\nc = \"terraform\"\n";
    for target in ["terraform-1.12", "opentofu-1.7"] {
        assert_eq!(evaluated(&format!("-target-version={target}\n{files}")).1, terraform);
    }
}

/// A module with `.tofu` files is evaluated as OpenTofu does, which short-circuits since version 1.10.
#[test]
fn modules_with_tofu_files_follow_opentofu_versions() {
    let module = |required: &str| {
        format!(
            "@@ versions.tofu\nterraform {{\n  required_version = {required:?}\n}}\n@@ main.tf\n{NULL_CHECKS}"
        )
    };
    assert_eq!(evaluated(&module("~> 1.10.0")).0, "");
    assert_eq!(evaluated(&module("~> 1.9.0")).0.matches("error: ").count(), 4);
}
