//! Acceptance tests of the provider with the real `terraform` or `tofu`.

mod ephemeral;
mod errors;
mod lifecycle;
mod release;
// On other systems, no environment variable sets the trusted certificates.
#[cfg(target_os = "linux")]
#[path = "../../src/tests/server.rs"]
mod server;
#[cfg(target_os = "linux")]
mod servers;
mod stored_states;

use std::process::Command;

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{Result, Workspace};

const ADDRESS: &str = "registry.terraform.io/hashicorp/tls";
const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-tls");

/// The result of a test, for `?` on every error.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A workspace with the provider; `None` without a CLI.
fn workspace() -> Result<Option<Workspace>> {
    Cli::for_test().map(|cli| Workspace::new(&cli)?.provider(ADDRESS, BINARY)).transpose()
}

/// Runs a command line of OpenSSL in the workspace, and returns its standard output.
fn openssl(workspace: &Workspace, command: &str) -> Outcome<String> {
    let output = Command::new("openssl").args(command.split(' ')).current_dir(workspace.path()).output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(format!("openssl {command}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}
