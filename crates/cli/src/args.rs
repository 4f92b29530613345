//! The command line.
//!
//! Terraform's options have one dash (`-var name=value`), those of Cargo have two. Both forms are accepted: options
//! with one dash are rewritten to options with two dashes before the arguments are parsed.
//!
//! ```
//! let output = cargo_ferroform::run(vec!["vars".into(), "-help".into()], Vec::new());
//! assert_eq!(output.code, 0);
//! assert!(output.stdout.contains("--var-file"));
//! ```

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{ArgAction, ValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, value_parser};
use clap_complete::Shell;

use crate::completions;
use crate::dev;
use crate::dist;
use crate::docs;
use crate::generate;
use crate::new;
use crate::schema;
use crate::vars::{Request, Setting, Target};

/// The result of parsing the command line.
#[derive(Debug)]
pub(crate) enum Parsed {
    Command(Command),
    /// The help, the version or an error.
    Message(clap::Error),
}

/// A command with its arguments.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Docs(docs::Request),
    Generate(Box<generate::Request>),
    Schema(schema::Request),
    Vars { request: Request, json: bool },
    Dev(dev::DevArgs),
    Dist(Box<dist::DistArgs>),
    Completions(Shell),
    New(Box<new::NewArgs>),
}

/// The options of the output, which also apply to errors of the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Style {
    /// Diagnostics are JSON.
    pub(crate) json: bool,
    pub(crate) no_color: bool,
}

impl Style {
    /// Finds the options of the output in the arguments, even if other arguments are invalid.
    fn find<'a>(args: impl Iterator<Item = &'a OsString>) -> Style {
        let mut style = Style::default();
        for (option, _) in options(args) {
            style.json |= option == b"json";
            style.no_color |= option == b"no-color";
        }
        style
    }
}

const VARS_AFTER_HELP: &str = "\
Terraform's precedence applies to the values, from lowest to highest: TF_VAR_… in
the environment; terraform.tfvars and terraform.tfvars.json in the directory of
the module; *.auto.tfvars and *.auto.tfvars.json, by name; --var and --var-file, in
the order of the command line. Options may have one dash or two.

Without --target-version, the latest version that the module's required_version admits
determines how || and && are evaluated.

Sensitive and ephemeral values are never printed. With --json, diagnostics have the
format of `terraform validate -json` and are printed to the standard error output.

Examples:
  cargo ferroform vars
  cargo ferroform vars --var region=eu --var-file live.tfvars modules/network
  cargo ferroform vars --strict --json --target-version opentofu-1.10

The exit code is 1 if a declaration or a value is invalid, and 2 if the command line
is invalid.";

/// Parses the arguments of the process, without the name of the program, and the environment that a command uses.
pub(crate) fn parse(args: Vec<OsString>, environment: Vec<(OsString, OsString)>) -> (Parsed, Style) {
    let style = Style::find(args.iter());
    (parse_args(args, environment), style)
}

fn parse_args(args: Vec<OsString>, environment: Vec<(OsString, OsString)>) -> Parsed {
    let mut args = args.into_iter().peekable();
    // `cargo ferroform …` runs `cargo-ferroform ferroform …`.
    args.next_if(|it| it == "ferroform");
    let args: Vec<OsString> = args.collect();
    let rewritten = std::iter::once("cargo ferroform".into()).chain(with_double_dashes(args.iter().cloned()));
    match command().try_get_matches_from(rewritten).and_then(|matches| read(&matches, environment)) {
        Ok(command) => Parsed::Command(command),
        Err(message) => Parsed::Message(with_original_option(message, &args)),
    }
}

/// The error about an unknown option, with the dashes that the user typed.
fn with_original_option(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(original) = option.strip_prefix('-').filter(|it| it.starts_with('-'))
        && args.iter().filter_map(|it| it.to_str()).any(|it| it.split('=').next() == Some(original))
    {
        let original = ContextValue::String(original.to_owned());
        error.insert(ContextKind::InvalidArg, original);
        // The suggestion contains the rewritten option.
        error.remove(ContextKind::Suggested);
    }
    error
}

