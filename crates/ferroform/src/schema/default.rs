//! What an attribute holds where the configuration leaves it out.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Type, Value};

use super::{Attribute, Mode, Sight};
use crate::defaults::{self, IntoDefault};
use crate::{Attr, Diagnostic, panics};

type Make = dyn Fn() -> Result<Option<Value>, Error> + Send + Sync;

/// What an attribute holds where the configuration leaves it out. Made anew at each use.
#[derive(Clone)]
pub(crate) struct Default {
    make: Arc<Make>,
    /// True where it always has a value, which the configuration alone decides to use.
    pub(crate) is_fixed: bool,
    /// True where there must be a value, from wherever.
    is_needed: bool,
    /// True where it takes a text from outside, which must be that of a simple type.
    pub(crate) is_text: bool,
    /// The type of what a function makes that looks at no text.
    pub(super) ty: Option<fn() -> Type>,
    /// The environment variables that it looks at.
    names: Vec<Arc<str>>,
}

impl Default {
    /// The value; null where there is none and none is needed.
    ///
    /// # Errors
    ///
    /// Where there is none but one is needed, or the author's function says what is wrong.
    pub(crate) fn value(&self, attribute: &str) -> Result<Value, Diagnostic> {
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
    pub(crate) fn fixed(&self) -> Option<Value> {
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

impl Attribute {
    /// Gives it a value where the configuration does not; evaluated at each use.
    #[must_use]
    pub fn default<T: Attr>(mut self, value: impl Fn() -> T + Send + Sync + 'static) -> Attribute {
        let sight = Sight::of::<T>(&self.ty);
        let make = move || Ok(Some(sight.taken(value().to_value())));
        self.behaviour_mut().default = Some(Default {
            make: Arc::new(make),
            is_fixed: true,
            is_needed: false,
            is_text: false,
            // Its value itself is checked.
            ty: None,
            names: Vec::new(),
        });
        self.mode(Mode::OptionalComputed)
    }

    /// Gives it a value where the configuration does not, or none: a function, or
    /// [`env`](crate::defaults::env()). Evaluated at each use.
    ///
    /// What was required until here is optional then, whatever is around the provider; that neither the
    /// configuration nor the default has a value is an error of its own.
    #[must_use]
    pub fn default_with<T: Attr, How: 'static>(
        mut self,
        default: impl IntoDefault<T, How> + Send + Sync + 'static,
    ) -> Attribute {
        let names = default.names().to_vec();
        let (sight, ty, is_text) = (Sight::of::<T>(&self.ty), self.ty.clone(), !names.is_empty());
        let make = move || {
            let Some(it) = default.value()? else { return Ok(None) };
            let made = sight.taken(it.to_value());
            // A text from the environment stays one where the function's type is any.
            Ok(Some(if is_text && sight.is_any() { defaults::converted(made, &ty)? } else { made }))
        };
        self.behaviour_mut().default = Some(Default {
            is_fixed: false,
            is_needed: self.mode == Mode::Required,
            is_text,
            ty: names.is_empty().then_some(T::ty),
            names,
            make: Arc::new(make),
        });
        self.mode(Mode::OptionalComputed)
    }
}

impl fmt::Debug for Default {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Default").field("is_fixed", &self.is_fixed).field("names", &self.names).finish()
    }
}
