//! Prints configurations of imported objects.

use ferroform::schema::{Block, Member, Nesting};
use ferroform::value::Value;
use ferroform_engine::value::write_hcl_string;

/// Prints a `resource` block with all values that are set.
pub(crate) fn configuration(type_name: &str, name: &str, schema: &Block, config: &Value) -> String {
    block(&format!("resource {} {}", quoted(type_name), quoted(name)), schema, config)
}

fn block(head: &str, schema: &Block, config: &Value) -> String {
    let Value::Object(object) = config else { return format!("{head} {{\n}}") };
    let (mut arguments, mut blocks) = (Vec::new(), Vec::new());
    for member in schema.members() {
        let (name, value) = (member.name(), object.get_or_null(member.name()));
        match member {
            _ if member.is_absent(value) => {}
            Member::Attribute(_) => arguments.push((name.to_string(), expression(value))),
            Member::Block(nested) => match (nested.nesting(), value) {
                (Nesting::Single, one) => blocks.push(block(name, nested.block(), one)),
                (Nesting::Map, Value::Map(all)) => blocks
                    .extend(all.iter().map(|(label, one)| {
                        block(&format!("{name} {}", quoted(label)), nested.block(), one)
                    })),
                (_, all) => blocks.extend(all.elements().map(|one| block(name, nested.block(), one))),
            },
        }
    }
    let content: Vec<String> =
        [assignments(&arguments)].into_iter().chain(blocks).filter(|it| !it.is_empty()).collect();
    format!("{head} {{\n{}\n}}", indented(&content.join("\n\n")))
}

/// Lines with aligned equal signs.
fn assignments(all: &[(String, String)]) -> String {
    let width = all.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let lines: Vec<String> = all.iter().map(|(name, value)| format!("{name:width$} = {value}")).collect();
    lines.join("\n")
}

fn expression(value: &Value) -> String {
    let braces = |entries: Vec<(String, String)>| match entries.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{\n{}\n}}", indented(&assignments(&entries))),
    };
    match value {
        Value::String(it) => quoted(it),
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => {
            format!("[{}]", value.elements().map(expression).collect::<Vec<_>>().join(", "))
        }
        Value::Map(it) => braces(it.iter().map(|(key, it)| (quoted(key), expression(it))).collect()),
        Value::Object(it) => braces(it.iter().map(|(name, it)| (name.to_string(), expression(it))).collect()),
        Value::Dynamic(it) => expression(&it.value),
        // A null, a bool or a number.
        it => it.to_string(),
    }
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    write_hcl_string(&mut quoted, text);
    quoted
}

#[cfg(test)]
mod tests {
    use ferroform::schema::{Attribute, Nested};
    use ferroform::value::Type;

    use super::*;

    #[test]
    fn configuration_contains_all_values() {
        let part = Block::new().attribute(Attribute::raw("size", Type::Number));
        let schema = Block::new()
            .attribute(Attribute::raw("name", Type::String))
            .attribute(Attribute::raw("tags", Type::map(Type::String)))
            .attribute(Attribute::raw("omitted", Type::String).optional())
            .block(Attribute::raw_nested("part", Nested::list(part)));
        let config = Value::object([
            ("name", Value::string("a ${b}\n")),
            ("tags", Value::map([("k.l", Value::string("v"))])),
            ("omitted", Value::Null),
            (
                "part",
                Value::List(vec![Value::object([("size", 1.into())]), Value::object([("size", 2.into())])]),
            ),
        ]);
        let expected = r#"resource "cloud_disk" "a" {
  name = "a $${b}\n"
  tags = {
    "k.l" = "v"
  }

  part {
    size = 1
  }

  part {
    size = 2
  }
}"#;
        assert_eq!(configuration("cloud_disk", "a", &schema, &config), expected);
    }
}
