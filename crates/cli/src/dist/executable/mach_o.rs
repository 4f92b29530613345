//! Mach-O, the format of macOS.

use object::macho;
use object::read::macho::{FatArch, LoadCommandVariant, MachHeader};
use object::{Endianness, read};

use super::facts::{Executable, Machine, System};

/// The directories of the libraries that belong to macOS. Their files are listed without the directory.
const SYSTEM_LIBRARIES: [&str; 2] = ["/usr/lib/", "/System/Library/"];

/// Returns the part of a universal binary for a machine, or the first part if there is none.
pub(super) fn part<'data, Fat: FatArch>(
    parts: &[Fat],
    machine: Machine,
    content: &'data [u8],
) -> read::Result<&'data [u8]> {
    let part = parts.iter().find(|it| Machine::from(it.architecture()) == machine);
    part.or(parts.first()).map_or(Ok(&[]), |it| it.data(content))
}

/// Reads a Mach-O file with one architecture.
pub(super) fn parse<Mach: MachHeader<Endian = Endianness>>(content: &[u8]) -> read::Result<Executable> {
    let header = Mach::parse(content, 0)?;
    let endian = header.endian()?;
    let mut executable = Executable {
        machine: match header.cputype(endian) {
            macho::CPU_TYPE_X86 => Machine::X86,
            macho::CPU_TYPE_X86_64 => Machine::X86_64,
            macho::CPU_TYPE_ARM64 => Machine::Aarch64,
            _ => Machine::Other,
        },
        is_program: header.filetype(endian) == macho::MH_EXECUTE,
        system: System::MacOs,
        libraries: Vec::new(),
        minimum: None,
        is_signed: false,
    };
    let mut commands = header.load_commands(endian, content, 0)?;
    while let Some(command) = commands.next()? {
        match command.variant()? {
            LoadCommandVariant::Dylib(library) => {
                let path = String::from_utf8_lossy(command.string(endian, library.dylib.name)?).into_owned();
                let name =
                    SYSTEM_LIBRARIES.iter().any(|it| path.starts_with(it)).then(|| path.rsplit('/').next());
                executable.libraries.push(name.flatten().unwrap_or(&path).to_owned());
            }
            LoadCommandVariant::BuildVersion(version, _) => {
                executable.minimum = Some(minimum(version.minos.get(endian)));
            }
            LoadCommandVariant::VersionMin(version) if command.cmd() == macho::LC_VERSION_MIN_MACOSX => {
                executable.minimum = Some(minimum(version.version.get(endian)));
            }
            LoadCommandVariant::LinkeditData(_) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                executable.is_signed = true;
            }
            _ => {}
        }
    }
    Ok(executable)
}

/// The version number has 16 bits, followed by 8 bits for the minor version and 8 bits for the patch version.
fn minimum(version: macho::Version) -> String {
    let macho::Version(number) = version;
    let [major, minor, patch] = [number >> 16, number >> 8 & 0xff, number & 0xff];
    if patch == 0 { format!("macOS {major}.{minor}") } else { format!("macOS {major}.{minor}.{patch}") }
}
