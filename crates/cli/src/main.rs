//! The binary: `cargo ferroform …`, or `cargo-ferroform …`.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = std::env::args_os().skip(1).collect();
    let environment = std::env::vars_os().collect();
    let output = cargo_ferroform::run(args, environment);
    // These streams remove colors unless they are terminals, and if `NO_COLOR` is set. A closed stream is not an error.
    let _ = anstream::stderr().write_all(output.stderr.as_bytes());
    let _ = anstream::stdout().write_all(output.stdout.as_bytes());
    ExitCode::from(output.code)
}
