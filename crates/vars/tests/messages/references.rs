//! Errors about references in validations and local values.

use expect_test::expect;

use crate::{check, evaluated};

#[test]
fn invalid_references_are_reported() {
    check(
        r#"@@ main.tf
locals {
  bad = 1 + "x"
}
resource "terraform_data" "this" {}
variable "name" {
  default = "a"
  validation {
    condition     = var.name == "a" || length(name) > 3
    error_message = "wrong"
  }
  validation {
    condition     = var.name == each.key || var.name == var
    error_message = "wrong"
  }
  validation {
    condition     = var.name == terraform_data.this.id || fileexists("${path.module}/x")
    error_message = "wrong"
  }
  validation {
    condition     = var.name == "a" || local.bad == 1
    error_message = "wrong"
  }
}
"#,
        expect![[r#"
            error: Invalid reference
             --> main.tf:8:21
              |
            8 |     condition     = var.name == "a" || length(name) > 3
              |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = The module has no resource of the type "name".
              = help: to refer to the variable, write var.name

            error: Invalid reference
              --> main.tf:12:21
               |
            12 |     condition     = var.name == each.key || var.name == var
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = The object "each" is available only in the blocks of resources and modules.

            error: Invalid reference
              --> main.tf:12:21
               |
            12 |     condition     = var.name == each.key || var.name == var
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = The object "var" requires an attribute, such as var.name.

            error: Invalid operand
             --> main.tf:2:13
              |
            2 |   bad = 1 + "x"
              |             ^^^
              |
              = The operand is not suitable: a number is required.

            note: Validation not evaluated
              --> main.tf:11:3
               |
            11 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "name" was not evaluated: it refers to var.

            note: Validation not evaluated
              --> main.tf:15:3
               |
            15 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "name" was not evaluated: it refers to path.

        "#]],
    );
}

#[test]
fn cycles_are_reported() {
    let validation = |name: &str, condition: &str| {
        format!(
            "variable {name:?} {{\n  default = 1\n  validation {{\n    condition = {condition}\n    error_message = \"wrong\"\n  }}\n}}\n"
        )
    };
    for module in [
        "locals {\n  a = local.b\n  b = [local.a]\n}\n".to_owned(),
        "locals {\n  a = local.a\n}\n".to_owned(),
        format!("locals {{\n  a = var.v\n}}\n{}", validation("v", "var.v == local.a")),
        format!("{}{}", validation("v", "var.v == var.w"), validation("w", "var.v == var.w")),
    ] {
        let diagnostics = evaluated(&format!("@@ main.tf\n{module}")).0;
        assert!(diagnostics.starts_with("error: Cycle\n"), "{module}{diagnostics}");
    }
    let module = format!(
        "locals {{\n  a = var.w\n}}\n{}variable \"w\" {{\n  default = 1\n}}\n",
        validation("v", "var.v == local.a")
    );
    assert_eq!(evaluated(&format!("@@ main.tf\n{module}")).0, "");
    check(
        "@@ main.tf\nlocals {\n  d = 1\n  a = local.b\n  b = local.a\n  c = local.b\n}\n",
        expect![[r#"
            error: Cycle
             --> main.tf:3:3
              |
            3 |   a = local.b
              |   ^
              |
              = These local values and validations depend on each other: local.a, local.b.

        "#]],
    );
}

#[test]
fn definitions_of_local_values_are_checked() {
    check(
        "@@ main.tf\nlocals {\n  a = 1\n}\nlocals {\n  a = 2\n}\n@@ x_override.tf\nlocals {\n  a = 3\n  b = 1\n}\n",
        expect![[r#"
            error: Duplicate local value definition
             --> main.tf:5:3
              |
            5 |   a = 2
              |   ^
              |
              = A local value named "a" was already defined. Local value names must be unique within a module.

            error: Missing base local value definition to override
             --> x_override.tf:3:3
              |
            3 |   b = 1
              |   ^
              |
              = There is no local value named "b". An override file can only override a local value that was already defined in a primary configuration file.

        "#]],
    );
}
