//! Error summaries match those of the original, and errors have a source location.

use crate::{Outcome, workspace};

#[test]
fn invalid_arguments_are_reported_at_their_lines() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for (resource, argument, summary, line) in [
        ("time_static", "rfc3339 = \"today\"", "Invalid RFC3339 String Value", "main.tf:2"),
        ("time_offset", "base_rfc3339 = null", "Missing Attribute Configuration", "main.tf:1"),
        ("time_rotating", "rfc3339 = null", "Missing Attribute Configuration", "main.tf:1"),
        ("time_rotating", "rotation_days = 0", "Invalid Attribute Value", "main.tf:2"),
        ("time_sleep", "triggers = {}", "Invalid Attribute Combination", "main.tf:1"),
        ("time_sleep", "create_duration = \"1\"", "Invalid Attribute Value Match", "main.tf:2"),
        ("time_sleep", "create_duration = \"9000000h\"", "Invalid Time Duration String Value", "main.tf:2"),
    ] {
        workspace.write("main.tf", &format!("resource \"{resource}\" \"a\" {{\n  {argument}\n}}\n"))?;
        let validation = workspace.validate()?;
        let found = validation.diagnostics.iter().map(|it| (&*it.summary, &*it.location));
        assert_eq!(found.collect::<Vec<_>>(), [(summary, line)], "{argument}");
    }
    Ok(())
}

#[test]
fn malformed_import_ids_are_rejected() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for (resource, id, summary) in [
        ("time_static", "today", "Import time static error"),
        ("time_offset", "2020-02-12T06:36:13Z", "Unexpected Format of ID"),
        ("time_rotating", "2020-02-12T06:36:13Z", "Unexpected Format of ID"),
        ("time_sleep", "1s", "Unexpected Format of ID"),
    ] {
        workspace.write("main.tf", &format!("resource \"{resource}\" \"a\" {{}}\n"))?;
        let failed = workspace.run(&["import", &format!("{resource}.a"), id])?.expect_failure()?;
        assert!(failed.contains(&format!("Error: {summary}")), "{failed}");
    }
    Ok(())
}
