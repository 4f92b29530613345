//! The provider's process.

use std::process::ExitCode;

use terraform_provider_bench::{Bench, more_types};

fn main() -> ExitCode {
    if let Err(error) = more_types() {
        // Terraform shows what it reads in the place of the handshake, and nothing of the other stream.
        println!("{error}");
        return ExitCode::FAILURE;
    }
    ferroform::serve::<Bench>()
}
