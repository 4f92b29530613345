//! Minimal ELF, Mach-O and PE files for tests.

/// `e_machine` of ELF.
pub const ELF_386: u16 = 3;
pub const ELF_ARM: u16 = 40;
pub const ELF_X86_64: u16 = 62;
pub const ELF_AARCH64: u16 = 183;
/// `EI_OSABI` of ELF.
pub const ELF_LINUX: u8 = 0;
pub const ELF_FREEBSD: u8 = 9;

/// `cputype` of Mach-O.
pub const MACH_X86_64: u32 = 0x0100_0007;
pub const MACH_ARM64: u32 = 0x0100_000c;

/// `Machine` of PE.
pub const PE_386: u16 = 0x14c;
pub const PE_X86_64: u16 = 0x8664;
pub const PE_ARM64: u16 = 0xaa64;

/// An ELF section: its type, the index of its string table, and its content.
pub type Section = (u32, u32, Vec<u8>);

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// A static program, unless a section makes it a dynamic one. Section indices start at 1.
pub fn elf(os_abi: u8, machine: u16, sections: &[Section]) -> Vec<u8> {
    let is_64 = machine == ELF_X86_64 || machine == ELF_AARCH64;
    let word = |it: usize| (it as u64).to_le_bytes()[..if is_64 { 8 } else { 4 }].to_vec();
    let (header_size, section_size) = if is_64 { (64, 64) } else { (52, 40) };
    let mut content: Vec<u8> = Vec::new();
    let mut table = vec![0; section_size];
    // The names of the sections, which are all empty.
    let names = [(3, 0, vec![0])];
    for (kind, link, data) in sections.iter().chain(&names) {
        table.extend(bytes(&[0, *kind]));
        table.extend([0, 0, header_size + content.len(), data.len()].map(word).concat());
        table.extend(bytes(&[*link, 1]));
        table.extend([1, 0].map(word).concat());
        content.extend(data);
    }
    let section_count = sections.len() as u16 + 2;
    let section_offset = header_size + content.len();
    let half = |it: &[u16]| it.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let mut file = vec![0x7f, b'E', b'L', b'F', if is_64 { 2 } else { 1 }, 1, 1, os_abi];
    file.resize(16, 0);
    // The type of a position-independent program, the machine and the version.
    file.extend(half(&[3, machine]));
    file.extend(bytes(&[1]));
    // The entry point, and the tables of segments and sections.
    file.extend([header_size, 0, section_offset].map(word).concat());
    file.extend(bytes(&[0]));
    file.extend(half(&[header_size as u16, 0, 0, section_size as u16, section_count, section_count - 1]));
    file.extend(content);
    file.extend(table);
    file
}

/// A load command of Mach-O.
pub fn mach_o_command(command: u32, words: &[u32], name: &str) -> Vec<u8> {
    let mut data = bytes(words);
    data.extend(name.as_bytes());
    data.resize(data.len().next_multiple_of(8), 0);
    [bytes(&[command, data.len() as u32 + 8]), data].concat()
}

/// `LC_LOAD_DYLIB`.
pub fn mach_o_library(path: &str) -> Vec<u8> {
    mach_o_command(0xc, &[24, 0, 0, 0], &format!("{path}\0"))
}

/// `LC_BUILD_VERSION`.
pub fn mach_o_version(major: u32, minor: u32, patch: u32) -> Vec<u8> {
    mach_o_command(0x32, &[1, major << 16 | minor << 8 | patch, 0, 0], "")
}

/// `LC_CODE_SIGNATURE`.
pub fn mach_o_signature() -> Vec<u8> {
    mach_o_command(0x1d, &[0, 0], "")
}

/// A program with these load commands.
pub fn mach_o(cpu: u32, commands: &[Vec<u8>]) -> Vec<u8> {
    let size = commands.iter().map(|it| it.len() as u32).sum();
    [bytes(&[0xfeed_facf, cpu, 0, 2, commands.len() as u32, size, 0, 0]), commands.concat()].concat()
}

/// A universal binary with one program for each architecture.
pub fn mach_o_universal(slices: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut table: Vec<u32> = vec![0xcafe_babe, slices.len() as u32];
    let mut content: Vec<u8> = Vec::new();
    for (cpu, slice) in slices {
        let offset = 8 + 20 * slices.len() + content.len();
        table.extend([*cpu, 0, offset as u32, slice.len() as u32, 0]);
        content.extend(slice);
    }
    [table.iter().flat_map(|it| it.to_be_bytes()).collect(), content].concat()
}

/// A program that imports these libraries, or with the characteristics of a library.
pub fn pe(machine: u16, imports: &[&str], is_library: bool) -> Vec<u8> {
    const IMPORTS_ADDRESS: u32 = 0x1000;
    let (magic, optional_size) = if machine == PE_386 { (0x10b_u16, 112_u16) } else { (0x20b, 128) };
    let characteristics: u16 = if is_library { 0x2002 } else { 0x0002 };
    let mut table = Vec::new();
    let mut names = Vec::new();
    // The last descriptor is empty.
    let names_address = IMPORTS_ADDRESS + 20 * (imports.len() as u32 + 1);
    for import in imports {
        let name = names_address + names.len() as u32;
        table.extend(bytes(&[name, 0, 0, name, name]));
        names.extend(import.bytes().chain([0]));
    }
    table.resize(table.len() + 20, 0);
    table.extend(names);

    let mut file = b"MZ".to_vec();
    file.resize(60, 0);
    file.extend(bytes(&[64]));
    file.extend(b"PE\0\0");
    file.extend([machine, 1].map(u16::to_le_bytes).concat());
    file.extend(bytes(&[0, 0, 0]));
    file.extend([optional_size, characteristics, magic].map(u16::to_le_bytes).concat());
    // The optional header ends with the number of data directories, of which the second one is the import table.
    file.resize(64 + 24 + usize::from(optional_size) - 20, 0);
    let size = table.len() as u32;
    file.extend(bytes(&[2, 0, 0, if imports.is_empty() { 0 } else { IMPORTS_ADDRESS }, size]));
    file.extend(b".idata\0\0");
    let offset = file.len() as u32 + 32;
    file.extend(bytes(&[size, IMPORTS_ADDRESS, size, offset, 0, 0, 0, 0x4000_0040]));
    file.extend(table);
    file
}
