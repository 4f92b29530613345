//! Values and types as Terraform's console prints them.
//!
//! ```
//! use ferroform_lang::console;
//! use ferroform_value::{Type, Typed, Value};
//!
//! let ty = Type::object([("tags", Type::list(Type::String)), ("size", Type::Number)]);
//! let value = Value::object([("tags", Value::List(vec!["a".into()])), ("size", Value::Null)]);
//! let it = Typed { ty, value };
//! assert_eq!(
//!     console::show(&it),
//!     "{\n  \"size\" = tonumber(null)\n  \"tags\" = tolist([\n    \"a\",\n  ])\n}"
//! );
//! assert_eq!(
//!     console::show_type(&it.ty),
//!     "object({\n    size: number,\n    tags: list(string),\n})"
//! );
//! ```
//!
//! The output is not always a valid expression for the same value: a string that ends with a line break gets a second
//! one, and comments are lost. Characters that were added after Unicode 14 are printed unchanged, but Terraform
//! escapes them.

use std::io;

use ferroform_value::write_quoted;
use ferroform_value::{Type, Typed, Value};

/// Prints a value as the console does, without a line break at the end.
pub fn show(it: &Typed) -> String {
    let mut out = Vec::new();
    // Writing to a vector cannot fail, and only complete strings are written.
    let _ = write(&mut out, it);
    String::from_utf8(out).unwrap_or_default()
}

/// Writes a value as the console prints it, without a line break at the end. The output of a large value is not held in
/// memory.
///
/// # Errors
///
/// Returns the first error of `out`.
///
/// ```
/// let mut out = Vec::new();
/// ferroform_lang::console::write(&mut out, &ferroform_lang::expression::constant("[1]")?)?;
/// assert_eq!(out, b"[\n  1,\n]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(out: &mut dyn io::Write, it: &Typed) -> io::Result<()> {
    let mut out = Output { text: String::new(), stream: out, result: Ok(()) };
    if it.ty.has_dynamic() {
        // If the value does not conform to its type, the unresolved value is printed.
        let resolved = Typed::resolve(it.value.clone(), &it.ty);
        let it = resolved.as_ref().unwrap_or(it);
        value(&mut out, &it.value, &it.ty, 0);
    } else {
        value(&mut out, &it.value, &it.ty, 0);
    }
    out.flush();
    out.result
}

/// The size of a part of the output that is written at once, in bytes.
const CHUNK: usize = 64 * 1024;

/// Output that is written in large parts.
struct Output<'w> {
    text: String,
    stream: &'w mut dyn io::Write,
    result: io::Result<()>,
}

impl Output<'_> {
    fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push(&mut self, character: char) {
        self.text.push(character);
    }

    fn line(&mut self, indent: usize) {
        if self.text.len() >= CHUNK {
            self.flush();
        }
        line(&mut self.text, indent);
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.stream.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }
}

/// Prints a type as the function `type` of the console does.
pub fn show_type(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty, 0);
    out
}

/// The output of the console for a sensitive value.
pub const SENSITIVE: &str = "(sensitive value)";

/// The output of the console for an ephemeral value.
pub const EPHEMERAL: &str = "(ephemeral value)";

fn value(out: &mut Output<'_>, it: &Value, ty: &Type, indent: usize) {
    let element = ty.element().unwrap_or(&Type::Dynamic);
    match it {
        Value::Unknown(_) => out.push_str("(known after apply)"),
        Value::Null => null(out, ty),
        Value::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        Value::Number(it) => out.push_str(&it.to_string()),
        Value::String(it) => write_string(out, it, indent),
        Value::List(it) => {
            out.push_str("tolist(");
            elements(out, it.iter().map(|it| (it, element)), indent);
            out.push(')');
        }
        Value::Set(it) => {
            out.push_str("toset(");
            elements(out, it.sorted().into_iter().map(|it| (it, element)), indent);
            out.push(')');
        }
        Value::Tuple(it) => {
            let types = if let Type::Tuple(it) = ty { &**it } else { &[] };
            let ty = |i| types.get(i).unwrap_or(&Type::Dynamic);
            elements(out, it.iter().enumerate().map(|(i, it)| (it, ty(i))), indent);
        }
        Value::Map(it) => {
            out.push_str("tomap(");
            entries(out, it.iter().map(|(key, it)| (&**key, it, element)), indent);
            out.push(')');
        }
        Value::Object(it) => {
            let ty = |name: &str| match ty {
                Type::Object(types) => types.get(name).map_or(&Type::Dynamic, |it| &it.ty),
                _ => &Type::Dynamic,
            };
            entries(out, it.iter().map(|(name, it)| (&**name, it, ty(name))), indent);
        }
        Value::Dynamic(it) => value(out, &it.value, &it.ty, indent),
    }
}

