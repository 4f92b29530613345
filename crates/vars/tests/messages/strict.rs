//! `--strict`, and undeclared object attributes.

use expect_test::expect;

use crate::{check, evaluated};

const MODULE: &str = r#"@@ main.tf
variable "servers" {
  type = list(object({ name = string, port = optional(number, 80), tags = optional(map(object({ v = string })), {}) }))
}
@@ terraform.tfvars
servers = [
  { name = "a", prot = 443 },
  { name = "b", port = 80, zone = "x", tags = { x = { v = "1", w = "2" } } },
]
"#;

#[test]
fn undeclared_object_attributes_are_warnings() {
    check(
        MODULE,
        expect![[r#"
            warning: Undeclared object attribute
             --> terraform.tfvars:2:24
              |
            2 |   { name = "a", prot = 443 },
              |                        ^^^
              |
              = The type of var.servers[0] has no attribute "prot", so the attribute is ignored. Did you mean "port"?

            warning: Undeclared object attribute
             --> terraform.tfvars:3:68
              |
            3 |   { name = "b", port = 80, zone = "x", tags = { x = { v = "1", w = "2" } } },
              |                                                                    ^^^
              |
              = The type of var.servers[1].tags["x"] has no attribute "w", so the attribute is ignored.

            warning: Undeclared object attribute
             --> terraform.tfvars:3:35
              |
            3 |   { name = "b", port = 80, zone = "x", tags = { x = { v = "1", w = "2" } } },
              |                                   ^^^
              |
              = The type of var.servers[1] has no attribute "zone", so the attribute is ignored.

        "#]],
    );
    let json = MODULE.replace("terraform.tfvars", "terraform.tfvars.json");
    let (start, _) = json.split_once("servers = [").unwrap();
    let json = format!("{start}{{\"servers\": [{{\"name\": \"a\", \"prot\": 443}}]}}\n");
    assert!(evaluated(&json).0.contains("Did you mean \"port\"?"));
    let option = "-var servers=[{ name = \"a\", prot = 443 }]\n@@ main.tf\nvariable \"servers\" {\n  type = list(object({ name = string, port = optional(number) }))\n}\n";
    assert!(evaluated(option).0.contains("-var servers:1:23"));
    // The values of a sensitive variable, and the names of its attributes, are not printed.
    let sensitive = MODULE.replace("variable \"servers\" {", "variable \"servers\" {\n  sensitive = true");
    check(
        &sensitive,
        expect![[r#"
            warning: Undeclared object attribute
            --> terraform.tfvars:2:24
             = The line is not shown because it may contain a sensitive value.
             = The type of var.servers[0] does not have this attribute, so the attribute is ignored.

            warning: Undeclared object attribute
            --> terraform.tfvars:3:68
             = The line is not shown because it may contain a sensitive value.
             = The type of var.servers[1].tags[…] does not have this attribute, so the attribute is ignored.

            warning: Undeclared object attribute
            --> terraform.tfvars:3:35
             = The line is not shown because it may contain a sensitive value.
             = The type of var.servers[1] does not have this attribute, so the attribute is ignored.

        "#]],
    );
}

#[test]
fn strict_option_makes_warnings_and_notes_errors() {
    let module = r#"@@ main.tf
variable "region" {
  type       = object({ name = string })
  deprecated = "Use zone."
  validation {
    condition     = md5(var.region.name) != ""
    error_message = "wrong"
  }
}
@@ terraform.tfvars
region = { name = "eu", nmae = "x" }
regoin = 1
"#;
    let files = format!("TF_VAR_reigon=1\n{module}");
    let (lenient, values) = evaluated(&files);
    assert_eq!(
        (lenient.matches("error: ").count(), values.as_str()),
        (0, "region = {\n  \"name\" = \"eu\"\n}\n")
    );
    let (strict, _) = evaluated(&format!("-strict\n{files}"));
    let summaries: Vec<&str> = strict.lines().filter_map(|it| it.strip_prefix("error: ")).collect();
    assert_eq!(
        summaries,
        [
            "Value for undeclared variable",
            "Value for undeclared variable",
            "Deprecated variable got a value",
            "Undeclared object attribute",
            "Validation not evaluated",
        ]
    );
    assert!(!strict.contains("warning: ") && !strict.contains("note: "));
}

/// Each option applies to some of the warnings and notes.
#[test]
fn options_make_some_warnings_errors() {
    let files = r#"TF_VAR_reigon=1
@@ main.tf
variable "region" {
  type       = object({ name = string })
  deprecated = "Use zone."
  validation {
    condition     = md5(var.region.name) != ""
    error_message = "wrong"
  }
  validation {
    condition     = mdfive(var.region.name) != ""
    error_message = "wrong"
  }
}
@@ terraform.tfvars
region = { name = "eu", nmae = "x" }
regoin = 1
"#;
    for (option, expected) in [
        ("undeclared", &["Value for undeclared variable", "Value for undeclared variable"][..]),
        ("unevaluated", &["Call to unknown function", "Validation not evaluated"]),
        ("warnings", &["Deprecated variable got a value", "Undeclared object attribute"]),
    ] {
        let (diagnostics, _) = evaluated(&format!("-{option}-as-errors\n{files}"));
        let errors: Vec<&str> = diagnostics.lines().filter_map(|it| it.strip_prefix("error: ")).collect();
        assert_eq!(errors, expected, "{option}");
    }
}
