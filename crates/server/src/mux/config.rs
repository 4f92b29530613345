//! The configuration of the provider: its schema, and the part of it that each server receives.
//!
//! The combined provider has the schema of the server with the most attributes. Every attribute of the other servers must
//! be one of these, and a server receives only its own attributes:
//!
//! ```text
//! schema of the Go provider      { region, profile, endpoints, … }    the schema that Terraform gets
//! schema of the Rust provider    { region }
//! configuration                  { region = "eu", profile = null, endpoints = {}, … }
//! the Rust provider receives     { region = "eu" }
//! ```

use std::collections::BTreeSet;

use ferroform_proto::tfplugin6::Schema;
use ferroform_proto::tfplugin6::schema::{Attribute, Block, NestedBlock};
use ferroform_proto::{Bytes, Message as _};
use tonic::Status;

use super::protobuf::{Change, change, find};

/// The names of the attributes and blocks of a configuration.
pub(super) type Names = BTreeSet<String>;

/// The names in an encoded schema.
pub(super) fn names(schema: &Bytes) -> Result<Names, Status> {
    let block = decode(schema)?.block.unwrap_or_default();
    let attributes = block.attributes.into_iter().map(|it| it.name);
    Ok(attributes.chain(block.block_types.into_iter().map(|it| it.type_name)).collect())
}

fn decode(schema: &Bytes) -> Result<Schema, Status> {
    Schema::decode(schema.clone()).map_err(|error| Status::internal(format!("invalid schema: {error}")))
}

/// The schema that contains all others, as its index, or the name of the first attribute or block that no other schema
/// contains. Descriptions and deprecations can differ.
pub(super) fn widest(schemas: &[Bytes]) -> Result<Result<usize, Difference>, Status> {
    let mut blocks = Vec::new();
    for schema in schemas {
        blocks.push(normalized(decode(schema)?.block.unwrap_or_default()));
    }
    let size = |block: &Block| block.attributes.len() + block.block_types.len();
    // The first one of several equal schemas.
    let widest = (0..blocks.len()).rev().max_by_key(|index| size(&blocks[*index])).unwrap_or_default();
    for (index, block) in blocks.iter().enumerate() {
        let all = &blocks[widest];
        let attribute = block.attributes.iter().find(|it| !all.attributes.contains(it)).map(|it| &it.name);
        let nested = block.block_types.iter().find(|it| !all.block_types.contains(it));
        if let Some(name) = attribute.or(nested.map(|it| &it.type_name)) {
            return Ok(Err(Difference { name: name.clone(), schema: index, widest }));
        }
    }
    Ok(Ok(widest))
}

/// An attribute or block that differs between two schemas.
#[derive(Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) name: String,
    /// The index of the schema with the attribute or block.
    pub(super) schema: usize,
    pub(super) widest: usize,
}

/// The block without descriptions and deprecations, with attributes and blocks in the order of their names.
fn normalized(block: Block) -> Block {
    let attributes = block.attributes.into_iter().map(normalized_attribute);
    let mut attributes: Vec<Attribute> = attributes.collect();
    attributes.sort_by(|left, right| left.name.cmp(&right.name));
    let nested =
        block.block_types.into_iter().map(|it| NestedBlock { block: it.block.map(normalized), ..it });
    let mut block_types: Vec<NestedBlock> = nested.collect();
    block_types.sort_by(|left, right| left.type_name.cmp(&right.type_name));
    Block { attributes, block_types, computed: block.computed, ..Block::default() }
}

fn normalized_attribute(attribute: Attribute) -> Attribute {
    let nested_type = attribute.nested_type.map(|mut nested| {
        nested.attributes = nested.attributes.into_iter().map(normalized_attribute).collect();
        nested.attributes.sort_by(|left, right| left.name.cmp(&right.name));
        nested
    });
    Attribute {
        description: String::new(),
        description_kind: 0,
        deprecated: false,
        deprecation_message: String::new(),
        nested_type,
        ..attribute
    }
}

/// The message with only these attributes in the configuration that is in a field. The message is returned as it is if
/// the configuration is not in MessagePack, which only other clients than Terraform send.
pub(super) fn project(message: &Bytes, field: u64, names: &Names) -> Result<Bytes, Status> {
    change(message, |it| {
        if it.number != field {
            return Ok(Change::Keep);
        }
        let config = change(&it.value, |value| {
            let kept = (value.number == 1).then(|| keep(&value.value, names)).flatten();
            Ok::<_, Status>(kept.map_or(Change::Keep, |kept| Change::Replace(kept.into())))
        })?;
        Ok(Change::Replace(config))
    })
}

