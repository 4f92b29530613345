//! Which CLI.

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Failed, Result, json};

/// Names the CLI to use, instead of the one on the `PATH`.
const PROGRAM: &str = "FERROFORM_TEST_CLI";
/// `required` makes tests fail, not skip, where there is no CLI.
const E2E: &str = "FERROFORM_E2E";

/// A `terraform` or `tofu` on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cli {
    program: PathBuf,
}

impl Cli {
    /// The program that `FERROFORM_TEST_CLI` names, else the first `terraform` or else `tofu` on the `PATH`.
    ///
    /// # Errors
    ///
    /// Where `FERROFORM_TEST_CLI` names no file.
    pub fn find() -> Result<Option<Cli>> {
        if let Some(program) = env::var_os(PROGRAM).filter(|it| !it.is_empty()).map(PathBuf::from) {
            if program.is_file() {
                return Ok(Some(Cli { program }));
            }
            return Err(Failed::new(format!("{PROGRAM} is {}, which is not a file", program.display())));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path = |name: &str| {
            let name = format!("{name}{}", env::consts::EXE_SUFFIX);
            env::split_paths(&path).map(|it| it.join(&name)).find(|it| it.is_file())
        };
        Ok(on_path("terraform").or_else(|| on_path("tofu")).map(|program| Cli { program }))
    }

    /// The same for a test: where there is none, the test says that it was skipped and ends.
    ///
    /// # Panics
    ///
    /// Where there is none and `FERROFORM_E2E=required` asks for one, or where `FERROFORM_TEST_CLI` is wrong.
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
                let said = format!("skipped {test}: no terraform or tofu on the PATH\n");
                // Past the test harness, which would hide it; at once, so that tests beside do not mix in.
                let _ = io::stderr().write_all(said.as_bytes());
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Where the program is.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The program's name: `terraform`.
    pub fn name(&self) -> String {
        self.program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The program's version: `1.11.4`.
    ///
    /// # Errors
    ///
    /// Where the program does not run, or is something else.
    pub fn version(&self) -> Result<String> {
        let mut command = Command::new(&self.program);
        let output = command.args(["version", "-json"]).env("CHECKPOINT_DISABLE", "1").output();
        let output = output.map_err(Failed::context(format!("cannot run {}", self.program.display())))?;
        let answer = json::parse(&String::from_utf8_lossy(&output.stdout), "the CLI's version")?;
        Ok(json::text(&answer["terraform_version"]))
    }
}
