//! The generated configurations of imported objects, as `terraform plan -generate-config-out` writes them.

use ferroform::schema::{Block, Member, Nesting};
use ferroform::value::Value;
use ferroform_engine::value::write_hcl_string;

/// Returns a `resource` block with the arguments and nested blocks that are set.
pub(crate) fn resource(kind: &str, name: &str, schema: &Block, config: &Value) -> String {
    let mut text = format!("resource {} {} {{\n", quoted(kind), quoted(name));
    body(schema, config, 1, &mut text);
    text + "}\n"
}

fn body(schema: &Block, config: &Value, depth: usize, text: &mut String) {
    let Value::Object(object) = config else { return };
    let indent = "  ".repeat(depth);
    for member in schema.members() {
        let (name, value) = (member.name(), object.get_or_null(member.name()));
        if member.is_absent(value) {
            continue;
        }
        let Member::Block(block) = member else {
            *text += &format!("{indent}{name} = {}\n", expression(value, depth));
            continue;
        };
        let blocks: Vec<(String, &Value)> = match (block.nesting(), value) {
            (Nesting::Single, one) => vec![(String::new(), one)],
            (_, Value::Map(all)) => all.iter().map(|(key, it)| (format!(" {}", quoted(key)), it)).collect(),
            (_, all) => all.elements().map(|it| (String::new(), it)).collect(),
        };
        for (label, value) in blocks {
            *text += &format!("{indent}{name}{label} {{\n");
            body(block.block(), value, depth + 1, text);
            *text += &format!("{indent}}}\n");
        }
    }
}

fn expression(value: &Value, depth: usize) -> String {
    let (indent, end) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    let lines = |brackets: [&str; 2], lines: Vec<String>, separator: &str| match lines.is_empty() {
        true => brackets.concat(),
        false => {
            let lines: String = lines.into_iter().map(|it| format!("{indent}{it}{separator}\n")).collect();
            format!("{}\n{lines}{end}{}", brackets[0], brackets[1])
        }
    };
    let list = |elements: &mut dyn Iterator<Item = &Value>| {
        lines(["[", "]"], elements.map(|it| expression(it, depth + 1)).collect(), ",")
    };
    match value {
        Value::String(it) => quoted(it),
        Value::List(it) | Value::Tuple(it) => list(&mut it.iter()),
        Value::Set(it) => list(&mut it.sorted().into_iter()),
        Value::Map(it) => {
            let entries =
                it.iter().map(|(key, it)| format!("{} = {}", quoted(key), expression(it, depth + 1)));
            lines(["{", "}"], entries.collect(), "")
        }
        Value::Object(it) => {
            let entries = it.iter().map(|(name, it)| format!("{name} = {}", expression(it, depth + 1)));
            lines(["{", "}"], entries.collect(), "")
        }
        Value::Dynamic(it) => expression(&it.value, depth),
        Value::Null => "null".to_owned(),
        it => it.to_string(),
    }
}

fn quoted(string: &str) -> String {
    let mut text = String::new();
    write_hcl_string(&mut text, string);
    text
}

#[cfg(test)]
mod tests {
    use ferroform::schema::{Attribute, Nested};
    use ferroform::value::Type;
    use ferroform_lang::body;

    use super::*;

    #[test]
    fn generated_resource_can_be_parsed() {
        let rule = Block::new().attribute(Attribute::raw("port", Type::Number));
        let schema = Block::new()
            .attribute(Attribute::raw("name", Type::String))
            .attribute(Attribute::raw("tags", Type::map(Type::String)).optional())
            .attribute(Attribute::raw("empty", Type::list(Type::String)).optional())
            .block(Attribute::raw_nested("rule", Nested::list(rule)));
        let config = Value::object([
            ("name", "a \"b\" ${c}".into()),
            ("tags", Value::map([("x y", Value::from("1"))])),
            ("empty", Value::List(vec![])),
            ("rule", Value::List(vec![Value::object([("port", 80.into())])])),
        ]);
        let text = resource("cloud_host", "a", &schema, &config);
        let expected = concat!(
            "resource \"cloud_host\" \"a\" {\n",
            "  name = \"a \\\"b\\\" $${c}\"\n",
            "  tags = {\n    \"x y\" = \"1\"\n  }\n",
            "  empty = []\n",
            "  rule {\n    port = 80\n  }\n",
            "}\n",
        );
        assert_eq!(text, expected);
        assert!(body::parse(&text).is_ok());
    }
}