/// The names in the configuration that is in a field of the message; none if it is not in MessagePack.
pub(super) fn keys(message: &Bytes, field: u64) -> Result<Names, Status> {
    let config = find(message, field)?.unwrap_or_default();
    let value = find(&config, 1)?.unwrap_or_default();
    Ok(entries(&value).unwrap_or_default().into_iter().map(|(key, _)| key.to_owned()).collect())
}

/// The map with only these keys; `None` if the value is not a map of strings.
fn keep(value: &[u8], names: &Names) -> Option<Vec<u8>> {
    let (mut kept, mut output) = (0_u32, Vec::new());
    for (key, encoded) in entries(value)? {
        if names.contains(key) {
            kept += 1;
            output.extend_from_slice(encoded);
        }
    }
    let mut map = vec![0xdf];
    map.extend_from_slice(&kept.to_be_bytes());
    map.extend_from_slice(&output);
    Some(map)
}

/// The entries of a map, each with its encoding; `None` if the value is not a map of strings.
fn entries(value: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let (count, mut at) = map_length(value)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let value_start = skip(value, at)?;
        let end = skip(value, value_start)?;
        entries.push((string(&value[at..value_start])?, &value[at..end]));
        at = end;
    }
    Some(entries)
}

/// The number of entries of a map, and the position of the first one.
fn map_length(value: &[u8]) -> Option<(u64, usize)> {
    match *value.first()? {
        byte @ 0x80..=0x8f => Some((u64::from(byte & 0x0f), 1)),
        0xde => Some((number(value, 1, 2)?, 3)),
        0xdf => Some((number(value, 1, 4)?, 5)),
        _ => None,
    }
}

/// The content of an encoded string.
fn string(value: &[u8]) -> Option<&str> {
    let start = match *value.first()? {
        0xa0..=0xbf => 1,
        0xd9 => 2,
        0xda => 3,
        0xdb => 5,
        _ => return None,
    };
    std::str::from_utf8(value.get(start..)?).ok()
}

/// The position after the value that starts at a position.
fn skip(bytes: &[u8], mut at: usize) -> Option<usize> {
    // The number of values that are still to be skipped. Nesting needs no recursion.
    let mut values = 1_u64;
    while values > 0 {
        values -= 1;
        let (length, inside) = match *bytes.get(at)? {
            0x00..=0x7f | 0xc0..=0xc3 | 0xe0..=0xff => (1, 0),
            byte @ 0x80..=0x8f => (1, 2 * u64::from(byte & 0x0f)),
            byte @ 0x90..=0x9f => (1, u64::from(byte & 0x0f)),
            byte @ 0xa0..=0xbf => (1 + u64::from(byte & 0x1f), 0),
            0xc4 | 0xd9 => (2 + number(bytes, at + 1, 1)?, 0),
            0xc5 | 0xda => (3 + number(bytes, at + 1, 2)?, 0),
            0xc6 | 0xdb => (5 + number(bytes, at + 1, 4)?, 0),
            0xc7 => (3 + number(bytes, at + 1, 1)?, 0),
            0xc8 => (4 + number(bytes, at + 1, 2)?, 0),
            0xc9 => (6 + number(bytes, at + 1, 4)?, 0),
            0xcc | 0xd0 => (2, 0),
            0xcd | 0xd1 => (3, 0),
            0xca | 0xce | 0xd2 => (5, 0),
            0xcb | 0xcf | 0xd3 => (9, 0),
            byte @ 0xd4..=0xd8 => (2 + (1 << (byte - 0xd4)), 0),
            0xdc => (3, number(bytes, at + 1, 2)?),
            0xdd => (5, number(bytes, at + 1, 4)?),
            0xde => (3, 2 * number(bytes, at + 1, 2)?),
            0xdf => (5, 2 * number(bytes, at + 1, 4)?),
        };
        at = at.checked_add(usize::try_from(length).ok()?).filter(|it| *it <= bytes.len())?;
        values += inside;
    }
    Some(at)
}

/// A number of some bytes, the highest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let digits = bytes.get(at..at + length)?;
    Some(digits.iter().fold(0, |number, digit| number << 8 | u64::from(*digit)))
}

#[cfg(test)]
mod tests {
    use ferroform_proto::tfplugin6::{DynamicValue, configure_provider};
    use ferroform_value::{Type, Value, msgpack};

    use super::*;

