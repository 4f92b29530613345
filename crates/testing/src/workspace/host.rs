//! The hosts that can run a workspace: the simulation in process, and the installed CLIs.

use std::fmt;

use crate::cli::{Cli, Feature, skip};

/// What runs the configuration of a [`Workspace`](super::Workspace): the simulation of Terraform in process, or a CLI.
///
/// ```no_run
/// # ferroform_testing::provider! { Notes {} }
/// use ferroform_testing::workspace::{Host, Result, Workspace};
///
/// // #[test]
/// fn note_is_created() -> Result<()> {
///     for host in Host::all() {
///         let workspace = Workspace::on(&host)?.attach::<Notes>()?;
///         // …
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Host {
    /// The simulation of Terraform in the test process, which supports every [`Feature`].
    InProcess,
    /// A `terraform` or `tofu` on this machine.
    Cli(Cli),
}

impl Host {
    /// Returns the hosts for a test: in process, and each CLI of [`Cli::all`]. If there is no CLI, or if the environment
    /// variable `FERROFORM_E2E` is `skip`, prints that the CLIs are skipped.
    ///
    /// # Panics
    ///
    /// Panics if there is no CLI and the environment variable `FERROFORM_E2E` is `required`, or if `FERROFORM_TEST_CLI`
    /// contains a path that is not that of a file.
    #[track_caller]
    pub fn all() -> Vec<Host> {
        Host::all_with(&[])
    }

    /// Returns the hosts for a test that requires these features. Prints the name of each CLI that does not have them.
    ///
    /// ```no_run
    /// use ferroform_testing::cli::Feature;
    /// use ferroform_testing::workspace::{Host, Result, Workspace};
    ///
    /// fn notes_are_listed() -> Result<()> {
    ///     for host in Host::all_with(&[Feature::ListResources]) {
    ///         let workspace = Workspace::on(&host)?;
    ///         // …
    /// #       drop(workspace);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics as [`all`](Host::all) does, or if a CLI does not print its version.
    #[track_caller]
    pub fn all_with(features: &[Feature]) -> Vec<Host> {
        let installed = Cli::installed_for_test().unwrap_or_else(|reason| {
            skip(&format!("only in process: {reason}"));
            Vec::new()
        });
        let installed = installed.into_iter().filter(|it| it.runs_test_of(features));
        [Host::InProcess].into_iter().chain(installed.map(Host::Cli)).collect()
    }

    /// Returns the major and minor version of the CLI, or `None` in process.
    ///
    /// ```no_run
    /// use ferroform_testing::workspace::Host;
    ///
    /// for host in Host::all() {
    ///     if host.version().is_some_and(|it| it < (1, 12)) {
    ///         host.skip("earlier versions print another warning");
    ///         continue;
    ///     }
    ///     // …
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a CLI does not print its version.
    #[track_caller]
    pub fn version(&self) -> Option<(u32, u32)> {
        match self {
            Host::InProcess => None,
            Host::Cli(cli) => Some(cli.major_and_minor().unwrap_or_else(|error| panic!("{error}"))),
        }
    }

    /// Prints that the test skips this host, with the reason.
    pub fn skip(&self, reason: &str) {
        skip(&format!("{self}: {reason}"));
    }

    /// Returns true if the host has the feature.
    ///
    /// # Panics
    ///
    /// Panics if a CLI does not print its version.
    #[track_caller]
    pub fn supports(&self, feature: Feature) -> bool {
        match self {
            Host::InProcess => true,
            Host::Cli(cli) => cli.supports(feature).unwrap_or_else(|error| panic!("{error}")),
        }
    }
}

/// Writes the name of the host, such as `in process` or `Terraform 1.11.4`.
impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::InProcess => f.write_str("in process"),
            Host::Cli(cli) => match (cli.product(), cli.version()) {
                (Ok(product), Ok(version)) => write!(f, "{product} {version}"),
                _ => write!(f, "{}", cli.program().display()),
            },
        }
    }
}
