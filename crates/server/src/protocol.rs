//! Protocol versions and the maximum message size.

/// A version of the plugin protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Protocol 5: supported by Terraform 0.12 and later; without nested attributes.
    V5,
    /// Protocol 6: supported by Terraform 1.0 and later.
    V6,
}

impl Protocol {
    /// The version in the handshake.
    pub(crate) fn number(self) -> u16 {
        match self {
            Protocol::V5 => 5,
            Protocol::V6 => 6,
        }
    }

    /// The name of the provider's service.
    pub(crate) fn service(self) -> &'static str {
        match self {
            Protocol::V5 => "tfplugin5.Provider",
            Protocol::V6 => "tfplugin6.Provider",
        }
    }
}

/// The maximum message size in bytes in both directions, as in Terraform.
pub const MAX_MESSAGE: usize = 256 << 20;
