//! The clients that run the end-to-end tests.

use ferroform_testing::cli::Cli;

use crate::result::Result;

/// A client and the scenarios that it runs.
pub(super) struct Client {
    /// Such as `Terraform 1.15.5`.
    pub(super) name: String,
    pub(super) cli: Cli,
    pub(super) test_set: TestSet,
}

impl Client {
    pub(super) fn new(cli: Cli, test_set: TestSet) -> Result<Self> {
        let platform = if test_set == TestSet::Wine { ", Windows provider binary" } else { "" };
        Ok(Self { name: format!("{} {}{platform}", cli.product()?, cli.version()?), cli, test_set })
    }
}

/// The scenarios that a client runs.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TestSet {
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
