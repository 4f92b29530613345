//! The functions of the provider.

use std::fs;

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;
use serde_json::json;

use crate::{ADDRESS, BINARY, Outcome};

#[test]
fn directory_is_found_before_the_provider_is_configured() -> Outcome {
    let Some(cli) = Cli::for_test_of(&[Feature::ProviderFunctions]) else { return Ok(()) };
    let workspace = Workspace::new(&cli)?.provider(ADDRESS, BINARY)?;
    fs::create_dir(workspace.path().join("directory"))?;
    workspace.write("file", "")?;
    let configure = |path: &str| {
        workspace.write(
            "main.tf",
            &format!("output \"exists\" {{\n  value = provider::local::direxists(\"{path}\")\n}}\n"),
        )
    };
    for (path, exists) in [("./directory", true), ("missing", false)] {
        configure(path)?;
        workspace.apply()?;
        assert_eq!(workspace.output("exists")?, json!(exists));
    }
    configure("./file")?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("Invalid value for \"path\" parameter"), "{failed}");
    assert!(failed.contains("\"./file\" was found, but is not a directory"), "{failed}");
    Ok(())
}
