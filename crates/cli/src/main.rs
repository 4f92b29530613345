//! The binary: `cargo ferroform …`, or `cargo-ferroform …`.

use std::io::BufWriter;
use std::process::ExitCode;

use anstream::ColorChoice;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if args.iter().any(|it| it == "--no-color") {
        ColorChoice::Never.write_global();
    }
    let environment = std::env::vars_os().collect();
    // These streams remove colors unless they are terminals, and if `NO_COLOR` is set.
    let mut stdout = BufWriter::new(anstream::stdout());
    ExitCode::from(cargo_ferroform::run_to(args, environment, &mut stdout, &mut anstream::stderr()))
}
