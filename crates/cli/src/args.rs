//! The command line.
//!
//! ```
//! let output = cargo_ferroform::run(vec!["docs".into(), "--help".into()], Vec::new());
//! assert_eq!(output.code, 0);
//! assert!(output.stdout.contains("--docs-dir"));
//! ```

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::ArgAction;
use clap::{Arg, ArgMatches, value_parser};
use clap_complete::Shell;

use crate::completions;
use crate::dev;
use crate::dist;
use crate::docs;
use crate::generate;
use crate::new;
use crate::schema;

/// A command with its arguments.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Docs(docs::Request),
    Generate(Box<generate::Request>),
    Schema(schema::Request),
    Dev(dev::DevArgs),
    Dist(Box<dist::DistArgs>),
    Completions(Shell),
    New(Box<new::NewArgs>),
}

/// Parses the arguments of the process, without the name of the program, and the environment that a command uses.
///
/// # Errors
///
/// The error can also be the help or the version, which are printed to the standard output.
pub(crate) fn parse(
    args: Vec<OsString>,
    environment: &[(OsString, OsString)],
) -> Result<Command, clap::Error> {
    let mut args = args.into_iter().peekable();
    // `cargo ferroform …` runs `cargo-ferroform ferroform …`.
    args.next_if(|it| it == "ferroform");
    let matches = command().try_get_matches_from(std::iter::once("cargo ferroform".into()).chain(args))?;
    read(&matches, environment)
}

/// The whole command line.
pub(crate) fn command() -> clap::Command {
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
        .subcommand(dev::command())
        .subcommand(dist::command())
        .subcommand(completions::command())
}

fn read(matches: &ArgMatches, environment: &[(OsString, OsString)]) -> Result<Command, clap::Error> {
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
        Some(("dev", matches)) => Ok(Command::Dev(dev::read(matches, environment))),
        Some(("dist", matches)) => Ok(Command::Dist(Box::new(dist::read(matches, environment)))),
        Some(("new", matches)) => new::read(matches).map(|it| Command::New(Box::new(it))),
        Some(("completions", matches)) => completions::read(matches)
            .map(Command::Completions)
            .ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingRequiredArgument)),
        // `subcommand_required` reports a missing subcommand.
        _ => Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(args: &[&str], expected: Expect) {
        let result = match parse(args.iter().map(Into::into).collect(), &[]) {
            Ok(command) => format!("{command:?}"),
            Err(message) => message.to_string(),
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
                  [subcommands: new, docs, generate, schema, dev, dist, completions, help]

                Usage: cargo ferroform [OPTIONS] <COMMAND>

                For more information, try '--help'.
            "#]],
        );
        check(
            &["ferroform"],
            expect![[r#"
                error: 'cargo ferroform' requires a subcommand but one was not provided
                  [subcommands: new, docs, generate, schema, dev, dist, completions, help]

                Usage: cargo ferroform [OPTIONS] <COMMAND>

                For more information, try '--help'.
            "#]],
        );
        check(
            &["var"],
            expect![[r#"
                error: unrecognized subcommand 'var'

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
}
