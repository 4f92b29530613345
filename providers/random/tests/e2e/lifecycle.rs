//! Each resource is created, keeps its value, is replaced when its keepers change, and is imported and destroyed.

use ferroform_testing::workspace::{PlannedAction, StateObject};

use crate::{Outcome, workspace};

/// A resource of each type, with keepers.
fn configuration(keeper: &str) -> String {
    let resources = [
        ("random_bytes", "length = 16"),
        ("random_id", "byte_length = 8\n  prefix = \"a,b-\""),
        ("random_integer", "min = -1000000000\n  max = 1000000000"),
        ("random_password", "length = 20\n  min_special = 3\n  override_special = \"é-\""),
        ("random_pet", "length = 4"),
        ("random_shuffle", "input = [for it in range(50) : tostring(it)]"),
        ("random_string", "length = 20"),
        ("random_uuid", ""),
        ("random_uuid4", ""),
        ("random_uuid7", ""),
    ];
    let block = |(resource, arguments)| {
        format!("resource \"{resource}\" \"a\" {{\n  {arguments}\n  keepers = {{ a = \"{keeper}\" }}\n}}\n")
    };
    resources.into_iter().map(block).collect()
}

#[test]
fn values_are_kept_until_keepers_change() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let values = || -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let state = workspace.state()?;
        let text = |it: &StateObject| {
            // A resource has at least one of these attributes.
            let names = ["result", "hex", "id"];
            let value = names.iter().find_map(|name| it.values.get(name)).map(ToString::to_string);
            value.unwrap_or_default()
        };
        Ok(state.objects().iter().map(text).collect())
    };
    workspace.write("main.tf", &configuration("one"))?;
    workspace.apply()?;
    let first = values()?;
    assert_eq!(first.len(), 10);
    assert!(workspace.plan()?.is_empty());
    workspace.refresh()?;
    assert_eq!(values()?, first);

    workspace.write("main.tf", &configuration("two"))?;
    let plan = workspace.plan()?;
    assert_eq!(plan.changes().len(), 10);
    assert!(plan.changes().iter().all(|it| it.action == PlannedAction::Replace), "{}", plan.text());
    workspace.apply_plan(&plan)?;
    assert!(values()?.iter().zip(&first).all(|(new, old)| new != old));
    workspace.destroy()?;
    assert!(workspace.state()?.is_empty());
    Ok(())
}

#[test]
fn imported_values_equal_created_values() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        r#"
        resource "random_bytes" "a" {
          length = 16
        }
        resource "random_id" "a" {
          byte_length = 8
          prefix      = "a,b-"
        }
        resource "random_integer" "a" {
          min  = -5
          max  = 5
          seed = "x"
        }
        resource "random_password" "a" {
          length = 20
        }
        resource "random_string" "a" {
          length = 20
        }
        resource "random_uuid" "a" {}
        resource "random_uuid4" "a" {}
        resource "random_uuid7" "a" {}
        "#,
    )?;
    workspace.apply()?;
    let state = workspace.state()?;
    let value = |address: &str, name: &str| -> Result<String, Box<dyn std::error::Error>> {
        Ok(state.get(address)?.values[name].as_str().ok_or("no string")?.to_owned())
    };
    let id = value("random_id.a", "id")?;
    let integer = value("random_integer.a", "id")?;
    for (address, id, ignoring) in [
        ("random_bytes.a", value("random_bytes.a", "base64")?, &[][..]),
        ("random_id.a", format!("a,b-,{id}"), &[]),
        ("random_integer.a", format!("{integer},-5,5,x"), &[]),
        // Each hash has another salt.
        ("random_password.a", value("random_password.a", "result")?, &["bcrypt_hash"]),
        ("random_string.a", value("random_string.a", "result")?, &[]),
        ("random_uuid.a", value("random_uuid.a", "result")?, &[]),
        ("random_uuid4.a", value("random_uuid4.a", "result")?, &[]),
        ("random_uuid7.a", value("random_uuid7.a", "result")?, &[]),
    ] {
        workspace.import_and_verify(address, &id, ignoring)?;
    }
    Ok(())
}

#[test]
fn secrets_are_masked() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        "resource \"random_password\" \"a\" {\n  length = 20\n}\nresource \"random_bytes\" \"a\" {\n  length = 20\n}\n",
    )?;
    let applied = workspace.apply()?.to_string();
    let shown = workspace.run(&["show"])?.expect_success()?.to_string();
    assert_eq!(shown.matches("(sensitive value)").count(), 4, "{shown}");
    let state = workspace.state()?;
    for (address, names) in
        [("random_password.a", ["result", "bcrypt_hash"]), ("random_bytes.a", ["base64", "hex"])]
    {
        for name in names {
            let secret = state.get(address)?.values[name].as_str().ok_or("no string")?.to_owned();
            assert!(!applied.contains(&secret) && !shown.contains(&secret), "{address} {name}");
        }
    }
    Ok(())
}

#[test]
fn number_and_numeric_are_the_same_argument() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let configure = |argument: &str| {
        workspace.write(
            "main.tf",
            &format!("resource \"random_string\" \"a\" {{\n  length = 8\n  {argument}\n}}\n"),
        )
    };
    configure("number = false")?;
    workspace.apply()?;
    for argument in ["numeric = false", "number = false", "number = false\n  numeric = false"] {
        configure(argument)?;
        assert!(workspace.plan()?.is_empty(), "{argument}");
    }
    configure("")?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("random_string.a")?.action, PlannedAction::Replace);
    // A value that is known after apply.
    workspace.write(
        "main.tf",
        r#"
        resource "random_integer" "a" {
          min = 1
          max = 1
        }
        resource "random_string" "a" {
          length  = 8
          numeric = random_integer.a.result == 1
        }
        "#,
    )?;
    workspace.apply()?;
    assert_eq!(workspace.state()?.get("random_string.a")?.values["number"], true);
    Ok(())
}
