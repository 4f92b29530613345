//! Output in memory.

use std::io;

/// Returns the string that a function writes.
pub(crate) fn write_to_string(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    // Writing to a vector cannot fail.
    let _ = write(&mut out);
    String::from_utf8(out).unwrap_or_default()
}
