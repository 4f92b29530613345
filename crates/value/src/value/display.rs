//! `Display` of values, in one line.

use std::fmt::{self, Write as _};

use super::Value;
use crate::quote::hcl_string;

/// The maximum number of characters of a value in a diagnostic.
const MAX_CHARACTERS: usize = 200;

/// Prints the value in Terraform's syntax, but in one line: `{name = "a", ports = [80, 443]}`. As in a plan, null
/// attributes are omitted and an unknown value is `(known after apply)`. Sets are printed as lists.
///
/// `Display` redacts nothing, so a caller must not print sensitive values.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Unknown(_) => f.write_str("(known after apply)"),
            Value::Bool(it) => write!(f, "{it}"),
            Value::Number(it) => write!(f, "{it}"),
            Value::String(it) => f.write_str(&hcl_string(it)),
            Value::List(it) | Value::Tuple(it) => list(f, it),
            Value::Set(it) => list(f, it.sorted()),
            Value::Map(it) => entries(f, it.iter().map(|(key, it)| (hcl_string(key), it))),
            Value::Object(it) => {
                let set = it.iter().filter(|(_, it)| !it.is_null());
                entries(f, set.map(|(name, it)| (name.to_string(), it)))
            }
            Value::Dynamic(it) => it.value.fmt(f),
        }
    }
}

impl Value {
    /// Returns the value in one line, for a message. A longer value is truncated after 200 characters.
    ///
    /// ```
    /// use ferroform_value::Value;
    ///
    /// assert_eq!(Value::object([("port", 80.into()), ("host", Value::UNKNOWN)]).summary(),
    ///     "{host = (known after apply), port = 80}");
    /// assert_eq!(Value::string("x".repeat(300)).summary().chars().count(), 201);
    /// ```
    pub fn summary(&self) -> String {
        truncated(self.to_string())
    }
}

/// Truncates a string after 200 characters and appends an ellipsis, for messages.
///
/// ```
/// use ferroform_value::truncated;
///
/// assert_eq!(truncated("short".to_owned()), "short");
/// assert_eq!(truncated("x".repeat(300)), format!("{}…", "x".repeat(200)));
/// ```
pub fn truncated(mut string: String) -> String {
    if let Some((end, _)) = string.char_indices().nth(MAX_CHARACTERS) {
        string.truncate(end);
        string.push('…');
    }
    string
}

fn list<'a>(f: &mut fmt::Formatter<'_>, all: impl IntoIterator<Item = &'a Value>) -> fmt::Result {
    f.write_char('[')?;
    for (i, it) in all.into_iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write!(f, "{it}")?;
    }
    f.write_char(']')
}

fn entries<'a>(f: &mut fmt::Formatter<'_>, all: impl Iterator<Item = (String, &'a Value)>) -> fmt::Result {
    f.write_char('{')?;
    for (i, (name, it)) in all.enumerate() {
        write!(f, "{}{name} = {it}", if i > 0 { ", " } else { "" })?;
    }
    f.write_char('}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, Type};

    #[test]
    fn each_kind_of_value_is_printed_in_one_line() {
        let map = Value::map([("b c", Value::Bool(true)), ("a", Value::UNKNOWN)]);
        for (value, printed) in [
            (Value::Null, "null"),
            (Value::Number(Number::from(443)), "443"),
            (Value::string("two\n\"lines\""), r#""two\n\"lines\"""#),
            (Value::string("${a}"), r#""$${a}""#),
            (Value::List(vec!["b".into(), Value::Null]), r#"["b", null]"#),
            (Value::set(["b".into(), "a".into()]), r#"["a", "b"]"#),
            (map, r#"{"a" = (known after apply), "b c" = true}"#),
            (Value::object([("b", Value::Null), ("a", 1.into())]), "{a = 1}"),
            (Value::dynamic(Type::String, "x".into()), r#""x""#),
        ] {
            assert_eq!(value.to_string(), printed);
        }
    }
}
