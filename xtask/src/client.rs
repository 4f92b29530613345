//! The clients that run the end-to-end tests and the measurements. This package does not depend on `ferroform-testing`, with which every task would
//! compile the framework again, with other features than the tests.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::result::Result;

/// A client and the scenarios that it runs.
#[derive(Clone)]
pub(crate) struct Client {
    /// Such as `Terraform 1.15.5`.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    pub(crate) test_set: TestSet,
}

impl Client {
    /// Asks the program for its version.
    ///
    /// # Errors
    ///
    /// Returns an error if the program does not print the version of Terraform or OpenTofu.
    pub(crate) fn new(program: PathBuf, test_set: TestSet) -> Result<Self> {
        let output = Command::new(&program).arg("version").env("CHECKPOINT_DISABLE", "1").output()?;
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = output.lines().find(|it| it.starts_with("Terraform v") || it.starts_with("OpenTofu v"));
        let version = version.ok_or_else(|| format!("{program:?} prints no version: {output}"))?;
        Ok(Self { name: version.replacen(" v", " ", 1), program, test_set })
    }
}

/// The client of the tests of a package: the first of the environment variable `FERROFORM_TEST_CLI`, or else `terraform` or
/// `tofu` from the `PATH`.
pub(crate) fn default_program() -> Option<PathBuf> {
    let paths = |variable| env::var_os(variable).filter(|it| !it.is_empty());
    if let Some(programs) = paths("FERROFORM_TEST_CLI") {
        return env::split_paths(&programs).next();
    }
    let path = paths("PATH")?;
    let on_path =
        |name: &&str| env::split_paths(&path).map(|it| it.join(name)).find(|it: &PathBuf| Path::is_file(it));
    ["terraform", "tofu"].iter().find_map(on_path)
}

/// The scenarios that a client runs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TestSet {
    /// All scenarios.
    Full,
    /// All scenarios on protocol 6, and the smoke test on protocol 5, which differs from protocol 6 only in its
    /// messages.
    Protocol6,
    /// The smoke test.
    Smoke,
    /// The module calls of the comparison of the language with Terraform.
    ModuleCalls,
    /// The tests of commands that depend on the client.
    Client,
    /// The scenarios of the Windows provider binaries, which run with Wine.
    Wine,
}
