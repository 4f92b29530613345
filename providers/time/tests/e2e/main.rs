//! Acceptance tests of the provider with the real `terraform` or `tofu`.

mod errors;
mod examples;
mod functions;
mod lifecycle;
mod release;
mod sleep;
mod stored_states;

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{Result, Workspace};

const ADDRESS: &str = "registry.terraform.io/hashicorp/time";
const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-time");

/// The result of a test, for `?` on every error.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A workspace with the provider; `None` without a CLI.
fn workspace() -> Result<Option<Workspace>> {
    Cli::for_test().map(|cli| Workspace::new(&cli)?.provider(ADDRESS, BINARY)).transpose()
}
