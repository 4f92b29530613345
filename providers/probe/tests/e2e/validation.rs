//! Validation of configurations, and schemas, as Terraform shows them.

use ferroform_testing::cli::Feature;
use ferroform_testing::workspace::PlannedAction;
use serde_json::{Value as Json, json};

use crate::common::{Bench, Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    validators_run_before_planning
    terraform_validates_number_of_blocks
    relations_across_objects_are_validated
    unknown_value_is_rejected_by_prefix
    blocks_of_every_nesting_mode_are_applied
    schema_has_description_kinds
    provider_configuration_is_validated
}

/// Returns the diagnostics of a configuration with their locations.
fn diagnostics(bench: &Bench, config: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    bench.configure(config)?;
    let found = bench.space.validate()?;
    let format_diagnostic = |it: &ferroform_testing::workspace::Diagnostic| {
        let kind = if it.is_error { "error" } else { "warning" };
        format!("{kind} {}: {}: {}", it.location, it.summary, it.detail)
    };
    let mut found: Vec<String> = found.diagnostics.iter().map(format_diagnostic).collect();
    // Terraform validates blocks in random order.
    found.sort_unstable();
    Ok(found)
}

fn validators_run_before_planning(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(&[Feature::WriteOnlyAttributes])? else { return Ok(()) };
    let found = diagnostics(
        &bench,
        r#"resource "probe_service" "a" {
  name     = "a"
  ports    = [80, 2000, 2000]
  labels   = { long = "toolong" }
  address  = "old"
  small    = 1
  large    = 3
  total    = 5
  password = "stored"
  owner {
    name = "me"
  }
  listener {
    port   = 80
    secure = true
  }
  route "self" {
    target = "a"
  }
  alias {
    target = "b"
  }
}
"#,
    )?;
    let expected = [
        "warning main.tf:5: Attribute Deprecated: Use url.",
        "warning main.tf:4: Invalid Attribute Value Length: labels[\"long\"]: A string of at most 5 bytes is required, but this has 7 bytes.",
        "warning main.tf:1: Block Deprecated: alias: Write a listener.",
        "warning main.tf:9: Available Write-Only Attribute Alternative: The value of \"password\" is stored in the state. Use the write-only attribute \"password_wo\" instead, which is not stored.",
        "error main.tf:3: Duplicate List Value: The elements 1 and 2 have the same value: 2000; each element must be unique.",
        "error main.tf:3: Invalid Attribute Value: 1 to 2 elements are required, but there are 3 elements.",
        "error main.tf:3: Invalid Attribute Value: ports[0]: A whole number between 1024 and 65535 is required, but got 80.",
        "error main.tf:4: Invalid Attribute Value Length: labels[\"long\"]: A string of at most 3 bytes is required, but this has 4 bytes.",
        "error main.tf:8: Invalid Attribute Value: \"total\" must be the sum of \"small\" and \"large\": 4, but it is 5.",
        "error main.tf:1: Invalid Attribute Value: listener[0]: Port 80 is not secure.",
        "error main.tf:18: A service cannot be a route to itself: Take another target.",
    ];
    let mut expected = expected.to_vec();
    // Newer versions of Terraform find the line of a block in a list.
    if let Some(it) =
        expected.iter_mut().find(|it| it.starts_with("error main.tf:1: Invalid Attribute Value: listener"))
        && found.iter().any(|it| it.starts_with("error main.tf:13:"))
    {
        *it = "error main.tf:13: Invalid Attribute Value: listener[0]: Port 80 is not secure.";
    }
    expected.sort_unstable();
    assert_eq!(found, expected);
    Ok(())
}

