//! The lifecycle of objects: create, update, replace, drift, import and delete.

use std::fs;

use ferroform_testing::cli::Feature;
use ferroform_testing::workspace::PlannedAction;
use serde_json::json;

use crate::common::{Outcome, Probe, on_both_protocols};

on_both_protocols! {
    object_is_created_updated_replaced_and_deleted
    drift_is_detected
    object_is_imported
    blocks_contain_computed_attributes
    data_source_is_read
}

fn object_is_created_updated_replaced_and_deleted(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(&[Feature::WriteOnlyAttributes])? else {
        return Ok(());
    };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_thing.a"));
    let configure = |name: &str, note: &str| {
        bench.configure(&format!(
            r#"
            resource "probe_thing" "a" {{
              name  = "{name}"
              note  = "{note}"
              tags  = ["x", "y"]
              token = "four"
            }}
            "#
        ))
    };

    configure("one", "first")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!(change.action, PlannedAction::Create);
    assert_eq!(change.after["color"], "blue", "the default is planned");
    assert_eq!(change.after["token"], json!(null), "write-only values are not planned");
    assert!(["id", "size", "revision", "note_length"].iter().all(|it| change.is_unknown(it)), "{change:?}");
    assert!(!bench.file("one").exists(), "a plan makes nothing");

    space.apply_plan(&plan)?;
    let state = space.state()?;
    let expected = json!({
        "name": "one", "note": "first", "size": 7, "color": "blue", "tags": ["x", "y"], "secret": null,
        "token": null, "token_length": 4, "id": "thing/one", "revision": 1, "note_length": 5,
    });
    assert_eq!(state.get(thing)?.values, expected);
    assert!(space.plan()?.is_empty(), "a second plan changes nothing");

    configure("one", "second!")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!(change.action, PlannedAction::Update);
    assert_eq!(change.after["id"], "thing/one", "the ID does not change");
    assert!(change.is_unknown("revision") && change.is_unknown("note_length"), "{change:?}");
    space.apply_plan(&plan)?;
    let values = &space.state()?.get(thing)?.values.clone();
    assert_eq!((&values["revision"], &values["note_length"]), (&json!(2), &json!(7)));
    assert!(space.plan()?.is_empty(), "a plan after an update changes nothing");

    configure("two", "second!")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["name".to_owned()][..])
    );
    assert!(change.is_unknown("id"), "a replacement has another ID");
    assert!(plan.text().contains("# forces replacement"), "{}", plan.text());
    space.apply_plan(&plan)?;
    assert!(!bench.file("one").exists() && bench.file("two").exists());
    assert_eq!(space.state()?.get(thing)?.values["revision"], 1);

    space.destroy()?;
    assert!(space.state()?.is_empty() && !bench.file("two").exists());
    Ok(())
}

fn drift_is_detected(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_thing.a"));
    bench.configure(r#"resource "probe_thing" "a" { name = "one" }"#)?;
    space.apply()?;

    // A changed optional and computed value that is not configured requires no action.
    bench.drift("one", "size", 8)?;
    let plan = space.plan()?;
    assert_eq!(
        (plan.change(thing)?.action, &plan.change(thing)?.after["size"]),
        (PlannedAction::NoOp, &json!(8))
    );

    bench.drift("one", "color", "red")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!(change.action, PlannedAction::Update);
    assert_eq!((&change.before["color"], &change.after["color"]), (&json!("red"), &json!("blue")));
    space.apply_plan(&plan)?;
    assert_eq!(bench.object("one")?["color"], "blue", "the drift is repaired");
    assert!(space.plan()?.is_empty());

    fs::remove_file(bench.file("one"))?;
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.action, PlannedAction::Create);
    assert_eq!(plan.drift().len(), 1, "{}", plan.text());
    space.apply_plan(&plan)?;
    assert!(bench.file("one").exists(), "the deleted object is recreated");

    fs::remove_file(bench.file("one"))?;
    space.destroy()?;
    Ok(())
}

