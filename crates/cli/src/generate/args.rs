//! The command line of `cargo ferroform generate`.

use std::path::{Path, PathBuf};

use clap::builder::ArgAction;
use clap::{Arg, ArgMatches, value_parser};

use super::{Format, Request};
use crate::ferroform_source::FerroformSource;
use crate::provider_schema::source::Source;

const AFTER_HELP: &str = "\
A SOURCE is a provider binary, a file with the output of `terraform providers schema
-json` or of `cargo ferroform schema`, or - for such a file on the standard input. With
--from openapi, it is an OpenAPI 3 document in JSON or YAML, and with --from hcl, a file
with example configurations.

Without --out, the code is printed as one module, for an existing provider. Each method
returns the error \"Not Implemented\" until you implement it.

Examples:
  cargo ferroform generate --out terraform-provider-local terraform-provider-local_v2.5.3
  cargo ferroform generate --only aws_s3_bucket schema.json > src/s3_bucket.rs
  terraform providers schema -json | cargo ferroform generate --out new-provider -
  cargo ferroform generate --from openapi --out terraform-provider-cloud openapi.yaml
  cargo ferroform generate --from hcl main.tf

The exit code is 1 if an error occurred, and 2 if the command line is invalid.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    clap::Command::new("generate")
        .about("Generate models and skeletons of resources from a schema, an API or an example")
        .after_help(AFTER_HELP)
        .arg(
            Arg::new("source")
                .value_name("SOURCE")
                .required(true)
                .help("A provider binary, a file, or -")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("from")
                .long("from")
                .value_name("FORMAT")
                .value_parser(["schema", "openapi", "hcl"])
                .default_value("schema")
                .help("The format of the source"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIRECTORY")
                .help("Write a crate to this directory, which must be empty or not exist")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("only")
                .long("only")
                .value_name("TYPE")
                .action(ArgAction::Append)
                .help("Generate only this type or function; can be repeated"),
        )
        .arg(
            Arg::new("number-type")
                .long("number-type")
                .value_name("RUST_TYPE")
                .value_parser(["Number", "i64", "f64"])
                .default_value("Number")
                .help("The type of numbers, because a schema does not distinguish integers"),
        )
        .args(FerroformSource::options())
        .arg(
            Arg::new("provider").long("provider").value_name("ADDRESS").help(
                "The provider in a file with several providers, and the address of a binary's provider",
            ),
        )
}

/// Reads the arguments. Relative paths start at `working_directory`.
pub(crate) fn read(matches: &ArgMatches, working_directory: &Path) -> Request {
    let string = |name: &str| matches.get_one::<String>(name);
    Request {
        // The argument is required.
        source: matches
            .get_one::<PathBuf>("source")
            .map_or(Source::Stdin, |it| Source::new(it, working_directory)),
        format: match string("from").map(String::as_str) {
            Some("openapi") => Format::OpenApi,
            Some("hcl") => Format::Hcl,
            _ => Format::Schema,
        },
        provider: string("provider").cloned(),
        out: matches.get_one::<PathBuf>("out").map(|it| working_directory.join(it)),
        only: matches.get_many::<String>("only").into_iter().flatten().cloned().collect(),
        ferroform: FerroformSource::read(matches, working_directory),
        number: match string("number-type").map(String::as_str) {
            Some("i64") => "i64",
            Some("f64") => "f64",
            _ => "Number",
        },
    }
}
