//! Configurations as HCL, for the report of a violation.

use ferroform::schema::{Block, Nesting};
use ferroform::value::{NfcString, Value};
use ferroform_engine::Kind;
use ferroform_engine::value::write_hcl_string;

/// The length of a line above which a block has several lines.
const MAX_LENGTH: usize = 100;

/// Returns the block of an object: `resource "notes_note" "a" { title = "a" }`.
pub(super) fn block(kind: Kind, type_name: &str, label: &str, schema: &Block, config: &Value) -> String {
    let keyword = kind.block_type().unwrap_or_default();
    let head = match kind {
        Kind::Provider => keyword.to_owned(),
        _ => format!("{keyword} {} {}", quoted(type_name), quoted(label)),
    };
    braces(&head, &entries(schema, config))
}

/// Returns the content of braces, in one line if it fits.
fn braces(head: &str, entries: &[String]) -> String {
    if entries.is_empty() {
        return format!("{head} {{}}");
    }
    let line = format!("{head} {{ {} }}", entries.join(", "));
    if line.len() <= MAX_LENGTH && !line.contains('\n') {
        return line;
    }
    let indented: Vec<String> = entries.iter().map(|it| format!("  {}", it.replace('\n', "\n  "))).collect();
    format!("{head} {{\n{}\n}}", indented.join("\n"))
}

/// Returns the arguments and blocks of a configuration that are set.
fn entries(schema: &Block, config: &Value) -> Vec<String> {
    let Value::Object(object) = config else { return Vec::new() };
    let mut entries = Vec::new();
    for member in schema.members() {
        let value = object.get_or_null(member.name());
        let name = member.name();
        if member.is_absent(value) {
            continue;
        }
        match member {
            ferroform::schema::Member::Attribute(_) => {
                entries.push(format!("{name} = {}", expression(value)))
            }
            ferroform::schema::Member::Block(it) => match (it.nesting(), value) {
                (_, Value::Unknown(_)) => entries.push(format!("{name} {{ … }} # unknown")),
                (Nesting::Single, one) => entries.push(braces(name, &self::entries(it.block(), one))),
                (Nesting::Map, Value::Map(all)) => entries.extend(all.iter().map(|(key, one)| {
                    braces(&format!("{name} {}", quoted(key)), &self::entries(it.block(), one))
                })),
                (_, all) => {
                    entries.extend(all.elements().map(|one| braces(name, &self::entries(it.block(), one))));
                }
            },
        }
    }
    entries
}

/// Returns a value as an expression. A long string is abbreviated, and an unknown value has no expression of its own.
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
            format!("{} /* … {} bytes */", quoted(&start), it.len())
        }
        Value::String(it) => quoted(it),
        Value::List(it) | Value::Tuple(it) => list(&mut it.iter()),
        Value::Set(it) => list(&mut it.sorted().into_iter()),
        Value::Map(it) => entries(&mut it.iter().map(|(key, it): (&NfcString, _)| (quoted(key), it))),
        Value::Object(it) => {
            let set = it.iter().filter(|(_, it)| !it.is_null());
            entries(&mut set.map(|(name, it)| (name.to_string(), it)))
        }
        Value::Dynamic(it) => expression(&it.value),
        it => it.to_string(),
    }
}

fn quoted(string: &str) -> String {
    let mut out = String::new();
    write_hcl_string(&mut out, string);
    out
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
            ("tags", Value::map([("k", "${x}".into())])),
            ("rule", rules),
        ]);
        assert_eq!(
            block(Kind::Resource, "cloud_machine", "a", &schema, &config),
            "resource \"cloud_machine\" \"a\" {\n  name = \"a\"\n  tags = { \"k\" = \"$${x}\" }\n  rule { port = 80 }\n  rule { port = unknown() }\n}"
        );
        let small = Value::object([("name", "a".into())]);
        assert_eq!(
            block(Kind::DataSource, "cloud_machine", "a", &schema, &small),
            "data \"cloud_machine\" \"a\" { name = \"a\" }"
        );
    }
}
