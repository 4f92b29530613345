//! The value of a variable.

use std::io;
use std::sync::Arc;

use ferroform_lang::console;
use ferroform_value::{Type, Typed, Value};

use crate::text_output::write_to_string;

/// A variable and its value.
///
/// The value can be read only if the variable is neither sensitive nor ephemeral.
///
/// ```
/// use ferroform_vars::{SourceTexts, evaluate_sources};
///
/// let module = "variable \"token\" {\n  default = \"hunter2\"\n  sensitive = true\n}\nvariable \"size\" {\n  default = 1\n}\n";
/// let module = vec![("main.tf".to_owned(), module.to_owned())];
/// let report = evaluate_sources(&SourceTexts { module, values: Vec::new() });
/// let [size, token] = &*report.variables else { panic!("two variables") };
///
/// assert_eq!((size.name(), size.value()), ("size", Some(&1.into())));
/// assert_eq!((token.name(), token.value()), ("token", None));
/// assert_eq!(token.to_text(), "(sensitive value)");
/// assert_eq!(report.to_json(), r#"{
///   "size": {"type": "number", "sensitive": false, "value": 1},
///   "token": {"type": "string", "sensitive": true}
/// }
/// "#);
/// ```
#[derive(Debug)]
pub struct VariableValue {
    name: Arc<str>,
    /// The value, which the validations share.
    value: Arc<Typed>,
    pub(crate) is_sensitive: bool,
    pub(crate) is_ephemeral: bool,
}

impl VariableValue {
    pub(crate) fn new(name: &str, value: Typed, is_sensitive: bool, is_ephemeral: bool) -> VariableValue {
        VariableValue { name: name.into(), value: Arc::new(value), is_sensitive, is_ephemeral }
    }

    /// Returns the value for the evaluation of validations, even if it is sensitive.
    pub(crate) fn shared(&self) -> Arc<Typed> {
        self.value.clone()
    }

    /// Returns the name of the variable.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value, which may be secret.
    pub(crate) fn typed(&self) -> &Typed {
        &self.value
    }

    /// Returns the type of the value.
    pub fn ty(&self) -> &Type {
        &self.value.ty
    }

    /// Returns the value; `None` if the variable is sensitive or ephemeral.
    pub fn value(&self) -> Option<&Value> {
        (!self.is_sensitive && !self.is_ephemeral).then_some(&self.value.value)
    }

    /// Returns the value as `terraform console` prints it, or `(sensitive value)` or `(ephemeral value)`.
    pub fn to_text(&self) -> String {
        write_to_string(|out| self.write_text(out))
    }

    /// Writes the string that [`VariableValue::to_text`] returns.
    pub(crate) fn write_text(&self, out: &mut dyn io::Write) -> io::Result<()> {
        if self.is_sensitive {
            out.write_all(console::SENSITIVE.as_bytes())
        } else if self.is_ephemeral {
            out.write_all(console::EPHEMERAL.as_bytes())
        } else {
            console::write(out, &self.value)
        }
    }
}
