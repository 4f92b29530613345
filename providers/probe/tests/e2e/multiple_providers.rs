//! Two providers in one configuration, on different protocol versions.

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{PlannedAction, Workspace};

use crate::common::{FIVE, Outcome, SIX};

#[test]
fn two_providers_serve_one_configuration() -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let space = Workspace::new(&cli)?
        .provider(&SIX.address(), SIX.binary())?
        .provider(&FIVE.address(), FIVE.binary())?;
    let configure = |note: &str| {
        space.write(
            "main.tf",
            &format!(
                r#"
                provider "probe" {{
                  directory = "six"
                }}
                provider "probefive" {{
                  directory = "five"
                }}
                resource "probe_thing" "a" {{
                  name = "a"
                  note = "{note}"
                }}
                resource "probefive_thing" "b" {{
                  name = "b"
                  size = probe_thing.a.note_length
                }}
                resource "probe_thing" "c" {{
                  name = "c"
                  note = probefive_thing.b.id
                  size = probefive_thing.b.size
                }}
                "#
            ),
        )
    };

    configure("four")?;
    let plan = space.plan()?;
    assert!(
        plan.change("probefive_thing.b")?.is_unknown("size"),
        "the value is computed by the other provider"
    );
    space.apply_plan(&plan)?;
    let state = space.state()?;
    let values = &state.get("probe_thing.c")?.values;
    assert!(values["size"] == 4 && values["note"] == "thing/b", "{values}");
    assert!(space.plan()?.is_empty());

    configure("longer")?;
    let plan = space.plan()?;
    let actions: Vec<_> = plan.changes().iter().map(|it| it.action).collect();
    assert_eq!(actions, [PlannedAction::Update, PlannedAction::Update, PlannedAction::Update]);
    space.apply_plan(&plan)?;
    assert_eq!(space.state()?.get("probe_thing.c")?.values["size"], 6);
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}
