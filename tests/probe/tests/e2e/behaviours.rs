//! What functions of the author's say of a change, judged by the real core.

use ferroform_testing::cli::{Json, PlannedAction};
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    what_is_suppressed_is_no_change
    what_shrinks_is_made_anew
    elements_are_known_by_their_keys
    what_the_environment_says_is_planned
    the_provider_looks_at_the_environment
    another_password_is_a_change
    exactly_one_variant_is_set
}

fn bench(probe: Probe) -> Result<Option<Bench>, Box<dyn std::error::Error>> {
    let Some(mut bench) = probe.bench()? else { return Ok(None) };
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "me");
    Ok(Some(bench))
}

impl Bench {
    fn behave(&self, rest: &str) -> ferroform_testing::cli::Result<()> {
        self.configure(&format!("resource \"probe_behaviour\" \"a\" {{\n  name = \"one\"\n{rest}\n}}\n"))
    }
}

fn what_is_suppressed_is_no_change(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.own("probe_behaviour.a"));
    bench.behave("label = \"One\"\nsize = 100\nwords = [\"a\", \"b\"]")?;
    space.apply()?;
    assert!(space.plan()?.is_empty());
    bench.behave("label = \"ONE\"\nsize = 105\nwords = [\"a\", \"b\"]")?;
    assert!(space.plan()?.is_empty(), "core takes the prior values");
    // A collection that means the same takes the new words, once.
    bench.behave("label = \"ONE\"\nsize = 105\nwords = [\"b\", \"a\"]")?;
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.action, PlannedAction::Update);
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    // What was read is no change either, where a function says so.
    bench.drift("one", "size", 95)?;
    bench.drift("one", "words", json!(["a", "b"]))?;
    let plan = space.plan()?;
    assert!(plan.is_empty() && plan.drift().is_empty(), "{}", plan.text());
    bench.drift("one", "label", "oNE")?;
    assert!(space.plan()?.is_empty());

    bench.behave("label = \"Two\"\nsize = 105\nwords = [\"b\", \"a\"]")?;
    let plan = space.plan()?;
    let after = &plan.change(thing)?.after;
    assert_eq!(
        (&after["label"], &after["size"], &after["words"]),
        (&json!("Two"), &json!(100), &json!(["b", "a"]))
    );
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    // To take it out is a change, which core does not let anybody suppress.
    bench.behave("words = [\"a\"]")?;
    let plan = space.plan()?;
    assert_eq!(
        (&plan.change(thing)?.after["label"], plan.change(thing)?.action),
        (&json!(null), PlannedAction::Update)
    );
    space.apply_plan(&plan)?;
    space.destroy()?;
    Ok(())
}

fn what_shrinks_is_made_anew(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.own("probe_behaviour.a"));
    bench.behave("size = 100")?;
    space.apply()?;
    for (size, action) in
        [("150", PlannedAction::Update), ("95", PlannedAction::NoOp), ("50", PlannedAction::Replace)]
    {
        bench.behave(&format!("size = {size}"))?;
        assert_eq!(space.plan()?.change(thing)?.action, action, "{size}");
    }
    let plan = space.plan()?;
    assert_eq!(plan.change(thing)?.replace_paths, ["size"]);
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    Ok(())
}

fn elements_are_known_by_their_keys(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.own("probe_behaviour.a"));
    let rule = |port: u16, rest: &str| format!("rule {{\n port = {port}\n {rest}\n}}\n");
    let disk = |label: &str, rest: &str| format!("disk {{\n label = \"{label}\"\n {rest}\n}}\n");
    let both = rule(80, "note = \"web\"") + &rule(53, "protocol = \"udp\"");
    bench.behave(&(both + &disk("a", "size = 1") + &disk("b", "size = 2")))?;
    space.apply()?;
    assert!(space.plan()?.is_empty());

    // One changed, one with nothing but its case of letters, one new; and the disks the other way round.
    let rules = rule(80, "note = \"WEB\"") + &rule(53, "protocol = \"tcp\"") + &rule(22, "");
    bench.behave(&(rules + &disk("b", "size = 3") + &disk("a", "size = 1")))?;
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

