//! Schemas on the wire, for both protocols.

use ferroform_proto::tfplugin5::{self as v5, schema as schema5};
use ferroform_proto::tfplugin6::{self as v6, StringKind, schema as schema6};
use ferroform_value::json;

use crate::schema::{Attribute, Block, DescriptionKind, Mode, NestedBlock, Nesting, Schema};
use crate::{Diagnostic, Diagnostics};

/// The schema in protocol 6.
pub(super) fn schema(schema: &Schema) -> v6::Schema {
    v6::Schema { version: schema.version, block: Some(block(&schema.block, false)) }
}

fn block(it: &Block, computed: bool) -> schema6::Block {
    let mut attributes: Vec<_> = it.attributes.iter().map(attribute).collect();
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    let mut block_types: Vec<_> = it.blocks.iter().map(nested_block).collect();
    block_types.sort_by(|a, b| a.type_name.cmp(&b.type_name));
    schema6::Block {
        version: 0,
        attributes,
        block_types,
        description: it.description.clone(),
        description_kind: kind(it.description_kind).into(),
        deprecated: it.deprecated.is_some(),
        deprecation_message: it.deprecated.clone().unwrap_or_default(),
        computed,
    }
}

fn kind(it: DescriptionKind) -> StringKind {
    match it {
        DescriptionKind::Markdown => StringKind::Markdown,
        DescriptionKind::Plain => StringKind::Plain,
    }
}

fn nested_block(it: &NestedBlock) -> schema6::NestedBlock {
    use schema6::nested_block::NestingMode;
    let nesting = match it.nesting {
        Nesting::Single => NestingMode::Single,
        Nesting::List => NestingMode::List,
        Nesting::Set => NestingMode::Set,
        Nesting::Map => NestingMode::Map,
    };
    // Of blocks with labels core takes no numbers; the engine counts them.
    let (min, max) = if it.nesting == Nesting::Map { (0, 0) } else { (it.min_items, it.max_items) };
    schema6::NestedBlock {
        type_name: it.name.to_string(),
        block: Some(block(&it.block, it.computed)),
        nesting: nesting.into(),
        min_items: items(min),
        max_items: items(max),
    }
}

/// A number of objects on the wire.
fn items(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn attribute(it: &Attribute) -> schema6::Attribute {
    let nested_type = it.nested.as_ref().map(|nested| {
        use schema6::object::NestingMode;
        let nesting = match nested.nesting {
            Nesting::Single => NestingMode::Single,
            Nesting::List => NestingMode::List,
            Nesting::Set => NestingMode::Set,
            Nesting::Map => NestingMode::Map,
        };
        let mut attributes: Vec<_> = nested.block.attributes.iter().map(attribute).collect();
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        schema6::Object { attributes, nesting: nesting.into(), ..schema6::Object::default() }
    });
    let ty = if nested_type.is_some() { String::new() } else { json::type_to_string(&it.ty) };
    schema6::Attribute {
        name: it.name.to_string(),
        r#type: ty.into_bytes().into(),
        nested_type,
        description: it.description.clone(),
        required: it.mode == Mode::Required,
        optional: matches!(it.mode, Mode::Optional | Mode::OptionalComputed),
        computed: it.mode.is_computed(),
        sensitive: it.sensitive,
        description_kind: kind(it.description_kind).into(),
        deprecated: it.deprecated.is_some(),
        write_only: it.write_only,
        deprecation_message: it.deprecated.clone().unwrap_or_default(),
    }
}

/// The schema in protocol 5, which is that of protocol 6 with two numbers moved and without nested
/// attributes: each of those is an error.
pub(super) fn schema5(owner: &str, from: v6::Schema, all: &mut Diagnostics) -> v5::Schema {
    v5::Schema { version: from.version, block: from.block.map(|it| block5(owner, it, all)) }
}

fn block5(owner: &str, from: schema6::Block, all: &mut Diagnostics) -> schema5::Block {
    if from.computed {
        let detail = format!(
            "In {owner}: the provider may write this block, which protocol 5 does not have. Serve protocol 6 only. \
             This is a bug in the provider."
        );
        all.push(Diagnostic::error("Invalid provider definition").detail(detail));
    }
    schema5::Block {
        version: from.version,
        attributes: from.attributes.into_iter().map(|it| attribute5(owner, it, all)).collect(),
        block_types: from
            .block_types
            .into_iter()
            .map(|it| schema5::NestedBlock {
                block: it.block.map(|inner| block5(&format!("{owner}, {}", it.type_name), inner, all)),
                type_name: it.type_name,
                nesting: it.nesting,
                min_items: it.min_items,
                max_items: it.max_items,
            })
            .collect(),
        description: from.description,
        description_kind: from.description_kind,
        deprecated: from.deprecated,
        deprecation_message: from.deprecation_message,
    }
}

fn attribute5(owner: &str, from: schema6::Attribute, all: &mut Diagnostics) -> schema5::Attribute {
    if from.nested_type.is_some() {
        let name = &from.name;
        let detail = format!(
            "In {owner}: \"{name}\" holds nested attributes, which protocol 5 does not have. Make it a block, or \
             serve protocol 6 only. This is a bug in the provider."
        );
        all.push(Diagnostic::error("Invalid provider definition").detail(detail));
    }
    schema5::Attribute {
        name: from.name,
        r#type: from.r#type,
        description: from.description,
        required: from.required,
        optional: from.optional,
        computed: from.computed,
        sensitive: from.sensitive,
        description_kind: from.description_kind,
        deprecated: from.deprecated,
        write_only: from.write_only,
        deprecation_message: from.deprecation_message,
    }
}
