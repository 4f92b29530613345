//! States that HashiCorp's provider stored produce an empty plan.

use ferroform_testing::workspace::{PlannedAction, StoredObject, Workspace};
use serde_json::{Value, json};

use crate::{Outcome, workspace};

/// The hash of `allmine` in the tests of Go's package `bcrypt`, which the original uses.
const HASH: &str = "$2a$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga";

/// Checks that the state produces an empty plan, before and after an apply.
fn check_no_change(workspace: &Workspace, configuration: &str, objects: &[StoredObject]) -> Outcome {
    workspace.write_state(objects)?;
    workspace.write("main.tf", configuration)?;
    let plan = workspace.plan()?;
    let has_no_changes = plan.changes().iter().all(|it| it.action == PlannedAction::NoOp);
    assert!(has_no_changes, "{}", plan.text());
    workspace.apply()?;
    assert!(workspace.plan()?.is_empty());
    Ok(())
}

/// The attributes of `random_string` and `random_password` in all versions.
fn characters(overrides: &Value) -> Value {
    let mut attributes = json!({
        "keepers": null, "length": 7, "lower": true, "min_lower": 0, "min_numeric": 0, "min_special": 0, "min_upper": 0,
        "number": true, "override_special": null, "result": "allmine", "special": true, "upper": true,
    });
    for (name, value) in overrides.as_object().into_iter().flatten() {
        attributes[name] = value.clone();
    }
    attributes
}

/// An object that was imported by version 3.3.1 or earlier has no arguments.
fn imported(overrides: &Value) -> Value {
    let mut attributes = characters(overrides);
    for (name, value) in attributes.as_object_mut().into_iter().flatten() {
        if !["result", "id", "bcrypt_hash"].contains(&&**name) {
            *value = Value::Null;
        }
    }
    attributes
}

#[test]
fn string_of_each_schema_version_plans_no_change() -> Outcome {
    let configuration = "resource \"random_string\" \"a\" {\n  length = 7\n}\n";
    let id = json!({ "id": "allmine" });
    let current = characters(&json!({ "id": "allmine", "numeric": true }));
    for (version, attributes) in
        [(0, characters(&id)), (1, characters(&id)), (1, imported(&id)), (2, current)]
    {
        let Some(workspace) = workspace()? else { return Ok(()) };
        check_no_change(
            &workspace,
            configuration,
            &[StoredObject::new("random_string.a", version, attributes)],
        )?;
        let state = workspace.state()?;
        let values = &state.get("random_string.a")?.values;
        assert_eq!(
            (&values["result"], &values["numeric"], &values["length"]),
            (&json!("allmine"), &json!(true), &json!(7))
        );
    }
    Ok(())
}

#[test]
fn password_of_each_schema_version_plans_no_change() -> Outcome {
    let configuration = "resource \"random_password\" \"a\" {\n  length = 7\n}\n";
    let id = json!({ "id": "none" });
    let hash = json!({ "id": "none", "bcrypt_hash": HASH });
    let numeric = json!({ "id": "none", "bcrypt_hash": HASH, "numeric": true });
    for (version, attributes) in [
        (0, characters(&id)),
        (0, imported(&id)),
        (1, characters(&hash)),
        (1, imported(&hash)),
        (2, characters(&numeric)),
        (2, imported(&numeric)),
        (3, characters(&numeric)),
    ] {
        let Some(workspace) = workspace()? else { return Ok(()) };
        // OpenTofu 1.6 stores no names of sensitive attributes, and plans an update if another one is marked.
        let names: &[&str] = match (&*workspace.cli().name(), version) {
            ("tofu", _) => &[],
            (_, 0) => &["result"],
            _ => &["result", "bcrypt_hash"],
        };
        let object = StoredObject::new("random_password.a", version, attributes).sensitive(names);
        check_no_change(&workspace, configuration, &[object])?;
        let state = workspace.state()?;
        let values = &state.get("random_password.a")?.values;
        assert_eq!(
            (&values["result"], &values["numeric"], &values["length"]),
            (&json!("allmine"), &json!(true), &json!(7))
        );
        let found = values["bcrypt_hash"].as_str().ok_or("no hash")?;
        assert!(bcrypt::verify("allmine", found)?);
        assert!(version == 0 || found == HASH, "a valid hash stays");
    }
    Ok(())
}

