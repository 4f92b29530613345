//! The plugin process, which Terraform starts.

use std::process::ExitCode;

use terraform_provider_directory::Client;

fn main() -> ExitCode {
    ferroform::serve::<Client>()
}
