//! `cargo ferroform new`: the files of a project, and a project that is built, tested and applied.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

mod shared_target;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use expect_test::{Expect, expect};
use ferroform_testing::cli::{Cli, Feature};
use shared_target::{deny_warnings_of_clippy, target_directory, use_target_directory};

/// Its transcripts are the output of these tests.
const GUIDE: &str = include_str!("../../../docs/new-command.md");
const PUBLISHING: &str = include_str!("../../../docs/publishing.md");
const TUTORIAL: &str = include_str!("../../../docs/tutorial.md");
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn ferroform(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.args(arguments).current_dir(directory).output().unwrap()
}

fn check(directory: &Path, arguments: &[&str], expected_code: i32, expected: Expect) {
    let output = ferroform(directory, arguments);
    let string = |bytes| String::from_utf8(bytes).unwrap();
    expected.assert_eq(&format!("{}--\n{}", string(output.stdout), string(output.stderr)));
    assert_eq!(output.status.code(), Some(expected_code));
}

/// Runs a command of a page, which contains its output.
fn check_guide(directory: &Path, page: &str, command_line: &str, expected_code: i32) {
    let arguments: Vec<&str> = command_line.split_whitespace().skip(2).collect();
    let output = ferroform(directory, &arguments);
    let string = |bytes| String::from_utf8(bytes).unwrap();
    let text = format!("{}{}", string(output.stdout), string(output.stderr));
    assert!(page.contains(&format!("```text\n$ {command_line}\n{text}```\n")), "{text}");
    assert_eq!(output.status.code(), Some(expected_code));
}

/// Runs a command, which must succeed, and returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
    stdout
}

/// Returns true if Cargo has the subcommand. Tests that require real clients also require it.
fn has_cargo_command(name: &str) -> bool {
    let output = Command::new(env!("CARGO")).args([name, "--version"]).output().unwrap();
    let is_required = std::env::var_os("FERROFORM_E2E").is_some_and(|it| it == "required");
    assert!(output.status.success() || !is_required, "cargo {name} is not installed");
    output.status.success()
}

/// The files in a directory and below it.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
    entries.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

/// Is locked by one project at a time: Cargo does not lock the target directory while it compiles examples of
/// documentation.
static TARGET_DIRECTORY: Mutex<()> = Mutex::new(());

/// A project in the target directory of this workspace, with its build artifacts.
struct Project {
    directory: PathBuf,
    _lock: MutexGuard<'static, ()>,
}

impl Project {
    /// Creates a project that depends on this repository.
    fn new(name: &str, options: &[&str]) -> Project {
        let lock = TARGET_DIRECTORY.lock().unwrap_or_else(PoisonError::into_inner);
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new");
        let directory = parent.join(format!("terraform-provider-{name}"));
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        fs::create_dir_all(&parent).unwrap();
        let mut arguments = vec!["new", name, "--path", REPOSITORY];
        arguments.extend(options);
        let output = ferroform(&parent, &arguments);
        let warnings = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{warnings}");
        // By default, the target directory is inside this workspace, and the project is not a member.
        let is_inside =
            directory.canonicalize().unwrap().starts_with(Path::new(REPOSITORY).canonicalize().unwrap());
        let is_reported = warnings.contains("Cargo.toml is a workspace: add the project to its members");
        assert_eq!(is_reported, is_inside, "{warnings}");
        let manifest = fs::read_to_string(directory.join("Cargo.toml")).unwrap();
        fs::write(directory.join("Cargo.toml"), format!("{manifest}\n[workspace]\n")).unwrap();
        // With the versions of this workspace, no dependency is downloaded.
        fs::copy(Path::new(REPOSITORY).join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
        Project { directory, _lock: lock }
    }

    /// Runs a program in the project, and returns its output.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        self.run_with(program, arguments, |_| {})
    }

