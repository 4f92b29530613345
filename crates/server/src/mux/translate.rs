//! The differences between schemas of protocols 5 and 6. All other messages are encoded in the same way, except for the
//! additional field of the response to `PrepareProviderConfig`.
//!
//! | field of an attribute | protocol 5 | protocol 6 |
//! |---|---|---|
//! | `write_only` | 10 | 11 |
//! | `deprecation_message` | 11 | 12 |
//! | `nested_type` | none | 10 |
//!
//! Blocks of protocol 6 can be computed (field 8), and those of protocol 5 cannot.

use ferroform_proto::Bytes;
use tonic::Status;

#[cfg(feature = "client")]
use super::protobuf::Field;
use super::protobuf::{Change, change, find};
use crate::protocol::Protocol;

/// A schema that cannot be translated.
#[derive(Debug)]
pub(super) enum Untranslatable {
    /// Protocol 5 does not support nested attributes, such as the one with this name.
    NestedAttribute(String),
    /// Protocol 5 does not support computed blocks.
    ComputedBlock,
    /// The schema of the type with this name cannot be translated.
    #[cfg(feature = "client")]
    Type(String, Box<Untranslatable>),
    Invalid(Status),
}

impl From<Status> for Untranslatable {
    fn from(status: Status) -> Untranslatable {
        Untranslatable::Invalid(status)
    }
}

impl Untranslatable {
    #[cfg(feature = "client")]
    fn in_schema(self, name: &[u8]) -> Untranslatable {
        Untranslatable::Type(String::from_utf8_lossy(name).into_owned(), Box::new(self))
    }

    /// The explanation in an error message.
    pub(super) fn reason(&self) -> String {
        match self {
            Untranslatable::NestedAttribute(name) => {
                format!("\"{name}\" is a nested attribute, which protocol 5 does not support")
            }
            Untranslatable::ComputedBlock => {
                "it has a computed block, which protocol 5 does not support".into()
            }
            #[cfg(feature = "client")]
            Untranslatable::Type(name, error) => format!("in the schema of \"{name}\", {}", error.reason()),
            Untranslatable::Invalid(status) => status.message().to_owned(),
        }
    }
}

/// The response to GetProviderSchema of another protocol in this protocol.
#[cfg(feature = "client")]
pub(super) fn schemas(response: &Bytes, to: Protocol) -> Result<Bytes, Untranslatable> {
    let of_type = |field: &Field, translate: &mut dyn FnMut(&Bytes) -> Result<Bytes, Untranslatable>| {
        let entry = inside(&field.value, 2, translate);
        let entry = entry.map_err(|error| match find(&field.value, 1) {
            Ok(name) => error.in_schema(&name.unwrap_or_default()),
            Err(status) => status.into(),
        });
        replace(&field.value, entry?)
    };
    change(response, |field| match field.number {
        1 | 5 => replace(&field.value, schema(&field.value, to)?),
        2 | 3 | 8 | 9 | 10 => of_type(field, &mut |it| schema(it, to)),
        11 => of_type(field, &mut |action| inside(action, 1, &mut |it| schema(it, to))),
        _ => Ok(Change::Keep),
    })
}

/// The schema of another protocol in this protocol.
pub(super) fn schema(schema: &Bytes, to: Protocol) -> Result<Bytes, Untranslatable> {
    inside(schema, 2, &mut |it| block(it, to))
}

fn block(message: &Bytes, to: Protocol) -> Result<Bytes, Untranslatable> {
    change(message, |field| match field.number {
        2 => replace(&field.value, attribute(&field.value, to)?),
        3 => replace(&field.value, inside(&field.value, 2, &mut |it| block(it, to))?),
        8 if to == Protocol::V5 && field.integer != 0 => Err(Untranslatable::ComputedBlock),
        _ => Ok(Change::Keep),
    })
}

fn attribute(message: &Bytes, to: Protocol) -> Result<Bytes, Untranslatable> {
    change(message, |field| match (to, field.number) {
        (Protocol::V6, number @ (10 | 11)) => Ok(Change::Renumber(number + 1)),
        (Protocol::V5, 10) => {
            let name = find(message, 1)?.unwrap_or_default();
            Err(Untranslatable::NestedAttribute(String::from_utf8_lossy(&name).into_owned()))
        }
        (Protocol::V5, number @ (11 | 12)) => Ok(Change::Renumber(number - 1)),
        _ => Ok(Change::Keep),
    })
}

