//! Cryptographically secure random bytes and generators.

use ferroform::{Context as _, Result};
use rand::rngs::{StdRng, SysRng};
use rand::{SeedableRng as _, TryRng as _};

/// Returns random bytes from the operating system. Errors have the given summary.
pub(crate) fn bytes(length: u64, summary: &'static str) -> Result<Vec<u8>> {
    let length = usize::try_from(length).context(summary)?;
    let mut bytes = reserve(length, summary)?;
    bytes.resize(length, 0);
    SysRng.try_fill_bytes(&mut bytes).context(summary)?;
    Ok(bytes)
}

/// Returns a cryptographically secure generator that the operating system seeds.
pub(crate) fn generator(summary: &'static str) -> Result<StdRng> {
    StdRng::try_from_rng(&mut SysRng).context(summary)
}

/// Returns an empty vector with the capacity for a configured number of elements, or an error if the allocation fails.
pub(crate) fn reserve<T>(length: usize, summary: &'static str) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(length).context(summary)?;
    Ok(elements)
}
