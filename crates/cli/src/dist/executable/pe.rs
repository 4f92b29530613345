//! PE, the format of Windows.

use object::pe;
use object::read::pe::{ImageNtHeaders, PeFile};
use object::{LittleEndian, read};

use super::info::{Architecture, ExecutableInfo, OperatingSystem};

/// Reads a PE file.
pub(super) fn parse<Pe: ImageNtHeaders>(content: &[u8]) -> read::Result<ExecutableInfo> {
    let file = PeFile::<Pe>::parse(content)?;
    let header = file.nt_headers().file_header();
    let mut libraries = Vec::new();
    if let Some(table) = file.import_table()? {
        let mut descriptors = table.descriptors()?;
        while let Some(descriptor) = descriptors.next()? {
            let name = table.name(descriptor.name.get(LittleEndian))?;
            let name = String::from_utf8_lossy(name).into_owned();
            // DLL names are case-insensitive. Windows resolves API sets (`api-ms-win-*`) to system DLLs.
            let name = if name.to_ascii_lowercase().starts_with("api-ms-win-") {
                "api-ms-win-*.dll".to_owned()
            } else {
                name
            };
            if !libraries.iter().any(|it: &String| it.eq_ignore_ascii_case(&name)) {
                libraries.push(name);
            }
        }
    }
    let characteristics = header.characteristics.get(LittleEndian);
    Ok(ExecutableInfo {
        operating_system: OperatingSystem::Windows,
        architecture: match header.machine.get(LittleEndian) {
            pe::IMAGE_FILE_MACHINE_I386 => Architecture::X86,
            pe::IMAGE_FILE_MACHINE_AMD64 => Architecture::X86_64,
            pe::IMAGE_FILE_MACHINE_ARM64 => Architecture::Aarch64,
            _ => Architecture::Other,
        },
        is_program: characteristics.contains(pe::IMAGE_FILE_EXECUTABLE_IMAGE)
            && !characteristics.contains(pe::IMAGE_FILE_DLL),
        libraries,
        minimum_version: None,
        is_signed: false,
    })
}
