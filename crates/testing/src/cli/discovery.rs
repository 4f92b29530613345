//! Finds the CLI to test with.

use std::collections::BTreeMap;
use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::{Feature, Product};
use crate::workspace::{Error, Result};

/// The environment variable with the path of the CLI, or of several ones separated as in the `PATH`. It takes precedence over
/// the `PATH`.
const PROGRAM: &str = "FERROFORM_TEST_CLI";
/// The environment variable that makes tests fail instead of skip if there is no CLI. Its value is then `required`.
const E2E: &str = "FERROFORM_E2E";
/// The environment variable with the path of a file to which each test adds a line: the CLI and its version, the package,
/// `ran` or `skipped`, the name of the test, and the features that it requires.
const REPORT: &str = "FERROFORM_E2E_REPORT";

/// A `terraform` or `tofu` on this machine.
///
/// ```no_run
/// use ferroform_testing::cli::Cli;
/// use ferroform_testing::workspace::Result;
///
/// fn print_version() -> Result<()> {
///     match Cli::find()? {
///         Some(cli) => println!("{} {}", cli.name(), cli.version()?),
///         None => println!("there is neither terraform nor tofu"),
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cli {
    program: PathBuf,
}

impl Cli {
    /// Returns the CLI at the path `FERROFORM_TEST_CLI`, or else `terraform` or `tofu` from the `PATH`, in this order.
    ///
    /// # Errors
    ///
    /// Returns an error if `FERROFORM_TEST_CLI` is not the path of a file.
    pub fn find() -> Result<Option<Cli>> {
        Ok(Cli::all()?.into_iter().next())
    }

