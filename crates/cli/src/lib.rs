//! The command line of Ferroform: `cargo ferroform`.
//!
//! | command | purpose |
//! | --- | --- |
//! | `cargo ferroform new` | creates the project of a provider |
//! | `cargo ferroform dev` | builds a provider, and runs Terraform or OpenTofu with it |
//! | `cargo ferroform docs` | generates the documentation of a provider from its schema |
//! | `cargo ferroform generate` | generates models and skeletons of resources from a schema, an API or an example |
//! | `cargo ferroform schema` | prints the schema of a provider, or the changes between two versions |
//! | `cargo ferroform completions` | prints a script for the completion of a shell |
//! | `cargo ferroform dist` | builds, signs and verifies the files of a release |
//!
//! [`run`] runs the program and returns its output:
//!
//! ```
//! let output = cargo_ferroform::run(vec!["new".into(), "--no-such-option".into()], Vec::new());
//! assert_eq!(output.code, 2);
//! ```

mod args;
mod completions;
mod dev;
mod dist;
mod docs;
mod ferroform_source;
mod generate;
mod new;
mod provider_schema;
mod schema;
mod source_address;

use std::ffi::OsString;
use std::io;

use self::args::Command;

/// The output of a command.
#[derive(Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The standard output, possibly with ANSI colors.
    pub stdout: String,
    /// The standard error output, possibly with ANSI colors.
    pub stderr: String,
    /// The exit code: 0; 1 if the command has failed; 2 if the command line is invalid.
    pub code: u8,
}

/// Runs a command with the arguments of the process, without the name of the program, and with its environment.
pub fn run(args: Vec<OsString>, environment: Vec<(OsString, OsString)>) -> Output {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = run_to(args, environment, &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).unwrap_or_default();
    Output { stdout: text(stdout), stderr: text(stderr), code }
}

/// Runs a command as [`run`] does, writes its output to the streams, and returns the exit code. A large output is not
/// held in memory. A stream that is closed, such as a pipe to `head`, is not an error. Any other write error is reported, for
/// example if the disk is full.
pub fn run_to(
    args: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> u8 {
    let (code, result) = match args::parse(args, &environment) {
        Ok(Command::Dev(args)) => dev::run(&args, stdout, stderr),
        Ok(Command::Dist(args)) => dist::run(&args, stdout, stderr),
        Ok(Command::Completions(shell)) => completions::run(shell, args::command(), stdout),
        Ok(Command::New(args)) => new::run(&args, stdout, stderr),
        Ok(Command::Docs(request)) => docs::run(&request, stdout, stderr),
        Ok(Command::Generate(request)) => generate::run(&request, stdout, stderr),
        Ok(Command::Schema(request)) => schema::run(&request, stdout, stderr),
        Err(message) => {
            let code = u8::try_from(message.exit_code()).unwrap_or(2);
            let text = message.render();
            let is_error = message.use_stderr();
            (
                code,
                if is_error { write!(stderr, "{}", text.ansi()) } else { write!(stdout, "{}", text.ansi()) },
            )
        }
    };
    match result.and_then(|()| stdout.flush()) {
        // If the reader has closed the stream, the rest of the output is dropped.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // The stream for errors may be the one that cannot be written.
            let _ = writeln!(stderr, "error: cannot write the output: {error}");
            code.max(1)
        }
        _ => code,
    }
}
