//! The answer as it is printed.

use std::fmt::Write;

use ferroform_lang::console;
use ferroform_value::{Value, json};

use super::{Answer, Shown};

impl Shown {
    /// The value as the console shows it, or what it shows instead.
    pub fn to_text(&self) -> String {
        if self.sensitive {
            console::SENSITIVE.to_owned()
        } else if self.ephemeral {
            console::EPHEMERAL.to_owned()
        } else {
            console::show(&self.value)
        }
    }
}

impl Answer {
    /// `name = value`, each on a line of its own at least.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for it in &self.variables {
            let _ = writeln!(out, "{} = {}", it.name, it.to_text());
        }
        out
    }

    /// An object of the variables, with their types, and their values where these may be seen.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        for (i, it) in self.variables.iter().enumerate() {
            let name = plain(&Value::string(&it.name));
            let _ = write!(out, "{}\n  {name}: {{", if i > 0 { "," } else { "" });
            let _ = write!(out, "\"type\": {}", json::type_to_string(&it.value.ty));
            if it.ephemeral {
                out.push_str(", \"ephemeral\": true");
            }
            let _ = write!(out, ", \"sensitive\": {}", it.sensitive);
            if !it.sensitive && !it.ephemeral {
                let _ = write!(out, ", \"value\": {}", plain(&it.value.value));
            }
            out.push('}');
        }
        out.push_str(if self.variables.is_empty() { "}\n" } else { "\n}\n" });
        out
    }
}

/// A value as JSON. What JSON has not, an infinite number, is null.
fn plain(it: &Value) -> String {
    let bytes = json::encode_simple(it).unwrap_or_else(|_| b"null".to_vec());
    String::from_utf8_lossy(&bytes).into_owned()
}
