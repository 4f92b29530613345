//! PEM encoding and decoding, compatible with the original.

use ::pem::{EncodeConfig, LineEnding, Pem};
use ferroform::{Diagnostic, Result};

pub(crate) const CERTIFICATE: &str = "CERTIFICATE";
pub(crate) const CERTIFICATE_REQUEST: &str = "CERTIFICATE REQUEST";

/// Encodes a PEM block with lines of 64 characters and a trailing newline.
pub(crate) fn encode(label: &str, der: &[u8]) -> String {
    ::pem::encode_config(&Pem::new(label, der), EncodeConfig::new().set_line_ending(LineEnding::LF))
}

/// Returns the first PEM block of a string. The error does not contain the string, which can be a private key.
pub(crate) fn decode(text: &str) -> Result<Pem> {
    ::pem::parse(text).map_err(|_| Diagnostic::error("the value contains no valid PEM block").into())
}

/// Returns the data of the first PEM block, which must have the label.
pub(crate) fn decode_labeled(label: &str, text: &str) -> Result<Vec<u8>> {
    let block = decode(text)?;
    if block.tag() != label {
        let error = format!("PEM block type {label:?} required, but got {:?}", block.tag());
        return Err(Diagnostic::error(error).into());
    }
    Ok(block.into_contents())
}

/// Returns `true` if `stored` is the checksum of the string, which versions before 4 stored instead of the string.
pub(crate) fn is_checksum_of(stored: &str, text: &str) -> bool {
    stored == crate::checksum(text.as_bytes())
}
