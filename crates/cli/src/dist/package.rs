//! The package of the provider, which Cargo builds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::args::DistArgs;
use super::error::{DistError, DistErrorKind, Result};

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

/// Returns the directory of Rust's standard libraries, with one subdirectory for each installed target.
pub(crate) fn targets_directory() -> Result<PathBuf> {
    let failed = |error: String| DistError::new(DistErrorKind::Build, format!("cannot run rustc: {error}"));
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).join("lib").join("rustlib"))
}

/// Builds the binary for a target, and returns its path. Cargo prints its progress to stderr.
pub(crate) fn build(package: &Package, triple: &str, args: &DistArgs) -> Result<PathBuf> {
    let failed = |error: String| {
        let message = format!("{} build failed: {error}", args.cargo.to_string_lossy());
        DistError::new(DistErrorKind::Build, message)
    };
    let mut command: Vec<OsString> =
        ["build", "--release", "--package", &package.name].map(OsString::from).into();
    command.extend(["--bin", &package.binary, "--target", triple].map(OsString::from));
    command.extend(args.build_options.iter().cloned());
    let status = Command::new(&args.cargo)
        .args(command)
        .stdin(Stdio::null())
        // The output of the command must not mix with that of Cargo.
        .stdout(Stdio::null())
        .status()
        .map_err(|error| failed(error.to_string()))?;
    if !status.success() {
        return Err(failed(status.to_string()));
    }
    Ok(package.target_directory.join(triple).join("release").join(&package.binary))
}
