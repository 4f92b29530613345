//! Random identifiers.

use std::fmt::Write as _;

use ring::rand::{SecureRandom, SystemRandom};

/// The length of a [`uuid`] in bytes.
pub(crate) const UUID_LENGTH: usize = 36;

/// A random UUID (version 4), such as the ID of a lock.
///
/// ```
/// let id = ferroform_engine::random::uuid();
/// assert_eq!((id.len(), &id[14..15]), (36, "4"));
/// ```
pub fn uuid() -> String {
    let mut bytes = [0; 16];
    // The operating system's source of random numbers does not fail after the start of the system.
    let _ = SystemRandom::new().fill(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut id = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        let dash = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(id, "{dash}{byte:02x}");
    }
    id
}