    fn run_with(&self, program: &str, arguments: &[&str], configure: impl FnOnce(&mut Command)) -> String {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.directory);
        use_target_directory(&mut command);
        command.env("CARGO_NET_OFFLINE", "true").env("CHECKPOINT_DISABLE", "1");
        // The CLI configuration of the user, whose providers are not needed.
        command.env_remove("TF_CLI_CONFIG_FILE");
        configure(&mut command);
        run(&mut command)
    }
}

/// The tests whose result depends on the client.
mod client {
    use super::*;

    #[test]
    fn generated_provider_lifecycle() {
        let Some(cli) = Cli::for_test() else { return };
        let project = Project::new("notes", &["--address", "acme/notes", "--license", "MIT-OR-Apache-2.0"]);
        let tests = project.run(env!("CARGO"), &["test"]);
        for test in ["note_lifecycle", "note_is_created_updated_and_replaced", "stored_states_can_be_read"] {
            assert!(tests.contains(&format!("test {test} ... ok")), "{tests}");
        }
        if has_cargo_command("clippy") {
            project.run(env!("CARGO"), &["clippy", "--all-targets", "--", "-D", "warnings"]);
        }

        // The tests have built the binary.
        let binary = target_directory()
            .join(format!("debug/terraform-provider-notes{}", std::env::consts::EXE_SUFFIX));
        let docs = ["docs", binary.to_str().unwrap()];
        let pages = project.run(env!("CARGO_BIN_EXE_cargo-ferroform"), &docs);
        let transcript =
            format!("$ cargo ferroform docs target/debug/terraform-provider-notes\n{pages}```\n");
        assert!(PUBLISHING.contains(&transcript), "{pages}");
        project.run(env!("CARGO_BIN_EXE_cargo-ferroform"), &[&docs[..], &["--check"]].concat());

        let program = cli.program().to_str().unwrap();
        // Older versions do not parse calls of provider-defined functions.
        if cli.supports(Feature::ProviderFunctions).unwrap() {
            project.run(program, &["fmt", "-check", "-recursive", "examples"]);
        }
        let arguments = ["dev", "--", program, "-chdir=examples/quickstart", "apply", "-auto-approve"];
        let output = project.run(env!("CARGO_BIN_EXE_cargo-ferroform"), &arguments);
        assert!(output.contains("todo = \"Write a provider\""), "{output}");
        let note = project.directory.join("examples/quickstart/notes/todo.txt");
        assert_eq!(fs::read_to_string(note).unwrap(), "Write a provider");

        release_is_installed_from_mirror(&project, &binary, &cli);
    }

    /// The steps of the page about publishing, with a binary that is already built.
    fn release_is_installed_from_mirror(project: &Project, binary: &Path, cli: &Cli) {
        let prebuilt = project.directory.join("bin").join(platform());
        fs::create_dir_all(&prebuilt).unwrap();
        fs::copy(binary, prebuilt.join("terraform-provider-notes")).unwrap();
        let dist = format!("--tag v0.1.0 --platform {} --out dist --mirror mirror", platform());
        assert!(
            PUBLISHING
                .contains(&format!("$ cargo ferroform dist {}\n", dist.replace(&platform(), "linux_amd64")))
        );
        let mut arguments = vec!["dist", "--prebuilt", "bin", "--no-sign"];
        arguments.extend(dist.split(' '));
        let output = project.run(env!("CARGO_BIN_EXE_cargo-ferroform"), &arguments);
        for line in output.replace(&platform(), "linux_amd64").lines() {
            // The binary of the page is a static one, which the tests do not build.
            let line = match line.split_once(": verified: ") {
                Some((archive, _)) => format!("{archive}: verified: ELF, x86-64, statically linked"),
                None => line.to_owned(),
            };
            assert!(PUBLISHING.contains(&format!("\n{line}\n")), "{line}");
        }

        // The files of the page.
        let module = project.directory.join("mirror/module");
        fs::create_dir(&module).unwrap();
        let code = |start: &str| {
            let code = PUBLISHING.split("```hcl\n").find(|it| it.starts_with(start)).unwrap();
            code.split("```").next().unwrap().to_owned()
        };
        let mirror = project.directory.join("mirror");
        let configuration =
            code("provider_installation").replace("/home/me/mirror", mirror.to_str().unwrap());
        fs::write(module.join("mirror.tfrc"), configuration).unwrap();
        fs::write(module.join("main.tf"), code("terraform {")).unwrap();
        for arguments in [&["init"][..], &["apply", "-auto-approve"]] {
            let mut command = Command::new(cli.program());
            command.args(arguments).arg("-no-color").arg("-input=false").current_dir(&module);
            run(command.env("TF_CLI_CONFIG_FILE", module.join("mirror.tfrc")).env("CHECKPOINT_DISABLE", "1"));
        }
        assert_eq!(fs::read_to_string(module.join("notes/todo.txt")).unwrap(), "Publish a provider");
    }
}

