//! The module and the inputs that `vars` evaluates.

use std::ffi::OsString;
use std::path::PathBuf;

/// The module and the inputs to evaluate.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The directory of the module.
    pub directory: PathBuf,
    /// The values and files of the command line, in their order.
    pub options: Vec<Setting>,
    /// The environment. Variables with the prefix `TF_VAR_` are inputs.
    pub environment: Vec<(OsString, OsString)>,
}

/// An input on the command line.
///
/// ```
/// use cargo_ferroform::vars::{Request, Setting};
///
/// let request = Request {
///     directory: "examples/web".into(),
///     options: vec![
///         Setting::File("production.tfvars".into()),
///         Setting::Value { name: "region".to_owned(), value: "eu".to_owned() },
///     ],
///     environment: std::env::vars_os().collect(),
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
