//! The sensitive values that a test has used, to find and redact them in logs and diagnostics.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use ferroform::schema::Block;
use ferroform::value::{NfcString, Path, Value};
use ferroform_engine::redaction::{self, MaskedValues};

/// Sensitive strings, each with the attribute path at which it occurred first.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensitiveValues {
    paths: BTreeMap<String, Path>,
    /// The values that are not sensitive. A message may contain them, with a sensitive string inside.
    visible: BTreeSet<NfcString>,
    /// The strings of `paths`, prepared when the first text is searched.
    prepared: OnceLock<Prepared>,
}

#[derive(Clone, Debug)]
struct Prepared {
    masked: MaskedValues,
    /// The encoded strings, each with the original.
    encoded: Vec<(String, String)>,
}

/// The minimum length of a sensitive string that is searched in other encodings. A shorter one can occur by chance.
const MIN_ENCODED_LENGTH: usize = 8;

impl SensitiveValues {
    /// Records the sensitive strings of an object. Numbers are not recorded: a message about another attribute can
    /// contain the same number.
    pub(crate) fn record(&mut self, block: &Block, value: &Value) {
        redaction::visit_names(block, &mut |it| self.show(it));
        redaction::visit_visible(block, value, &mut |it| {
            if let Value::String(text) = it {
                self.visible.insert(text.clone());
            }
        });
        redaction::visit_sensitive(block, value, &mut |path, it| {
            if let Value::String(text) = it
                && !text.is_empty()
            {
                self.paths.entry(text.to_string()).or_insert_with(|| {
                    self.prepared.take();
                    path.clone()
                });
            }
        });
    }

    /// Records a sensitive string, which is not a value of an object.
    pub(crate) fn hide(&mut self, string: &str, path: Path) {
        self.paths.insert(string.to_owned(), path);
        self.prepared.take();
    }

    /// Records a string that is neither sensitive nor a value of an object, such as an import ID.
    pub(crate) fn show(&mut self, string: &str) {
        self.visible.insert(string.into());
    }

    /// Returns true if the string is the value of an attribute that is not sensitive.
    pub(crate) fn is_visible(&self, string: &str) -> bool {
        self.visible.contains(&NfcString::new(string))
    }

    /// Returns true if there are no sensitive values.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the path of a sensitive value that the text contains in an encoding that the engine masks, for example in
    /// base64. The most frequent encodings are searched without the engine, because its masking is under test.
    pub(crate) fn find_in(&self, text: &str) -> Option<&Path> {
        let is_visible = |secret: &str| self.visible.iter().any(|it| it.contains(secret));
        let encoded = &self.prepared().encoded;
        if let Some((_, secret)) =
            encoded.iter().find(|(it, secret)| text.contains(it) && !is_visible(secret))
        {
            return self.paths.get(secret);
        }
        if self.redact(text) == text {
            return None;
        }
        let contains = |secret: &String| MaskedValues::new([&**secret]).mask(&self.visible, text) != text;
        self.paths.iter().find(|(secret, _)| contains(secret)).map(|(_, path)| path)
    }

    /// Replaces every sensitive value in the text.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.prepared().masked.mask(&self.visible, text)
    }

    fn prepared(&self) -> &Prepared {
        self.prepared.get_or_init(|| {
            let long = self.paths.keys().filter(|it| it.len() >= MIN_ENCODED_LENGTH);
            let encoded = long.flat_map(|secret| {
                let forms = encoded_forms(secret).into_iter().filter(move |it| it != secret);
                forms.map(move |it| (it, secret.clone()))
            });
            Prepared {
                masked: MaskedValues::new(self.paths.keys().map(String::as_str)),
                encoded: encoded.collect(),
            }
        })
    }
}

/// Returns a string in JSON, in JSON as Go writes it, in HTML, in a URL and in base64.
fn encoded_forms(string: &str) -> [String; 6] {
    let json = serde_json::Value::from(string).to_string();
    let json = json[1..json.len() - 1].to_owned();
    let go = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let html = string.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let in_url = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let url = string.bytes().map(in_url).collect();
    [json, go, html, url, STANDARD_NO_PAD.encode(string), URL_SAFE_NO_PAD.encode(string)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_encoded_as_programs_quote_them() {
        let expected = [
            r#"a \"<&>ü?"#,
            r#"a \"\u003c\u0026\u003eü?"#,
            "a &quot;&lt;&amp;&gt;ü?",
            "a%20%22%3C%26%3E%C3%BC%3F",
            "YSAiPCY+w7w/",
            "YSAiPCY-w7w_",
        ];
        assert_eq!(encoded_forms("a \"<&>ü?"), expected);
    }

    #[test]
    fn encoded_value_is_found_unless_a_visible_string_contains_it() {
        let mut values = SensitiveValues::default();
        values.hide("s3cr3t <&>", Path::attribute("password"));
        let message = "db://s3cr3t%20%3C%26%3E@x";
        assert_eq!(values.find_in(message), Some(&Path::attribute("password")));
        values.show("a s3cr3t <&> in a name");
        assert_eq!(values.find_in("db://a%20s3cr3t%20%3C%26%3E%20in%20a%20name@x"), None);
    }
}
