//! PE, the format of Windows.

use object::pe;
use object::read::pe::{ImageNtHeaders, PeFile};
use object::{LittleEndian, read};

use super::facts::{Executable, Machine, System};

/// Reads a PE file.
pub(super) fn parse<Pe: ImageNtHeaders>(content: &[u8]) -> read::Result<Executable> {
    let file = PeFile::<Pe>::parse(content)?;
    let header = file.nt_headers().file_header();
    let mut libraries = Vec::new();
    if let Some(table) = file.import_table()? {
        let mut descriptors = table.descriptors()?;
        while let Some(descriptor) = descriptors.next()? {
            let name = table.name(descriptor.name.get(LittleEndian))?;
            libraries.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    let characteristics = header.characteristics.get(LittleEndian);
    Ok(Executable {
        system: System::Windows,
        machine: match header.machine.get(LittleEndian) {
            pe::IMAGE_FILE_MACHINE_I386 => Machine::X86,
            pe::IMAGE_FILE_MACHINE_AMD64 => Machine::X86_64,
            pe::IMAGE_FILE_MACHINE_ARM64 => Machine::Aarch64,
            _ => Machine::Other,
        },
        is_program: characteristics.contains(pe::IMAGE_FILE_EXECUTABLE_IMAGE)
            && !characteristics.contains(pe::IMAGE_FILE_DLL),
        libraries,
        minimum: None,
        is_signed: false,
    })
}
