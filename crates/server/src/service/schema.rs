//! Encoding of schemas as messages of both protocols. `schema5` has the differences of protocol 5.
//!
//! ```text
//! Attribute::raw("name", Type::String)
//!
//! Attribute { name: "name", type: "\"string\"", required: true, … }
//! ```
//!
//! The type is JSON, as in `["list","string"]`. A nested attribute has a `NestedType` instead. Default values,
//! validators and the other options of the framework are not part of the message: only the engine uses them.

use ferroform_proto::Message;
use ferroform_proto::tfplugin6::{self as wire, StringKind, schema as message};
use ferroform_value::{Type, json};
use tonic::codegen::Bytes;

use super::schema5;
use crate::protocol::Protocol;
use ferroform_engine::schema::{
    Attribute, Block, DescriptionKind, Descriptions, Mode, NestedBlock, Nesting, Schema,
};
use ferroform_engine::{Diagnostics, Owner};

/// Encodes schemas in a version of the protocol. Each attribute is encoded alone and each block after its content, so
/// that only one small message exists at a time, and nested blocks are not measured again on each level.
pub(super) struct SchemaEncoder<'a> {
    pub(super) protocol: Protocol,
    pub(super) owner: Owner<'a>,
    /// The description of the whole schema, which contains more than that of its block.
    pub(super) description: &'a str,
    /// The errors about features that the protocol does not support.
    pub(super) errors: &'a mut Diagnostics,
}

/// The numbers of the fields that contain messages. They are the same in both protocols.
mod field {
    pub(super) const SCHEMA_BLOCK: u8 = 2;
    pub(super) const BLOCK_ATTRIBUTES: u8 = 2;
    pub(super) const BLOCK_BLOCK_TYPES: u8 = 3;
    pub(super) const NESTED_BLOCK_BLOCK: u8 = 2;
    pub(super) const ATTRIBUTE_NESTED_TYPE: u8 = 10;
    pub(super) const OBJECT_ATTRIBUTES: u8 = 1;
}

impl SchemaEncoder<'_> {
    /// The schema as an encoded message. Adds an error for everything that the protocol does not support. The message
    /// is written to `buffer` first, whose memory many schemas can use.
    pub(super) fn encode(self, schema: &Schema, buffer: &mut Vec<u8>) -> Bytes {
        buffer.clear();
        // Terraform accepts no computed attributes in the configurations of providers, list resources, actions and state
        // stores, so an attribute with a default is optional there.
        let is_computed_allowed = !self.owner.kind.is_set_by_practitioner();
        let description = self.description;
        let mut out = Out { encoder: self, is_computed_allowed, blocks: Vec::new(), bytes: buffer };
        out.message(&wire::Schema { version: schema.version, block: None });
        out.field(field::SCHEMA_BLOCK, |out| out.block(&schema.block, description, false));
        Bytes::copy_from_slice(out.bytes)
    }
}

struct Out<'a, 's, 'b> {
    encoder: SchemaEncoder<'a>,
    /// True if attributes may be computed.
    is_computed_allowed: bool,
    /// The names of the enclosing blocks, from the outermost.
    blocks: Vec<&'s str>,
    bytes: &'b mut Vec<u8>,
}

impl<'s> Out<'_, 's, '_> {
    /// Appends the fields of a message. Fields that are appended afterwards belong to the same message.
    fn message(&mut self, message: &impl Message) {
        message.encode_raw(self.bytes);
    }

    /// Appends a field that contains a message, whose fields the function appends.
    fn field(&mut self, number: u8, append: impl FnOnce(&mut Self)) {
        self.bytes.push(number << 3 | LENGTH_DELIMITED);
        let start = self.bytes.len();
        // Most messages are so short that their length is one byte.
        self.bytes.push(0);
        append(self);
        let length = varint((self.bytes.len() - start - 1) as u64);
        self.bytes.splice(start..=start, length);
    }

    /// Appends a string field. As in every message, an empty string is omitted.
    fn string(&mut self, number: u8, content: &[u8]) {
        if !content.is_empty() {
            self.bytes.push(number << 3 | LENGTH_DELIMITED);
            self.bytes.extend(varint(content.len() as u64));
            self.bytes.extend_from_slice(content);
        }
    }

