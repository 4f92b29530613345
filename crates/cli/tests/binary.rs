//! The binary: its streams, exit codes, colors and JSON output.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::fs;
use std::process::Command;

use expect_test::{Expect, expect};

fn check(args: &[&str], expected: Expect) {
    let folder =
        std::env::temp_dir().join(format!("ferroform-binary-{}-{}", std::process::id(), args.join("_")));
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("main.tf"),
        "variable \"n\" {\n  type = number\n}\nvariable \"t\" {\n  default = \"x\"\n  sensitive = true\n}\n",
    )
    .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    let it = command.args(args).current_dir(&folder).env("TF_VAR_n", "4").output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let string = |it: &[u8]| String::from_utf8(it.to_vec()).unwrap();
    let code = it.status.code().unwrap();
    expected.assert_eq(&format!("{}--\n{}-- {code}\n", string(&it.stdout), string(&it.stderr)));
}

#[test]
fn values_are_printed() {
    check(
        &["vars"],
        expect![[r#"
        n = 4
        t = (sensitive value)
        --
        -- 0
    "#]],
    );
    check(
        &["ferroform", "vars"],
        expect![[r#"
        n = 4
        t = (sensitive value)
        --
        -- 0
    "#]],
    );
    check(
        &["ferroform", "vars", "--json"],
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
        &["ferroform", "vars", "-var", "n=x"],
        expect![[r#"
            --
            error: Invalid value for input variable
             --> -var n:1:1
              |
            1 | x
              | ^
              |
              = The value is not compatible with the variable's type constraint: a number is required. The type is number.

            -- 1
        "#]],
    );
}

#[test]
fn help_and_usage_errors_are_printed() {
    check(
        &["ferroform", "-V"],
        expect![[r#"
        cargo-ferroform 0.1.0
        --
        -- 0
    "#]],
    );
    check(
        &["ferroform", "vars", "--help"],
        expect![[r#"
            Print the values of a module's input variables

            Usage: cargo ferroform vars [OPTIONS] [DIRECTORY]

            Arguments:
              [DIRECTORY]  The directory of the module [default: .]

            Options:
                  --var <NAME=VALUE>  Set a variable; can be repeated
                  --var-file <FILE>   Read values from a file; can be repeated
                  --json              Print JSON, with types
              -h, --help              Print help

            Terraform's precedence applies to the values, from lowest to highest: TF_VAR_… in
            the environment; terraform.tfvars and terraform.tfvars.json in the directory of
            the module; *.auto.tfvars and *.auto.tfvars.json, by name; --var and --var-file, in
            the order of the command line. Options may have one dash or two.

            Sensitive and ephemeral values are never printed. With --json, diagnostics have the
            format of `terraform validate -json` and are printed to the standard error output.
            The exit code is 1 if a declaration or a value is invalid, and 2 if the command line
            is invalid.
            --
            -- 0
        "#]],
    );
    check(
        &["ferroform", "vras"],
        expect![[r#"
            --
            error: unrecognized subcommand 'vras'

              tip: a similar subcommand exists: 'vars'

            Usage: cargo ferroform <COMMAND>

            For more information, try '--help'.
            -- 2
        "#]],
    );
}

#[test]
fn diagnostics_are_json_with_json_option() {
    check(
        &["vars", "-json", "-var", "n=x", "-var", "m=1", "-var", "t=[hush"],
        expect![[r#"
        --
        {"format_version":"1.0","valid":false,"error_count":2,"warning_count":0,"diagnostics":[
        {"severity":"error","summary":"Value for undeclared variable","detail":"The module does not declare a variable named \"m\"."},
        {"severity":"error","summary":"Invalid value for input variable","detail":"The value is not compatible with the variable's type constraint: a number is required. The type is number.","range":{"filename":"-var n","start":{"line":1,"column":1,"byte":0},"end":{"line":1,"column":2,"byte":1}},"snippet":{"context":null,"code":"x","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[]}}]}
        -- 1
    "#]],
    );
}

/// A pipe has no colors, whether `NO_COLOR` is set or not. `CLICOLOR_FORCE` requests them.
#[test]
fn colors_follow_the_environment() {
    let folder = std::env::temp_dir().join(format!("ferroform-colors-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("main.tf"), "variable \"n\" {}\n").unwrap();
    let has_colors = |environment: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
        command.arg("vars").current_dir(&folder).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let output = command.envs(environment.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        output.stderr.contains(&0x1b)
    };
    assert!(!has_colors(&[]));
    assert!(has_colors(&[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colors(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    fs::remove_dir_all(&folder).unwrap();
}
