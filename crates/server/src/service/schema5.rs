//! The differences of schemas in protocol 5, which supports neither nested attributes nor computed blocks.
//!
//! If a schema has either of them, the response to GetSchema is an error with the path of the attribute:
//!
//! ```text
//! In resource cloud_server: "endpoint" is a nested attribute, which protocol 5 does not support. Make it a block or an
//! attribute of an object type, or serve protocol 6 only. This is a bug in the provider; please report it to its authors.
//! ```

use ferroform_engine::contract::provider_bug;
use ferroform_engine::{Diagnostics, Owner};
use ferroform_proto::{tfplugin5, tfplugin6};

use crate::schema_translation::{UnsupportedFeature, schema_to_protocol_5};

/// Translates a schema to protocol 5. Adds an error for each feature that protocol 5 does not support, and explains how to
/// fix it.
pub(super) fn schema(
    owner: Owner<'_>,
    schema: tfplugin6::Schema,
    errors: &mut Diagnostics,
) -> tfplugin5::Schema {
    schema_to_protocol_5(schema, &mut |blocks, unsupported| {
        let blocks: String = blocks.iter().map(|it| format!(", {it}")).collect();
        let problem = match unsupported {
            UnsupportedFeature::ComputedBlock => {
                "protocol 5 does not support computed blocks. Serve".to_owned()
            }
            UnsupportedFeature::NestedAttribute(name) => format!(
                "\"{name}\" is a nested attribute, which protocol 5 does not support. Make it a block or an attribute of \
                 an object type, or serve"
            ),
        };
        let message = format_args!("In {owner}{blocks}: {problem} protocol 6 only");
        errors.push(provider_bug("Invalid Provider Definition", message));
    })
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
        let encode = |protocol, errors: &mut Diagnostics| encode(protocol, owner, &schema, None, errors);
        let six = tfplugin6::Schema::decode(&*encode(Protocol::V6, &mut none)).unwrap();
        let five = wire::Schema::decode(&*encode(Protocol::V5, &mut errors)).unwrap();
        (six, five, errors)
    }

    #[test]
    fn fields_with_the_same_number_in_both_protocols_are_equal() {
        let inside =
            Block::new().attribute(string_attribute("x").with_mode(Mode::OptionalComputed).sensitive());
        let block = Attribute::raw_nested("block", Nested::set(inside)).min_items(2).max_items(70_000);
        let all = [string_attribute("a").description("what"), string_attribute("c").computed()];
        let block = Block::new().description("what").deprecated("no more").with_attributes(all).block(block);
        let (six, five, errors) = in_both(block);
        assert!(errors.is_empty());
        assert_eq!(tfplugin6::Schema::decode(&*five.encode_to_vec()).unwrap(), six);
    }

    #[test]
    fn fields_with_another_number_in_protocol_5_are_converted() {
        let key = string_attribute("key").with_mode(Mode::Optional).write_only().deprecated("later");
        let (_, five, errors) = in_both(Block::new().attribute(key));
        assert!(errors.is_empty());
        let [key] = &five.block.unwrap().attributes[..] else { panic!("one attribute") };
        assert!(key.write_only && key.deprecated);
        assert_eq!(key.deprecation_message, "later");
    }

    #[test]
    fn copied_block_is_an_object_in_protocol_5_only() {
        let inside = Block::new()
            .attribute(string_attribute("x").description("Of a disk."))
            .attribute(string_attribute("y").sensitive());
        let block = Block::new().block(Attribute::raw_nested("disk", Nested::list(inside)));
        let copy = Block::new().with_attributes(block.computed_attributes());
        let (six, five, errors) = in_both(copy);
        assert!(errors.is_empty(), "{errors}");
        let (mut six, mut five) = (six.block.unwrap().attributes, five.block.unwrap().attributes);
        let (six, five) = (six.remove(0), five.remove(0));
        let inside = six.nested_type.unwrap().attributes;
        let described: Vec<_> =
            inside.iter().map(|it| (it.name.as_str(), it.description.as_str(), it.sensitive)).collect();
        assert_eq!(described, [("x", "Of a disk.", false), ("y", "", true)]);
        assert!(!six.sensitive && five.sensitive);
        assert_eq!(&*five.r#type, br#"["list",["object",{"x":"string","y":"string"}]]"#);
    }

    #[test]
    fn nested_attributes_are_an_error_with_their_path() {
        let nested = Attribute::raw_nested("in", Nested::map(Block::new().attribute(string_attribute("x"))));
        let outer = Attribute::raw_nested("outer", Nested::list(Block::new().attribute(nested)));
        let (_, _, errors) = in_both(Block::new().block(outer));
        expect_test::expect![[r#"Invalid Provider Definition: In resource a_b, outer: "in" is a nested attribute, which protocol 5 does not support. Make it a block or an attribute of an object type, or serve protocol 6 only. This is a bug in the provider; please report it to its authors."#]].assert_eq(&errors.to_string());
    }
}
