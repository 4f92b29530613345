//! Cryptographically secure random bytes and generators.

use ferroform::{Context as _, Diagnostic, Result};
use rand::rngs::{StdRng, SysRng};
use rand::{SeedableRng as _, TryRng as _};

/// A larger result would need too much memory, or exceed the size of a message that Terraform accepts.
const MAX_SIZE: u64 = 1 << 20;

/// Returns random bytes from the operating system. Errors have the given summary.
pub(crate) fn bytes(length: u64, summary: &'static str) -> Result<Vec<u8>> {
    let mut bytes = vec![0; validate_size(length, summary)?];
    SysRng.try_fill_bytes(&mut bytes).context(summary)?;
    Ok(bytes)
}

/// Returns a cryptographically secure generator that the operating system seeds.
pub(crate) fn generator(summary: &'static str) -> Result<StdRng> {
    StdRng::try_from_rng(&mut SysRng).context(summary)
}

/// Checks the configured number of bytes, characters, words or strings of a result.
pub(crate) fn validate_size(count: u64, summary: &'static str) -> Result<usize> {
    if count > MAX_SIZE {
        let detail = format!(
            "The result can have at most {MAX_SIZE} bytes, characters, words or strings, but {count} are configured."
        );
        return Err(Diagnostic::error(summary).detail(detail).into());
    }
    usize::try_from(count).context(summary)
}
