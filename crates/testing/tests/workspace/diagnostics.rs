//! Errors and warnings, with their positions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ferroform_testing::Invariant;
use ferroform_testing::workspace::{Diagnostic, Result, Runner};

use crate::notes;

/// The severity, summary, location and address of a diagnostic.
fn position(it: &Diagnostic) -> (bool, &str, &str, &str) {
    (it.is_error, &it.summary, &it.location, &it.address)
}

#[test]
fn errors_have_their_positions() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "errors")?;
        workspace.write("main.tf", "resource \"notes_note\" \"a\" {\n  title = \"a\"\n}\n")?;
        let error = workspace.plan().unwrap_err();
        let [missing] = error.diagnostics() else { panic!("{error}") };
        assert_eq!(position(missing), (true, "Missing required argument", "main.tf:1", ""));
        let validation = workspace.validate()?;
        assert!(!validation.is_valid);
        assert_eq!(validation.diagnostics, error.diagnostics());

        workspace.write("main.tf", &notes::configuration("a", "invalid", "b"))?;
        workspace.plan()?;
        let error = workspace.apply().unwrap_err();
        let [invalid] = error.diagnostics() else { panic!("{error}") };
        assert_eq!(position(invalid), (true, "Invalid Title", "main.tf:2", "notes_note.a"));
        assert_eq!(
            (&*invalid.detail, &*invalid.snippet),
            ("The title is reserved.", "  title = \"invalid\"")
        );
        assert_eq!(invalid.context, "resource \"notes_note\" \"a\"");
        assert!(workspace.state()?.is_empty());

        workspace.write("provider.tf", &notes::expired_provider(&service))?;
        let error = workspace.plan().unwrap_err();
        let [invalid] = error.diagnostics() else { panic!("{error}") };
        assert_eq!((&*invalid.summary, &*invalid.location), ("Invalid Token", "provider.tf:3"));
    }
    Ok(())
}

#[test]
fn warnings_are_returned_with_the_result() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "warnings")?;
        workspace.write("main.tf", &notes::configuration("a", "old", "b"))?;
        assert!(workspace.plan()?.warnings().is_empty());
        let output = workspace.apply()?;
        let warnings: Vec<_> = output.warnings().map(position).collect();
        assert_eq!(warnings, [(false, "Old Title", "main.tf:1", "notes_note.a")]);
    }
    Ok(())
}

#[test]
fn import_of_missing_object_is_an_error() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "missing import")?;
        workspace.write("main.tf", &notes::configuration("a", "a", "b"))?;
        let error = workspace.import("notes_note.a", "a").unwrap_err();
        assert_eq!(error.diagnostics()[0].summary, "Cannot import non-existent remote object", "{error}");
    }
    Ok(())
}

#[test]
fn logged_secrets_are_reported() -> Result<()> {
    for runner in Runner::all() {
        let note = "resource \"notes_note\" \"a\" {\n  title = \"leak\"\n  text  = \"b\"\n  pin   = \"hunter2\"\n}\n";
        let (workspace, _) = notes::workspace(&runner, "secrets")?;
        workspace.write("main.tf", note)?;
        workspace.plan()?;
        let panic = catch_unwind(AssertUnwindSafe(|| workspace.apply())).unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        assert!(message.starts_with("invariant violated: secrets are redacted\n"), "{message}");
        let line = "pin: a log line contains this sensitive value: INFO the pin is (sensitive value)";
        assert!(message.contains(line), "{message}");

        let (workspace, _) = notes::workspace(&runner, "skipped check")?;
        let workspace = workspace.skip_check(Invariant::SecretsAreRedacted);
        workspace.write("main.tf", note)?;
        workspace.apply()?;
        assert!(workspace.provider_log().iter().any(|it| it.contains("the pin is hunter2")));
    }
    Ok(())
}
