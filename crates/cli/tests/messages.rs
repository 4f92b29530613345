//! What is said about modules and values that are wrong.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use cargo_ferroform::vars::{Request, Setting, answer};
use expect_test::{Expect, expect};

static NEXT: AtomicUsize = AtomicUsize::new(0);

/// A line `@@ name` begins a file; `TF_VAR_…=` and `-var …=` stand before the first one.
fn said(text: &str) -> (String, String) {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("ferroform-messages-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut request = Request { folder: folder.clone(), ..Request::default() };
    let mut file: Option<(PathBuf, String)> = None;
    for line in text.split_inclusive('\n') {
        let words = line.trim_end();
        if let Some(name) = words.strip_prefix("@@ ") {
            if let Some((name, text)) = file.replace((folder.join(name), String::new())) {
                fs::write(name, text).unwrap();
            }
        } else if let Some((_, text)) = &mut file {
            text.push_str(line);
        } else if let Some((name, value)) = words.trim_start_matches("-var ").split_once('=') {
            let (name, value) = (name.to_owned(), value.to_owned());
            if words.starts_with("-var ") {
                request.options.push(Setting::Value { name, value });
            } else {
                request.environment.push((name.into(), value.into()));
            }
        }
    }
    if let Some((name, text)) = file {
        fs::write(name, text).unwrap();
    }
    let it = answer(&request);
    fs::remove_dir_all(&folder).unwrap();
    (it.said.replace(&folder.display().to_string(), "FOLDER"), it.to_text())
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&said(text).0);
}

#[test]
fn declarations() {
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
        expect![[]],
    );
}

#[test]
fn validations() {
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
    error_message = "It is ${formatdate("x", var.size)}."
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
    condition     = can(regex("\\p{Greek}", var.size))
    error_message = "Not there."
  }
}
"#,
        expect![[]],
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
        expect![[]],
    );
}

#[test]
fn values() {
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
        expect![[]],
    );
}

#[test]
fn files_of_values() {
    let module = "@@ main.tf\nvariable \"a\" { default = 1 }\n";
    check(&format!("{module}@@ terraform.tfvars\na = [1\nb = 2\n"), expect![[]]);
    check(&format!("{module}@@ terraform.tfvars\na = 1\na = 2\n"), expect![[]]);
    check(&format!("{module}@@ terraform.tfvars\nvariable \"a\" {{\n}}\nfoo {{\n}}\n"), expect![[]]);
    check(&format!("{module}@@ terraform.tfvars\na = upper(\"é\")\n"), expect![[]]);
    check(&format!("{module}@@ terraform.tfvars.json\n{{\"a\": 1,\n \"b\" 2}}\n"), expect![[]]);
    check(&format!("{module}@@ terraform.tfvars.json\n{{\"a\": yes}}\n"), expect![[]]);
    check(&format!("{module}@@ terraform.tfvars.json\n[]\n"), expect![[]]);
    check(
        &format!("{module}@@ terraform.tfvars.json\n{{\"a\": 1, \"a\": {{\"b\": 1, \"b\": 2}}}}\n"),
        expect![[]],
    );
    check(&format!("{module}@@ terraform.tfvars.json\n{{\"a\": {{\"b\": 1, \"b\": 2}}}}\n"), expect![[]]);
}

#[test]
fn modules() {
    check("", expect![[]]);
    check("@@ main.tf\nvariable \"a\" { default = [1 }\n", expect![[]]);
    check("@@ main.tf\nvariable \"a\" {\n  default = 1\n", expect![[]]);
    check("@@ main.tf\nvariable \"a\" { validation { } }\n", expect![[]]);
    check("@@ main.tf\nvariable \"a\" { default = 1, type = number }\n", expect![[]]);
    check("@@ main.tf\nvariable = \n", expect![[]]);
    check("@@ main.tf\nvariable \"a${1}\" {}\n", expect![[]]);
    check(
        "@@ main.tf\nvariable \"a\" {\n  type    = string\n  default = \"x\"\n}\n@@ override.tf\nvariable \"a\" {\n  type = number\n}\nvariable \"aa\" {\n}\n@@ b_override.tf\nvariable \"a\" {\n  validation {\n    condition     = var.a\n    error_message = \"x\"\n  }\n}\n",
        expect![[]],
    );
    check(
        "@@ main.tf.json\n{\n  \"variable\": {\n    \"a\": {\"type\": \"strng\", \"defualt\": 1, \"default\": {}},\n    \"b\": {\"type\": [], \"default\": 1, \"default\": 2, \"sensitive\": 5},\n    \"c\": 1,\n    \"d\": {\"default\": 1, \"validation\": {\"condition\": \"${var.d > 1}\", \"error_message\": \"It is ${var.d}.\"}},\n    \"e\": {\"default\": 1, \"validation\": [{\"condition\": \"${var.e >\", \"message\": \"x\"}]}\n  },\n  \"varable\": {}\n}\n",
        expect![[]],
    );
}

/// No text anywhere holds the secret, whatever is wrong.
#[test]
fn secrets_are_never_shown() {
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
    ];
    for input in inputs {
        let (said, shown) = said(&format!("{module}{input}"));
        assert!(!said.contains("hunter2") && !shown.contains("hunter2"), "{said}{shown}");
    }
    for input in [
        "-var secret=hunter2",
        "TF_VAR_secret={ hunter2 = [] }",
        "-var secret={ a = \"hunter2\" ]",
        "-var secert=hunter2",
    ] {
        let (said, shown) = said(&format!("{input}\n{module}"));
        assert!(!said.contains("hunter2") && !shown.contains("hunter2"), "{said}{shown}");
    }
    check(&format!("-var secret={{ hunter2 = 2 }}\n{module}"), expect![[]]);
    check(&format!("-var secret=hunter2\n{module}"), expect![[]]);
}