/// The name of the platform on which the tests run, such as `linux_amd64`.
fn platform() -> String {
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        arch => arch,
    };
    format!("{os}_{arch}")
}

#[test]
fn provider_with_protocol_5_of_a_private_registry_passes_its_tests() {
    if Cli::for_test().is_none() {
        return;
    }
    let options = ["--protocol", "5", "--address", "terraform.example.com:8443/acme/big-cloud"];
    let project = Project::new("big-cloud", &options);
    let tests = project.run(env!("CARGO"), &["test"]);
    assert!(tests.contains("test note_lifecycle ... ok"), "{tests}");
}

#[test]
fn other_templates_pass_their_tests_and_checks() {
    // An end-to-end test, because the dependencies of the templates take half a minute.
    if Cli::for_test().is_none() {
        return;
    }
    let templates: [(&str, &[&str], &[&str]); 2] = [
        (
            "blank",
            &["--empty"],
            &["provider_is_configured", "provider_is_started", "stored_states_can_be_read"],
        ),
        (
            "remote",
            &["--template", "http"],
            &[
                "segments_of_paths_are_encoded",
                "note_is_created_updated_and_replaced",
                "errors_of_the_api_do_not_contain_the_token",
                "note_lifecycle",
            ],
        ),
    ];
    for (name, options, tests) in templates {
        let project = Project::new(name, options);
        // The dependencies of the template are not those of a provider without one.
        let output = project.run_with(env!("CARGO"), &["test", "--all-targets"], |cargo| {
            if has_cargo_command("clippy") {
                deny_warnings_of_clippy(cargo);
            }
        });
        for test in tests {
            assert!(output.contains(&format!("{test} ... ok")), "{output}");
        }
        let binary = target_directory()
            .join(format!("debug/terraform-provider-{name}{}", std::env::consts::EXE_SUFFIX));
        let pages = project.run(env!("CARGO_BIN_EXE_cargo-ferroform"), &["docs", binary.to_str().unwrap()]);
        assert!(pages.contains("wrote index.md\n"), "{pages}");
    }
}

/// The crates of a project with their features.
fn crates_with_features(project: &Project, kinds: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--edges", kinds, "--prefix", "none", "--format", "{p} [{f}]"];
    let lines = project.run(env!("CARGO"), &arguments);
    lines.lines().map(|it| it.trim_end_matches(" (*)").replace(" (proc-macro)", "")).collect()
}

