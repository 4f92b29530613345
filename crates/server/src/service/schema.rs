//! Schemas on the wire, for both protocols.
//!
//! They are written straight from the schema, for the reason that `message` gives. The numbers of the fields are those
//! of `Schema` in `tfplugin6.proto` and `tfplugin5.proto`.

use ferroform_proto::tfplugin6::{StringKind, schema as wire};

use super::message::Message;
use crate::Protocol;
use ferroform_engine::Owner;
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::schema::{Attribute, Block, DescriptionKind, Mode, NestedBlock, Nesting, Schema};
use ferroform_engine::{Diagnostic, Diagnostics};

/// What writes schemas in one protocol.
pub(super) struct Writer<'a> {
    protocol: Protocol,
    /// What the schema belongs to, for what cannot be written.
    owner: Owner<'a>,
    /// The blocks around what is being written.
    inside: Vec<String>,
    /// What could not be written.
    found: &'a mut Diagnostics,
}

impl<'a> Writer<'a> {
    pub(super) fn new(protocol: Protocol, owner: Owner<'a>, found: &'a mut Diagnostics) -> Writer<'a> {
        Writer { protocol, owner, inside: Vec::new(), found }
    }

    /// The message `Schema`.
    pub(super) fn schema(&mut self, schema: &Schema, out: &mut Message) {
        out.number(1, schema.version);
        out.long_message(2, |out| self.block(&schema.block, false, out));
    }

    fn block(&mut self, it: &Block, computed: bool, out: &mut Message) {
        for attribute in &it.attributes {
            self.attribute_in(2, attribute, out);
        }
        for block in &it.blocks {
            out.long_message(3, |out| self.nested_block(block, out));
        }
        out.text(4, &it.description);
        out.number(5, kind(it.description_kind));
        out.flag(6, it.deprecated.is_some());
        out.text(7, it.deprecated.as_deref().unwrap_or_default());
        match self.protocol {
            Protocol::V5 if computed => {
                self.refuse("the provider may write this block, which protocol 5 does not have. Serve")
            }
            Protocol::V5 => {}
            Protocol::V6 => out.flag(8, computed),
        }
    }

    fn nested_block(&mut self, it: &NestedBlock, out: &mut Message) {
        use wire::nested_block::NestingMode;
        out.text(1, &it.name);
        self.inside.push(it.name.to_string());
        out.long_message(2, |out| self.block(&it.block, it.computed, out));
        self.inside.pop();
        let nesting = match it.nesting {
            Nesting::Single => NestingMode::Single,
            Nesting::List => NestingMode::List,
            Nesting::Set => NestingMode::Set,
            Nesting::Map => NestingMode::Map,
        };
        out.number(3, nesting as i64);
        // Of blocks with labels core takes no numbers; the engine counts them.
        let (min, max) = if it.nesting == Nesting::Map { (0, 0) } else { (it.min_items, it.max_items) };
        out.number(4, items(min));
        out.number(5, items(max));
    }

    fn attribute_in(&mut self, field: u64, it: &Attribute, out: &mut Message) {
        // With what else it says; where that is more, it is still written as it should be.
        match it.nested.is_some() || it.name.len() + it.description.len() > 100 {
            true => out.long_message(field, |out| self.attribute(it, out)),
            false => out.message(field, |out| self.attribute(it, out)),
        }
    }

    fn attribute(&mut self, it: &Attribute, out: &mut Message) {
        use wire::object::NestingMode;
        // These two have moved between the protocols.
        let (write_only, deprecation_message) = match self.protocol {
            Protocol::V5 => (10, 11),
            Protocol::V6 => (11, 12),
        };
        out.text(1, &it.name);
        if it.nested.is_none() {
            out.ty(2, &it.ty);
        }
        out.text(3, &it.description);
        // A provider's configuration has nothing computed: what has a default there is optional.
        let is_config = matches!(self.owner, Owner::Provider | Owner::Meta);
        match it.mode {
            Mode::Required => out.flag(4, true),
            Mode::Optional => out.flag(5, true),
            Mode::OptionalComputed if is_config => out.flag(5, true),
            Mode::OptionalComputed => {
                out.flag(5, true);
                out.flag(6, true);
            }
            Mode::Computed => out.flag(6, true),
        }
        out.flag(7, it.sensitive);
        out.number(8, kind(it.description_kind));
        out.flag(9, it.behaviour().deprecated.is_some());
        match &it.nested {
            None => {}
            Some(_) if self.protocol == Protocol::V5 => self.refuse(&format!(
                "\"{}\" holds nested attributes, which protocol 5 does not have. Make it a block, or serve",
                it.name
            )),
            Some(nested) => out.long_message(10, |out| {
                for attribute in &nested.block.attributes {
                    self.attribute_in(1, attribute, out);
                }
                let nesting = match nested.nesting {
                    Nesting::Single => NestingMode::Single,
                    Nesting::List => NestingMode::List,
                    Nesting::Set => NestingMode::Set,
                    Nesting::Map => NestingMode::Map,
                };
                out.number(3, nesting as i64);
            }),
        }
        out.flag(write_only, it.write_only);
        out.text(deprecation_message, it.behaviour().deprecated.as_deref().unwrap_or_default());
    }

    /// What it is that protocol 5 does not have, and what to do about it.
    fn refuse(&mut self, what: &str) {
        let inside: String = self.inside.iter().map(|it| format!(", {it}")).collect();
        let detail =
            format!("In {}{inside}: {what} protocol 6 only. This is a bug in the provider.", self.owner);
        let refused = Diagnostic::error("Invalid provider definition").detail(detail);
        self.found.push(refused.of_kind(DiagnosticKind::ProviderBug));
    }
}

