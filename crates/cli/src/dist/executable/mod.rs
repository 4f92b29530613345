//! The format, the architecture and the system requirements of a binary.
//!
//! | module | format |
//! | --- | --- |
//! | [`elf`] | Linux and FreeBSD |
//! | [`mach_o`] | macOS |
//! | [`pe`] | Windows |
//!
//! Each of them returns an [`ExecutableInfo`].

mod elf;
mod info;
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

pub(crate) use self::info::ExecutableInfo;
use self::info::{Architecture, OperatingSystem};
use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;

impl ExecutableInfo {
    /// Reads a binary, and checks that the platform can start it. The error has no path.
    ///
    /// # Errors
    ///
    /// Returns an error if the format or the architecture is another one, if the file is not a program, or if macOS would
    /// not start it because it has no code signature.
    pub(crate) fn check(content: &[u8], platform: Platform) -> Result<ExecutableInfo> {
        let invalid = |message: String| DistError::new(DistErrorKind::Verification, message);
        let (system, architecture) = (OperatingSystem::of(platform), Architecture::of(platform));
        let expected = |found: &str| {
            let format = system.format_name();
            invalid(format!(
                "expected an executable file for {platform} ({format}, {architecture}), found {found}"
            ))
        };
        let info = ExecutableInfo::parse(content, architecture)
            .map_err(|error| expected(&format!("an invalid file: {error}")))?
            .ok_or_else(|| expected("a file that is neither ELF nor Mach-O nor PE"))?;
        if info.operating_system != system || !info.architecture.is_same_architecture(architecture) {
            return Err(expected(&format!("{}, {}", info.operating_system.format_name(), info.architecture)));
        }
        if !info.is_program {
            return Err(expected("a shared library or an object file"));
        }
        if info.is_unsigned_on_apple_silicon() {
            let message = "the executable has no code signature, which macOS requires on Apple silicon; to sign it on macOS, \
                           run: codesign --sign - FILE";
            return Err(invalid(message.into()));
        }
        Ok(info)
    }

    /// Reads the binary of a file, and checks that the platform can start it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, and the errors of [`ExecutableInfo::check`].
    pub(crate) fn check_file(path: &Path, platform: Platform) -> Result<ExecutableInfo> {
        let content = std::fs::read(path).map_err(DistError::file(path))?;
        ExecutableInfo::check(&content, platform).map_err(|error| error.at(path))
    }

    /// Reads a binary. If it is a universal binary, which contains several architectures, reads the slice for `architecture`.
    /// Returns `None` for files of other formats.
    fn parse(content: &[u8], architecture: Architecture) -> object::read::Result<Option<ExecutableInfo>> {
        let slice = match FileKind::parse(content) {
            Ok(FileKind::MachOFat32) => {
                mach_o::slice_for(MachOFatFile32::parse(content)?.arches(), architecture, content)?
            }
            Ok(FileKind::MachOFat64) => {
                mach_o::slice_for(MachOFatFile64::parse(content)?.arches(), architecture, content)?
            }
            _ => content,
        };
        // Files of other formats are no error of the parser.
        let Ok(kind) = FileKind::parse(slice) else { return Ok(None) };
        Ok(Some(match kind {
            FileKind::Elf32 => elf::parse::<FileHeader32<Endianness>>(slice)?,
            FileKind::Elf64 => elf::parse::<FileHeader64<Endianness>>(slice)?,
            FileKind::MachO32 => mach_o::parse::<MachHeader32<Endianness>>(slice)?,
            FileKind::MachO64 => mach_o::parse::<MachHeader64<Endianness>>(slice)?,
            FileKind::Pe32 => pe::parse::<ImageNtHeaders32>(slice)?,
            FileKind::Pe64 => pe::parse::<ImageNtHeaders64>(slice)?,
            _ => return Ok(None),
        }))
    }
}