/// A crate with other features would be compiled again when an HTTP client is added, or for the tests.
#[test]
fn features_of_crates_do_not_depend_on_http_client_and_tests() {
    let empty = Project::new("features", &["--empty"]);
    let normal = crates_with_features(&empty, "normal,build");
    let with_tests = crates_with_features(&empty, "normal,build,dev");
    drop(empty);
    let http = Project::new("features", &["--template", "http"]);
    let with_http = crates_with_features(&http, "normal,build");
    let missing = |other: &BTreeSet<String>| -> Vec<String> {
        normal.difference(other).filter_map(|it| it.split(' ').next().map(str::to_owned)).collect()
    };
    assert_eq!(missing(&with_http), Vec::<String>::new());
    // The feature `client`.
    assert_eq!(missing(&with_tests), ["ferroform-proto", "ferroform-server"]);
    // The functions of Terraform's language need them. Only the test kit has these functions.
    for name in ["regex-automata ", "time "] {
        assert!(!normal.iter().any(|it| it.starts_with(name)), "{name}");
    }
}

#[test]
fn empty_project_contains_no_notes() {
    let directory = tempfile::tempdir().unwrap();
    check_guide(directory.path(), GUIDE, "cargo ferroform new cloud --empty --dry-run", 0);
    let output = ferroform(directory.path(), &["new", "cloud", "--empty", "--vcs", "none"]);
    assert!(output.status.success());
    for file in files(&directory.path().join("terraform-provider-cloud")) {
        let content = fs::read_to_string(&file).unwrap();
        // The workflow generates release notes.
        let content = content.replace("--generate-notes", "");
        assert!(!content.to_lowercase().contains("note"), "{}", file.display());
    }
    let both = ferroform(directory.path(), &["new", "cloud", "--empty", "--template", "http"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn generated_code_is_formatted() {
    if !has_cargo_command("fmt") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let long = "a-provider-with-quite-a-long-name";
    let host = "a-private-registry-of-a-large-company.example.com";
    for (name, address, protocol) in
        [("self", "acme/self".to_owned(), "5"), (long, format!("{host}/acme/{long}"), "6")]
    {
        for template in ["notes", "http", "empty"] {
            let project = format!("{name}-{template}");
            let options = ["--address", &address, "--protocol", protocol, "--path", REPOSITORY];
            let place = ["--template", template, "--directory", &project];
            let output = ferroform(directory.path(), &[&["new", name][..], &options, &place].concat());
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let mut command = Command::new(env!("CARGO"));
            command.args(["fmt", "--check"]).current_dir(directory.path().join(project));
            run(&mut command);
        }
    }
}

#[test]
fn commands_of_the_guide_print_its_transcripts() {
    let directory = tempfile::tempdir().unwrap();
    check_guide(directory.path(), GUIDE, "cargo ferroform new notes --dry-run", 0);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    check_guide(directory.path(), GUIDE, "cargo ferroform new terraform-provider-notes", 2);
    let create = "cargo ferroform new notes --address acme/notes --license MPL-2.0";
    let source = "--git https://github.com/ferroform/ferroform";
    check_guide(directory.path(), GUIDE, &format!("{create} {source}"), 0);
    check_guide(directory.path(), GUIDE, "cargo ferroform new notes", 1);
}

/// The program of the tutorial has the files of the project that the tutorial creates, and more.
#[test]
fn tutorial_starts_with_an_empty_project() {
    let directory = tempfile::tempdir().unwrap();
    let source = "--git https://github.com/ferroform/ferroform";
    let create = "cargo ferroform new directory --empty --address acme/directory --license MPL-2.0";
    check_guide(directory.path(), TUTORIAL, &format!("{create} {source}"), 0);
    let project = directory.path().join("terraform-provider-directory");
    let program = Path::new(REPOSITORY).join("examples/http_api");
    for file in ["src", "tests"].map(|it| files(&project.join(it))).concat() {
        let file = file.strip_prefix(&project).unwrap();
        assert!(program.join(file).is_file(), "{}", file.display());
    }
    // The tutorial does not change them.
    for file in ["src/main.rs", "tests/schema_lock.rs"] {
        let read = |directory: &Path| fs::read_to_string(directory.join(file)).unwrap();
        assert_eq!(read(&program), read(&project), "{file}");
    }
}

/// The commands of the tutorial add the dependencies of its program.
#[test]
fn tutorial_adds_the_dependencies_of_its_program() {
    let manifest = fs::read_to_string(Path::new(REPOSITORY).join("examples/http_api/Cargo.toml")).unwrap();
    let commands: Vec<&str> = TUTORIAL.lines().filter_map(|it| it.strip_prefix("cargo add ")).collect();
    for (command, options) in commands.iter().map(|it| (it, it.split_once("--features "))) {
        let (crates, features) = options.unwrap_or((command, ""));
        for name in crates.split_whitespace().filter(|it| !it.starts_with("--")) {
            let dependency = manifest.lines().find(|it| it.starts_with(&format!("{name} = ")));
            let dependency = dependency.unwrap_or_else(|| panic!("{name} is not a dependency"));
            for feature in features.split(',') {
                assert!(dependency.contains(feature), "{name}: {feature}");
            }
        }
    }
    assert_eq!(commands.len(), 6);
}

#[test]
fn repository_is_initialized_unless_the_project_is_in_one() {
    let directory = tempfile::tempdir().unwrap();
    let new = |name: &str, options: &[&str]| {
        let output = ferroform(directory.path(), &[&["new", name][..], options].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        directory.path().join(format!("terraform-provider-{name}"))
    };
    let project = new("notes", &[]);
    assert!(project.join(".git").is_dir());
    let inside = project.join("nested");
    new("disk", &["--directory", inside.to_str().unwrap()]);
    assert!(inside.join("Cargo.toml").is_file() && !inside.join(".git").exists());
    assert!(!new("cloud", &["--vcs", "none"]).join(".git").exists());
}

#[test]
fn project_is_created_in_the_working_directory_without_git() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.args(["new", "notes", "--directory", "."]).current_dir(directory.path()).env("PATH", "");
    let output = command.output().unwrap();
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(
        warning.starts_with("warning: .: the Git repository was not initialized: cannot run git: "),
        "{warning}"
    );
    let message = String::from_utf8(output.stdout).unwrap();
    assert!(
        message.starts_with("Created the provider example/notes in .\n\nNext steps:\n  cargo test\n"),
        "{message}"
    );
    assert!(output.status.success() && directory.path().join("Cargo.toml").is_file());
}

#[test]
fn dependencies_and_licenses_are_selected() {
    let directory = tempfile::tempdir().unwrap();
    let url = "https://github.com/ferroform/ferroform";
    ferroform(directory.path(), &["new", "notes", "--git", url, "--license", "MIT OR Apache-2.0"]);
    let read = |name: &str| {
        fs::read_to_string(directory.path().join("terraform-provider-notes").join(name)).unwrap()
    };
    assert!(read("Cargo.toml").contains(&format!("\nferroform = {{ git = \"{url}\" }}\n")));
    assert!(read("Cargo.toml").contains("\nlicense = \"MIT OR Apache-2.0\"\n"));
    assert!(read("LICENSE-MIT").contains("Copyright (c) The terraform-provider-notes authors"));
    assert!(read("LICENSE-APACHE").contains("Version 2.0, January 2004"));

    ferroform(directory.path(), &["new", "disk"]);
    let manifest = fs::read_to_string(directory.path().join("terraform-provider-disk/Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("\nferroform = \"{}\"\n", env!("CARGO_PKG_VERSION"))), "{manifest}");
    assert!(!manifest.contains("license") && !manifest.contains("{{"), "{manifest}");
}

#[test]
fn templates_contain_no_unknown_variables() {
    let directory = tempfile::tempdir().unwrap();
    let options = ["--vcs", "none", "--license", "MIT OR Apache-2.0"];
    for template in ["notes", "http", "empty"] {
        let place = ["--template", template, "--directory", template];
        ferroform(directory.path(), &[&["new", "notes"][..], &options, &place].concat());
    }
    let files = files(directory.path());
    assert!(files.len() > 60, "{files:?}");
    for file in files {
        let content = fs::read_to_string(&file).unwrap();
        // Expressions of workflows and templates of the documentation begin with a space.
        let unknown =
            content.split("{{").skip(1).find(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()));
        assert_eq!(unknown, None, "{}", file.display());
    }
}

#[test]
fn workflows_install_the_command_from_the_source_of_the_crates() {
    let directory = tempfile::tempdir().unwrap();
    let url = "https://github.com/ferroform/ferroform";
    ferroform(directory.path(), &["new", "notes", "--git", url]);
    ferroform(directory.path(), &["new", "disk"]);
    for (name, install) in [
        ("notes", format!("cargo install --locked --git {url} cargo-ferroform")),
        ("disk", format!("cargo install --locked cargo-ferroform --version {}", env!("CARGO_PKG_VERSION"))),
    ] {
        let workflows = directory.path().join(format!("terraform-provider-{name}/.github/workflows"));
        let ci = fs::read_to_string(workflows.join("ci.yml")).unwrap();
        assert!(ci.contains(&format!("      - run: {install}\n")), "{ci}");
        assert!(
            ci.contains(&format!("cargo ferroform docs --check target/debug/terraform-provider-{name}\n")),
            "{ci}"
        );
        let release = fs::read_to_string(workflows.join("release.yml")).unwrap();
        assert!(release.contains(&format!("      - run: {install}\n")), "{release}");
    }
}

#[test]
fn errors_name_the_option() {
    let directory = tempfile::tempdir().unwrap();
    check(
        directory.path(),
        &["new", "notes", "--address", "acme/disk"],
        2,
        expect![[r#"
        --
        error: invalid value 'acme/disk' for '--address <ADDRESS>': the last part must be the name "notes"

        For more information, try '--help'.
    "#]],
    );
    check(
        directory.path(),
        &["new", "notes", "--path", "missing"],
        1,
        expect![[r#"
        --
        error: missing: --path is not a clone of the repository of Ferroform
    "#]],
    );
    check(
        directory.path(),
        &["new", "notes", "--license", "GPL-2.0"],
        2,
        expect![[r#"
        --
        error: invalid value 'GPL-2.0' for '--license <LICENSE>'
          [possible values: MIT, Apache-2.0, MPL-2.0, MIT-OR-Apache-2.0, none]

          tip: a similar value exists: 'MPL-2.0'

        For more information, try '--help'.
    "#]],
    );
    fs::write(directory.path().join("file"), "").unwrap();
    check(
        directory.path(),
        &["new", "notes", "--directory", "file/notes"],
        1,
        expect![[r#"
        --
        error: file: not a directory
    "#]],
    );
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// The package on crates.io would not compile without a template.
#[test]
fn package_contains_the_templates() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["package", "--list", "--allow-dirty", "--offline"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let packaged = run(&mut command);
    let packaged: Vec<&Path> = packaged.lines().map(Path::new).collect();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/new")) {
        let path = file.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        assert!(packaged.contains(&path), "{}", path.display());
    }
}

/// `cargo ferroform new … | true` closes the pipe before the output is written.
#[test]
fn closed_pipe_is_not_an_error() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [&["new", "--help"][..], &["new", "notes", "--dry-run"], &["new", "notes"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
        command.args(arguments).current_dir(directory.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
    assert!(directory.path().join("terraform-provider-notes/Cargo.toml").is_file());
}

#[test]
fn usage_errors_have_colors_on_request_only() {
    let has_colors = |environment: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
        command.args(["new", "Notes"]).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let output = command.envs(environment.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        output.stderr.contains(&0x1b)
    };
    assert!(has_colors(&[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colors(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!has_colors(&[]));
}

#[test]
fn help_shows_examples() {
    let output = ferroform(Path::new("."), &["new", "--help"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("  cargo ferroform new notes\n"));
}
