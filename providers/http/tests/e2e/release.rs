//! A release that is installed from a provider mirror, without a development override.

use std::fs;

use ferroform_testing::cli::Cli;
use test_support::Release;

use crate::server::{Server, ok};
use crate::{BINARY, Outcome, data};

const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = "~> 3.4"
    }
  }
}
output "a" {
  value = data.http.a.response_body
}
"#;

#[test]
fn release_is_installed_from_mirror() -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let release = Release::create(env!("CARGO_PKG_NAME"), BINARY);
    let verified = release.verify();
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert!(verified.stdout.contains("protocol versions 5.0, 6.0"), "{}", verified.stdout);

    let server = Server::start(|_| ok("from a server"));
    let configuration = CONFIGURATION.to_owned() + &data(&format!("url = \"{}\"", server.url("/")));
    let module = release.apply(&cli, &configuration);
    assert!(fs::read_to_string(module.join("terraform.tfstate"))?.contains("\"value\": \"from a server\""));
    Ok(())
}