fn object_is_imported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_thing.a"));
    bench.configure(r#"resource "probe_thing" "a" { name = "one" }"#)?;
    space.apply()?;
    let before = space.state()?.get(thing)?.clone();

    space.run(&["state", "rm", thing])?.expect_success()?;
    assert!(space.state()?.is_empty());
    space.import(thing, "thing/one")?;
    assert_eq!(*space.state()?.get(thing)?, before, "the imported state equals the created state");
    assert!(space.plan()?.is_empty());

    space.run(&["state", "rm", thing])?.expect_success()?;
    let failed = space.run(&["import", thing, "thing/other"])?.expect_failure()?;
    assert!(failed.stderr.contains(r#"No thing is named "other""#), "{failed}");
    let failed = space.run(&["import", &bench.for_provider("probe_machine.a"), "x"])?.expect_failure()?;
    assert!(failed.stderr.contains("resource address"), "{failed}");
    Ok(())
}

fn blocks_contain_computed_attributes(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let (space, machine) = (&bench.space, &bench.for_provider("probe_machine.m"));
    let configure = |disks: &str| {
        bench.configure(&format!(
            r#"
            resource "probe_machine" "m" {{
              name = "m"
              owner {{ name = "me" }}
              rule {{
                port = 80
                open = true
              }}
              rule {{ port = 22 }}
              {disks}
            }}
            "#
        ))
    };

    configure("disk { size = 10 }\ndisk { size = 20 }")?;
    let plan = space.plan()?;
    assert_eq!(plan.change(machine)?.after["owner"]["group"], "users", "a default inside a block");
    space.apply_plan(&plan)?;
    let values = space.state()?.get(machine)?.values.clone();
    let disk = |size: i64, serial: &str| json!({ "size": size, "kind": "ssd", "serial": serial });
    assert_eq!(values["disk"], json!([disk(10, "m-0"), disk(20, "m-1")]));
    assert_eq!(values["rule"].as_array().map(Vec::len), Some(2));
    assert!(space.plan()?.is_empty());

    configure("disk { size = 10 }\ndisk { size = 21 }")?;
    let plan = space.plan()?;
    let change = plan.change(machine)?;
    assert_eq!(change.action, PlannedAction::Update);
    assert_eq!(change.after["disk"][1], disk(21, "m-1"), "a disk that grows keeps its number");
    space.apply_plan(&plan)?;

    // The kind of a disk and the number of disks cannot change in place.
    configure("disk { size = 10 }\ndisk { size = 21 }\ndisk { size = 30 }")?;
    let plan = space.plan()?;
    let change = plan.change(machine)?;
    assert_eq!(change.action, PlannedAction::Replace);
    assert_eq!(change.replace_paths, ["disk[2].kind"]);
    space.apply_plan(&plan)?;
    assert_eq!(space.state()?.get(machine)?.values["disk"][2], disk(30, "m-2"));
    assert!(space.plan()?.is_empty());

    configure("disk {\n size = 10\n kind = \"tape\"\n }")?;
    let plan = space.plan()?;
    assert_eq!(plan.change(machine)?.action, PlannedAction::Replace);
    assert_eq!(plan.change(machine)?.replace_paths, ["disk[0].kind"]);
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    Ok(())
}

fn data_source_is_read(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let space = &bench.space;
    bench.configure(
        r#"
        resource "probe_thing" "a" {
          name = "one"
          note = "found"
        }
        data "probe_thing" "a" {
          name = split("/", probe_thing.a.id)[1]
        }
        output "note" {
          value = data.probe_thing.a.note
        }
        "#,
    )?;
    let plan = space.plan()?;
    assert_eq!(
        plan.change(&bench.for_provider("data.probe_thing.a"))?.action,
        PlannedAction::Read,
        "its name is not known yet"
    );
    space.apply_plan(&plan)?;
    assert_eq!(space.output("note")?, "found");
    assert!(space.plan()?.is_empty());

    bench.configure(r#"data "probe_thing" "a" { name = "none" }"#)?;
    let failed = space.run(&["plan", "-refresh=false"])?.expect_failure()?;
    assert!(
        failed.stderr.contains("No thing has this name") && failed.stderr.contains("main.tf line 1"),
        "{failed}"
    );
    Ok(())
}
