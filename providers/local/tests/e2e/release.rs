//! A release that is installed from a provider mirror, without a development override.

use std::fs;

use ferroform_testing::cli::Cli;
use test_support::Release;

use crate::{BINARY, Outcome};

const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "~> 2.4"
    }
  }
}
resource "local_file" "a" {
  filename = "a.txt"
  content  = "from a release"
}
"#;

#[test]
fn release_is_installed_from_mirror() -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let release = Release::create(env!("CARGO_PKG_NAME"), BINARY);
    assert_eq!(release.verify().code, 0, "{}", release.verify().stderr);
    let module = release.apply(&cli, CONFIGURATION);
    assert_eq!(fs::read_to_string(module.join("a.txt"))?, "from a release");
    Ok(())
}
