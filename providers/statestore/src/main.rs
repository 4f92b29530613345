//! The plugin process.

use std::process::ExitCode;

fn main() -> ExitCode {
    ferroform::serve::<terraform_provider_statestore::Provider>()
}