fn null(out: &mut Output<'_>, ty: &Type) {
    match ty {
        Type::Dynamic => out.push_str("null"),
        Type::Bool | Type::Number | Type::String => {
            out.push_str("to");
            out.push_str(ty.kind());
            out.push_str("(null)");
        }
        Type::List(it) | Type::Set(it) | Type::Map(it) => {
            out.push_str("to");
            out.push_str(ty.kind());
            out.push_str("(null) /* of ");
            write_type_name(out, it);
            out.push_str(" */");
        }
        Type::Object(_) | Type::Tuple(_) => {
            out.push_str("null /* ");
            out.push_str(ty.kind());
            out.push_str(" */");
        }
    }
}

/// Writes the name of a type without the attributes of an object or the elements of a tuple.
fn write_type_name(out: &mut Output<'_>, mut ty: &Type) {
    while let Some(element) = ty.element() {
        out.push_str(ty.kind());
        out.push_str(" of ");
        ty = element;
    }
    out.push_str(ty.kind());
}

fn line(out: &mut String, indent: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn elements<'a>(
    out: &mut Output<'_>,
    elements: impl ExactSizeIterator<Item = (&'a Value, &'a Type)>,
    indent: usize,
) {
    out.push('[');
    let empty = elements.len() == 0;
    for (it, ty) in elements {
        out.line(indent + 2);
        value(out, it, ty, indent + 2);
        out.push(',');
    }
    if !empty {
        out.line(indent);
    }
    out.push(']');
}

fn entries<'a>(
    out: &mut Output<'_>,
    entries: impl ExactSizeIterator<Item = (&'a str, &'a Value, &'a Type)>,
    indent: usize,
) {
    out.push('{');
    let empty = entries.len() == 0;
    for (key, it, ty) in entries {
        out.line(indent + 2);
        write_string(out, key, indent + 2);
        out.push_str(" = ");
        value(out, it, ty, indent + 2);
    }
    if !empty {
        out.line(indent);
    }
    out.push('}');
}

/// Prints a string in quotes, or as a heredoc if it has several lines.
fn write_string(out: &mut Output<'_>, it: &str, indent: usize) {
    if !it.contains('\n') {
        return write_quoted(&mut out.text, it);
    }
    let mut end = "EOT".to_owned();
    while it.lines().any(|line| line.trim() == end) {
        end.push('_');
    }
    out.push_str(if indent > 0 { "<<-" } else { "<<" });
    out.push_str(&end);
    for it in it.split('\n') {
        out.line(indent);
        out.push_str(it);
    }
    out.line(indent);
    out.push_str(&end);
}

fn write_type(out: &mut String, ty: &Type, indent: usize) {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => out.push_str(ty.kind()),
        Type::List(it) | Type::Set(it) | Type::Map(it) => {
            out.push_str(ty.kind());
            out.push('(');
            // Only element types that span several lines are printed on separate lines.
            if matches!(**it, Type::Object(_) | Type::Tuple(_)) {
                line(out, indent + 4);
                write_type(out, it, indent + 4);
                out.push(',');
                line(out, indent);
            } else {
                write_type(out, it, indent);
            }
            out.push(')');
        }
        Type::Object(it) => {
            out.push_str("object({");
            let attributes = it.attributes();
            for it in attributes {
                line(out, indent + 4);
                out.push_str(&it.name);
                out.push_str(": ");
                write_type(out, &it.ty, indent + 4);
                out.push(',');
            }
            if !attributes.is_empty() {
                line(out, indent);
            }
            out.push_str("})");
        }
        Type::Tuple(it) => {
            out.push_str("tuple([");
            for ty in it.iter() {
                line(out, indent + 4);
                write_type(out, ty, indent + 4);
                out.push(',');
            }
            if !it.is_empty() {
                line(out, indent);
            }
            out.push_str("])");
        }
    }
}
