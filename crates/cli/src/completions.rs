//! `cargo ferroform completions`: scripts with which a shell completes commands and options.

use std::io;

use clap::{Arg, ArgMatches, value_parser};
use clap_complete::Shell;

/// The name of the program, for which a script is registered.
const PROGRAM: &str = "cargo-ferroform";

const AFTER_HELP: &str = "\
Examples:
  cargo ferroform completions bash > ~/.local/share/bash-completion/completions/cargo-ferroform
  cargo ferroform completions fish > ~/.config/fish/completions/cargo-ferroform.fish
  cargo ferroform completions zsh > ~/.zfunc/_cargo-ferroform

The script completes the arguments of cargo-ferroform. With zsh, it also completes those of
`cargo ferroform`. The exit code is 2 if the command line is invalid, and 1 if an error occurred.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    clap::Command::new("completions")
        .about("Print a script with which a shell completes commands and options")
        .after_help(AFTER_HELP)
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .help("The shell")
                .value_parser(value_parser!(Shell)),
        )
}

/// Reads the arguments; `None` if there is no shell, which Clap rejects.
pub(crate) fn read(matches: &ArgMatches) -> Option<Shell> {
    matches.get_one::<Shell>("shell").copied()
}

/// Writes the script for the whole command line, and returns the exit code.
pub(crate) fn run(
    shell: Shell,
    command_line: clap::Command,
    stdout: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    // In the script for bash, the labels of the subcommands would not match if the name has a hyphen.
    let name = if shell == Shell::Bash { PROGRAM.replace('-', "_") } else { PROGRAM.to_owned() };
    // The generator would panic if the stream is closed.
    let mut script = Vec::new();
    let mut command_line = command_line.name(name.clone()).bin_name(name.clone());
    clap_complete::generate(shell, &mut command_line, &name, &mut script);
    let script = String::from_utf8_lossy(&script).replace(&name, PROGRAM);
    (0, stdout.write_all(script.as_bytes()))
}
