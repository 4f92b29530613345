//! Collections whose elements have no key: Terraform accepts each plan, applies it, and reports no change afterwards.

use ferroform_testing::workspace::PlannedAction;

use crate::common::{Outcome, SIX};

/// Applies the first attributes, plans the second ones, and applies that plan. `later("…")` in the second attributes
/// is a value that is unknown until apply. Fails unless the plan has this action.
fn change(first: &str, second: &str, action: PlannedAction) -> Outcome {
    let Some(bench) = SIX.bench()? else { return Ok(()) };
    let configure = |attributes: &str| {
        let mut parts = attributes.split("later(\"");
        let mut config = parts.next().unwrap_or_default().to_owned();
        let mut data = String::new();
        for (i, part) in parts.enumerate() {
            let (value, rest) = part.split_once("\")").expect("a value");
            data += &format!("resource \"terraform_data\" \"later{i}\" {{\n  input = \"{value}\"\n}}\n");
            config += &format!("terraform_data.later{i}.output{rest}");
        }
        bench
            .configure(&format!("{data}resource \"probe_matching\" \"a\" {{\n  name = \"a\"\n{config}\n}}\n"))
    };
    configure(first)?;
    bench.space.apply()?;
    assert!(bench.space.plan()?.is_empty(), "{first}");
    configure(second)?;
    let plan = bench.space.plan()?;
    let planned = plan.changes().iter().find(|change| change.address == "probe_matching.a");
    assert_eq!(planned.map(|change| change.action), Some(action), "{second}\n{}", plan.text());
    bench.space.apply_plan(&plan)?;
    assert!(bench.space.plan()?.is_empty(), "{second}");
    bench.space.destroy()?;
    Ok(())
}

#[test]
fn list_without_key_matches_by_index_for_replacement() -> Outcome {
    let disks = r#"disks = [{ size = 1, zone = "a" }, { size = 2, zone = "b" }]"#;
    change(disks, "disks = [{ size = 2 }]", PlannedAction::Update)?;
    // An unknown zone may be another zone.
    let later = r#"disks = [{ size = 2 }, { size = 1, zone = later("c") }]"#;
    change(disks, later, PlannedAction::Replace)
}

#[test]
fn unchanged_set_of_optional_computed_attributes_plans_no_change() -> Outcome {
    let addresses =
        r#"addresses = [{ v4 = "10.0.0.7" }, { v6 = "fd00::1" }, { v4 = "10.0.0.8", v6 = "fd00::8" }]"#;
    change(addresses, addresses, PlannedAction::NoOp)?;
    let later = r#"addresses = [{ v4 = later("10.0.0.7") }, { v6 = "fd00::1" }]"#;
    change(addresses, later, PlannedAction::Update)
}

#[test]
fn final_plan_of_nested_sets_agrees_with_initial_plan() -> Outcome {
    let groups = |one: &str, two: &str, title: &str| {
        format!(
            "groups = [{{ title = {title}, members = [{{ login = {one:?} }}] }}, \
             {{ title = \"b\", members = [{{ login = {two:?} }}] }}]"
        )
    };
    let first = groups("x", "X", "\"a\"");
    for title in ["a", "b"] {
        for (one, two) in [("X", "x"), ("y", "X")] {
            let second = groups(one, two, &format!("later(\"{title}\")"));
            change(&first, &second, PlannedAction::Update)?;
        }
    }
    change(&first, &groups("X", "x", "\"a\""), PlannedAction::NoOp)
}

#[test]
fn swapped_semantically_equal_list_elements_plan_no_change() -> Outcome {
    let first = r#"labels = [{ text = "a" }, { text = "A" }]"#;
    change(first, r#"labels = [{ text = "A" }, { text = "a" }]"#, PlannedAction::NoOp)
}
