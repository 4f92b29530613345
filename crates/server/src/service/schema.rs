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

use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::{self as wire, StringKind, schema as message};
use ferroform_value::{Type, json};
use tonic::codegen::Bytes;

use super::schema5;
use crate::protocol::Protocol;
use ferroform_engine::provider::AnyResource;
use ferroform_engine::schema::{
    Attribute, Block, DescriptionKind, Descriptions, Mode, NestedBlock, Nesting, ReplacingChanges, Schema,
};
use ferroform_engine::{Diagnostics, Owner};

/// Encodes a schema in a version of the protocol. The descriptions of a resource state its import IDs and which changes
/// replace it. Adds an error for everything that the protocol does not support.
pub(super) fn encode(
    protocol: Protocol,
    owner: Owner<'_>,
    schema: &Schema,
    resource: Option<&dyn AnyResource>,
    errors: &mut Diagnostics,
) -> Bytes {
    // Terraform accepts no computed attributes in the configurations of providers, list resources, actions and state
    // stores, so an attribute with a default is optional there.
    let is_computed_allowed = !owner.kind.is_set_by_practitioner();
    let replacing = match resource {
        None => ReplacingChanges::None,
        Some(it) if it.capabilities().update => ReplacingChanges::ByOption,
        Some(_) => ReplacingChanges::All,
    };
    let patterns = resource.map_or(&[][..], |it| it.import_patterns());
    let description = schema.block.description_with_import_ids(patterns);
    let block =
        Encoder { protocol, is_computed_allowed, replacing }.block(&schema.block, &description, false);
    let message = wire::Schema { version: schema.version, block: Some(block) };
    match protocol {
        Protocol::V5 => schema5::schema(owner, message, errors).encode_to_vec().into(),
        Protocol::V6 => message.encode_to_vec().into(),
    }
}

#[derive(Clone, Copy)]
struct Encoder {
    protocol: Protocol,
    /// True if attributes may be computed.
    is_computed_allowed: bool,
    replacing: ReplacingChanges,
}

impl Encoder {
    fn inside(self) -> Encoder {
        Encoder { replacing: self.replacing.inside(), ..self }
    }

    /// A block. `is_computed` is true if the block itself is computed.
    fn block(self, it: &Block, description: &str, is_computed: bool) -> message::Block {
        let descriptions = it.descriptions(self.replacing);
        let nested = |it| self.nested_block(it, &descriptions.of_nested_block(it));
        message::Block {
            version: 0,
            attributes: self.attributes(it, &descriptions),
            block_types: it.blocks().iter().map(nested).collect(),
            description: description.to_owned(),
            description_kind: kind(it.description_kind()),
            deprecated: it.deprecation().is_some(),
            deprecation_message: it.deprecation().unwrap_or_default().to_owned(),
            computed: is_computed,
        }
    }

    fn nested_block(self, it: &NestedBlock, description: &str) -> message::NestedBlock {
        use message::nested_block::NestingMode;
        let nesting = match it.nesting() {
            Nesting::Single => NestingMode::Single,
            Nesting::List => NestingMode::List,
            Nesting::Set => NestingMode::Set,
            Nesting::Map => NestingMode::Map,
        };
        // Terraform accepts no limits for blocks with labels, so the engine checks them.
        let (min, max) = if it.nesting() == Nesting::Map { (0, 0) } else { (it.min_items(), it.max_items()) };
        message::NestedBlock {
            type_name: it.name().to_string(),
            block: Some(self.inside().block(it.block(), description, it.is_computed())),
            nesting: nesting.into(),
            min_items: items(min),
            max_items: items(max),
        }
    }

    fn attributes(self, it: &Block, descriptions: &Descriptions<'_>) -> Vec<message::Attribute> {
        it.attributes().iter().map(|it| self.attribute(it, descriptions)).collect()
    }

    fn attribute(self, it: &Attribute, descriptions: &Descriptions<'_>) -> message::Attribute {
        let (optional, computed) = match it.mode() {
            Mode::Required => (false, false),
            Mode::Optional => (true, false),
            Mode::Computed => (false, true),
            Mode::OptionalComputed => (true, self.is_computed_allowed),
        };
        let deprecated = it.behavior().deprecated.as_deref();
        let is_object = self.protocol == Protocol::V5 && it.is_copied_block();
        let nested = it.nested().filter(|_| !is_object);
        let is_sensitive = if is_object { it.contains_sensitive() } else { it.is_sensitive() };
        message::Attribute {
            name: it.name().to_string(),
            r#type: if nested.is_none() { type_expression(it.ty()) } else { Bytes::new() },
            nested_type: nested.map(|it| {
                use message::object::NestingMode;
                let nesting = match it.nesting() {
                    Nesting::Single => NestingMode::Single,
                    Nesting::List => NestingMode::List,
                    Nesting::Set => NestingMode::Set,
                    Nesting::Map => NestingMode::Map,
                };
                let inside = self.inside();
                let attributes = inside.attributes(it.block(), &it.block().descriptions(inside.replacing));
                message::Object { attributes, nesting: nesting.into(), ..Default::default() }
            }),
            description: descriptions.of_attribute(it),
            required: it.mode() == Mode::Required,
            optional,
            computed,
            sensitive: is_sensitive,
            description_kind: kind(it.description_kind()),
            deprecated: deprecated.is_some(),
            write_only: it.is_write_only(),
            deprecation_message: deprecated.unwrap_or_default().to_owned(),
        }
    }
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
        let bytes = encode(Protocol::V6, owner, &schema, None, &mut errors);
        let message = wire::Schema::decode(&*bytes).unwrap();
        assert!(errors.is_empty());
        message
    }

    fn attribute(name: &str) -> Attribute {
        Attribute::raw(name, Type::list(Type::String)).description("é".repeat(3)).deprecated("later")
    }

    fn full() -> Block {
        let inside = Block::new()
            .attribute(attribute("y"))
            .attribute(attribute("x").with_mode(Mode::OptionalComputed));
        let block = Attribute::raw_nested("block", Nested::set(inside)).min_items(2).max_items(70_000);
        let object = Nested::single(Block::new().attribute(attribute("z")));
        Block::new()
            .description("what")
            .deprecated("no more")
            .attribute(attribute("s").sensitive())
            .attribute(attribute("b").with_mode(Mode::Optional).write_only())
            .attribute(attribute("c").computed())
            .attribute(Attribute::raw_nested("o", object).with_mode(Mode::Optional))
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
        let block = || Block::new().attribute(attribute("a").with_mode(Mode::OptionalComputed));
        let modes = |owner| {
            let message = schema(owner, Schema::new(block()));
            message.block.unwrap().attributes.iter().map(|it| (it.optional, it.computed)).collect::<Vec<_>>()
        };
        assert_eq!(modes(Owner::PROVIDER), [(true, false)]);
        assert_eq!(modes(Owner::PROVIDER_META), [(true, false)]);
        assert_eq!(modes(Kind::DataSource.named("a_b")), [(true, true)]);
    }
}
