//! The chunks in which states travel between Terraform and a state store.
//!
//! ReadStateBytes and WriteStateBytes transfer a state as chunks, each with the length of the whole state and with the
//! range of its bytes. The end of a range is the index of its last byte. Example: a state of 10 bytes in chunks of 4
//! bytes.
//!
//! | chunk | total length | range |
//! |---|---|---|
//! | 1 | 10 | 0 to 3 |
//! | 2 | 10 | 4 to 7 |
//! | 3 | 10 | 8 to 9 |
//!
//! [`StateUpload`] verifies all of it before a byte reaches the provider, so that an upload that is incomplete or
//! damaged stores nothing.

use crate::{Diagnostic, Result};

/// The chunk size that is used if Terraform proposes none, in bytes: the size that Terraform 1.16 proposes.
pub const DEFAULT_CHUNK_SIZE: usize = 8 << 20;

/// The largest chunk size that Terraform 1.16 accepts, in bytes.
pub const MAX_CHUNK_SIZE: usize = 128 << 20;

/// The size of the largest state, in bytes. The chunks of an upload are one request, whose size is limited to 256 MiB.
pub const MAX_STATE_SIZE: usize = 255 << 20;

/// The chunk size for a proposal of Terraform: the proposal, if it is valid.
///
/// ```
/// use ferroform_engine::state_chunks::{DEFAULT_CHUNK_SIZE, MAX_CHUNK_SIZE, negotiated_chunk_size};
///
/// assert_eq!(negotiated_chunk_size(Some(1024)), 1024);
/// assert_eq!(negotiated_chunk_size(Some(i64::MAX)), MAX_CHUNK_SIZE);
/// assert_eq!(negotiated_chunk_size(Some(0)), DEFAULT_CHUNK_SIZE);
/// assert_eq!(negotiated_chunk_size(None), DEFAULT_CHUNK_SIZE);
/// ```
pub fn negotiated_chunk_size(proposal: Option<i64>) -> usize {
    let proposal = proposal.and_then(|it| usize::try_from(it).ok()).filter(|it| *it > 0);
    proposal.unwrap_or(DEFAULT_CHUNK_SIZE).min(MAX_CHUNK_SIZE)
}

/// The position of a chunk in its state. All numbers are those of the message, which may be invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPosition {
    /// The length of the whole state in bytes.
    pub total_length: i64,
    /// The index of the first byte.
    pub start: i64,
    /// The index of the last byte.
    pub end: i64,
}

/// The positions of the chunks of a state, in their order; empty for an empty state.
///
/// ```
/// use ferroform_engine::state_chunks::chunk_positions;
///
/// let ranges: Vec<_> = chunk_positions(10, 4).map(|it| (it.start, it.end)).collect();
/// assert_eq!(ranges, [(0, 3), (4, 7), (8, 9)]);
/// ```
pub fn chunk_positions(total_length: usize, chunk_size: usize) -> impl Iterator<Item = ChunkPosition> {
    // The length of an object in memory is at most `isize::MAX`.
    let number = |it: usize| i64::try_from(it).unwrap_or(i64::MAX);
    let chunk_size = chunk_size.max(1);
    (0..total_length).step_by(chunk_size).map(move |start| ChunkPosition {
        total_length: number(total_length),
        start: number(start),
        end: number(start.saturating_add(chunk_size).min(total_length) - 1),
    })
}

/// A state that is being uploaded: verifies each chunk, and at the end that the state is complete.
///
/// ```
/// use ferroform_engine::state_chunks::{ChunkPosition, StateUpload};
///
/// let mut upload = StateUpload::new(4);
/// upload.add(ChunkPosition { total_length: 6, start: 0, end: 3 }, b"stat").unwrap();
/// assert!(upload.clone().finish().is_err(), "two bytes are missing");
/// upload.add(ChunkPosition { total_length: 6, start: 4, end: 5 }, b"e!").unwrap();
/// assert_eq!(upload.finish().unwrap(), b"state!");
/// ```
#[derive(Clone, Debug)]
pub struct StateUpload {
    chunk_size: usize,
    /// The length that the first chunk announces; `None` before the first chunk.
    total_length: Option<usize>,
    bytes: Vec<u8>,
}

