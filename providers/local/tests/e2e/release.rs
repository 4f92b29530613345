//! A release that is installed from a provider mirror, without a development override.

use std::fs;

use ferroform_testing::cli::Cli;
use test_support::Release;

use crate::{BINARY, Outcome};

const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
  }
}
resource "local_file" "a" {
  filename = "a.txt"
  content  = "from a release"
}
"#;

/// Replaces the protocol version of the manifest, and its checksum.
fn change_protocol_of_manifest(release: &Release) -> Outcome {
    let (mut manifest, mut checksums) = Default::default();
    for entry in fs::read_dir(release.directory())? {
        let path = entry?.path();
        match path.to_string_lossy() {
            it if it.ends_with("_manifest.json") => manifest = path,
            it if it.ends_with("_SHA256SUMS") => checksums = path,
            _ => {}
        }
    }
    fs::write(&manifest, fs::read_to_string(&manifest)?.replace("6.0", "5.0"))?;
    // The error has the new checksum.
    let error = release.verify().stderr;
    let (before, found) = error.trim_end().rsplit_once(", found ").ok_or("no checksum in the error")?;
    let (_, expected) = before.rsplit_once(' ').ok_or("no expected checksum")?;
    fs::write(&checksums, fs::read_to_string(&checksums)?.replace(expected, found))?;
    Ok(())
}

#[test]
fn release_is_installed_from_mirror() -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let release = Release::create(env!("CARGO_PKG_NAME"), BINARY);
    assert_eq!(release.verify().code, 0, "{}", release.verify().stderr);
    let module = release.apply(&cli, CONFIGURATION);
    assert_eq!(fs::read_to_string(module.join("a.txt"))?, "from a release");

    change_protocol_of_manifest(&release)?;
    let error = release.verify().stderr;
    let expected = "metadata.protocol_versions: expected 6.0, which the provider serves, found 5.0";
    assert!(error.contains(expected), "{error}");
    Ok(())
}
