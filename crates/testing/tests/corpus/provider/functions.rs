//! Functions with parameters of every kind.

use ferroform::{Diagnostic, Dynamic, Function, Maybe, Parameters, RequestCx, Result, path};

/// Joins strings with a separator.
#[derive(Parameters)]
pub(super) struct Join {
    separator: String,
    #[attr(variadic)]
    items: Vec<Option<String>>,
}

impl Function for Join {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Ok(self.items.into_iter().flatten().collect::<Vec<_>>().join(&self.separator))
    }
}

/// Describes the type of any value.
#[derive(Parameters)]
pub(super) struct Describe {
    value: Option<Dynamic>,
}

impl Function for Describe {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Ok(self.value.map_or_else(|| "null".to_owned(), |it| it.ty().to_string()))
    }
}

/// Returns whether its argument is known.
#[derive(Parameters)]
pub(super) struct Known {
    value: Maybe<Option<String>>,
}

impl Function for Known {
    type Output = bool;

    async fn call(self, _: &RequestCx) -> Result<bool> {
        Ok(self.value.is_known())
    }
}

/// Greets somebody, or everybody.
#[derive(Parameters)]
pub(super) struct Greet {
    name: Option<String>,
}

impl Function for Greet {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Ok(format!("Hello, {}", self.name.unwrap_or_else(|| "all".to_owned())))
    }
}

/// Fails at its argument.
#[derive(Parameters)]
pub(super) struct Fail {
    message: String,
}

impl Function for Fail {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Err(Diagnostic::error(self.message).at(path!(message)).into())
    }
}
