//! A release that is installed from a provider mirror, without a development override.

use std::fs;

use ferroform_testing::cli::Cli;
use test_support::Release;

use crate::{BINARY, Outcome};

const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    tls = {
      source  = "hashicorp/tls"
      version = "~> 4.0"
    }
  }
}
resource "tls_private_key" "a" {
  algorithm = "ED25519"
}
"#;

#[test]
fn release_is_installed_from_mirror() -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let release = Release::create(env!("CARGO_PKG_NAME"), BINARY);
    let module = release.apply(&cli, CONFIGURATION);
    assert!(fs::read_to_string(module.join("terraform.tfstate"))?.contains("\"private_key_pem_pkcs8\""));
    Ok(())
}