impl StateUpload {
    /// An upload in chunks of this size, in bytes.
    pub fn new(chunk_size: usize) -> StateUpload {
        StateUpload { chunk_size, total_length: None, bytes: Vec::new() }
    }

    /// Adds the next chunk.
    ///
    /// # Errors
    ///
    /// Returns an error if the chunk does not follow the chunks so far, does not have the size of its range, or does not
    /// have the negotiated size, or if the state is larger than [`MAX_STATE_SIZE`].
    pub fn add(&mut self, position: ChunkPosition, bytes: &[u8]) -> Result<()> {
        let ChunkPosition { total_length, start, end } = position;
        let number = self.bytes.len();
        let index = |it: i64| usize::try_from(it).ok();
        let Some(total) = index(total_length).filter(|it| *it > 0) else {
            return Err(upload_error(&format!("a chunk announces a state of {total_length} bytes")));
        };
        if total > MAX_STATE_SIZE {
            let detail = format!(
                "The state has {total} bytes, but a state can have at most {MAX_STATE_SIZE} bytes (255 MiB). Nothing was \
                 stored, and the previous state is unchanged."
            );
            return Err(Diagnostic::error("State Too Large").detail(detail).into());
        }
        let announced = *self.total_length.get_or_insert(total);
        if total != announced {
            return Err(upload_error(&format!(
                "one chunk announces a state of {announced} bytes, and a later one a state of {total} bytes"
            )));
        }
        if index(start) != Some(number) {
            return Err(upload_error(&format!(
                "a chunk begins at byte {start}, but {number} bytes were received before it"
            )));
        }
        let length = bytes.len();
        let Some(after) = index(end).and_then(|it| it.checked_add(1)).filter(|it| *it > number) else {
            return Err(upload_error(&format!("a chunk has the range {start} to {end}")));
        };
        if after - number != length {
            return Err(upload_error(&format!("a chunk with the range {start} to {end} has {length} bytes")));
        }
        if after > announced {
            return Err(upload_error(&format!(
                "a chunk ends at byte {end}, but the state has {announced} bytes"
            )));
        }
        let is_last = after == announced;
        if length > self.chunk_size || !is_last && length != self.chunk_size {
            let size = self.chunk_size;
            return Err(upload_error(&format!(
                "a chunk has {length} bytes, but the negotiated chunk size is {size} bytes"
            )));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// The complete state.
    ///
    /// # Errors
    ///
    /// Returns an error if no chunk was received, or if the last chunks are missing.
    pub fn finish(self) -> Result<Vec<u8>> {
        let received = self.bytes.len();
        match self.total_length {
            None => Err(upload_error("no chunk was received")),
            Some(total) if total != received => {
                Err(upload_error(&format!("the state has {total} bytes, but only {received} were received")))
            }
            Some(_) => Ok(self.bytes),
        }
    }
}

/// The error about an upload that is damaged or incomplete, with the reason.
pub fn upload_error(reason: &str) -> crate::Diagnostics {
    let detail = format!(
        "The upload of the state is damaged: {reason}. Nothing was stored, and the previous state is unchanged."
    );
    Diagnostic::error("Error Writing State").detail(detail).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(total_length: i64, start: i64, end: i64) -> ChunkPosition {
        ChunkPosition { total_length, start, end }
    }

    /// The result of an upload in chunks of 4 bytes.
    fn upload(chunks: &[(ChunkPosition, &str)]) -> std::result::Result<String, String> {
        let mut upload = StateUpload::new(4);
        let added = chunks.iter().try_for_each(|(position, bytes)| upload.add(*position, bytes.as_bytes()));
        let state = added.and_then(|()| upload.finish());
        let state = state.map_err(|it| it.iter().next().map(|it| it.detail.clone()).unwrap_or_default());
        state.map(|it| String::from_utf8(it).unwrap())
    }

    #[test]
    fn state_that_is_too_large_is_rejected_with_its_first_chunk() {
        let size = 255 << 20;
        assert!(StateUpload::new(4).add(position(size, 0, 3), b"abcd").is_ok());
        let error = StateUpload::new(4).add(position(size + 1, 0, 3), b"abcd").unwrap_err().to_string();
        assert!(error.starts_with("State Too Large: The state has 267386881 bytes"), "{error}");
    }

    #[test]
    fn chunks_of_a_state_are_uploaded_completely() {
        for length in [1, 3, 4, 5, 8, 9, 100] {
            let state: String = (0..length).map(|it| char::from(b'a' + (it % 26) as u8)).collect();
            let chunks: Vec<_> = chunk_positions(length, 4)
                .map(|it| (it, &state[it.start as usize..=it.end as usize]))
                .collect();
            assert_eq!(chunks.len(), length.div_ceil(4));
            assert_eq!(upload(&chunks), Ok(state.clone()));
        }
        assert_eq!(chunk_positions(0, 4).count(), 0);
    }

    #[test]
    fn damaged_uploads_are_rejected() {
        let first = (position(10, 0, 3), "abcd");
        let second = (position(10, 4, 7), "efgh");
        let third = (position(10, 8, 9), "ij");
        assert_eq!(upload(&[first, second, third]).as_deref(), Ok("abcdefghij"));
        let cases: &[(&[(ChunkPosition, &str)], &str)] = &[
            (&[], "no chunk was received"),
            (&[first], "the state has 10 bytes, but only 4 were received"),
            (&[first, second], "the state has 10 bytes, but only 8 were received"),
            (&[first, third], "a chunk begins at byte 8, but 4 bytes were received before it"),
            (&[second, first], "a chunk begins at byte 4, but 0 bytes were received before it"),
            (&[first, first], "a chunk begins at byte 0, but 4 bytes were received before it"),
            (
                &[first, (position(10, 2, 5), "cdef")],
                "a chunk begins at byte 2, but 4 bytes were received before it",
            ),
            (
                &[first, second, third, (position(10, 10, 10), "k")],
                "a chunk ends at byte 10, but the state has 10 bytes",
            ),
            (
                &[first, second, (position(10, 8, 11), "ijkl")],
                "a chunk ends at byte 11, but the state has 10 bytes",
            ),
            (
                &[first, (position(12, 4, 7), "efgh")],
                "one chunk announces a state of 10 bytes, and a later one a state of 12 bytes",
            ),
            (&[(position(10, 0, 3), "abc")], "a chunk with the range 0 to 3 has 3 bytes"),
            (&[(position(10, 0, 3), "abcde")], "a chunk with the range 0 to 3 has 5 bytes"),
            (&[(position(10, 0, 2), "abc")], "a chunk has 3 bytes, but the negotiated chunk size is 4 bytes"),
            (
                &[(position(5, 0, 4), "abcde")],
                "a chunk has 5 bytes, but the negotiated chunk size is 4 bytes",
            ),
            (&[(position(0, 0, 0), "a")], "a chunk announces a state of 0 bytes"),
            (&[(position(-1, 0, 0), "a")], "a chunk announces a state of -1 bytes"),
            (
                &[(position(4, -1, 2), "abcd")],
                "a chunk begins at byte -1, but 0 bytes were received before it",
            ),
            (&[(position(4, 0, -1), "")], "a chunk has the range 0 to -1"),
            (
                &[(position(100, 0, i64::MAX), "abcd")],
                "a chunk with the range 0 to 9223372036854775807 has 4 bytes",
            ),
        ];
        for (chunks, reason) in cases {
            let expected = format!(
                "The upload of the state is damaged: {reason}. Nothing was stored, and the previous state is unchanged."
            );
            assert_eq!(upload(chunks), Err(expected), "{chunks:?}");
        }
    }
}
