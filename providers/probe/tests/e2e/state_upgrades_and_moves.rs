//! State upgrades, and moves between resource types.

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::{StoredObject, Workspace};
use serde_json::{Value, json};

use crate::common::{FIVE, Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    state_of_every_version_is_upgraded
    failed_state_upgrade_is_reported
    object_moves_to_another_type
    object_with_blocks_moves_to_type_with_fewer_attributes
    unsupported_move_is_reported
}

/// Returns a state of the parcel `one` in a schema version.
fn parcel(bench: &crate::common::Bench, version: u64, attributes: Value) -> StoredObject {
    StoredObject::new(bench.for_provider("probe_parcel.a"), version, attributes)
}

fn state_of_every_version_is_upgraded(probe: Probe) -> Outcome {
    for (version, attributes) in [
        (0, json!({ "parts": ["one", "7000"] })),
        (1, json!({ "name": "one", "weight": "7 kg", "gone": [true] })),
        (2, json!({ "name": "one", "kilograms": 7 })),
        (3, json!({ "name": "one", "note": null, "grams": 7000 })),
    ] {
        let Some(bench) = probe.bench()? else { return Ok(()) };
        let (space, address) = (&bench.space, &bench.for_provider("probe_parcel.a"));
        bench.configure("resource \"probe_parcel\" \"a\" {\n name = \"one\"\n grams = 7000\n}")?;
        std::fs::create_dir_all(space.path().join("things"))?;
        std::fs::write(bench.file("one"), r#"{"name":"one","note":null,"grams":7000}"#)?;
        space.write_state(&[parcel(&bench, version, attributes)])?;

        let plan = space.plan()?;
        assert!(plan.is_empty(), "from version {version}:\n{}", plan.text());
        bench.configure("resource \"probe_parcel\" \"a\" {\n name = \"one\"\n grams = 8000\n}")?;
        space.apply()?;
        let state = space.state()?;
        let object = state.get(address)?;
        assert_eq!(object.schema_version, 3);
        assert_eq!(object.values, json!({ "name": "one", "note": null, "grams": 8000 }));
        space.destroy()?;
    }
    Ok(())
}

fn failed_state_upgrade_is_reported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    bench.configure(r#"resource "probe_parcel" "a" { name = "one" }"#)?;
    let fails = |stored: StoredObject, expected: &[&str]| -> Outcome {
        bench.space.write_state(&[stored])?;
        let failed = bench.space.run(&["plan"])?.expect_failure()?;
        // The CLI wraps its output.
        let stderr: Vec<&str> = failed.stderr.split_whitespace().filter(|it| *it != "│").collect();
        let stderr = stderr.join(" ");
        for part in expected {
            assert!(stderr.contains(&bench.for_provider(part)), "{part:?} is not in\n{failed}");
        }
        Ok(())
    };
    fails(
        parcel(&bench, 1, json!({ "name": "one", "weight": "heavy" })),
        &[
            "Unable to Upgrade Resource State",
            "From version 1 to version 2 of probe_parcel: Not a weight: Invalid digit found in string.",
        ],
    )?;
    fails(
        parcel(&bench, 1, json!({ "name": ["one"] })),
        &[
            "Unable to Read Previously Saved State for UpgradeResourceState",
            "The stored state of probe_parcel does not conform to schema version 1: name:",
        ],
    )?;
    // Terraform reports this error itself, before it calls the provider.
    fails(parcel(&bench, 4, json!({ "name": "one" })), &["managed by newer provider version"])
}

const THING: &str = "resource \"probe_thing\" \"a\" {\n name = \"one\"\n note = \"kept\"\n}";
const PARCEL: &str = "resource \"probe_parcel\" \"b\" {\n name = \"one\"\n note = \"kept\"\n}";

fn moved(from: &str, to: &str) -> String {
    format!("\nmoved {{\n from = {from}\n to = {to}\n}}\n")
}

fn object_moves_to_another_type(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(&[Feature::ResourceMoves])? else { return Ok(()) };
    let space = &bench.space;
    bench.configure(THING)?;
    space.apply()?;
    bench.configure(&(PARCEL.to_owned() + &moved("probe_thing.a", "probe_parcel.b")))?;
    let plan = space.plan()?;
    assert!(plan.text().contains("0 to add, 0 to change, 0 to destroy"), "{}", plan.text());
    assert!(plan.text().contains("has moved to"), "{}", plan.text());
    space.apply_plan(&plan)?;
    let state = space.state()?;
    let object = state.get(&bench.for_provider("probe_parcel.b"))?;
    assert_eq!(object.values, json!({ "name": "one", "note": "kept", "grams": null }));
    assert_eq!((state.objects().len(), object.schema_version), (1, 3));
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

fn object_with_blocks_moves_to_type_with_fewer_attributes(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(&[Feature::ResourceMoves])? else { return Ok(()) };
    let space = &bench.space;
    let machine = r#"resource "probe_machine" "a" {
  name = "one"
  owner {
    name = "ann"
    group = "admins"
  }
  disk {
    size = 1
    kind = "tape"
  }
  disk { size = 2 }
  rule {
    port = 22
    open = true
  }
  rule {
    port = 80
    open = false
  }
}
"#;
    bench.configure(machine)?;
    space.apply()?;
    let rack = r#"resource "probe_rack" "b" {
  name = "one"
  owner { name = "ann" }
  disk { size = 1 }
  disk { size = 2 }
  rule { port = 22 }
  rule { port = 80 }
}
"#;
    bench.configure(&(rack.to_owned() + &moved("probe_machine.a", "probe_rack.b")))?;
    let plan = space.plan()?;
    assert!(plan.text().contains("0 to add, 0 to change, 0 to destroy"), "{}", plan.text());
    assert!(plan.text().contains("has moved to"), "{}", plan.text());
    space.apply_plan(&plan)?;
    let state = space.state()?;
    assert_eq!(
        (state.objects().len(), &state.get(&bench.for_provider("probe_rack.b"))?.values["id"]),
        (1, &json!("machine/one"))
    );
    let plan = space.plan()?;
    assert!(plan.is_empty(), "{}", plan.text());
    space.destroy()?;
    Ok(())
}

