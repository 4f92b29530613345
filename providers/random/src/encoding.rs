//! Base64 that is decoded as leniently as in Go, and hexadecimal.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD, PAD};
use ferroform::{Diagnostic, Result};

/// Standard base64 with padding. Unused bits of the last character can be set.
pub(crate) const BASE64: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, PAD.with_decode_allow_trailing_bits(true));

/// URL-safe base64 without padding.
pub(crate) const BASE64_URL: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));

/// Decodes an import ID. `form` describes the encoding. The error contains at most one invalid byte of the ID, because the ID can be secret.
pub(crate) fn decode(
    id: &str,
    encoding: &GeneralPurpose,
    form: &str,
    summary: &'static str,
) -> Result<Vec<u8>> {
    Ok(encoding.decode(id.replace(['\r', '\n'], "")).map_err(|error| {
        Diagnostic::error(summary)
            .detail(format!("The import ID must be {form}: {}.", error.to_string().trim_end_matches('.')))
    })?)
}

/// Returns bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
