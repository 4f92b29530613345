//! The conversions that are allowed.

/// The conversions that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only conversions that never fail and lose nothing.
    Safe,
    /// All conversions, including those that can fail or lose information. Explicit conversions use this mode.
    Unsafe,
}
