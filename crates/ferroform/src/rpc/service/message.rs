//! Writes protobuf messages straight into bytes.
//!
//! For schemas alone: a provider may have a hundred thousand attributes, and to make a struct of each first would
//! take several times as long as all the rest. A test reads what is written here with the generated messages.

use ferroform_proto::Bytes;
use ferroform_value::{Type, json};

/// A message that is being written. What has the default value of its type is left out, as protobuf does.
#[derive(Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
    /// The type that is being written.
    ty: String,
}

const NUMBER: u64 = 0;
const BYTES: u64 = 2;

impl Message {
    pub(super) fn into_bytes(self) -> Bytes {
        self.bytes.into()
    }

    /// How long it is so far.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn text(&mut self, field: u64, text: &str) {
        if !text.is_empty() {
            self.varint(field << 3 | BYTES);
            self.varint(text.len() as u64);
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }

    /// A type, in JSON.
    pub(super) fn ty(&mut self, field: u64, ty: &Type) {
        let mut text = std::mem::take(&mut self.ty);
        json::write_type(&mut text, ty);
        self.text(field, &text);
        text.clear();
        self.ty = text;
    }

    pub(super) fn flag(&mut self, field: u64, flag: bool) {
        self.number(field, i64::from(flag));
    }

    pub(super) fn number(&mut self, field: u64, number: i64) {
        if number != 0 {
            self.varint(field << 3 | NUMBER);
            // A negative one is written as its two's complement.
            self.varint(number.cast_unsigned());
        }
    }

    /// A message inside, there even where it is empty. Its length stands before it, so it moves by that much once it
    /// is known.
    pub(super) fn message(&mut self, field: u64, write: impl FnOnce(&mut Message)) {
        self.varint(field << 3 | BYTES);
        let start = self.bytes.len();
        // Most lengths fit into one byte.
        self.bytes.push(0);
        write(self);
        let length = (self.bytes.len() - start - 1) as u64;
        let more = (length.max(1).ilog2() / 7) as usize;
        if more > 0 {
            let end = self.bytes.len();
            self.bytes.resize(end + more, 0);
            self.bytes.copy_within(start + 1..end, start + 1 + more);
        }
        put(length, |at, byte| self.bytes[start + at] = byte);
    }

    fn varint(&mut self, number: u64) {
        put(number, |_, byte| self.bytes.push(byte));
    }
}

/// A number in groups of seven bits, the lowest first.
fn put(mut number: u64, mut to: impl FnMut(usize, u8)) {
    let mut at = 0;
    while number >= 1 << 7 {
        to(at, (number & 0x7f) as u8 | 0x80);
        number >>= 7;
        at += 1;
    }
    to(at, number as u8);
}
