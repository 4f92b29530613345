//! The command line of the program.
//!
//! Terraform's options have one dash (`-var name=value`). Both forms are accepted: options with one dash are rewritten to
//! options with two dashes before the arguments are parsed.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{ArgAction, PossibleValuesParser, TypedValueParser as _, ValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, value_parser};
use clap_complete::Shell;

use crate::check_modules::CheckRequest;
use crate::format::Format;
use crate::request::{AsErrors, Request, Setting};
use crate::table::Destination;
use crate::target::Target;

const AFTER_HELP: &str = "\
Terraform's precedence applies to the values, from lowest to highest: TF_VAR_… in
the environment; terraform.tfvars and terraform.tfvars.json in the directory of
the module; *.auto.tfvars and *.auto.tfvars.json, by name; --var and --var-file, in
the order of the command line. Options may have one dash or two.

Without --target-version, the module is evaluated as by the latest version that satisfies
its required_version.

Sensitive and ephemeral values are never printed. With --json, diagnostics have the
format of `terraform validate -json` and are printed to standard error.

Examples:
  ferroform-vars --check --recursive --environment 'envs/*.tfvars'
  ferroform-vars --var region=eu --var-file live.tfvars modules/network
  ferroform-vars --strict --json --target-version opentofu-1.10
  ferroform-vars --format sarif modules/network > network.sarif
  ferroform-vars --table=README.md modules/network

The exit code is 1 if there are errors, and 2 if the command line is invalid.";

/// The command that the arguments select.
#[derive(Debug)]
pub(crate) enum Command {
    Evaluate(Box<Request>, Format),
    /// Checks modules, and again after each change of a file if the flag is true.
    Check(Box<CheckRequest>, Format, bool),
    /// Prints or writes the table of inputs.
    Table(Box<Request>, Format, Destination),
    /// Prints the JSON Schema of the inputs.
    Schema(Box<Request>, Format),
    /// Serves an editor. The request contains only options that apply to every module.
    LanguageServer(Box<Request>),
    /// Prints a shell completion script.
    Completions(Shell),
}

/// Parses the arguments of the process, without the name of the program. The environment can set variables.
///
/// # Errors
///
/// The error can also be the help or the version, which are printed to standard output.
pub(crate) fn parse(
    args: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
) -> Result<Command, clap::Error> {
    let rewritten = std::iter::once(env!("CARGO_PKG_NAME").into()).chain(add_dashes(&args));
    let matches =
        build_command().try_get_matches_from(rewritten).map_err(|it| restore_original_option(it, &args))?;
    if let Some(shell) = matches.get_one::<Shell>("completions") {
        return Ok(Command::Completions(*shell));
    }
    let format = match matches.get_flag("json") {
        true => Format::Json,
        false => matches.get_one::<Format>("format").copied().unwrap_or_default(),
    };
    let is_strict = matches.get_flag("strict");
    let as_errors = AsErrors {
        undeclared: is_strict || matches.get_flag("undeclared-as-errors"),
        unevaluated: is_strict || matches.get_flag("unevaluated-as-errors"),
        warnings: is_strict || matches.get_flag("warnings-as-errors"),
    };
    let directories: Vec<PathBuf> = matches.get_many("directory").into_iter().flatten().cloned().collect();
    let working_directory = matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default();
    let target = matches.get_one::<Target>("target-version").cloned();
    if matches.get_flag("check") {
        let request = CheckRequest {
            directories,
            is_recursive: matches.get_flag("recursive"),
            environments: matches.get_many("environment").into_iter().flatten().cloned().collect(),
            working_directory,
            target,
            as_errors,
        };
        return Ok(Command::Check(Box::new(request), format, matches.get_flag("watch")));
    }
    let [directory] = &*directories else {
        let message = "only one directory can be given without --check";
        return Err(build_command().error(ErrorKind::TooManyValues, message));
    };
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let destination = match (path("table"), path("table-check")) {
        (Some(file), _) if file.as_os_str() == "-" => Some(Destination::Stdout),
        (Some(file), _) => Some(Destination::File(file)),
        (_, file) => file.map(Destination::Check),
    };
    let explain = matches.get_flag("explain");
    if format.is_report() && (explain || destination == Some(Destination::Stdout)) {
        let option = if explain { "--explain" } else { "--table" };
        let message = format!("{option} requires the format text or json");
        return Err(build_command().error(ErrorKind::ArgumentConflict, message));
    }
    let request = Box::new(Request {
        directory: directory.clone(),
        options: collect_settings(&matches),
        environment,
        working_directory,
        target,
        as_errors,
        explain,
    });
    if matches.get_flag("language-server") {
        return Ok(Command::LanguageServer(request));
    }
    Ok(match destination {
        Some(destination) => Command::Table(request, format, destination),
        None if matches.get_flag("schema") => Command::Schema(request, format),
        None => Command::Evaluate(request, format),
    })
}