fn kind(it: DescriptionKind) -> i64 {
    match it {
        DescriptionKind::Markdown => StringKind::Markdown as i64,
        DescriptionKind::Plain => StringKind::Plain as i64,
    }
}

/// A number of objects on the wire.
fn items(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use ferroform_proto::{Message as _, tfplugin5, tfplugin6};
    use ferroform_value::Type;

    use super::*;
    use ferroform_engine::schema::Nested;

    fn written(protocol: Protocol, block: Block) -> (Vec<u8>, Diagnostics) {
        let mut found = Diagnostics::new();
        let schema = Schema { version: 300, block };
        let mut out = Message::default();
        Writer::new(protocol, Owner::Resource("a_b"), &mut found).schema(&schema, &mut out);
        (out.written().to_vec(), found)
    }

    fn attribute(name: &str) -> Attribute {
        Attribute::raw(name, Type::list(Type::String)).description("é".repeat(100)).deprecated("later")
    }

    fn full() -> Block {
        let inside =
            Block::new().attribute(attribute("y")).attribute(attribute("x").mode(Mode::OptionalComputed));
        let block = Attribute::raw_nested("block", Nested::set(inside)).min_items(2).max_items(70_000);
        Block::new()
            .description("what")
            .deprecated("no more")
            .attribute(attribute("s").sensitive())
            .attribute(attribute("b").mode(Mode::Optional).write_only())
            .attribute(attribute("c").computed())
            .block(block)
    }

    #[test]
    fn the_generated_messages_read_what_is_written() {
        let (bytes, found) = written(Protocol::V6, full());
        assert!(found.is_empty());
        let six = tfplugin6::Schema::decode(&*bytes).unwrap();
        assert_eq!(six.encode_to_vec(), bytes, "written as the library would");
        let (bytes, found) = written(Protocol::V5, full());
        assert!(found.is_empty());
        let five = tfplugin5::Schema::decode(&*bytes).unwrap();
        assert_eq!(five.encode_to_vec(), bytes, "written as the library would");
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
                                description: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
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
                                description: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
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
                                description: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
                                required: false,
                                optional: false,
                                computed: true,
                                sensitive: false,
                                description_kind: Markdown,
                                deprecated: true,
                                write_only: false,
                                deprecation_message: "later",
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
                                                description: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
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
                                                description: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
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
            }"#]].assert_eq(&format!("{six:#?}"));
    }

    #[test]
    fn nested_attributes_are_refused_by_protocol_5() {
        let nested = Attribute::raw_nested("in", Nested::map(Block::new().attribute(attribute("x"))));
        let block = || Block::new().attribute(nested.clone());
        let (bytes, _) = written(Protocol::V6, block());
        let six = tfplugin6::Schema::decode(&*bytes).unwrap();
        assert_eq!(six.encode_to_vec(), bytes);
        let outer = Attribute::raw_nested("outer", Nested::list(block()));
        let (_, found) = written(Protocol::V5, Block::new().block(outer));
        expect_test::expect![[r#"Invalid provider definition: In resource a_b, outer: "in" holds nested attributes, which protocol 5 does not have. Make it a block, or serve protocol 6 only. This is a bug in the provider."#]].assert_eq(&found.to_string());
    }
}
