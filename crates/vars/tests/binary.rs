//! The binary: its streams, exit codes, colors and JSON output.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::process::Command;

use expect_test::{Expect, expect};

fn check(args: &[&str], expected: Expect) {
    let directory =
        std::env::temp_dir().join(format!("ferroform-binary-{}-{}", std::process::id(), args.join("_")));
    fs::create_dir_all(&directory).unwrap();
    fs::write(
        directory.join("main.tf"),
        "variable \"n\" {\n  type = number\n}\nvariable \"t\" {\n  default = \"x\"\n  sensitive = true\n}\n",
    )
    .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
    let output = command.args(args).current_dir(&directory).env("TF_VAR_n", "4").output().unwrap();
    fs::remove_dir_all(&directory).unwrap();
    let string = |it: &[u8]| String::from_utf8(it.to_vec()).unwrap();
    let code = output.status.code().unwrap();
    expected.assert_eq(&format!("{}--\n{}-- {code}\n", string(&output.stdout), string(&output.stderr)));
}

#[test]
fn schema_is_printed() {
    check(
        &["-schema"],
        expect![[r#"
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "properties": {
            "n": {
              "pattern": "^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$",
              "type": [
                "number",
                "string",
                "null"
              ]
            },
            "t": {
              "writeOnly": true
            }
          },
          "required": [
            "n"
          ],
          "type": "object"
        }
        --
        -- 0
    "#]],
    );
}

#[test]
fn values_are_printed() {
    check(
        &[],
        expect![[r#"
        n = 4
        t = (sensitive value)
        --
        -- 0
    "#]],
    );
    check(
        &["--json"],
        expect![[r#"
        {
          "n": {"type": "number", "sensitive": false, "value": 4},
          "t": {"type": "string", "sensitive": true}
        }
        --
        -- 0
    "#]],
    );
    check(
        &["-var", "n=x"],
        expect![[r#"
            --
            error: Invalid value for input variable
             --> -var n:1:1
              |
            1 | x
              | ^
              |
              = The value is not compatible with the variable's type constraint: var.n: a number is required. The type is number.

            -- 1
        "#]],
    );
}

#[test]
fn help_and_usage_errors_are_printed() {
    check(
        &["-V"],
        expect![[r#"
        ferroform-vars 0.1.0
        --
        -- 0
    "#]],
    );
    check(
        &["--help"],
        expect![[r#"
            Check the input variables and module calls of Terraform modules, without Terraform

            Usage: ferroform-vars [OPTIONS] [DIRECTORY]...

            Arguments:
              [DIRECTORY]...  The directory of the module; with --check, directories or patterns [default: .]

            Options:
                  --check                     Check declarations and module calls, without values for required variables
                  --watch                     Check again after each change of a file
                  --recursive                 Check all modules in the directories
                  --environment <PATTERN>     Check the values of each file that matches, such as 'envs/*.tfvars'; can be repeated
                  --language-server           Start a language server for .tfvars files: diagnostics, hover and completion
                  --var <NAME=VALUE>          Set a variable; can be repeated
                  --var-file <FILE>           Read values from a file; can be repeated
                  --target-version <VERSION>  The version of Terraform or OpenTofu: 1.11, opentofu-1.10
                  --undeclared-as-errors      Report values for undeclared variables as errors
                  --unevaluated-as-errors     Report validations and arguments of module calls that cannot be evaluated as errors
                  --warnings-as-errors        Report all other warnings as errors
                  --strict                    Enable the three options above
                  --format <FORMAT>           The format of the output [default: text] [possible values: text, json, sarif, github, junit]
                  --json                      Print JSON, with types; the same as --format=json
                  --explain                   Print the source of each value, and the changes made to it
                  --table[=<FILE>]            Print a table of inputs in Markdown, or update it in a file of the module's directory
                  --table-check <FILE>        Check that the table in a file of the module's directory is up to date
                  --schema                    Print the JSON Schema of the input variables
                  --chdir <DIRECTORY>         Change to this directory first
                  --no-color                  Disable colored output
                  --completions <SHELL>       Print a shell completion script [possible values: bash, elvish, fish, powershell, zsh]
              -h, --help                      Print help
              -V, --version                   Print version

            Terraform's precedence applies to the values, from lowest to highest: TF_VAR_… in
            the environment; terraform.tfvars and terraform.tfvars.json in the directory of
            the module; *.auto.tfvars and *.auto.tfvars.json, by name; --var and --var-file, in
            the order of the command line. Options may have one dash or two.

            Without --target-version, the module is evaluated as by the latest version that satisfies
            its required_version.

            Sensitive and ephemeral values are never printed. With --json, diagnostics have the
            format of `terraform validate -json` and are printed to standard error.

            Examples:
              ferroform-vars --check --recursive --environment 'envs/*.tfvars'
              ferroform-vars --var region=eu --var-file live.tfvars modules/network
              ferroform-vars --strict --json --target-version opentofu-1.10
              ferroform-vars --format sarif modules/network > network.sarif
              ferroform-vars --table=README.md modules/network

            The exit code is 1 if there are errors, and 2 if the command line is invalid.
            --
            -- 0
        "#]],
    );
}

/// The exit codes in `README.md`.
#[test]
fn exit_code_is_1_for_errors_and_2_for_usage_errors() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf"), "variable \"a\" {\n  default = 1\n}\n").unwrap();
    for (args, code) in [
        (&[][..], 0),
        (&["-check", "-recursive"], 0),
        (&["-schema"], 0),
        (&["-explain", "-unevaluated-as-errors"], 0),
        (&["-var", "b=1"], 1),
        (&["-var-file=none.tfvars"], 1),
        (&["-table-check=README.md"], 1),
        (&["-check", "none/*"], 1),
        (&["-check", "-environment=*.tfvars", "-format=sarif"], 1),
        (&["none"], 1),
        (&["-none"], 2),
        (&["-format=xml"], 2),
        (&["-watch"], 2),
        (&["a", "b"], 2),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
        let output = command.args(args).current_dir(directory.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
    }
}

#[test]
fn diagnostics_are_json_with_json_option() {
    check(
        &["-json", "-var", "n=x", "-var", "m=1", "-var", "t=[hush"],
        expect![[r#"
            --
            {"format_version":"1.0","valid":false,"error_count":2,"warning_count":0,"diagnostics":[
            {"severity":"error","summary":"Value for undeclared variable","detail":"The module does not declare a variable named \"m\"."},
            {"severity":"error","summary":"Invalid value for input variable","detail":"The value is not compatible with the variable's type constraint: var.n: a number is required. The type is number.","range":{"filename":"-var n","start":{"line":1,"column":1,"byte":0},"end":{"line":1,"column":2,"byte":1}},"snippet":{"context":null,"code":"x","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[]}}]}
            -- 1
        "#]],
    );
}

/// Errors of the command line are JSON as well, wherever the option is.
#[test]
fn usage_errors_are_json_with_json_option() {
    check(
        &["--no-such-option", "-json"],
        expect![[r#"
        --
        {"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[
        {"severity":"error","summary":"Invalid command line","detail":"unexpected argument '--no-such-option' found"}]}
        -- 2
    "#]],
    );
    check(
        &["-json", "-var", "x"],
        expect![[r#"
        --
        {"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[
        {"severity":"error","summary":"Invalid command line","detail":"invalid value 'x' for '--var \u003cNAME=VALUE\u003e': expected name=value"}]}
        -- 2
    "#]],
    );
    check(
        &["-json", "-target-version", "latest"],
        expect![[r#"
        --
        {"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[
        {"severity":"error","summary":"Invalid command line","detail":"invalid value 'latest' for '--target-version \u003cVERSION\u003e': expected a version such as 1.11, 1.11.4 or opentofu-1.10"}]}
        -- 2
    "#]],
    );
    // The value of an option is not an option.
    check(
        &["-var", "-json"],
        expect![[r#"
        --
        error: invalid value '-json' for '--var <NAME=VALUE>': expected name=value

        For more information, try '--help'.
        -- 2
    "#]],
    );
}

#[test]
fn working_directory_is_switched() {
    let directory = std::env::temp_dir().join(format!("ferroform-chdir-{}", std::process::id()));
    fs::create_dir_all(directory.join("modules/web")).unwrap();
    fs::write(directory.join("modules/web/main.tf"), "variable \"n\" {\n  type = number\n}\n").unwrap();
    fs::write(directory.join("modules/n.tfvars"), "n = \"x\"\n").unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
        let output = command.args(args).current_dir(&directory).env_remove("TF_VAR_n").output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    // Paths are relative to the directory of the option, also in diagnostics.
    for (args, expected) in [
        (&["-chdir=modules", "-var-file=n.tfvars", "web"][..], " --> n.tfvars:1:5\n"),
        (&["-chdir=modules/web", "-var-file=../n.tfvars"], " --> ../n.tfvars:1:5\n"),
    ] {
        let stderr = run(args);
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
    let stderr = run(&["-chdir", "modules", "web"]);
    assert!(stderr.contains(" --> web/main.tf:1:1\n"), "{stderr}");
    // A path below the working directory is printed relative to it.
    let absolute = directory.canonicalize().unwrap().join("modules/web");
    let stderr = run(&[absolute.to_str().unwrap()]);
    assert!(stderr.contains(" --> modules/web/main.tf:1:1\n"), "{stderr}");
    for (args, expected) in [(&["-chdir=none"][..], " = none: "), (&["-chdir=none", "web"], " = none/web: ")]
    {
        let stderr = run(args);
        assert!(stderr.contains("Failed to read module directory"), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
    fs::remove_dir_all(&directory).unwrap();
}

/// Files whose names are not encoded in UTF-8 are part of the module.
#[cfg(unix)]
#[test]
fn file_names_can_contain_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let directory = std::env::temp_dir().join(format!("ferroform-names-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    if fs::write(directory.join(name(b"caf\xe9.tf")), "variable \"a\" {}\nvariable \"b\" {}\n").is_err() {
        // The file system requires UTF-8, so there are no such files.
        return;
    }
    fs::write(directory.join(name(b"\xff.auto.tfvars")), "a = 1\n").unwrap();
    fs::write(directory.join(name(b"x\xff.tfvars")), "b = [\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
    command.args(["-var", "b=2"]).current_dir(&directory);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a = 1\nb = \"2\"\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
    command.args([name(b"-var-file"), name(b"x\xff.tfvars")]).current_dir(&directory);
    let stderr = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(stderr.contains(" --> x\u{fffd}.tfvars:2:1\n"), "{stderr}");
    fs::remove_dir_all(&directory).unwrap();
}

/// `ferroform-vars | head -1` closes the pipe before the output ends.
#[test]
fn closed_pipe_is_not_an_error() {
    use std::io::Read as _;
    let directory = std::env::temp_dir().join(format!("ferroform-pipe-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let elements = "\"some element\", ".repeat(50_000);
    fs::write(directory.join("main.tf"), format!("variable \"a\" {{\n  default = [{elements}]\n}}\n"))
        .unwrap();
    for args in [["-json"], ["-strict"], ["--no-such-option"], ["--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
        command.args(args).current_dir(&directory);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let _ = stdout.read(&mut [0; 16]).unwrap();
        drop(stdout);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let code = child.wait().unwrap().code();
        assert!(matches!(code, Some(0 | 2)) && !stderr.contains("panicked"), "{args:?}: {code:?} {stderr}");
    }
    fs::remove_dir_all(&directory).unwrap();
}

/// A pipe has no colors, whether `NO_COLOR` is set or not. `CLICOLOR_FORCE` requests them.
#[test]
fn colors_follow_the_environment() {
    let directory = std::env::temp_dir().join(format!("ferroform-colors-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("main.tf"), "variable \"n\" {}\n").unwrap();
    let has_colors = |environment: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
        command.current_dir(&directory).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let output = command.envs(environment.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        output.stderr.contains(&0x1b)
    };
    assert!(!has_colors(&[]));
    assert!(has_colors(&[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colors(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
    command.args(["-no-color"]).current_dir(&directory).env("CLICOLOR_FORCE", "1");
    assert!(!command.output().unwrap().stderr.contains(&0x1b));
    fs::remove_dir_all(&directory).unwrap();
}

/// Bash completes options with the printed script.
#[cfg(unix)]
#[test]
fn bash_completes_options() {
    let script = r#"
        source <("$0" --completions bash)
        COMP_WORDS=(ferroform-vars --tar)
        COMP_CWORD=1
        complete=$(complete -p ferroform-vars)
        [[ $complete =~ -F\ ([^\ ]*) ]]
        "${BASH_REMATCH[1]}" ferroform-vars --tar ferroform-vars
        echo "${COMPREPLY[@]}"
    "#;
    let output =
        Command::new("bash").args(["-c", script, env!("CARGO_BIN_EXE_ferroform-vars")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "--target-version\n", "{output:?}");
}

/// Write errors other than a closed pipe are reported, so that a script does not accept truncated output.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_error() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf"), "variable \"a\" {\n  default = 1\n}\n").unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
    let output = command
        .current_dir(directory.path())
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: cannot write the output: "), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
}

/// The hooks of pre-commit run with a module in the working directory, and with `args` that select another directory.
#[test]
fn pre_commit_hooks_run() {
    use saphyr::{LoadableYamlNode as _, Yaml};
    let documents = Yaml::load_from_str(include_str!("../../../.pre-commit-hooks.yaml")).unwrap();
    let [Yaml::Sequence(hooks)] = &*documents else { panic!("one list of hooks") };
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("web")).unwrap();
    for module in ["main.tf", "web/main.tf"] {
        fs::write(directory.path().join(module), "variable \"a\" {\n  default = 1\n}\n").unwrap();
    }
    for hook in hooks {
        let text = |name: &str| hook.as_mapping_get(name).and_then(Yaml::as_str).unwrap();
        assert!(!text("name").is_empty() && !text("description").is_empty() && !text("files").is_empty());
        assert_eq!(text("language"), "system");
        let entry: Vec<&str> = text("entry").split(' ').collect();
        assert_eq!(entry[0], "ferroform-vars");
        for args in [&[][..], &["web"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
            let output = command.args(&entry[1..]).args(args).current_dir(directory.path()).output().unwrap();
            assert!(output.status.success(), "{entry:?}: {output:?}");
        }
    }
    assert!(directory.path().join("README.md").exists() && directory.path().join("web/README.md").exists());
}

/// Sends messages to the language server. Returns its outputs and its exit code.
fn serve(input: &[u8]) -> String {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
    let command = command.arg("-language-server").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let string = |it: &[u8]| String::from_utf8(it.to_vec()).unwrap().replace('\r', "");
    format!("{}--\n{}-- {}\n", string(&output.stdout), string(&output.stderr), output.status.code().unwrap())
}

#[test]
fn language_server_reads_and_writes_messages() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("main.tf"), "variable \"n\" {\n  type = number\n}\n").unwrap();
    let path = directory.path().join("a.tfvars").to_str().unwrap().replace('\\', "/");
    let uri = format!("file:///{}", path.trim_start_matches('/'));
    let messages = [
        r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"capabilities":{}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#.to_owned(),
        format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","text":"n = true"}}}}}}"#
        ),
        format!(
            r#"{{"jsonrpc":"2.0","id":"b","method":"textDocument/hover","params":{{"textDocument":{{"uri":"{uri}"}},"position":{{"line":0,"character":0}}}}}}"#
        ),
        r#"{"jsonrpc":"2.0","id":"c","method":"shutdown"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"exit"}"#.to_owned(),
    ];
    let input: String =
        messages.iter().map(|it| format!("Content-Length: {}\r\n\r\n{it}", it.len())).collect();
    let output = serve(input.as_bytes());
    assert!(output.contains(r#""positionEncoding":"utf-16""#), "{output}");
    assert!(output.contains("n: number"), "{output}");
    assert!(output.contains("\n\n{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"result\":null}"), "{output}");
    assert!(output.ends_with("--\n-- 0\n"), "{output}");
}

#[test]
fn language_server_reports_invalid_messages() {
    assert_eq!(serve(b""), "--\n-- 1\n");
    assert_eq!(
        serve(b"Content-Length: x\r\n\r\n"),
        "--\nerror: cannot read the messages of the editor: invalid digit found in string\n-- 1\n"
    );
    assert!(serve(b"Content-Length: 1\r\n\r\n{").ends_with("-- 1\n"));
}
