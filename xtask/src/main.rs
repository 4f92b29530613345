//! The project's own chores: `cargo xtask proto [--check]`.

mod measure;
mod proto;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["proto"] => proto::generate(),
        ["proto", "--check"] => proto::check(),
        ["measure", others @ ..] => measure::run(others).map_err(Into::into),
        _ => Err("usage: cargo xtask proto [--check] | measure [PROVIDER…]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
