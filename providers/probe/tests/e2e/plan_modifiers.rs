//! Options of attributes with functions, planned and applied by Terraform.

use ferroform_testing::cli::Feature;
use ferroform_testing::workspace::{Json, PlannedAction};
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    suppressed_difference_is_not_a_change
    smaller_size_requires_replacement
    elements_match_by_key
    default_from_environment_is_planned
    provider_configuration_has_default_from_environment
    changed_write_only_value_is_an_update
    enum_with_data_requires_exactly_one_variant
}

fn bench(probe: Probe) -> Result<Option<Bench>, Box<dyn std::error::Error>> {
    bench_for(probe, &[])
}

fn bench_for(probe: Probe, features: &[Feature]) -> Result<Option<Bench>, Box<dyn std::error::Error>> {
    let Some(mut bench) = probe.bench_for(features)? else { return Ok(None) };
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "me");
    Ok(Some(bench))
}

impl Bench {
    fn configure_resource(&self, rest: &str) -> ferroform_testing::workspace::Result<()> {
        self.configure(&format!("resource \"probe_behavior\" \"a\" {{\n  name = \"one\"\n{rest}\n}}\n"))
    }
}

fn suppressed_difference_is_not_a_change(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_behavior.a"));
    bench.configure_resource("label = \"One\"\nsize = 100\nwords = [\"a\", \"b\"]")?;
    space.apply()?;
    assert!(space.plan()?.is_empty());
    bench.configure_resource("label = \"ONE\"\nsize = 105\nwords = [\"a\", \"b\"]")?;
    assert!(space.plan()?.is_empty(), "Terraform accepts the prior values");
    // A semantically equal collection is planned as configured, which is an update without a method call.
    bench.configure_resource("label = \"ONE\"\nsize = 105\nwords = [\"b\", \"a\"]")?;
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.action, PlannedAction::Update);
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    // Suppressed and semantically equal differences are not drift either.
    bench.drift("one", "size", 95)?;
    bench.drift("one", "words", json!(["a", "b"]))?;
    let plan = space.plan()?;
    assert!(plan.is_empty() && plan.drift().is_empty(), "{}", plan.text());
    bench.drift("one", "label", "oNE")?;
    assert!(space.plan()?.is_empty());

    bench.configure_resource("label = \"Two\"\nsize = 105\nwords = [\"b\", \"a\"]")?;
    let plan = space.plan()?;
    let after = &plan.change(thing)?.after;
    assert_eq!(
        (&after["label"], &after["size"], &after["words"]),
        (&json!("Two"), &json!(100), &json!(["b", "a"]))
    );
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    // Terraform does not allow the provider to suppress the removal of a value.
    bench.configure_resource("words = [\"a\"]")?;
    let plan = space.plan()?;
    assert_eq!(
        (&plan.change(thing)?.after["label"], plan.change(thing)?.action),
        (&json!(null), PlannedAction::Update)
    );
    space.apply_plan(&plan)?;
    space.destroy()?;
    Ok(())
}

fn smaller_size_requires_replacement(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_behavior.a"));
    bench.configure_resource("size = 100")?;
    space.apply()?;
    for (size, action) in
        [("150", PlannedAction::Update), ("95", PlannedAction::NoOp), ("50", PlannedAction::Replace)]
    {
        bench.configure_resource(&format!("size = {size}"))?;
        assert_eq!(space.plan()?.change(thing)?.action, action, "{size}");
    }
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.replace_paths, ["size"]);
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    Ok(())
}

fn elements_match_by_key(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_behavior.a"));
    let rule = |port: u16, rest: &str| format!("rule {{\n port = {port}\n {rest}\n}}\n");
    let disk = |label: &str, rest: &str| format!("disk {{\n label = \"{label}\"\n {rest}\n}}\n");
    let both = rule(80, "note = \"web\"") + &rule(53, "protocol = \"udp\"");
    bench.configure_resource(&(both + &disk("a", "size = 1") + &disk("b", "size = 2")))?;
    space.apply()?;
    assert!(space.plan()?.is_empty());

    // One rule changes, one differs only in case, and one is new. The disks are in another order.
    let rules = rule(80, "note = \"WEB\"") + &rule(53, "protocol = \"tcp\"") + &rule(22, "");
    bench.configure_resource(&(rules + &disk("b", "size = 3") + &disk("a", "size = 1")))?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert_eq!(change.action, PlannedAction::Update);
    let rules = change.after["rule"].as_array().cloned().unwrap_or_default();
    let of = |port: u16| rules.iter().find(|it| it["port"] == port).cloned().unwrap_or_default();
    assert_eq!((&of(80)["note"], &of(80)["id"]), (&json!("web"), &json!("one:80")));
    assert_eq!((&of(53)["protocol"], &of(53)["id"]), (&json!("tcp"), &json!("one:53")));
    assert_eq!(of(22).get("id"), None, "it is known after apply");
    assert_eq!(change.after["disk"][0], json!({ "label": "b", "size": 3, "serial": "one/b" }));
    assert_eq!(change.after["disk"][1], json!({ "label": "a", "size": 1, "serial": "one/a" }));
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    Ok(())
}

