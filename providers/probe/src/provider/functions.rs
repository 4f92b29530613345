//! Functions with parameters of every kind.

use ferroform::{
    Diagnostic, Dynamic, Function, Known, Maybe, Model, Parameters, RequestCx, Result, Unknown, path,
};

/// Joins strings with a separator.
#[derive(Parameters)]
pub(super) struct Join {
    /// The separator.
    #[attr(validate = ferroform::validators::length_at_most(3))]
    separator: String,
    /// The strings. Null is skipped.
    #[attr(variadic)]
    items: Vec<Option<String>>,
}

impl Function for Join {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        if let Some(at) = self.items.iter().flatten().position(|it| it.contains(&self.separator)) {
            return Err(Diagnostic::error("it contains the separator").at(path!(items[at])).into());
        }
        Ok(self.items.into_iter().flatten().collect::<Vec<_>>().join(&self.separator))
    }
}

/// The name of a thing, and whether it is known.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Name {
    name: Option<String>,
    known: bool,
}

/// Describes a string that may be null or unknown.
#[derive(Parameters)]
pub(super) struct Describe {
    name: Maybe<Option<String>>,
}

impl Function for Describe {
    type Output = Name;

    async fn call(self, _: &RequestCx) -> Result<Name> {
        Ok(match self.name {
            Known(name) => Name { name, known: true },
            Unknown => Name { name: None, known: false },
        })
    }
}

/// Returns its argument.
#[derive(Parameters)]
pub(super) struct Echo {
    value: Option<Dynamic>,
}

impl Function for Echo {
    type Output = Option<Dynamic>;

    async fn call(self, _: &RequestCx) -> Result<Option<Dynamic>> {
        Ok(self.value)
    }
}

/// Panics.
#[derive(Parameters)]
pub(super) struct Fail {}

impl Function for Fail {
    type Output = bool;

    async fn call(self, _: &RequestCx) -> Result<bool> {
        panic!("the function panics")
    }
}
