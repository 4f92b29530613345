//! The plugin process.

use std::process::ExitCode;

use ferroform::Protocol;

/// The allocator of musl needs two to five times the CPU time with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    // Like the original, serves protocol 5 for Terraform versions before 1.0.
    ferroform::serve_protocols::<terraform_provider_random::Random>(&[Protocol::V5, Protocol::V6])
}
