//! The protocols that a provider can serve, and their largest message.

/// The protocols that a provider can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// For hosts before Terraform 1.0; without nested attributes.
    V5,
    /// For all others.
    V6,
}

/// The largest message, in both directions: as large as the host accepts.
pub const MAX_MESSAGE: usize = 256 << 20;
