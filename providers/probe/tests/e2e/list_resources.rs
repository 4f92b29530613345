//! List resources: `terraform query`.

use std::fs;
use std::time::{Duration, Instant};

use ferroform_testing::cli::Feature;
use ferroform_testing::workspace::{Json, PlannedAction};
use serde_json::json;

use crate::common::{Bench, Outcome, Probe, on_both_protocols};

on_both_protocols! {
    query_lists_identities
    query_lists_whole_objects_on_request
    query_ends_at_the_limit
    error_after_some_results_is_reported_without_secrets
    invalid_configuration_is_reported
    interrupted_query_ends_the_list
    results_are_imported_with_generated_configuration
    results_are_imported_by_identities_that_only_the_service_knows
}

const FEATURES: &[Feature] = &[Feature::ListResources];

/// Creates remote volumes outside of Terraform.
fn existing(bench: &Bench, project: &str, numbers: std::ops::RangeInclusive<u16>) -> Outcome {
    fs::create_dir_all(bench.space.path().join("things"))?;
    for number in numbers {
        let volume = json!({
            "project": project, "number": number, "kind": "fast", "size": 20, "label": "old",
            "serial": format!("{project}#{number}")
        });
        fs::write(bench.file(&format!("{project}-{number}")), volume.to_string())?;
    }
    Ok(())
}

/// Writes a query file with a list of volumes.
fn query(bench: &Bench, arguments: &str, config: &str) -> Outcome {
    let list = format!(
        "list \"probe_volume\" \"all\" {{\n  provider = probe\n  {arguments}\n  config {{\n    {config}\n  }}\n}}\n"
    );
    Ok(bench.space.write("volumes.tfquery.hcl", &bench.for_provider(&list))?)
}

/// Returns the results of a query, which must succeed.
fn results(bench: &Bench) -> Result<Vec<Json>, Box<dyn std::error::Error>> {
    let output = bench.space.run(&["query", "-json"])?.expect_success()?;
    let mut found = Vec::new();
    for line in output.stdout.lines() {
        let mut message: Json = serde_json::from_str(line)?;
        if message["type"] == "list_resource_found" {
            found.push(message["list_resource_found"].take());
        }
    }
    Ok(found)
}

/// Returns the names of the volumes that the provider has read for its lists.
fn listed(bench: &Bench) -> Vec<String> {
    let log = fs::read_to_string(bench.space.path().join("things/lists.log")).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

fn query_lists_identities(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, "p", 1..=3)?;
    existing(&bench, "q", 1..=1)?;
    query(&bench, "", "project = \"p\"")?;
    let found = results(&bench)?;
    let names: Vec<_> = found.iter().map(|it| it["display_name"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["p-1", "p-2", "p-3"]);
    assert_eq!(found[1]["identity"], json!({ "project": "p", "number": 2 }));
    assert_eq!(found[1]["resource_object"], Json::Null);
    Ok(())
}

fn query_lists_whole_objects_on_request(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, "p", 7..=7)?;
    query(&bench, "include_resource = true", "")?;
    let found = results(&bench)?;
    let expected =
        json!({ "project": "p", "number": 7, "kind": "fast", "size": 20, "label": "old", "serial": "p#7" });
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["resource_object"], expected);
    Ok(())
}

fn query_ends_at_the_limit(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, "p", 1..=9)?;
    query(&bench, "limit = 4", "")?;
    assert_eq!(results(&bench)?.len(), 4);
    assert_eq!(listed(&bench), ["p-1", "p-2", "p-3", "p-4"], "the provider reads no volume beyond the limit");
    Ok(())
}

fn error_after_some_results_is_reported_without_secrets(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, "p", 1..=9)?;
    query(&bench, "", "fail_after = 2\n    secret = \"hunter22\"")?;
    let failed = bench.space.run(&["query"])?.expect_failure()?;
    assert!(failed.stderr.contains("The page is not available"), "{failed}");
    assert!(failed.stderr.contains("(sensitive value)") && !failed.stderr.contains("hunter22"), "{failed}");
    assert_eq!(listed(&bench), ["p-1", "p-2"]);
    Ok(())
}

