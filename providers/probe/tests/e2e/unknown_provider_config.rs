//! A `provider` block that refers to a value of another resource, which is unknown until that resource is created.

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{PlannedAction, Workspace};

use crate::common::{Outcome, SIX};

/// A workspace without a `provider` block.
fn workspace() -> Result<Option<Workspace>, Box<dyn std::error::Error>> {
    let Some(cli) = Cli::for_test() else { return Ok(None) };
    Ok(Some(Workspace::new(&cli)?.provider(&SIX.address(), SIX.binary())?))
}

/// A configuration whose provider block refers to the value of a resource of that name.
fn with_unknown_directory(name: &str, rest: &str) -> String {
    format!(
        r#"
        resource "terraform_data" "{name}" {{
          input = "things"
        }}
        provider "probe" {{
          directory = terraform_data.{name}.output
        }}
        {rest}
        "#
    )
}

const KNOWN_DIRECTORY: &str = "provider \"probe\" {\n  directory = \"things\"\n}\n";
const THING: &str = "resource \"probe_thing\" \"a\" {\n  name = \"a\"\n}\n";
const QUOTE: &str = "resource \"probe_quote\" \"q\" {\n  name  = \"q\"\n  items = 2\n}\n";

#[test]
fn new_resources_are_planned_and_created() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write("main.tf", &with_unknown_directory("one", &[THING, QUOTE].concat()))?;
    let plan = space.plan()?;
    // Without the provider, the `plan` method is not called, so the price is unknown.
    assert!(plan.change("probe_quote.q")?.is_unknown("price"));
    space.apply_plan(&plan)?;
    assert_eq!(space.state()?.get("probe_quote.q")?.values["price"], 6);
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

#[test]
fn existing_objects_are_planned_from_their_state() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write("main.tf", &[KNOWN_DIRECTORY, THING, QUOTE].concat())?;
    space.apply()?;
    let changed = THING.replace("name = \"a\"", "name = \"a\"\n  note = \"changed\"");
    space.write("main.tf", &with_unknown_directory("two", &[&changed, QUOTE].concat()))?;
    let output = space.run(&["plan", "-no-color"])?.expect_success()?;
    assert!(output.contains("Object Not Refreshed"), "{output:?}");
    let plan = space.plan()?;
    assert_eq!(plan.change("probe_thing.a")?.action, PlannedAction::Update);
    space.apply_plan(&plan)?;
    assert_eq!(space.state()?.get("probe_thing.a")?.values["note"], "changed");
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

/// Terraform reads a data source during the plan, unless the data source depends on a resource with changes.
#[test]
fn data_source_is_read_during_apply_if_it_depends_on_the_value() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write("main.tf", &[KNOWN_DIRECTORY, THING].concat())?;
    space.apply()?;
    let data = "data \"probe_thing\" \"a\" {\n  name = \"a\"\n}\n";
    space.write("main.tf", &with_unknown_directory("three", &[THING, data].concat()))?;
    let failed = space.run(&["plan", "-no-color"])?.expect_failure()?;
    assert!(failed.contains("depends_on argument of the data source"), "{failed:?}");
    let data = data.replace("name = \"a\"", "name = \"a\"\n  depends_on = [terraform_data.three]");
    space.write("main.tf", &with_unknown_directory("three", &[THING, &data].concat()))?;
    space.apply()?;
    assert_eq!(space.state()?.get("data.probe_thing.a")?.values["revision"], 1);
    space.destroy()?;
    Ok(())
}

/// The final plan is made with the provider. It must not contradict the plan that was made without it.
#[test]
fn replacement_by_plan_method_is_an_inconsistent_final_plan() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let quote = |items| QUOTE.replace("items = 2", &format!("items = {items}\n  is_binding = true"));
    space.write("main.tf", &[KNOWN_DIRECTORY, &quote(2)].concat())?;
    space.apply()?;
    space.write("main.tf", &with_unknown_directory("four", &quote(3)))?;
    let failed = space.run(&["apply", "-auto-approve", "-no-color"])?.expect_failure()?;
    assert!(failed.contains("Provider produced inconsistent final plan"), "{failed:?}");
    // The value is known now, so the next plan calls the method.
    let plan = space.plan()?;
    assert_eq!(plan.change("probe_quote.q")?.action, PlannedAction::Replace);
    space.apply_plan(&plan)?;
    space.destroy()?;
    Ok(())
}
