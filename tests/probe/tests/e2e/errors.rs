//! What is wrong is shown where it is wrong.

use crate::common::{Bench, Outcome, Probe, SIX, on_both_protocols};

on_both_protocols! {
    a_wrong_value_is_shown_at_its_line
    a_wrong_value_in_a_block_is_shown_at_its_line
    a_refusal_during_apply_is_shown_at_its_line
}

/// Plans what cannot be planned, and compares what is printed.
pub(crate) fn refuses(bench: &Bench, expected: &str) -> Outcome {
    let failed = bench.space.run(&["plan", "-input=false"])?.expect_failure()?;
    let expected = bench.own(expected);
    assert!(failed.stderr.contains(&expected), "expected:\n{expected}\nprinted:\n{}", failed.stderr);
    Ok(())
}

fn a_wrong_value_is_shown_at_its_line(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    bench.configure("resource \"probe_thing\" \"a\" {\n  note = \"fine\"\n  name = \"two words\"\n}\n")?;
    refuses(
        &bench,
        r#"
Error: Invalid Attribute Value

  with probe_thing.a,
  on main.tf line 3, in resource "probe_thing" "a":
   3:   name = "two words"

A name is one word, without spaces.
"#,
    )?;
    let validation = bench.space.validate_json()?;
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

fn a_wrong_value_in_a_block_is_shown_at_its_line(probe: Probe) -> Outcome {
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
    refuses(
        &bench,
        r#"
  with probe_machine.m,
  on main.tf line 7, in resource "probe_machine" "m":
   7:     size = -4

A size is above zero, but this is -4.
"#,
    )?;
    // An element of a set has no place that Terraform could show: the text says which.
    refuses(
        &bench,
        r#"
  with probe_machine.m,
  on main.tf line 1, in resource "probe_machine" "m":
   1: resource "probe_machine" "m" {

rule[an element of the set].port: A whole number from 0 to 65535 is required,
but got 70000.
"#,
    )
}

fn a_refusal_during_apply_is_shown_at_its_line(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else {
        return Ok(());
    };
    let space = &bench.space;
    bench.configure("resource \"probe_thing\" \"a\" {\n  name = \"one\"\n}\n")?;
    space.apply()?;
    space.run(&["state", "rm", &bench.own("probe_thing.a")])?.expect_success()?;
    let failed = space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    let expected = bench.own(
        r#"
Error: The name is taken

  with probe_thing.a,
  on main.tf line 2, in resource "probe_thing" "a":
   2:   name = "one"

There is a thing "one".
"#,
    );
    assert!(failed.stderr.contains(&expected), "{failed}");
    assert!(space.state()?.is_empty(), "nothing was made");
    Ok(())
}

#[test]
fn a_wrong_value_in_a_nested_attribute_is_shown_at_its_line() -> Outcome {
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
    refuses(
        &bench,
        r#"
  with probe_cluster.c,
  on main.tf line 6, in resource "probe_cluster" "c":
   6:     { size = 0 },

disks[1].size: A size is above zero, but this is 0.
"#,
    )
}
