//! The format and the architecture of a binary, and what it requires from the machine on which it runs.
//!
//! | module | format |
//! | --- | --- |
//! | [`elf`] | Linux and FreeBSD |
//! | [`mach_o`] | macOS |
//! | [`pe`] | Windows |

mod elf;
mod mach_o;
mod pe;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;

use object::elf::{FileHeader32, FileHeader64};
use object::macho::{MachHeader32, MachHeader64};
use object::pe::{ImageNtHeaders32, ImageNtHeaders64};
use object::read::macho::{MachOFatFile32, MachOFatFile64};
use object::{Architecture, Endianness, FileKind};

use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;

/// The operating system for which a binary is linked, which determines its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Linux,
    FreeBsd,
    MacOs,
    Windows,
}

/// The architecture of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
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
    system: System,
    machine: Machine,
    /// False for shared libraries and object files.
    is_program: bool,
    /// The shared libraries that the loader must find. Empty if the binary is statically linked.
    libraries: Vec<String>,
    /// The oldest version of glibc, macOS or FreeBSD with which the binary starts, such as `glibc 2.17`.
    minimum: Option<String>,
    /// True if the binary contains a code signature, which macOS requires on Apple silicon.
    is_signed: bool,
}

impl System {
    fn of(platform: Platform) -> System {
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
    fn of(platform: Platform) -> Machine {
        match platform.arch() {
            "386" => Machine::X86,
            "amd64" => Machine::X86_64,
            "arm" => Machine::Arm(None),
            "arm64" => Machine::Aarch64,
            _ => Machine::Other,
        }
    }

    /// Compares the architectures, but not their versions.
    fn is(self, other: Machine) -> bool {
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
    /// Reads a binary, and checks that the platform can start it. The error has no path.
    ///
    /// # Errors
    ///
    /// Returns an error if the format or the architecture is another one, if the file is not a program, or if macOS would
    /// not start it because it has no code signature.
    pub(crate) fn check(content: &[u8], platform: Platform) -> Result<Executable> {
        let invalid = |message: String| DistError::new(DistErrorKind::Verification, message);
        let (system, machine) = (System::of(platform), Machine::of(platform));
        let expected = |found: &str| {
            invalid(format!(
                "expected an executable file for {platform} ({system}, {machine}), found {found}"
            ))
        };
        let executable = Executable::parse(content, machine)
            .map_err(|error| expected(&format!("an invalid file: {error}")))?
            .ok_or_else(|| expected("a file that is neither ELF nor Mach-O nor PE"))?;
        if executable.system != system || !executable.machine.is(machine) {
            return Err(expected(&format!("{}, {}", executable.system, executable.machine)));
        }
        if !executable.is_program {
            return Err(expected("a shared library or an object file"));
        }
        if executable.is_unsigned_on_apple_silicon() {
            let message = "the executable file has no code signature, without which macOS does not start it on Apple silicon; \
                           sign it on macOS: codesign --sign - FILE";
            return Err(invalid(message.into()));
        }
        Ok(executable)
    }

    /// Reads the binary of a file, and checks that the platform can start it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, and the errors of [`Executable::check`].
    pub(crate) fn check_file(path: &Path, platform: Platform) -> Result<Executable> {
        let content = std::fs::read(path).map_err(DistError::file(path))?;
        Executable::check(&content, platform).map_err(|error| error.at(path))
    }

    /// Reads a binary. Of a universal binary, which contains several architectures, the part for the machine is read.
    /// Returns `None` for files of other formats.
    fn parse(content: &[u8], machine: Machine) -> object::read::Result<Option<Executable>> {
        let part = match FileKind::parse(content) {
            Ok(FileKind::MachOFat32) => {
                mach_o::part(MachOFatFile32::parse(content)?.arches(), machine, content)?
            }
            Ok(FileKind::MachOFat64) => {
                mach_o::part(MachOFatFile64::parse(content)?.arches(), machine, content)?
            }
            _ => content,
        };
        // Files of other formats are no error of the parser.
        let Ok(kind) = FileKind::parse(part) else { return Ok(None) };
        Ok(Some(match kind {
            FileKind::Elf32 => elf::parse::<FileHeader32<Endianness>>(part)?,
            FileKind::Elf64 => elf::parse::<FileHeader64<Endianness>>(part)?,
            FileKind::MachO32 => mach_o::parse::<MachHeader32<Endianness>>(part)?,
            FileKind::MachO64 => mach_o::parse::<MachHeader64<Endianness>>(part)?,
            FileKind::Pe32 => pe::parse::<ImageNtHeaders32>(part)?,
            FileKind::Pe64 => pe::parse::<ImageNtHeaders64>(part)?,
            _ => return Ok(None),
        }))
    }

    /// True if macOS on Apple silicon kills the process, because every binary for it must be signed, at least ad hoc.
    fn is_unsigned_on_apple_silicon(&self) -> bool {
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
