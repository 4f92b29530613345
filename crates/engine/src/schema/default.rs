//! Defaults: the value of an attribute that the configuration omits.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Type, Value};

use super::description::{DescriptionKind, sentences};
use crate::Diagnostic;
use crate::panics;

pub(super) type ComputeFn = dyn Fn() -> Result<Option<Value>, Error> + Send + Sync;

/// The default of an attribute. It is computed at each use.
///
/// A *static* default (`default`) always has a value, such as `10`. The other defaults (`default_with`) call a function
/// or read environment variables; the provider receives their values as if they were configured.
#[derive(Clone)]
pub struct AttributeDefault {
    /// Computes the value; `None` if there is none.
    pub compute: Arc<ComputeFn>,
    /// True if the default always has the same value.
    pub is_static: bool,
    /// True if the value is a string from the environment, which is converted to the type of the attribute.
    pub from_environment: bool,
    /// The type of the value, if a function computes it.
    pub ty: Option<fn() -> Type>,
    /// The environment variables that are read, in their order.
    pub environment_variables: Vec<Arc<str>>,
    /// The string that is used if none of the environment variables is set.
    pub environment_fallback: Option<Arc<str>>,
}

impl AttributeDefault {
    /// The value of the attribute `name`; null if there is none and none is required.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is required but there is none, or if the function fails.
    pub fn value(&self, name: &str, is_required: bool) -> Result<Value, Diagnostic> {
        match self.computed() {
            Ok(Some(value)) => Ok(value),
            Ok(None) if is_required => {
                let detail = format!(
                    "The argument \"{name}\" is required, but it is not set. Set it in the configuration{}.",
                    self.alternatives()
                );
                Err(Diagnostic::error("Missing Configuration for Required Attribute").detail(detail))
            }
            Ok(None) => Ok(Value::Null),
            Err(error) => {
                let detail = format!(
                    "The argument \"{name}\" is not set in the configuration, and its default is invalid: {error}."
                );
                Err(Diagnostic::error("Invalid Default").detail(detail))
            }
        }
    }

    /// The sentence about the default for the description of its attribute; `None` if a function computes it, if the
    /// value is null, or if the value is sensitive. The names of environment variables are not sensitive.
    pub(super) fn description(&self, kind: DescriptionKind, is_sensitive: bool) -> Option<String> {
        if let Some(value) = self.static_value().filter(|it| !it.is_null() && !is_sensitive) {
            // An expression such as the current time has another value at each use, so no value describes it.
            let is_constant = self.static_value().as_ref() == Some(&value);
            return is_constant.then(|| format!("Defaults to {}.", kind.value(&value)));
        }
        let names: Vec<String> = self.environment_variables.iter().map(|it| kind.code(it)).collect();
        let fallback = self.environment_fallback.as_ref().filter(|_| !is_sensitive);
        let fallback = fallback.map(|it| format!(", or else to {}", kind.value(&Value::string(&**it))));
        let names = match names.as_slice() {
            [] => return None,
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            names => names.concat(),
        };
        Some(format!("Defaults to the environment variable {names}{}.", fallback.unwrap_or_default()))
    }

    /// True if a sentence of a description states the default: it contains the word "default" and the value, or the names of
    /// the environment variables. A string needs no quotation marks, and an empty value can be stated as "empty".
    pub(super) fn is_stated_in(&self, description: &str) -> bool {
        let value = self.static_value();
        let terms: Vec<String> = match &value {
            Some(value) => vec![DescriptionKind::Markdown.value(value).trim_matches('`').trim().to_owned()],
            None => self.environment_variables.iter().map(ToString::to_string).collect(),
        };
        let is_empty = value.is_some_and(|it| is_empty(&it));
        let states = |it: &str| {
            let lowercase = it.to_lowercase();
            lowercase.contains("default")
                && (terms.iter().all(|term| contains_word(it, term))
                    || is_empty && contains_word(&lowercase, "empty"))
        };
        !terms.is_empty() && sentences(description).iter().any(|it| states(it))
    }

    /// The value of a static default.
    pub fn static_value(&self) -> Option<Value> {
        if self.is_static { self.computed().ok().flatten() } else { None }
    }

    /// Calls the function. Defaults are also computed while Terraform asks for schemas, so a panic becomes an error.
    fn computed(&self) -> Result<Option<Value>, Error> {
        panics::catch_sync(|| (self.compute)())
            .unwrap_or_else(|panic| Err(Error::new(format!("the function panicked: {panic}"))))
    }

    fn alternatives(&self) -> String {
        match self.environment_variables.as_slice() {
            [] => String::new(),
            [one] => format!(", or set the environment variable {one}"),
            several => format!(", or set one of the environment variables {}", several.join(", ")),
        }
    }
}

impl fmt::Debug for AttributeDefault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttributeDefault")
            .field("is_static", &self.is_static)
            .field("environment_variables", &self.environment_variables)
            .finish_non_exhaustive()
    }
}

/// True if it is an empty string, list, set or map.
pub(crate) fn is_empty(value: &Value) -> bool {
    value.as_str().is_some_and(str::is_empty) || value.length() == Some(0)
}

/// True if the string contains the word, and not only inside another word.
fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Attribute;

    fn with_default(value: Value, description: &str) -> Attribute {
        let default = AttributeDefault {
            compute: Arc::new(move || Ok(Some(value.clone()))),
            is_static: true,
            from_environment: false,
            ty: None,
            environment_variables: Vec::new(),
            environment_fallback: None,
        };
        Attribute::raw("size", Type::Number).with_default(default).description(description)
    }

    #[test]
    fn default_that_the_description_states_is_not_repeated() {
        let stated = [
            "The size. Defaults to `10`.",
            "The size (default: 10).",
            "The default size is 10 GB. It can grow.",
            "- 10 by default\n- 20 for servers",
        ];
        for description in stated {
            let attribute = with_default(10.into(), description);
            assert_eq!(attribute.full_description(), description);
        }
        let other =
            ["The size.", "The size, at most 10.", "Defaults to 100. At most 10.", "By default 2x10x."];
        for description in other {
            let attribute = with_default(10.into(), description);
            assert_eq!(attribute.full_description(), format!("{description} Defaults to `10`."));
        }
    }

    #[test]
    fn stated_default_can_be_a_string_without_quotation_marks_or_the_word_empty() {
        let empty = [Value::List([].into()), Value::Map([].into()), Value::string("")];
        let cases = [
            (Value::string("tcp"), "The protocol. Defaults to tcp.", true),
            (Value::string("tcp"), "The protocol. Defaults to \"tcp\".", true),
            (Value::string("tcp"), "The protocol. Defaults to `tcp`.", true),
            (Value::string("a`b"), "The protocol. Defaults to a`b.", true),
            (Value::string("tcp"), "The protocol. Defaults to tcp6.", false),
            (Value::string("tcp"), "The protocol. By default empty.", false),
        ];
        let empty = empty.iter().map(|it| (it.clone(), "The ports. By default empty.", true));
        for (value, description, is_stated) in cases.into_iter().chain(empty) {
            for kind in [DescriptionKind::Plain, DescriptionKind::Markdown] {
                let attribute = with_default(value.clone(), "");
                let full = attribute.description_of_kind(description.to_owned(), kind).full_description();
                assert_eq!(full == description, is_stated, "{kind:?}: {full}");
            }
        }
    }
}