fn what_the_environment_says_is_planned(probe: Probe) -> Outcome {
    let Some(mut bench) = bench(probe)? else { return Ok(()) };
    let thing = bench.own("probe_behaviour.a");
    bench.behave("")?;
    let plan = bench.space.plan()?;
    assert_eq!(plan.change(&thing)?.after["owner"], "me");

    // Applied elsewhere, nothing is done by a value that nobody has seen.
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "you");
    let failed = bench.space.apply_plan(&plan).expect_err("the plans differ");
    assert!(failed.to_string().contains("inconsistent final plan"), "{failed}");
    assert!(!bench.file("one").exists());

    bench.space.apply()?;
    assert_eq!(bench.object("one")?["owner"], "you");
    bench.behave("owner = \"they\"")?;
    bench.space.apply()?;
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "");
    assert!(bench.space.plan()?.is_empty(), "the configuration counts");
    bench.behave("")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    let said = "The argument \"owner\" is required, but it is not set. Set it in the configuration, or set the \
                environment variable FERROFORM_PROBE_OWNER.";
    assert!(failed.contains(said), "{failed}");

    // The schema does not depend on what is around.
    let schema = |bench: &Bench| -> Result<Json, Box<dyn std::error::Error>> {
        let shown = bench.space.run(&["providers", "schema", "-json"])?.expect_success()?;
        let all: Json = serde_json::from_str(&shown.stdout)?;
        Ok(all["provider_schemas"][bench.probe.address()].clone())
    };
    let without = schema(&bench)?;
    let owner = &without["resource_schemas"][bench.own("probe_behaviour")]["block"]["attributes"]["owner"];
    assert_eq!((&owner["optional"], &owner["computed"]), (&json!(true), &json!(true)));
    let folder = &without["provider"]["block"]["attributes"]["folder"];
    assert_eq!((&folder["optional"], &folder["computed"]), (&json!(true), &json!(null)));
    bench.space = bench.space.env("FERROFORM_PROBE_OWNER", "you");
    assert_eq!(schema(&bench)?, without);
    Ok(())
}

fn the_provider_looks_at_the_environment(probe: Probe) -> Outcome {
    let Some(mut bench) = bench(probe)? else { return Ok(()) };
    bench.space.write("provider.tf", "")?;
    bench.behave("")?;
    let failed = bench.space.run(&["plan"])?.expect_failure()?;
    let said = "The argument \"folder\" is required, but it is not set. Set it in the configuration, or set the \
                environment variable FERROFORM_PROBE_FOLDER.";
    assert!(failed.contains(said), "{failed}");
    bench.space = bench.space.env("FERROFORM_PROBE_FOLDER", "things");
    bench.space.apply()?;
    assert!(bench.file("one").exists());
    bench.space.write("provider.tf", &bench.own("provider \"probe\" {}\n"))?;
    assert!(bench.space.plan()?.is_empty());
    Ok(())
}

fn another_password_is_a_change(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.own("probe_behaviour.a"));
    bench.behave("password = \"the-first-secret\"")?;
    space.apply()?;
    let values = space.state()?.get(thing)?.values.clone();
    assert_eq!((&values["password_revision"], &values["password_length"]), (&json!(1), &json!(16)));
    assert!(space.plan()?.is_empty(), "the same password");

    bench.behave("password = \"the-second-secret\"")?;
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

fn exactly_one_variant_is_set(probe: Probe) -> Outcome {
    let Some(bench) = bench(probe)? else { return Ok(()) };
    let (space, thing) = (&bench.space, &bench.own("probe_behaviour.a"));
    for (inside, said) in [
        ("", "Exactly one of \"text\", \"lines\" must be set, but none is set."),
        (
            "text = \"a\"\nlines = []",
            "Exactly one of \"text\", \"lines\" must be set, but \"text\" and \"lines\" are set.",
        ),
    ] {
        bench.behave(&format!("source {{\n{inside}\n}}"))?;
        let failed = space.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains(said), "{failed}");
    }
    bench.behave("source {\n  text = \"a\"\n}")?;
    space.apply()?;
    assert_eq!(space.state()?.get(thing)?.values["source"], json!({ "text": "a", "lines": null }));

    // Which of the two it is turns out at apply.
    bench.configure(
        r#"
        resource "probe_thing" "t" { name = "other" }
        resource "probe_behaviour" "a" {
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
