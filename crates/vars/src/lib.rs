//! `ferroform-vars`: the values of a module's input variables, without Terraform and without providers.
//!
//! [`evaluate`] reads the `variable` blocks of a module and the values that Terraform would assign to them, in its
//! order of precedence. The [`Report`] contains the value of each variable and all diagnostics. [`run`] runs the program
//! with the output streams of the caller. The README describes the program, its options and its differences from Terraform.

mod accepted_constants;
mod argument_expression;
mod block;
mod block_json;
mod call;
mod call_check;
mod call_references;
mod call_scope;
mod check_modules;
mod command_line;
mod constraint_node;
mod cursor;
mod declaration;
mod diagnostic;
mod diagnostic_collector;
mod document;
mod evaluation;
mod explain;
mod format;
mod github;
mod input_values;
mod inputs;
mod junit;
mod language_server;
mod locals;
mod module;
mod module_source;
mod redacted_diagnostic;
mod references;
mod report;
mod repository;
mod request;
mod sarif;
mod schema;
mod secrecy;
mod sensitive_parts;
mod source;
mod suggest;
mod table;
mod target;
mod terraform_names;
mod text_output;
mod validation;
mod variable_value;
mod watch;
mod workspace;

use std::ffi::OsString;
use std::io;

use ferroform_lang::json;

pub use self::check_modules::{CheckRequest, Summary, check};
use self::command_line::Command;
pub use self::evaluation::SourceTexts;
use self::evaluation::{LoadedSources, evaluate_loaded};
pub use self::explain::{Change, Explanation, ValidationOutcome};
pub use self::format::Format;
pub use self::report::Report;
pub use self::request::{AsErrors, Request, Setting};
pub use self::schema::{generate_schema, generate_schema_of_sources};
pub use self::target::Target;
pub use self::variable_value::VariableValue;

/// Runs the program. `args` excludes the name of the program, and `environment` contains the environment variables.
/// Writes the output to the streams, with ANSI colors. A stream that is closed, such as a pipe to `head`, is not an error.
/// The language server uses the standard streams of the process instead.
///
/// Returns the exit code: 0 if there are no errors, 1 if there are errors or the output cannot be written, and 2 if the
/// command line is invalid.
///
/// ```
/// let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
/// let code = ferroform_vars::run(vec!["-help".into()], Vec::new(), &mut stdout, &mut stderr);
/// assert_eq!((code, stderr.len()), (0, 0));
/// ```
pub fn run(
    args: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> u8 {
    let prints_json = command_line::has_json_option(&args);
    let (code, result) = match command_line::parse(args, environment) {
        Ok(Command::Evaluate(request, format)) => {
            let report = evaluate(&request);
            let diagnostics = format.write_diagnostics(&report, stdout, stderr);
            let result = diagnostics.and_then(|()| format.write_values(&report, stdout));
            (u8::from(!report.is_valid()), result)
        }
        Ok(Command::Table(request, format, destination)) => {
            let (report, table) = table::run(&request, &destination);
            let diagnostics = format.write_diagnostics(&report, stdout, stderr);
            let result = diagnostics.and_then(|()| stdout.write_all(table.as_bytes()));
            (u8::from(!report.is_valid()), result)
        }
        Ok(Command::Check(request, format, is_repeated)) => {
            let mut is_valid = true;
            let mut run = || {
                let (report, summary, directories) = check_modules::check_files(&request);
                is_valid = report.is_valid();
                match format {
                    // As `terraform validate -json`.
                    Format::Json => stdout.write_all(report.diagnostics_json().as_bytes())?,
                    _ => format.write_diagnostics(&report, stdout, stderr)?,
                }
                if format == Format::Text {
                    writeln!(stdout, "{summary}")?;
                }
                stdout.flush().map(|()| directories)
            };
            let result = if is_repeated { watch::watch(run) } else { run().map(drop) };
            (u8::from(!is_valid), result)
        }
        Ok(Command::LanguageServer(request)) => match language_server::run(*request) {
            Ok(is_shut_down) => (u8::from(!is_shut_down), Ok(())),
            Err(error) => (1, writeln!(stderr, "error: cannot read the messages of the editor: {error}")),
        },
        Ok(Command::Schema(request, format)) => match generate_schema(&request) {
            Ok(document) => (0, stdout.write_all(document.as_bytes())),
            Err(report) => (1, format.write_diagnostics(&report, stdout, stderr)),
        },
        Ok(Command::Completions(shell)) => (0, stdout.write_all(&command_line::generate_completions(shell))),
        Err(message) => {
            let code = u8::try_from(message.exit_code()).unwrap_or(2);
            let text = message.render();
            let result = match message.use_stderr() {
                true if prints_json => {
                    stderr.write_all(report::format_usage_error(&text.to_string()).as_bytes())
                }
                true => write!(stderr, "{}", text.ansi()),
                false => write!(stdout, "{}", text.ansi()),
            };
            (code, result)
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

/// Reads a module and its inputs, and evaluates its variables.
///
/// ```no_run
/// use ferroform_vars::{Request, evaluate};
///
/// let report = evaluate(&Request { directory: "examples/web".into(), ..Request::default() });
/// print!("{}{}", report.diagnostics(), report.to_text());
/// ```
pub fn evaluate(request: &Request) -> Report {
    evaluate_loaded(LoadedSources::load(request))
}

/// Evaluates the variables of a module in memory.
///
/// ```
/// use ferroform_vars::{SourceTexts, evaluate_sources};
///
/// let module = ("main.tf".to_owned(), "variable \"size\" {\n  type = number\n}\n".to_owned());
/// let values = ("terraform.tfvars".to_owned(), "size = \"3\"\n".to_owned());
/// let report = evaluate_sources(&SourceTexts { module: vec![module], values: vec![values] });
/// assert_eq!(report.to_text(), "size = 3\n");
/// ```
pub fn evaluate_sources(texts: &SourceTexts) -> Report {
    evaluate_loaded(texts.into())
}
