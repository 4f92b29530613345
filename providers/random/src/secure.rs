//! Random bytes and choices that nobody can predict.

use ferroform::{Context as _, Result};
use rand::rngs::{StdRng, SysRng};
use rand::{SeedableRng as _, TryRng as _};

/// Returns bytes from the operating system. The summary is that of an error.
pub(crate) fn bytes(length: u64, summary: &'static str) -> Result<Vec<u8>> {
    let length = usize::try_from(length).context(summary)?;
    let mut bytes = reserve(length, summary)?;
    bytes.resize(length, 0);
    SysRng.try_fill_bytes(&mut bytes).context(summary)?;
    Ok(bytes)
}

/// Returns a cryptographically secure generator, whose seed is from the operating system.
pub(crate) fn generator(summary: &'static str) -> Result<StdRng> {
    StdRng::try_from_rng(&mut SysRng).context(summary)
}

/// Returns an empty vector for a number of elements that the configuration sets. A number that is too large is an error.
pub(crate) fn reserve<T>(length: usize, summary: &'static str) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(length).context(summary)?;
    Ok(elements)
}
