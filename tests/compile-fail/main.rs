//! Programs that must not compile. Each contains one mistake, and its expected compiler output is checked. Programs that
//! need a provider share the one in `ui/common/cloud.rs`.
//!
//! The wording of rustc changes between versions. `ui/RUSTC_VERSION` contains the version that produced the
//! `.stderr` files. With that version, the test compares the output. With any other version, it only checks that the
//! compiler rejects every program, and prints the reason. No program has an error with a note about an item of the standard
//! library: rustc shows its source code only where the component `rust-src` is installed.
//!
//! `TRYBUILD=overwrite cargo test -p compile-fail` updates the `.stderr` files and the version.

mod rejected_schemas;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Environment variable for a child process: the directory with the programs that it compiles.
const COPY: &str = "FERROFORM_COMPILE_FAIL_COPY";

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8(output.stdout).expect("a version")
}

#[test]
fn programs_with_mistakes_do_not_compile() {
    if let Some(copy) = env::var_os(COPY) {
        trybuild::TestCases::new().compile_fail(PathBuf::from(copy).join("*.rs"));
        return;
    }
    let (file, version) = (programs().join("RUSTC_VERSION"), rustc_version());
    if env::var_os("TRYBUILD").is_some_and(|it| it == "overwrite") {
        fs::write(&file, &version).expect("the version is recorded");
    }
    let recorded = fs::read_to_string(file).expect("the recorded version");
    if recorded == version {
        trybuild::TestCases::new().compile_fail("ui/*.rs");
    } else {
        let reason = format!(
            "The .stderr files in ui are those of {}, but this is {}. The test only checks that each program is rejected.\n",
            recorded.trim(),
            version.trim()
        );
        // Directly, because the test runner captures `eprintln!`.
        io::stderr().write_all(reason.as_bytes()).expect("stderr is open");
        assert!(are_rejected_by_this_compiler());
    }
}

/// Compiles copies of the programs in a child process and accepts any compiler output. `trybuild` reads this setting
/// from an environment variable.
fn are_rejected_by_this_compiler() -> bool {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_fail");
    fs::create_dir_all(copy.join("common")).expect("a directory");
    let provider = "common/cloud.rs";
    fs::copy(programs().join(provider), copy.join(provider)).expect("a copy");
    for entry in fs::read_dir(programs()).expect("the directory exists") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|it| it == "rs") {
            fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args(["--exact", "programs_with_mistakes_do_not_compile", "--nocapture"]);
    child.env(COPY, copy).env("TRYBUILD", "overwrite").status().expect("it starts").success()
}

/// The programs with more than one error, and the reason.
const ERRORS: [(&str, usize); 8] = [
    // Eight mistakes in one struct.
    ("eight_unsupported_attribute_types", 8),
    // The derive of `Attr` reports it at the enum, and rustc's own derive of `Debug` at the field of the model.
    ("enum_without_debug_in_model", 2),
    // Without the derive there is no `TokenComputed`, so the program has no `open` either.
    ("ephemeral_resource_without_derive_model", 2),
    // One error for each missing trait.
    ("enum_without_clone_debug_and_partial_eq", 3),
    // One for each missing trait, and rustc's own derive of `PartialEq`.
    ("hash_set_of_enum_without_eq_and_hash", 3),
    ("hash_map_with_enum_key_without_hash", 2),
    // rustc reports each mention of `ServerComputed` and of the views of `Server`.
    ("resource_without_derive_model", 22),
    // rustc repeats the error twice for each method with a view of the model.
    ("unsupported_attribute_type_of_resource", 3),
];

/// The `.stderr` files: the recorded output of the compiler for each program.
fn recorded() -> impl Iterator<Item = (PathBuf, String)> {
    let files = fs::read_dir(programs()).expect("the directory exists").map(|it| it.expect("a file").path());
    files.filter(|it| it.extension().is_some_and(|it| it == "stderr")).map(|path| {
        let output = fs::read_to_string(&path).expect("compiler output");
        (path, output)
    })
}

/// Each `.stderr` file contains one error for each mistake, apart from rustc's closing line.
#[test]
fn each_mistake_produces_one_error() {
    for (path, output) in recorded() {
        let errors: Vec<&str> = output.lines().filter(|it| it.starts_with("error")).collect();
        let program = path.file_stem().expect("a name").to_string_lossy();
        let expected = ERRORS.iter().find(|(name, _)| *name == program).map_or(1, |(_, count)| *count);
        assert_eq!(errors.len(), expected, "{}:\n{output}", path.display());
    }
}

/// Compile errors use the vocabulary of `#[attr(…)]`, not that of the generated code.
#[test]
fn compile_errors_do_not_mention_internals() {
    const INTERNAL: [&str; 4] =
        ["__private", "src/derive_support/", "Present<", "consider manually implementing"];
    for (path, output) in recorded() {
        let found = INTERNAL.iter().find(|it| output.contains(*it));
        assert_eq!(found, None, "{}:\n{output}", path.display());
    }
}

/// The guide quotes compile errors as the compiler prints them.
#[test]
fn troubleshooting_page_quotes_recorded_errors() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/troubleshooting.md"))
            .expect("the page exists");
    let section = page.split("\n## ").find(|it| it.starts_with("The derive and the compiler"));
    let recorded: Vec<String> = recorded().map(|(_, output)| output).collect();
    let quoted = section.expect("the section exists").lines().filter(|it| it.starts_with("error"));
    let missing: Vec<&str> =
        quoted.filter(|quote| !recorded.iter().any(|it| it.lines().any(|line| line == *quote))).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