/// Versions 3.4.0 to 3.4.2 stored the hash of a different string, and version 3.4.2 an empty string instead of null.
#[test]
fn password_with_the_mistakes_of_version_3_4_is_corrected() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let other_hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
    let attributes = characters(&json!({
        "id": "none", "bcrypt_hash": other_hash, "numeric": true, "override_special": "",
    }));
    workspace.write_state(&[StoredObject::new("random_password.a", 2, attributes)])?;
    workspace.write("main.tf", "resource \"random_password\" \"a\" {\n  length = 7\n}\n")?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("random_password.a")?.action, PlannedAction::Update);
    workspace.apply_plan(&plan)?;
    assert!(workspace.plan()?.is_empty());
    let state = workspace.state()?;
    let values = &state.get("random_password.a")?.values;
    assert!(bcrypt::verify("allmine", values["bcrypt_hash"].as_str().ok_or("no hash")?)?);
    Ok(())
}

#[test]
fn other_resources_plan_no_change() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let uuid = "6b0f8e7c-3da2-f35e-0bfb-1a2b3c4d5e6f";
    let uuid4 = "5f0c1a52-0b1d-42aa-9c3e-64d0b2f4a6e8";
    let uuid7 = "01987654-3210-7abc-9def-0123456789ab";
    let hidden: &[&str] = if workspace.cli().name() == "tofu" { &[] } else { &["base64", "hex"] };
    let bytes = json!({ "base64": "8/fu3Q==", "hex": "f3f7eedd", "keepers": null, "length": 4 });
    check_no_change(
        &workspace,
        r#"
        resource "random_bytes" "a" {
          length = 4
        }
        resource "random_id" "a" {
          byte_length = 4
          keepers     = { a = null }
        }
        resource "random_integer" "a" {
          min = 1
          max = 50000
        }
        resource "random_pet" "a" {}
        resource "random_shuffle" "a" {
          input   = ["a", "b"]
          keepers = { a = "b" }
        }
        resource "random_uuid" "a" {}
        resource "random_uuid4" "a" {}
        resource "random_uuid7" "a" {}
        "#,
        &[
            StoredObject::new("random_bytes.a", 0, bytes).sensitive(hidden),
            // Version 2 had the attribute `b64`.
            StoredObject::new(
                "random_id.a",
                0,
                json!({
                    "b64": "p-9hUg", "b64_std": "p+9hUg==", "b64_url": "p-9hUg", "byte_length": 4, "dec": "2817483090",
                    "hex": "a7ef6152", "id": "p-9hUg", "keepers": { "a": null }, "prefix": null,
                }),
            ),
            StoredObject::new(
                "random_integer.a",
                0,
                json!({
                    "id": "15390", "keepers": null, "max": 50000, "min": 1, "result": 15390, "seed": null,
                }),
            ),
            StoredObject::new(
                "random_pet.a",
                0,
                json!({
                    "id": "able-ox", "keepers": null, "length": 2, "prefix": null, "separator": "-",
                }),
            ),
            StoredObject::new(
                "random_shuffle.a",
                0,
                json!({
                    "id": "-", "input": ["a", "b"], "keepers": { "a": "b" }, "result": ["b", "a"], "result_count": null,
                    "seed": null,
                }),
            ),
            StoredObject::new("random_uuid.a", 0, json!({ "id": uuid, "keepers": null, "result": uuid })),
            StoredObject::new("random_uuid4.a", 0, json!({ "id": uuid4, "keepers": null, "result": uuid4 })),
            StoredObject::new("random_uuid7.a", 0, json!({ "id": uuid7, "keepers": null, "result": uuid7 })),
        ],
    )
}

/// Versions before 3.4 did not store keepers whose value is null.
#[test]
fn keepers_that_are_null_are_added_without_replacement() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let attributes =
        json!({ "id": "able-ox", "keepers": { "a": "b" }, "length": 2, "prefix": null, "separator": "-" });
    workspace.write_state(&[StoredObject::new("random_pet.a", 0, attributes)])?;
    workspace
        .write("main.tf", "resource \"random_pet\" \"a\" {\n  keepers = { a = \"b\", c = null }\n}\n")?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("random_pet.a")?.action, PlannedAction::Update);
    workspace.apply_plan(&plan)?;
    assert_eq!(workspace.state()?.get("random_pet.a")?.values["id"], "able-ox");
    assert!(workspace.plan()?.is_empty());
    Ok(())
}
