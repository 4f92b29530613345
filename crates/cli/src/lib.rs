//! The command line of Ferroform: `cargo ferroform`.
//!
//! | command | purpose |
//! | --- | --- |
//! | `cargo ferroform vars` | prints the values of a module's input variables, without Terraform and without providers |
//!
//! The library behind `vars` is the module [`vars`]. [`run`] is the whole program except for its streams:
//!
//! ```
//! let output = cargo_ferroform::run(vec!["vars".into(), "--no-such-option".into()], Vec::new());
//! assert_eq!(output.code, 2);
//! ```

mod args;
mod suggest;
pub mod vars;

use std::ffi::OsString;

use self::args::{Command, Parsed};

/// The output of a command.
#[derive(Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The standard output, possibly with ANSI colors.
    pub stdout: String,
    /// The standard error output, possibly with ANSI colors.
    pub stderr: String,
    /// The exit code: 0; 1 if the module or a value is invalid; 2 if the command line is invalid.
    pub code: u8,
}

/// Runs a command with the arguments of the process, without the name of the program, and with its environment.
pub fn run(args: Vec<OsString>, environment: Vec<(OsString, OsString)>) -> Output {
    match args::parse(args) {
        Parsed::Message(message) => {
            let rendered = message.render().ansi().to_string();
            let code = u8::try_from(message.exit_code()).unwrap_or(2);
            match message.use_stderr() {
                true => Output { stderr: rendered, code, ..Output::default() },
                false => Output { stdout: rendered, code, ..Output::default() },
            }
        }
        Parsed::Command(Command::Vars { directory, options, json }) => {
            let report = vars::evaluate(&vars::Request { directory, options, environment });
            let stdout = match (report.is_valid(), json) {
                (true, true) => report.to_json(),
                (true, false) => report.to_text(),
                (false, _) => String::new(),
            };
            let stderr = match json {
                true if report.has_diagnostics() => report.diagnostics_json(),
                true => String::new(),
                false => report.styled_diagnostics(),
            };
            Output { stdout, stderr, code: u8::from(!report.is_valid()) }
        }
    }
}
