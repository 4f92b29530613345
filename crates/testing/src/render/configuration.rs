//! Prints configurations of imported objects, as `terraform plan -generate-config-out` does.

use ferroform::schema::{Attribute, Block, Member, Mode, Nesting};
use ferroform::value::{Value, json};
use ferroform_engine::value::hcl_string;

/// Prints a `resource` block for the state of an object. `provider` is the value of the argument `provider`.
pub(crate) fn configuration(
    (type_name, name): (&str, &str),
    provider: Option<&str>,
    schema: &Block,
    state: &Value,
) -> String {
    let mut text = format!("resource {} {} {{\n", hcl_string(type_name), hcl_string(name));
    if let Some(provider) = provider {
        text += &format!("provider = {provider}\n");
    }
    // A provider of the legacy SDK declares an attribute for the ID that cannot be set.
    let is_id = |it: &Attribute| &**it.name() == "id" && it.mode() == Mode::OptionalComputed;
    attributes(&mut text, schema, state, is_id);
    blocks(&mut text, schema, state);
    formatted(&(text + "}\n")).trim_end().to_owned()
}

/// Writes the attributes that a configuration can set, sorted by name.
fn attributes(text: &mut String, schema: &Block, state: &Value, is_excluded: impl Fn(&Attribute) -> bool) {
    let Value::Object(object) = state else { return };
    let is_generated = |it: &&Attribute| {
        it.mode() != Mode::Computed && it.behavior().deprecated.is_none() && !is_excluded(it)
    };
    let mut attributes: Vec<&Attribute> = schema.attributes().iter().filter(is_generated).collect();
    attributes.sort_by_key(|it| it.name());
    for it in attributes {
        let value = object.get_or_null(it.name());
        *text += &format!("{} = ", it.name());
        match it.nested() {
            Some(nested) if it.is_sensitive() => {
                let is_list = matches!(nested.nesting(), Nesting::List | Nesting::Set);
                *text += if is_list { "[] # sensitive" } else { "{} # sensitive" };
            }
            Some(nested) => nested_value(text, nested.nesting(), nested.block(), value),
            None if it.is_sensitive() => *text += "null # sensitive",
            // A provider of the legacy SDK stores an empty string for an omitted value.
            None if it.mode() != Mode::Required && value.as_str() == Some("") => *text += "null",
            None => attribute_value(text, value),
        }
        *text += "\n";
    }
}

/// Writes the value of a nested attribute.
fn nested_value(text: &mut String, nesting: Nesting, schema: &Block, value: &Value) {
    let object = |text: &mut String, it: &Value| {
        *text += "{\n";
        attributes(text, schema, it, |_| false);
        *text += "}";
    };
    match (nesting, value) {
        (_, Value::Null) => *text += "null",
        (Nesting::Single, one) => object(text, one),
        (Nesting::Map, Value::Map(all)) => {
            *text += "{\n";
            for (key, it) in all {
                *text += &format!("{} = ", format_key(key));
                object(text, it);
                *text += "\n";
            }
            *text += "}";
        }
        (_, all) => {
            *text += "[\n";
            for it in all.elements() {
                object(text, it);
                *text += ",\n";
            }
            *text += "]";
        }
    }
}

/// Writes the blocks, sorted by name.
fn blocks(text: &mut String, schema: &Block, state: &Value) {
    let Value::Object(object) = state else { return };
    let blocks = schema.members().filter_map(|it| match it {
        Member::Block(it) if it.block().deprecation().is_none() => Some(it),
        _ => None,
    });
    let mut blocks: Vec<_> = blocks.collect();
    blocks.sort_by_key(|it| it.name());
    for nested in blocks {
        let (name, value) = (nested.name(), object.get_or_null(nested.name()));
        let mut block = |label: String, content: &Value| {
            *text += &format!("{name}{label} {{\n");
            attributes(text, nested.block(), content, |_| false);
            self::blocks(text, nested.block(), content);
            *text += "}\n";
        };
        match (nested.nesting(), value) {
            (_, Value::Null) => {}
            (Nesting::Single, one) => block(String::new(), one),
            (Nesting::Map, Value::Map(all)) => {
                all.iter().for_each(|(label, it)| block(format!(" {}", hcl_string(label)), it));
            }
            (_, all) => all.elements().for_each(|it| block(String::new(), it)),
        }
    }
}

/// Writes the value of an attribute. A string with a JSON array or object becomes a call of `jsonencode`.
fn attribute_value(text: &mut String, value: &Value) {
    let decoded = value.as_str().filter(|it| it.trim_start().starts_with(['[', '{']));
    match decoded.and_then(|it| json::decode_simple(it.as_bytes()).ok()) {
        Some(it) => {
            *text += "jsonencode(";
            expression(text, &it);
            *text += ")";
        }
        None => expression(text, value),
    }
}

fn expression(text: &mut String, value: &Value) {
    match value {
        Value::String(it) => *text += &hcl_string(it),
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => {
            *text += "[";
            for (index, it) in value.elements().enumerate() {
                *text += if index == 0 { "" } else { ", " };
                expression(text, it);
            }
            *text += "]";
        }
        Value::Map(it) => object(text, it.iter().map(|(key, it)| (&**key, it))),
        Value::Object(it) => object(text, it.iter().map(|(name, it)| (&**name, it))),
        Value::Dynamic(it) => expression(text, &it.value),
        // A null, a bool or a number.
        it => *text += &it.to_string(),
    }
}

