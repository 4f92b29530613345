//! `cargo ferroform completions`: the scripts, and a shell that uses one.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::process::{Command, Output, Stdio};

/// Its transcript is the output of these tests.
const GUIDE: &str = include_str!("../../../docs/completions-command.md");

fn completions(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-ferroform")).arg("completions").args(arguments).output().unwrap()
}

#[test]
fn every_shell_has_a_script_with_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = completions(&[shell]);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["cargo-ferroform", "completions", "docs", "dist", "--license", "--docs-dir"] {
            // The script for fish has options without dashes.
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("cargo ferroform"), "{shell}: the name of the program has no space");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_options() {
    let complete = |words: &str| {
        let script = format!(
            r#"
            source <("$0" completions bash)
            COMP_WORDS=(cargo-ferroform {words})
            COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
            complete=$(complete -p cargo-ferroform)
            [[ $complete =~ -F\ ([^\ ]*) ]]
            "${{BASH_REMATCH[1]}}" cargo-ferroform "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD - 1]}}"
            echo "${{COMPREPLY[@]}}"
            "#
        );
        let output = Command::new("bash")
            .args(["-c", &script, env!("CARGO_BIN_EXE_cargo-ferroform")])
            .output()
            .unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("ne"), "new\n");
    assert_eq!(complete("new --lic"), "--license\n");
    assert_eq!(complete("new notes --vcs n"), "none\n");
    assert_eq!(complete("dist --ver"), "--verify\n");
}

#[test]
fn unknown_shell_is_rejected() {
    let output = completions(&["tcsh"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(GUIDE.contains(&format!("$ cargo ferroform completions tcsh\n{message}")), "{message}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_shows_examples_and_closed_pipe_is_not_an_error() {
    let help = String::from_utf8(completions(&["--help"]).stdout).unwrap();
    assert!(help.contains("  cargo ferroform completions zsh > "), "{help}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.args(["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
