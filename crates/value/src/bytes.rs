//! Sets of bytes, to be asked for each byte of a text.

/// A table that says of each byte whether it is one of these.
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
