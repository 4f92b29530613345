//! The provider under the real `terraform` or `tofu`.

mod errors;
mod life;
mod many;
mod secrets;
mod states;

use ferroform_testing::cli::{Cli, Result, Workspace};

const ADDRESS: &str = "registry.terraform.io/hashicorp/local";
const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-local");

/// What a test answers: `?` on every error, printed as it reads.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A workspace with the provider; none where there is no CLI.
fn workspace() -> Result<Option<Workspace>> {
    Cli::for_test().map(|cli| Workspace::new(&cli)?.provider(ADDRESS, BINARY)).transpose()
}
