//! Many objects in one plan.

use std::fs;

use ferroform_testing::cli::Action;

use crate::{Outcome, workspace};

const FILES: usize = 200;

#[test]
fn two_hundred_files_live() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write(
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
    let plan = space.plan()?;
    assert_eq!(plan.changes().iter().filter(|it| it.action == Action::Create).count(), FILES);
    space.apply_plan(&plan)?;
    let files = space.path().join("files");
    assert_eq!(fs::read_dir(&files)?.count(), FILES);
    assert_eq!(fs::read_to_string(files.join("117.txt"))?, "file 117");
    assert!(space.plan()?.is_empty());

    fs::remove_file(files.join("3.txt"))?;
    fs::write(files.join("150.txt"), "changed")?;
    let plan = space.plan()?;
    let changed: Vec<_> = plan.changes().iter().filter(|it| it.action != Action::Nothing).collect();
    let addresses: Vec<_> = changed.iter().map(|it| it.address.as_str()).collect();
    assert_eq!(addresses, ["local_file.all[\"150\"]", "local_file.all[\"3\"]"]);
    space.apply_plan(&plan)?;
    space.destroy()?;
    assert_eq!(fs::read_dir(&files)?.count(), 0);
    Ok(())
}
