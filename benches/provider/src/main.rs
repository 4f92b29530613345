//! The process of the benchmark provider.

use std::process::ExitCode;

use terraform_provider_bench::{Bench, deep_types, more_types};

fn main() -> ExitCode {
    if let Err(error) = more_types().and_then(|_| deep_types()) {
        // Terraform shows stdout if it is not a handshake line, but not stderr.
        println!("{error}");
        return ExitCode::FAILURE;
    }
    ferroform::serve::<Bench>()
}
