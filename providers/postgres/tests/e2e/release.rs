//! A release that is installed from a provider mirror, without a development override.

use std::fs;

use ferroform_testing::cli::Cli;
use test_support::{Release, postgresql};

use crate::{BINARY, Outcome, provider_block};

const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    postgresql = {
      source = "ferroform/postgresql"
    }
  }
}
resource "postgresql_schema" "a" {
  name = "released"
}
"#;

#[test]
fn release_is_installed_from_mirror() -> Outcome {
    let Some(server) = postgresql::server() else { return Ok(()) };
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let (provider, database) = provider_block(server);
    Release::create(env!("CARGO_PKG_NAME"), BINARY).apply(&cli, &format!("{provider}{CONFIGURATION}"));
    assert_eq!(
        server.psql(&database, "SELECT nspname FROM pg_namespace WHERE nspname = 'released'"),
        "released"
    );
    Ok(())
}

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
fn manifest_with_protocol_that_is_not_served_is_rejected() -> Outcome {
    let release = Release::create(env!("CARGO_PKG_NAME"), BINARY);
    change_protocol_of_manifest(&release)?;
    let error = release.verify().stderr;
    let expected = "metadata.protocol_versions: expected 6.0, which the provider serves, found 5.0";
    assert!(error.contains(expected), "{error}");
    Ok(())
}
