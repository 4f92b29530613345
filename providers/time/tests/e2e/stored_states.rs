//! States that HashiCorp's provider stored produce an empty plan.

use ferroform_testing::workspace::{PlannedAction, StoredObject};
use serde_json::{Value, json};

use crate::{Outcome, workspace};

/// The private state of versions before 0.9, which did not use the plugin framework: `null` in base64.
const PRIVATE: &str = "bnVsbA==";

/// Adds the date and time fields of 2090-02-12T06:36:13Z.
fn with_timestamp_fields(mut attributes: Value) -> Value {
    let fields = [
        ("year", 2090),
        ("month", 2),
        ("day", 12),
        ("hour", 6),
        ("minute", 36),
        ("second", 13),
        ("unix", 3_790_564_573_i64),
    ];
    for (name, value) in fields {
        attributes[name] = value.into();
    }
    attributes
}

fn check_state_produces_empty_plan(
    objects: &[(&str, Value)],
    private: Option<&str>,
    configuration: &str,
) -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let stored = objects.iter().map(|(address, attributes)| {
        let object = StoredObject::new(*address, 0, attributes.clone());
        private.iter().fold(object, |object, it| object.private(*it))
    });
    workspace.write_state(&stored.collect::<Vec<_>>())?;
    workspace.write("main.tf", configuration)?;
    let plan = workspace.plan()?;
    assert!(plan.changes().iter().all(|it| it.action == PlannedAction::NoOp), "{}", plan.text());
    assert!(plan.drift().is_empty(), "{}", plan.text());
    workspace.apply()?;
    let state = workspace.state()?;
    for (address, attributes) in objects {
        let values = state.get(address)?.values.as_object().ok_or("no attributes")?;
        for (name, value) in values {
            // Version 0.3 had no triggers.
            assert_eq!(value, attributes.get(name).unwrap_or(&Value::Null), "{name}");
        }
    }
    workspace.destroy()?;
    Ok(())
}

/// Version 0.3 and earlier: more formats, and `keepers` instead of `triggers`.
#[test]
fn state_of_version_0_3_produces_empty_plan() -> Outcome {
    let formats = |mut attributes: Value| {
        for (name, value) in [
            ("rfc822", "12 Feb 90 06:36 UTC"),
            ("rfc822z", "12 Feb 90 06:36 +0000"),
            ("rfc850", "Sunday, 12-Feb-90 06:36:13 UTC"),
            ("rfc1123", "Sun, 12 Feb 2090 06:36:13 UTC"),
            ("rfc1123z", "Sun, 12 Feb 2090 06:36:13 +0000"),
            ("unixdate", "Sun Feb 12 06:36:13 UTC 2090"),
        ] {
            attributes[name] = value.into();
        }
        attributes["keepers"] = Value::Null;
        with_timestamp_fields(attributes)
    };
    let time = "2090-02-12T06:36:13Z";
    let fixed = formats(json!({ "id": time, "rfc3339": time }));
    let offset = formats(json!({
        "id": "2090-02-05T06:36:13Z", "base_rfc3339": "2090-02-05T06:36:13Z", "rfc3339": time, "offset_days": 7,
        "offset_hours": null, "offset_minutes": null, "offset_months": null, "offset_seconds": null, "offset_years": null,
    }));
    check_state_produces_empty_plan(
        &[("time_static.a", fixed), ("time_offset.a", offset)],
        Some(PRIVATE),
        "resource \"time_static\" \"a\" {}\nresource \"time_offset\" \"a\" {\n  offset_days = 7\n}\n",
    )
}

const CONFIGURATION: &str = r#"
resource "time_static" "a" {
  triggers = { a = "b" }
}
resource "time_offset" "a" {
  offset_days = 7
}
resource "time_rotating" "a" {
  rotation_months = 1
}
resource "time_sleep" "a" {
  create_duration = "1h"
}
"#;

fn objects(rotating: Value) -> [(&'static str, Value); 4] {
    let time = "2090-02-12T06:36:13Z";
    let fixed = with_timestamp_fields(json!({ "id": time, "rfc3339": time, "triggers": { "a": "b" } }));
    let offset = with_timestamp_fields(json!({
        "id": "2090-02-05T06:36:13Z", "base_rfc3339": "2090-02-05T06:36:13Z", "rfc3339": time, "triggers": null,
        "offset_days": 7, "offset_hours": null, "offset_minutes": null, "offset_months": null, "offset_seconds": null,
        "offset_years": null,
    }));
    let sleep = json!({ "create_duration": "1h", "destroy_duration": null, "id": time, "triggers": null });
    [
        ("time_static.a", fixed),
        ("time_offset.a", offset),
        ("time_rotating.a", with_timestamp_fields(rotating)),
        ("time_sleep.a", sleep),
    ]
}

/// Versions 0.4 to 0.8: the date and time fields of `time_rotating` are those of the base timestamp.
#[test]
fn state_of_version_0_8_produces_empty_plan() -> Outcome {
    let rotating = json!({
        "id": "2090-02-12T06:36:13Z", "rfc3339": "2090-02-12T06:36:13Z", "rotation_rfc3339": "2090-03-12T06:36:13Z",
        "rotation_days": null, "rotation_hours": null, "rotation_minutes": null, "rotation_months": 1,
        "rotation_years": null, "triggers": null,
    });
    check_state_produces_empty_plan(&objects(rotating), Some(PRIVATE), CONFIGURATION)
}

/// Versions 0.9 to 0.14: the date and time fields of `time_rotating` are those of the rotation timestamp.
#[test]
fn state_of_version_0_14_produces_empty_plan() -> Outcome {
    let rotating = json!({
        "id": "2090-01-12T06:36:13Z", "rfc3339": "2090-01-12T06:36:13Z", "rotation_rfc3339": "2090-02-12T06:36:13Z",
        "rotation_days": null, "rotation_hours": null, "rotation_minutes": null, "rotation_months": 1,
        "rotation_years": null, "triggers": null,
    });
    check_state_produces_empty_plan(&objects(rotating), None, CONFIGURATION)
}
