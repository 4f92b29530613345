//! Schemas as messages of protocol 5, which has neither nested attributes nor blocks that the provider may write.

use ferroform_proto::tfplugin5 as wire;
use ferroform_proto::tfplugin6::{self, schema as six};

use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::{Diagnostic, Diagnostics, Owner};

/// The message of protocol 6 in protocol 5. What protocol 5 does not have becomes an error in `found`.
pub(super) fn schema(owner: Owner<'_>, it: tfplugin6::Schema, found: &mut Diagnostics) -> wire::Schema {
    let mut place = Place { owner, blocks: Vec::new(), found };
    wire::Schema { version: it.version, block: it.block.map(|it| block(it, &mut place)) }
}

/// What is being converted, for messages, and what could not be.
struct Place<'a> {
    owner: Owner<'a>,
    /// The blocks around it, from the outermost.
    blocks: Vec<String>,
    found: &'a mut Diagnostics,
}

impl Place<'_> {
    /// Reports what protocol 5 does not have, and what to do about it.
    fn unsupported(&mut self, what: &str) {
        let blocks: String = self.blocks.iter().map(|it| format!(", {it}")).collect();
        let detail =
            format!("In {}{blocks}: {what} protocol 6 only. This is a bug in the provider.", self.owner);
        let rejected = Diagnostic::error("Invalid Provider Definition").detail(detail);
        self.found.push(rejected.of_kind(DiagnosticKind::ProviderBug));
    }
}

fn block(it: six::Block, place: &mut Place<'_>) -> wire::schema::Block {
    if it.computed {
        place.unsupported("the provider may write this block, which protocol 5 does not have. Serve");
    }
    wire::schema::Block {
        version: it.version,
        attributes: it.attributes.into_iter().map(|it| attribute(it, place)).collect(),
        block_types: it.block_types.into_iter().map(|it| nested_block(it, place)).collect(),
        description: it.description,
        description_kind: it.description_kind,
        deprecated: it.deprecated,
        deprecation_message: it.deprecation_message,
    }
}

fn nested_block(it: six::NestedBlock, place: &mut Place<'_>) -> wire::schema::NestedBlock {
    place.blocks.push(it.type_name.clone());
    let block = it.block.map(|it| block(it, place));
    place.blocks.pop();
    wire::schema::NestedBlock {
        type_name: it.type_name,
        block,
        nesting: it.nesting,
        min_items: it.min_items,
        max_items: it.max_items,
    }
}

fn attribute(it: six::Attribute, place: &mut Place<'_>) -> wire::schema::Attribute {
    if it.nested_type.is_some() {
        place.unsupported(&format!(
            "\"{}\" holds nested attributes, which protocol 5 does not have. Make it a block, or serve",
            it.name
        ));
    }
    wire::schema::Attribute {
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

#[cfg(test)]
mod tests {
    use ferroform_proto::Message as _;
    use ferroform_value::Type;

    use super::super::schema::schema as protocol_6;
    use super::*;
    use ferroform_engine::schema::{Attribute, Block, Mode, Nested, Schema};

    fn text(name: &str) -> Attribute {
        Attribute::raw(name, Type::String)
    }

    fn in_both(block: Block) -> (tfplugin6::Schema, wire::Schema, Diagnostics) {
        let owner = Owner::Resource("a_b");
        let six = protocol_6(owner, Schema { version: 300, block });
        let mut found = Diagnostics::new();
        let five = schema(owner, six.clone(), &mut found);
        (six, five, found)
    }

    #[test]
    fn fields_with_the_same_number_in_both_protocols_are_equal() {
        let inside = Block::new().attribute(text("x").mode(Mode::OptionalComputed).sensitive());
        let block = Attribute::raw_nested("block", Nested::set(inside)).min_items(2).max_items(70_000);
        let all = [text("a").description("what"), text("c").computed()];
        let block = Block::new().description("what").deprecated("no more").attributes(all).block(block);
        let (six, five, found) = in_both(block);
        assert!(found.is_empty());
        assert_eq!(tfplugin6::Schema::decode(&*five.encode_to_vec()).unwrap(), six);
    }

    #[test]
    fn fields_with_another_number_in_protocol_5_are_converted() {
        let key = text("key").mode(Mode::Optional).write_only().deprecated("later");
        let (_, five, found) = in_both(Block::new().attribute(key));
        assert!(found.is_empty());
        let [key] = &five.block.unwrap().attributes[..] else { panic!("one attribute") };
        assert!(key.write_only && key.deprecated);
        assert_eq!(key.deprecation_message, "later");
    }

    #[test]
    fn nested_attributes_are_an_error_with_their_place() {
        let nested = Attribute::raw_nested("in", Nested::map(Block::new().attribute(text("x"))));
        let outer = Attribute::raw_nested("outer", Nested::list(Block::new().attribute(nested)));
        let (_, _, found) = in_both(Block::new().block(outer));
        expect_test::expect![[r#"Invalid Provider Definition: In resource a_b, outer: "in" holds nested attributes, which protocol 5 does not have. Make it a block, or serve protocol 6 only. This is a bug in the provider."#]].assert_eq(&found.to_string());
    }
}
