//! The command-line companion of Ferroform.
//!
//! There is one command so far: `vars` shows the values that a module's input variables come to.

mod args;
mod suggest;
pub mod vars;

use std::ffi::OsString;

use self::args::Command;

/// What a command has to say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// For the standard output.
    pub out: String,
    /// For the standard error output.
    pub err: String,
    /// The exit code: 0, 1 where something is wrong with what was read, 2 where the command line is wrong.
    pub code: u8,
}

/// Runs the command that the arguments ask for, which do not include the program's own name.
pub fn run(args: Vec<OsString>, environment: Vec<(OsString, OsString)>) -> Said {
    match args::parse(args) {
        Ok(Command::Print(it)) => Said { out: it, ..Said::default() },
        Ok(Command::Vars { folder, options, json }) => {
            let request = vars::Request { folder, options, environment };
            let answer = vars::answer(&request);
            let out = match (answer.ok, json) {
                (true, true) => answer.to_json(),
                (true, false) => answer.to_text(),
                _ => String::new(),
            };
            Said { out, err: answer.said, code: u8::from(!answer.ok) }
        }
        Err(it) => Said { err: it, code: 2, ..Said::default() },
    }
}
