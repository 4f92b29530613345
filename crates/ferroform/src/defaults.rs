//! Defaults from functions and environment variables: the values of `#[attr(default_with = …)]`.
//!
//! A default is a function that returns an optional value, or [`env()`]. It is evaluated at each use: in validation, in
//! planning, in reads of data sources, and in the configuration of the provider. During apply, the planned value is
//! used. If a default changes between plan and apply, for example because apply runs in another environment, Terraform
//! rejects the apply.

use std::env::VarError;
use std::fmt::Display;
use std::sync::Arc;

use ferroform_value::{Error, Type, Value, convert};

use crate::Attr;

/// A default for an attribute of the type `T`: a function `fn() -> Option<T>` or `fn() -> Result<Option<T>, impl
/// Display>`, or [`env()`].
///
/// ```
/// use ferroform::Model;
///
/// /// The settings of the provider.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Settings {
///     /// The token; by default, the content of a file.
///     #[attr(sensitive, default_with = stored_token)]
///     token: String,
/// }
///
/// fn stored_token() -> Option<String> {
///     std::fs::read_to_string("/etc/example/token").ok()
/// }
/// ```
///
/// `Marker` distinguishes functions from [`Env`] for the compiler.
#[diagnostic::on_unimplemented(
    message = "`default_with` needs a function that returns `Option<{T}>`, or `env`",
    label = "not a default for `{T}`",
    note = "`default_with` takes a `fn() -> Option<{T}>`, a `fn() -> Result<Option<{T}>, impl Display>`, or `ferroform::defaults::env`"
)]
pub trait IntoDefault<T, Marker> {
    /// Evaluates the default. `None` means that there is none.
    ///
    /// # Errors
    ///
    /// The reason why the default cannot be determined.
    fn value(&self) -> Result<Option<T>, Error>;

    /// The environment variables that the default reads, for messages.
    fn names(&self) -> &[Arc<str>] {
        &[]
    }

    /// The string to use if none of the environment variables is set, for descriptions.
    fn fallback(&self) -> Option<&Arc<str>> {
        None
    }
}

/// The results of functions for `default_with`: `Option<T>`, or a `Result` of it.
///
/// ```
/// use ferroform::Model;
///
/// /// A client of an HTTP API.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Client {
///     /// The user; by default, that of the process.
///     #[attr(default_with = user)]
///     user: Option<String>,
///     /// The number of retries; by default, that of the settings file.
///     #[attr(default_with = retries)]
///     retries: Option<u64>,
/// }
///
/// fn user() -> Option<String> {
///     std::env::var("USER").ok()
/// }
///
/// fn retries() -> Result<Option<u64>, std::num::ParseIntError> {
///     let settings = std::fs::read_to_string("/etc/example/retries").ok();
///     settings.map(|it| it.trim().parse()).transpose()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`default_with` needs a function that returns `Option<{T}>`",
    label = "the function returns `{Self}`",
    note = "the function returns `Option<{T}>` or `Result<Option<{T}>, impl Display>`"
)]
pub trait DefaultOutput<T> {
    /// Converts the result of the function.
    ///
    /// # Errors
    ///
    /// The error of the function.
    fn into_default(self) -> Result<Option<T>, Error>;
}

impl<T> DefaultOutput<T> for Option<T> {
    fn into_default(self) -> Result<Option<T>, Error> {
        Ok(self)
    }
}

impl<T, E: Display> DefaultOutput<T> for Result<Option<T>, E> {
    fn into_default(self) -> Result<Option<T>, Error> {
        self.map_err(|error| Error::new(error.to_string()))
    }
}

impl<T, O: DefaultOutput<T>, F: Fn() -> O + Send + Sync + 'static> IntoDefault<T, fn() -> O> for F {
    fn value(&self) -> Result<Option<T>, Error> {
        self().into_default()
    }
}

/// A default from environment variables: see [`env()`].
#[derive(Clone, Debug)]
pub struct Env {
    names: Vec<Arc<str>>,
    otherwise: Option<Arc<str>>,
}

/// A default from the environment variable of that name. An empty variable counts as not set. The string is converted
/// as Terraform converts strings: `"5"` to a number, `"true"` and `"1"` to true.
///
/// ```
/// use ferroform::Model;
/// use ferroform::defaults::env;
///
/// /// The settings of the provider.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Settings {
///     /// Required, in the configuration or in one of two variables.
///     #[attr(sensitive, default_with = env("EXAMPLE_TOKEN").or("TOKEN"))]
///     token: String,
///     /// Always has a value.
///     #[attr(default_with = env("EXAMPLE_REGION").otherwise("eu-west-1"))]
///     region: String,
///     #[attr(default_with = env("EXAMPLE_PORT").otherwise(443))]
///     port: u16,
///     /// Null if neither the configuration nor the variable sets it.
///     #[attr(default_with = env("EXAMPLE_RETRIES"))]
///     retries: Option<u8>,
/// }
/// ```
pub fn env(name: impl Into<Arc<str>>) -> Env {
    Env { names: vec![name.into()], otherwise: None }
}

impl Env {
    /// Reads this variable if the previous ones are not set.
    #[must_use]
    pub fn or(mut self, name: impl Into<Arc<str>>) -> Env {
        self.names.push(name.into());
        self
    }

    /// The value to use if no variable is set, such as `"eu-west-1"`, `5432` or the variant of an enum.
    #[must_use]
    pub fn otherwise(mut self, value: impl Display) -> Env {
        self.otherwise = Some(value.to_string().into());
        self
    }

    /// The value of the first variable that is set, with the name of the variable. If no variable is set, the value of
    /// [`otherwise`](Env::otherwise) with an empty name.
    fn string(&self) -> Result<Option<(&str, String)>, Error> {
        for name in &self.names {
            match std::env::var(&**name) {
                Ok(string) if !string.is_empty() => return Ok(Some((name, string))),
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
        let Some((name, string)) = self.string()? else { return Ok(None) };
        let value = Value::string(string);
        let read = convert::convert(value, &Type::String, &T::ty()).and_then(|it| T::from_value(&it.value));
        // An environment variable often contains a secret, whether the attribute is sensitive or not.
        let read = read.map_err(|error| error.redacted());
        let source =
            if name.is_empty() { "the default".into() } else { format!("the environment variable {name}") };
        read.map(Some).map_err(|error| Error::new(format!("{source} is invalid: {error}")))
    }

    fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    fn fallback(&self) -> Option<&Arc<str>> {
        self.otherwise.as_ref()
    }
}

/// Converts a string from the environment to a type that is only known at run time.
pub(crate) fn convert_env(string: Value, ty: &Type) -> Result<Value, Error> {
    let converted = convert::convert(string, &Type::String, ty);
    converted.map(|it| it.value).map_err(|error| {
        let reason = error.redacted();
        Error::new(format!("the environment variable is invalid: {reason}"))
    })
}
