//! Sensitive values appear only in remote objects and in the state.

use ferroform_testing::cli::Feature;

use crate::common::{Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    sensitive_values_are_neither_shown_nor_logged
}

/// The strings that must not appear: each secret, and the base64 encoding of `secret-in-a-thing` at each of the three
/// offsets.
const SECRETS: [&str; 7] = [
    "secret-in-a-thing",
    "another-secret",
    "secret-write-only",
    "secret-of-provider",
    "c2VjcmV0LWluLWEtdGhpb",
    "NlY3JldC1pbi1hLXRoaW5n",
    "zZWNyZXQtaW4tYS10aGlu",
];

fn assert_no_secret(source: &str, output: &str) {
    for secret in SECRETS {
        let line = output.lines().find(|it| it.contains(secret));
        assert_eq!(line, None, "{source} contains {secret:?}");
    }
}

fn sensitive_values_are_neither_shown_nor_logged(probe: Probe) -> Outcome {
    let Some(mut bench) = probe.bench_for(&[Feature::WriteOnlyAttributes])? else {
        return Ok(());
    };
    bench.space = bench.space.with_trace_log();
    let space = &bench.space;
    space.write(
        "provider.tf",
        &bench.for_provider(
            "provider \"probe\" {\n  directory = \"things\"\n  token  = \"secret-of-provider\"\n}\n",
        ),
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
    assert_no_secret("the plan", plan.text());
    assert_no_secret("the creation", &space.apply_plan(&plan)?.to_string());
    assert_eq!(bench.object("one")?["secret"], "secret-in-a-thing", "the provider received the secret");
    assert_no_secret("the state's display", &space.run(&["show"])?.expect_success()?.to_string());
    assert_no_secret("the refresh", space.plan()?.text());
    configure("another-secret")?;
    let plan = space.plan()?;
    assert!(!plan.is_empty());
    assert_no_secret("the plan of an update", plan.text());
    assert_no_secret("the update", &space.apply_plan(&plan)?.to_string());
    bench.drift("one", "secret", "secret-in-a-thing")?;
    assert_no_secret("the plan after a drift", space.plan()?.text());
    assert_no_secret("the destruction", &space.destroy()?.to_string());

    // Neither the log lines of the CLI nor those of the provider contain a secret. The provider logs its arguments.
    let log = space.log()?;
    assert_no_secret("the log", log.text());
    let provider_log = log.of_provider(probe.name);
    for (word, field) in [("configure", "config="), ("create", "plan="), ("update", "plan=")] {
        let record = provider_log.iter().find(|it| it.contains(&format!("{}: {word}: ", probe.name)));
        let record = record.ok_or(format!("no record of {word}"))?;
        assert!(record.contains(field) && record.contains("(sensitive value)"), "{record}");
    }
    Ok(())
}

#[test]
fn sensitive_nested_values_are_neither_shown_nor_logged() -> Outcome {
    let Some(mut bench) = SIX.bench()? else {
        return Ok(());
    };
    bench.space = bench.space.with_trace_log();
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
    assert_no_secret("the plan", plan.text());
    assert_no_secret("the creation", &space.apply_plan(&plan)?.to_string());
    assert_eq!(
        bench.object("c")?["nodes"]["a"]["password"],
        "secret-in-a-thing",
        "the provider received the secret"
    );
    assert_no_secret("the state's display", &space.run(&["show"])?.expect_success()?.to_string());
    assert_no_secret("the destruction", &space.destroy()?.to_string());
    assert_no_secret("the log", space.log()?.text());
    Ok(())
}
