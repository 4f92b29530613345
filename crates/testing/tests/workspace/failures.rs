//! The end of a failed test.

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

use ferroform_testing::workspace::{Result, Runner};

use crate::notes;

/// The number of the runner on which a test fails in a child process.
const RUNNER: &str = "FERROFORM_TEST_RUNNER";

/// Set if the test in the child process returns an error instead of panicking.
const RETURNS_ERROR: &str = "FERROFORM_TEST_RETURNS_ERROR";

const CONFIGURATION: &str = r#"
resource "notes_note" "a" {
  title = "a"
  text  = "hello"
}

resource "notes_note" "imported" {
  title = "imported"
  text  = notes_note.a.title
}
"#;

/// Applies a configuration with an imported note, and fails.
fn fail(runner: &Runner) -> Result<()> {
    let (workspace, service) = notes::workspace(runner, "failure")?;
    workspace.write("main.tf", &notes::configuration("o", "other", ""))?;
    workspace.apply()?;
    let other = notes::notes(&service)["other"].clone();
    workspace.destroy()?;
    let existing = notes::Note { title: "imported".into(), id: "n-imported".into(), ..other };
    notes::change(&service, |it| it.insert("imported".into(), existing));
    workspace.write("main.tf", CONFIGURATION)?;
    workspace.import("notes_note.imported", "imported")?;
    workspace.apply()?;
    if env::var_os(RETURNS_ERROR).is_some() {
        workspace.state()?.get("notes_note.missing")?;
    }
    panic!("the assertion of the test");
}

#[test]
fn failed_test_prints_reproduction_and_destroys_its_objects() {
    if let Some(number) = env::var_os(RUNNER) {
        let number: usize = number.to_string_lossy().parse().unwrap();
        let runner = &Runner::all()[number];
        let result = catch_unwind(AssertUnwindSafe(|| fail(runner)));
        assert_eq!(result.is_ok(), env::var_os(RETURNS_ERROR).is_some());
        let left: Vec<_> = notes::notes(&format!("failure: {runner}")).into_keys().collect();
        eprintln!("left: {left:?}");
        return;
    }
    let runs = Runner::all().into_iter().enumerate().flat_map(|it| [(it.clone(), false), (it, true)]);
    for ((number, runner), returns_error) in runs {
        let mut child = Command::new(env::current_exe().unwrap());
        let test = "failures::failed_test_prints_reproduction_and_destroys_its_objects";
        child.args(["--exact", test, "--nocapture"]).env(RUNNER, number.to_string());
        if returns_error {
            child.env(RETURNS_ERROR, "1");
        }
        let output = child.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{printed}");
        let mut expected = vec![
            "# main.tf\nresource \"notes_note\" \"a\" {\n  title = \"a\"\n".to_owned(),
            if runner == Runner::InProcess { "  plan -destroy\n" } else { "  destroy" }.to_owned(),
            "destroyed the objects that it created: notes_note.a\n".to_owned(),
            "left: [\"imported\"]\n".to_owned(),
        ];
        if runner != Runner::InProcess {
            let kept = printed.split_once("kept for inspection: ").map(|(_, rest)| rest);
            let directory = Path::new(kept.and_then(|it| it.lines().next()).unwrap());
            let state = fs::read_to_string(directory.join("terraform.tfstate")).unwrap();
            assert!(
                state.contains("n-a") && state.contains("n-imported"),
                "the state before the cleanup: {state}"
            );
            fs::remove_dir_all(directory).unwrap();
            expected.push(format!("To reproduce the failure with {runner}, use this configuration:\n"));
        }
        for part in expected {
            assert!(printed.contains(&part), "{part:?} is missing in:\n{printed}");
        }
    }
}

#[test]
fn objects_of_a_test_that_returns_an_error_are_destroyed() -> Result<()> {
    for runner in Runner::all() {
        let test = || -> Result<()> {
            let (workspace, _) = notes::workspace(&runner, "returned error")?;
            workspace.write("main.tf", CONFIGURATION)?;
            workspace.apply()?;
            workspace.state()?.get("notes_note.c")?;
            Ok(())
        };
        assert!(test().is_err());
        assert!(notes::notes(&format!("returned error: {runner}")).is_empty());
    }
    Ok(())
}

#[test]
fn objects_that_cannot_be_destroyed_do_not_abort_the_test() {
    for runner in Runner::all() {
        let panic = catch_unwind(AssertUnwindSafe(|| {
            let (workspace, service) = notes::workspace(&runner, "failed cleanup").unwrap();
            workspace.write("main.tf", CONFIGURATION).unwrap();
            workspace.apply().unwrap();
            workspace.write("provider.tf", &notes::expired_provider(&service)).unwrap();
            panic!("the assertion of the test");
        }));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"the assertion of the test"));
    }
}
