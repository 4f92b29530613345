//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::suggest::suggest;
use crate::vars::Setting;

const HELP: &str = "\
The command-line companion of Ferroform

Usage: cargo ferroform <COMMAND>

Commands:
  vars  Show the values that a module's input variables come to

Options:
  -h, --help     Print help, also that of a command
  -V, --version  Print the version
";

const VARS_HELP: &str = "\
Show the values that a module's input variables come to

Usage: cargo ferroform vars [OPTIONS] [FOLDER]

Arguments:
  [FOLDER]  The folder of the module [default: .]

Options:
      -var NAME=VALUE  Set a variable; may be given many times
      -var-file FILE   Read values from a file; may be given many times
      --json           Print JSON, with types
  -h, --help           Print help

Values are taken from these places, and the later ones win: TF_VAR_… in the
environment; terraform.tfvars, terraform.tfvars.json, then *.auto.tfvars and
*.auto.tfvars.json by name, in the module's folder; and -var and -var-file in the
order in which they are given. Options may have one dash or two.

Sensitive and ephemeral values are never printed. The exit code is 1 where a
declaration or a value is wrong, and 2 where the command line is.
";

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// A text to print.
    Print(String),
    Vars {
        folder: PathBuf,
        options: Vec<Setting>,
        json: bool,
    },
}

pub(crate) fn parse(args: Vec<OsString>) -> Result<Command, String> {
    let mut args = args.into_iter().peekable();
    // Cargo starts `cargo-ferroform ferroform …`.
    if args.peek().is_some_and(|it| it == "ferroform") {
        args.next();
    }
    let Some(command) = args.next() else {
        return Err(format!("error: a command is required\n\n{HELP}"));
    };
    match command.to_str() {
        Some("vars") => vars(args),
        Some("-h" | "--help" | "help") => Ok(Command::Print(HELP.into())),
        Some("-V" | "--version") => {
            Ok(Command::Print(format!("cargo-ferroform {}\n", env!("CARGO_PKG_VERSION"))))
        }
        _ => {
            let name = command.to_string_lossy();
            let hint = hint(&name, &["vars", "help"]);
            Err(format!("error: there is no command {name:?}{hint}\n\nFor help: cargo ferroform --help\n"))
        }
    }
}

fn vars(mut args: impl Iterator<Item = OsString>) -> Result<Command, String> {
    let mut folder = None;
    let mut options = Vec::new();
    let mut json = false;
    let mut only_folders = false;
    while let Some(arg) = args.next() {
        let text = arg.to_str().filter(|it| !only_folders && it.len() > 1 && it.starts_with('-'));
        let Some(text) = text else {
            if folder.is_some() {
                return Err(wrong(&format!("there is one folder already, and then {arg:?}")));
            }
            folder = Some(PathBuf::from(arg));
            continue;
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let mut value = || match value.clone() {
            Some(it) => Ok(it),
            None => match args.next().map(OsString::into_string) {
                Some(Ok(it)) => Ok(it),
                Some(Err(_)) => Err(wrong(&format!("what follows {name} is not UTF-8"))),
                None => Err(wrong(&format!("a value is required after {name}"))),
            },
        };
        match name.trim_start_matches('-') {
            "" if text == "--" => only_folders = true,
            "var" => options.push(assignment(value()?)?),
            "var-file" => options.push(Setting::File(value()?.into())),
            "json" => json = true,
            "h" | "help" => return Ok(Command::Print(VARS_HELP.into())),
            other => {
                let hint = hint(other, &["var", "var-file", "json", "help"]);
                return Err(wrong(&format!("there is no option {name:?}{hint}")));
            }
        }
    }
    Ok(Command::Vars { folder: folder.unwrap_or_else(|| ".".into()), options, json })
}

fn assignment(text: String) -> Result<Setting, String> {
    let Some((name, value)) = text.split_once('=') else {
        let why = format!("-var {text:?} has no equals sign; it is to be -var \"name=value\"");
        return Err(wrong(&why));
    };
    if name.ends_with(' ') {
        let better = name.trim_end();
        return Err(wrong(&format!("the name {name:?} ends with a space; did you mean {better:?}?")));
    }
    Ok(Setting::Value { name: name.to_owned(), value: value.to_owned() })
}

fn hint(name: &str, known: &[&str]) -> String {
    suggest(name, known.iter().copied()).map(|it| format!("; did you mean {it:?}?")).unwrap_or_default()
}

fn wrong(why: &str) -> String {
    format!("error: {why}\n\nFor help: cargo ferroform vars --help\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(args: &str, expected: Expect) {
        let said = match parse(args.split_whitespace().map(Into::into).collect()) {
            Ok(it) => format!("{it:?}"),
            Err(it) => it.lines().next().unwrap_or_default().to_owned(),
        };
        expected.assert_eq(&said);
    }

    #[test]
    fn commands() {
        check("", expect!["error: a command is required"]);
        check("ferroform", expect!["error: a command is required"]);
        check("var", expect![[r#"error: there is no command "var"; did you mean "vars"?"#]]);
        check("frobnicate", expect![[r#"error: there is no command "frobnicate""#]]);
    }

    #[test]
    fn options() {
        check(
            "ferroform vars x -var a=1=2 --var=b= -var-file f.tfvars --json",
            expect![[
                r#"Vars { folder: "x", options: [Value { name: "a", value: "1=2" }, Value { name: "b", value: "" }, File("f.tfvars")], json: true }"#
            ]],
        );
        check("vars -- -x", expect![[r#"Vars { folder: "-x", options: [], json: false }"#]]);
        check("vars -var", expect!["error: a value is required after -var"]);
        check(
            "vars -var a",
            expect![[r#"error: -var "a" has no equals sign; it is to be -var "name=value""#]],
        );
        check(
            "vars --var-fil a",
            expect![[r#"error: there is no option "--var-fil"; did you mean "var-file"?"#]],
        );
        check("vars a b", expect![[r#"error: there is one folder already, and then "b""#]]);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStringExt as _;
            let broken = ["vars".into(), "-var".into(), OsString::from_vec(b"a=\xff".to_vec())];
            let said = parse(broken.into()).unwrap_err();
            expect!["error: what follows -var is not UTF-8"]
                .assert_eq(said.lines().next().unwrap_or_default());
        }
        let spaced = parse(["vars", "-var", "a =1"].map(Into::into).into()).unwrap_err();
        expect![[r#"error: the name "a " ends with a space; did you mean "a"?"#]]
            .assert_eq(spaced.lines().next().unwrap_or_default());
    }
}
