//! The command line of `cargo ferroform schema`.

use std::path::{Path, PathBuf};

use clap::builder::ArgAction;
use clap::{Arg, ArgMatches, value_parser};

use super::{FailOn, Format, Request};
use crate::provider_schema::source::Source;

const AFTER_HELP: &str = "\
A SOURCE is a provider binary, a file with the output of `terraform providers schema
-json` or of this command, or - for such a file on the standard input.

Examples:
  cargo ferroform schema target/debug/terraform-provider-local > schema.json
  cargo ferroform schema --tree target/debug/terraform-provider-local
  terraform providers schema -json | cargo ferroform schema --tree -
  cargo ferroform schema --diff schema.json target/debug/terraform-provider-local
  cargo ferroform schema --diff schema.json --markdown new.json

The exit code is 1 if an error occurred, or if --diff found a change that --fail-on
selects, and 2 if the command line is invalid.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    let flag = |name| Arg::new(name).long(name).action(ArgAction::SetTrue);
    clap::Command::new("schema")
        .about("Print the schema of a provider, or the changes between two versions")
        .after_help(AFTER_HELP)
        .arg(
            Arg::new("source")
                .value_name("SOURCE")
                .required(true)
                .help("A provider binary, a schema in JSON, or -")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("diff")
                .long("diff")
                .value_name("OLD")
                .help("Compare the schema with the older schema from this source")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("json").help("Print JSON; the default, except for --diff"))
        .arg(flag("tree").help("Print a tree").conflicts_with_all(["json", "diff"]))
        .arg(
            flag("markdown")
                .help("Print the changes in Markdown, for a pull request")
                .requires("diff")
                .conflicts_with("json"),
        )
        .arg(
            Arg::new("fail-on")
                .long("fail-on")
                .value_name("CHANGES")
                .value_parser(["breaking", "any", "never"])
                .default_value("breaking")
                .requires("diff")
                .help("The changes for which the exit code is 1; breaking includes missing state upgrades"),
        )
        .arg(
            Arg::new("provider")
                .long("provider")
                .value_name("ADDRESS")
                .help("The provider to read from a file with several providers, or the source address to print for a binary"),
        )
}

/// Reads the arguments. Relative paths start at `working_directory`.
pub(crate) fn read(matches: &ArgMatches, working_directory: &Path) -> Request {
    let source = |name| matches.get_one::<PathBuf>(name).map(|it| Source::new(it, working_directory));
    let format = if matches.get_flag("markdown") {
        Format::Markdown
    } else if matches.get_flag("json") || (!matches.get_flag("tree") && !matches.contains_id("diff")) {
        Format::Json
    } else {
        Format::Text
    };
    Request {
        // The argument is required.
        source: source("source").unwrap_or(Source::Stdin),
        old: source("diff"),
        format,
        fail_on: match matches.get_one::<String>("fail-on").map(String::as_str) {
            Some("any") => FailOn::Any,
            Some("never") => FailOn::Never,
            _ => FailOn::Breaking,
        },
        provider: matches.get_one("provider").cloned(),
    }
}
