//! The clients that run the end-to-end tests.

use ferroform_testing::cli::Cli;

use crate::result::Result;

/// A client and the scenarios that it runs.
pub(super) struct Client {
    /// Such as `Terraform 1.15.5`.
    pub(super) name: String,
    pub(super) cli: Cli,
    pub(super) kind: Kind,
}

impl Client {
    pub(super) fn new(cli: Cli, kind: Kind) -> Result<Self> {
        let system = if kind == Kind::Wine { ", provider for Windows" } else { "" };
        Ok(Self { name: format!("{} {}{system}", cli.product()?, cli.version()?), cli, kind })
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// All scenarios.
    Full,
    /// The smoke test.
    Smoke,
    /// The scenarios of the providers for Windows, which run with Wine.
    Wine,
}
