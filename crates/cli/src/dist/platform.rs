//! The platforms for which registries distribute providers.

use std::fmt;
use std::str::FromStr;

/// A platform with the names that Terraform uses, such as `linux_amd64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Platform {
    /// The operating system and the architecture, separated by `_`.
    name: &'static str,
    /// The Rust target triples, in order of preference.
    triples: &'static [&'static str],
}

/// The platforms that HashiCorp recommends for public providers, with Rust's names for them.
///
/// For Linux, musl comes first: a binary that is linked against glibc does not start in images without it, such as
/// those of Terraform. For Arm, ARMv6 comes first, as in the releases of Go providers: binaries for ARMv7 do not start on
/// older machines.
const PLATFORMS: [Platform; 13] = [
    Platform { name: "darwin_amd64", triples: &["x86_64-apple-darwin"] },
    Platform { name: "darwin_arm64", triples: &["aarch64-apple-darwin"] },
    Platform { name: "freebsd_386", triples: &["i686-unknown-freebsd"] },
    Platform { name: "freebsd_amd64", triples: &["x86_64-unknown-freebsd"] },
    Platform { name: "freebsd_arm", triples: &["armv6-unknown-freebsd", "armv7-unknown-freebsd"] },
    Platform { name: "freebsd_arm64", triples: &["aarch64-unknown-freebsd"] },
    Platform { name: "linux_386", triples: &["i686-unknown-linux-musl", "i686-unknown-linux-gnu"] },
    Platform { name: "linux_amd64", triples: &["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"] },
    Platform {
        name: "linux_arm",
        triples: &[
            "arm-unknown-linux-musleabihf",
            "arm-unknown-linux-gnueabihf",
            "armv7-unknown-linux-musleabihf",
            "armv7-unknown-linux-gnueabihf",
        ],
    },
    Platform { name: "linux_arm64", triples: &["aarch64-unknown-linux-musl", "aarch64-unknown-linux-gnu"] },
    Platform {
        name: "windows_386",
        triples: &["i686-pc-windows-msvc", "i686-pc-windows-gnu", "i686-pc-windows-gnullvm"],
    },
    Platform {
        name: "windows_amd64",
        triples: &["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu", "x86_64-pc-windows-gnullvm"],
    },
    Platform { name: "windows_arm64", triples: &["aarch64-pc-windows-msvc", "aarch64-pc-windows-gnullvm"] },
];

impl Platform {
    /// Returns all platforms, sorted by name.
    pub(crate) fn all() -> impl Iterator<Item = Platform> {
        PLATFORMS.into_iter()
    }

    /// Returns the Rust target triples, in order of preference.
    pub(crate) fn triples(self) -> &'static [&'static str] {
        self.triples
    }

    /// Returns the operating system with the name that Terraform uses, such as `darwin`.
    pub(crate) fn os(self) -> &'static str {
        self.name.split_once('_').map_or(self.name, |(os, _)| os)
    }

    /// Returns the architecture with the name that Terraform uses, such as `amd64`.
    pub(crate) fn arch(self) -> &'static str {
        self.name.split_once('_').map_or("", |(_, arch)| arch)
    }

    /// Returns the suffix of executable files.
    pub(crate) fn executable_suffix(self) -> &'static str {
        if self.os() == "windows" { ".exe" } else { "" }
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