/// Returns true if the output is JSON, even if other arguments are invalid.
pub(crate) fn has_json_option(args: &[OsString]) -> bool {
    let is_json = |it: &OsString| it == "json";
    find_options(args).any(|(name, index)| match name {
        b"json" | b"format=json" => true,
        b"format" => args.get(index + 1).is_some_and(is_json),
        _ => false,
    })
}

/// Returns a shell completion script.
pub(crate) fn generate_completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut build_command(), env!("CARGO_PKG_NAME"), &mut script);
    script
}

/// The error about an unknown option, with the dashes that the user typed.
fn restore_original_option(mut error: clap::Error, args: &[OsString]) -> clap::Error {
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

fn build_command() -> clap::Command {
    let directory = Arg::new("directory").value_name("DIRECTORY").default_value(".");
    let var = Arg::new("var").long("var").value_name("NAME=VALUE").action(ArgAction::Append);
    let var_file = Arg::new("var-file").long("var-file").value_name("FILE").action(ArgAction::Append);
    let target = Arg::new("target-version").long("target-version").value_name("VERSION");
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let format = Arg::new("format").long("format").value_name("FORMAT");
    let format_parser = PossibleValuesParser::new(Format::NAMES.map(|(name, _)| name)).map(Format::from_name);
    let table = Arg::new("table").long("table").value_name("FILE").value_parser(value_parser!(PathBuf));
    let table =
        table.num_args(0..=1).require_equals(true).default_missing_value("-").conflicts_with("explain");
    let table_check = Arg::new("table-check").long("table-check").value_name("FILE");
    let table_check = table_check.conflicts_with_all(["table", "explain"]);
    let chdir = Arg::new("chdir").long("chdir").value_name("DIRECTORY");
    clap::Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("Check the input variables and module calls of Terraform modules, without Terraform")
        .after_help(AFTER_HELP)
        .arg(
            directory
                .help("The directory of the module; with --check, directories or patterns")
                .num_args(1..)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            flag("check")
                .conflicts_with_all(["var", "var-file", "explain", "schema", "table", "table-check"])
                .help("Check declarations and module calls, without values for required variables"),
        )
        .arg(flag("watch").requires("check").help("Check again after each change of a file"))
        .arg(flag("recursive").requires("check").help("Check all modules in the directories"))
        .arg(
            Arg::new("environment")
                .long("environment")
                .value_name("PATTERN")
                .action(ArgAction::Append)
                .requires("check")
                .help("Check the values of each file that matches, such as 'envs/*.tfvars'; can be repeated"),
        )
        .arg(
            flag("language-server")
                .conflicts_with_all([
                    "check",
                    "chdir",
                    "directory",
                    "explain",
                    "format",
                    "json",
                    "schema",
                    "table",
                    "table-check",
                    "var",
                    "var-file",
                ])
                .help("Start a language server for .tfvars files: diagnostics, hover and completion"),
        )
        .arg(
            var.help("Set a variable; can be repeated")
                .allow_hyphen_values(true)
                .value_parser(ValueParser::new(parse_assignment)),
        )
        .arg(
            var_file
                .help("Read values from a file; can be repeated")
                .allow_hyphen_values(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            target
                .help("The version of Terraform or OpenTofu: 1.11, opentofu-1.10")
                .value_parser(ValueParser::new(|it: &str| it.parse::<Target>())),
        )
        .arg(flag("undeclared-as-errors").help("Report values for undeclared variables as errors"))
        .arg(
            flag("unevaluated-as-errors")
                .help("Report validations and arguments of module calls that cannot be evaluated as errors"),
        )
        .arg(flag("warnings-as-errors").help("Report all other warnings as errors"))
        .arg(flag("strict").help("Enable the three options above"))
        .arg(format.help("The format of the output [default: text]").value_parser(format_parser))
        .arg(flag("json").help("Print JSON, with types; the same as --format=json").conflicts_with("format"))
        .arg(flag("explain").help("Print the source of each value, and the changes made to it"))
        .arg(
            table.help(
                "Print a table of inputs in Markdown, or update it in a file of the module's directory",
            ),
        )
        .arg(
            table_check
                .help("Check that the table in a file of the module's directory is up to date")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("schema").help("Print the JSON Schema of the input variables"))
        .arg(chdir.help("Change to this directory first").value_parser(value_parser!(PathBuf)))
        .arg(flag("no-color").help("Disable colored output"))
        .arg(
            Arg::new("completions")
                .long("completions")
                .value_name("SHELL")
                .help("Print a shell completion script")
                .value_parser(value_parser!(Shell)),
        )
}

/// Rewrites Terraform's options with one dash, such as `-var name=value`, to options with two dashes.
fn add_dashes(args: &[OsString]) -> Vec<OsString> {
    let mut rewritten = args.to_vec();
    for (name, index) in find_options(args) {
        if name.len() > 1 && !args[index].as_encoded_bytes().starts_with(b"--") {
            rewritten[index] = [OsStr::new("-"), &args[index]].into_iter().collect();
        }
    }
    rewritten
}

/// The options whose value can be the next argument.
const WITH_VALUE: [&[u8]; 8] = [
    b"var",
    b"var-file",
    b"environment",
    b"target-version",
    b"chdir",
    b"completions",
    b"format",
    b"table-check",
];

/// Returns the options without their dashes, with their indices. Values of options and arguments after `--` are not
/// options.
fn find_options(args: &[OsString]) -> impl Iterator<Item = (&[u8], usize)> {
    let (mut is_value, mut only_positional) = (false, false);
    args.iter().enumerate().filter_map(move |(index, arg)| {
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

/// Returns the values of `--var` and `--var-file` in the order of the command line.
fn collect_settings(matches: &ArgMatches) -> Vec<Setting> {
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
fn parse_assignment(argument: &str) -> Result<Setting, String> {
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
        let args: Vec<OsString> = args.iter().map(Into::into).collect();
        let json = has_json_option(&args);
        let result = match parse(args, Vec::new()) {
            Ok(Command::Evaluate(request, format)) => {
                let Request { directory, options, working_directory, target, as_errors, .. } = *request;
                let target = target.map(|it| it.to_string());
                assert_eq!(json, format == Format::Json);
                format!("{directory:?} {options:?} {working_directory:?} {target:?} {as_errors:?} {format:?}")
            }
            Ok(Command::Table(_, format, destination)) => format!("{format:?} {destination:?}"),
            Ok(Command::Check(request, format, is_repeated)) => {
                let CheckRequest { directories, is_recursive, environments, .. } = *request;
                format!("{directories:?} {is_recursive} {environments:?} {format:?} {is_repeated}")
            }
            Ok(Command::Schema(request, format)) => {
                format!("schema of {:?} {:?} {format:?}", request.directory, request.as_errors)
            }
            Ok(Command::LanguageServer(request)) => format!("language server {:?}", request.as_errors),
            Ok(Command::Completions(shell)) => shell.to_string(),
            Err(message) => message.to_string(),
        };
        expected.assert_eq(&result);
    }

    #[test]
    fn command_is_valid() {
        build_command().debug_assert();
    }

    /// The table in `README.md` has the options of `-help`, in the same order.
    #[test]
    fn options_are_documented() {
        let page = include_str!("../README.md");
        let section = page.split("## Command-line options\n").nth(1).expect("the section exists");
        let rows = section.split("\n## ").next().unwrap_or_default().lines();
        let cells = rows.filter_map(|it| it.strip_prefix("| ")?.split(" | ").next());
        let names = cells.flat_map(|it| it.split("`-").skip(1)).map(|it| {
            let is_end = |character: char| !character.is_ascii_lowercase() && character != '-';
            it.split(is_end).next().unwrap_or_default()
        });
        let mut documented: Vec<&str> = names.collect();
        documented.dedup();
        let mut command = build_command();
        command.build();
        let options: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
        assert_eq!(documented, options);
    }

    #[test]
    fn options_have_one_dash_or_two() {
        check(
            &["x", "-var", "a=1=2", "--var=b=", "-var-file", "f.tfvars", "--json"],
            expect![[
                r#""x" [Value { name: "a", value: "1=2" }, Value { name: "b", value: "" }, File("f.tfvars")] "" None AsErrors { undeclared: false, unevaluated: false, warnings: false } Json"#
            ]],
        );
        check(
            &["-json", "-var=a=-1", "-var", "-b=-2"],
            expect![[
                r#""." [Value { name: "a", value: "-1" }, Value { name: "-b", value: "-2" }] "" None AsErrors { undeclared: false, unevaluated: false, warnings: false } Json"#
            ]],
        );
        check(
            &["--", "-x"],
            expect![[
                r#""-x" [] "" None AsErrors { undeclared: false, unevaluated: false, warnings: false } Text"#
            ]],
        );
        check(
            &["-schema", "--strict", "x"],
            expect![[
                r#"schema of "x" AsErrors { undeclared: true, unevaluated: true, warnings: true } Text"#
            ]],
        );
        check(
            &["-var-file=b", "-var=a=1", "-var-file=c"],
            expect![[
                r#""." [File("b"), Value { name: "a", value: "1" }, File("c")] "" None AsErrors { undeclared: false, unevaluated: false, warnings: false } Text"#
            ]],
        );
    }

    #[test]
    fn directories_and_environments_are_checked() {
        check(
            &["-check", "a", "b*", "-recursive", "-environment", "envs/*.tfvars", "-environment=*.json"],
            expect![[r#"["a", "b*"] true ["envs/*.tfvars", "*.json"] Text false"#]],
        );
        check(
            &["-check", "-var", "a=1"],
            expect![[r#"
            error: the argument '-check' cannot be used with '--var <NAME=VALUE>'

            Usage: ferroform-vars --check [DIRECTORY]...

            For more information, try '--help'.
        "#]],
        );
        check(
            &["-recursive"],
            expect![[r#"
            error: the following required arguments were not provided:
              --check

            Usage: ferroform-vars --check --recursive [DIRECTORY]...

            For more information, try '--help'.
        "#]],
        );
    }

    #[test]
    fn invalid_options_are_reported() {
        check(
            &["-var"],
            expect![[r#"
            error: a value is required for '--var <NAME=VALUE>' but none was supplied

            For more information, try '--help'.
        "#]],
        );
        check(
            &["-var", "a"],
            expect![[r#"
            error: invalid value 'a' for '--var <NAME=VALUE>': expected name=value

            For more information, try '--help'.
        "#]],
        );
        check(
            &["--var-fil", "a"],
            expect![[r#"
                error: unexpected argument '--var-fil' found

                  tip: a similar argument exists: '--var-file'

                Usage: ferroform-vars --var-file <FILE> [DIRECTORY]...

                For more information, try '--help'.
            "#]],
        );
        check(
            &["-vra=a"],
            expect![[r#"
                error: unexpected argument '-vra' found

                Usage: ferroform-vars [OPTIONS] [DIRECTORY]...

                For more information, try '--help'.
            "#]],
        );
        check(
            &["a", "b"],
            expect![[r#"
                error: only one directory can be given without --check

                Usage: ferroform-vars [OPTIONS] [DIRECTORY]...

                For more information, try '--help'.
            "#]],
        );
        check(
            &["-var", "a =1"],
            expect![[r#"
            error: invalid value 'a =1' for '--var <NAME=VALUE>': the name "a " ends with a space; did you mean "a"?

            For more information, try '--help'.
        "#]],
        );
    }

    #[test]
    fn formats_and_tables_are_selected() {
        check(
            &["-format", "json"],
            expect![[
                r#""." [] "" None AsErrors { undeclared: false, unevaluated: false, warnings: false } Json"#
            ]],
        );
        check(
            &["-format=sarif", "-unevaluated-as-errors"],
            expect![[
                r#""." [] "" None AsErrors { undeclared: false, unevaluated: true, warnings: false } Sarif"#
            ]],
        );
        check(
            &["-strict"],
            expect![[
                r#""." [] "" None AsErrors { undeclared: true, unevaluated: true, warnings: true } Text"#
            ]],
        );
        check(&["-table", "x"], expect!["Text Stdout"]);
        check(&["-table=README.md", "-format=github"], expect![[r#"Github File("README.md")"#]]);
        check(&["-table-check", "README.md"], expect![[r#"Text Check("README.md")"#]]);
        check(
            &["-json", "-format=json"],
            expect![[r#"
                error: the argument '-json' cannot be used with '--format <FORMAT>'

                Usage: ferroform-vars --json [DIRECTORY]...

                For more information, try '--help'.
            "#]],
        );
        check(
            &["-table", "-format=sarif"],
            expect![[r#"
                error: --table requires the format text or json

                Usage: ferroform-vars [OPTIONS] [DIRECTORY]...

                For more information, try '--help'.
            "#]],
        );
        check(
            &["-explain", "-format=junit"],
            expect![[r#"
                error: --explain requires the format text or json

                Usage: ferroform-vars [OPTIONS] [DIRECTORY]...

                For more information, try '--help'.
            "#]],
        );
        check(
            &["-format=xml"],
            expect![[r#"
            error: invalid value 'xml' for '--format <FORMAT>'
              [possible values: text, json, sarif, github, junit]

            For more information, try '--help'.
        "#]],
        );
    }

    #[test]
    fn language_server_accepts_options_of_every_module() {
        check(
            &["-language-server", "-strict", "-target-version=1.11"],
            expect!["language server AsErrors { undeclared: true, unevaluated: true, warnings: true }"],
        );
        check(
            &["-language-server", "modules"],
            expect![[r#"
            error: the argument '-language-server' cannot be used with '[DIRECTORY]...'

            Usage: ferroform-vars --language-server [DIRECTORY]...

            For more information, try '--help'.
        "#]],
        );
    }

    #[cfg(unix)]
    #[test]
    fn values_must_be_utf8() {
        use std::os::unix::ffi::OsStringExt as _;
        let args = vec!["-var".into(), OsString::from_vec(b"a=\xff".to_vec())];
        let Err(message) = parse(args, Vec::new()) else { panic!("expected an error") };
        assert_eq!((message.kind(), message.exit_code()), (clap::error::ErrorKind::InvalidUtf8, 2));
    }
}
