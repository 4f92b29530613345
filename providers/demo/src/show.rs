//! The output of the demo.

use std::env;
use std::io::{self, IsTerminal as _};

pub(crate) const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// Prints the commands, excerpts of their output, and the results.
pub(crate) struct Show {
    colors: bool,
}

impl Show {
    pub(crate) fn new() -> Show {
        Show { colors: io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none() }
    }

    pub(crate) fn paint(&self, code: &str, text: &str) -> String {
        if self.colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(crate) fn command(&self, command: &str) {
        println!("{}", self.paint(BOLD, &format!("$ {command}")));
    }

    pub(crate) fn done(&self, result: &str) {
        println!("{} {result}\n", self.paint(GREEN, "✓"));
    }

    /// Prints the lines that contain one of the words.
    pub(crate) fn excerpt(&self, text: &str, words: &[&str]) {
        text.lines().filter(|line| words.iter().any(|it| line.contains(it))).for_each(|it| self.line(it));
    }

    pub(crate) fn line(&self, line: &str) {
        let code = match line.trim_start().as_bytes() {
            [b'+', ..] => GREEN,
            [b'-', b'/', ..] | [b'~', ..] => YELLOW,
            [b'-', ..] => RED,
            [b'#', ..] => BOLD,
            _ => DIM,
        };
        println!("    {}", self.paint(code, line));
    }
}