/// The whole command line.
pub(crate) fn command() -> clap::Command {
    let var = Arg::new("var").long("var").value_name("NAME=VALUE").action(ArgAction::Append);
    let var_file = Arg::new("var-file").long("var-file").value_name("FILE").action(ArgAction::Append);
    let vars = clap::Command::new("vars")
        .about("Print the values of a module's input variables")
        .after_help(VARS_AFTER_HELP)
        .arg(
            Arg::new("directory")
                .value_name("DIRECTORY")
                .help("The directory of the module")
                .default_value(".")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            var.help("Set a variable; can be repeated")
                .allow_hyphen_values(true)
                .value_parser(ValueParser::new(assignment)),
        )
        .arg(
            var_file
                .help("Read values from a file; can be repeated")
                .allow_hyphen_values(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("target-version")
                .long("target-version")
                .value_name("VERSION")
                .help("The version of Terraform or OpenTofu: 1.11, opentofu-1.10")
                .value_parser(ValueParser::new(|it: &str| it.parse::<Target>())),
        )
        .arg(
            Arg::new("strict")
                .long("strict")
                .action(ArgAction::SetTrue)
                .help("Treat warnings and validations that are not evaluated as errors"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON, with types"));
    let chdir = Arg::new("chdir").long("chdir").value_name("DIRECTORY").global(true);
    let no_color = Arg::new("no-color").long("no-color").action(ArgAction::SetTrue).global(true);
    clap::Command::new("cargo ferroform")
        .display_name("cargo-ferroform")
        .bin_name("cargo ferroform")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The command line of Ferroform")
        .subcommand_required(true)
        .arg_required_else_help(false)
        .arg(
            chdir
                .help("Switch to this directory before the command is executed")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(no_color.help("Print no colors"))
        .subcommand(new::command())
        .subcommand(docs::command())
        .subcommand(generate::command())
        .subcommand(schema::command())
        .subcommand(vars)
        .subcommand(dev::command())
        .subcommand(dist::command())
        .subcommand(completions::command())
}

/// Rewrites Terraform's options with one dash, such as `-var name=value`, to options with two dashes.
fn with_double_dashes(args: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let args: Vec<OsString> = args.collect();
    let singles: Vec<usize> = options(args.iter())
        .filter(|(name, _)| name.len() > 1)
        .map(|(_, index)| index)
        .filter(|index| !args[*index].as_encoded_bytes().starts_with(b"--"))
        .collect();
    args.into_iter().enumerate().map(move |(index, arg)| {
        if singles.contains(&index) { [OsStr::new("-"), &arg].into_iter().collect() } else { arg }
    })
}

/// The options whose value can be the next argument.
const WITH_VALUE: [&[u8]; 15] = [
    b"var",
    b"var-file",
    b"target-version",
    b"chdir",
    b"docs-dir",
    b"provider-type",
    b"diff",
    b"fail-on",
    b"provider",
    b"out",
    b"from",
    b"only",
    b"number-type",
    b"git",
    b"path",
];

/// Returns the options without their dashes, with their indices. Values of options and arguments after `--` are not
/// options.
fn options<'a>(args: impl Iterator<Item = &'a OsString>) -> impl Iterator<Item = (&'a [u8], usize)> {
    let (mut is_value, mut only_positional) = (false, false);
    args.enumerate().filter_map(move |(index, arg)| {
        if std::mem::take(&mut is_value) || only_positional {
            return None;
        }
        only_positional = arg == "--";
        let bytes = arg.as_encoded_bytes();
        let name = bytes.strip_prefix(b"--").or_else(|| bytes.strip_prefix(b"-"))?;
        is_value = WITH_VALUE.contains(&name);
        Some((name, index))
    })
}

fn read(matches: &ArgMatches, environment: Vec<(OsString, OsString)>) -> Result<Command, clap::Error> {
    match matches.subcommand() {
        Some(("docs", matches)) => {
            let working_directory = matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default();
            Ok(Command::Docs(docs::read(matches, &working_directory)))
        }
        Some(("generate", matches)) => {
            let working_directory = matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default();
            Ok(Command::Generate(Box::new(generate::read(matches, &working_directory))))
        }
        Some(("schema", matches)) => {
            let working_directory = matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default();
            Ok(Command::Schema(schema::read(matches, &working_directory)))
        }
        Some(("vars", matches)) => {
            let request = Request {
                directory: matches.get_one::<PathBuf>("directory").cloned().unwrap_or_default(),
                options: settings(matches),
                environment,
                working_directory: matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default(),
                target: matches.get_one::<Target>("target-version").cloned(),
                strict: matches.get_flag("strict"),
            };
            Ok(Command::Vars { request, json: matches.get_flag("json") })
        }
        Some(("dev", matches)) => Ok(Command::Dev(dev::read(matches, &environment))),
        Some(("dist", matches)) => Ok(Command::Dist(Box::new(dist::read(matches, &environment)))),
        Some(("new", matches)) => new::read(matches).map(|it| Command::New(Box::new(it))),
        Some(("completions", matches)) => completions::read(matches)
            .map(Command::Completions)
            .ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingRequiredArgument)),
        // `subcommand_required` reports a missing subcommand.
        _ => Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand)),
    }
}

/// Returns the values of `--var` and `--var-file` in the order of the command line.
fn settings(matches: &ArgMatches) -> Vec<Setting> {
    let values = matches.get_many::<Setting>("var").into_iter().flatten().cloned();
    let files = matches.get_many::<PathBuf>("var-file").into_iter().flatten().cloned().map(Setting::File);
    let value_indices = matches.indices_of("var").into_iter().flatten();
    let file_indices = matches.indices_of("var-file").into_iter().flatten();
    let mut settings: Vec<(usize, Setting)> =
        value_indices.zip(values).chain(file_indices.zip(files)).collect();
    settings.sort_by_key(|(index, _)| *index);
    settings.into_iter().map(|(_, setting)| setting).collect()
}

