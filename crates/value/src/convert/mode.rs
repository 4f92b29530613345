//! The choice between safe conversions and all conversions.

/// The conversions that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only conversions that never fail and never lose information.
    Safe,
    /// All conversions, including those that can fail or lose information. Explicit conversions use this mode.
    Unsafe,
}
