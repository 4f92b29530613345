//! Writes protobuf messages straight into bytes.
//!
//! For schemas alone: a provider may have a hundred thousand attributes, and to make a struct of each first would
//! take several times as long as all the rest. A test reads what is written here with the generated messages.

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
    /// What is written so far.
    pub(super) fn written(&self) -> &[u8] {
        &self.bytes
    }

    /// An empty one, in the same memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    #[inline(always)]
    pub(super) fn text(&mut self, field: u64, text: &str) {
        if !text.is_empty() {
            self.two(field << 3 | BYTES, text.len() as u64);
            self.bytes.extend_from_slice(text.as_bytes());
        }
    }

    /// A type, in JSON.
    pub(super) fn ty(&mut self, field: u64, ty: &Type) {
        match ty {
            Type::Bool => self.text(field, "\"bool\""),
            Type::Number => self.text(field, "\"number\""),
            Type::String => self.text(field, "\"string\""),
            _ => {
                let mut text = std::mem::take(&mut self.ty);
                json::write_type(&mut text, ty);
                self.text(field, &text);
                text.clear();
                self.ty = text;
            }
        }
    }

    #[inline]
    pub(super) fn flag(&mut self, field: u64, flag: bool) {
        self.number(field, i64::from(flag));
    }

    #[inline]
    pub(super) fn number(&mut self, field: u64, number: i64) {
        if number != 0 {
            // A negative one is written as its two's complement.
            self.two(field << 3 | NUMBER, number.cast_unsigned());
        }
    }

    /// A message inside, there even where it is empty.
    pub(super) fn message(&mut self, field: u64, write: impl FnOnce(&mut Message)) {
        self.inside(field, 1, write);
    }

    /// The same, for one that likely has more than 127 bytes.
    pub(super) fn long_message(&mut self, field: u64, write: impl FnOnce(&mut Message)) {
        self.inside(field, 2, write);
    }

    /// A long message in a map.
    pub(super) fn entry(&mut self, field: u64, key: &str, write: impl FnOnce(&mut Message)) {
        self.long_message(field, |out| {
            out.text(1, key);
            out.long_message(2, write);
        });
    }

    /// A message whose length likely takes so many bytes. It stands before the message, which moves where it takes
    /// another number.
    #[inline]
    fn inside(&mut self, field: u64, likely: usize, write: impl FnOnce(&mut Message)) {
        self.varint(field << 3 | BYTES);
        let start = self.bytes.len();
        self.bytes.resize(start + likely, 0);
        write(self);
        let length = self.bytes.len() - start - likely;
        let takes = (length.max(1).ilog2() / 7) as usize + 1;
        if takes != likely {
            self.shift(start + likely, start + takes);
        }
        put(length as u64, |at, byte| self.bytes[start + at] = byte);
    }

    /// Moves everything from one place on to the other.
    #[cold]
    fn shift(&mut self, from: usize, to: usize) {
        let end = self.bytes.len();
        let moved = end - from + to;
        self.bytes.resize(moved.max(end), 0);
        self.bytes.copy_within(from..end, to);
        self.bytes.truncate(moved);
    }

    /// Two numbers, nearly always of a byte each.
    #[inline]
    fn two(&mut self, first: u64, second: u64) {
        if first < 1 << 7 && second < 1 << 7 {
            self.bytes.extend_from_slice(&[first as u8, second as u8]);
        } else {
            self.varint(first);
            self.varint(second);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_stands_before_its_message_in_the_fewest_bytes() {
        for length in [0, 1, 126, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152] {
            let content = "x".repeat(length);
            let mut expected = vec![3 << 3 | 2];
            put(length as u64, |_, byte| expected.push(byte));
            expected.extend_from_slice(content.as_bytes());
            let write = |out: &mut Message| out.bytes.extend_from_slice(content.as_bytes());
            let mut out = Message::default();
            out.long_message(3, write);
            assert_eq!(out.written(), expected);
            out.clear();
            out.message(3, write);
            assert_eq!(out.written(), expected);
        }
    }
}
