//! Errors are shown at the line of the configuration that causes them.

use crate::common::{Bench, Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    invalid_value_is_reported_at_its_line
    invalid_value_in_block_is_reported_at_its_line
    apply_error_is_reported_at_its_line
}

/// Plans an invalid configuration, and compares the output.
pub(crate) fn expect_plan_error(bench: &Bench, expected: &str) -> Outcome {
    let failed = bench.space.run(&["plan", "-input=false"])?.expect_failure()?;
    let expected = bench.for_provider(expected);
    assert!(failed.stderr.contains(&expected), "expected:\n{expected}\nprinted:\n{}", failed.stderr);
    Ok(())
}

fn invalid_value_is_reported_at_its_line(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    bench.configure("resource \"probe_thing\" \"a\" {\n  note = \"fine\"\n  name = \"two words\"\n}\n")?;
    expect_plan_error(
        &bench,
        r#"
Error: Invalid Attribute Value

  with probe_thing.a,
  on main.tf line 3, in resource "probe_thing" "a":
   3:   name = "two words"

A name is one word, without spaces.
"#,
    )?;
    let validation = bench.space.validate()?;
    let [problem] = validation.diagnostics.as_slice() else {
        panic!("one problem is expected: {validation:?}")
    };
    assert!(!validation.is_valid && problem.is_error);
    assert_eq!(
        (problem.location.as_str(), problem.snippet.as_str()),
        ("main.tf:3", "  name = \"two words\"")
    );
    assert_eq!(problem.summary, "Invalid Attribute Value");
    Ok(())
}

fn invalid_value_in_block_is_reported_at_its_line(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    bench.configure(
        r#"resource "probe_machine" "m" {
  name = "m"
  disk {
    size = 1
  }
  disk {
    size = -4
  }
  rule {
    port = 70000
  }
}
"#,
    )?;
    expect_plan_error(
        &bench,
        r#"
  with probe_machine.m,
  on main.tf line 7, in resource "probe_machine" "m":
   7:     size = -4

A size is above zero, but this is -4.
"#,
    )?;
    // Terraform cannot show the line of a set element, so the detail contains the path.
    expect_plan_error(
        &bench,
        r#"
  with probe_machine.m,
  on main.tf line 1, in resource "probe_machine" "m":
   1: resource "probe_machine" "m" {

rule[an element of the set].port: A whole number between 0 and 65535 is
required, but got 70000.
"#,
    )
}

fn apply_error_is_reported_at_its_line(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let space = &bench.space;
    bench.configure("resource \"probe_thing\" \"a\" {\n  name = \"one\"\n}\n")?;
    space.apply()?;
    space.run(&["state", "rm", &bench.for_provider("probe_thing.a")])?.expect_success()?;
    let failed = space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    let expected = bench.for_provider(
        r#"
Error: The name already exists

  with probe_thing.a,
  on main.tf line 2, in resource "probe_thing" "a":
   2:   name = "one"

A thing named "one" already exists.
"#,
    );
    assert!(failed.stderr.contains(&expected), "{failed}");
    assert!(space.state()?.is_empty(), "no object was created");
    Ok(())
}

#[test]
fn invalid_value_in_nested_attribute_is_reported_at_its_line() -> Outcome {
    let Some(bench) = SIX.bench()? else { return Ok(()) };
    bench.configure(
        r#"resource "probe_cluster" "c" {
  name  = "c"
  nodes = {}
  disks = [
    { size = 1 },
    { size = 0 },
  ]
}
"#,
    )?;
    expect_plan_error(
        &bench,
        r#"
  with probe_cluster.c,
  on main.tf line 6, in resource "probe_cluster" "c":
   6:     { size = 0 },

disks[1].size: A size is above zero, but this is 0.
"#,
    )
}
