//! The project's own chores.

mod clients;
mod demo;
mod layers;
mod measure;
mod pages;
#[cfg(feature = "proto")]
mod proto;
mod public_types;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["clients"] => clients::run(),
        ["demo"] => demo::run(),
        ["proto"] | ["proto", "--check"] => proto(&arguments),
        ["layers"] => layers::run(),
        ["pages"] => pages::run(false),
        ["pages", "--check"] => pages::run(true),
        ["public-types"] => public_types::run(),
        ["measure", others @ ..] => measure::run(others).map_err(Into::into),
        _ => {
            Err("usage: cargo xtask clients | demo | layers | measure [PROVIDER…] | pages [--check] | proto [--check] | public-types"
                .into())
        }
    };
    match done {
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

/// Once more, with what this program was built without.
#[cfg(not(feature = "proto"))]
fn proto(arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let mut command = std::process::Command::new(env!("CARGO"));
    command.args(["run", "--package", "xtask", "--features", "proto", "--"]).args(arguments);
    let done = command.current_dir(env!("CARGO_MANIFEST_DIR")).status()?;
    if done.success() {
        Ok(())
    } else {
        Err("the generated code is not as it should be, or could not be made".into())
    }
}
