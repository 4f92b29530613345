//! The plugin process.

use std::process::ExitCode;

/// The allocator of musl needs two to five times the CPU time with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    ferroform::serve::<terraform_provider_postgresql::Postgresql>()
}
