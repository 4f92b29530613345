//! Verifies a release as registries do before they publish it.

use std::io;
use std::path::Path;

use super::checksums::{Checksums, sha256};
use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;
use super::release::Release;
use super::signature::Signature;
use super::{archive, manifest, signature};

/// The result of a verification.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) platforms: Vec<Platform>,
    pub(crate) protocol_versions: Vec<String>,
    /// `None` if the release is not signed.
    pub(crate) signature: Option<Signature>,
}

/// Verifies the release in a folder:
///
/// - The checksums contain the manifest and at least one archive, and no other files.
/// - Every file exists and has its checksum.
/// - Every archive contains the executable file with the version in its name.
/// - The manifest contains protocol versions that Terraform knows.
/// - The signature is a valid signature of the checksums, if `is_signed`.
///
/// # Errors
///
/// Returns an error about the first file that a registry rejects.
pub(crate) fn verify(release: &Release, is_signed: bool) -> Result<Verified> {
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
    for name in sums.names() {
        let path = release.path(name);
        let found = sha256(&path)?;
        if let Some(expected) = sums.get(name).filter(|it| *it != found) {
            return Err(invalid(&path, format!("expected the SHA-256 checksum {expected}, found {found}")));
        }
    }
    for platform in &platforms {
        archive::check(&release.path(&release.archive_name(*platform)), &release.binary_name(*platform))?;
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
    Ok(Verified { platforms, protocol_versions, signature })
}
