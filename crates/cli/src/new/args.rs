//! The command line of `cargo ferroform new`.

use std::path::PathBuf;

use clap::builder::{ArgAction, EnumValueParser, PossibleValuesParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Error, value_parser};

use super::license::License;
use super::name::{ProviderName, address};
use super::template::Template;
use crate::ferroform_source::FerroformSource;

/// The namespace and the registry of an example.
const EXAMPLE: &str = "example";

/// The arguments of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct NewArgs {
    pub(super) name: ProviderName,
    /// The source address with all three parts, such as `registry.terraform.io/acme/notes`.
    pub(super) address: String,
    /// The directory of the project; by default, the name of the package in the working directory.
    pub(super) directory: PathBuf,
    pub(super) template: Template,
    /// 5 or 6.
    pub(super) protocol: u16,
    pub(super) license: Option<License>,
    pub(super) source: FerroformSource,
    /// True if a Git repository is initialized.
    pub(super) has_git: bool,
    pub(super) is_dry_run: bool,
}

const AFTER_HELP: &str = "\
Examples:
  cargo ferroform new notes
  cargo ferroform new notes --address acme/notes --license MPL-2.0
  cargo ferroform new notes --empty
  cargo ferroform new notes --template http
  cargo ferroform new notes --git https://github.com/ferroform/ferroform
  cargo ferroform new notes --path ../ferroform --dry-run

The project contains a provider with a configuration, a resource, a data source and a function, its
tests, examples and workflows for GitHub. With --empty, it contains no resource, data source or
function. With --template http, it contains a client for an HTTP API. The directory of the project must
not exist, or must be empty. If an error occurs, the created files are removed. The exit code is 1 if the
project cannot be created, and 2 if the command line is invalid.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let path = |arg: Arg| arg.value_parser(value_parser!(PathBuf));
    clap::Command::new("new")
        .about("Create a project for a new provider")
        .after_help(AFTER_HELP)
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .required(true)
                .help("The provider name, which is the prefix of its resource types, such as notes")
                .value_parser(ValueParser::new(|it: &str| it.parse::<ProviderName>())),
        )
        .arg(option(
            "address",
            "ADDRESS",
            "The source address: NAMESPACE/NAME or HOSTNAME/NAMESPACE/NAME [default: example/NAME]",
        ))
        .arg(path(option(
            "directory",
            "DIRECTORY",
            "The directory of the project [default: terraform-provider-NAME]",
        )))
        .arg(
            option("template", "TEMPLATE", "The template of the project")
                .default_value("notes")
                .value_parser(EnumValueParser::<Template>::new()),
        )
        .arg(
            Arg::new("empty")
                .long("empty")
                .action(ArgAction::SetTrue)
                .conflicts_with("template")
                .help("The same as --template empty"),
        )
        .arg(
            option("protocol", "5|6", "The version of the plugin protocol")
                .default_value("6")
                .value_parser(value_parser!(u16).range(5..=6)),
        )
        .arg(
            option("license", "LICENSE", "The license of the provider")
                .default_value(License::NONE)
                .value_parser(PossibleValuesParser::new(License::option_values())),
        )
        .args(FerroformSource::options())
        .arg(
            option(
                "vcs",
                "VCS",
                "The version control system of the repository to initialize, unless the directory is in one",
            )
            .default_value("git")
            .value_parser(["git", "none"]),
        )
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Print the files of the project without creating them"),
        )
}

/// Reads the arguments. Relative paths start at `--chdir`.
///
/// # Errors
///
/// Returns a usage error if the address is invalid.
pub(crate) fn read(matches: &ArgMatches) -> Result<NewArgs, Error> {
    let string = |name: &str| matches.get_one::<String>(name).cloned();
    let working_directory = matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default();
    let path = |name: &str| matches.get_one::<PathBuf>(name).map(|it| working_directory.join(it));
    let Some(name) = matches.get_one::<ProviderName>("name").cloned() else {
        return Err(Error::new(ErrorKind::MissingRequiredArgument));
    };
    let short = string("address").unwrap_or_else(|| format!("{EXAMPLE}/{name}"));
    let address = address(&short, &name).map_err(|error| {
        let message = format!("invalid value '{short}' for '--address <ADDRESS>': {error}");
        Error::raw(ErrorKind::ValueValidation, format!("{message}\n\nFor more information, try '--help'.\n"))
    })?;
    Ok(NewArgs {
        directory: path("directory").unwrap_or_else(|| working_directory.join(name.package())),
        name,
        address,
        template: match matches.get_flag("empty") {
            true => Template::Empty,
            false => matches.get_one("template").copied().unwrap_or(Template::Notes),
        },
        protocol: matches.get_one::<u16>("protocol").copied().unwrap_or(6),
        license: string("license").and_then(|it| License::from_name(&it)),
        source: FerroformSource::read(matches, &working_directory),
        has_git: string("vcs").is_some_and(|it| it == "git"),
        is_dry_run: matches.get_flag("dry-run"),
    })
}
