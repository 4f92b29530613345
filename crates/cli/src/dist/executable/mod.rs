//! The format and the architecture of a binary, and what it requires from the machine on which it runs.
//!
//! | module | format |
//! | --- | --- |
//! | [`elf`] | Linux and FreeBSD |
//! | [`mach_o`] | macOS |
//! | [`pe`] | Windows |
//!
//! Each of them produces the same [`facts`].

mod elf;
mod facts;
mod mach_o;
mod pe;
#[cfg(test)]
mod tests;

use std::path::Path;

use object::elf::{FileHeader32, FileHeader64};
use object::macho::{MachHeader32, MachHeader64};
use object::pe::{ImageNtHeaders32, ImageNtHeaders64};
use object::read::macho::{MachOFatFile32, MachOFatFile64};
use object::{Endianness, FileKind};

pub(crate) use self::facts::Executable;
use self::facts::{Machine, System};
use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;

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
}
