//! Errors are shown at their position in the configuration.

use crate::{Outcome, workspace};

#[test]
fn a_wrong_permission_is_shown_at_its_line() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content = \"\"\n\n  file_permission = \"rw\"\n}\n",
    )?;
    let failed = space.run(&["plan"])?.expect_failure()?;
    let place = r#"
  with local_file.a,
  on main.tf line 5, in resource "local_file" "a":
   5:   file_permission = "rw"
"#;
    assert!(failed.stderr.contains(place), "{failed}");
    assert!(
        failed.contains("Three or four octal digits such as \"0644\" are required, but got \"rw\"."),
        "{failed}"
    );
    Ok(())
}

#[test]
fn one_content_is_wanted() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a\"\n  content = \"a\"\n  content_base64 = \"YQ==\"\n}\n",
    )?;
    let validation = space.validate_json()?;
    let [problem] = validation.diagnostics.as_slice() else {
        panic!("one problem is expected: {validation:?}")
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
fn a_folder_that_cannot_be_written_is_shown_at_its_line() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write("file", "")?;
    space.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"file/below\"\n  content = \"a\"\n}\n",
    )?;
    let failed = space.run(&["apply", "-auto-approve"])?.expect_failure()?;
    let shown = r#"
Error: Cannot write the file "file/below"

  with local_file.a,
  on main.tf line 2, in resource "local_file" "a":
   2:   filename = "file/below"
"#;
    assert!(failed.stderr.contains(shown), "{failed}");
    assert!(space.state()?.is_empty());
    Ok(())
}
