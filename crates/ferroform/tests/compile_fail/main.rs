//! Programs that must not compile, one mistake each, and what the compiler says about them.
//!
//! The wording of rustc changes between versions, so `tests/ui/RUSTC_VERSION` records the version that has written the
//! `.stderr` files. With that version the texts are compared. With any other version the test only checks that every
//! program is rejected, and prints why.
//!
//! `TRYBUILD=overwrite cargo test -p ferroform --test compile_fail` writes the texts and the version again.

mod rejected_schemas;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The folder of the programs that the test below compiles, if it runs as a child process of itself.
const COPY: &str = "FERROFORM_COMPILE_FAIL_COPY";

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8(output.stdout).expect("a version")
}

#[test]
fn programs_with_mistakes_are_rejected() {
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
        trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
    } else {
        eprintln!(
            "The texts of tests/ui are those of {}, but this is {}. Only that each program is rejected is checked.",
            recorded.trim(),
            version.trim()
        );
        assert!(are_rejected_by_this_compiler());
    }
}

/// Compiles copies of the programs, and accepts any text: `trybuild` is told by an environment variable, so this needs
/// a process of its own.
fn are_rejected_by_this_compiler() -> bool {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_fail");
    fs::create_dir_all(&copy).expect("a folder");
    for entry in fs::read_dir(programs()).expect("the folder is there") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|it| it == "rs") {
            fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args(["--exact", "programs_with_mistakes_are_rejected", "--nocapture"]);
    child.env(COPY, copy).env("TRYBUILD", "overwrite").status().expect("it starts").success()
}

/// Each text has one error (apart from rustc's closing line), so that nobody reads eight errors for one mistake. Only a
/// type that cannot be an attribute gets two errors at the same position: for the schema and for the views.
#[test]
fn one_mistake_is_one_error() {
    for file in fs::read_dir(programs()).expect("the folder is there") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|it| it == "stderr") {
            let text = fs::read_to_string(&path).expect("a text");
            let errors: Vec<&str> = text.lines().filter(|it| it.starts_with("error")).collect();
            let most = if errors.iter().all(|it| it.contains("cannot be used as an attribute type")) {
                2
            } else {
                1
            };
            assert!((1..=most).contains(&errors.len()), "{}:\n{text}", path.display());
        }
    }
}
