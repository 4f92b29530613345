//! States of HashiCorp's provider are used without a change.

use std::fs;

use ferroform_testing::cli::{StoredObject, Workspace};
use serde_json::{Value, json};

use crate::{Outcome, workspace};

/// The private state of SDKs before the plugin framework: `null` in base64.
const PRIVATE: &str = "bnVsbA==";

fn file(attributes: Value, sensitive: &[&str]) -> StoredObject {
    StoredObject::new("local_file.a", 0, attributes).sensitive(sensitive).private(PRIVATE)
}

fn secret(attributes: Value, sensitive: &[&str]) -> StoredObject {
    StoredObject::new("local_sensitive_file.b", 0, attributes).sensitive(sensitive).private(PRIVATE)
}

const CONFIGURATION: &str = r#"
resource "local_file" "a" {
  filename = "a.txt"
  content  = "hello"
}
resource "local_sensitive_file" "b" {
  filename       = "b.bin"
  content_base64 = "aGVsbG8="
}
output "sha256" {
  value = local_file.a.content_sha256
}
"#;

/// Adds the checksums of `hello`, under the names that version 2.4 and later have.
fn with_checksums(mut attributes: Value) -> Value {
    let checksums = [
        ("content_md5", "5d41402abc4b2a76b9719d911017c592"),
        ("content_sha1", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"),
        ("content_sha256", SHA256),
        ("content_base64sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
        (
            "content_sha512",
            "9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca7\
             2323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043",
        ),
        (
            "content_base64sha512",
            "m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==",
        ),
    ];
    for (name, value) in checksums {
        attributes[name] = value.into();
    }
    attributes
}

const SHA256: &str = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

/// The state plans no change, and reading completes it.
fn goes_on(space: &Workspace) -> Outcome {
    fs::write(space.path().join("a.txt"), "hello")?;
    fs::write(space.path().join("b.bin"), "hello")?;
    space.write("main.tf", CONFIGURATION)?;
    let plan = space.plan()?;
    let idle = plan.changes().iter().all(|it| it.action == ferroform_testing::cli::PlannedAction::NoOp);
    assert!(idle, "{}", plan.text());
    space.apply()?;
    assert_eq!(space.output("sha256")?, SHA256);
    assert!(space.plan()?.is_empty());
    let kept = space.state()?;
    let values = &kept.get("local_file.a")?.values;
    assert_eq!(values["content_sha256"], SHA256);
    space.destroy()?;
    assert!(!space.path().join("a.txt").exists());
    Ok(())
}

#[test]
fn a_state_of_version_2_goes_on() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let attributes = with_checksums(json!({
        "content": "hello", "content_base64": null, "sensitive_content": null, "source": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    }));
    let secrets = with_checksums(json!({
        "content": null, "content_base64": "aGVsbG8=", "source": null,
        "directory_permission": "0700", "file_permission": "0700", "filename": "b.bin",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    }));
    let hidden = ["content", "content_base64"];
    space.write_state(&[file(attributes, &["sensitive_content"]), secret(secrets, &hidden)])?;
    goes_on(&space)
}

#[test]
fn a_state_before_checksums_goes_on() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    // Version 1.4 had no `source`, version 2.2 brought `local_sensitive_file`; neither had checksums.
    let attributes = json!({
        "content": "hello", "content_base64": null, "sensitive_content": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    let secrets = json!({
        "content": null, "content_base64": "aGVsbG8=", "source": null,
        "directory_permission": "0700", "file_permission": "0700", "filename": "b.bin",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    space.write_state(&[file(attributes, &[]), secret(secrets, &[])])?;
    goes_on(&space)
}

#[test]
fn an_old_state_of_a_changed_file_makes_it_anew() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let attributes = json!({
        "content": "hello", "content_base64": null, "sensitive_content": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    space.write_state(&[file(attributes, &[])])?;
    space.write("a.txt", "changed")?;
    space.write("main.tf", CONFIGURATION)?;
    assert_eq!(space.plan()?.change("local_file.a")?.action, ferroform_testing::cli::PlannedAction::Create);
    space.apply()?;
    assert_eq!(fs::read_to_string(space.path().join("a.txt"))?, "hello");
    Ok(())
}
