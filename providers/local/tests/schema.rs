//! `cargo ferroform schema`: the schema of this provider, and the changes between two versions of it.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::io::{self, ErrorKind};

use cargo_ferroform::Output;
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-local");

/// Its transcripts are the output of these tests.
const GUIDE: &str = include_str!("../../../docs/schema-command.md");

fn schema(arguments: &[&str]) -> Output {
    let arguments = ["schema"].iter().chain(arguments).map(Into::into).collect();
    cargo_ferroform::run(arguments, Vec::new())
}

/// The schema of the provider in JSON.
fn json() -> Value {
    let output = schema(&[BINARY]);
    assert_eq!((&*output.stderr, output.code), ("", 0));
    serde_json::from_str(&output.stdout).unwrap()
}

/// A version of the provider in which the filename is optional, the ID is a number, and other objects exist.
fn old_version() -> tempfile::NamedTempFile {
    let mut schemas = json();
    let provider = &mut schemas["provider_schemas"]["local"];
    let attributes = &mut provider["resource_schemas"]["local_file"]["block"]["attributes"];
    attributes["filename"] = json!({ "type": "string", "optional": true });
    attributes["id"] = json!({ "type": ["list", "string"], "computed": true });
    attributes.as_object_mut().unwrap().remove("source");
    provider["resource_schemas"]["local_directory"] = json!({ "version": 0, "block": {} });
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, schemas.to_string()).unwrap();
    file
}

#[test]
fn json_is_that_of_terraform() {
    let schemas = json();
    assert_eq!(schemas["format_version"], "1.0");
    let provider = &schemas["provider_schemas"]["local"];
    let attribute = &provider["resource_schemas"]["local_file"]["block"]["attributes"]["filename"];
    assert_eq!((&attribute["type"], &attribute["required"]), (&json!("string"), &json!(true)));
    assert_eq!(provider["functions"]["direxists"]["return_type"], "bool");
    assert!(provider["action_schemas"]["local_command"]["block"].is_object());

    // The output is also an input, and stable.
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, schemas.to_string()).unwrap();
    let path = file.path().to_str().unwrap();
    assert_eq!(schema(&[path]).stdout, schema(&[BINARY]).stdout);
    assert_eq!(schema(&["--diff", path, BINARY]).stdout, "No changes\n");
    let address = "registry.terraform.io/hashicorp/local";
    let output = schema(&["--provider", address, BINARY]);
    assert!(output.stdout.contains(&format!("{address:?}: {{")), "{}", output.stdout);
}

#[test]
fn tree_has_a_line_for_each_attribute() {
    let output = schema(&["--tree", BINARY]);
    assert_eq!((&*output.stderr, output.code), ("", 0));
    let start = output.stdout.find("ephemeral resource local_command").unwrap();
    assert!(GUIDE.contains(&output.stdout[start..]), "the guide shows {}", &output.stdout[start..]);
}

#[test]
fn changes_have_effects_and_exit_codes() {
    let old = old_version();
    let old = old.path().to_str().unwrap();
    let output = schema(&["--diff", old, BINARY]);
    assert_eq!((&*output.stderr, output.code), ("", 1));
    assert!(GUIDE.contains(&output.stdout), "the guide shows {}", output.stdout);
    let output = schema(&["--diff", old, "--markdown", BINARY]);
    assert!(GUIDE.contains(&output.stdout), "the guide shows {}", output.stdout);
    let output = schema(&["--diff", old, "--json", BINARY]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["changes"][0]["verdict"], "breaking");

    assert_eq!(schema(&["--diff", old, "--fail-on", "never", BINARY]).code, 0);
    assert_eq!(schema(&["--diff", old, "--fail-on", "any", old]).code, 0);
    let same = schema(&["--diff", BINARY, "--fail-on", "any", old]);
    assert_eq!(same.code, 1);
}

#[test]
fn invalid_sources_are_errors() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let check = |content: &str, expected: &str| {
        fs::write(&file, content).unwrap();
        let output = schema(&[path]);
        assert_eq!(output.code, 1);
        assert!(output.stderr.starts_with(&format!("error: {path}: {expected}")), "{}", output.stderr);
    };
    check("{\"provider_schemas\": 1}", "expected the output of `terraform providers schema -json`");
    check(
        "{\"format_version\": \"2.0\"}",
        "expected the output of `terraform providers schema -json`, but it is invalid: the format version 1.x is required, but got \"2.0\"",
    );
    check("{\"format_version\": \"1.0\"}", "no provider found");
    check(
        "{\"format_version\": \"1.0\", \"provider_schemas\": {\"x/a\": {}, \"x/b\": {}}}",
        "set --provider to one of: x/a, x/b",
    );
    assert_eq!(schema(&["--provider", "x/b", "--tree", path]).stdout, "provider\n");
    let output = schema(&["--provider", "x/c", path]);
    assert!(output.stderr.ends_with("no provider has the address \"x/c\"\n"), "{}", output.stderr);
    let output = schema(&["no/such/file"]);
    assert!(output.stderr.starts_with("error: no/such/file: "), "{}", output.stderr);
    assert_eq!(schema(&[]).code, 2);
    assert_eq!(schema(&["--tree", "--diff", path, path]).code, 2);
    assert!(schema(&["--help"]).stdout.contains("cargo ferroform schema --tree target/debug/"));
}

#[test]
fn closed_stream_is_not_an_error() {
    /// A stream that is closed, as a pipe to `head` is.
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for arguments in [&["schema", BINARY][..], &["schema", "--tree", BINARY]] {
        let arguments = arguments.iter().map(Into::into).collect();
        assert_eq!(cargo_ferroform::run_to(arguments, Vec::new(), &mut Closed, &mut Closed), 0);
    }
}