#[test]
fn object_moves_to_another_provider() -> Outcome {
    let Some(cli) = Cli::for_test_of(&[Feature::ResourceMoves]) else { return Ok(()) };
    let space = Workspace::new(&cli)?
        .provider(&SIX.address(), SIX.binary())?
        .provider(&FIVE.address(), FIVE.binary())?;
    let providers = "provider \"probe\" {\n directory = \"both\"\n}\nprovider \"probefive\" {\n directory = \"both\"\n}\n";
    space.write("providers_used.tf", providers)?;
    space.write("main.tf", &THING.replace("probe", "probefive"))?;
    space.apply()?;
    space.write("main.tf", &(PARCEL.to_owned() + &moved("probefive_thing.a", "probe_parcel.b")))?;
    space.apply()?;
    let state = space.state()?;
    assert_eq!(state.objects().len(), 1);
    assert_eq!(state.get("probe_parcel.b")?.values["note"], "kept");
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

fn unsupported_move_is_reported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(&[Feature::ResourceMoves])? else { return Ok(()) };
    let space = &bench.space;
    bench.configure(PARCEL)?;
    space.apply()?;
    bench.configure(&(THING.to_owned() + &moved("probe_parcel.b", "probe_thing.a")))?;
    let failed = space.run(&["plan"])?.expect_failure()?;
    let expected = bench.for_provider("probe_thing does not support moves from probe_parcel");
    assert!(failed.stderr.contains("Unable to Move Resource State"), "{failed}");
    assert!(failed.stderr.contains(&expected), "{failed}");
    Ok(())
}
