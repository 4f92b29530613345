//! The facts about a binary.

use std::fmt;

use object::Architecture;

use crate::dist::platform::Platform;

/// The operating system for which a binary is linked, which determines its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    FreeBsd,
    MacOs,
    Windows,
}

/// The architecture of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    X86,
    X86_64,
    /// 32-bit Arm, with the version of the architecture if the binary states it.
    Arm(Option<u8>),
    Aarch64,
    Other,
}

/// The facts that a binary states about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(super) system: System,
    pub(super) machine: Machine,
    /// False for shared libraries and object files.
    pub(super) is_program: bool,
    /// The shared libraries that the loader must find. Empty if the binary is statically linked.
    pub(super) libraries: Vec<String>,
    /// The oldest version of glibc, macOS or FreeBSD with which the binary starts, such as `glibc 2.17`.
    pub(super) minimum: Option<String>,
    /// True if the binary contains a code signature, which macOS requires on Apple silicon.
    pub(super) is_signed: bool,
}

impl System {
    pub(super) fn of(platform: Platform) -> System {
        match platform.os() {
            "darwin" => System::MacOs,
            "freebsd" => System::FreeBsd,
            "windows" => System::Windows,
            _ => System::Linux,
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            System::Linux => "ELF",
            System::FreeBsd => "ELF for FreeBSD",
            System::MacOs => "Mach-O",
            System::Windows => "PE",
        })
    }
}

impl Machine {
    pub(super) fn of(platform: Platform) -> Machine {
        match platform.arch() {
            "386" => Machine::X86,
            "amd64" => Machine::X86_64,
            "arm" => Machine::Arm(None),
            "arm64" => Machine::Aarch64,
            _ => Machine::Other,
        }
    }

    /// Compares the architectures, but not their versions.
    pub(super) fn is(self, other: Machine) -> bool {
        self == other || matches!((self, other), (Machine::Arm(_), Machine::Arm(_)))
    }
}

impl From<Architecture> for Machine {
    fn from(architecture: Architecture) -> Machine {
        match architecture {
            Architecture::I386 => Machine::X86,
            Architecture::X86_64 => Machine::X86_64,
            Architecture::Arm => Machine::Arm(None),
            Architecture::Aarch64 => Machine::Aarch64,
            _ => Machine::Other,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Machine::X86 => "x86",
            Machine::X86_64 => "x86-64",
            Machine::Arm(Some(version)) => return write!(f, "ARMv{version}"),
            Machine::Arm(None) => "Arm",
            Machine::Aarch64 => "AArch64",
            Machine::Other => "another architecture",
        })
    }
}

impl Executable {
    /// True if macOS on Apple silicon kills the process, because every binary for it must be signed, at least ad hoc.
    pub(super) fn is_unsigned_on_apple_silicon(&self) -> bool {
        self.system == System::MacOs && self.machine == Machine::Aarch64 && !self.is_signed
    }
}

impl fmt::Display for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.system, self.machine)?;
        if self.libraries.is_empty() {
            f.write_str(", statically linked")?;
        } else {
            write!(f, ", linked with {}", self.libraries.join(", "))?;
        }
        if let Some(minimum) = &self.minimum {
            write!(f, "; requires {minimum} or later")?;
        }
        Ok(())
    }
}
