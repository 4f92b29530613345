//! The package of the provider, which Cargo builds.

use std::io::{self, BufRead as _, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::args::DistArgs;
use super::error::{DistError, DistErrorKind, Result};
use super::macos_frameworks::explain_missing_frameworks;
use super::toolchain::BuildTarget;

const PREFIX: &str = "terraform-provider-";

/// The package that contains the binary of the provider.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The name of the binary, such as `terraform-provider-random`.
    pub(crate) binary: String,
    pub(crate) target_directory: PathBuf,
}

/// The part of the output of `cargo metadata` that is needed.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<MetadataPackage>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    version: String,
    manifest_path: PathBuf,
    targets: Vec<MetadataTarget>,
}

#[derive(Deserialize)]
struct MetadataTarget {
    name: String,
    kind: Vec<String>,
}

impl Package {
    /// Finds the package with the name, or the one in a directory, or the only one in its workspace.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such package, or if it has no binary whose name starts with
    /// `terraform-provider-`.
    pub(crate) fn find(directory: &Path, name: Option<&str>) -> Result<Package> {
        let failed = |message: String| DistError::new(DistErrorKind::Package, message);
        let output = Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .current_dir(directory)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(format!("cannot run cargo: {error}")))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(failed(format!("cargo metadata failed: {}", stderr.trim())));
        }
        let metadata: Metadata = serde_json::from_slice(&output.stdout)
            .map_err(|error| failed(format!("cargo metadata: {error}")))?;
        metadata.package(directory, name).map_err(failed)
    }

    /// Returns the type of the provider, such as `random`.
    pub(crate) fn provider_name(&self) -> &str {
        self.binary.strip_prefix(PREFIX).unwrap_or(&self.binary)
    }
}

impl Metadata {
    fn package(self, directory: &Path, name: Option<&str>) -> std::result::Result<Package, String> {
        let mut providers: Vec<Package> = Vec::new();
        let mut in_directory = None;
        for package in self.packages {
            let binaries = package.targets.iter().filter(|it| it.kind.iter().any(|it| it == "bin"));
            let binaries: Vec<_> = binaries.filter(|it| it.name.starts_with(PREFIX)).collect();
            let [binary] = binaries[..] else { continue };
            if package.manifest_path.parent().is_some_and(|it| directory.starts_with(it)) {
                in_directory = Some(package.name.clone());
            }
            providers.push(Package {
                name: package.name,
                version: package.version,
                binary: binary.name.clone(),
                target_directory: self.target_directory.clone(),
            });
        }
        let names: Vec<_> = providers.iter().map(|it| it.name.clone()).collect();
        let selected = match name.map(str::to_owned).or(in_directory) {
            Some(selected) => selected,
            None if names.len() == 1 => names[0].clone(),
            None if names.is_empty() => {
                return Err(format!("no package has exactly one binary whose name starts with {PREFIX:?}"));
            }
            None => return Err(format!("use --package to select one of {}", names.join(", "))),
        };
        providers.into_iter().find(|it| it.name == selected).ok_or_else(|| {
            format!("no package {selected:?} has exactly one binary whose name starts with {PREFIX:?}")
        })
    }
}

/// The part of Cargo's JSON messages that is needed.
#[derive(Deserialize)]
struct CargoMessage {
    /// The message of the compiler, or of the linker, whose output is in the children.
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    /// The complete text, only of the outermost message.
    rendered: Option<String>,
    children: Vec<Diagnostic>,
}

impl Diagnostic {
    fn append_to(&self, messages: &mut String) {
        messages.push_str(&self.message);
        messages.push('\n');
        self.children.iter().for_each(|it| it.append_to(messages));
    }
}

/// Builds the binary for a target, and returns its path. Cargo prints its progress to stderr; the messages of the compiler
/// and of the linker are passed to `print`.
///
/// # Errors
///
/// Returns an error if the build fails. If the linker cannot find a macOS framework, the error explains what to
/// do.
pub(crate) fn build(
    package: &Package,
    target: &BuildTarget,
    args: &DistArgs,
    print: &mut dyn FnMut(&str),
) -> Result<PathBuf> {
    let failed =
        |error: String| DistError::new(DistErrorKind::Build, format!("{} failed: {error}", target.tool));
    // The JSON messages contain the output of the linker. Without them, Cargo prints it to stderr, which must remain that of
    // this process: Cargo shows the progress bar on terminals only.
    let format = if io::stderr().is_terminal() { "json-diagnostic-rendered-ansi" } else { "json" };
    let mut child = target
        .tool
        .command()
        .args(["--release", "--package", &package.name, "--bin", &package.binary])
        .args(["--target", &target.target(), "--message-format", format])
        .args(&args.build_options)
        .envs(target.environment(args.working_directory()))
        .current_dir(args.working_directory())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut messages = String::new();
    for line in
        child.stdout.take().into_iter().flat_map(|it| BufReader::new(it).lines()).map_while(|it| it.ok())
    {
        // Programs other than Cargo can print other lines.
        if let Ok(CargoMessage { message: Some(diagnostic) }) = serde_json::from_str(&line) {
            print(diagnostic.rendered.as_deref().unwrap_or(&diagnostic.message).trim_end());
            diagnostic.append_to(&mut messages);
        }
    }
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    if !status.success() {
        let directory = args.working_directory();
        let explanation = explain_missing_frameworks(&messages, &package.name, target.triple, directory);
        return Err(failed(format!("{status}{}", explanation.unwrap_or_default())));
    }
    Ok(package.target_directory.join(target.triple).join("release").join(&package.binary))
}
