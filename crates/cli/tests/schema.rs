//! `cargo ferroform schema` as a process: the standard input, and a closed pipe.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::io::Write as _;
use std::process::{Command, Stdio};

/// The schema of a provider with one resource.
const SCHEMA: &str = r#"{
  "format_version": "1.0",
  "provider_schemas": {
    "registry.terraform.io/acme/disk": {
      "provider": { "version": 0, "block": {} },
      "resource_schemas": {
        "disk_volume": {
          "version": 2,
          "block": {
            "attributes": {
              "size": { "type": "number", "required": true },
              "labels": { "type": ["map", "string"], "optional": true, "sensitive": true }
            },
            "block_types": {
              "mount": {
                "nesting_mode": "list",
                "max_items": 2,
                "block": { "attributes": { "path": { "type": "string", "computed": true } } }
              }
            }
          }
        }
      },
      "resource_identity_schemas": {
        "disk_volume": {
          "version": 0,
          "attributes": { "id": { "type": "string", "required_for_import": true } }
        }
      }
    }
  }
}"#;

/// Runs the command with a standard input.
fn run(arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.arg("schema").args(arguments).env("NO_COLOR", "1");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that does not read its input can end before.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn standard_input_is_a_source() {
    let (stdout, stderr, code) = run(&["--tree", "-"], SCHEMA);
    assert_eq!((&*stderr, code), ("", 0));
    expect_test::expect![[r#"
        provider
        resource disk_volume (version 2)
          labels: map(string) (optional, sensitive)
          size: number (required)
          mount: list block, max 2
            path: string (computed)
          identity (version 0)
            id: string (required for import)
    "#]]
    .assert_eq(&stdout);
    let (_, stderr, code) = run(&["--diff", "-", "-"], SCHEMA);
    assert_eq!((&*stderr, code), ("error: only one of the two sources can be the standard input\n", 1));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("schema.json");
    std::fs::write(&file, SCHEMA.replace("acme/disk", "other/disk")).unwrap();
    let (stdout, stderr, _) = run(&["--diff", file.to_str().unwrap(), "-"], SCHEMA);
    let warning = "warning: the schemas have different source addresses: registry.terraform.io/other/disk and registry.terraform.io/acme/disk\n";
    assert_eq!((&*stdout, &*stderr), ("No changes\n", warning));
    let (_, stderr, _) = run(&["-"], "[1]");
    assert!(stderr.starts_with("error: standard input: expected the output of `terraform"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn closed_pipe_is_not_an_error() {
    let program = env!("CARGO_BIN_EXE_cargo-ferroform");
    let script = r#"printf '%s' "$2" | { "$1" schema -; echo "code $?" >&2; } | true"#;
    let output = Command::new("sh").args(["-c", script, "sh", program, SCHEMA]).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "code 0\n");
}
