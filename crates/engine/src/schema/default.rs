//! What an attribute holds where the configuration leaves it out.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Type, Value};

use crate::Diagnostic;
use crate::panics;

pub(super) type Make = dyn Fn() -> Result<Option<Value>, Error> + Send + Sync;

/// What an attribute holds where the configuration leaves it out. Made anew at each use.
#[derive(Clone)]
pub struct Default {
    /// Makes the value.
    pub make: Arc<Make>,
    /// True where it always has a value, which the configuration alone decides to use.
    pub is_fixed: bool,
    /// True where there must be a value, from wherever.
    pub is_needed: bool,
    /// True where it takes a text from outside, which must be that of a simple type.
    pub is_text: bool,
    /// The type of what a function makes that looks at no text.
    pub ty: Option<fn() -> Type>,
    /// The environment variables that it looks at.
    pub names: Vec<Arc<str>>,
}

impl Default {
    /// The value; null where there is none and none is needed.
    ///
    /// # Errors
    ///
    /// Where there is none but one is needed, or the author's function says what is wrong.
    pub fn value(&self, attribute: &str) -> Result<Value, Diagnostic> {
        match self.made() {
            Ok(Some(value)) => Ok(value),
            Ok(None) if self.is_needed => {
                let given = "required, but no value was given: set it in the configuration";
                let detail = format!("The argument \"{attribute}\" is {given}{}.", self.elsewhere());
                Err(Diagnostic::error("Missing Configuration for Required Attribute").detail(detail))
            }
            Ok(None) => Ok(Value::Null),
            Err(error) => {
                let detail =
                    format!("The argument \"{attribute}\" has no value in the configuration: {error}.");
                Err(Diagnostic::error("Invalid Default").detail(detail))
            }
        }
    }

    /// The value of one that always has the same: others depend on what is around the provider.
    pub fn fixed(&self) -> Option<Value> {
        if self.is_fixed { self.made().ok().flatten() } else { None }
    }

    /// What the author's function makes, which may be called while only the schema is asked for: a panic must not take
    /// the whole provider down.
    fn made(&self) -> Result<Option<Value>, Error> {
        panics::catch_now(|| (self.make)())
            .unwrap_or_else(|panic| Err(Error::new(format!("its default panicked: {panic}"))))
    }

    fn elsewhere(&self) -> String {
        match self.names.as_slice() {
            [] => String::new(),
            [one] => format!(", or set the environment variable {one}"),
            several => format!(", or set one of the environment variables {}", several.join(", ")),
        }
    }
}

impl fmt::Debug for Default {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Default").field("is_fixed", &self.is_fixed).field("names", &self.names).finish()
    }
}
