//! Translation of schemas between protocols 5 and 6, which use different numbers for some fields of an attribute. All
//! other messages with a schema are identical. Protocol 5 supports neither nested attributes nor computed blocks.

use ferroform_proto::tfplugin5::{self as five, schema as message5};
use ferroform_proto::tfplugin6::{self as six, schema as message6};

/// A feature of protocol 6 that protocol 5 does not support.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnsupportedFeature {
    /// The nested attribute with this name.
    NestedAttribute(String),
    ComputedBlock,
}

/// Translates a schema to protocol 6.
pub(crate) fn schema_to_protocol_6(schema: five::Schema) -> six::Schema {
    six::Schema { version: schema.version, block: schema.block.map(block_to_protocol_6) }
}

fn block_to_protocol_6(it: message5::Block) -> message6::Block {
    message6::Block {
        version: it.version,
        attributes: it.attributes.into_iter().map(attribute_to_protocol_6).collect(),
        block_types: it.block_types.into_iter().map(nested_block_to_protocol_6).collect(),
        description: it.description,
        description_kind: it.description_kind,
        deprecated: it.deprecated,
        deprecation_message: it.deprecation_message,
        computed: false,
    }
}

fn nested_block_to_protocol_6(it: message5::NestedBlock) -> message6::NestedBlock {
    message6::NestedBlock {
        type_name: it.type_name,
        block: it.block.map(block_to_protocol_6),
        nesting: it.nesting,
        min_items: it.min_items,
        max_items: it.max_items,
    }
}

fn attribute_to_protocol_6(it: message5::Attribute) -> message6::Attribute {
    message6::Attribute {
        name: it.name,
        r#type: it.r#type,
        description: it.description,
        required: it.required,
        optional: it.optional,
        computed: it.computed,
        sensitive: it.sensitive,
        description_kind: it.description_kind,
        deprecated: it.deprecated,
        write_only: it.write_only,
        deprecation_message: it.deprecation_message,
        nested_type: None,
    }
}

/// Translates a schema to protocol 5. Calls `report` for everything that protocol 5 does not support, with the names of the
/// enclosing blocks, from the outermost.
pub(crate) fn schema_to_protocol_5(
    schema: six::Schema,
    report: &mut dyn FnMut(&[String], UnsupportedFeature),
) -> five::Schema {
    let mut translation = ToProtocol5 { blocks: Vec::new(), report };
    five::Schema { version: schema.version, block: schema.block.map(|it| translation.block(it)) }
}

struct ToProtocol5<'a> {
    blocks: Vec<String>,
    report: &'a mut dyn FnMut(&[String], UnsupportedFeature),
}

impl ToProtocol5<'_> {
    fn block(&mut self, it: message6::Block) -> message5::Block {
        if it.computed {
            (self.report)(&self.blocks, UnsupportedFeature::ComputedBlock);
        }
        message5::Block {
            version: it.version,
            attributes: it.attributes.into_iter().map(|it| self.attribute(it)).collect(),
            block_types: it.block_types.into_iter().map(|it| self.nested_block(it)).collect(),
            description: it.description,
            description_kind: it.description_kind,
            deprecated: it.deprecated,
            deprecation_message: it.deprecation_message,
        }
    }

    fn nested_block(&mut self, it: message6::NestedBlock) -> message5::NestedBlock {
        self.blocks.push(it.type_name.clone());
        let block = it.block.map(|it| self.block(it));
        self.blocks.pop();
        message5::NestedBlock {
            type_name: it.type_name,
            block,
            nesting: it.nesting,
            min_items: it.min_items,
            max_items: it.max_items,
        }
    }

    fn attribute(&mut self, it: message6::Attribute) -> message5::Attribute {
        if it.nested_type.is_some() {
            (self.report)(&self.blocks, UnsupportedFeature::NestedAttribute(it.name.clone()));
        }
        message5::Attribute {
            name: it.name,
            r#type: it.r#type,
            description: it.description,
            required: it.required,
            optional: it.optional,
            computed: it.computed,
            sensitive: it.sensitive,
            description_kind: it.description_kind,
            deprecated: it.deprecated,
            write_only: it.write_only,
            deprecation_message: it.deprecation_message,
        }
    }
}