    fn attribute(name: &str, ty: &'static str) -> Attribute {
        let r#type = Bytes::from_static(ty.as_bytes());
        Attribute { name: name.into(), r#type, optional: true, ..Default::default() }
    }

    fn schema(attributes: Vec<Attribute>, blocks: &[&str]) -> Bytes {
        let block_types =
            blocks.iter().map(|name| NestedBlock { type_name: (*name).into(), ..Default::default() });
        let block = Block { attributes, block_types: block_types.collect(), ..Default::default() };
        Schema { version: 0, block: Some(block) }.encode_to_vec().into()
    }

    const STRING: &str = r#""string""#;

    #[test]
    fn widest_schema_contains_the_others() {
        let empty = Bytes::new();
        let described = Attribute { description: "The region.".into(), ..attribute("region", STRING) };
        let one = schema(vec![described], &[]);
        let two = schema(vec![attribute("profile", STRING), attribute("region", STRING)], &["endpoints"]);
        assert_eq!(widest(&[]).unwrap(), Ok(0));
        assert_eq!(widest(&[empty.clone(), empty.clone()]).unwrap(), Ok(0));
        assert_eq!(widest(&[empty, one.clone(), two.clone()]).unwrap(), Ok(2));
        assert_eq!(widest(&[two.clone(), one, two.clone()]).unwrap(), Ok(0));
        assert_eq!(names(&two).unwrap(), ["endpoints", "profile", "region"].map(str::to_owned).into());

        let other_type = schema(vec![attribute("region", r#""number""#)], &[]);
        let difference = |name: &str, schema| Ok(Err(Difference { name: name.into(), schema, widest: 0 }));
        assert_eq!(widest(&[two.clone(), other_type]).map_err(|it| it.code()), difference("region", 1));
        let other_block = schema(Vec::new(), &["assume_role"]);
        assert_eq!(widest(&[two, other_block]).map_err(|it| it.code()), difference("assume_role", 1));
    }

    #[test]
    fn servers_receive_their_own_attributes() {
        // One value of each encoding.
        let long = "x".repeat(300);
        let huge = "y".repeat(70_000);
        let values = Value::Tuple(vec![
            Value::Null,
            Value::Bool(true),
            (-5).into(),
            300.into(),
            70_000.into(),
            5_000_000_000_i64.into(),
            Value::Number("1.5".parse().unwrap()),
            "short".into(),
            long.as_str().into(),
            huge.as_str().into(),
        ]);
        let tuple = [Type::String, Type::Bool]
            .into_iter()
            .chain([(); 5].map(|()| Type::Number))
            .chain([(); 3].map(|()| Type::String));
        let types = Type::object([
            ("list", Type::tuple(tuple)),
            ("map", Type::map(Type::String)),
            ("region", Type::String),
            ("unknown", Type::String),
        ]);
        let config = Value::object([
            ("list", values),
            ("map", Value::Map((0..20).map(|it| (format!("k{it}").into(), "v".into())).collect())),
            ("region", "eu".into()),
            ("unknown", Value::UNKNOWN),
        ]);
        let config = msgpack::encode(&config, &types).unwrap();
        let request = configure_provider::Request {
            terraform_version: "1.15".into(),
            config: Some(DynamicValue { msgpack: config.into(), ..Default::default() }),
            client_capabilities: None,
        };
        let request: Bytes = request.encode_to_vec().into();
        let received = |names: &[&str]| {
            let names = names.iter().map(|it| (*it).to_owned()).collect();
            let request = configure_provider::Request::decode(project(&request, 2, &names).unwrap()).unwrap();
            assert_eq!(request.terraform_version, "1.15");
            request.config.unwrap().msgpack
        };
        let types = Type::object([("region", Type::String), ("unknown", Type::String)]);
        let expected = Value::object([("region", "eu".into()), ("unknown", Value::UNKNOWN)]);
        assert_eq!(msgpack::decode(&received(&["region", "unknown", "absent"]), &types).unwrap(), expected);
        let all = ["list", "map", "region", "unknown"].map(str::to_owned).into();
        assert_eq!(keys(&request, 2).unwrap(), all);
        assert_eq!(keys(&request, 3).unwrap(), Names::new());
        let none = Type::object(Vec::<(&str, Type)>::new());
        assert_eq!(msgpack::decode(&received(&[]), &none).unwrap(), Value::Object(Default::default()));
    }

    #[test]
    fn invalid_configurations_are_not_changed() {
        let names = Names::new();
        for config in [
            &b""[..],
            &[0xc0],
            &[0x82, 0xa1, b'a', 1],
            &[0x81, 1, 1],
            &[0xde, 0],
            &[0x81, 0xa1, b'a', 0xdb, 255, 255, 255, 255],
        ] {
            assert_eq!(keep(config, &names), None, "{config:?}");
        }
    }
}
