//! Acceptance tests of the provider with the real `terraform` or `tofu`, and with a PostgreSQL server that the tests start.

#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs, reason = "a panic fails the test")]

mod lifecycle;
mod many_objects;
mod passwords;
mod query;
mod release;

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::{Result, Workspace};
use test_support::postgresql::{self, Server};

const ADDRESS: &str = "registry.terraform.io/ferroform/postgresql";
const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-postgresql");

/// The result of a test, for `?` on every error.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The `provider` block with a new database, and the name of the database.
fn provider_block(server: &Server) -> (String, String) {
    let database = server.database();
    let (host, port) = (server.socket(), server.port);
    let block = format!(
        "provider \"postgresql\" {{\n  host     = {host:?}\n  port     = {port}\n  database = {database:?}\n}}\n"
    );
    (block, database)
}

/// A workspace with the provider and a new database. `None` without a CLI that has the features, or without PostgreSQL.
fn workspace(features: &[Feature]) -> Result<Option<(Workspace, &'static Server, String)>> {
    let (Some(cli), Some(server)) = (Cli::for_test_of(features), postgresql::server()) else {
        return Ok(None);
    };
    let (block, database) = provider_block(server);
    let workspace = Workspace::new(&cli)?.provider(ADDRESS, BINARY)?;
    workspace.write("provider.tf", &block)?;
    Ok(Some((workspace, server, database)))
}
