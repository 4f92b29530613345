//! The provider's process.

use std::process::ExitCode;

use terraform_provider_bench::{Bench, more_types};

fn main() -> ExitCode {
    if let Err(error) = more_types() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ferroform::serve::<Bench>()
}
