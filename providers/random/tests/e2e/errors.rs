//! Error summaries match those of the original.

use crate::{Outcome, workspace};

#[test]
fn invalid_arguments_report_summaries_of_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let none = "length = 4\n  upper = false\n  lower = false\n  special = false";
    for (resource, arguments, summary) in [
        ("random_bytes", "length = 0", "Invalid Attribute Value"),
        ("random_integer", "min = 2\n  max = 1", "Create Random Integer Error"),
        ("random_password", "length = 0", "Invalid Attribute Value"),
        ("random_password", "length = 2\n  min_upper = 3", "Invalid Attribute Value"),
        ("random_password", &format!("{none}\n  numeric = false"), "Invalid Attribute Combination"),
        ("random_string", &format!("{none}\n  number = false"), "Invalid Attribute Combination"),
        (
            "random_string",
            "length = 2\n  number = true\n  numeric = false",
            "Number and numeric are both configured with different values",
        ),
    ] {
        workspace.write("main.tf", &format!("resource \"{resource}\" \"a\" {{\n  {arguments}\n}}\n"))?;
        let failed = workspace.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains(&format!("Error: {summary}")), "{failed}");
    }
    Ok(())
}

#[test]
fn malformed_import_ids_report_summaries_of_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for (resource, arguments, id, summary) in [
        ("random_bytes", "length = 1", "!", "Import Random bytes Error"),
        ("random_id", "byte_length = 1", "!", "Import Random ID Error"),
        ("random_integer", "min = 1\n  max = 3", "1", "Import Random Integer Error"),
        ("random_uuid", "", "1", "Import Random UUID Error"),
        ("random_uuid4", "", "1", "Import Random UUID Error"),
        ("random_uuid7", "", "1", "Import Random UUID Error"),
    ] {
        workspace.write("main.tf", &format!("resource \"{resource}\" \"a\" {{\n  {arguments}\n}}\n"))?;
        let failed = workspace.run(&["import", &format!("{resource}.a"), id])?.expect_failure()?;
        assert!(failed.contains(&format!("Error: {summary}")), "{failed}");
    }
    Ok(())
}