    /// Returns every CLI in `FERROFORM_TEST_CLI`, which can contain several paths, separated as in the `PATH`. Without this
    /// variable, returns the `terraform` and the `tofu` from the `PATH`.
    ///
    /// # Errors
    ///
    /// Returns an error if `FERROFORM_TEST_CLI` contains a path that is not that of a file.
    pub fn all() -> Result<Vec<Cli>> {
        if let Some(programs) = env::var_os(PROGRAM).filter(|it| !it.is_empty()) {
            let invalid =
                |program: PathBuf| Error::new(format!("{PROGRAM} contains {program:?}, which is not a file"));
            return env::split_paths(&programs)
                .map(|program| if program.is_file() { Ok(Cli { program }) } else { Err(invalid(program)) })
                .collect();
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path = |name: &str| {
            let name = format!("{name}{}", env::consts::EXE_SUFFIX);
            env::split_paths(&path).map(|it| it.join(&name)).find(|it| it.is_file())
        };
        Ok(["terraform", "tofu"].into_iter().filter_map(on_path).map(|program| Cli { program }).collect())
    }

    /// Returns the CLI at this path.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no file at the path.
    pub fn at(program: impl Into<PathBuf>) -> Result<Cli> {
        let program = program.into();
        if program.is_file() {
            return Ok(Cli { program });
        }
        Err(Error::new(format!("{program:?} is not a file")))
    }

    /// Returns the CLI for a test. If there is none, or if the environment variable `FERROFORM_E2E` is `skip`, prints that the
    /// test is skipped and returns `None`.
    ///
    /// # Panics
    ///
    /// Panics if there is none and the environment variable `FERROFORM_E2E` is `required`, or if `FERROFORM_TEST_CLI`
    /// is not the path of a file.
    #[track_caller]
    pub fn for_test() -> Option<Cli> {
        Cli::for_test_of(&[])
    }

    /// Returns the CLI for a test that requires these features. If there is none, or if it does not have one of them,
    /// prints that the test is skipped and returns `None`.
    ///
    /// ```no_run
    /// use ferroform_testing::cli::{Cli, Feature};
    /// use ferroform_testing::workspace::Result;
    ///
    /// fn secret_is_not_stored() -> Result<()> {
    ///     let Some(cli) = Cli::for_test_of(&[Feature::WriteOnlyAttributes]) else { return Ok(()) };
    ///     // …
    /// #   drop(cli);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics as [`for_test`](Cli::for_test) does, or if the CLI does not print its version.
    #[track_caller]
    pub fn for_test_of(features: &[Feature]) -> Option<Cli> {
        match Cli::installed_for_test() {
            Ok(installed) => installed.into_iter().next().filter(|it| it.runs_test_of(features)),
            Err(reason) => {
                skip(&reason);
                None
            }
        }
    }

    /// Returns the installed CLIs for a test, at least one, or the reason that no CLI runs tests.
    ///
    /// # Panics
    ///
    /// Panics as [`for_test`](Cli::for_test) does.
    #[track_caller]
    pub(crate) fn installed_for_test() -> std::result::Result<Vec<Cli>, String> {
        let setting = env::var_os(E2E).unwrap_or_default();
        if setting == "skip" {
            return Err(format!("{E2E}=skip"));
        }
        let installed = Cli::all().unwrap_or_else(|error| panic!("{error}"));
        if !installed.is_empty() {
            return Ok(installed);
        }
        assert!(
            setting != "required",
            "{E2E}=required, but there is neither terraform nor tofu on the PATH, and no {PROGRAM}"
        );
        Err("no terraform or tofu on the PATH".to_owned())
    }

    /// Returns true if the CLI has the features that a test requires. Otherwise, prints that the test is skipped.
    #[track_caller]
    pub(crate) fn runs_test_of(&self, features: &[Feature]) -> bool {
        let missing = features.iter().find(|it| match self.supports(**it) {
            Ok(supports) => !supports,
            Err(error) => panic!("{error}"),
        });
        report(self, features, missing.is_none());
        if let Some(missing) = missing {
            skip(&format!("{} does not support {missing}", self.program.display()));
        }
        missing.is_none()
    }

    /// Returns the path of the program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Returns the name of the program: `terraform`.
    pub fn name(&self) -> String {
        self.program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the version of the program: `1.11.4`.
    ///
    /// # Errors
    ///
    /// Returns an error if the program does not run, or if it does not print its version as Terraform does.
    pub fn version(&self) -> Result<String> {
        Ok(self.identify()?.version)
    }

    /// Returns whether the program is Terraform or OpenTofu.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`version`](Cli::version).
    pub fn product(&self) -> Result<Product> {
        Ok(self.identify()?.product)
    }

    /// Returns true if this version of the program has the feature.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`version`](Cli::version).
    pub fn supports(&self, feature: Feature) -> Result<bool> {
        let version = self.major_and_minor()?;
        Ok(feature.since(self.product()?).is_some_and(|since| since <= version))
    }

    /// Returns the major and minor version of the program.
    pub(crate) fn major_and_minor(&self) -> Result<(u32, u32)> {
        let version = self.version()?;
        let mut numbers = version.split('.').map(|it| it.parse().unwrap_or(0));
        Ok((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
    }

    /// Runs the program once to read its product and version.
    fn identify(&self) -> Result<Identity> {
        static KNOWN: Mutex<BTreeMap<PathBuf, Identity>> = Mutex::new(BTreeMap::new());

        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known.get(&self.program) {
            return Ok(it.clone());
        }
        let mut command = Command::new(&self.program);
        let output = command.arg("version").env("CHECKPOINT_DISABLE", "1").output();
        let output = output.map_err(Error::context(format!("cannot run {}", self.program.display())))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let identity = Identity::parse(&text).ok_or_else(|| {
            Error::new(format!("{} is neither Terraform nor OpenTofu: {text}", self.program.display()))
        })?;
        known.insert(self.program.clone(), identity.clone());
        Ok(identity)
    }
}

/// The product and the version of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    product: Product,
    version: String,
}

impl Identity {
    /// Parses the output of the command `version`: `Terraform v1.11.4`. Other lines may precede it.
    fn parse(output: &str) -> Option<Identity> {
        output.lines().find_map(|line| {
            let (product, version) = line.trim().split_once(" v")?;
            let product = match product {
                "Terraform" => Product::Terraform,
                "OpenTofu" => Product::OpenTofu,
                _ => return None,
            };
            Some(Identity { product, version: version.to_owned() })
        })
    }
}

/// The name of the test that runs on this thread.
fn test_name() -> String {
    std::thread::current().name().unwrap_or("a test").to_owned()
}

/// Prints that a test is skipped.
pub(crate) fn skip(reason: &str) {
    let message = format!("skipped {}: {reason}\n", test_name());
    // Writes to stderr directly, because the test runner captures `eprintln!`, and in one write, because tests run in parallel.
    let _ = io::stderr().write_all(message.as_bytes());
}

/// Adds a line about the test to the report, if there is one.
fn report(cli: &Cli, features: &[Feature], runs: bool) {
    let Some(path) = env::var_os(REPORT) else { return };
    let Identity { product, version } = match cli.identify() {
        Ok(identity) => identity,
        Err(error) => panic!("{error}"),
    };
    // Cargo sets it when it runs tests.
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let features: Vec<String> = features.iter().map(ToString::to_string).collect();
    let status = if runs { "ran" } else { "skipped" };
    let name = test_name();
    let line = format!("{product} {version}\t{package}\t{status}\t{name}\t{}\n", features.join(", "));
    let file = OpenOptions::new().append(true).create(true).open(&path);
    // A single write keeps lines intact when tests run in parallel.
    if let Err(error) = file.and_then(|mut it| it.write_all(line.as_bytes())) {
        panic!("cannot write the report {}: {error}", path.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_and_version_are_parsed() {
        let parse = |text| Identity::parse(text).map(|it| (it.product, it.version));
        let terraform = (Product::Terraform, "1.15.5".to_owned());
        assert_eq!(parse("Terraform v1.15.5\non linux_amd64\n"), Some(terraform));
        let tofu = (Product::OpenTofu, "1.6.2".to_owned());
        assert_eq!(parse("A warning.\n\nOpenTofu v1.6.2\non linux_amd64\n"), Some(tofu));
        assert_eq!(parse("Packer v1.0.0\n"), None);
    }
}
