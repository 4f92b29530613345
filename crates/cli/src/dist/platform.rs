//! The platforms for which registries distribute providers.

use std::fmt;
use std::str::FromStr;

/// A platform with the names that Terraform uses, such as `linux_amd64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Platform {
    /// The operating system and the architecture, separated by `_`.
    name: &'static str,
    /// The target triples of Rust, best first.
    triples: &'static [&'static str],
}

/// The platforms that HashiCorp recommends for public providers, with Rust's names for them.
///
/// For Linux, musl comes first: a binary that is linked against glibc does not start in images without it, such as
/// those of Terraform.
const PLATFORMS: [Platform; 13] = [
    Platform { name: "darwin_amd64", triples: &["x86_64-apple-darwin"] },
    Platform { name: "darwin_arm64", triples: &["aarch64-apple-darwin"] },
    Platform { name: "freebsd_386", triples: &["i686-unknown-freebsd"] },
    Platform { name: "freebsd_amd64", triples: &["x86_64-unknown-freebsd"] },
    Platform { name: "freebsd_arm", triples: &["armv6-unknown-freebsd", "armv7-unknown-freebsd"] },
    Platform { name: "freebsd_arm64", triples: &["aarch64-unknown-freebsd"] },
    Platform { name: "linux_386", triples: &["i686-unknown-linux-musl", "i686-unknown-linux-gnu"] },
    Platform { name: "linux_amd64", triples: &["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"] },
    Platform { name: "linux_arm", triples: &["arm-unknown-linux-musleabihf", "arm-unknown-linux-gnueabihf"] },
    Platform { name: "linux_arm64", triples: &["aarch64-unknown-linux-musl", "aarch64-unknown-linux-gnu"] },
    Platform { name: "windows_386", triples: &["i686-pc-windows-msvc", "i686-pc-windows-gnu"] },
    Platform { name: "windows_amd64", triples: &["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"] },
    Platform { name: "windows_arm64", triples: &["aarch64-pc-windows-msvc", "aarch64-pc-windows-gnullvm"] },
];

/// The targets for which rustup installs no standard library, as of Rust 1.95.
const TARGETS_WITHOUT_STANDARD_LIBRARY: [&str; 3] =
    ["aarch64-unknown-freebsd", "armv6-unknown-freebsd", "armv7-unknown-freebsd"];

impl Platform {
    /// Returns all platforms, sorted by name.
    pub(crate) fn all() -> impl Iterator<Item = Platform> {
        PLATFORMS.into_iter()
    }

    /// Returns the target triples of Rust, best first.
    pub(crate) fn triples(self) -> &'static [&'static str] {
        self.triples
    }

    /// Returns what to do if no target of the platform is installed.
    pub(crate) fn installation(self) -> String {
        let triple = self.triples[0];
        if TARGETS_WITHOUT_STANDARD_LIBRARY.contains(&triple) {
            format!(
                "rustup has no standard library for {triple}; use --prebuilt with a binary that is built elsewhere"
            )
        } else {
            format!("the target is not installed: rustup target add {triple}")
        }
    }

    /// Returns the suffix of executable files.
    pub(crate) fn executable_suffix(self) -> &'static str {
        if self.name.starts_with("windows_") { ".exe" } else { "" }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FromStr for Platform {
    type Err = String;

    fn from_str(name: &str) -> Result<Platform, String> {
        Platform::all().find(|it| it.name == name).ok_or_else(|| {
            let names: Vec<_> = Platform::all().map(|it| it.name).collect();
            format!("expected one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_are_sorted_and_have_different_triples() {
        let names: Vec<_> = Platform::all().map(|it| it.name).collect();
        assert!(names.is_sorted());
        let triples: Vec<_> = Platform::all().flat_map(|it| it.triples()).collect();
        let different: std::collections::BTreeSet<_> = triples.iter().collect();
        assert_eq!(triples.len(), different.len());
        for platform in Platform::all() {
            assert_eq!(platform.name.parse(), Ok(platform));
        }
        assert!("linux_x86_64".parse::<Platform>().is_err());
    }
}
