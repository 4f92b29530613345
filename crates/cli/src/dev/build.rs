//! Builds the provider with Cargo, and finds its binary.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{io, thread};

use serde_json::Value as Json;

use super::error::{Error, Result};
use super::process::{self, Signals};

/// The prefix of the names of providers.
pub(super) const PREFIX: &str = "terraform-provider-";

/// The package and the way it is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BuildOptions {
    /// The arguments for `cargo build`, such as `--release`.
    pub(crate) arguments: Vec<OsString>,
    /// The directory in which Cargo runs; by default the working directory.
    pub(crate) directory: Option<PathBuf>,
    /// The program `cargo`.
    pub(crate) cargo: OsString,
}

impl BuildOptions {
    /// Returns a command of Cargo in the directory.
    pub(super) fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        command.arg(subcommand);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// A binary that Cargo has built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binary {
    pub(super) path: PathBuf,
    /// The ID of the package in the output of `cargo metadata`.
    pub(super) package: String,
}

impl Binary {
    /// The directory of the binary.
    pub(super) fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// The name of the binary without `.exe`.
    pub(super) fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Builds the package. Cargo prints its progress and the errors of the compiler.
///
/// # Errors
///
/// Returns an error if the build fails, with the exit code of Cargo, or if it creates no provider, or several.
pub(super) fn build(options: &BuildOptions, signals: &Signals) -> Result<Binary> {
    let mut command = options.cargo("build");
    command.args(&options.arguments).arg("--message-format=json-render-diagnostics").stdout(Stdio::piped());
    let mut child = process::spawn(&mut command)?;
    let output = child.stdout.take();
    // Read while the process runs, because a full pipe would stop it.
    let reader = thread::spawn(move || output.map_or(Ok(String::new()), io::read_to_string));
    let status = signals.wait(&mut child)?;
    if !status.success() {
        return Err(Error::exit(process::exit_code(status)));
    }
    let output = reader.join().unwrap_or_else(|_| Ok(String::new()));
    select(&output.map_err(Error::context("cannot read the output of cargo build"))?)
}

/// Selects the provider from the messages of Cargo.
fn select(messages: &str) -> Result<Binary> {
    let mut binaries: BTreeMap<PathBuf, Binary> = BTreeMap::new();
    for line in messages.lines() {
        // Build scripts and procedural macros can print other lines.
        let Ok(message) = serde_json::from_str::<Json>(line) else { continue };
        let is_binary =
            message["target"]["kind"].as_array().is_some_and(|it| it.iter().any(|it| it == "bin"));
        if let (true, Some(path)) = (is_binary, message["executable"].as_str()) {
            let package = message["package_id"].as_str().unwrap_or_default().to_owned();
            let path = PathBuf::from(path);
            binaries.insert(path.clone(), Binary { path, package });
        }
    }
    let all: Vec<Binary> = binaries.into_values().collect();
    let mut providers = all.iter().filter(|it| it.name().starts_with(PREFIX));
    match (providers.next(), providers.next()) {
        (Some(provider), None) => Ok(provider.clone()),
        (Some(first), Some(second)) => Err(Error::new(format!(
            "there are several providers, such as {} and {}: select one with --package or --bin",
            first.name(),
            second.name()
        ))),
        (None, _) if all.is_empty() => {
            Err(Error::new("the package has no binary: a provider is a program with src/main.rs"))
        }
        (None, _) => Err(Error::new(format!(
            "no binary target has a name that starts with {PREFIX}, which Terraform and OpenTofu require (found: {}). Rename \
             the package, or set the name of the [[bin]] target in Cargo.toml",
            all.iter().map(Binary::name).collect::<Vec<_>>().join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(kind: &str, executable: &str) -> String {
        let executable = if executable.is_empty() { "null".to_owned() } else { format!("{executable:?}") };
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"p","target":{{"kind":["{kind}"]}},"executable":{executable}}}"#
        )
    }

    fn selected(lines: &[String]) -> std::result::Result<String, String> {
        let result = select(&lines.join("\n"));
        result.map(|it| it.name()).map_err(|it| it.message().unwrap_or_default().to_owned())
    }

    #[test]
    fn provider_is_selected() {
        let notes = artifact("bin", "/t/terraform-provider-notes");
        let others = [artifact("lib", ""), "a line of a build script".into(), artifact("bin", "/t/tool")];
        assert_eq!(selected(&[&others[..], &[notes]].concat()), Ok("terraform-provider-notes".into()));
    }

    #[test]
    fn missing_and_ambiguous_providers_are_reported() {
        assert!(selected(&[]).unwrap_err().starts_with("the package has no binary"));
        let error = selected(&[artifact("bin", "/t/tool"), artifact("bin", "/t/notes")]).unwrap_err();
        assert!(error.contains("(found: notes, tool)."), "{error}");
        let two = ["a", "b"].map(|it| artifact("bin", &format!("/t/terraform-provider-{it}")));
        assert!(selected(&two).unwrap_err().contains("terraform-provider-a and terraform-provider-b"));
    }
}
