//! Secrets are in what is made and in the state, and nowhere else.

use crate::common::{Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    secrets_are_neither_shown_nor_logged
}

/// What is looked for in every text: each secret, and `secret-in-a-thing` in base64 at each of the three offsets
/// at which it can begin.
const SECRETS: [&str; 7] = [
    "secret-in-a-thing",
    "another-secret",
    "secret-write-only",
    "secret-of-provider",
    "c2VjcmV0LWluLWEtdGhpb",
    "NlY3JldC1pbi1hLXRoaW5n",
    "zZWNyZXQtaW4tYS10aGlu",
];

fn shows_none(what: &str, text: &str) {
    for secret in SECRETS {
        let line = text.lines().find(|it| it.contains(secret));
        assert_eq!(line, None, "{what} has {secret:?}");
    }
}

fn secrets_are_neither_shown_nor_logged(probe: Probe) -> Outcome {
    let Some(mut bench) = probe.bench()? else {
        return Ok(());
    };
    bench.space = bench.space.traced();
    let space = &bench.space;
    space.write(
        "provider.tf",
        &bench.own("provider \"probe\" {\n  folder = \"things\"\n  token  = \"secret-of-provider\"\n}\n"),
    )?;
    let configure = |secret: &str| {
        bench.configure(&format!(
            r#"
            resource "probe_thing" "a" {{
              name   = "one"
              secret = "{secret}"
              token  = "secret-write-only"
            }}
            "#
        ))
    };

    configure("secret-in-a-thing")?;
    let plan = space.plan()?;
    shows_none("the plan", plan.text());
    shows_none("the creation", &space.apply_plan(&plan)?.to_string());
    assert_eq!(bench.object("one")?["secret"], "secret-in-a-thing", "it did arrive");
    shows_none("the state's display", &space.run(&["show"])?.expect_success()?.to_string());
    shows_none("the refresh", space.plan()?.text());
    configure("another-secret")?;
    let plan = space.plan()?;
    assert!(!plan.is_empty());
    shows_none("the plan of an update", plan.text());
    shows_none("the update", &space.apply_plan(&plan)?.to_string());
    bench.drift("one", "secret", "secret-in-a-thing")?;
    shows_none("the plan after a drift", space.plan()?.text());
    shows_none("the destruction", &space.destroy()?.to_string());

    // Neither the CLI's own records nor the provider's; and the provider did log what it was given.
    let log = space.log()?;
    shows_none("the log", log.text());
    let own = log.of_provider(probe.name);
    for (word, field) in [("configure", "config="), ("create", "plan="), ("update", "plan=")] {
        let record = own.iter().find(|it| it.contains(&format!("{}: {word}: ", probe.name)));
        let record = record.ok_or(format!("no record of {word}"))?;
        assert!(record.contains(field) && record.contains("(sensitive value)"), "{record}");
    }
    Ok(())
}

#[test]
fn secrets_in_nested_attributes_are_neither_shown_nor_logged() -> Outcome {
    let Some(mut bench) = SIX.bench()? else {
        return Ok(());
    };
    bench.space = bench.space.traced();
    let space = &bench.space;
    bench.configure(
        r#"
        resource "probe_cluster" "c" {
          name  = "c"
          disks = []
          nodes = { a = { cores = 1, password = "secret-in-a-thing" } }
        }
        "#,
    )?;
    let plan = space.plan()?;
    shows_none("the plan", plan.text());
    shows_none("the creation", &space.apply_plan(&plan)?.to_string());
    assert_eq!(bench.object("c")?["nodes"]["a"]["password"], "secret-in-a-thing", "it did arrive");
    shows_none("the state's display", &space.run(&["show"])?.expect_success()?.to_string());
    shows_none("the destruction", &space.destroy()?.to_string());
    shows_none("the log", space.log()?.text());
    Ok(())
}
