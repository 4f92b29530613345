//! A release that is installed from a provider mirror, without a development override.

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
