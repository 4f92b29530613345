//! The files of a release, with the names that registries require.

use std::path::{Path, PathBuf};

use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;

/// A version of a provider, and the directory with its files.
#[derive(Clone, Debug)]
pub(crate) struct Release {
    /// The type of the provider, such as `random`.
    name: String,
    version: String,
    directory: PathBuf,
}

impl Release {
    /// # Errors
    ///
    /// Returns an error if registries do not accept the name or the version: the name consists of lowercase letters,
    /// digits and `-`, and the version is a semantic version without build metadata.
    pub(crate) fn new(name: &str, version: &str, directory: &Path) -> Result<Release> {
        let is_valid = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        if name.is_empty() || !name.chars().all(is_valid) {
            let message = format!(
                "the name {name:?} of the provider contains characters other than lowercase letters, digits and \"-\""
            );
            return Err(DistError::new(DistErrorKind::Package, message));
        }
        if !is_version(version) {
            let message = format!(
                "the version {version:?} is not of the form MAJOR.MINOR.PATCH or MAJOR.MINOR.PATCH-PRERELEASE"
            );
            return Err(DistError::new(DistErrorKind::Package, message));
        }
        Ok(Release { name: name.to_owned(), version: version.to_owned(), directory: directory.to_owned() })
    }

    /// Finds the release in a directory by the name of its checksums.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be read, or if it contains no release or several.
    pub(crate) fn find(directory: &Path) -> Result<Release> {
        let mut releases = Vec::new();
        for file in std::fs::read_dir(directory).map_err(DistError::file(directory))? {
            let file = file.map_err(DistError::file(directory))?.file_name();
            let parts = file.to_str().and_then(|it| {
                it.strip_prefix("terraform-provider-")?.strip_suffix("_SHA256SUMS")?.split_once('_')
            });
            if let Some((name, version)) = parts {
                releases.push(Release::new(name, version, directory)?);
            }
        }
        match <[Release; 1]>::try_from(releases) {
            Ok([release]) => Ok(release),
            Err(releases) => {
                let message = format!(
                    "expected one file terraform-provider-NAME_VERSION_SHA256SUMS, found {}",
                    releases.len()
                );
                Err(DistError::new(DistErrorKind::File, message).at(directory))
            }
        }
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns the type of the provider, such as `random`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    fn prefix(&self) -> String {
        format!("terraform-provider-{}_{}", self.name, self.version)
    }

    /// Returns the name of the archive for a platform.
    pub(crate) fn archive_name(&self, platform: Platform) -> String {
        format!("{}_{platform}.zip", self.prefix())
    }

    /// Returns the name of the binary in the archive for a platform.
    pub(crate) fn binary_name(&self, platform: Platform) -> String {
        format!("terraform-provider-{}_v{}{}", self.name, self.version, platform.executable_suffix())
    }

    pub(crate) fn manifest_name(&self) -> String {
        format!("{}_manifest.json", self.prefix())
    }

    pub(crate) fn checksums_name(&self) -> String {
        format!("{}_SHA256SUMS", self.prefix())
    }

    pub(crate) fn signature_name(&self) -> String {
        format!("{}_SHA256SUMS.sig", self.prefix())
    }

    /// Returns the path of a file of the release.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

/// True if the version is a semantic version without build metadata, which the registries do not accept.
fn is_version(version: &str) -> bool {
    let (numbers, prerelease) = match version.split_once('-') {
        Some((numbers, prerelease)) => (numbers, Some(prerelease)),
        None => (version, None),
    };
    let is_number = |it: &str| {
        it.bytes().all(|it| it.is_ascii_digit()) && (it == "0" || !it.is_empty() && !it.starts_with('0'))
    };
    let is_identifier = |it: &str| {
        !it.is_empty()
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
            && (is_number(it) || !it.bytes().all(|it| it.is_ascii_digit()))
    };
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && prerelease.is_none_or(|it| it.split('.').all(is_identifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_names_of_the_registries() {
        let release = Release::new("big-cloud", "1.2.3-rc.1", Path::new("dist")).unwrap();
        let windows = "windows_amd64".parse().unwrap();
        assert_eq!(
            release.archive_name(windows),
            "terraform-provider-big-cloud_1.2.3-rc.1_windows_amd64.zip"
        );
        assert_eq!(release.binary_name(windows), "terraform-provider-big-cloud_v1.2.3-rc.1.exe");
        assert_eq!(release.manifest_name(), "terraform-provider-big-cloud_1.2.3-rc.1_manifest.json");
        assert_eq!(release.checksums_name(), "terraform-provider-big-cloud_1.2.3-rc.1_SHA256SUMS");
        assert_eq!(release.signature_name(), "terraform-provider-big-cloud_1.2.3-rc.1_SHA256SUMS.sig");
    }

    #[test]
    fn names_and_versions_are_those_that_registries_accept() {
        for version in ["0.0.0", "1.2.3", "10.20.30", "1.2.3-rc.1", "1.2.3-alpha", "1.2.3-0a", "1.2.3-a-b.0"]
        {
            assert!(is_version(version), "{version}");
        }
        for version in
            ["", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+b"]
        {
            assert!(!is_version(version), "{version}");
        }
        for name in ["", "Big", "big_cloud", "big cloud", "größe"] {
            assert!(Release::new(name, "1.2.3", Path::new("")).is_err(), "{name}");
        }
    }
}
