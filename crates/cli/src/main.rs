//! The binary: `cargo ferroform …`, or `cargo-ferroform …` by itself.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = std::env::args_os().skip(1).collect();
    let environment = std::env::vars_os().collect();
    let said = cargo_ferroform::run(args, environment);
    // A reader that has gone away has seen what it wanted.
    let _ = io::stderr().write_all(said.err.as_bytes());
    let _ = io::stdout().write_all(said.out.as_bytes());
    ExitCode::from(said.code)
}