    /// Appends a field with a bool or an enum value, unless it is false or zero.
    fn number(&mut self, number: u8, value: u64) {
        if value != 0 {
            self.bytes.push(number << 3);
            self.bytes.extend(varint(value));
        }
    }

    /// A block. `is_computed` is true if the block itself is computed.
    fn block(&mut self, it: &'s Block, description: &str, is_computed: bool) {
        if is_computed && self.encoder.protocol == Protocol::V5 {
            self.unsupported("protocol 5 does not support computed blocks. Serve");
        }
        let descriptions = it.descriptions();
        for attribute in &it.attributes {
            self.field(field::BLOCK_ATTRIBUTES, |out| out.attribute(attribute, &descriptions));
        }
        for block in &it.blocks {
            let description = descriptions.of_nested_block(block);
            self.field(field::BLOCK_BLOCK_TYPES, |out| out.nested_block(block, &description));
        }
        self.message(&message::Block {
            description: description.to_owned(),
            description_kind: kind(it.description_kind),
            deprecated: it.deprecated.is_some(),
            deprecation_message: it.deprecated.clone().unwrap_or_default(),
            computed: is_computed,
            ..message::Block::default()
        });
    }

    fn nested_block(&mut self, it: &'s NestedBlock, description: &str) {
        use message::nested_block::NestingMode;
        let nesting = match it.nesting {
            Nesting::Single => NestingMode::Single,
            Nesting::List => NestingMode::List,
            Nesting::Set => NestingMode::Set,
            Nesting::Map => NestingMode::Map,
        };
        // Terraform accepts no limits for blocks with labels, so the engine checks them.
        let (min, max) = if it.nesting == Nesting::Map { (0, 0) } else { (it.min_items, it.max_items) };
        self.message(&message::NestedBlock {
            type_name: it.name.to_string(),
            block: None,
            nesting: nesting.into(),
            min_items: items(min),
            max_items: items(max),
        });
        self.blocks.push(&it.name);
        self.field(field::NESTED_BLOCK_BLOCK, |out| out.block(&it.block, description, it.computed));
        self.blocks.pop();
    }

    /// An attribute. Schemas consist mostly of attributes, so their fields are written without a message.
    fn attribute(&mut self, it: &'s Attribute, descriptions: &Descriptions<'s>) {
        let is_computed_allowed = self.is_computed_allowed;
        let (is_optional, is_computed) = match it.mode {
            Mode::Required => (false, false),
            Mode::Optional => (true, false),
            Mode::Computed => (false, true),
            Mode::OptionalComputed => (true, is_computed_allowed),
        };
        // Protocol 5 has no nested attributes, so its later fields have other numbers.
        let (write_only, deprecation_message) = match self.encoder.protocol {
            Protocol::V5 => (10, 11),
            Protocol::V6 => (11, 12),
        };
        let deprecated = it.behavior().deprecated.as_deref();
        self.string(1, it.name.as_bytes());
        // The types of nested attributes are not computed.
        if it.nested.is_none() {
            self.string(2, &type_expression(it.ty()));
        }
        self.string(3, descriptions.of_attribute(it).as_bytes());
        self.number(4, (it.mode == Mode::Required).into());
        self.number(5, is_optional.into());
        self.number(6, is_computed.into());
        self.number(7, it.sensitive.into());
        self.number(8, u64::from(kind(it.description_kind).unsigned_abs()));
        self.number(9, deprecated.is_some().into());
        self.number(write_only, it.write_only.into());
        self.string(deprecation_message, deprecated.unwrap_or_default().as_bytes());
        let Some(nested) = &it.nested else { return };
        if self.encoder.protocol == Protocol::V5 {
            self.unsupported(&schema5::nested_attribute(&it.name));
            return;
        }
        self.field(field::ATTRIBUTE_NESTED_TYPE, |out| {
            use message::object::NestingMode;
            let nesting = match nested.nesting {
                Nesting::Single => NestingMode::Single,
                Nesting::List => NestingMode::List,
                Nesting::Set => NestingMode::Set,
                Nesting::Map => NestingMode::Map,
            };
            out.message(&message::Object { nesting: nesting.into(), ..message::Object::default() });
            let descriptions = nested.block.descriptions();
            for attribute in &nested.block.attributes {
                out.field(field::OBJECT_ATTRIBUTES, |out| out.attribute(attribute, &descriptions));
            }
        });
    }

