//! The fields of encoded messages. The mux routes and merges messages without decoding what it does not change.
//!
//! Two properties of the format make this simple: a field is copied as a slice of its message, and the concatenation of
//! two encoded messages is the encoding of the merged message. For example, the merged response to `GetFunctions` is one
//! response after the other.

use ferroform_proto::{decode_varint, encode_varint};
use tonic::Status;
use tonic::codegen::Bytes;

/// One field of a message.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) number: u64,
    /// The string, the bytes or the message; empty for a number.
    pub(super) value: Bytes,
    /// The number; zero for another type.
    pub(super) integer: u64,
    /// The field as encoded, with its tag.
    pub(super) encoded: Bytes,
}

/// The fields of a message, in the order in which they are encoded.
#[derive(Clone, Debug)]
pub(super) struct Fields(Bytes);

/// Iterates over the fields. The iteration ends after the first error.
pub(super) fn fields(message: &Bytes) -> Fields {
    Fields(message.clone())
}

impl Iterator for Fields {
    type Item = Result<Field, Status>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = read(&self.0);
        match &field {
            Some(field) => drop(self.0.split_to(field.encoded.len())),
            None => self.0.clear(),
        }
        Some(field.ok_or_else(|| Status::internal("a message is not valid Protocol Buffers")))
    }
}

fn read(message: &Bytes) -> Option<Field> {
    let mut rest = message.clone();
    let tag = decode_varint(&mut rest).ok()?;
    let (mut integer, mut value) = (0, Bytes::new());
    let mut skip = |length: usize| (length <= rest.len()).then(|| rest.split_to(length));
    match tag & 7 {
        0 => integer = decode_varint(&mut rest).ok()?,
        1 => drop(skip(8)?),
        2 => {
            let length = decode_varint(&mut rest).ok()?;
            let length = usize::try_from(length).ok().filter(|it| *it <= rest.len())?;
            value = rest.split_to(length);
        }
        5 => drop(skip(4)?),
        _ => return None,
    }
    let encoded = message.slice(..message.len() - rest.len());
    Some(Field { number: tag >> 3, value, integer, encoded })
}

/// Appends a field of a string, of bytes or of a message.
pub(super) fn put(output: &mut Vec<u8>, number: u64, value: &[u8]) {
    encode_varint(number << 3 | 2, output);
    encode_varint(value.len() as u64, output);
    output.extend_from_slice(value);
}

/// A message with one field.
pub(super) fn with_field(number: u64, value: &[u8]) -> Vec<u8> {
    let mut message = Vec::with_capacity(value.len() + 12);
    put(&mut message, number, value);
    message
}

/// The string, bytes or message in a field; `None` if the message does not have the field. As in every decoder, the last
/// one counts.
pub(super) fn find(message: &Bytes, number: u64) -> Result<Option<Bytes>, Status> {
    let mut found = None;
    for field in fields(message) {
        let field = field?;
        if field.number == number {
            found = Some(field.value);
        }
    }
    Ok(found)
}

/// The change of one field.
pub(super) enum Change {
    Keep,
    /// Another value of a string, of bytes or of a message.
    Replace(Bytes),
}

/// Changes fields. A message without changes is returned as it is.
pub(super) fn change<E: From<Status>>(
    message: &Bytes,
    mut change: impl FnMut(&Field) -> Result<Change, E>,
) -> Result<Bytes, E> {
    let mut output: Option<Vec<u8>> = None;
    let mut position = 0;
    for field in fields(message) {
        let field = field?;
        let change = change(&field)?;
        if output.is_none() && !matches!(change, Change::Keep) {
            output = Some(message[..position].to_vec());
        }
        position += field.encoded.len();
        let Some(output) = &mut output else { continue };
        match change {
            Change::Keep => output.extend_from_slice(&field.encoded),
            Change::Replace(value) => put(output, field.number, &value),
        }
    }
    Ok(output.map_or_else(|| message.clone(), Bytes::from))
}

#[cfg(test)]
mod tests {
    use ferroform_proto::tfplugin6::{FunctionError, move_resource_state};

    use super::*;

    fn encoded(message: &impl ferroform_proto::Message) -> Bytes {
        message.encode_to_vec().into()
    }

    #[test]
    fn fields_of_every_length_are_found() {
        for length in [0_usize, 1, 127, 128, 70_000] {
            let name = "n".repeat(length);
            let request = move_resource_state::Request {
                source_type_name: name.clone(),
                source_schema_version: -1,
                target_type_name: "a_b".into(),
                ..Default::default()
            };
            let request = encoded(&request);
            assert_eq!(find(&request, 5).unwrap().unwrap(), "a_b");
            let found = find(&request, 2).unwrap();
            assert_eq!(found.unwrap_or_default(), name);
            assert_eq!(find(&request, 9).unwrap(), None);
            let versions: Vec<_> = fields(&request)
                .map(Result::unwrap)
                .filter(|it| it.number == 3)
                .map(|it| it.integer)
                .collect();
            assert_eq!(versions, [u64::MAX]);
        }
    }

    #[test]
    fn invalid_messages_are_rejected() {
        for message in [
            &[0x0a_u8, 5, 1][..],
            &[0x0a],
            &[0x80; 11],
            &[0x0b],
            &[0x0d, 1],
            &[0x0a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
        ] {
            let message = Bytes::copy_from_slice(message);
            assert!(find(&message, 1).is_err(), "{message:?}");
        }
    }

    #[test]
    fn fields_are_changed() {
        let message = encoded(&FunctionError { text: "no".into(), function_argument: Some(300) });
        let unchanged = change::<Status>(&message, |_| Ok(Change::Keep)).unwrap();
        assert_eq!(unchanged, message);
        let changed = change::<Status>(&message, |field| {
            Ok(if field.number == 2 { Change::Keep } else { Change::Replace(Bytes::from_static(b"yes")) })
        });
        let all: Vec<_> = fields(&changed.unwrap()).map(Result::unwrap).collect();
        assert_eq!((all[0].number, &all[0].value[..]), (1, &b"yes"[..]));
        assert_eq!((all[1].number, all[1].integer), (2, 300));
    }
}
