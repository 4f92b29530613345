//! What all commands have in common: the help, usage errors, colors, closed pipes, and pages with their exit codes.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A command, its page, and arguments with which it prints something in the directory of [`directory`].
struct Row {
    name: &'static str,
    page: &'static str,
    arguments: &'static [&'static str],
}

const COMMANDS: [Row; 7] = [
    Row {
        name: "new",
        page: include_str!("../../../docs/new-command.md"),
        arguments: &["notes", "--dry-run"],
    },
    Row {
        name: "docs",
        page: include_str!("../../../docs/docs-command.md"),
        arguments: &["terraform-provider-missing"],
    },
    Row {
        name: "generate",
        page: include_str!("../../../docs/generate-command.md"),
        arguments: &["schema.json"],
    },
    Row {
        name: "schema",
        page: include_str!("../../../docs/schema-command.md"),
        arguments: &["schema.json"],
    },
    Row {
        name: "dev",
        page: include_str!("../../../docs/dev-command.md"),
        arguments: &["--manifest-path", "Cargo.toml"],
    },
    Row { name: "dist", page: include_str!("../../../docs/dist-command.md"), arguments: &["--dry-run"] },
    Row {
        name: "completions",
        page: include_str!("../../../docs/completions-command.md"),
        arguments: &["bash"],
    },
];

/// A directory with the input of all commands.
fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(directory.path().join(name), content).unwrap();
    write("main.tf", "variable \"a\" {\n  default = \"x\"\n}\n");
    write("schema.json", include_str!("generate/notes.json"));
    write(
        "Cargo.toml",
        "[package]\nname = \"terraform-provider-disk\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    fs::create_dir(directory.path().join("src")).unwrap();
    write("src/main.rs", "fn main() {}\n");
    directory
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.args(arguments).current_dir(directory).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env("CARGO_TARGET_DIR", directory.join("target"));
    command
}

fn output(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    command(directory.path(), arguments).envs(environment.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn every_command_is_in_the_table() {
    let help = text(&output(&["--help"], &[]).stdout);
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names: Vec<&str> = commands.lines().filter_map(|it| it.split_whitespace().next()).collect();
    let expected: Vec<&str> = COMMANDS.iter().map(|it| it.name).chain(["help"]).collect();
    assert_eq!(names, expected);
}

#[test]
fn help_has_examples_and_exit_codes() {
    for Row { name, .. } in &COMMANDS {
        for arguments in [[*name, "--help"], [*name, "-h"], ["help", *name]] {
            let output = output(&arguments, &[]);
            assert_eq!((output.status.code(), &*text(&output.stderr)), (Some(0), ""), "{arguments:?}");
            let help = text(&output.stdout);
            assert!(help.contains(&format!("\nUsage: cargo ferroform {name} ")), "{help}");
            assert!(help.contains(&format!("\nExamples:\n  cargo ferroform {name}")), "{help}");
            assert!(help.replace('\n', " ").contains("exit code is"), "{help}");
        }
    }
}

#[test]
fn unknown_option_is_usage_error() {
    for Row { name, .. } in &COMMANDS {
        let output = output(&[name, "--no-such-option"], &[]);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), &*stdout), (Some(2), ""), "{name}");
        assert!(stderr.starts_with("error: unexpected argument '--no-such-option' found\n"), "{stderr}");
        assert!(stderr.contains(&format!("\nUsage: cargo ferroform {name}")), "{stderr}");
    }
}

#[test]
fn colors_follow_the_environment_and_the_option() {
    let has_colors = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = output(arguments, environment);
        output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b)
    };
    let force = ("CLICOLOR_FORCE", "1");
    for Row { name, .. } in &COMMANDS {
        for argument in ["--help", "--no-such-option"] {
            assert!(!has_colors(&[name, argument], &[]), "{name} {argument}");
            assert!(has_colors(&[name, argument], &[force]), "{name} {argument}");
            assert!(!has_colors(&[name, argument], &[force, ("NO_COLOR", "1")]), "{name} {argument}");
            assert!(!has_colors(&[name, argument, "--no-color"], &[force]), "{name} {argument}");
        }
    }
}

/// The reader of a pipe has ended before the command writes its first byte.
#[test]
fn closed_pipes_are_not_errors() {
    let directory = directory();
    for Row { name, arguments, .. } in &COMMANDS {
        let all: Vec<&str> = [*name].iter().chain(*arguments).copied().collect();
        let expected = command(directory.path(), &all).output().unwrap();
        assert!(!expected.stdout.is_empty() || !expected.stderr.is_empty(), "{name} prints nothing");
        for arguments in [&all[..], &[name, "--help"], &[name, "--no-such-option"]] {
            let expected = command(directory.path(), arguments).output().unwrap().status.code();
            let mut child = command(directory.path(), arguments);
            let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            let stderr = text(&output.stderr);
            assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
            assert_eq!(output.status.code(), expected, "{arguments:?}: {stderr}");
            // A panic would have the exit code 101.
            let mut child = command(directory.path(), arguments);
            let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop((child.stdout.take(), child.stderr.take()));
            assert_eq!(child.wait().unwrap().code(), expected, "{arguments:?}");
        }
    }
}

/// Any other write error is one: a script must not read a part of the output as the whole.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_error() {
    let directory = directory();
    // `docs` prints nothing without a provider, and the provider of `dev` serves nothing.
    for Row { name, arguments, .. } in COMMANDS.iter().filter(|it| !matches!(it.name, "docs" | "dev")) {
        let mut command = command(directory.path(), &[name]);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.args(*arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains("error: cannot write the output: "), "{name}: {stderr}");
    }
}

#[test]
fn pages_document_exit_codes() {
    for Row { name, page, .. } in &COMMANDS {
        let Some((_, table)) = page.split_once("\n| exit code | meaning |\n|---|---|\n") else {
            panic!("the page of {name} has no table of exit codes");
        };
        let rows: Vec<&str> = table.lines().take_while(|it| it.starts_with('|')).collect();
        for code in ["0", "1", "2"] {
            let is_code = |row: &&str| row.split('|').nth(1).is_some_and(|it| it.trim() == code);
            assert!(rows.iter().any(is_code), "{name}: {code} is missing in {rows:#?}");
        }
    }
}
