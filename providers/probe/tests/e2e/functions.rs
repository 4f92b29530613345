//! Provider-defined functions.

use ferroform_testing::cli::Feature;
use serde_json::json;

use crate::common::{Outcome, Probe, on_both_protocols};

on_both_protocols! {
    functions_are_called_without_a_configured_provider
    unknown_argument_is_passed_on_request
    errors_point_at_the_argument
}

const FUNCTIONS: &[Feature] = &[Feature::ProviderFunctions];

fn functions_are_called_without_a_configured_provider(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FUNCTIONS)? else { return Ok(()) };
    // Without the required argument `directory`, the provider cannot be configured. No resource needs it.
    bench.space.write("provider.tf", "")?;
    for (call, expected) in [
        (r#"join("-", "a", null, "b")"#, json!("a-b")),
        (r#"join("-")"#, json!("")),
        (r#"describe(null)"#, json!({ "name": null, "known": true })),
        (r#"describe("a").name"#, json!("a")),
        (r#"echo([1, "a", { b = true }])"#, json!([1, "a", { "b": true }])),
        (r#"echo(null)"#, json!(null)),
    ] {
        bench.configure(&format!(
            "output \"result\" {{\n  value = {{ it = provider::probe::{call} }}\n}}\n"
        ))?;
        bench.space.apply()?;
        assert_eq!(bench.space.output("result")?["it"], expected, "{call}");
    }
    Ok(())
}

fn unknown_argument_is_passed_on_request(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FUNCTIONS)? else { return Ok(()) };
    bench.configure(
        r#"
        resource "terraform_data" "a" {
          input = "b"
        }
        resource "probe_thing" "a" {
          name = "one"
          note = provider::probe::describe(terraform_data.a.output).known ? "known" : "unknown"
          tags = [provider::probe::join("-", "a", terraform_data.a.output)]
        }
        "#,
    )?;
    let plan = bench.space.plan()?;
    let change = plan.change(&bench.for_provider("probe_thing.a"))?;
    assert_eq!(change.after["note"], "unknown", "the function is called with an unknown value");
    assert_eq!(change.after_unknown["tags"], json!([true]), "the function is not called");
    Ok(())
}

fn errors_point_at_the_argument(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FUNCTIONS)? else { return Ok(()) };
    for (call, expected) in [
        (r#"join("-", "a", "b-c")"#, "Invalid value for \"items\" parameter: it contains the separator"),
        (
            r#"join("----")"#,
            "Invalid value for \"separator\" parameter: A string of at most 3 bytes is required",
        ),
        (r#"join(null)"#, "Invalid value for \"separator\" parameter: argument must not be null"),
        (r#"fail()"#, "the function panics"),
    ] {
        bench.configure(&format!("output \"result\" {{\n  value = provider::probe::{call}\n}}\n"))?;
        let failed = bench.space.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains(expected), "{failed}");
    }
    Ok(())
}