    /// Reports a feature that protocol 5 does not support, with a solution.
    fn unsupported(&mut self, message: &str) {
        let error = schema5::unsupported(self.encoder.owner, &self.blocks, message);
        self.encoder.errors.push(error);
    }
}

/// The wire type of strings and messages in a field's key.
const LENGTH_DELIMITED: u8 = 2;

/// A number as a variable-length integer: seven bits in each byte, the lowest first.
fn varint(mut number: u64) -> impl Iterator<Item = u8> {
    let mut bytes = [0; 10];
    let mut length = 0;
    for byte in &mut bytes {
        length += 1;
        *byte = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            break;
        }
        *byte |= 0x80;
    }
    bytes.into_iter().take(length)
}

/// A type in JSON. Most attributes have one of three types, whose JSON is static.
pub(super) fn type_expression(ty: &Type) -> Bytes {
    match ty {
        Type::Bool => Bytes::from_static(b"\"bool\""),
        Type::Number => Bytes::from_static(b"\"number\""),
        Type::String => Bytes::from_static(b"\"string\""),
        _ => json::type_to_string(ty).into(),
    }
}

pub(super) fn kind(it: DescriptionKind) -> i32 {
    match it {
        DescriptionKind::Markdown => StringKind::Markdown.into(),
        DescriptionKind::Plain => StringKind::Plain.into(),
    }
}

