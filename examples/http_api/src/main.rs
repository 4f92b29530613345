//! The plugin process, which Terraform starts.

use std::process::ExitCode;

use terraform_provider_directory::Client;

/// The allocator of musl needs two to five times the CPU time with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    ferroform::serve::<Client>()
}
