//! Which conversions count.

/// Which conversions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only those that work on every value and lose nothing.
    Safe,
    /// Also those that may fail or lose something, as all that an author asks for.
    Unsafe,
}
