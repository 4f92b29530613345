//! Masks of log lines: by the name of a field, by regular expressions, and by the schema.
//!
//! | mask | applies to |
//! |---|---|
//! | field | the values of fields with that name |
//! | pattern | every match in the message and in fields |
//! | schema | every occurrence of a sensitive value of the request or of the provider's configuration, except inside a longer value that is not sensitive |

use ferroform_engine::provider::LogMasks;
use ferroform_engine::redaction::log_masks;
use ferroform_value::Value;
use regex_lite::Regex;

/// Replaces masked fields and matches, as in `terraform-plugin-log`.
const MASK: &str = "***";

/// The masks of a provider.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    fields: Vec<String>,
    patterns: Vec<Regex>,
}

impl Masks {
    /// The masks of a provider, whose patterns are valid. From here on, the engine records sensitive values.
    pub(super) fn new(masks: &LogMasks) -> Masks {
        log_masks::enable();
        Masks {
            fields: masks.fields.clone(),
            patterns: masks.patterns.iter().filter_map(|it| Regex::new(it).ok()).collect(),
        }
    }

    /// The value of a field of an event within these spans, without the parts to mask.
    pub(super) fn apply(&self, spans: &[u64], name: &str, value: Value) -> Value {
        if self.fields.iter().any(|it| it == name) {
            return Value::string(MASK);
        }
        match value {
            Value::String(string) => Value::string(self.mask(spans, &string)),
            Value::Number(number) => {
                let string = number.to_string();
                let masked = self.mask(spans, &format!("\"{string}\""));
                // A number is masked as a whole, because a part of a sensitive number may occur in any number.
                match masked == format!("\"{string}\"") {
                    true => Value::Number(number),
                    false => Value::string(MASK),
                }
            }
            other => other,
        }
    }

    fn mask(&self, spans: &[u64], string: &str) -> String {
        let masked = log_masks::mask(spans, string);
        self.patterns.iter().fold(masked, |masked, it| it.replace_all(&masked, MASK).into_owned())
    }
}

/// The error of the first pattern that is not a regular expression.
pub(super) fn pattern_error(masks: &LogMasks) -> Option<String> {
    let error =
        |it: &String| Regex::new(it).err().map(|error| format!("the log mask {it:?} is invalid: {error}"));
    masks.patterns.iter().find_map(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(patterns: &[&str]) -> LogMasks {
        let patterns = patterns.iter().map(|it| (*it).to_owned()).collect();
        LogMasks { fields: vec!["authorization".into()], patterns }
    }

    #[test]
    fn fields_and_patterns_are_masked() {
        let masks = Masks::new(&masks(&["tok-[0-9]+", "pin=[0-9]{4}"]));
        let masked = |name: &str, value: Value| masks.apply(&[], name, value);
        assert_eq!(masked("authorization", Value::string("x")), Value::string("***"));
        assert_eq!(masked("authorization", 5.into()), Value::string("***"));
        assert_eq!(masked("size", 5.into()), 5.into());
        let message = Value::string("tok-12 and tok-3, pin=1234!");
        assert_eq!(masked("message", message), Value::string("*** and ***, ***!"));
    }

    #[test]
    fn invalid_pattern_is_an_error() {
        assert_eq!(pattern_error(&masks(&["a+"])), None);
        let error = pattern_error(&masks(&["a+", "("])).unwrap();
        assert!(error.starts_with("the log mask \"(\" is invalid: "), "{error}");
    }
}
