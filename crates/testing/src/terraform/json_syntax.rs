//! Translates files in JSON syntax, such as `main.tf.json`, to native syntax.
//!
//! ```text
//! {"resource": {"aws_vpc": {"a": {"name": "${var.name}-a", "tag": [{"key": "k"}]}}}}
//!
//! resource "aws_vpc" "a" {
//!   name = "${var.name}-a"
//!   tag = [{ "key" = "k" }]
//! }
//! ```
//!
//! Only the schema determines whether a property of a resource is an argument or a block. All properties are therefore
//! translated to arguments, and [`with_blocks`](super::json_blocks::with_blocks) converts some of them to blocks later.

use std::ops::Range;

use ferroform_engine::value::write_hcl_string;
use ferroform_lang::json::{self, Kind, Member, Node};

/// A translated file: its native syntax, and pairs of positions in the native syntax and in the JSON.
pub(crate) type Translated = (String, Vec<(Range<usize>, Range<usize>)>);

/// An error of a JSON file: its position, summary and detail.
pub(crate) type JsonError = (Range<usize>, &'static str, String);

/// Translates a file to native syntax.
///
/// # Errors
///
/// Returns the first error of the JSON, or of its structure.
pub(crate) fn translate(json: &str) -> Result<Translated, JsonError> {
    let root = json::parse(json).map_err(|(at, detail)| (at, "Invalid JSON", detail))?;
    let mut writer = Writer { json, text: String::new(), positions: Vec::new() };
    writer.write_body(&root, "")?;
    Ok((writer.text, writer.positions))
}

/// Returns the types of the blocks in a block of this type, with the number of their labels. The empty type is the file.
pub(crate) fn nested_blocks(block: &str) -> &'static [(&'static str, usize)] {
    match block {
        "" => &[
            ("resource", 2),
            ("data", 2),
            ("ephemeral", 2),
            ("action", 2),
            ("list", 2),
            ("variable", 1),
            ("output", 1),
            ("module", 1),
            ("provider", 1),
            ("check", 1),
            ("locals", 0),
            ("terraform", 0),
            ("moved", 0),
            ("removed", 0),
            ("import", 0),
        ],
        "resource" | "data" | "ephemeral" | "removed" => {
            &[("lifecycle", 0), ("connection", 0), ("provisioner", 1)]
        }
        "action" | "list" => &[("config", 0), ("lifecycle", 0)],
        "lifecycle" => &[("precondition", 0), ("postcondition", 0), ("action_trigger", 0)],
        "variable" => &[("validation", 0)],
        "output" => &[("precondition", 0)],
        "terraform" => &[("required_providers", 0), ("backend", 1), ("cloud", 0), ("provider_meta", 1)],
        "check" => &[("assert", 0), ("data", 2)],
        _ => &[],
    }
}

/// True if an argument contains references, or a type, instead of a value.
fn is_static(block: &str, argument: &str) -> bool {
    match argument {
        "provider" | "providers" | "depends_on" => block != "terraform",
        "from" | "to" => matches!(block, "moved" | "removed" | "import"),
        "ignore_changes" | "replace_triggered_by" => block == "lifecycle",
        "events" | "actions" => block == "action_trigger",
        "type" => block == "variable",
        _ => false,
    }
}

struct Writer<'j> {
    json: &'j str,
    text: String,
    positions: Vec<(Range<usize>, Range<usize>)>,
}

