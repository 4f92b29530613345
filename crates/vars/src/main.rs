//! The binary: `ferroform-vars`.

use std::io::BufWriter;
use std::process::ExitCode;

use anstream::ColorChoice;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if args.iter().any(|it| it == "--no-color" || it == "-no-color") {
        ColorChoice::Never.write_global();
    }
    // These streams remove colors unless they are terminals, and if `NO_COLOR` is set.
    let mut stdout = BufWriter::new(anstream::stdout());
    let mut stderr = anstream::stderr();
    ExitCode::from(ferroform_vars::run(args, std::env::vars_os().collect(), &mut stdout, &mut stderr))
}
