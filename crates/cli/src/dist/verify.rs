//! Verifies a release as registries do before they publish it.

use std::io;
use std::path::Path;

use super::checksums::{Checksums, sha256};
use super::error::{DistError, DistErrorKind, Result};
use super::executable::ExecutableInfo;
use super::platform::Platform;
use super::release::Release;
use super::signature::Signature;
use super::{archive, manifest, signature};

/// The result of a verification.
#[derive(Debug)]
pub(crate) struct Verified {
    /// The platforms of the archives, with the properties of the executable in each.
    pub(crate) archives: Vec<(Platform, ExecutableInfo)>,
    pub(crate) protocol_versions: Vec<String>,
    /// `None` if the release is not signed.
    pub(crate) signature: Option<Signature>,
}

/// Verifies the release in a directory, which must contain the required platforms:
///
/// - The checksums contain the manifest and at least one archive, and no other files.
/// - Every file exists and has its checksum, and the directory contains no other archive.
/// - Every archive contains the executable file with the version in its name, and no entries outside of its directory.
/// - The executable file has the format and the architecture of the platform.
/// - The manifest contains protocol versions that Terraform knows.
/// - The signature is a valid signature of the checksums, if `is_signed`.
///
/// # Errors
///
/// Returns an error about the first file that a registry rejects.
pub(crate) fn verify(release: &Release, required: &[Platform], is_signed: bool) -> Result<Verified> {
    let sums_path = release.path(&release.checksums_name());
    let invalid =
        |path: &Path, message: String| DistError::new(DistErrorKind::Verification, message).at(path);
    let sums = Checksums::read(&sums_path)?;
    let mut platforms = Vec::new();
    for name in sums.names() {
        if name == release.manifest_name() {
            continue;
        }
        match Platform::all().find(|it| release.archive_name(*it) == name) {
            Some(platform) => platforms.push(platform),
            None => {
                return Err(invalid(&sums_path, format!("{name} is not the name of a file of this release")));
            }
        }
    }
    if sums.get(&release.manifest_name()).is_none() {
        return Err(invalid(&sums_path, format!("the checksum of {} is missing", release.manifest_name())));
    }
    if platforms.is_empty() {
        return Err(invalid(&sums_path, "the checksums contain no archive".into()));
    }
    if let Some(missing) = required.iter().find(|it| !platforms.contains(it)) {
        return Err(invalid(
            &sums_path,
            format!("the checksum of {} is missing", release.archive_name(*missing)),
        ));
    }
    if let Some(unlisted) = unlisted_file(release, &sums)? {
        let message = format!("expected a checksum in {}, found none", release.checksums_name());
        return Err(invalid(&release.path(&unlisted), message));
    }
    for name in sums.names() {
        let path = release.path(name);
        let found = sha256(&path)?;
        if let Some(expected) = sums.get(name).filter(|it| *it != found) {
            return Err(invalid(&path, format!("expected the SHA-256 checksum {expected}, found {found}")));
        }
    }
    let mut archives = Vec::new();
    for platform in platforms {
        let path = release.path(&release.archive_name(platform));
        let content = archive::check(&path, &release.binary_name(platform))?;
        archives.push((platform, ExecutableInfo::check(&content, platform).map_err(|it| it.at(&path))?));
    }
    let protocol_versions = manifest::check(&release.path(&release.manifest_name()))?;
    let signature = if is_signed {
        let path = release.path(&release.signature_name());
        // gpg reports a missing file like an invalid signature.
        std::fs::metadata(&path).map_err(DistError::file::<io::Error>(&path))?;
        Some(signature::verify(&sums_path, &path)?)
    } else {
        None
    };
    Ok(Verified { archives, protocol_versions, signature })
}

/// Returns an archive, or another file with the name of this release, that has no checksum. Files of other releases in the same
/// directory have their own checksums.
fn unlisted_file(release: &Release, sums: &Checksums) -> Result<Option<String>> {
    const CHECKSUMS: &str = "SHA256SUMS";
    let directory = release.directory();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(DistError::file(directory))? {
        let name = entry.map_err(DistError::file(directory))?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    let checksums_name = release.checksums_name();
    let prefix = checksums_name.trim_end_matches(CHECKSUMS);
    let others: Vec<&str> = names
        .iter()
        .filter(|it| **it != checksums_name)
        .filter_map(|it| it.strip_suffix(CHECKSUMS))
        .collect();
    let is_unlisted = |name: &&String| {
        let is_known =
            **name == checksums_name || **name == release.signature_name() || sums.get(name).is_some();
        let is_file_of_release = name.ends_with(".zip") || name.starts_with(prefix);
        is_file_of_release && !is_known && !others.iter().any(|it| name.starts_with(it))
    };
    Ok(names.iter().filter(is_unlisted).min().cloned())
}
