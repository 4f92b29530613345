//! The lifecycle of timestamps: create, update, rotation, replacement and import.

use ferroform_testing::workspace::PlannedAction;
use serde_json::json;

use crate::{Outcome, workspace};

#[test]
fn timestamp_is_kept_until_triggers_change() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let configure = |trigger: &str| {
        workspace.write(
            "main.tf",
            &format!(
                r#"
                resource "time_static" "a" {{
                  triggers = {{ key = "{trigger}" }}
                }}
                resource "time_offset" "a" {{
                  triggers    = {{ key = "{trigger}" }}
                  offset_days = 7
                }}
                resource "time_rotating" "a" {{
                  triggers      = {{ key = "{trigger}" }}
                  rotation_days = 7
                }}
                output "difference" {{
                  value = time_offset.a.unix - time_rotating.a.unix + time_static.a.year - 2000
                }}
                "#
            ),
        )
    };
    configure("one")?;
    let plan = workspace.plan()?;
    assert!(plan.change("time_static.a")?.is_unknown("rfc3339"));
    workspace.apply_plan(&plan)?;
    assert!(workspace.plan()?.is_empty());
    for (address, id) in
        [("time_static.a", "rfc3339"), ("time_offset.a", "base_rfc3339"), ("time_rotating.a", "rfc3339")]
    {
        let state = workspace.state()?;
        let values = &state.get(address)?.values;
        let base = values[id].as_str().ok_or("no time")?;
        let import_id = match address {
            "time_static.a" => base.to_owned(),
            "time_offset.a" => format!("{base},,,7,,,"),
            _ => format!("{base},,,7,,"),
        };
        workspace.import_and_verify(address, &import_id, &["triggers"])?;
    }

    configure("two")?;
    let plan = workspace.plan()?;
    for address in ["time_static.a", "time_offset.a", "time_rotating.a"] {
        let change = plan.change(address)?;
        assert!(change.action.is_replace() && change.is_unknown("unix"), "{change:?}");
    }
    workspace.apply_plan(&plan)?;
    assert!(workspace.plan()?.is_empty());
    Ok(())
}

#[test]
fn changed_offset_plans_new_timestamp() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let configure = |offset: &str| {
        let base = "base_rfc3339 = \"2020-01-31T12:00:00+02:00\"";
        workspace.write("main.tf", &format!("resource \"time_offset\" \"a\" {{\n  {base}\n  {offset}\n}}\n"))
    };
    configure("offset_years = 1")?;
    workspace.apply()?;
    configure("offset_months = 1\n  offset_seconds = -1")?;
    let plan = workspace.plan()?;
    let change = plan.change("time_offset.a")?;
    assert_eq!(
        (change.action, &change.after["rfc3339"]),
        (PlannedAction::Update, &json!("2020-03-02T11:59:59+02:00"))
    );
    workspace.apply_plan(&plan)?;
    let state = workspace.state()?;
    let values = &state.get("time_offset.a")?.values;
    assert_eq!((&values["hour"], &values["unix"]), (&json!(11), &json!(1_583_143_199)));
    assert_eq!(values["id"], "2020-01-31T12:00:00+02:00");
    assert!(workspace.plan()?.is_empty());
    workspace.import_and_verify("time_offset.a", "2020-01-31T12:00:00+02:00,,1,,,,-1", &[])?;
    Ok(())
}

/// Terraform plans a rotation as a create, which does not trigger `replace_triggered_by`.
#[test]
fn resource_is_recreated_after_rotation_timestamp() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        r#"
        resource "time_rotating" "past" {
          rfc3339       = "2020-02-12T06:36:13Z"
          rotation_days = 30
        }
        resource "time_rotating" "future" {
          rotation_rfc3339 = "9999-12-31T23:59:59Z"
        }
        resource "terraform_data" "replaced" {
          lifecycle {
            replace_triggered_by = [time_rotating.past]
          }
        }
        "#,
    )?;
    workspace.apply()?;
    let state = workspace.state()?;
    assert_eq!(state.get("time_rotating.past")?.values["rotation_rfc3339"], "2020-03-13T06:36:13Z");
    let plan = workspace.plan()?;
    assert_eq!(plan.change("time_rotating.past")?.action, PlannedAction::Create);
    assert_eq!(plan.change("time_rotating.future")?.action, PlannedAction::NoOp);
    assert_eq!(plan.change("terraform_data.replaced")?.action, PlannedAction::NoOp);
    // Without a refresh, nothing changes.
    assert!(workspace.plan_with(&["-refresh=false"])?.is_empty());
    Ok(())
}

/// The original plans a rotation timestamp in the year 1, and the apply fails.
#[test]
fn interval_can_be_known_after_apply() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let configure = |days: &str| {
        workspace.write(
            "main.tf",
            &format!(
                r#"
                resource "time_static" "a" {{
                  rfc3339 = "2030-02-12T06:36:13Z"
                }}
                resource "terraform_data" "days" {{
                  input = time_static.a.day
                }}
                resource "time_rotating" "a" {{
                  rfc3339       = time_static.a.rfc3339
                  rotation_days = {days}
                }}
                "#
            ),
        )
    };
    configure("7")?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("time_rotating.a")?.after["rotation_rfc3339"], "2030-02-19T06:36:13Z");
    workspace.apply_plan(&plan)?;
    workspace.run(&["state", "rm", "terraform_data.days"])?.expect_success()?;
    configure("terraform_data.days.output")?;
    let plan = workspace.plan()?;
    let change = plan.change("time_rotating.a")?;
    assert_eq!((change.action, change.is_unknown("rotation_rfc3339")), (PlannedAction::Update, true));
    workspace.apply_plan(&plan)?;
    let state = workspace.state()?;
    assert_eq!(state.get("time_rotating.a")?.values["rotation_rfc3339"], "2030-02-24T06:36:13Z");
    assert!(workspace.plan()?.is_empty());
    Ok(())
}
