//! The process of the benchmark provider.

use std::process::ExitCode;

use terraform_provider_bench::{Bench, deep_types, more_types, read_described_types};

/// The allocator of musl needs two to five times the CPU time with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let numbers = more_types().and_then(|_| deep_types()).map_err(|it| it.to_string());
    let types = numbers.and_then(|_| read_described_types().map_err(|it| it.to_string()));
    if let Err(error) = types {
        // Terraform shows stdout if it is not a handshake line, but not stderr.
        println!("{error}");
        return ExitCode::FAILURE;
    }
    ferroform::serve::<Bench>()
}
