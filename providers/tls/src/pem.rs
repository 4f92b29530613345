//! PEM, as the original reads and writes it.

use ::pem::{EncodeConfig, LineEnding, Pem};
use ferroform::{Diagnostic, Result};

pub(crate) const CERTIFICATE: &str = "CERTIFICATE";
pub(crate) const CERTIFICATE_REQUEST: &str = "CERTIFICATE REQUEST";

/// Returns a PEM block with lines of 64 characters, which ends with a line break.
pub(crate) fn encode(label: &str, der: &[u8]) -> String {
    ::pem::encode_config(&Pem::new(label, der), EncodeConfig::new().set_line_ending(LineEnding::LF))
}

/// Returns the first PEM block of a text. The error does not contain the text, which may be a private key.
pub(crate) fn decode(text: &str) -> Result<Pem> {
    ::pem::parse(text).map_err(|_| Diagnostic::error("the text contains no valid PEM block").into())
}

/// Returns the data of the first PEM block, which must have the label.
pub(crate) fn decode_labeled(label: &str, text: &str) -> Result<Vec<u8>> {
    let block = decode(text)?;
    if block.tag() != label {
        let error = format!("a PEM block of the type {label:?} is required, but got {:?}", block.tag());
        return Err(Diagnostic::error(error).into());
    }
    Ok(block.into_contents())
}

/// Returns whether a change of the text is only the format of states before version 4, which contain a checksum instead
/// of the text.
pub(crate) fn is_checksum_of(stored: &str, text: &str) -> bool {
    stored == crate::checksum(text.as_bytes())
}
