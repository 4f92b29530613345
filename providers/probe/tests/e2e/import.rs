//! Imports by pattern, and configurations that Terraform generates for imported objects.

use std::fs;

use ferroform_testing::workspace::PlannedAction;
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    volume_is_imported_by_pattern
    configuration_of_imported_object_is_generated
    volume_is_looked_up
}

/// Creates a remote volume outside of Terraform.
fn existing(bench: &Bench, number: u16, kind: &str) -> Outcome {
    let volume = json!({
        "project": "p", "number": number, "kind": kind, "size": 20, "label": "old", "serial": format!("p#{number}")
    });
    fs::create_dir_all(bench.space.path().join("things"))?;
    Ok(fs::write(bench.file(&format!("p-{number}")), volume.to_string())?)
}

fn volume_is_imported_by_pattern(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let (space, volume) = (&bench.space, &bench.for_provider("probe_volume.a"));
    existing(&bench, 7, "cheap")?;
    bench.configure(
        r#"
        resource "probe_volume" "a" {
          project = "p"
          number  = 7
          kind    = "cheap"
          label   = "old"
        }
        "#,
    )?;
    space.import(volume, "cheap/p/7")?;
    let expected =
        json!({ "project": "p", "number": 7, "kind": "cheap", "size": 20, "label": "old", "serial": "p#7" });
    assert_eq!(space.state()?.get(volume)?.values, expected);
    assert!(space.plan()?.is_empty());

    space.run(&["state", "rm", volume])?.expect_success()?;
    space.import(volume, "p/7")?;
    assert_eq!(space.state()?.get(volume)?.values, expected, "the other pattern");

    space.run(&["state", "rm", volume])?.expect_success()?;
    let one_line = |output: &str| output.split(['│', '\n']).map(str::trim).collect::<Vec<_>>().join(" ");
    for (id, why) in [
        ("p", "does not have the form \"{kind}/{project}/{number}\" or \"{project}/{number}\""),
        ("p/seven", "for \"number\", a number is required, but got \"seven\""),
        ("p/70000", "for \"number\", a whole number between 0 and 65535 is required, but got 70000"),
        ("slow/p/7", "for \"kind\", one of \"fast\", \"cheap\" is required, but got \"slow\""),
    ] {
        let failed = space.run(&["import", volume, id])?.expect_failure()?;
        let stderr = one_line(&failed.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(stderr.contains("Invalid Import ID") && stderr.contains(why), "{id}: {stderr}");
    }
    let failed = space.run(&["import", volume, "p/8"])?.expect_failure()?;
    assert!(failed.stderr.contains("Cannot import non-existent remote object"), "{failed}");
    Ok(())
}

fn configuration_of_imported_object_is_generated(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let (space, volume) = (&bench.space, &bench.for_provider("probe_volume.b"));
    existing(&bench, 8, "fast")?;
    bench.configure(
        r#"
        import {
          to = probe_volume.b
          id = "p/8"
        }
        "#,
    )?;
    let plan = space.plan_with(&["-generate-config-out=generated.tf"])?;
    let change = plan.change(volume)?;
    assert_eq!(change.action, PlannedAction::NoOp, "{}", plan.text());
    let written = fs::read_to_string(space.path().join("generated.tf"))?;
    for line in ["project = \"p\"", "number  = 8", "label   = \"old\""] {
        assert!(written.contains(line), "{written}");
    }
    assert!(!written.contains("serial"), "the provider writes it: {written}");

    space.apply_plan(&plan)?;
    assert_eq!(space.state()?.get(volume)?.values["serial"], "p#8");
    assert!(space.plan()?.is_empty(), "the generated configuration matches the object");
    Ok(())
}

fn volume_is_looked_up(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    existing(&bench, 7, "cheap")?;
    let look_up = |number: u16, size: u64| {
        bench.configure(&format!(
            r#"
            data "probe_volume" "a" {{
              project = "p"
              number  = {number}
            }}
            data "probe_volume" "sized" {{
              project = "p"
              number  = 7
              size    = {size}
            }}
            "#
        ))
    };
    look_up(7, 20)?;
    bench.space.apply()?;
    let state = bench.space.state()?;
    let expected =
        json!({ "project": "p", "number": 7, "kind": "cheap", "size": 20, "label": "old", "serial": "p#7" });
    for address in ["data.probe_volume.a", "data.probe_volume.sized"] {
        assert_eq!(state.get(&bench.for_provider(address))?.values, expected);
    }
    look_up(8, 21)?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    assert_eq!(failed.stderr.matches("No volume has this number").count(), 2, "{failed}");
    Ok(())
}