/// Translates the message in a field.
fn inside(
    message: &Bytes,
    number: u64,
    translate: &mut dyn FnMut(&Bytes) -> Result<Bytes, Untranslatable>,
) -> Result<Bytes, Untranslatable> {
    change(message, |field| {
        if field.number == number {
            replace(&field.value, translate(&field.value)?)
        } else {
            Ok(Change::Keep)
        }
    })
}

/// An unchanged value keeps its encoding, so that a schema without differences is not copied.
fn replace(old: &Bytes, new: Bytes) -> Result<Change, Untranslatable> {
    let is_same = old.as_ptr() == new.as_ptr() && old.len() == new.len();
    Ok(if is_same { Change::Keep } else { Change::Replace(new) })
}

#[cfg(test)]
mod tests {
    use ferroform_proto::Message as _;
    use ferroform_proto::{tfplugin5 as five, tfplugin6 as six};

    use super::*;

    fn attribute_6(name: &str) -> six::schema::Attribute {
        six::schema::Attribute {
            name: name.into(),
            description: "The password.".into(),
            optional: true,
            write_only: true,
            deprecated: true,
            deprecation_message: "Use another one.".into(),
            ..Default::default()
        }
    }

    fn attribute_5(name: &str) -> five::schema::Attribute {
        five::schema::Attribute {
            name: name.into(),
            description: "The password.".into(),
            optional: true,
            write_only: true,
            deprecated: true,
            deprecation_message: "Use another one.".into(),
            ..Default::default()
        }
    }

    /// The same schema in both protocols: an attribute, and one in a nested block.
    fn both() -> (Bytes, Bytes) {
        let inner = six::schema::Block { attributes: vec![attribute_6("inner")], ..Default::default() };
        let nested =
            six::schema::NestedBlock { type_name: "nested".into(), block: Some(inner), ..Default::default() };
        let block = six::schema::Block {
            attributes: vec![attribute_6("outer")],
            block_types: vec![nested],
            deprecation_message: "Old.".into(),
            ..Default::default()
        };
        let schema_6 = six::Schema { version: 3, block: Some(block) };
        let inner = five::schema::Block { attributes: vec![attribute_5("inner")], ..Default::default() };
        let nested = five::schema::NestedBlock {
            type_name: "nested".into(),
            block: Some(inner),
            ..Default::default()
        };
        let block = five::schema::Block {
            attributes: vec![attribute_5("outer")],
            block_types: vec![nested],
            deprecation_message: "Old.".into(),
            ..Default::default()
        };
        let schema_5 = five::Schema { version: 3, block: Some(block) };
        (schema_5.encode_to_vec().into(), schema_6.encode_to_vec().into())
    }

    #[test]
    fn schemas_are_translated_in_both_directions() {
        let (five, six) = both();
        assert_ne!(five, six);
        assert_eq!(schema(&five, Protocol::V6).unwrap(), six);
        assert_eq!(schema(&six, Protocol::V5).unwrap(), five);
    }

    #[test]
    fn schemas_without_differences_are_not_copied() {
        let attribute = six::schema::Attribute { name: "a".into(), computed: true, ..Default::default() };
        let block = six::schema::Block { attributes: vec![attribute], ..Default::default() };
        let plain: Bytes = six::Schema { version: 1, block: Some(block) }.encode_to_vec().into();
        assert_eq!(schema(&plain, Protocol::V6).unwrap().as_ptr(), plain.as_ptr());
        assert_eq!(schema(&plain, Protocol::V5).unwrap().as_ptr(), plain.as_ptr());
    }

    #[test]
    fn features_of_protocol_6_are_rejected_in_protocol_5() {
        let nested_type = Some(six::schema::Object::default());
        let attribute = six::schema::Attribute { name: "disks".into(), nested_type, ..Default::default() };
        let block = six::schema::Block { attributes: vec![attribute], ..Default::default() };
        let nested = six::Schema { version: 0, block: Some(block) }.encode_to_vec().into();
        let error = schema(&nested, Protocol::V5).unwrap_err().reason();
        assert_eq!(error, "\"disks\" is a nested attribute, which protocol 5 does not support");
        let block = six::schema::Block { computed: true, ..Default::default() };
        let computed = six::Schema { version: 0, block: Some(block) }.encode_to_vec().into();
        let error = schema(&computed, Protocol::V5).unwrap_err().reason();
        assert_eq!(error, "it has a computed block, which protocol 5 does not support");
    }
}
