//! Finds the CLI to test with.

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Error, Result, json};

/// The environment variable with the path of the CLI, which takes precedence over the `PATH`.
const PROGRAM: &str = "FERROFORM_TEST_CLI";
/// The environment variable that makes tests fail instead of skip if there is no CLI. Its value is then `required`.
const E2E: &str = "FERROFORM_E2E";

/// A `terraform` or `tofu` on this machine.
///
/// ```no_run
/// use ferroform_testing::cli::{Cli, Result};
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
        if let Some(program) = env::var_os(PROGRAM).filter(|it| !it.is_empty()).map(PathBuf::from) {
            if program.is_file() {
                return Ok(Some(Cli { program }));
            }
            return Err(Error::new(format!("{PROGRAM} is {:?}, which is not a file", program)));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path = |name: &str| {
            let name = format!("{name}{}", env::consts::EXE_SUFFIX);
            env::split_paths(&path).map(|it| it.join(&name)).find(|it| it.is_file())
        };
        Ok(on_path("terraform").or_else(|| on_path("tofu")).map(|program| Cli { program }))
    }

    /// Returns the CLI for a test. If there is none, prints that the test is skipped and returns `None`.
    ///
    /// # Panics
    ///
    /// Panics if there is none and the environment variable `FERROFORM_E2E` is `required`, or if `FERROFORM_TEST_CLI`
    /// is not the path of a file.
    #[track_caller]
    pub fn for_test() -> Option<Cli> {
        match Cli::find() {
            Ok(Some(cli)) => Some(cli),
            Ok(None) if env::var_os(E2E).is_some_and(|it| it == "required") => {
                panic!(
                    "{E2E}=required, but there is neither terraform nor tofu on the PATH, and no {PROGRAM}"
                );
            }
            Ok(None) => {
                let test = std::thread::current().name().unwrap_or("a test").to_owned();
                let message = format!("skipped {test}: no terraform or tofu on the PATH\n");
                // Directly, because the test runner captures `eprintln!`. In one write, because tests run in parallel.
                let _ = io::stderr().write_all(message.as_bytes());
                None
            }
            Err(error) => panic!("{error}"),
        }
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
        let mut command = Command::new(&self.program);
        let output = command.args(["version", "-json"]).env("CHECKPOINT_DISABLE", "1").output();
        let output = output.map_err(Error::context(format!("cannot run {}", self.program.display())))?;
        let version = json::parse(&String::from_utf8_lossy(&output.stdout), "the CLI's version")?;
        Ok(json::string(&version["terraform_version"]))
    }
}
