//! The command line of `cargo ferroform docs`.

use std::path::{Path, PathBuf};

use clap::builder::ArgAction;
use clap::{Arg, ArgMatches, value_parser};

use super::Request;
use super::project::Project;

const AFTER_HELP: &str = "\
Examples:
  cargo ferroform docs target/debug/terraform-provider-local
  cargo ferroform docs --check target/debug/terraform-provider-local
  cargo ferroform docs --docs-dir providers/local/docs target/debug/terraform-provider-local

Pages that this command has not generated, such as guides, are never changed. The exit
code is 1 if an error occurred, or if --check found a difference, and 2 if the command
line is invalid.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    let path = || value_parser!(PathBuf);
    clap::Command::new("docs")
        .about("Generate the documentation of a provider from its schema")
        .after_help(AFTER_HELP)
        .arg(
            Arg::new("binary")
                .value_name("BINARY")
                .required(true)
                .help("The provider binary")
                .value_parser(path()),
        )
        .arg(
            Arg::new("docs-dir")
                .long("docs-dir")
                .value_name("DIRECTORY")
                .default_value("docs")
                .help("The directory of the documentation")
                .value_parser(path()),
        )
        .arg(
            Arg::new("examples-dir")
                .long("examples-dir")
                .value_name("DIRECTORY")
                .help("The directory of the examples; by default, examples next to the documentation")
                .value_parser(path()),
        )
        .arg(
            Arg::new("templates-dir")
                .long("templates-dir")
                .value_name("DIRECTORY")
                .help("The directory of the templates; by default, templates next to the documentation")
                .value_parser(path()),
        )
        .arg(
            Arg::new("provider-type")
                .long("provider-type")
                .value_name("TYPE")
                .help("The type of the provider, such as local; by default, from the name of the binary"),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .help("Report pages that are not up to date, and write nothing"),
        )
}

/// Reads the arguments. Relative paths start at `working_directory`.
pub(crate) fn read(matches: &ArgMatches, working_directory: &Path) -> Request {
    let path = |name| matches.get_one::<PathBuf>(name).map(|it| working_directory.join(it));
    Request {
        binary: path("binary").unwrap_or_default(),
        project: Project::new(
            path("docs-dir").unwrap_or_default(),
            path("examples-dir"),
            path("templates-dir"),
        ),
        provider_type: matches.get_one("provider-type").cloned(),
        check: matches.get_flag("check"),
    }
}
