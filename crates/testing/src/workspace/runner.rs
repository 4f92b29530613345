//! The runners of a workspace: the simulation in process, and the installed CLIs.

use std::fmt;

use crate::cli::{Cli, Feature, Product, skip};

/// The runner of a [`Workspace`](super::Workspace): the simulation of Terraform in process, or a CLI.
///
/// ```no_run
/// # ferroform_testing::provider! { Notes {} }
/// use ferroform_testing::workspace::{Runner, Result, Workspace};
///
/// // #[test]
/// fn note_is_created() -> Result<()> {
///     for runner in Runner::all() {
///         let workspace = Workspace::on(&runner)?.attach::<Notes>()?;
///         // …
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Runner {
    /// The simulation of Terraform in the test process, which supports every [`Feature`] except for
    /// [`GeneratedConfiguration`](Feature::GeneratedConfiguration).
    InProcess,
    /// A `terraform` or `tofu` on this machine.
    Cli(Cli),
}

impl Runner {
    /// Returns the runners for a test: in process, and each CLI of [`Cli::all`]. If there is no CLI, or if the environment
    /// variable `FERROFORM_E2E` is `skip`, prints that the CLIs are skipped.
    ///
    /// # Panics
    ///
    /// Panics if there is no CLI and the environment variable `FERROFORM_E2E` is `required`, or if `FERROFORM_TEST_CLI`
    /// contains a path that is not that of a file.
    #[track_caller]
    pub fn all() -> Vec<Runner> {
        Runner::all_with(&[])
    }

    /// Returns the runners for a test that requires these features. Prints the name of each runner that does not have them.
    ///
    /// ```no_run
    /// use ferroform_testing::cli::Feature;
    /// use ferroform_testing::workspace::{Runner, Result, Workspace};
    ///
    /// fn notes_are_listed() -> Result<()> {
    ///     for runner in Runner::all_with(&[Feature::ListResources]) {
    ///         let workspace = Workspace::on(&runner)?;
    ///         // …
    /// #       drop(workspace);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics as [`all`](Runner::all) does, or if a CLI does not print its version.
    #[track_caller]
    pub fn all_with(features: &[Feature]) -> Vec<Runner> {
        let installed = Cli::installed_for_test().unwrap_or_else(|reason| {
            skip(&format!("the CLIs are skipped: {reason}"));
            Vec::new()
        });
        let installed = installed.into_iter().filter(|it| it.runs_test_of(features));
        let missing = features.iter().find(|it| !Runner::InProcess.supports(**it));
        if let Some(missing) = missing {
            Runner::InProcess.skip(&format!("the simulation does not support {missing}"));
        }
        let simulation = missing.is_none().then_some(Runner::InProcess);
        simulation.into_iter().chain(installed.map(Runner::Cli)).collect()
    }

    /// Returns whether the CLI is Terraform or OpenTofu, or `None` in process.
    ///
    /// # Panics
    ///
    /// Panics if a CLI does not print its version.
    #[track_caller]
    pub fn product(&self) -> Option<Product> {
        match self {
            Runner::InProcess => None,
            Runner::Cli(cli) => Some(cli.product().unwrap_or_else(|error| panic!("{error}"))),
        }
    }

    /// Returns the major and minor version of the CLI, or `None` in process.
    ///
    /// ```no_run
    /// use ferroform_testing::workspace::Runner;
    ///
    /// for runner in Runner::all() {
    ///     if runner.version().is_some_and(|it| it < (1, 12)) {
    ///         runner.skip("earlier versions print another warning");
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
            Runner::InProcess => None,
            Runner::Cli(cli) => Some(cli.major_and_minor().unwrap_or_else(|error| panic!("{error}"))),
        }
    }

    /// Prints that the test skips this runner, with the reason.
    pub fn skip(&self, reason: &str) {
        skip(&format!("{self}: {reason}"));
    }

    /// Returns true if the runner has the feature.
    ///
    /// # Panics
    ///
    /// Panics if a CLI does not print its version.
    #[track_caller]
    pub fn supports(&self, feature: Feature) -> bool {
        match self {
            Runner::InProcess => feature != Feature::GeneratedConfiguration,
            Runner::Cli(cli) => cli.supports(feature).unwrap_or_else(|error| panic!("{error}")),
        }
    }
}

/// Writes the name of the runner, such as `in process` or `Terraform 1.11.4`.
impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Runner::InProcess => f.write_str("in process"),
            Runner::Cli(cli) => match (cli.product(), cli.version()) {
                (Ok(product), Ok(version)) => write!(f, "{product} {version}"),
                _ => write!(f, "{}", cli.program().display()),
            },
        }
    }
}
