//! `cargo ferroform dev`: the provider of a package under Terraform or OpenTofu.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

#[expect(dead_code, reason = "Clippy does not check the providers of these tests")]
mod shared_target;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ferroform_testing::cli::Cli;
use shared_target::use_target_directory;
use tempfile::TempDir;

/// Its transcripts are the output of these tests.
const GUIDE: &str = include_str!("../../../docs/dev-command.md");
/// A provider that is compiled without the features of the other packages, which takes half a minute. So the tests with it
/// are end-to-end tests.
const PROVIDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../providers/local/Cargo.toml");

/// Runs the command with a home directory of its own.
fn dev(home: &TempDir, directory: &Path, arguments: &[&str]) -> Output {
    command(home, directory, arguments).output().unwrap()
}

/// The command with a home directory of its own.
fn command(home: &TempDir, directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.arg("dev").args(arguments).current_dir(directory);
    // Cargo keeps its own directories.
    for (name, directory) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        if let (None, Some(home)) = (std::env::var_os(name), std::env::home_dir()) {
            command.env(name, home.join(directory));
        }
    }
    if arguments.contains(&PROVIDER) {
        use_target_directory(&mut command);
    } else {
        // The packages of these tests have the same name, so in a common target directory they would replace each other.
        command.env_remove("CARGO_TARGET_DIR");
    }
    command.env("HOME", home.path()).env("CHECKPOINT_DISABLE", "1");
    command.env_remove("TF_CLI_CONFIG_FILE").env_remove("TF_REATTACH_PROVIDERS");
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A package with the source of its binary.
fn package(name: &str, main: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[workspace]\n");
    fs::write(directory.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(directory.path().join("src")).unwrap();
    fs::write(directory.path().join("src/main.rs"), main).unwrap();
    directory
}

/// The tests whose result depends on the client.
mod client {
    use super::*;

    #[test]
    fn command_runs_with_the_provider_and_the_configuration_of_the_user() {
        let Some(cli) = Cli::for_test() else { return };
        let (home, module) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let user_configuration = "provider_installation {\n  dev_overrides {\n    \"acme/disk\" = \"/no/such/directory\"\n  }\n}\n";
        let file = home.path().join(".terraformrc");
        fs::write(&file, user_configuration).unwrap();
        let main = "terraform {\n  required_providers {\n    local = {\n      source = \"hashicorp/local\"\n    }\n  }\n}\n\
                    resource \"local_file\" \"a\" {\n  filename = \"a.txt\"\n  content  = \"x\"\n}\n";
        fs::write(module.path().join("main.tf"), main).unwrap();
        let program = cli.program().to_str().unwrap();

        // With a change, `-detailed-exitcode` returns 2.
        let arguments =
            ["--manifest-path", PROVIDER, "--", program, "plan", "-no-color", "-detailed-exitcode"];
        let output = dev(&home, module.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let plan = String::from_utf8(output.stdout).unwrap();
        assert!(
            plan.contains("- hashicorp/local in ") && plan.contains("- acme/disk in /no/such/directory"),
            "{plan}"
        );
        assert_eq!(fs::read_to_string(file).unwrap(), user_configuration);

        // Terraform reattaches to the running provider.
        let arguments =
            ["--debug", "--manifest-path", PROVIDER, "--", program, "apply", "-no-color", "-auto-approve"];
        let output = dev(&home, module.path(), &arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(fs::read_to_string(module.path().join("a.txt")).unwrap(), "x");
    }
}

#[test]
fn shell_variable_is_printed_without_a_command() {
    if Cli::for_test().is_none() {
        return;
    }
    let (home, module) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let output = dev(&home, module.path(), &["--manifest-path", PROVIDER]);
    let line = String::from_utf8(output.stdout).unwrap();
    let file = line.strip_prefix("export TF_CLI_CONFIG_FILE='").and_then(|it| it.strip_suffix("'\n"));
    let content = fs::read_to_string(file.unwrap()).unwrap();
    assert!(content.contains("\"registry.opentofu.org/hashicorp/local\" = "), "{content}");

    // A run with a command has a file of its own, which exists until the command ends.
    let script = "test \"$TF_CLI_CONFIG_FILE\" != \"$0\" && test -f \"$TF_CLI_CONFIG_FILE\" && echo \"$TF_CLI_CONFIG_FILE\"";
    let output =
        dev(&home, module.path(), &["--manifest-path", PROVIDER, "--", "sh", "-c", script, file.unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!Path::new(String::from_utf8(output.stdout).unwrap().trim_end()).exists());
}

#[test]
fn failed_builds_and_commands_have_their_exit_codes() {
    let home = tempfile::tempdir().unwrap();
    let broken = package("terraform-provider-disk", "fn main() { missing() }\n");
    let output = dev(&home, broken.path(), &["--", "terraform", "plan"]);
    assert_eq!(output.status.code(), Some(101), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot find function `missing`"), "{}", stderr(&output));

    let other = package("notes", "fn main() {}\n");
    let output = dev(&home, other.path(), &["--", "terraform", "plan"]);
    let message = stderr(&output).lines().find(|it| it.starts_with("error")).unwrap().to_owned();
    assert!(GUIDE.contains(&message) && output.status.code() == Some(1), "{message}");

    let silent = package("terraform-provider-disk", "fn main() {}\n");
    let output = dev(&home, silent.path(), &["--", "terraform", "plan"]);
    assert!(stderr(&output).contains("the provider exited before it was ready"), "{}", stderr(&output));
}

#[test]
fn missing_program_has_the_exit_code_of_a_shell() {
    if Cli::for_test().is_none() {
        return;
    }
    let (home, directory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let output = dev(&home, directory.path(), &["--manifest-path", PROVIDER, "--", "no-such-program"]);
    assert_eq!(output.status.code(), Some(127), "{}", stderr(&output));
}

/// A process that is killed if a test fails.
#[cfg(unix)]
struct Killed(std::process::Child);

#[cfg(unix)]
impl Drop for Killed {
    fn drop(&mut self) {
        drop(self.0.kill());
    }
}

#[cfg(unix)]
#[test]
fn watched_provider_is_built_again_after_each_change() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    // A provider writes its address to the file that the last argument names.
    let source = |text: &str| {
        let variable = "TF_REATTACH_PROVIDERS='{\"example/disk\":{}}'\n";
        format!(
            "fn main() {{\n    std::fs::write(std::env::args().last().unwrap(), {variable:?}).unwrap();\n    {text}\n}}\n"
        )
    };
    let (home, provider) = (tempfile::tempdir().unwrap(), package("terraform-provider-disk", &source("")));
    fs::create_dir(provider.path().join("module")).unwrap();
    let arguments = ["--watch", "--", "sh", "-c", "echo ran", "-chdir=module"];
    let mut command = command(&home, provider.path(), &arguments);
    let mut child = Killed(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    let stderr = BufReader::new(child.0.stderr.take().unwrap());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|it| sender.send(it)));
    let wait_for = |expected: &str| {
        let mut seen = String::new();
        loop {
            match receiver.recv_timeout(Duration::from_secs(120)) {
                Ok(line) if line.contains(expected) => return seen,
                Ok(line) => seen.extend([line.as_str(), "\n"]),
                Err(error) => panic!("{expected:?} was not printed: {error}\n{seen}"),
            }
        }
    };
    let waiting = "Waiting for changes. Press Ctrl-C to exit.";
    wait_for(&format!("Exit code of sh -c 'echo ran' -chdir=module: 0. {waiting}"));
    fs::write(provider.path().join("src/main.rs"), source("missing()")).unwrap();
    wait_for("main.rs has changed");
    let seen = wait_for(&format!("sh -c 'echo ran' -chdir=module was not run. {waiting}"));
    assert!(seen.contains("cannot find function `missing`"), "{seen}");
    fs::write(provider.path().join("src/main.rs"), source("")).unwrap();
    wait_for(": 0. Waiting");
    fs::write(provider.path().join("module/main.tf"), "").unwrap();
    wait_for("main.tf has changed");
    wait_for(": 0. Waiting");
    Command::new("kill").args(["-INT", &child.0.id().to_string()]).status().unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

/// A terminal that is closed sends SIGHUP, and Ctrl-\ sends SIGQUIT. The CLI configuration contains the credentials of the user.
#[cfg(unix)]
#[test]
fn signals_end_the_command_and_remove_its_cli_configuration() {
    use std::thread;
    use std::time::{Duration, Instant};

    let source = "fn main() {\n    let variable = \"TF_REATTACH_PROVIDERS='{\\\"example/disk\\\":{}}'\\n\";\n    \
                  std::fs::write(std::env::args().last().unwrap(), variable).unwrap();\n}\n";
    let (home, provider) = (tempfile::tempdir().unwrap(), package("terraform-provider-disk", source));
    let started = home.path().join("started");
    let arguments =
        ["--", "sh", "-c", "echo \"$TF_CLI_CONFIG_FILE\" > \"$0\"; exec sleep 60", started.to_str().unwrap()];
    // With `nohup`, the process ignores SIGHUP.
    let is_linux = cfg!(target_os = "linux");
    for (signal, is_ignored) in [("HUP", false), ("TERM", false), ("QUIT", false), ("HUP", is_linux)] {
        drop(fs::remove_file(&started));
        let dev = command(&home, provider.path(), &arguments);
        let mut command = Command::new("sh");
        let script = if is_ignored { "trap '' HUP; exec \"$@\"" } else { "exec \"$@\"" };
        command
            .args(["-c", script, "sh"])
            .arg(dev.get_program())
            .args(dev.get_args())
            .current_dir(provider.path());
        for (name, value) in dev.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let mut child = Killed(command.spawn().unwrap());
        let start = Instant::now();
        let file = loop {
            match fs::read_to_string(&started) {
                Ok(it) if it.ends_with('\n') => break it.trim_end().to_owned(),
                _ => assert!(start.elapsed() < Duration::from_secs(120), "the command was not run"),
            }
            thread::sleep(Duration::from_millis(5));
        };
        assert!(Path::new(&file).exists());
        let kill = |signal: &str| {
            Command::new("kill").args([&format!("-{signal}"), &child.0.id().to_string()]).status()
        };
        kill(signal).unwrap();
        if is_ignored {
            thread::sleep(Duration::from_millis(200));
            assert!(Path::new(&file).exists());
            kill("TERM").unwrap();
        }
        assert_eq!(child.0.wait().unwrap().code(), Some(143), "{signal}");
        assert!(!Path::new(&file).exists(), "{signal}");
    }
}

#[test]
fn help_shows_examples() {
    let home = tempfile::tempdir().unwrap();
    let output = dev(&home, home.path(), &["--help"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("cargo ferroform dev -- terraform plan"));
    let output = dev(&home, home.path(), &["--watch"]);
    assert_eq!(output.status.code(), Some(2));
}
