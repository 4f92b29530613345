//! Sets of bytes as lookup tables, for the loops that visit each byte of an encoding.

/// A table with `true` for each byte that matches the pattern.
macro_rules! bytes {
    ($pattern:pat) => {{
        let mut of = [false; 256];
        let mut i = 0;
        while i < of.len() {
            of[i] = matches!(i as u8, $pattern);
            i += 1;
        }
        of
    }};
}

pub(crate) use bytes;
