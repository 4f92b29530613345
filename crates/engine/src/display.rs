//! A value in one line, as it is written in a configuration.

use ferroform_value::Value;

/// The value as it is written, `{port = 80, tags = ["a"]}`; of one that is long, the beginning.
pub fn print(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    shortened(out)
}

/// So much of a text as is pleasant to read in a message.
pub fn shortened(text: String) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn write(out: &mut String, value: &Value) {
    match value.bare() {
        Value::Null => out.push_str("null"),
        Value::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        Value::Number(it) => out.push_str(&it.to_string()),
        Value::String(it) => out.push_str(&format!("{it:?}")),
        Value::List(it) | Value::Tuple(it) => elements(out, it),
        Value::Set(it) => elements(out, it.sorted()),
        Value::Map(it) => entries(out, it.iter().map(|(key, it)| (format!("{key:?}"), it))),
        Value::Object(it) => entries(out, it.iter().map(|(name, it)| (name.to_string(), it))),
        Value::Unknown(_) | Value::Dynamic(_) => out.push_str("(not known yet)"),
    }
}

fn elements<'a>(out: &mut String, all: impl IntoIterator<Item = &'a Value>) {
    out.push('[');
    for (i, it) in all.into_iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        write(out, it);
    }
    out.push(']');
}

fn entries<'a>(out: &mut String, all: impl Iterator<Item = (String, &'a Value)>) {
    out.push('{');
    for (i, (name, it)) in all.enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        out.push_str(&name);
        out.push_str(" = ");
        write(out, it);
    }
    out.push('}');
}
