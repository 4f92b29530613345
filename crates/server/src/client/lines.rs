//! Lines of a plugin's standard streams.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

use crate::standard_streams::MAX_LINE;

/// Reads lines. A line that is not UTF-8 is converted with replacement characters, and a long line is split, so that the
/// plugin can always write: it could end if nothing reads its streams.
pub(super) struct Lines<R> {
    stream: BufReader<R>,
    line: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(stream: R) -> Lines<R> {
        Lines { stream: BufReader::new(stream), line: Vec::new() }
    }

    /// The next line without its line break; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Option<String> {
        // Data that is left over from a call that was canceled belongs to this line.
        let rest = MAX_LINE.saturating_sub(self.line.len() as u64);
        let read = (&mut self.stream).take(rest).read_until(b'\n', &mut self.line).await;
        if !matches!(read, Ok(count) if count > 0) && self.line.is_empty() {
            return None;
        }
        let line = String::from_utf8_lossy(&self.line).trim_end_matches(['\r', '\n']).to_owned();
        self.line.clear();
        Some(line)
    }
}
