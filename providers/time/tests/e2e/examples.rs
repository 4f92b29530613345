//! The examples of the documentation.

use std::fs;
use std::path::Path;

use crate::{Outcome, workspace};

#[test]
fn examples_are_applied() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let resources = fs::read_dir(directory.join("resources"))?.map(|it| Ok(it?.path()));
    let mut count = 0;
    for directory in resources.chain([Ok(directory.join("provider"))]) {
        for file in fs::read_dir(directory.map_err(|error: std::io::Error| error)?)? {
            let file = file?.path();
            if file.extension().is_some_and(|it| it == "tf") {
                let example = fs::read_to_string(&file)?.replace("30s", "10ms").replace("60s", "10ms");
                workspace.write("main.tf", &example)?;
                workspace.apply()?;
                assert!(workspace.plan()?.is_empty(), "{}", file.display());
                workspace.destroy()?;
                count += 1;
            }
        }
    }
    assert_eq!(count, 10);
    Ok(())
}
