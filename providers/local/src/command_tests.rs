//! Unit tests of `local_command` in process, with the scenarios of the original's acceptance tests.

use std::fs;
use std::path::PathBuf;

use expect_test::expect;
use ferroform::path;
use ferroform_testing::{Configuration, Harness, config};
use tempfile::TempDir;

use crate::Local;

fn harness() -> Harness {
    Harness::start::<Local>(config! {})
}

/// A shell script in a temporary directory.
fn script(content: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("script.sh");
    fs::write(&path, content).expect("the script");
    (directory, path)
}

/// The exit code, the standard output and the standard error of the data source, after a comparison with the ephemeral
/// resource.
fn outputs(config: impl Fn() -> Configuration) -> (i64, Option<String>, Option<String>) {
    let harness = harness();
    let data = harness.data_source("local_command").read(config());
    let ephemeral = harness.ephemeral_resource("local_command").open(config());
    let of_data = (data.get(path!(exit_code)), data.get(path!(stdout)), data.get(path!(stderr)));
    let of_ephemeral =
        (ephemeral.get(path!(exit_code)), ephemeral.get(path!(stdout)), ephemeral.get(path!(stderr)));
    ephemeral.close();
    assert_eq!(of_data, of_ephemeral);
    of_data
}

/// The error of the data source, after a comparison with that of the ephemeral resource.
fn error(config: impl Fn() -> Configuration) -> String {
    let harness = harness();
    let of_data = harness.data_source("local_command").try_read(config()).error().to_string();
    let of_ephemeral = harness.ephemeral_resource("local_command").try_open(config()).error().to_string();
    assert_eq!(of_data.replace("data source", "ephemeral resource"), of_ephemeral);
    of_data
}

fn text(it: &str) -> Option<String> {
    Some(it.to_owned())
}

#[test]
fn null_arguments_are_omitted_and_stdin_is_passed() {
    let (_directory, path) = script("STDIN=$(cat)\necho \"stdin: $STDIN\"\necho \"args: $#: $@\"\n");
    let config = || {
        let arguments = [path.to_str(), Some("first"), None, Some("second"), Some(""), None];
        config! { command = "bash", stdin = "text", arguments = arguments }
    };
    assert_eq!(outputs(config), (0, text("stdin: text\nargs: 3: first second \n"), None));
}

#[test]
fn stderr_is_returned_with_exit_code_zero() {
    let config = || config! { command = "bash", arguments = ["-c", "echo one >&2; echo two"] };
    assert_eq!(outputs(config), (0, text("two\n"), text("one\n")));
}

#[test]
fn invalid_utf_8_becomes_replacement_characters() {
    let config = || config! { command = "bash", arguments = ["-c", r"printf '\xe2'"] };
    assert_eq!(outputs(config), (0, text("\u{fffd}"), None));
}

