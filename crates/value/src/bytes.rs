//! Lookup tables for sets of bytes, for loops over the bytes of an encoding.

/// Creates a table that is `true` for each byte that matches the pattern.
macro_rules! bytes {
    ($pattern:pat) => {{
        let mut table = [false; 256];
        let mut i = 0;
        while i < table.len() {
            table[i] = matches!(i as u8, $pattern);
            i += 1;
        }
        table
    }};
}

pub(crate) use bytes;