fn object<'v>(text: &mut String, entries: impl Iterator<Item = (&'v str, &'v Value)>) {
    *text += "{";
    for (index, (name, it)) in entries.enumerate() {
        *text += if index == 0 { "\n" } else { "" };
        *text += &format!("{} = ", format_key(name));
        expression(text, it);
        *text += "\n";
    }
    *text += "}";
}

/// The key of a map or the name of an attribute, in quotes if it is not an identifier.
pub(crate) fn format_key(name: &str) -> String {
    if ferroform_lang::is_identifier(name) { name.to_owned() } else { hcl_string(name) }
}

/// A line without its indentation.
struct Line<'t> {
    indentation: usize,
    lead: &'t str,
    /// The equal sign with the value, if the value ends on this line.
    assign: Option<&'t str>,
    comment: Option<&'t str>,
}

/// Indents the lines and aligns equal signs and comments, as `terraform fmt` does.
pub(crate) fn formatted(text: &str) -> String {
    let mut open: Vec<usize> = Vec::new();
    let lines: Vec<Line<'_>> = text.lines().map(|it| line(it, &mut open)).collect();
    let columns = |it: &Line<'_>| it.indentation + it.lead.chars().count();
    let assigns = aligned(lines.iter().map(|it| it.assign.map(|_| columns(it))));
    let with_assign: Vec<String> = lines
        .iter()
        .zip(&assigns)
        .map(|(it, column)| {
            let lead = format!("{:1$}{2}", "", it.indentation, it.lead);
            it.assign.map_or(lead.clone(), |assign| format!("{lead:column$}{assign}"))
        })
        .collect();
    let width = |index: usize| with_assign[index].chars().count();
    let comments = aligned(lines.iter().enumerate().map(|(index, it)| it.comment.map(|_| width(index))));
    let all = lines.iter().zip(&with_assign).zip(&comments);
    all.map(|((line, text), column)| match line.comment {
        Some(comment) => format!("{text:column$}{comment}\n"),
        None => format!("{text}\n"),
    })
    .collect()
}

/// The column of each cell after text of these widths. Cells of adjacent lines have the same column.
fn aligned(widths: impl Iterator<Item = Option<usize>>) -> Vec<usize> {
    let widths: Vec<Option<usize>> = widths.collect();
    let chains = widths.chunk_by(|a, b| a.is_some() == b.is_some());
    chains
        .flat_map(|chain| {
            let widest = chain.iter().flatten().max().copied().unwrap_or_default();
            std::iter::repeat_n(widest + 1, chain.len())
        })
        .collect()
}

/// Splits a line. `open` contains the number of brackets that each enclosing line has opened.
fn line<'t>(text: &'t str, open: &mut Vec<usize>) -> Line<'t> {
    let (mut is_string, mut is_escaped) = (false, false);
    let (mut equal, mut comment) = (None, text.len());
    let (mut change, mut change_before_equal) = (0_isize, 0);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_string => {
                is_string = character != '"' || is_escaped;
                is_escaped = character == '\\' && !is_escaped;
            }
            '"' => is_string = true,
            '[' | '{' | '(' => change += 1,
            ']' | '}' | ')' => change -= 1,
            '=' if equal.is_none() => (equal, change_before_equal) = (Some(at), change),
            '#' => {
                comment = at;
                break;
            }
            _ => {}
        }
    }
    let mut closed = usize::try_from(-change).unwrap_or_default();
    while let Some(last) = open.last_mut().filter(|_| closed > 0) {
        let count = closed.min(*last);
        closed -= count;
        *last -= count;
        if *last == 0 {
            open.pop();
        }
    }
    let indentation = 2 * open.len();
    if let Ok(opened @ 1..) = usize::try_from(change) {
        open.push(opened);
    }
    let code = text[..comment].trim_end();
    let equal = equal.filter(|_| change == change_before_equal);
    Line {
        indentation,
        lead: equal.map_or(code, |at| code[..at].trim_end()),
        assign: equal.map(|at| &code[at..]),
        comment: (comment < text.len()).then(|| &text[comment..]),
    }
}

#[cfg(test)]
mod tests {
    use ferroform::schema::Nested;
    use ferroform::value::Type;

    use super::*;

    #[test]
    fn configuration_contains_all_arguments() {
        let part = Block::new()
            .attribute(Attribute::raw("size", Type::Number))
            .attribute(Attribute::raw("key", Type::String).optional().sensitive());
        let schema = Block::new()
            .attribute(Attribute::raw("name", Type::String))
            .attribute(Attribute::raw("tags", Type::map(Type::String)))
            .attribute(Attribute::raw("omitted", Type::String).optional())
            .attribute(Attribute::raw("policy", Type::String).optional())
            .block(Attribute::raw_nested("part", Nested::list(part)));
        let config = Value::object([
            ("name", Value::string("a ${b} = {\n")),
            ("tags", Value::map([("k.l", Value::string("v"))])),
            ("omitted", Value::Null),
            ("policy", Value::string(r#"[{"a":1},{"bc":[]}]"#)),
            (
                "part",
                Value::List(vec![
                    Value::object([("size", 1.into()), ("key", Value::Null)]),
                    Value::object([("size", 2.into()), ("key", Value::Null)]),
                ]),
            ),
        ]);
        let expected = r#"resource "cloud_disk" "a" {
  provider = cloud.west
  name     = "a $${b} = {\n"
  omitted  = null
  policy = jsonencode([{
    a = 1
    }, {
    bc = []
  }])
  tags = {
    "k.l" = "v"
  }
  part {
    key  = null # sensitive
    size = 1
  }
  part {
    key  = null # sensitive
    size = 2
  }
}"#;
        let names = ("cloud_disk", "a");
        assert_eq!(configuration(names, Some("cloud.west"), &schema, &config), expected);
    }
}
