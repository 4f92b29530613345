//! The development tasks of this repository: `cargo xtask TASK`.

mod book;
mod cargo;
mod client;
mod clients;
mod contents;
mod cycles;
mod end_to_end;
mod generated;
mod measure;
mod pages;
#[cfg(feature = "proto")]
mod proto;
mod result;
mod token_paths;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["book"] => book::build(),
        ["book-links"] => book::link_to_repository(),
        // mdBook asks for each format whether the preprocessor supports it.
        ["book-links", "supports", _] => Ok(()),
        ["clients"] => clients::run(),
        ["clients", "--check"] => clients::check(),
        ["e2e", others @ ..] => end_to_end::run(others),
        ["generated", schema] => generated::run(schema, 1),
        ["generated", schema, parts] => match parts.parse() {
            Ok(parts) => generated::run(schema, parts),
            Err(error) => Err(format!("invalid number of parts {parts:?}: {error}").into()),
        },
        ["proto"] | ["proto", "--check"] => proto(&arguments),
        ["cycles"] => cycles::run(),
        ["pages"] => pages::run(false),
        ["pages", "--check"] => pages::run(true),
        ["measure", others @ ..] => measure::run(others),
        _ => {
            Err("usage: cargo xtask book | clients [--check] | cycles | e2e [--update] [CLIENT…] [--smoke CLIENT…] [--wine CLIENT…] | generated SCHEMA_JSON [PARTS] | measure [PROVIDER…] | pages [--check] | proto [--check]"
                .into())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "proto")]
fn proto(arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    if arguments.contains(&"--check") { proto::check() } else { proto::generate() }
}

/// Runs `cargo xtask proto` with the feature that this executable was built without.
#[cfg(not(feature = "proto"))]
fn proto(arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let mut command = cargo::cargo();
    command.args(["run", "--package", "xtask", "--features", "proto", "--"]).args(arguments);
    let status = command.current_dir(env!("CARGO_MANIFEST_DIR")).status()?;
    if status.success() {
        Ok(())
    } else {
        Err("the generated code is not up to date, or could not be generated".into())
    }
}
