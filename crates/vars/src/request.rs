//! The module and the inputs that `ferroform-vars` evaluates.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::target::Target;

/// The module and the inputs to evaluate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The directory of the module.
    pub directory: PathBuf,
    /// The values and files of the command line, in their order.
    pub options: Vec<Setting>,
    /// The environment. Variables with the prefix `TF_VAR_` are inputs.
    pub environment: Vec<(OsString, OsString)>,
    /// The directory that relative paths of this request refer to. If it is empty, they refer to the working directory
    /// of the process. Diagnostics contain paths relative to this directory, except for the path of a module directory
    /// that cannot be read, which is relative to the working directory of the process.
    pub working_directory: PathBuf,
    /// The version whose behavior applies. `None` selects the latest version that satisfies the module's
    /// `required_version`.
    pub target: Option<Target>,
    /// The warnings and notes that are errors.
    pub as_errors: AsErrors,
    /// True if the report explains the values: [`Report::explanations`](crate::Report::explanations).
    pub explain: bool,
}

/// The warnings and notes that are reported as errors. By default, none are.
///
/// ```
/// use ferroform_vars::{AsErrors, Request};
///
/// let as_errors = AsErrors { undeclared: true, ..AsErrors::default() };
/// let request = Request { directory: "examples/web".into(), as_errors, ..Request::default() };
/// assert_ne!(request.as_errors, AsErrors::ALL);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AsErrors {
    /// Values for undeclared variables, in files and in the environment. On the command line, they always are errors.
    pub undeclared: bool,
    /// Validations and, in the checks of modules, arguments of module calls that are not evaluated.
    pub unevaluated: bool,
    /// All other warnings.
    pub warnings: bool,
}

impl AsErrors {
    /// All warnings and notes, as with `-strict`.
    pub const ALL: AsErrors = AsErrors { undeclared: true, unevaluated: true, warnings: true };
}

impl Request {
    /// Returns the path to open for a path of this request.
    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        match self.working_directory.join(path) {
            it if it.as_os_str().is_empty() => PathBuf::from("."),
            it => it,
        }
    }

    /// Returns a path of this request for messages.
    pub(crate) fn describe(&self, path: &Path) -> String {
        describe(path, &self.working_directory)
    }
}

/// Returns a path for messages: relative to the working directory if the path is below it, `.` if it is the working
/// directory.
pub(crate) fn describe(path: &Path, working_directory: &Path) -> String {
    let described = if path.is_absolute() {
        let current = std::env::current_dir().unwrap_or_default().join(working_directory);
        path.strip_prefix(current).unwrap_or(path)
    } else {
        path
    };
    let without_dots: PathBuf = described.components().filter(|it| *it != Component::CurDir).collect();
    match without_dots.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => without_dots.to_string_lossy().into_owned(),
    }
}

/// An input on the command line.
///
/// ```
/// use ferroform_vars::{Request, Setting};
///
/// let request = Request {
///     directory: "examples/web".into(),
///     options: vec![
///         Setting::File("production.tfvars".into()),
///         Setting::Value { name: "region".to_owned(), value: "eu".to_owned() },
///     ],
///     environment: std::env::vars_os().collect(),
///     ..Request::default()
/// };
/// assert_eq!(request.options.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `-var name=value`
    Value {
        /// The name of the variable.
        name: String,
        /// The value, which is parsed according to the type of the variable.
        value: String,
    },
    /// `-var-file file`
    File(PathBuf),
}
