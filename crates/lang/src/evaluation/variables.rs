//! The values of `var.…` and `local.…`.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform_value::Typed;

use crate::diagnostic::{Range, Reason, SourceError};

/// The values of `var.…` and `local.…`.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    values: BTreeMap<Arc<str>, Arc<Typed>>,
    locals: BTreeMap<Arc<str>, Arc<Typed>>,
    has_unknown: bool,
}

impl Variables {
    /// Sets the value of a variable. It can be unknown, or contain unknown values.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<Typed>>) {
        let value = value.into();
        self.has_unknown |= !value.value.is_wholly_known();
        self.values.insert(name.into(), value);
    }

    /// Sets a local value. It can be unknown, or contain unknown values.
    pub fn set_local(&mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<Typed>>) {
        let value = value.into();
        self.has_unknown |= !value.value.is_wholly_known();
        self.locals.insert(name.into(), value);
    }

    /// Returns true if a value is unknown or contains an unknown value.
    pub(crate) fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// Returns the value of a variable.
    pub fn value(&self, name: &str) -> Option<&Arc<Typed>> {
        self.values.get(name)
    }

    /// Returns true if the name has a value.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Returns the value of `var.name` or `local.name`. `at` is the position of the reference.
    pub(crate) fn get(&self, root: &str, name: &str, at: &Range) -> Result<&Typed, SourceError> {
        let is_variable = root == "var";
        let found = if is_variable { self.values.get(name) } else { self.locals.get(name) };
        found.map(|it| &**it).ok_or_else(|| {
            let reason = match is_variable {
                true => Reason::Variable(name.to_owned()),
                false => Reason::Reference(format!("{root}.{name}")),
            };
            let detail = format!("The value of {root}.{name} is not known.");
            SourceError::undetermined("Unknown value", at.clone(), detail, reason)
        })
    }
}