/// Converts a number of blocks.
fn items(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use ferroform_engine::Kind;

    use super::*;
    use ferroform_engine::schema::Nested;

    fn schema(owner: Owner<'_>, schema: Schema) -> wire::Schema {
        let mut errors = Diagnostics::new();
        let encoder = SchemaEncoder {
            protocol: Protocol::V6,
            owner,
            description: &schema.block.description,
            errors: &mut errors,
        };
        let message = wire::Schema::decode(&*encoder.encode(&schema, &mut Vec::new())).unwrap();
        assert!(errors.is_empty());
        message
    }

    /// The encoding is that of the whole message, apart from the order of the fields.
    #[test]
    fn lengths_of_nested_messages_are_encoded_with_several_bytes() {
        let long =
            |depth: usize| Attribute::raw("a", Type::String).description("x".repeat(100 << (7 * depth)));
        let block = (0..3).fold(Block::new(), |block, depth| {
            let nested = Attribute::raw_nested("b", Nested::list(block.attribute(long(depth))));
            Block::new().block(nested)
        });
        let bytes = {
            let mut errors = Diagnostics::new();
            let owner = Kind::Resource.named("a_b");
            SchemaEncoder {
                protocol: Protocol::V6,
                owner,
                description: &block.description,
                errors: &mut errors,
            }
            .encode(&Schema::new(block.clone()), &mut Vec::new())
        };
        let message = schema(Kind::Resource.named("a_b"), Schema::new(block));
        assert_eq!(message.encoded_len(), bytes.len());
        let mut inside = message.block.unwrap();
        for depth in [2, 1, 0] {
            inside = inside.block_types.remove(0).block.unwrap();
            assert_eq!(inside.attributes[0].description.len(), 100 << (7 * depth));
        }
    }

    fn attribute(name: &str) -> Attribute {
        Attribute::raw(name, Type::list(Type::String)).description("é".repeat(3)).deprecated("later")
    }

    fn full() -> Block {
        let inside =
            Block::new().attribute(attribute("y")).attribute(attribute("x").mode(Mode::OptionalComputed));
        let block = Attribute::raw_nested("block", Nested::set(inside)).min_items(2).max_items(70_000);
        let object = Nested::single(Block::new().attribute(attribute("z")));
        Block::new()
            .description("what")
            .deprecated("no more")
            .attribute(attribute("s").sensitive())
            .attribute(attribute("b").mode(Mode::Optional).write_only())
            .attribute(attribute("c").computed())
            .attribute(Attribute::raw_nested("o", object).mode(Mode::Optional))
            .block(block)
    }

    #[test]
    fn message_contains_all_fields_of_the_schema() {
        let message = schema(Kind::Resource.named("a_b"), Schema::new(full()).version(300));
        expect_test::expect![[r#"
            Schema {
                version: 300,
                block: Some(
                    Block {
                        version: 0,
                        attributes: [
                            Attribute {
                                name: "s",
                                r#type: b"[\"list\",\"string\"]",
                                nested_type: None,
                                description: "ééé",
                                required: true,
                                optional: false,
                                computed: false,
                                sensitive: true,
                                description_kind: Markdown,
                                deprecated: true,
                                write_only: false,
                                deprecation_message: "later",
                            },
                            Attribute {
                                name: "b",
                                r#type: b"[\"list\",\"string\"]",
                                nested_type: None,
                                description: "ééé",
                                required: false,
                                optional: true,
                                computed: false,
                                sensitive: false,
                                description_kind: Markdown,
                                deprecated: true,
                                write_only: true,
                                deprecation_message: "later",
                            },
                            Attribute {
                                name: "c",
                                r#type: b"[\"list\",\"string\"]",
                                nested_type: None,
                                description: "ééé",
                                required: false,
                                optional: false,
                                computed: true,
                                sensitive: false,
                                description_kind: Markdown,
                                deprecated: true,
                                write_only: false,
                                deprecation_message: "later",
                            },
                            Attribute {
                                name: "o",
                                r#type: b"",
                                nested_type: Some(
                                    Object {
                                        attributes: [
                                            Attribute {
                                                name: "z",
                                                r#type: b"[\"list\",\"string\"]",
                                                nested_type: None,
                                                description: "ééé",
                                                required: true,
                                                optional: false,
                                                computed: false,
                                                sensitive: false,
                                                description_kind: Markdown,
                                                deprecated: true,
                                                write_only: false,
                                                deprecation_message: "later",
                                            },
                                        ],
                                        nesting: Single,
                                        min_items: 0,
                                        max_items: 0,
                                    },
                                ),
                                description: "",
                                required: false,
                                optional: true,
                                computed: false,
                                sensitive: false,
                                description_kind: Markdown,
                                deprecated: false,
                                write_only: false,
                                deprecation_message: "",
                            },
                        ],
                        block_types: [
                            NestedBlock {
                                type_name: "block",
                                block: Some(
                                    Block {
                                        version: 0,
                                        attributes: [
                                            Attribute {
                                                name: "y",
                                                r#type: b"[\"list\",\"string\"]",
                                                nested_type: None,
                                                description: "ééé",
                                                required: true,
                                                optional: false,
                                                computed: false,
                                                sensitive: false,
                                                description_kind: Markdown,
                                                deprecated: true,
                                                write_only: false,
                                                deprecation_message: "later",
                                            },
                                            Attribute {
                                                name: "x",
                                                r#type: b"[\"list\",\"string\"]",
                                                nested_type: None,
                                                description: "ééé",
                                                required: false,
                                                optional: true,
                                                computed: true,
                                                sensitive: false,
                                                description_kind: Markdown,
                                                deprecated: true,
                                                write_only: false,
                                                deprecation_message: "later",
                                            },
                                        ],
                                        block_types: [],
                                        description: "",
                                        description_kind: Markdown,
                                        deprecated: false,
                                        deprecation_message: "",
                                        computed: false,
                                    },
                                ),
                                nesting: Set,
                                min_items: 2,
                                max_items: 70000,
                            },
                        ],
                        description: "what",
                        description_kind: Markdown,
                        deprecated: true,
                        deprecation_message: "no more",
                        computed: false,
                    },
                ),
            }"#]]
        .assert_eq(&format!("{message:#?}"));
    }

    #[test]
    fn provider_configuration_has_no_computed_attributes() {
        let block = || Block::new().attribute(attribute("a").mode(Mode::OptionalComputed));
        let modes = |owner| {
            let message = schema(owner, Schema::new(block()));
            message.block.unwrap().attributes.iter().map(|it| (it.optional, it.computed)).collect::<Vec<_>>()
        };
        assert_eq!(modes(Owner::PROVIDER), [(true, false)]);
        assert_eq!(modes(Owner::PROVIDER_META), [(true, false)]);
        assert_eq!(modes(Kind::DataSource.named("a_b")), [(true, true)]);
    }
}