impl Writer<'_> {
    /// Writes the arguments and blocks of a body.
    fn write_body(&mut self, value: &Node, block: &str) -> Result<(), JsonError> {
        match &value.kind {
            Kind::Array(elements) => elements.iter().try_for_each(|it| self.write_body(it, block)),
            Kind::Object(properties) => {
                // A property of this name is a comment.
                let mut properties = properties.iter().filter(|it| it.name != "//");
                properties.try_for_each(|it| self.write_property(it, block))
            }
            _ => Err(incorrect_type(value, "a JSON object, or an array of objects")),
        }
    }

    /// Writes an argument, or the blocks of this type.
    fn write_property(&mut self, it: &Member, block: &str) -> Result<(), JsonError> {
        let name: &str = &it.name;
        if let Some((_, labels)) = nested_blocks(block).iter().find(|(nested, _)| *nested == name) {
            return self.write_block(it, *labels, &mut Vec::new(), &it.value);
        }
        if block.is_empty() || !ferroform_lang::is_identifier(name) {
            let detail = format!("No argument or block type is named {name:?}.");
            return Err((it.name_at.clone(), "Extraneous JSON object property", detail));
        }
        let start = self.text.len();
        self.text += name;
        self.positions.push((start..self.text.len(), it.name_at.clone()));
        self.text += " = ";
        match is_static(block, name) {
            true => self.write_reference(&it.value),
            // Terraform does not evaluate the arguments of a variable.
            false => self.write_value(&it.value, block == "variable"),
        }
        self.text += "\n";
        Ok(())
    }

    /// Writes the blocks of a property, whose values are nested in an object for each label.
    fn write_block<'n>(
        &mut self,
        property: &Member,
        labels: usize,
        path: &mut Vec<&'n str>,
        value: &'n Node,
    ) -> Result<(), JsonError> {
        match &value.kind {
            Kind::Array(elements) => {
                elements.iter().try_for_each(|it| self.write_block(property, labels, path, it))
            }
            Kind::Null => Ok(()),
            Kind::Object(properties) if path.len() < labels => {
                for it in properties.iter().filter(|it| it.name != "//") {
                    path.push(&it.name);
                    self.write_block(property, labels, path, &it.value)?;
                    path.pop();
                }
                Ok(())
            }
            Kind::Object(_) => {
                let start = self.text.len();
                self.text += &property.name;
                for label in path.iter() {
                    self.text.push(' ');
                    write_hcl_string(&mut self.text, label);
                }
                let opening = value.at.start..value.at.start + 1;
                self.positions.push((start..self.text.len(), opening));
                self.text += " {\n";
                self.write_body(value, &property.name)?;
                self.text += "}\n";
                Ok(())
            }
            _ => Err(incorrect_type(value, "a JSON object, or an array of objects")),
        }
    }

    /// Writes a value. Its strings are templates, unless they are literal.
    fn write_value(&mut self, value: &Node, is_literal: bool) {
        let start = self.text.len();
        match &value.kind {
            Kind::Null => self.text += "null",
            Kind::Bool(it) => self.text += if *it { "true" } else { "false" },
            Kind::Number(_) => self.text += &self.json[value.at.clone()],
            Kind::String(it) if is_literal => write_hcl_string(&mut self.text, it),
            Kind::String(it) => write_template(&mut self.text, it),
            Kind::Array(elements) => {
                self.text.push('[');
                for it in elements {
                    self.write_value(it, is_literal);
                    self.text += ", ";
                }
                self.text.push(']');
            }
            Kind::Object(properties) => {
                self.text.push('{');
                for it in properties {
                    match is_literal {
                        true => write_hcl_string(&mut self.text, &it.name),
                        false => write_template(&mut self.text, &it.name),
                    }
                    self.text += " = ";
                    self.write_value(&it.value, is_literal);
                    self.text += ", ";
                }
                self.text.push('}');
            }
        }
        self.positions.push((start..self.text.len(), value.at.clone()));
    }

    /// Writes references, whose strings are expressions.
    fn write_reference(&mut self, value: &Node) {
        let start = self.text.len();
        match &value.kind {
            Kind::String(it) if !it.contains('\n') => self.text += it,
            Kind::Array(elements) => {
                self.text.push('[');
                for it in elements {
                    self.write_reference(it);
                    self.text += ", ";
                }
                self.text.push(']');
            }
            Kind::Object(properties) => {
                self.text.push('{');
                for it in properties {
                    self.text += &format!("{} = ", it.name);
                    self.write_reference(&it.value);
                    self.text += ", ";
                }
                self.text.push('}');
            }
            _ => return self.write_value(value, true),
        }
        self.positions.push((start..self.text.len(), value.at.clone()));
    }
}

/// The error about a value of another JSON type than the expected one.
fn incorrect_type(value: &Node, expected: &str) -> JsonError {
    (value.at.clone(), "Incorrect JSON value type", format!("This value must be {expected}."))
}

/// Writes the content of a template as a quoted template. Its interpolations remain as they are.
fn write_template(text: &mut String, template: &str) {
    text.push('"');
    let mut rest = template;
    while let Some(character) = rest.chars().next() {
        let length = match rest.get(..3) {
            Some("$${" | "%%{") => 3,
            _ if rest.starts_with("${") || rest.starts_with("%{") => 2 + interpolation_length(&rest[2..]),
            _ => {
                match character {
                    '"' => *text += "\\\"",
                    '\\' => *text += "\\\\",
                    '\n' => *text += "\\n",
                    '\r' => *text += "\\r",
                    it => text.push(it),
                }
                rest = &rest[character.len_utf8()..];
                continue;
            }
        };
        *text += &rest[..length].replace('\n', " ");
        rest = &rest[length..];
    }
    text.push('"');
}

/// Returns the length of an interpolation from its opening brace to its closing brace, without the opening brace.
fn interpolation_length(text: &str) -> usize {
    let mut depth = 1_usize;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        at += 1;
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'"' => at += string_length(&text[at..]),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Returns the length of a string from its opening quote to its closing quote, without the opening quote.
fn string_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            b'$' | b'%' if text[at + 1..].starts_with(['$', '%']) => 2,
            b'$' | b'%' if text[at + 1..].starts_with('{') => 2 + interpolation_length(&text[at + 2..]),
            _ => 1,
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_keep_their_interpolations() {
        for (template, expected) in [
            ("a \"b\"\n", r#""a \"b\"\n""#),
            (r#"${upper("a}${"b"}")}\"#, r#""${upper("a}${"b"}")}\\""#),
            ("$${a} %{ if b }\"%{ endif }", r#""$${a} %{ if b }\"%{ endif }""#),
            ("${a", "\"${a\""),
        ] {
            let mut text = String::new();
            write_template(&mut text, template);
            assert_eq!(text, expected, "{template}");
        }
    }

    #[test]
    fn errors_have_positions() {
        let error = |json: &str| translate(json).unwrap_err();
        assert_eq!(error("{").1, "Invalid JSON");
        assert_eq!(
            (error(r#"{"other": 1}"#).0, error(r#"{"locals": 1}"#).1),
            (1..8, "Incorrect JSON value type")
        );
    }
}
