//! States that HashiCorp's provider has stored plan no change.

use std::fs;

use ferroform_testing::workspace::{StoredObject, Workspace};
use serde_json::{Value, json};

use crate::{Outcome, workspace};

/// Attributes that the schema marks as sensitive. Terraform stores their names too; OpenTofu 1.6 stores only values that
/// are sensitive in the configuration, and plans an update if another attribute is marked.
fn hidden<'a>(workspace: &Workspace, names: &'a [&'a str]) -> &'a [&'a str] {
    if workspace.cli().name() == "tofu" { &[] } else { names }
}

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

/// Checks that the state plans no change, and that a refresh adds the missing checksums.
fn check_state_plans_no_change(workspace: &Workspace) -> Outcome {
    fs::write(workspace.path().join("a.txt"), "hello")?;
    fs::write(workspace.path().join("b.bin"), "hello")?;
    workspace.write("main.tf", CONFIGURATION)?;
    let plan = workspace.plan()?;
    let idle = plan.changes().iter().all(|it| it.action == ferroform_testing::workspace::PlannedAction::NoOp);
    assert!(idle, "{}", plan.text());
    workspace.apply()?;
    assert_eq!(workspace.output("sha256")?, SHA256);
    assert!(workspace.plan()?.is_empty());
    let state = workspace.state()?;
    let values = &state.get("local_file.a")?.values;
    assert_eq!(values["content_sha256"], SHA256);
    workspace.destroy()?;
    assert!(!workspace.path().join("a.txt").exists());
    Ok(())
}

#[test]
fn state_of_provider_version_2_plans_no_change() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
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
    let hidden = |names| hidden(&workspace, names);
    workspace.write_state(&[
        file(attributes, hidden(&["sensitive_content"])),
        secret(secrets, hidden(&["content", "content_base64"])),
    ])?;
    check_state_plans_no_change(&workspace)
}

#[test]
fn state_without_checksums_plans_no_change() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    // Version 1.4 had no `source`, and version 2.2 added `local_sensitive_file`. Neither had checksums.
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
    workspace.write_state(&[file(attributes, &[]), secret(secrets, &[])])?;
    check_state_plans_no_change(&workspace)
}

#[test]
fn changed_file_in_old_state_is_recreated() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let attributes = json!({
        "content": "hello", "content_base64": null, "sensitive_content": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    workspace.write_state(&[file(attributes, &[])])?;
    workspace.write("a.txt", "changed")?;
    workspace.write("main.tf", CONFIGURATION)?;
    assert_eq!(
        workspace.plan()?.change("local_file.a")?.action,
        ferroform_testing::workspace::PlannedAction::Create
    );
    workspace.apply()?;
    assert_eq!(fs::read_to_string(workspace.path().join("a.txt"))?, "hello");
    Ok(())
}