fn terraform_validates_number_of_blocks(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let found = diagnostics(&bench, "resource \"probe_service\" \"a\" {\n  name = \"a\"\n}\n")?;
    assert_eq!(
        found,
        [
            "error main.tf:1: Insufficient listener blocks: At least 1 \"listener\" blocks are required.",
            "error main.tf:1: Missing owner block: A block of type \"owner\" is required here.",
        ]
    );
    let found = diagnostics(
        &bench,
        r#"resource "probe_service" "a" {
  name = "a"
  owner {
    name = "me"
  }
  listener {
    port = 1
  }
  listener {
    port = 2
  }
  listener {
    port = 3
  }
}
"#,
    )?;
    assert_eq!(
        found,
        ["error main.tf:12: Too many listener blocks: No more than 2 \"listener\" blocks are allowed"]
    );
    // The provider validates the number of map blocks.
    let found = diagnostics(
        &bench,
        r#"resource "probe_service" "a" {
  name = "a"
  owner {
    name = "me"
  }
  listener {
    port = 1
  }
  route "x" {
    target = "b"
  }
  route "y" {
    target = "b"
  }
  route "z" {
    target = "b"
  }
}
"#,
    )?;
    assert_eq!(
        found,
        [
            "error main.tf:1: Invalid Attribute Value: route: At most 2 elements are required, but there are 3 elements."
        ]
    );
    Ok(())
}

fn relations_across_objects_are_validated(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench_for(&[Feature::WriteOnlyAttributes])? else { return Ok(()) };
    let found = diagnostics(
        &bench,
        r#"resource "probe_service" "a" {
  name        = "a"
  small       = 1
  password    = "x"
  password_wo = "y"
  owner {
    name = "me"
  }
  listener {
    port = 1
    host = "h"
  }
}

resource "probe_service" "b" {
  name = "b"
  url  = "https://example.com"
  owner {
    name = "me"
    url  = "https://example.org"
  }
  listener {
    port   = 1
    host   = "h"
    secure = false
  }
}
"#,
    )?;
    let errors: Vec<&String> = found.iter().filter(|it| it.starts_with("error")).collect();
    let mut expected = vec![
        "error main.tf:3: Invalid Attribute Combination: Either all or none of \"small\", \"large\" must be set, but only \"small\" is set.",
        "error main.tf:4: Invalid Attribute Combination: \"password\" cannot be set together with \"password_wo\".",
        "error main.tf:11: Invalid Attribute Combination: \"listener[0].secure\" must be set if \"listener[0].host\" is set.",
        "error main.tf:11: Invalid Attribute Combination: \"url\" must be set if \"listener[0].host\" is set.",
        "error main.tf:17: Invalid Attribute Combination: At most one of \"url\", \"owner.url\" can be set, but \"url\" and \"owner.url\" are set.",
    ];
    expected.sort_unstable();
    assert_eq!(errors, expected);
    Ok(())
}

/// Terraform sends the known prefix of an interpolated string, which can be enough to reject it.
fn unknown_value_is_rejected_by_prefix(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let config = |start: &str| {
        format!(
            r#"resource "probe_thing" "x" {{
  name = "x"
}}

resource "probe_service" "a" {{
  name = "a"
  url  = "{start}${{probe_thing.x.id}}"
  owner {{
    name = "me"
  }}
  listener {{
    port = 1
  }}
}}
"#
        )
    };
    let found = diagnostics(&bench, &config("http://"))?;
    assert_eq!(
        found,
        [
            "error main.tf:7: Invalid Attribute Value Match: One of \"https://example.com\", \"https://example.org\" is required, but this begins with \"http://\"."
        ]
    );
    assert_eq!(diagnostics(&bench, &config("https://example"))?, [""; 0], "the value may still become valid");
    let failed = bench.space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    assert!(failed.contains("is required, but got \"https://examplething/x\""), "{failed}");
    Ok(())
}

