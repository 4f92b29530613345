//! States that HashiCorp's provider has written: they go on without a change.

use std::fs;

use ferroform_testing::cli::Workspace;
use serde_json::{Value, json};

use crate::{ADDRESS, Outcome, workspace};

/// A state as Terraform stores it, with these objects: type, name, attributes.
fn store(space: &Workspace, objects: &[(&str, &str, Value, Value)]) -> Outcome {
    let resources: Vec<_> = objects
        .iter()
        .map(|(kind, name, attributes, sensitive)| {
            json!({
                "mode": "managed",
                "type": kind,
                "name": name,
                "provider": format!("provider[\"{ADDRESS}\"]"),
                "instances": [{
                    "schema_version": 0,
                    "attributes": attributes,
                    "sensitive_attributes": sensitive,
                    // What SDKs before the plugin framework stored: `null` in base64.
                    "private": "bnVsbA==",
                }],
            })
        })
        .collect();
    let state = json!({
        "version": 4,
        "terraform_version": "1.5.7",
        "serial": 3,
        "lineage": "0d3b7a0e-5d6b-4f3a-9a55-6f1c5f0f7b11",
        "outputs": {},
        "resources": resources,
        "check_results": null,
    });
    Ok(fs::write(space.path().join("terraform.tfstate"), state.to_string())?)
}

/// The path to an attribute, as the list of sensitive ones has it.
fn sensitive(names: &[&str]) -> Value {
    names.iter().map(|it| json!([{ "type": "get_attr", "value": it }])).collect()
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

/// The state goes on: nothing is to change, and reading completes it.
fn goes_on(space: &Workspace) -> Outcome {
    fs::write(space.path().join("a.txt"), "hello")?;
    fs::write(space.path().join("b.bin"), "hello")?;
    space.write("main.tf", CONFIGURATION)?;
    let plan = space.plan()?;
    let idle = plan.changes().iter().all(|it| it.action == ferroform_testing::cli::Action::Nothing);
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
    let file = with_checksums(json!({
        "content": "hello", "content_base64": null, "sensitive_content": null, "source": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    }));
    let secret = with_checksums(json!({
        "content": null, "content_base64": "aGVsbG8=", "source": null,
        "directory_permission": "0700", "file_permission": "0700", "filename": "b.bin",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    }));
    store(
        &space,
        &[
            ("local_file", "a", file, sensitive(&["sensitive_content"])),
            ("local_sensitive_file", "b", secret, sensitive(&["content", "content_base64"])),
        ],
    )?;
    goes_on(&space)
}

#[test]
fn a_state_before_checksums_goes_on() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    // Version 1.4 had no `source`, version 2.2 brought `local_sensitive_file`; neither had checksums.
    let file = json!({
        "content": "hello", "content_base64": null, "sensitive_content": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    let secret = json!({
        "content": null, "content_base64": "aGVsbG8=", "source": null,
        "directory_permission": "0700", "file_permission": "0700", "filename": "b.bin",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    store(&space, &[("local_file", "a", file, json!([])), ("local_sensitive_file", "b", secret, json!([]))])?;
    goes_on(&space)
}

#[test]
fn an_old_state_of_a_changed_file_makes_it_anew() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let file = json!({
        "content": "hello", "content_base64": null, "sensitive_content": null,
        "directory_permission": "0777", "file_permission": "0777", "filename": "a.txt",
        "id": "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    });
    store(&space, &[("local_file", "a", file, json!([]))])?;
    space.write("a.txt", "changed")?;
    space.write("main.tf", CONFIGURATION)?;
    assert_eq!(space.plan()?.change("local_file.a")?.action, ferroform_testing::cli::Action::Create);
    space.apply()?;
    assert_eq!(fs::read_to_string(space.path().join("a.txt"))?, "hello");
    Ok(())
}
