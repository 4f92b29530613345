//! The steps of a test and their results.

use std::time::Duration;

use ferroform_testing::workspace::{PlannedAction, Result, Runner};
use serde_json::Value as Json;

use crate::notes::{self, Note};

#[test]
fn note_is_created_updated_replaced_and_destroyed() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "lifecycle")?;
        let configure =
            |title: &str, text: &str| workspace.write("main.tf", &notes::configuration("a", title, text));
        configure("one", "hello")?;
        let plan = workspace.plan()?;
        let change = plan.change("notes_note.a")?;
        assert_eq!((change.action, &change.before), (PlannedAction::Create, &Json::Null));
        assert_eq!(change.after["text"], "hello");
        assert!(change.is_unknown("size") && change.is_unknown("id") && !change.is_unknown("text"));
        assert!(change.is_sensitive("pin") || change.after["pin"].is_null());
        let output = workspace.apply_plan(&plan)?;
        assert!(output.contains("Apply complete! Resources: 1 added, 0 changed, 0 destroyed."), "{output}");
        workspace.plan()?.expect_empty()?;
        let note: Note = workspace.state()?.object("notes_note.a")?;
        assert_eq!((note.size, note.id.as_str(), note.archived), (5, "n-one", false));
        assert_eq!(notes::notes(&service)["one"], note);

        configure("one", "good bye")?;
        let plan = workspace.plan()?;
        let change = plan.change("notes_note.a")?;
        assert_eq!((change.action, change.is_unknown("size")), (PlannedAction::Update, true));
        assert_eq!(change.after["id"], "n-one");
        workspace.apply()?;
        assert_eq!(workspace.state()?.get("notes_note.a")?.values["size"], 8);

        configure("two", "good bye")?;
        let plan = workspace.plan()?;
        let change = plan.change("notes_note.a")?;
        assert_eq!(change.action, PlannedAction::Replace);
        assert_eq!(change.replace_paths, ["title"]);
        workspace.apply_plan(&plan)?;
        assert_eq!(notes::notes(&service).keys().collect::<Vec<_>>(), ["two"]);

        let plan = workspace.plan_with(&["-destroy"])?;
        assert_eq!(plan.change("notes_note.a")?.action, PlannedAction::Delete);
        workspace.destroy()?;
        assert!(workspace.state()?.is_empty() && notes::notes(&service).is_empty());
    }
    Ok(())
}

#[test]
fn command_that_exceeds_the_timeout_fails() -> Result<()> {
    for runner in Runner::all().into_iter().filter(|it| *it != Runner::InProcess) {
        let workspace = notes::workspace(&runner, "timeout")?.0.command_timeout(Duration::ZERO);
        let error = workspace.plan().unwrap_err().to_string();
        assert!(error.contains("did not finish within 0ns"), "{error}");
    }
    Ok(())
}