/// Parses `name=value`.
fn assignment(argument: &str) -> Result<Setting, String> {
    let Some((name, value)) = argument.split_once('=') else {
        return Err("expected name=value".to_owned());
    };
    if name.ends_with(' ') {
        return Err(format!("the name {name:?} ends with a space; did you mean {:?}?", name.trim_end()));
    }
    Ok(Setting::Value { name: name.to_owned(), value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(args: &[&str], expected: Expect) {
        let result = match parse(args.iter().map(Into::into).collect(), Vec::new()).0 {
            Parsed::Command(Command::Vars { request, json }) => {
                let Request { directory, options, working_directory, target, strict, .. } = request;
                let target = target.map(|it| it.to_string());
                format!("{directory:?} {options:?} {working_directory:?} {target:?} {strict} {json}")
            }
            Parsed::Command(command) => format!("{command:?}"),
            Parsed::Message(message) => message.to_string(),
        };
        expected.assert_eq(&result);
    }

    #[test]
    fn command_is_valid() {
        command().debug_assert();
    }

    #[test]
    fn missing_and_unknown_commands_are_reported() {
        check(
            &[],
            expect![[r#"
                error: 'cargo ferroform' requires a subcommand but one was not provided
                  [subcommands: new, docs, generate, schema, vars, dev, dist, completions, help]

                Usage: cargo ferroform [OPTIONS] <COMMAND>

                For more information, try '--help'.
            "#]],
        );
        check(
            &["ferroform"],
            expect![[r#"
                error: 'cargo ferroform' requires a subcommand but one was not provided
                  [subcommands: new, docs, generate, schema, vars, dev, dist, completions, help]

                Usage: cargo ferroform [OPTIONS] <COMMAND>

                For more information, try '--help'.
            "#]],
        );
        check(
            &["var"],
            expect![[r#"
                error: unrecognized subcommand 'var'

                  tip: a similar subcommand exists: 'vars'

                Usage: cargo ferroform [OPTIONS] <COMMAND>

                For more information, try '--help'.
            "#]],
        );
        check(
            &["frobnicate"],
            expect![[r#"
                error: unrecognized subcommand 'frobnicate'

                Usage: cargo ferroform [OPTIONS] <COMMAND>

                For more information, try '--help'.
            "#]],
        );
    }

    #[test]
    fn options_have_one_dash_or_two() {
        check(
            &["ferroform", "vars", "x", "-var", "a=1=2", "--var=b=", "-var-file", "f.tfvars", "--json"],
            expect![[
                r#""x" [Value { name: "a", value: "1=2" }, Value { name: "b", value: "" }, File("f.tfvars")] "" None false true"#
            ]],
        );
        check(
            &["vars", "-json", "-var=a=-1", "-var", "-b=-2"],
            expect![[
                r#""." [Value { name: "a", value: "-1" }, Value { name: "-b", value: "-2" }] "" None false true"#
            ]],
        );
        check(&["vars", "--", "-x"], expect![[r#""-x" [] "" None false false"#]]);
        check(
            &["vars", "-var-file=b", "-var=a=1", "-var-file=c"],
            expect![[r#""." [File("b"), Value { name: "a", value: "1" }, File("c")] "" None false false"#]],
        );
    }

    #[test]
    fn invalid_options_are_reported() {
        check(
            &["vars", "-var"],
            expect![[r#"
            error: a value is required for '--var <NAME=VALUE>' but none was supplied

            For more information, try '--help'.
        "#]],
        );
        check(
            &["vars", "-var", "a"],
            expect![[r#"
            error: invalid value 'a' for '--var <NAME=VALUE>': expected name=value

            For more information, try '--help'.
        "#]],
        );
        check(
            &["vars", "--var-fil", "a"],
            expect![[r#"
            error: unexpected argument '--var-fil' found

              tip: a similar argument exists: '--var-file'

            Usage: cargo ferroform vars --var-file <FILE> [DIRECTORY]

            For more information, try '--help'.
        "#]],
        );
        check(
            &["vars", "-vra=a"],
            expect![[r#"
                error: unexpected argument '-vra' found

                Usage: cargo ferroform vars [OPTIONS] [DIRECTORY]

                For more information, try '--help'.
            "#]],
        );
        check(
            &["vars", "a", "b"],
            expect![[r#"
            error: unexpected argument 'b' found

            Usage: cargo ferroform vars [OPTIONS] [DIRECTORY]

            For more information, try '--help'.
        "#]],
        );
        check(
            &["vars", "-var", "a =1"],
            expect![[r#"
            error: invalid value 'a =1' for '--var <NAME=VALUE>': the name "a " ends with a space; did you mean "a"?

            For more information, try '--help'.
        "#]],
        );
    }

    #[cfg(unix)]
    #[test]
    fn values_must_be_utf8() {
        use std::os::unix::ffi::OsStringExt as _;
        let args = vec!["vars".into(), "-var".into(), OsString::from_vec(b"a=\xff".to_vec())];
        let (Parsed::Message(message), _) = parse(args, Vec::new()) else { panic!("expected an error") };
        assert_eq!((message.kind(), message.exit_code()), (clap::error::ErrorKind::InvalidUtf8, 2));
    }
}
