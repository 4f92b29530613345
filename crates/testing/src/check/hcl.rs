//! Configurations as HCL, for the report of a violation.

use ferroform::schema::{Block, Member, Nesting};
use ferroform::value::{NfcString, Value};
use ferroform_engine::Kind;
use ferroform_engine::value::hcl_string;

use super::target::Link;
use crate::render::{format_key, formatted};

/// The length above which a string is abbreviated.
const MAX_LENGTH: usize = 100;

/// Returns the block of an object, with references instead of the values of links.
pub(super) fn block(
    kind: Kind,
    type_name: &str,
    label: &str,
    schema: &Block,
    config: &Value,
    links: &[Link],
) -> String {
    let keyword = match kind {
        Kind::StateStore => "state_store",
        kind => kind.block_type().unwrap_or_default(),
    };
    let head = match kind {
        Kind::Provider | Kind::StateStore => format!("{keyword} {}", hcl_string(type_name)),
        _ => format!("{keyword} {} {}", hcl_string(type_name), hcl_string(label)),
    };
    let mut text = String::new();
    write_block(&mut text, &head, schema, config, links);
    formatted(&text).trim_end().to_owned()
}

/// Returns a step with a block.
pub(super) fn step(verb: &str, block: &str) -> String {
    format!("{verb}\n  {}", block.replace('\n', "\n  "))
}

/// Writes a block with all values that are set.
fn write_block(text: &mut String, head: &str, schema: &Block, config: &Value, links: &[Link]) {
    *text += &format!("{head} {{\n");
    for member in schema.members() {
        let name = member.name();
        let value = config.as_object().map_or(&Value::Null, |it| it.get_or_null(name));
        let nested = match member {
            _ if member.is_absent(value) => continue,
            Member::Attribute(_) => {
                let link = links.iter().find(|it| it.attribute == *name && it.value == *value);
                *text += &format!("{name} = {}\n", link.map_or_else(|| expression(value), Link::reference));
                continue;
            }
            Member::Block(nested) => nested,
        };
        let mut write = |head: &str, value| write_block(text, head, nested.block(), value, &[]);
        match (nested.nesting(), value) {
            // The number of blocks is unknown.
            (_, Value::Unknown(_)) => {
                *text += &format!("dynamic {} {{\nfor_each = {}\n", hcl_string(name), expression(value));
                write_block(text, "content", nested.block(), &Value::Null, &[]);
                *text += "}\n";
            }
            (Nesting::Single, value) => write(name, value),
            (Nesting::Map, Value::Map(all)) => {
                all.iter().for_each(|(label, it)| write(&format!("{name} {}", hcl_string(label)), it));
            }
            (_, all) => all.elements().for_each(|it| write(name, it)),
        }
    }
    *text += "}\n";
}

/// Returns a value as an expression. Long strings and collections are abbreviated, and `unknown()` stands for an unknown value.
pub(super) fn expression(value: &Value) -> String {
    let list = |all: &mut dyn Iterator<Item = &Value>| {
        let all: Vec<String> = all.map(expression).collect();
        match all.len() {
            0..=12 => format!("[{}]", all.join(", ")),
            count => format!("[{}, … {count} elements]", all[..3].join(", ")),
        }
    };
    let entries = |all: &mut dyn Iterator<Item = (String, &Value)>| {
        let all: Vec<String> = all.map(|(name, it)| format!("{name} = {}", expression(it))).collect();
        match all.len() {
            0 => "{}".to_owned(),
            1..=12 => format!("{{ {} }}", all.join(", ")),
            count => format!("{{ {}, … {count} elements }}", all[..3].join(", ")),
        }
    };
    match value {
        Value::Unknown(_) => "unknown()".to_owned(),
        Value::String(it) if it.len() > MAX_LENGTH => {
            let start: String = it.chars().take(10).collect();
            format!("{} /* … {} bytes */", hcl_string(&start), it.len())
        }
        Value::String(it) => hcl_string(it),
        Value::List(it) | Value::Tuple(it) => list(&mut it.iter()),
        Value::Set(it) => list(&mut it.sorted().into_iter()),
        Value::Map(it) => entries(&mut it.iter().map(|(name, it): (&NfcString, _)| (format_key(name), it))),
        Value::Object(it) => {
            let set = it.iter().filter(|(_, it)| !it.is_null());
            entries(&mut set.map(|(name, it)| (format_key(name), it)))
        }
        Value::Dynamic(it) => expression(&it.value),
        it => it.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use ferroform::schema::{Attribute, Nested};
    use ferroform::value::Type;

    use super::*;

    #[test]
    fn blocks_and_attributes_are_printed_as_hcl() {
        let rule = Block::new().attribute(Attribute::raw("port", Type::Number));
        let schema = Block::new()
            .attribute(Attribute::raw("name", Type::String))
            .attribute(Attribute::raw("tags", Type::map(Type::String)).optional())
            .block(Attribute::raw_nested("rule", Nested::list(rule)));
        let rules = Value::List(vec![
            Value::object([("port", 80.into())]),
            Value::object([("port", Value::UNKNOWN)]),
        ]);
        let config = Value::object([
            ("name", "a".into()),
            ("tags", Value::map([("k", "${x}".into()), ("k.l", "y".into())])),
            ("rule", rules),
        ]);
        let expected = r#"resource "cloud_machine" "a" {
  name = "a"
  tags = { k = "$${x}", "k.l" = "y" }
  rule {
    port = 80
  }
  rule {
    port = unknown()
  }
}"#;
        assert_eq!(block(Kind::Resource, "cloud_machine", "a", &schema, &config, &[]), expected);
        assert_eq!(
            block(Kind::Provider, "cloud", "", &Block::new(), &Value::Null, &[]),
            "provider \"cloud\" {\n}"
        );
    }
}
