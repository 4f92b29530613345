//! Values for attributes that the configuration leaves out: what `#[attr(default_with = …)]` takes.
//!
//! A default is a function that answers a value or none, or [`env()`]. It is evaluated at each use: while a
//! configuration is validated, planned and read, and when the provider is configured; never at apply, where the
//! planned value counts. A default that answers something else in the meantime, because it runs in another
//! environment, makes Terraform refuse the apply: nothing is changed by a value that nobody has seen.

use std::env::VarError;
use std::fmt::Display;
use std::sync::Arc;

use ferroform_value::{Error, Type, Value, convert};

use crate::Attr;

/// What `default_with` of an attribute of the type `T` takes: a function that answers a value or none,
/// `fn() -> Option<T>` or `fn() -> Result<Option<T>, impl Display>`, or [`env()`].
///
/// `How` tells them apart for the compiler.
#[diagnostic::on_unimplemented(
    message = "this cannot be the default of a `{T}`",
    label = "not a default for `{T}`",
    note = "`default_with` takes a `fn() -> Option<{T}>`, a `fn() -> Result<Option<{T}>, impl Display>`, or `ferroform::defaults::env`"
)]
pub trait IntoDefault<T, How> {
    /// The value or none, each time anew.
    fn value(&self) -> Result<Option<T>, Error>;

    /// The environment variables that it looks at, for messages.
    fn names(&self) -> &[Arc<str>] {
        &[]
    }
}

/// What a function can answer that gives a default of the type `T`: `Option<T>`, or a `Result` of that.
#[diagnostic::on_unimplemented(
    message = "this cannot be the default of a `{T}`",
    label = "answers `{Self}`",
    note = "a function for `default_with` answers `Option<{T}>` or `Result<Option<{T}>, impl Display>`"
)]
pub trait MethodFuture<T> {
    /// The value or none.
    fn answer(self) -> Result<Option<T>, Error>;
}

impl<T> MethodFuture<T> for Option<T> {
    fn answer(self) -> Result<Option<T>, Error> {
        Ok(self)
    }
}

impl<T, E: Display> MethodFuture<T> for Result<Option<T>, E> {
    fn answer(self) -> Result<Option<T>, Error> {
        self.map_err(|it| Error::new(it.to_string()))
    }
}

impl<T, A: MethodFuture<T>, F: Fn() -> A + Send + Sync + 'static> IntoDefault<T, fn() -> A> for F {
    fn value(&self) -> Result<Option<T>, Error> {
        self().answer()
    }
}

/// A default from the environment: see [`env()`].
#[derive(Clone, Debug)]
pub struct Env {
    names: Vec<Arc<str>>,
    otherwise: Option<Arc<str>>,
}

/// A default from the environment variable of that name. One that is empty counts as not set. The text is
/// converted as Terraform converts a string: `"5"` is a number, `"true"` and `"1"` are true.
///
/// ```
/// use ferroform::Model;
/// use ferroform::defaults::env;
///
/// /// How to reach the service.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Settings {
///     /// Required: in the configuration, or in one of two variables.
///     #[attr(sensitive, default_with = env("EXAMPLE_TOKEN").or("TOKEN"))]
///     token: String,
///     /// Never missing.
///     #[attr(default_with = env("EXAMPLE_REGION").otherwise("eu-west-1"))]
///     region: String,
///     /// Null where neither has it.
///     #[attr(default_with = env("EXAMPLE_RETRIES"))]
///     retries: Option<u8>,
/// }
/// ```
pub fn env(name: impl Into<Arc<str>>) -> Env {
    Env { names: vec![name.into()], otherwise: None }
}

impl Env {
    /// Looks at this variable too, where those before are not set.
    #[must_use]
    pub fn or(mut self, name: impl Into<Arc<str>>) -> Env {
        self.names.push(name.into());
        self
    }

    /// Takes this text where no variable is set.
    #[must_use]
    pub fn otherwise(mut self, text: impl Into<Arc<str>>) -> Env {
        self.otherwise = Some(text.into());
        self
    }

    /// The text of the first variable that is set, with its name.
    fn text(&self) -> Result<Option<(&str, String)>, Error> {
        for name in &self.names {
            match std::env::var(&**name) {
                Ok(text) if !text.is_empty() => return Ok(Some((name, text))),
                Ok(_) | Err(VarError::NotPresent) => {}
                Err(VarError::NotUnicode(_)) => {
                    return Err(Error::new(format!("the environment variable {name} is not UTF-8")));
                }
            }
        }
        Ok(self.otherwise.as_ref().map(|it| ("", it.to_string())))
    }
}

impl<T: Attr> IntoDefault<T, Env> for Env {
    fn value(&self) -> Result<Option<T>, Error> {
        let Some((name, text)) = self.text()? else { return Ok(None) };
        let value = Value::string(text);
        let read = convert::convert(value, &Type::String, &T::ty()).and_then(|it| T::from_value(&it.value));
        // What stands in an environment variable is often a secret, whatever the attribute is.
        let read = read.map_err(|it| it.redacted());
        let whose =
            if name.is_empty() { "the default".into() } else { format!("the environment variable {name}") };
        read.map(Some).map_err(|it| Error::new(format!("{whose} is wrong: {it}")))
    }

    fn names(&self) -> &[Arc<str>] {
        &self.names
    }
}

/// A text from the environment as a value of a type that is known at run time only.
pub(crate) fn converted(text: Value, ty: &Type) -> Result<Value, Error> {
    let made = convert::convert(text, &Type::String, ty);
    made.map(|it| it.value).map_err(|it| {
        let why = it.redacted();
        Error::new(format!("what stands in the environment is wrong: {why}"))
    })
}
