//! What all subcommands have in common: help, usage errors, colors, and output that nobody reads.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::process::{Command, Output, Stdio};

/// Each subcommand with the name of its guide page.
const SUBCOMMANDS: [(&str, &str); 8] = [
    ("completions", "completions-command.md"),
    ("dev", "dev-command.md"),
    ("dist", "dist-command.md"),
    ("docs", "docs-command.md"),
    ("generate", "generate-command.md"),
    ("new", "new-command.md"),
    ("schema", "schema-command.md"),
    ("vars", "module-variables.md"),
];

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.arg("ferroform").args(arguments);
    command
}

/// Runs the command, and returns its exit code, stdout and stderr.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(arguments).output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// The text without line breaks.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn table_contains_every_subcommand() {
    let (code, help, _) = run(&["--help"]);
    assert_eq!(code, 0);
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = commands.lines().filter_map(|line| line.split_whitespace().next());
    let mut names: Vec<_> = names.filter(|it| *it != "help").collect();
    names.sort_unstable();
    assert_eq!(names, SUBCOMMANDS.map(|(name, _)| name));
}

#[test]
fn help_has_examples_and_exit_codes() {
    for (name, page) in SUBCOMMANDS {
        for option in ["--help", "-h"] {
            let (code, stdout, stderr) = run(&[name, option]);
            assert_eq!((code, &*stderr), (0, ""), "{name} {option}");
            assert!(stdout.contains(&format!("Usage: cargo ferroform {name}")), "{name}: {stdout}");
        }
        let (_, help, _) = run(&[name, "--help"]);
        let examples = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{name} has no examples")).1;
        assert!(examples.contains(&format!("  cargo ferroform {name} ")), "{name}: {examples}");
        assert!(in_one_line(&help).contains("exit code"), "{name}: {help}");
        let path = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).unwrap();
        assert!(
            in_one_line(&page).contains("exit code"),
            "the page of {name} does not describe the exit codes"
        );
        assert!(page.contains(&format!("cargo ferroform {name}")), "the page of {name} has no example");
    }
}

#[test]
fn usage_errors_have_their_own_exit_code() {
    for (name, _) in SUBCOMMANDS {
        let (code, stdout, stderr) = run(&[name, "--no-such-option"]);
        assert_eq!((code, &*stdout), (2, ""), "{name}: {stderr}");
        assert!(stderr.contains("--no-such-option"), "{name}: {stderr}");
        assert!(stderr.contains(&format!("Usage: cargo ferroform {name}")), "{name}: {stderr}");
    }
}

#[test]
fn colors_are_never_sent_to_a_pipe_or_with_no_color() {
    for (name, _) in SUBCOMMANDS {
        for variable in [("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            let output = command(&[name, "--help"]).envs([variable]).output().unwrap();
            assert!(!output.stdout.contains(&0x1b), "{name} with {variable:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn closed_output_is_no_panic() {
    for (name, _) in SUBCOMMANDS {
        for arguments in [&[name, "--help"][..], &[name, "--no-such-option"]] {
            let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // The reader ends first, as in `cargo ferroform schema … | head -1`.
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
            assert!(output.status.code().is_some_and(|it| it <= 2), "{arguments:?}: {}", output.status);
        }
    }
}
