//! Resource identity: imports by identity, changes of the identity, and identity schema upgrades.

use std::fs;

use ferroform_testing::cli::Feature;
use ferroform_testing::workspace::{Json, PlannedAction};
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    identity_is_stored_with_the_object
    volume_is_imported_by_identity
    configuration_of_object_imported_by_identity_is_generated
    incomplete_identity_is_rejected
    identity_of_missing_object_is_reported
    object_with_another_identity_is_an_error
    stored_identity_is_upgraded
    identity_that_cannot_be_upgraded_is_reported
}

const FEATURES: &[Feature] = &[Feature::ResourceIdentity];

/// Creates a remote volume outside of Terraform.
fn existing(bench: &Bench, number: u16) -> Outcome {
    let volume = json!({
        "project": "p", "number": number, "kind": "fast", "size": 20, "label": "old", "serial": format!("p#{number}")
    });
    fs::create_dir_all(bench.space.path().join("things"))?;
    Ok(fs::write(bench.file(&format!("p-{number}")), volume.to_string())?)
}

const VOLUME: &str = r#"
    resource "probe_volume" "a" {
      project = "p"
      number  = 7
      label   = "old"
    }
"#;

fn import(identity: &str) -> String {
    format!("import {{\n  to = probe_volume.a\n  identity = {{\n    {identity}\n  }}\n}}\n")
}

/// Returns the state file.
fn state_file(bench: &Bench) -> Result<Json, Box<dyn std::error::Error>> {
    Ok(serde_json::from_slice(&fs::read(bench.space.path().join("terraform.tfstate"))?)?)
}

/// Returns the identity of the only object in the state file, with its version.
fn stored_identity(bench: &Bench) -> Result<(Json, Json), Box<dyn std::error::Error>> {
    let mut state = state_file(bench)?;
    let instance = &mut state["resources"][0]["instances"][0];
    Ok((instance["identity"].take(), instance["identity_schema_version"].take()))
}

fn identity_is_stored_with_the_object(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(VOLUME)?;
    bench.space.apply()?;
    assert_eq!(stored_identity(&bench)?, (json!({ "project": "p", "number": 7 }), json!(0)));
    assert!(bench.space.plan()?.is_empty());
    Ok(())
}

fn volume_is_imported_by_identity(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, 7)?;
    bench.configure(&format!("{VOLUME}{}", import("project = \"p\"\n    number = 7")))?;
    let plan = bench.space.plan()?;
    let volume = bench.for_provider("probe_volume.a");
    assert_eq!(plan.change(&volume)?.action, PlannedAction::NoOp, "{}", plan.text());
    bench.space.apply_plan(&plan)?;
    assert_eq!(bench.space.state()?.get(&volume)?.values["serial"], "p#7");
    assert_eq!(stored_identity(&bench)?.0, json!({ "project": "p", "number": 7 }));
    assert!(bench.space.plan()?.is_empty());
    Ok(())
}

fn configuration_of_object_imported_by_identity_is_generated(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, 7)?;
    bench.configure(&import("project = \"p\"\n    number = 7"))?;
    let plan = bench.space.plan_with(&["-generate-config-out=generated.tf"])?;
    let volume = bench.for_provider("probe_volume.a");
    assert_eq!(plan.change(&volume)?.action, PlannedAction::NoOp, "{}", plan.text());
    let written = fs::read_to_string(bench.space.path().join("generated.tf"))?;
    for line in ["project = \"p\"", "number  = 7", "label   = \"old\""] {
        assert!(written.contains(line), "{written}");
    }
    bench.space.apply_plan(&plan)?;
    assert!(bench.space.plan()?.is_empty(), "the generated configuration matches the object");
    Ok(())
}

fn incomplete_identity_is_rejected(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, 7)?;
    bench.configure(&format!("{VOLUME}{}", import("project = \"p\"")))?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    assert!(failed.stderr.contains("\"number\""), "the error names the missing attribute: {failed}");
    Ok(())
}

fn identity_of_missing_object_is_reported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(&format!("{VOLUME}{}", import("project = \"p\"\n    number = 8")))?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    assert!(failed.stderr.contains("Cannot import non-existent remote object"), "{failed}");
    Ok(())
}

fn object_with_another_identity_is_an_error(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    bench.configure(VOLUME)?;
    bench.space.apply()?;
    bench.drift("p-7", "number", 8)?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    assert!(failed.stderr.contains("Unexpected Identity Change"), "{failed}");
    Ok(())
}

/// Creates a shelf, and replaces its stored identity with one of version 0.
fn shelf_of_version_0(bench: &Bench, label: &str) -> Outcome {
    bench.configure("resource \"probe_shelf\" \"a\" {\n  room   = \"attic\"\n  number = 3\n}\n")?;
    bench.space.apply()?;
    assert_eq!(stored_identity(bench)?, (json!({ "room": "attic", "number": 3 }), json!(1)));
    let mut state = state_file(bench)?;
    let instance = &mut state["resources"][0]["instances"][0];
    instance["identity"] = json!({ "label": label });
    instance["identity_schema_version"] = json!(0);
    Ok(fs::write(bench.space.path().join("terraform.tfstate"), state.to_string())?)
}

fn stored_identity_is_upgraded(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    shelf_of_version_0(&bench, "attic/3")?;
    assert!(
        bench.space.plan_with(&["-refresh=false"])?.is_empty(),
        "the upgraded identity is that of the plan"
    );
    bench.space.apply()?;
    assert_eq!(stored_identity(&bench)?, (json!({ "room": "attic", "number": 3 }), json!(1)));

    shelf_of_version_0(&bench, "cellar/3")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    assert!(
        failed.stderr.contains("Unexpected Identity Change"),
        "the upgraded identity is compared: {failed}"
    );
    Ok(())
}

fn identity_that_cannot_be_upgraded_is_reported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    shelf_of_version_0(&bench, "attic")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    let stderr = failed.stderr.split(['│', '\n']).map(str::trim).collect::<Vec<_>>().join(" ");
    assert!(stderr.contains("The label \"attic\" is not room/number"), "{failed}");
    Ok(())
}
