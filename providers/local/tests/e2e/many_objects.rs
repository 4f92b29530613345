//! Many objects in one plan.

use std::fs;

use ferroform_testing::workspace::PlannedAction;

use crate::{Outcome, workspace};

/// The CLI takes most of the time: 200 objects of its built-in `terraform_data` take as long.
const FILES: usize = 200;

#[test]
fn two_hundred_files_are_created_repaired_and_destroyed() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        &format!(
            r#"
            resource "local_file" "all" {{
              for_each = toset([for i in range({FILES}) : tostring(i)])
              filename = "files/${{each.key}}.txt"
              content  = "file ${{each.key}}"
            }}
            "#
        ),
    )?;
    workspace.apply()?;
    let files = workspace.path().join("files");
    assert_eq!(fs::read_dir(&files)?.count(), FILES);
    assert_eq!(fs::read_to_string(files.join("117.txt"))?, "file 117");

    // Two files differ; the others stay unchanged.
    fs::remove_file(files.join("3.txt"))?;
    fs::write(files.join("150.txt"), "changed")?;
    let plan = workspace.plan()?;
    let changed = plan.changes().iter().filter(|it| it.action != PlannedAction::NoOp);
    let addresses: Vec<_> = changed.map(|it| it.address.as_str()).collect();
    assert_eq!(addresses, ["local_file.all[\"150\"]", "local_file.all[\"3\"]"]);
    assert_eq!(plan.changes().len(), FILES);
    workspace.run(&["destroy", "-auto-approve", "-refresh=false"])?.expect_success()?;
    assert_eq!(fs::read_dir(&files)?.count(), 0);
    Ok(())
}
