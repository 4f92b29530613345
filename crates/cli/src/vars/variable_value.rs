//! The value of a variable.

use std::sync::Arc;

use ferroform_lang::console;
use ferroform_value::{Type, Typed, Value};

/// A variable and its value.
///
/// The value can be read only if the variable is neither sensitive nor ephemeral.
///
/// ```
/// use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
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
    value: Typed,
    pub(super) is_sensitive: bool,
    pub(super) is_ephemeral: bool,
}

impl VariableValue {
    pub(super) fn new(name: &str, value: Typed, is_sensitive: bool, is_ephemeral: bool) -> VariableValue {
        VariableValue { name: name.into(), value, is_sensitive, is_ephemeral }
    }

    /// Returns the name of the variable.
    pub fn name(&self) -> &str {
        &self.name
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
        if self.is_sensitive {
            console::SENSITIVE.to_owned()
        } else if self.is_ephemeral {
            console::EPHEMERAL.to_owned()
        } else {
            console::show(&self.value)
        }
    }
}