fn default_from_environment_is_planned(probe: Probe) -> Outcome {
    let Some(mut bench) = bench(probe)? else { return Ok(()) };
    let thing = bench.for_provider("probe_behavior.a");
    bench.configure_resource("")?;
    let plan = bench.space.plan()?;
    assert_eq!(plan.change(&thing)?.after["owner"], "me");

    // In another environment, the apply fails, because its plan differs from the confirmed plan.
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "you");
    let failed = bench.space.apply_plan(&plan).expect_err("the plans differ");
    assert!(failed.to_string().contains("inconsistent final plan"), "{failed}");
    assert!(!bench.file("one").exists());

    bench.space.apply()?;
    assert_eq!(bench.object("one")?["owner"], "you");
    bench.configure_resource("owner = \"they\"")?;
    bench.space.apply()?;
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "");
    assert!(bench.space.plan()?.is_empty(), "the configuration counts");
    bench.configure_resource("")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    let message = "The argument \"owner\" is required, but it is not set. Set it in the configuration, or set the \
                environment variable FERROFORM_PROBE_OWNER.";
    assert!(failed.contains(message), "{failed}");

    // The schema does not depend on the environment.
    let schema = |bench: &Bench| -> Result<Json, Box<dyn std::error::Error>> {
        let output = bench.space.run(&["providers", "schema", "-json"])?.expect_success()?;
        let all: Json = serde_json::from_str(&output.stdout)?;
        Ok(all["provider_schemas"][bench.probe.address()].clone())
    };
    let without = schema(&bench)?;
    let owner =
        &without["resource_schemas"][bench.for_provider("probe_behavior")]["block"]["attributes"]["owner"];
    assert_eq!((&owner["optional"], &owner["computed"]), (&json!(true), &json!(true)));
    let directory = &without["provider"]["block"]["attributes"]["directory"];
    assert_eq!((&directory["optional"], &directory["computed"]), (&json!(true), &json!(null)));
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "you");
    assert_eq!(schema(&bench)?, without);
    Ok(())
}

fn provider_configuration_has_default_from_environment(probe: Probe) -> Outcome {
    let Some(mut bench) = bench(probe)? else { return Ok(()) };
    bench.space.write("provider.tf", "")?;
    bench.configure_resource("")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    let message = "The argument \"directory\" is required, but it is not set. Set it in the configuration, or set the \
                environment variable FERROFORM_PROBE_DIRECTORY.";
    assert!(failed.contains(message), "{failed}");
    bench.space = bench.space.env("FERROFORM_PROBE_DIRECTORY", "things");
    bench.space.apply()?;
    assert!(bench.file("one").exists());
    bench.space.write("provider.tf", &bench.for_provider("provider \"probe\" {}\n"))?;
    assert!(bench.space.plan()?.is_empty());
    Ok(())
}

fn changed_write_only_value_is_an_update(probe: Probe) -> Outcome {
    let Some(bench) = bench_for(probe, &[Feature::WriteOnlyAttributes])? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_behavior.a"));
    bench.configure_resource("password = \"the-first-secret\"")?;
    space.apply()?;
    let values = space.state()?.get(thing)?.values.clone();
    assert_eq!((&values["password_revision"], &values["password_length"]), (&json!(1), &json!(16)));
    assert!(space.plan()?.is_empty(), "the same password");

    bench.configure_resource("password = \"the-second-secret\"")?;
    let plan = space.plan()?;
    let change = plan.change(thing)?;
    assert!(change.action == PlannedAction::Update && change.is_unknown("password_revision"), "{change:?}");
    space.apply_plan(&plan)?;
    let values = space.state()?.get(thing)?.values.clone();
    assert_eq!((&values["password_revision"], &values["password_length"]), (&json!(2), &json!(17)));
    assert!(space.plan()?.is_empty());

    let state = space.run(&["state", "pull"])?.expect_success()?;
    assert!(!state.stdout.contains("-secret"), "{state}");
    Ok(())
}

fn enum_with_data_requires_exactly_one_variant(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.for_provider("probe_behavior.a"));
    for (inside, message) in [
        ("", "Exactly one of \"text\", \"lines\" must be set, but none is set."),
        (
            "text = \"a\"\nlines = []",
            "Exactly one of \"text\", \"lines\" must be set, but \"text\" and \"lines\" are set.",
        ),
    ] {
        bench.configure_resource(&format!("source {{\n{inside}\n}}"))?;
        let failed = space.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains(message), "{failed}");
    }
    bench.configure_resource("source {\n  text = \"a\"\n}")?;
    space.apply()?;
    assert_eq!(space.state()?.get(thing)?.values["source"], json!({ "text": "a", "lines": null }));

    // The variant is unknown until apply.
    bench.configure(
        r#"
        resource "probe_thing" "t" { name = "other" }
        resource "probe_behavior" "a" {
          name = "one"
          source {
            text  = probe_thing.t.size == 0 ? "none" : null
            lines = probe_thing.t.size == 0 ? null : [probe_thing.t.id]
          }
        }
        "#,
    )?;
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.action, PlannedAction::Update);
    space.apply_plan(&plan)?;
    assert_eq!(
        space.state()?.get(thing)?.values["source"],
        json!({ "text": null, "lines": ["thing/other"] })
    );
    assert!(space.plan()?.is_empty());
    Ok(())
}
