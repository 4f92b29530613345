//! ELF, the format of Linux and FreeBSD.

use object::elf;
use object::read::elf::{Dyn as _, FileHeader, ProgramHeader as _, SectionHeader as _, SectionTable};
use object::{Endianness, read};

use super::info::{Architecture, ExecutableInfo, OperatingSystem};

/// The loader of FreeBSD. Some linkers do not set the operating system in the header.
const FREEBSD_LOADER: &[u8] = b"/libexec/ld-elf";
/// The type of the note with the version of FreeBSD. Its name is `FreeBSD`.
const NT_FREEBSD_ABI_TAG: u32 = 1;
/// The name of the symbol versions of glibc, such as `GLIBC_2.17`.
const GLIBC: &[u8] = b"GLIBC_";

/// Reads an ELF file.
pub(super) fn parse<Elf: FileHeader<Endian = Endianness>>(content: &[u8]) -> read::Result<ExecutableInfo> {
    let header = Elf::parse(content)?;
    let endian = header.endian()?;
    let (mut interpreter, mut freebsd) = (None, None);
    for segment in header.program_headers(endian, content)? {
        interpreter = interpreter.or(segment.interpreter(endian, content)?);
        let mut notes = segment.notes(endian, content)?;
        while let Some(note) = notes.as_mut().map(|it| it.next()).transpose()?.flatten() {
            if note.name() == b"FreeBSD" && note.n_type(endian).0 == NT_FREEBSD_ABI_TAG {
                freebsd = freebsd
                    .or(note.desc().first_chunk().map(|it| format_freebsd_version(u32::from_le_bytes(*it))));
            }
        }
    }
    let sections = header.sections(endian, content)?;
    let mut libraries = read_needed_libraries(endian, content, &sections)?;
    if let (true, Some(interpreter)) = (libraries.is_empty(), interpreter) {
        // Without section headers, the libraries are not known, but the binary is not static.
        libraries.push(String::from_utf8_lossy(interpreter).into_owned());
    }
    let is_freebsd = header.e_ident().os_abi == elf::ELFOSABI_FREEBSD
        || freebsd.is_some()
        || interpreter.is_some_and(|it| it.starts_with(FREEBSD_LOADER));
    let entry: u64 = header.e_entry(endian).into();
    Ok(ExecutableInfo {
        operating_system: if is_freebsd { OperatingSystem::FreeBsd } else { OperatingSystem::Linux },
        architecture: match header.e_machine(endian) {
            elf::EM_386 => Architecture::X86,
            elf::EM_X86_64 if header.is_type_64() => Architecture::X86_64,
            elf::EM_ARM => Architecture::Arm(read_arm_version(endian, content, &sections)?),
            elf::EM_AARCH64 if header.is_type_64() => Architecture::Aarch64,
            _ => Architecture::Other,
        },
        // Position-independent programs have the type of shared libraries, which have no entry point.
        is_program: [elf::ET_EXEC, elf::ET_DYN].contains(&header.e_type(endian)) && entry != 0,
        libraries,
        minimum_version: freebsd.or(read_required_glibc_version(endian, content, &sections)?),
        is_signed: false,
    })
}

/// Formats a version number, which contains the major version, and the minor version with two digits, such as 1401000 for
/// 14.1.
pub(super) fn format_freebsd_version(number: u32) -> String {
    format!("FreeBSD {}.{}", number / 100_000, number / 1_000 % 100)
}

/// Returns the names of the shared libraries that the binary needs.
fn read_needed_libraries<Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    content: &[u8],
    sections: &SectionTable<'_, Elf>,
) -> read::Result<Vec<String>> {
    let Some((entries, strings)) = sections.dynamic(endian, content)? else { return Ok(Vec::new()) };
    let strings = sections.strings(endian, content, strings)?;
    let needed = entries.iter().take_while(|it| it.d_tag(endian) != elf::DT_NULL);
    needed
        .filter(|it| it.d_tag(endian) == elf::DT_NEEDED)
        .map(|it| Ok(String::from_utf8_lossy(it.string(endian, strings)?).into_owned()))
        .collect()
}

/// Returns the latest version of glibc whose symbols the binary needs, such as `glibc 2.17`.
fn read_required_glibc_version<Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    content: &[u8],
    sections: &SectionTable<'_, Elf>,
) -> read::Result<Option<String>> {
    let Some((mut libraries, strings)) = sections.gnu_verneed(endian, content)? else { return Ok(None) };
    let strings = sections.strings(endian, content, strings)?;
    let mut latest: Option<Vec<u32>> = None;
    while let Some((_, mut versions)) = libraries.next()? {
        while let Some(version) = versions.next()? {
            let name = version.name(endian, strings)?.strip_prefix(GLIBC);
            let numbers = name.and_then(|it| str::from_utf8(it).ok());
            // Names such as `GLIBC_PRIVATE` and `GLIBC_ABI_DT_RELR` have no number.
            let version = numbers.and_then(|it| it.split('.').map(|it| it.parse().ok()).collect());
            latest = latest.max(version);
        }
    }
    let numbers = latest.map(|it| it.iter().map(u32::to_string).collect::<Vec<_>>().join("."));
    Ok(numbers.map(|it| format!("glibc {it}")))
}

/// Returns the version of the Arm architecture in the build attributes.
fn read_arm_version<Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    content: &[u8],
    sections: &SectionTable<'_, Elf>,
) -> read::Result<Option<u8>> {
    /// Attributes with a string instead of a number: the name of the processor in two forms.
    const NAMES: [u64; 2] = [4, 5];
    const CPU_ARCH: u64 = 6;
    let section = sections.iter().find(|it| it.sh_type(endian) == elf::SHT_ARM_ATTRIBUTES);
    let Some(section) = section else { return Ok(None) };
    let mut vendors = section.attributes(endian, content)?.subsections()?;
    while let Some(vendor) = vendors.next()? {
        let mut scopes = vendor.subsubsections();
        while let Some(scope) = scopes.next()? {
            let mut attributes = scope.attributes();
            // The attributes are sorted by number, so the other strings come later.
            while let Some(attribute) = attributes.read_tag()? {
                if NAMES.contains(&attribute) {
                    attributes.read_string()?;
                    continue;
                }
                let value = attributes.read_integer()?;
                if attribute == CPU_ARCH {
                    return Ok(parse_arm_architecture(value));
                } else if attribute > CPU_ARCH {
                    break;
                }
            }
        }
    }
    Ok(None)
}

/// Returns the version of the Arm architecture for a value of `Tag_CPU_arch` in the ABI of Arm.
fn parse_arm_architecture(value: u64) -> Option<u8> {
    Some(match value {
        1 | 2 => 4,
        3..=5 => 5,
        6..=9 | 11 | 12 => 6,
        10 | 13 => 7,
        14..=17 => 8,
        _ => return None,
    })
}
