//! Conversion of schemas to messages of protocol 6. `schema5` converts these to protocol 5.
//!
//! ```text
//! Attribute::raw("name", Type::String)
//!
//! Attribute { name: "name", type: "\"string\"", required: true, … }
//! ```
//!
//! The type is JSON, as in `["list","string"]`. A nested attribute has a `NestedType` instead. Default values,
//! validators and the other options of the framework are not part of the message: only the engine uses them.

use ferroform_proto::tfplugin6::{self as wire, StringKind, schema as message};
use ferroform_value::{Type, json};
use tonic::codegen::Bytes;

use ferroform_engine::Owner;
use ferroform_engine::schema::{Attribute, Block, DescriptionKind, Mode, NestedBlock, Nesting, Schema};

/// The schema as a message.
pub(super) fn schema(owner: Owner<'_>, it: Schema) -> wire::Schema {
    // Terraform accepts no computed attributes in a provider's configuration, so an attribute with a default is
    // optional there.
    let computed = !matches!(owner, Owner::Provider | Owner::ProviderMeta);
    wire::Schema { version: it.version, block: Some(block(it.block, computed, false)) }
}

/// A block. `computed` is true if its attributes may be computed, and `is_computed` is true if the block itself is
/// computed.
fn block(it: Block, computed: bool, is_computed: bool) -> message::Block {
    message::Block {
        version: 0,
        attributes: attributes(it.attributes, computed),
        block_types: it.blocks.into_iter().map(|it| nested_block(it, computed)).collect(),
        description: it.description,
        description_kind: kind(it.description_kind),
        deprecated: it.deprecated.is_some(),
        deprecation_message: it.deprecated.unwrap_or_default(),
        computed: is_computed,
    }
}

fn nested_block(it: NestedBlock, computed: bool) -> message::NestedBlock {
    use message::nested_block::NestingMode;
    let nesting = match it.nesting {
        Nesting::Single => NestingMode::Single,
        Nesting::List => NestingMode::List,
        Nesting::Set => NestingMode::Set,
        Nesting::Map => NestingMode::Map,
    };
    // Terraform accepts no limits for blocks with labels, so the engine checks them.
    let (min, max) = if it.nesting == Nesting::Map { (0, 0) } else { (it.min_items, it.max_items) };
    message::NestedBlock {
        type_name: it.name.to_string(),
        block: Some(block(it.block, computed, it.computed)),
        nesting: nesting.into(),
        min_items: items(min),
        max_items: items(max),
    }
}

fn attributes(all: Vec<Attribute>, computed: bool) -> Vec<message::Attribute> {
    all.into_iter().map(|it| attribute(it, computed)).collect()
}

fn attribute(it: Attribute, computed: bool) -> message::Attribute {
    use message::object::NestingMode;
    let deprecated = it.behavior().deprecated.clone();
    let nested_type = it.nested.map(|nested| message::Object {
        attributes: attributes(nested.block.attributes, computed),
        nesting: match nested.nesting {
            Nesting::Single => NestingMode::Single,
            Nesting::List => NestingMode::List,
            Nesting::Set => NestingMode::Set,
            Nesting::Map => NestingMode::Map,
        }
        .into(),
        ..message::Object::default()
    });
    let ty = if nested_type.is_none() { type_expression(&it.ty) } else { Bytes::new() };
    message::Attribute {
        name: it.name.to_string(),
        r#type: ty,
        nested_type,
        description: it.description,
        required: it.mode == Mode::Required,
        optional: matches!(it.mode, Mode::Optional | Mode::OptionalComputed),
        computed: match it.mode {
            Mode::Computed => true,
            Mode::OptionalComputed => computed,
            Mode::Required | Mode::Optional => false,
        },
        sensitive: it.sensitive,
        description_kind: kind(it.description_kind),
        deprecated: deprecated.is_some(),
        write_only: it.write_only,
        deprecation_message: deprecated.unwrap_or_default(),
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
    use super::*;
    use ferroform_engine::schema::Nested;

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
        let message = schema(Owner::Resource("a_b"), Schema::new(full()).version(300));
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
        assert_eq!(modes(Owner::Provider), [(true, false)]);
        assert_eq!(modes(Owner::ProviderMeta), [(true, false)]);
        assert_eq!(modes(Owner::DataSource("a_b")), [(true, true)]);
    }
}
