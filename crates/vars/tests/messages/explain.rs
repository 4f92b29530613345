//! `-explain`.

use expect_test::{Expect, expect};

use crate::{output, report};

fn check(files: &str, expected: Expect) {
    let explanations: String = report(files).explanations.iter().map(ToString::to_string).collect();
    expected.assert_eq(&explanations);
}

const MODULE: &str = r#"@@ main.tf
variable "ports" {
  type = list(object({
    number = number
    open   = optional(bool, false)
    log    = optional(object({ level = optional(string, "info") }), {})
  }))
  validation {
    condition     = alltrue([for it in var.ports : it.number > 0])
    error_message = "Each port must be positive."
  }
  validation {
    condition     = md5(jsonencode(var.ports)) != ""
    error_message = "wrong"
  }
  validation {
    condition     = length(var.ports) > "x"
    error_message = "wrong"
  }
}
variable "size" {
  default  = 1
  nullable = false
}
@@ terraform.tfvars
ports = []
@@ live.auto.tfvars
ports = [{ number = "443", opne = true }, { number = 80, open = null, log = {} }]
size  = null
"#;

#[test]
fn sources_changes_and_validations_are_explained() {
    check(
        &format!("TF_VAR_ports=[]\n-var size=2\n{MODULE}"),
        expect![[r#"
        ports
          source: live.auto.tfvars:1:1
          overrides: terraform.tfvars:1:1, TF_VAR_ports
          converted: var.ports: tuple → list
          converted: var.ports[0].number: string → number
          dropped attribute: var.ports[0].opne
          default: var.ports[0].log
          default: var.ports[0].open
          default: var.ports[1].log.level
          default: var.ports[1].open
          validation main.tf:7:3: passed
          validation main.tf:11:3: not evaluated: it calls md5
          validation main.tf:15:3: invalid
        size
          source: -var size
          overrides: live.auto.tfvars:2:1
    "#]],
    );
    check(
        &format!("TF_VAR_size=3\n{}", MODULE.replace("number = \"443\"", "number = -1")),
        expect![[r#"
        ports
          source: live.auto.tfvars:1:1
          overrides: terraform.tfvars:1:1
          converted: var.ports: tuple → list
          dropped attribute: var.ports[0].opne
          default: var.ports[0].log
          default: var.ports[0].open
          default: var.ports[1].log.level
          default: var.ports[1].open
          validation main.tf:7:3: failed
          validation main.tf:11:3: not evaluated: it calls md5
          validation main.tf:15:3: invalid
        size
          source: live.auto.tfvars:2:1
          overrides: TF_VAR_size
          null is replaced by the default
    "#]],
    );
}

#[test]
fn conversions_follow_the_final_type() {
    check(
        r#"@@ main.tf
variable "any" {
  type    = list(any)
  default = [1, "a", null]
}
variable "map" {
  type    = map(object({ a = optional(number, 1) }))
  default = { "x y" = {}, z = { a = "2" } }
}
variable "nested_sets" {
  type    = set(set(object({ a = optional(string, "x") })))
  default = [[{}, { a = "x" }], [{ a = "x" }]]
}
variable "null" {
  type    = object({ a = optional(string, "x") })
  default = null
}
variable "tuple" {
  type    = tuple([string, object({ a = optional(bool, true) })])
  default = [1, {}]
}
variable "untyped" {
  default = { a = [1] }
}
"#,
        expect![[r#"
            any
              source: default (main.tf:3:13)
              converted: var.any: tuple → list
              converted: var.any[0]: number → string
            map
              source: default (main.tf:7:13)
              converted: var.map: object → map
              default: var.map["x y"].a
              converted: var.map["z"].a: string → number
            nested_sets
              source: default (main.tf:11:13)
              converted: var.nested_sets: tuple → set
              converted: var.nested_sets[0]: tuple → set
              default: var.nested_sets[0][0].a
              dropped duplicates: var.nested_sets[0]: 1
              converted: var.nested_sets[1]: tuple → set
              dropped duplicates: var.nested_sets: 1
            null
              source: default (main.tf:15:13)
            tuple
              source: default (main.tf:19:13)
              converted: var.tuple[0]: number → string
              default: var.tuple[1].a
            untyped
              source: default (main.tf:22:13)
        "#]],
    );
}

#[test]
fn json_and_overrides_are_explained() {
    check(
        r#"@@ main.tf.json
{"variable": {"a": {"type": "set(string)", "default": ["b", "b"]}, "b": {"type": "number"}}}
@@ override.tf
variable "a" {
  default = [1]
}
@@ terraform.tfvars.json
{"b": "2"}
"#,
        expect![[r#"
            a
              source: default (override.tf:2:13)
              converted: var.a: tuple → set
              converted: var.a[0]: number → string
            b
              source: terraform.tfvars.json:1:2
              converted: var.b: string → number
        "#]],
    );
}

#[test]
fn variables_without_valid_value_have_a_source() {
    check(
        r#"-var wrong=x
@@ main.tf
variable "missing" {}
variable "wrong" {
  type = number
  validation {
    condition     = var.wrong > 1
    error_message = "wrong"
  }
}
"#,
        expect![[r#"
            missing
              source: none
            wrong
              source: -var wrong
              validation main.tf:4:3: not evaluated: the variable has no valid value
        "#]],
    );
}

#[test]
fn number_of_changes_is_limited() {
    let elements = "\"1\", ".repeat(300);
    let files =
        format!("@@ main.tf\nvariable \"a\" {{\n  type = list(number)\n  default = [{elements}]\n}}\n");
    let report = report(&files);
    assert_eq!((report.explanations[0].changes.len(), report.explanations[0].more_changes), (200, 101));
    assert!(report.explanations[0].to_string().ends_with("  … and 101 more changes\n"));
}

#[test]
fn explanations_are_printed_as_json() {
    let (code, stdout, stderr) = output(MODULE, &["-explain", "-json"]);
    assert_eq!(code, 1, "{stderr}");
    expect![[r#"
        {
          "ports": {
            "changes": [
              {
                "change": "converted",
                "from": "tuple",
                "path": "var.ports",
                "to": "list"
              },
              {
                "change": "converted",
                "from": "string",
                "path": "var.ports[0].number",
                "to": "number"
              },
              {
                "change": "dropped_attribute",
                "path": "var.ports[0].opne"
              },
              {
                "change": "default",
                "path": "var.ports[0].log"
              },
              {
                "change": "default",
                "path": "var.ports[0].open"
              },
              {
                "change": "default",
                "path": "var.ports[1].log.level"
              },
              {
                "change": "default",
                "path": "var.ports[1].open"
              }
            ],
            "more_changes": 0,
            "overrides": [
              "terraform.tfvars:1:1"
            ],
            "replaces_null": false,
            "source": "live.auto.tfvars:1:1",
            "validations": [
              {
                "at": "main.tf:7:3",
                "reason": null,
                "result": "passed"
              },
              {
                "at": "main.tf:11:3",
                "reason": "it calls md5",
                "result": "not evaluated"
              },
              {
                "at": "main.tf:15:3",
                "reason": null,
                "result": "invalid"
              }
            ]
          },
          "size": {
            "changes": [],
            "more_changes": 0,
            "overrides": [],
            "replaces_null": true,
            "source": "live.auto.tfvars:2:1",
            "validations": []
          }
        }
    "#]]
    .assert_eq(&stdout);
    let (_, text, _) = output(MODULE, &["-explain"]);
    assert!(text.starts_with("ports\n  source: live.auto.tfvars:1:1\n"), "{text}");
}