fn invalid_configuration_is_reported(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, "p", 1..=1)?;
    query(&bench, "", "project = \"\"")?;
    let failed = bench.space.run(&["query"])?.expect_failure()?;
    assert!(failed.stderr.contains("Invalid Attribute Value Length"), "{failed}");
    assert_eq!(listed(&bench), [""; 0]);
    Ok(())
}

fn interrupted_query_ends_the_list(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(FEATURES)? else { return Ok(()) };
    existing(&bench, "p", 1..=3)?;
    query(&bench, "", "wait_after = 1")?;
    let running = bench.space.spawn(&["query"])?;
    let start = Instant::now();
    while listed(&bench).len() < 2 {
        assert!(start.elapsed() < Duration::from_secs(30), "it takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.interrupt()?;
    let failed = running.wait()?.expect_failure()?;
    assert!(failed.contains("Operation Canceled"), "{failed}");
    Ok(())
}

fn results_are_imported_with_generated_configuration(probe: Probe) -> Outcome {
    let features = [Feature::ListResources, Feature::ResourceIdentity, Feature::GeneratedConfiguration];
    let Some(bench) = probe.bench_for(&features)? else { return Ok(()) };
    existing(&bench, "p", 1..=2)?;
    query(&bench, "", "")?;
    bench.space.run(&["query", "-generate-config-out=generated.tf"])?.expect_success()?;
    let written = fs::read_to_string(bench.space.path().join("generated.tf"))?;
    for part in ["import {", "identity = {", "= \"old\""] {
        assert!(written.contains(part), "{written}");
    }
    assert!(!written.contains("serial"), "the provider writes it: {written}");

    let plan = bench.space.plan()?;
    let addresses = [0, 1].map(|it| bench.for_provider(&format!("probe_volume.all_{it}")));
    for address in &addresses {
        assert_eq!(plan.change(address)?.action, PlannedAction::NoOp, "{}", plan.text());
    }
    bench.space.apply_plan(&plan)?;
    assert_eq!(bench.space.state()?.get(&addresses[1])?.values["serial"], "p#2");
    assert!(bench.space.plan()?.is_empty(), "the generated configuration matches the objects");
    Ok(())
}

fn results_are_imported_by_identities_that_only_the_service_knows(probe: Probe) -> Outcome {
    let features = [Feature::ListResources, Feature::ResourceIdentity, Feature::GeneratedConfiguration];
    let Some(bench) = probe.bench_for(&features)? else { return Ok(()) };
    fs::create_dir_all(bench.space.path().join("things"))?;
    for (owner, serial) in [("ada", 101), ("bob", 102)] {
        fs::write(
            bench.file(&format!("badge-{owner}")),
            json!({ "owner": owner, "serial": serial }).to_string(),
        )?;
    }
    let list = "list \"probe_badge\" \"all\" {\n  provider = probe\n}\n";
    bench.space.write("badges.tfquery.hcl", &bench.for_provider(list))?;
    let identities: Vec<Json> = results(&bench)?.iter_mut().map(|it| it["identity"].take()).collect();
    assert_eq!(identities, [json!({ "serial": 101 }), json!({ "serial": 102 })]);

    bench.space.run(&["query", "-generate-config-out=generated.tf"])?.expect_success()?;
    let plan = bench.space.plan()?;
    let addresses = [0, 1].map(|it| bench.for_provider(&format!("probe_badge.all_{it}")));
    for address in &addresses {
        assert_eq!(plan.change(address)?.action, PlannedAction::NoOp, "{}", plan.text());
    }
    bench.space.apply_plan(&plan)?;
    assert_eq!(bench.space.state()?.get(&addresses[1])?.values["owner"], "bob");
    assert!(bench.space.plan()?.is_empty(), "the stored identities find the objects");
    Ok(())
}
