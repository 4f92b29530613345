//! Errors are reported at their line of the configuration.

use crate::{Outcome, workspace};

#[test]
fn invalid_permission_is_reported_at_its_line() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content = \"\"\n\n  file_permission = \"rw\"\n}\n",
    )?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    let location = r#"
  with local_file.a,
  on main.tf line 5, in resource "local_file" "a":
   5:   file_permission = "rw"
"#;
    assert!(failed.stderr.contains(location), "{failed}");
    assert!(
        failed.contains(
            "\"rw\" is a bad mode permission: it must have three or four octal digits such as \"0644\"."
        ),
        "{failed}"
    );
    Ok(())
}

#[test]
fn more_than_one_content_attribute_is_rejected() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content = \"a\"\n  content_base64 = \"YQ==\"\n}\n",
    )?;
    let validation = workspace.validate()?;
    let [problem] = validation.diagnostics.as_slice() else {
        panic!("expected one diagnostic: {validation:?}")
    };
    assert_eq!(
        (problem.summary.as_str(), problem.location.as_str()),
        ("Invalid Attribute Combination", "main.tf:3")
    );
    assert_eq!(problem.snippet, "  content = \"a\"");
    assert!(problem.detail.contains("but \"content\" and \"content_base64\" are set."), "{problem:?}");
    Ok(())
}

#[test]
fn failed_write_is_reported_at_the_line_of_filename() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write("file", "")?;
    workspace.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"file/below\"\n  content = \"a\"\n}\n",
    )?;
    let failed = workspace.run(&["apply", "-auto-approve"])?.expect_failure()?;
    let shown = r#"
Error: Cannot write the file "file/below"

  with local_file.a,
  on main.tf line 2, in resource "local_file" "a":
   2:   filename = "file/below"
"#;
    assert!(failed.stderr.contains(shown), "{failed}");
    assert!(workspace.state()?.is_empty());
    Ok(())
}
