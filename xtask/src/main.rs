//! The development tasks of this repository: `cargo xtask TASK`.

mod clients;
mod demo;
mod end_to_end;
mod generated;
mod layers;
mod measure;
mod pages;
#[cfg(feature = "proto")]
mod proto;
mod public_types;
mod token_paths;

use std::env;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["clients"] => clients::run(),
        ["clients", "--check"] => clients::check(),
        ["demo"] => demo::run(),
        ["e2e", others @ ..] => end_to_end::run(others),
        ["generated", schema] => generated::run(schema, 1),
        ["generated", schema, parts] => match parts.parse() {
            Ok(parts) => generated::run(schema, parts),
            Err(error) => Err(format!("invalid number of parts {parts:?}: {error}").into()),
        },
        ["proto"] | ["proto", "--check"] => proto(&arguments),
        ["layers"] => layers::run(),
        ["pages"] => pages::run(false),
        ["pages", "--check"] => pages::run(true),
        ["public-types"] => public_types::run(),
        ["measure", others @ ..] => measure::run(others).map_err(Into::into),
        _ => {
            Err("usage: cargo xtask clients [--check] | demo | e2e [--report FILE] [--update] [CLIENT…] [--smoke CLIENT…] [--wine CLIENT…] | generated SCHEMA_JSON [PARTS] | layers | measure [PROVIDER…] | pages [--check] | proto [--check] | public-types"
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

/// Cargo, without the variables that `cargo run` has set for this package. The build script of `ring` depends on their
/// values, so Cargo would compile `ring` and the crates that depend on it again.
fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.env_remove("CARGO_MANIFEST_DIR");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
        command.env_remove(name);
    }
    command
}

#[cfg(feature = "proto")]
fn proto(arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    if arguments.contains(&"--check") { proto::check() } else { proto::generate() }
}

/// Runs `cargo xtask proto` with the feature that this executable was built without.
#[cfg(not(feature = "proto"))]
fn proto(arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let mut command = cargo();
    command.args(["run", "--package", "xtask", "--features", "proto", "--"]).args(arguments);
    let status = command.current_dir(env!("CARGO_MANIFEST_DIR")).status()?;
    if status.success() {
        Ok(())
    } else {
        Err("the generated code is not up to date, or could not be generated".into())
    }
}