#[test]
fn non_zero_exit_code_is_an_error_unless_it_is_allowed() {
    let arguments = ["-c", "echo -n 😏; echo -n 😒 >&2; exit 3"];
    let failed = error(|| config! { command = "/bin/bash", arguments = arguments });
    expect![[r#"
        command: Command Execution Failed: The data source executed the command but received a non-zero exit code. To accept it and use `exit_code` in the configuration, set "allow_non_zero_exit_code" to true.

        Command: /bin/bash -c echo -n 😏; echo -n 😒 >&2; exit 3
        Command Error: 😒
        State: exit status 3"#]].assert_eq(&failed);
    let allowed = || config! { command = "bash", arguments = arguments, allow_non_zero_exit_code = true };
    assert_eq!(outputs(allowed), (3, text("😏"), text("😒")));
    let signal =
        || config! { command = "bash", arguments = ["-c", "kill -9 $$"], allow_non_zero_exit_code = true };
    assert_eq!(outputs(signal).0, -1);
}

#[test]
fn command_runs_in_its_working_directory() {
    let (temporary, path) = script("echo -n \"$PWD\"");
    let directory = fs::canonicalize(temporary.path()).unwrap().display().to_string();
    let config = || config! { command = "/bin/bash", arguments = [&*path], working_directory = &*directory };
    assert_eq!(outputs(config), (0, text(&directory), None));
    let missing = || config! { command = "bash", working_directory = "/definitely/not/a/real/directory" };
    let missing = error(missing);
    assert!(missing.contains("chdir /definitely/not/a/real/directory"), "{missing}");
}

#[test]
fn missing_or_not_executable_command_is_an_error() {
    for allow in [false, true] {
        let missing = error(|| config! { command = "notarealcommand", allow_non_zero_exit_code = allow });
        assert!(missing.contains("Command Lookup Failed"), "{missing}");
        assert!(
            missing.contains("exec: \"notarealcommand\": executable file not found in $PATH"),
            "{missing}"
        );
    }
    let (directory, path) = script("exit 0");
    for command in [path.to_str().unwrap(), directory.path().to_str().unwrap(), "./missing", ""] {
        let failed = error(|| config! { command = command });
        assert!(failed.contains("Command Lookup Failed"), "{command}: {failed}");
    }
}

#[test]
fn large_input_and_output_do_not_block_the_command() {
    let input = "0123456789abcdef".repeat(1 << 16);
    let config = || config! { command = "cat", stdin = &*input };
    assert_eq!(outputs(config), (0, Some(input.clone()), None));
    let unread = || config! { command = "true", stdin = &*input };
    assert_eq!(outputs(unread), (0, None, None));
}

#[test]
fn action_returns_stdout_as_progress() {
    let action = harness().action("local_command");
    let config = config! {
        command = "bash",
        arguments = ["-c", "echo \"VAR1=$VAR1, VAR2=$VAR2, stdin=$(cat)\""],
        stdin = "John",
        environment = { VAR1 = "hello", VAR2 = "world" },
    };
    let done = action.invoke(config);
    assert_eq!(done.progress, ["\n\nVAR1=hello, VAR2=world, stdin=John\n\n"]);
}

#[test]
fn errors_of_the_action_contain_stderr() {
    let action = harness().action("local_command");
    let missing = action.try_plan(config! { command = "notarealcommand" }).error().to_string();
    assert!(missing.contains("exec: \"notarealcommand\": executable file not found"), "{missing}");
    let script = "echo 'an error occurred' >&2; exit 1";
    let outcome = action.try_invoke(config! { command = "bash", arguments = ["-c", script] });
    assert!(outcome.partial().progress.is_empty());
    let failed = outcome.error().to_string();
    assert!(failed.contains("Command Error: an error occurred\n\nState: exit status 1"), "{failed}");
    let failed = action.try_invoke(config! { command = "/bin/bash", arguments = ["-c", "exit 7"] }).error();
    expect![[r#"
        command: Command Execution Failed: The command of the action failed.

        Command: /bin/bash -c exit 7
        Error: exit status 7"#]]
    .assert_eq(&failed.to_string());
}

/// The processes of a command whose shell has started another process are killed together.
#[cfg(unix)]
#[test]
fn canceled_command_is_killed_with_its_child_processes() {
    let (directory, _) = script("");
    let pids = directory.path().join("pids");
    let script = format!("sleep 300 & echo $$ $! > {0}.new; mv {0}.new {0}; wait", pids.display());
    for kind in ["data source", "ephemeral resource", "action"] {
        let harness = harness();
        let _ = fs::remove_file(&pids);
        let (stopping, file) = (harness.clone(), pids.clone());
        let stop = std::thread::spawn(move || {
            wait_until("the command to start", || file.exists());
            stopping.stop();
        });
        let config = config! { command = "bash", arguments = ["-c", &*script] };
        let failed = match kind {
            "data source" => harness.data_source("local_command").try_read(config).error(),
            "ephemeral resource" => harness.ephemeral_resource("local_command").try_open(config).error(),
            _ => harness.action("local_command").try_invoke(config).error(),
        };
        stop.join().unwrap();
        assert!(failed.to_string().contains("Operation Canceled"), "{kind}: {failed}");
        let ids = fs::read_to_string(&pids).unwrap();
        let is_running = |id: &str| {
            let id = rustix::process::Pid::from_raw(id.parse().unwrap()).unwrap();
            rustix::process::test_kill_process(id).is_ok() && !is_zombie(id.as_raw_nonzero().get())
        };
        wait_until(&format!("the processes of the {kind} to exit"), || {
            !ids.split_whitespace().any(is_running)
        });
    }
}

/// True if the process has ended and its parent has not noticed it yet.
#[cfg(unix)]
fn is_zombie(id: i32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|it| it.contains(") Z "))
}

#[cfg(unix)]
fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !condition() {
        assert!(start.elapsed() < std::time::Duration::from_secs(30), "timed out waiting for {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
