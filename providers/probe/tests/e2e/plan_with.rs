//! `plan_with` functions, planned and applied by Terraform.

use ferroform_testing::workspace::PlannedAction;
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    planned_value_is_applied
    set_elements_keep_values_of_plan_with
}

impl Bench {
    fn plan_for(&self, rest: &str) -> ferroform_testing::workspace::Result<()> {
        self.configure(&format!("resource \"probe_planned\" \"a\" {{\n  name = \"one\"\n{rest}\n}}\n"))
    }
}

fn planned_value_is_applied(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_planned.a"));
    bench.plan_for("")?;
    let plan = space.plan()?;
    let after = &plan.change(thing)?.after;
    assert_eq!(
        (&after["revision"], &after["image"], &after["zone"]),
        (&json!(1), &json!("v2"), &json!("open"))
    );
    assert_eq!(after.get("built"), None, "it is known after apply");
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    bench.plan_for("note = \"n\"")?;
    let plan = space.plan()?;
    let after = &plan.change(thing)?.after;
    assert_eq!((&after["revision"], &after["built"]), (&json!(2), &json!("of v2")));
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    // Only the value that the function plans has changed.
    bench.drift("one", "image", "v1")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!((change.action, &change.after["image"]), (PlannedAction::Update, &json!("v2")));
    assert_eq!(change.after["revision"], 3);
    assert_eq!(change.after.get("built"), None, "it follows the image");
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    // A configured value is planned as configured.
    bench.plan_for("note = \"n\"\nimage = \"v1\"")?;
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.after["image"], "v1");
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    bench.plan_for("note = \"n\"")?;
    assert_eq!(space.plan()?.change(thing)?.after["image"], "v2");
    space.apply()?;

    bench.drift("one", "zone", "closed")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!((change.action, &change.after["zone"]), (PlannedAction::Replace, &json!("open")));
    assert_eq!(change.replace_paths, ["zone"]);
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    bench.drift("one", "image", "broken")?;
    let failed = space.plan().expect_err("there is an error").to_string();
    assert!(
        failed.contains("Broken image") && failed.contains("No volume can be created from it."),
        "{failed}"
    );
    bench.drift("one", "image", "v2")?;
    space.destroy()?;
    Ok(())
}

fn set_elements_keep_values_of_plan_with(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_planned.a"));
    let rule = |port: u16, rest: &str| format!("rule {{\n port = {port}\n {rest}\n}}\n");
    let disk = |label: &str, rest: &str| format!("disk {{\n label = \"{label}\"\n {rest}\n}}\n");
    bench.plan_for(&(rule(80, "") + &rule(53, "") + &disk("a", "") + &disk("b", "")))?;
    space.apply()?;
    assert!(space.plan()?.is_empty());

    bench.plan_for(&(rule(80, "note = \"n\"") + &rule(22, "") + &disk("b", "size = 3") + &disk("c", "")))?;
    let plan = space.plan()?;
    let after = &plan.change(thing)?.after;
    assert_eq!(after["disk"][0], json!({ "label": "b", "size": 3, "serial": "one/b" }));
    assert_eq!(after["disk"][1], json!({ "label": "c", "size": null }), "the serial is known after apply");
    let rules = after["rule"].as_array().cloned().unwrap_or_default();
    let of = |port: u16| rules.iter().find(|it| it["port"] == port).cloned().unwrap_or_default();
    assert_eq!((&of(80)["note"], &of(80)["id"]), (&json!("n"), &json!("one:80")));
    assert_eq!(of(22).get("id"), None, "it is known after apply");
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}
