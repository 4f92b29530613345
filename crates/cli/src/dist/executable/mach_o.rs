//! Mach-O, the format of macOS.

use object::macho;
use object::read::macho::{FatArch, LoadCommandVariant, MachHeader};
use object::{Endianness, read};

use super::info::{Architecture, ExecutableInfo, OperatingSystem};

/// The directories of the libraries that belong to macOS. Their files are listed without the directory.
const SYSTEM_LIBRARIES: [&str; 2] = ["/usr/lib/", "/System/Library/"];

/// Returns the slice of a universal binary for an architecture, or the first slice if there is none.
pub(super) fn slice_for<'data, Fat: FatArch>(
    slices: &[Fat],
    architecture: Architecture,
    content: &'data [u8],
) -> read::Result<&'data [u8]> {
    let slice = slices.iter().find(|it| Architecture::from(it.architecture()) == architecture);
    slice.or(slices.first()).map_or(Ok(&[]), |it| it.data(content))
}

/// Reads a Mach-O file with one architecture, such as an architecture slice of a universal binary.
pub(super) fn parse<Mach: MachHeader<Endian = Endianness>>(content: &[u8]) -> read::Result<ExecutableInfo> {
    let header = Mach::parse(content, 0)?;
    let endian = header.endian()?;
    let mut info = ExecutableInfo {
        architecture: match header.cputype(endian) {
            macho::CPU_TYPE_X86 => Architecture::X86,
            macho::CPU_TYPE_X86_64 => Architecture::X86_64,
            macho::CPU_TYPE_ARM64 => Architecture::Aarch64,
            _ => Architecture::Other,
        },
        is_program: header.filetype(endian) == macho::MH_EXECUTE,
        operating_system: OperatingSystem::MacOs,
        libraries: Vec::new(),
        minimum_version: None,
        is_signed: false,
    };
    let mut commands = header.load_commands(endian, content, 0)?;
    while let Some(command) = commands.next()? {
        match command.variant()? {
            LoadCommandVariant::Dylib(library) => {
                let path = String::from_utf8_lossy(command.string(endian, library.dylib.name)?).into_owned();
                let name =
                    SYSTEM_LIBRARIES.iter().any(|it| path.starts_with(it)).then(|| path.rsplit('/').next());
                info.libraries.push(name.flatten().unwrap_or(&path).to_owned());
            }
            LoadCommandVariant::BuildVersion(version, _) => {
                info.minimum_version = Some(format_macos_version(version.minos.get(endian)));
            }
            LoadCommandVariant::VersionMin(version) if command.cmd() == macho::LC_VERSION_MIN_MACOSX => {
                info.minimum_version = Some(format_macos_version(version.version.get(endian)));
            }
            LoadCommandVariant::LinkeditData(_) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                info.is_signed = true;
            }
            _ => {}
        }
    }
    Ok(info)
}

/// Formats a version, whose number has 16 bits for the major version, and 8 bits each for the minor and the patch version.
fn format_macos_version(version: macho::Version) -> String {
    let macho::Version(number) = version;
    let [major, minor, patch] = [number >> 16, number >> 8 & 0xff, number & 0xff];
    if patch == 0 { format!("macOS {major}.{minor}") } else { format!("macOS {major}.{minor}.{patch}") }
}
