//! The differences of schemas in protocol 5, which supports neither nested attributes nor computed blocks.
//!
//! If a schema has either of them, the response to GetSchema is an error with the path of the attribute:
//!
//! ```text
//! In resource cloud_server: "endpoint" is a nested attribute, which protocol 5 does not support. Serve protocol 6
//! only.
//! ```

use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::{Diagnostic, Diagnostics, Owner};
use ferroform_proto::tfplugin5::{self as wire, schema as message};
use ferroform_proto::tfplugin6::{self, schema as message6};

/// The message of protocol 5 with the content of a message of protocol 6. Adds an error for everything that protocol 5
/// does not support.
pub(super) fn schema(owner: Owner<'_>, it: tfplugin6::Schema, errors: &mut Diagnostics) -> wire::Schema {
    let mut conversion = Conversion { owner, blocks: Vec::new(), errors };
    wire::Schema { version: it.version, block: it.block.map(|it| conversion.block(it)) }
}

struct Conversion<'a> {
    owner: Owner<'a>,
    /// The names of the enclosing blocks, from the outermost.
    blocks: Vec<String>,
    errors: &'a mut Diagnostics,
}

impl Conversion<'_> {
    fn block(&mut self, it: message6::Block) -> message::Block {
        if it.computed {
            self.report("protocol 5 does not support computed blocks. Serve");
        }
        message::Block {
            version: it.version,
            attributes: it.attributes.into_iter().map(|it| self.attribute(it)).collect(),
            block_types: it.block_types.into_iter().map(|it| self.nested_block(it)).collect(),
            description: it.description,
            description_kind: it.description_kind,
            deprecated: it.deprecated,
            deprecation_message: it.deprecation_message,
        }
    }

    fn nested_block(&mut self, it: message6::NestedBlock) -> message::NestedBlock {
        self.blocks.push(it.type_name.clone());
        let block = it.block.map(|it| self.block(it));
        self.blocks.pop();
        message::NestedBlock {
            type_name: it.type_name,
            block,
            nesting: it.nesting,
            min_items: it.min_items,
            max_items: it.max_items,
        }
    }

    fn attribute(&mut self, it: message6::Attribute) -> message::Attribute {
        if it.nested_type.is_some() {
            self.report(&format!(
                "\"{}\" is a nested attribute, which protocol 5 does not support. Make it a block or an attribute of an \
                 object type, or serve",
                it.name
            ));
        }
        message::Attribute {
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

    /// Reports a feature that protocol 5 does not support, with a solution.
    fn report(&mut self, message: &str) {
        let blocks: String = self.blocks.iter().map(|it| format!(", {it}")).collect();
        let detail =
            format!("In {}{blocks}: {message} protocol 6 only. This is a bug in the provider.", self.owner);
        let error = Diagnostic::error("Invalid Provider Definition").detail(detail);
        self.errors.push(error.of_kind(DiagnosticKind::ProviderBug));
    }
}

#[cfg(test)]
mod tests {
    use ferroform_proto::Message as _;
    use ferroform_value::Type;

    use ferroform_engine::{Diagnostics, Kind};
    use ferroform_proto::{tfplugin5 as wire, tfplugin6};

    use super::super::schema::encode;
    use crate::protocol::Protocol;
    use ferroform_engine::schema::{Attribute, Block, Mode, Nested, Schema};

    fn string_attribute(name: &str) -> Attribute {
        Attribute::raw(name, Type::String)
    }

    fn in_both(block: Block) -> (tfplugin6::Schema, wire::Schema, Diagnostics) {
        let schema = Schema::new(block).version(300);
        let (mut none, mut errors) = (Diagnostics::new(), Diagnostics::new());
        let owner = Kind::Resource.named("a_b");
        let encode = |protocol, errors: &mut Diagnostics| {
            encode(protocol, owner, &schema, &schema.block.description, errors)
        };
        let six = tfplugin6::Schema::decode(&*encode(Protocol::V6, &mut none)).unwrap();
        let five = wire::Schema::decode(&*encode(Protocol::V5, &mut errors)).unwrap();
        (six, five, errors)
    }

    #[test]
    fn fields_with_the_same_number_in_both_protocols_are_equal() {
        let inside = Block::new().attribute(string_attribute("x").mode(Mode::OptionalComputed).sensitive());
        let block = Attribute::raw_nested("block", Nested::set(inside)).min_items(2).max_items(70_000);
        let all = [string_attribute("a").description("what"), string_attribute("c").computed()];
        let block = Block::new().description("what").deprecated("no more").attributes(all).block(block);
        let (six, five, errors) = in_both(block);
        assert!(errors.is_empty());
        assert_eq!(tfplugin6::Schema::decode(&*five.encode_to_vec()).unwrap(), six);
    }

    #[test]
    fn fields_with_another_number_in_protocol_5_are_converted() {
        let key = string_attribute("key").mode(Mode::Optional).write_only().deprecated("later");
        let (_, five, errors) = in_both(Block::new().attribute(key));
        assert!(errors.is_empty());
        let [key] = &five.block.unwrap().attributes[..] else { panic!("one attribute") };
        assert!(key.write_only && key.deprecated);
        assert_eq!(key.deprecation_message, "later");
    }

    #[test]
    fn nested_attributes_are_an_error_with_their_path() {
        let nested = Attribute::raw_nested("in", Nested::map(Block::new().attribute(string_attribute("x"))));
        let outer = Attribute::raw_nested("outer", Nested::list(Block::new().attribute(nested)));
        let (_, _, errors) = in_both(Block::new().block(outer));
        expect_test::expect![[r#"Invalid Provider Definition: In resource a_b, outer: "in" is a nested attribute, which protocol 5 does not support. Make it a block or an attribute of an object type, or serve protocol 6 only. This is a bug in the provider."#]].assert_eq(&errors.to_string());
    }
}
