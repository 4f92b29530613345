//! Checksums of file contents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferroform::Model;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// The checksums of the content of a file.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Checksums {
    /// The SHA1 checksum of the content, in hexadecimal.
    #[attr(computed, use_state_for_unknown)]
    pub(crate) id: String,
    /// The MD5 checksum of the content, in hexadecimal.
    #[attr(computed, use_state_for_unknown)]
    content_md5: String,
    /// The SHA1 checksum of the content, in hexadecimal.
    #[attr(computed, use_state_for_unknown)]
    content_sha1: String,
    /// The SHA256 checksum of the content, in hexadecimal.
    #[attr(computed, use_state_for_unknown)]
    content_sha256: String,
    /// The SHA256 checksum of the content, in base64.
    #[attr(computed, use_state_for_unknown)]
    content_base64sha256: String,
    /// The SHA512 checksum of the content, in hexadecimal.
    #[attr(computed, use_state_for_unknown)]
    content_sha512: String,
    /// The SHA512 checksum of the content, in base64.
    #[attr(computed, use_state_for_unknown)]
    content_base64sha512: String,
}

impl Checksums {
    pub(crate) fn of(bytes: &[u8]) -> Checksums {
        let sha1 = hex(&Sha1::digest(bytes));
        let (sha256, sha512) = (Sha256::digest(bytes), Sha512::digest(bytes));
        Checksums {
            id: sha1.clone(),
            content_md5: hex(&Md5::digest(bytes)),
            content_sha1: sha1,
            content_sha256: hex(&sha256),
            content_base64sha256: STANDARD.encode(sha256),
            content_sha512: hex(&sha512),
            content_base64sha512: STANDARD.encode(sha512),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}
