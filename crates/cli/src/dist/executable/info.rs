//! The properties of an executable.

use std::fmt;

use crate::dist::platform::Platform;

/// The operating system for which a binary is linked, which determines its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatingSystem {
    Linux,
    FreeBsd,
    MacOs,
    Windows,
}

/// The architecture of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Architecture {
    X86,
    X86_64,
    /// 32-bit Arm, with the version of the architecture if the binary states it.
    Arm(Option<u8>),
    Aarch64,
    Other,
}

/// Properties read from an executable's headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExecutableInfo {
    pub(super) operating_system: OperatingSystem,
    pub(super) architecture: Architecture,
    /// False for shared libraries and object files.
    pub(super) is_program: bool,
    /// The shared libraries that the loader must find. Empty if the binary is statically linked.
    pub(super) libraries: Vec<String>,
    /// The minimum version of glibc, macOS or FreeBSD, such as `glibc 2.17`.
    pub(super) minimum_version: Option<String>,
    /// True if the binary contains a code signature, which macOS requires on Apple silicon.
    pub(super) is_signed: bool,
}

impl OperatingSystem {
    pub(super) fn of(platform: Platform) -> OperatingSystem {
        match platform.os() {
            "darwin" => OperatingSystem::MacOs,
            "freebsd" => OperatingSystem::FreeBsd,
            "windows" => OperatingSystem::Windows,
            _ => OperatingSystem::Linux,
        }
    }

    /// Returns the name of the format, such as `Mach-O`.
    pub(super) fn format_name(self) -> &'static str {
        match self {
            OperatingSystem::Linux => "ELF",
            OperatingSystem::FreeBsd => "ELF for FreeBSD",
            OperatingSystem::MacOs => "Mach-O",
            OperatingSystem::Windows => "PE",
        }
    }
}

impl Architecture {
    pub(super) fn of(platform: Platform) -> Architecture {
        match platform.arch() {
            "386" => Architecture::X86,
            "amd64" => Architecture::X86_64,
            "arm" => Architecture::Arm(None),
            "arm64" => Architecture::Aarch64,
            _ => Architecture::Other,
        }
    }

    /// Compares the architectures, but not their versions.
    pub(super) fn is_same_architecture(self, other: Architecture) -> bool {
        self == other || matches!((self, other), (Architecture::Arm(_), Architecture::Arm(_)))
    }
}

impl From<object::Architecture> for Architecture {
    fn from(architecture: object::Architecture) -> Architecture {
        match architecture {
            object::Architecture::I386 => Architecture::X86,
            object::Architecture::X86_64 => Architecture::X86_64,
            object::Architecture::Arm => Architecture::Arm(None),
            object::Architecture::Aarch64 => Architecture::Aarch64,
            _ => Architecture::Other,
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Architecture::X86 => "x86",
            Architecture::X86_64 => "x86-64",
            Architecture::Arm(Some(version)) => return write!(f, "ARMv{version}"),
            Architecture::Arm(None) => "Arm",
            Architecture::Aarch64 => "AArch64",
            Architecture::Other => "unsupported architecture",
        })
    }
}

impl ExecutableInfo {
    /// True if macOS on Apple silicon kills the process, because every binary for it must be signed, at least ad hoc.
    pub(super) fn is_unsigned_on_apple_silicon(&self) -> bool {
        self.operating_system == OperatingSystem::MacOs
            && self.architecture == Architecture::Aarch64
            && !self.is_signed
    }
}

impl fmt::Display for ExecutableInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.operating_system.format_name(), self.architecture)?;
        if self.libraries.is_empty() {
            f.write_str(", statically linked")?;
        } else {
            write!(f, ", linked with {}", self.libraries.join(", "))?;
        }
        if let Some(version) = &self.minimum_version {
            write!(f, "; requires {version} or later")?;
        }
        Ok(())
    }
}