fn blocks_of_every_nesting_mode_are_applied(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let configure = |routes: &str, alias: &str| {
        bench.configure(&format!(
            r#"resource "probe_service" "a" {{
  name = "a"
  owner {{
    name = "me"
  }}
  listener {{
    port = 1
  }}
  {routes}
  alias {{
    target = "{alias}"
  }}
}}
"#
        ))
    };
    let format_diagnostic =
        |label: &str, target: &str| format!("route \"{label}\" {{\n target = \"{target}\"\n}}\n");
    configure(&format_diagnostic("x", "b"), "c")?;
    let space = &bench.space;
    space.apply()?;
    let values = space.state()?.get(&bench.for_provider("probe_service.a"))?.values.clone();
    assert_eq!(values["route"], json!({ "x": { "target": "b" } }));
    assert_eq!(values["owner"], json!({ "name": "me", "url": null }));
    assert_eq!(values["alias"], json!([{ "target": "c" }]));
    assert!(space.plan()?.is_empty());

    configure(&(format_diagnostic("x", "d") + &format_diagnostic("y", "e")), "c")?;
    let plan = space.plan()?;
    let change = plan.change(&bench.for_provider("probe_service.a"))?;
    assert_eq!(change.action, PlannedAction::Update);
    assert_eq!(change.after["route"], json!({ "x": { "target": "d" }, "y": { "target": "e" } }));
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    configure("", "f")?;
    let plan = space.plan()?;
    let change = plan.change(&bench.for_provider("probe_service.a"))?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["alias".to_owned()][..])
    );
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

fn schema_has_description_kinds(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    bench.configure("")?;
    let printed = bench.space.run(&["providers", "schema", "-json"])?.expect_success()?;
    let all: Json = serde_json::from_str(&printed.stdout)?;
    let resources = &all["provider_schemas"][probe.address()]["resource_schemas"];
    let service = &resources[bench.for_provider("probe_service")]["block"];
    assert_eq!(service["description_kind"], "plain");
    assert_eq!(
        service["attributes"]["name"]["description"],
        "Its *name*. Changing it replaces the resource."
    );
    assert_eq!(service["attributes"]["name"]["description_kind"], "plain");
    assert_eq!(service["attributes"]["address"]["deprecated"], true);
    assert_eq!(service["block_types"]["alias"]["block"]["deprecated"], true);
    let blocks = &service["block_types"];
    let bounds = |name: &str| {
        (
            blocks[name]["nesting_mode"].clone(),
            blocks[name]["min_items"].clone(),
            blocks[name]["max_items"].clone(),
        )
    };
    assert_eq!(bounds("owner"), (json!("single"), json!(1), json!(1)));
    assert_eq!(bounds("listener"), (json!("list"), json!(1), json!(2)));
    assert_eq!(bounds("route"), (json!("map"), Json::Null, Json::Null));
    assert_eq!(bounds("alias"), (json!("set"), Json::Null, Json::Null));
    let thing = &resources[bench.for_provider("probe_thing")]["block"];
    assert_eq!(thing["description_kind"], "markdown");
    Ok(())
}

fn provider_configuration_is_validated(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let provider = "provider \"probe\" {\n  token = \"strict\"\n  directory = \"things\"\n}\n";
    bench.space.write("provider.tf", &bench.for_provider(provider))?;
    let found = diagnostics(&bench, "resource \"probe_thing\" \"a\" {\n  name = \"a\"\n}\n")?;
    // The message masks the token.
    assert_eq!(found, ["error provider.tf:3: The token \"(sensitive value)\" requires an absolute path: "]);
    Ok(())
}

/// Terraform 1.11 does not support computed blocks, so it plans the configured blocks.
#[test]
fn computed_block_must_be_configured_without_client_support() -> Outcome {
    let Some(bench) = SIX.bench()? else { return Ok(()) };
    let found = diagnostics(&bench, "resource \"probe_endpoints\" \"a\" {\n  name = \"a\"\n}\n")?;
    assert_eq!(
        found,
        [
            "error main.tf:1: Computed Block Not Allowed: endpoint: The block \"endpoint\" can be omitted only with Terraform 1.16 or later. Add the block to the configuration.",
            "warning main.tf:1: Deprecated: Use probe_service.",
        ]
    );
    bench.configure("resource \"probe_endpoints\" \"a\" {\n  name = \"a\"\n  endpoint {}\n  endpoint {\n    host = \"h\"\n  }\n}\n")?;
    bench.space.apply()?;
    let values = bench.space.state()?.get("probe_endpoints.a")?.values.clone();
    assert_eq!(values["endpoint"], json!([{ "host": "a-0", "id": "a/0" }, { "host": "h", "id": "a/1" }]));
    assert!(bench.space.plan()?.is_empty());
    Ok(())
}
