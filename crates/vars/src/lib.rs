//! `ferroform-vars`: the values of a module's input variables, without Terraform and without providers.
//!
//! [`evaluate`] reads the `variable` blocks of a module and the values that Terraform would assign to them, in its
//! order of precedence. The [`Report`] contains the value of each variable and all diagnostics. [`run`] runs the program
//! with the output streams of the caller. The README describes the program, its options and its differences from Terraform.

mod block;
mod block_json;
mod check;
mod command_line;
mod declaration;
mod diagnostic;
mod document;
mod inputs;
mod locals;
mod module;
mod references;
mod report;
mod request;
mod secrecy;
mod sensitive_parts;
mod source;
mod suggest;
mod target;
mod terraform_names;
mod validation;
mod variable_value;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Range;

use ferroform_lang::body::Variables;
use ferroform_lang::json;

use self::command_line::Command;
use self::diagnostic::{Diagnostic, Severity};
use self::document::Document;
use self::inputs::Origin;
pub use self::report::Report;
pub use self::request::{Request, Setting};
use self::secrecy::Secrecy;
use self::source::Source;
use self::target::Behavior;
pub use self::target::Target;
use self::validation::Validator;
pub use self::variable_value::VariableValue;

/// Runs the program. `args` excludes the name of the program, and `environment` contains the environment variables.
/// Writes the output to the streams, with ANSI colors. A stream that is closed, such as a pipe to `head`, is not an error.
///
/// Returns the exit code: 0 on success, 1 if a declaration or a value is invalid or the output cannot be written, and 2 if
/// the command line is invalid.
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
        Ok(Command::Evaluate(request)) => {
            let report = evaluate(&request);
            let diagnostics = match prints_json {
                true if report.has_diagnostics() => report.diagnostics_json(),
                true => String::new(),
                false => report.styled_diagnostics(),
            };
            let result = stderr.write_all(diagnostics.as_bytes()).and_then(|()| match prints_json {
                _ if !report.is_valid() => Ok(()),
                true => report.write_json(stdout),
                false => report.write_text(stdout),
            });
            (u8::from(!report.is_valid()), result)
        }
        Ok(Command::Completions(shell)) => (0, stdout.write_all(&command_line::completions(shell))),
        Err(message) => {
            let code = u8::try_from(message.exit_code()).unwrap_or(2);
            let text = message.render();
            let result = match message.use_stderr() {
                true if prints_json => {
                    stderr.write_all(report::usage_error_json(&text.to_string()).as_bytes())
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

/// A module and its values in memory, as file names with their contents.
#[derive(Clone, Debug, Default)]
pub struct SourceTexts {
    /// The files of the module.
    pub module: Vec<(String, String)>,
    /// The files of values. A later file takes precedence over an earlier one.
    pub values: Vec<(String, String)>,
}

/// The sources that were read, and the errors of those that could not be read.
#[derive(Default)]
struct Reading {
    /// The files of the module, followed by one source for each of the origins.
    sources: Vec<Source>,
    module: Range<usize>,
    origins: Vec<Origin>,
    /// False if a source of values could not be read.
    is_complete: bool,
    diagnostics: Vec<Diagnostic>,
    target: Option<Target>,
    is_strict: bool,
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
    let (target, is_strict) = (request.target.clone(), request.strict);
    let mut reading = Reading { is_complete: true, target, is_strict, ..Reading::default() };
    match document::files(request) {
        Ok(sources) => reading.sources = sources,
        Err(error) => reading.diagnostics.push(error),
    }
    document::sort(&mut reading.sources);
    reading.module = 0..reading.sources.len();
    for input in inputs::sources(request) {
        match input.source {
            Ok(source) => {
                reading.sources.push(source);
                reading.origins.push(input.origin);
            }
            Err(error) => {
                reading.diagnostics.push(error);
                reading.is_complete = false;
            }
        }
    }
    evaluate_reading(reading)
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
    let source = |(name, text): &(String, String)| Source::new(name.clone(), text.clone());
    let mut sources: Vec<Source> = texts.module.iter().map(source).collect();
    document::retain_module_files(&mut sources, |it| OsStr::new(&it.name), true);
    document::sort(&mut sources);
    let module = 0..sources.len();
    sources.extend(texts.values.iter().map(source));
    let origins = vec![Origin::File; texts.values.len()];
    evaluate_reading(Reading { sources, module, origins, is_complete: true, ..Reading::default() })
}

fn evaluate_reading(reading: Reading) -> Report {
    let Reading { sources, module: files, origins, mut is_complete, mut diagnostics, target, is_strict } =
        reading;
    let (module_sources, inputs) = sources.split_at(files.end);
    let inputs = inputs.iter().zip(&origins).map(|(source, origin)| match origin {
        Origin::File => Document::of_values(source),
        Origin::Environment(_) | Origin::Option(_) => Document::Value,
    });
    let documents: Vec<Document<'_>> = module_sources.iter().map(Document::of_module).chain(inputs).collect();
    is_complete &= !documents[files.end..].iter().any(Document::is_broken);
    let mut module = module::load(&sources, &documents, files.clone());
    diagnostics.append(&mut module.diagnostics);
    let secrecy = Secrecy::of(&sources, &documents, &module, files.clone(), &origins);
    let inputs = inputs::gather(&sources, &documents, (files.end, &origins), &module, &mut diagnostics);
    let constraints = &module.required_version;
    if let Some(target) = target.as_ref().filter(|it| !it.satisfies(constraints)) {
        let detail = format!("The target version {target} does not satisfy the module's required_version.");
        diagnostics.push(Diagnostic::new("Unsupported Terraform Core version", detail, None));
    }
    let has_tofu_files = document::has_tofu_files(&sources[files]);
    let behavior = Behavior::new(target.as_ref(), constraints, has_tofu_files);
    let mut names = Variables::default();
    let variables = check::values(&module, &inputs, is_complete, &mut names, &mut diagnostics);
    let mut validator = Validator {
        module: &module,
        sources: &sources,
        inputs: &inputs,
        valid: check::valid_names(&variables),
        names,
        locals: BTreeSet::new(),
        behavior,
        found: &mut diagnostics,
        unevaluated: 0,
    };
    validator.check_all();
    let unevaluated = validator.unevaluated;
    if is_strict {
        diagnostics.iter_mut().for_each(|it| it.severity = Severity::Error);
    }
    diagnostics.sort_by_key(|it| it.severity);
    drop(inputs);
    drop(module);
    drop(documents);
    Report { variables, diagnostics, sources, secrecy, unevaluated }
}
