//! The requests of each command, in the order that the guide page `terraform-calls.md` describes.

use std::error::Error;

use ferroform_testing::cli::Feature;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    requests_of_each_command_follow_the_documented_order
}

fn requests_of_each_command_follow_the_documented_order(probe: Probe) -> Outcome {
    // The state of the resource contains a write-only attribute.
    let Some(mut bench) = probe.bench_for(&[Feature::WriteOnlyAttributes])? else { return Ok(()) };
    bench.space = bench.space.with_trace_log();
    let thing = bench.for_provider("probe_thing.a");
    let configure = |name: &str, note: &str, lifecycle: &str| {
        bench.configure(&format!(
            "resource \"probe_thing\" \"a\" {{\n  name = \"{name}\"\n  note = \"{note}\"\n  lifecycle {{\n    {lifecycle}\n  }}\n}}\n"
        ))
    };
    let apply = || requests(&bench, &["apply", "-auto-approve"]);

    configure("one", "first", "")?;
    assert_eq!(requests(&bench, &["plan"])?, "configure plan", "the plan of a new object");
    assert_eq!(apply()?, "configure plan configure plan apply", "a create");
    assert_eq!(apply()?, "configure read plan configure", "no change");
    assert_eq!(requests(&bench, &["plan", "-refresh-only"])?, "configure read", "a refresh");
    assert_eq!(requests(&bench, &["plan", "-refresh=false"])?, "configure plan", "a plan without a refresh");

    configure("one", "second", "")?;
    assert_eq!(apply()?, "configure read plan configure plan apply", "an update in place");
    configure("two", "second", "")?;
    assert_eq!(apply()?, "configure read plan plan configure apply plan apply", "a replacement");
    let replaced = requests(&bench, &["apply", "-auto-approve", &format!("-replace={thing}")])?;
    assert_eq!(replaced, "configure read plan plan configure apply plan apply", "-replace");
    configure("three", "second", "create_before_destroy = true")?;
    let replaced = apply()?;
    // The last plan is that of the destroy.
    assert_eq!(replaced, "configure read plan plan configure plan apply plan apply", "create_before_destroy");

    bench.space.run(&["state", "rm", &thing])?.expect_success()?;
    assert_eq!(requests(&bench, &["import", &thing, "thing/three"])?, "configure import read", "an import");
    let destroyed = requests(&bench, &["destroy", "-auto-approve"])?;
    assert_eq!(destroyed, "configure read plan configure plan configure apply", "a destroy");
    Ok(())
}

/// Runs the command, and returns its requests for the provider and its objects, except for validations and state upgrades.
fn requests(bench: &Bench, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let log = || bench.space.log().map(|it| it.text().to_owned()).unwrap_or_default();
    let before = log().len();
    bench.space.run(arguments)?.expect_success()?;
    let log = log();
    let names = log[before..].lines().filter_map(|line| {
        let (_, rest) = line.split_once("GRPCProvider")?;
        match rest.split_once(": ")?.1.split(':').next()?.trim() {
            "ConfigureProvider" => Some("configure"),
            "ReadResource" => Some("read"),
            "PlanResourceChange" => Some("plan"),
            "ApplyResourceChange" => Some("apply"),
            "ImportResourceState" => Some("import"),
            _ => None,
        }
    });
    Ok(names.collect::<Vec<_>>().join(" "))
}
