//! Memory for an answer of megabytes, which is written once, sent, and given back.
//!
//! New memory comes in pages of 4 KiB, and to hand out each of them takes the system about a microsecond: for the
//! schemas of a large provider that would be a sixth of all the time. So from some size on such an answer is put in
//! memory for which the system is asked to take large pages (on Linux; elsewhere, or where it has none at hand, they
//! are small).

use memmap2::MmapMut;
use tonic::codegen::Bytes;

/// What an ordinary provider needs, from the allocator.
const SMALL: usize = 256 << 10;
/// What is taken from the system at once, after that. What is not written to costs nothing.
const LARGE: usize = 16 << 20;

/// Bytes one after the other, in pieces.
#[derive(Default)]
pub(super) struct Pages {
    full: Vec<Bytes>,
    open: Piece,
}

enum Piece {
    Small { bytes: Vec<u8>, room: usize },
    Large { memory: MmapMut, used: usize },
}

impl Default for Piece {
    fn default() -> Piece {
        Piece::Small { bytes: Vec::new(), room: SMALL }
    }
}

impl Pages {
    /// Adds them at the end.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let rest = self.open.push(bytes);
        if !rest.is_empty() {
            let full = std::mem::replace(&mut self.open, Piece::large(rest.len()));
            self.full.push(full.into());
            self.open.push(rest);
        }
    }

    /// All that was written.
    pub(super) fn into_pieces(self) -> Vec<Bytes> {
        let mut all = self.full;
        all.push(self.open.into());
        all
    }
}

impl Piece {
    /// One for at least so many bytes.
    fn large(bytes: usize) -> Piece {
        match MmapMut::map_anon(bytes.max(LARGE)) {
            Ok(memory) => {
                // Advice: whether it is taken makes no difference but of speed.
                #[cfg(target_os = "linux")]
                let _ = memory.advise(memmap2::Advice::HugePage);
                Piece::Large { memory, used: 0 }
            }
            Err(_) => Piece::Small { bytes: Vec::with_capacity(bytes), room: bytes.max(SMALL) },
        }
    }

    /// Answers what there was no room for.
    fn push<'a>(&mut self, more: &'a [u8]) -> &'a [u8] {
        match self {
            Piece::Small { bytes, room } => {
                let (now, rest) = more.split_at((*room - bytes.len()).min(more.len()));
                bytes.extend_from_slice(now);
                rest
            }
            Piece::Large { memory, used } => {
                let room = &mut memory[*used..];
                let (now, rest) = more.split_at(room.len().min(more.len()));
                room[..now.len()].copy_from_slice(now);
                *used += now.len();
                rest
            }
        }
    }
}

impl From<Piece> for Bytes {
    fn from(it: Piece) -> Bytes {
        match it {
            Piece::Small { bytes, .. } => bytes.into(),
            Piece::Large { memory, used } => Bytes::from_owner(memory).slice(..used),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many pushes of so many bytes: the lengths of the pieces, where they hold what was pushed.
    fn pieces(pushes: usize, bytes: usize) -> Vec<usize> {
        let push = |i: usize| (0..bytes).map(move |at| (i + at / 7) as u8).collect::<Vec<u8>>();
        let mut pages = Pages::default();
        (0..pushes).for_each(|i| pages.push(&push(i)));
        let pieces = pages.into_pieces();
        assert!(pieces.concat() == (0..pushes).flat_map(push).collect::<Vec<u8>>());
        pieces.iter().map(Bytes::len).collect()
    }

    #[test]
    fn what_was_written_is_there_in_few_pieces() {
        assert_eq!(pieces(0, 0), [0]);
        assert_eq!(pieces(9, 1_000), [9_000]);
        assert_eq!(pieces(1, SMALL), [SMALL]);
        assert_eq!(pieces(1, SMALL + 1), [SMALL, 1]);
        assert_eq!(pieces(1_000, 6_000), [SMALL, 6_000_000 - SMALL]);
        // One that is more than is taken at once, and one after it.
        assert_eq!(pieces(2, LARGE + SMALL), [SMALL, LARGE, LARGE + SMALL]);
    }
}
