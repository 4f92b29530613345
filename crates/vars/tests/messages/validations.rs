//! The variable, the element and the location in errors about values.

use expect_test::expect;

use crate::{check, evaluated};

#[test]
fn all_errors_of_a_value_are_reported() {
    check(
        r#"@@ main.tf
variable "servers" {
  type = list(object({
    name = string
    port = number
    tags = optional(map(number), {})
    pair = optional(tuple([string, bool]))
  }))
}
@@ terraform.tfvars
servers = [
  { name = [], port = "http" },
  { name = "b" },
  { name = "c", port = 1, tags = { x = "one", y = 2, z = {} } },
  { name = "d", port = 1, pair = ["x"] },
  "e",
]
"#,
        expect![[r#"
            error: Invalid value for input variable
             --> terraform.tfvars:2:12
              |
            2 |   { name = [], port = "http" },
              |            ^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[0].name: string required, but have tuple.

            error: Invalid value for input variable
             --> terraform.tfvars:2:23
              |
            2 |   { name = [], port = "http" },
              |                       ^^^^^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[0].port: a number is required.

            error: Invalid value for input variable
             --> terraform.tfvars:3:3
              |
            3 |   { name = "b" },
              |   ^^^^^^^^^^^^^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[1]: attribute "port" is required.

            error: Invalid value for input variable
             --> terraform.tfvars:4:40
              |
            4 |   { name = "c", port = 1, tags = { x = "one", y = 2, z = {} } },
              |                                        ^^^^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[2].tags["x"]: a number is required.

            error: Invalid value for input variable
             --> terraform.tfvars:4:58
              |
            4 |   { name = "c", port = 1, tags = { x = "one", y = 2, z = {} } },
              |                                                          ^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[2].tags["z"]: number required, but have object.

            error: Invalid value for input variable
             --> terraform.tfvars:5:34
              |
            5 |   { name = "d", port = 1, pair = ["x"] },
              |                                  ^^^^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[3].pair: tuple of 2 elements required, but have 1.

            error: Invalid value for input variable
             --> terraform.tfvars:6:3
              |
            6 |   "e",
              |   ^^^
              |
              = The value is not compatible with the variable's type constraint: var.servers[4]: object required, but have string.

        "#]],
    );
}

/// A message about a sensitive value contains the missing attribute or the required type, but no part of the value.
#[test]
fn errors_about_sensitive_values_name_the_type() {
    check(
        r#"@@ main.tf
variable "secret" {
  type      = map(object({ password = string, port = number }))
  sensitive = true
}
@@ terraform.tfvars
secret = { hunter2 = { password = "hunter2" }, hunter3 = { password = "x", port = "hunter2" } }
"#,
        expect![[r#"
            error: Invalid value for input variable
            --> terraform.tfvars:1:22
             = The line is not shown because it may contain a sensitive value.
             = The value is not compatible with the variable's type constraint: var.secret[…]: attribute "port" is required.

            error: Invalid value for input variable
            --> terraform.tfvars:1:83
             = The line is not shown because it may contain a sensitive value.
             = The value is not compatible with the variable's type constraint: var.secret[…].port: a number is required.

        "#]],
    );
}

#[test]
fn rejected_elements_have_a_location() {
    check(
        r#"-var sizes={ a = 1, b = 9 }
TF_VAR_names=["ok", "No"]
@@ main.tf
variable "sizes" {
  type = map(number)
  validation {
    condition     = alltrue([for key, size in var.sizes : size < 5])
    error_message = "Each size must be less than 5."
  }
}
variable "names" {
  type = list(string)
  validation {
    condition     = length([for it in var.names : it if it != lower(it)]) == 0
    error_message = "Names are in lower case."
  }
}
variable "groups" {
  type = list(object({ ports = list(number) }))
  validation {
    condition     = var.groups == null || alltrue([for group in var.groups : alltrue([for it in group.ports : it > 0])])
    error_message = "Each port must be positive."
  }
}
variable "set" {
  type = set(string)
  validation {
    condition     = length(var.set) < 5 && (alltrue([for it in var.set : it != "x"]))
    error_message = "The element x is not allowed."
  }
}
variable "unset" {
  default = "a default"
  validation {
    condition     = length(var.unset) > 20
    error_message = "Too short."
  }
}
variable "secret" {
  type      = map(string)
  sensitive = true
  validation {
    condition     = alltrue([for it in var.secret : it == ""])
    error_message = "Empty."
  }
}
@@ terraform.tfvars
groups = [
  { ports = [1] },
  { ports = [2, -3, -4] },
]
set    = ["y", "x"]
secret = { hunter2 = "hunter3" }
"#,
        expect![[r#"
            error: Invalid value for variable
             --> terraform.tfvars:3:17
              |
            3 |   { ports = [2, -3, -4] },
              |                 ^^
              |
              = Each port must be positive.
              = The validation at main.tf:17:3 rejects var.groups[1].ports[1] and var.groups[1].ports[2].

            error: Invalid value for variable
             --> TF_VAR_names:1:8
              |
            1 | ["ok", "No"]
              |        ^^^^
              |
              = Names are in lower case.
              = The validation at main.tf:10:3 rejects var.names[1].

            error: Invalid value for variable
            --> terraform.tfvars:6:22
             = The line is not shown because it may contain a sensitive value.
             = Empty.
             = The validation at main.tf:39:3 rejects var.secret[…].

            error: Invalid value for variable
             --> terraform.tfvars:5:10
              |
            5 | set    = ["y", "x"]
              |          ^^^^^^^^^^
              |
              = The element x is not allowed.
              = The validation at main.tf:24:3 rejects the element "x" of var.set.

            error: Invalid value for variable
             --> -var sizes:1:14
              |
            1 | { a = 1, b = 9 }
              |              ^
              |
              = Each size must be less than 5.
              = The validation at main.tf:3:3 rejects var.sizes["b"].

            error: Invalid value for variable
              --> main.tf:30:13
               |
            30 |   default = "a default"
               |             ^^^^^^^^^^^
               |
               = Too short.
               = The validation at main.tf:31:3 rejects the value of var.unset.

        "#]],
    );
}

#[test]
fn errors_of_operations_on_null_mention_null() {
    check(
        r#"@@ main.tf
variable "a" {
  type    = object({ b = list(string) })
  default = null
  validation {
    condition     = alltrue([for it in var.a : true])
    error_message = "wrong"
  }
  validation {
    condition     = var.a.b == "x"
    error_message = "wrong"
  }
  validation {
    condition     = "%{ for it in var.a }%{ endfor }" == "${var.a["b"]}"
    error_message = "wrong"
  }
}
"#,
        expect![[r#"
            error: Iteration over null value
             --> main.tf:5:40
              |
            5 |     condition     = alltrue([for it in var.a : true])
              |                                        ^^^^^
              |
              = A null value cannot be iterated over.

            error: Attempt to get attribute from null value
             --> main.tf:9:27
              |
            9 |     condition     = var.a.b == "x"
              |                           ^
              |
              = The value is null, so it does not have the attribute "b".

            error: Iteration over null value
              --> main.tf:13:35
               |
            13 |     condition     = "%{ for it in var.a }%{ endfor }" == "${var.a["b"]}"
               |                                   ^^^^^
               |
               = A null value cannot be iterated over.

            error: Attempt to index null value
              --> main.tf:13:67
               |
            13 |     condition     = "%{ for it in var.a }%{ endfor }" == "${var.a["b"]}"
               |                                                                   ^^^
               |
               = The value is null, so it does not have any elements.

        "#]],
    );
}

#[test]
fn validations_refer_to_local_values() {
    let files = r#"@@ main.tf
locals {
  sizes  = concat(local.small, ["large"])
  small  = ["tiny", "small"]
  hidden = "x${var.secret}"
  remote = data.http.this.body
}
variable "secret" {
  default   = "hunter2"
  sensitive = true
}
variable "size" {
  validation {
    condition     = contains(local.sizes, var.size)
    error_message = "The size is one of ${join(", ", local.sizes)}."
  }
  validation {
    condition     = local.remote == var.size
    error_message = "wrong"
  }
  validation {
    condition     = var.size == "x"
    error_message = "The secret is ${local.hidden}."
  }
  validation {
    condition     = var.size != local.missing
    error_message = "wrong"
  }
}
@@ a.tf.json
{"locals": {"least": 5, "text": "a ${1 + 1}"}}
@@ b.tf
variable "other" {
  default = 1
  validation {
    condition     = var.other > local.least && local.text == "a 2"
    error_message = "The least is ${local.least}."
  }
}
@@ terraform.tfvars
size = "medium"
"#;
    assert!(!evaluated(files).0.contains("hunter2"));
    check(
        files,
        expect![[r#"
            error: Reference to undeclared local value
              --> main.tf:25:21
               |
            25 |     condition     = var.size != local.missing
               |                     ^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = A local value with the name "missing" has not been declared.

            error: Invalid value for variable
             --> b.tf:2:13
              |
            2 |   default = 1
              |             ^
              |
              = The least is 5.
              = The validation at b.tf:3:3 rejects the value of var.other.

            error: Invalid value for variable
             --> terraform.tfvars:1:8
              |
            1 | size = "medium"
              |        ^^^^^^^^
              |
              = The size is one of tiny, small, large.
              = The validation at main.tf:12:3 rejects the value of var.size.

            error: Invalid value for variable
             --> terraform.tfvars:1:8
              |
            1 | size = "medium"
              |        ^^^^^^^^
              |
              = The error message of the validation is not shown because it could reveal a sensitive value.
              = The validation at main.tf:20:3 rejects the value of var.size.

            note: Validation not evaluated
              --> main.tf:16:3
               |
            16 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "size" was not evaluated: it refers to local.remote.

            note: Validation not evaluated
              --> main.tf:24:3
               |
            24 |   validation {
               |   ^^^^^^^^^^
               |
               = A validation of variable "size" was not evaluated: it refers to local.missing.

        "#]],
    );
}

/// As in Terraform, the errors of both operands are reported.
#[test]
fn errors_of_both_operands_are_reported() {
    check(
        r#"@@ main.tf
variable "limits" {
  type    = object({ min = number, max = number })
  default = null
}
variable "size" {
  type    = number
  default = null
}
variable "count_of_nodes" {
  default = 1
  validation {
    condition     = var.count_of_nodes > var.limits.min + var.limits.max
    error_message = "Too large."
  }
  validation {
    condition     = var.count_of_nodes == 1 && (var.size > 0 || var.size < 5)
    error_message = "Too large."
  }
  validation {
    condition     = var.count_of_nodes > var.size + var.size
    error_message = "Too large."
  }
  validation {
    condition     = var.count_of_nodes > "a" + (null < "b") + "c"
    error_message = "Too large."
  }
}
"#,
        expect![[r#"
            error: Attempt to get attribute from null value
              --> main.tf:12:53
               |
            12 |     condition     = var.count_of_nodes > var.limits.min + var.limits.max
               |                                                     ^^^
               |
               = The value is null, so it does not have the attribute "min".

            error: Attempt to get attribute from null value
              --> main.tf:12:70
               |
            12 |     condition     = var.count_of_nodes > var.limits.min + var.limits.max
               |                                                                      ^^^
               |
               = The value is null, so it does not have the attribute "max".

            error: Operation failed
              --> main.tf:16:49
               |
            16 |     condition     = var.count_of_nodes == 1 && (var.size > 0 || var.size < 5)
               |                                                 ^^^^^^^^^^^^
               |
               = The operation failed: an operand is null.

            error: Operation failed
              --> main.tf:16:65
               |
            16 |     condition     = var.count_of_nodes == 1 && (var.size > 0 || var.size < 5)
               |                                                                 ^^^^^^^^^^^^
               |
               = The operation failed: an operand is null.

            error: Operation failed
              --> main.tf:20:42
               |
            20 |     condition     = var.count_of_nodes > var.size + var.size
               |                                          ^^^^^^^^^^^^^^^^^^^
               |
               = The operation failed: an operand is null.

            error: Invalid operand
              --> main.tf:24:42
               |
            24 |     condition     = var.count_of_nodes > "a" + (null < "b") + "c"
               |                                          ^^^
               |
               = The operand is not suitable: a number is required.

            error: Invalid operand
              --> main.tf:24:56
               |
            24 |     condition     = var.count_of_nodes > "a" + (null < "b") + "c"
               |                                                        ^^^
               |
               = The operand is not suitable: a number is required.

            error: Invalid operand
              --> main.tf:24:63
               |
            24 |     condition     = var.count_of_nodes > "a" + (null < "b") + "c"
               |                                                               ^^^
               |
               = The operand is not suitable: a number is required.

        "#]],
    );
}
