//! Sensitive values are not printed.

use expect_test::expect;

use ferroform_vars::Format;

use crate::{check, output, report};

/// Checks that no format, no explanation and no table contains the sensitive value.
fn check_is_redacted(files: &str) {
    let report = report(files);
    let formats = [Format::Text, Format::Json, Format::Sarif, Format::Github, Format::Junit];
    let mut printed: Vec<String> = formats.map(|it| report.diagnostics_as(it)).into();
    printed.extend([report.to_text(), report.to_json()]);
    printed.extend(report.explanations.iter().map(ToString::to_string));
    for args in [&["-table"][..], &["-table-check=README.md"], &["-explain"], &["-explain", "-json"]] {
        let (_, stdout, stderr) = output(files, args);
        printed.extend([stdout, stderr]);
    }
    for output in printed {
        assert!(!output.contains("hunter2"), "{output}");
    }
}

/// No output contains the sensitive value.
#[test]
fn sensitive_values_are_never_printed() {
    let module = r#"@@ main.tf
variable "secret" {
  type      = map(number)
  sensitive = true
  validation {
    condition     = length(var.secret) > 5
    error_message = "It is ${jsonencode(var.secret)}."
  }
}
variable "temporary" {
  default   = "hunter2"
  ephemeral = true
}
variable "n" {
  type    = number
  default = 1
}
"#;
    let inputs = [
        "@@ terraform.tfvars\nsecret = { hunter2 = \"hunter2\" }\n",
        "@@ terraform.tfvars\nsecret = { hunter2 = 2 }\n",
        "@@ terraform.tfvars\nsecret = { hunter2 = f(\"hunter2\") }\n",
        "@@ terraform.tfvars\nsecert = \"hunter2\"\n",
        "@@ terraform.tfvars\nsecret = \"hunter2\n",
        "@@ terraform.tfvars\nsecret { a = \"hunter2\" }\n",
        "@@ terraform.tfvars.json\n{\"secret\": \"hunter2\", \"n\": \"x\", \"m\": 1}\n",
        "@@ terraform.tfvars.json\n{\"secret\": \"hunter2\", \"n\" \"x\"}\n",
        "@@ terraform.tfvars.json\n[\"hunter2\"]\n",
        "@@ terraform.tfvars.json\n{\"secret\": hunter2}\n",
        "@@ override.tf\nvariable \"secret\" {\n  default = hunter2\n}\n",
        "@@ override.tf\nvariable \"secret\" {\n  default = { hunter2 = \"hunter2\" }\n}\n",
    ];
    for input in inputs {
        check_is_redacted(&format!("{module}{input}"));
    }
    for input in [
        "-var secret=hunter2",
        "TF_VAR_secret={ hunter2 = [] }",
        "-var secret={ a = \"hunter2\" ]",
        "-var secert=hunter2",
    ] {
        check_is_redacted(&format!("{input}\n{module}"));
    }
    for module in [
        "variable \"a\" {\n  type = object({ b = optional(string, \"hunter2\") })\n  default = {}\n  sensitive = true\n}\n",
        "variable \"a\" {\n  type = object({ b = string })\n  default = { b = 1, hunter2 = 1 }\n  ephemeral = true\n}\n",
        "variable \"a\" {\n  type = set(string)\n  default = [\"hunter2\"]\n}\n@@ override.tf\nvariable \"a\" {\n  sensitive = true\n}\n",
    ] {
        check_is_redacted(&format!("@@ main.tf\n{module}"));
    }
    check(
        &format!("-var secret={{ hunter2 = 2 }}\n{module}"),
        expect![[r#"
            error: Invalid value for variable
            --> -var secret:1:1
             = The line is not shown because it may contain a sensitive value.
             = The error message of the validation is not shown because it could reveal a sensitive value.
             = The validation at main.tf:4:3 rejects the value of var.secret.

        "#]],
    );
    check(
        &format!("-var secret=hunter2\n{module}"),
        expect![[r#"
            error: Variables not allowed
            --> -var secret:1:1
             = The line is not shown because it may contain a sensitive value.
             = The value is not valid. Details are not shown because they could reveal a sensitive value.

        "#]],
    );
}

#[test]
fn default_of_a_sensitive_variable_is_masked_after_an_override() {
    check(
        "@@ main.tf\nvariable \"a\" {\n  default   = \"hush\"\n  sensitive = true\n}\n@@ override.tf\nvariable \"a\" {\n  type = number\n}\n",
        expect![[r#"
            error: Invalid default value for variable
             --> override.tf:1:1
              |
            1 | variable "a" {
              | ^^^^^^^^^^^^
              |
              = Overriding this variable's type constraint has made its default value invalid.

        "#]],
    );
}

/// A flag that cannot be evaluated may be intended to be true.
#[test]
fn default_is_redacted_if_sensitive_flag_is_invalid() {
    let flags = "\"sensitive\": {\"a\": 1, \"a\": 2}";
    check_is_redacted(&format!(
        "@@ main.tf.json\n{{\"variable\": {{\"t\": {{\"type\": \"number\", {flags}, \"default\": \"hunter2\"}}}}}}\n"
    ));
    check_is_redacted(
        "@@ main.tf\nvariable \"t\" {\n  type = number\n  sensitive = f()\n  default = \"hunter2\"\n}\n",
    );
}
