//! Minimal binaries, and the binary of these tests.

use super::*;

#[allow(missing_docs, unreachable_pub, reason = "shared with the tests of the command")]
#[path = "../../../tests/binaries/mod.rs"]
mod binaries;

use binaries::*;

fn check(content: &[u8], platform: &str) -> String {
    let result = ExecutableInfo::check(content, platform.parse().unwrap());
    result.map_or_else(|it| format!("error: {it}"), |it| it.to_string())
}

#[test]
fn binaries_of_each_platform_are_accepted() {
    let signed = |cpu| mach_o(cpu, &[mach_o_signature()]);
    for (platform, content, expected) in [
        ("linux_amd64", elf(ELF_LINUX, ELF_X86_64, &[]), "ELF, x86-64, statically linked"),
        ("linux_arm64", elf(ELF_LINUX, ELF_AARCH64, &[]), "ELF, AArch64, statically linked"),
        ("linux_386", elf(ELF_LINUX, ELF_386, &[]), "ELF, x86, statically linked"),
        ("linux_arm", elf(ELF_LINUX, ELF_ARM, &[]), "ELF, Arm, statically linked"),
        ("freebsd_amd64", elf(ELF_FREEBSD, ELF_X86_64, &[]), "ELF for FreeBSD, x86-64, statically linked"),
        ("darwin_amd64", mach_o(MACH_X86_64, &[]), "Mach-O, x86-64, statically linked"),
        ("darwin_arm64", signed(MACH_ARM64), "Mach-O, AArch64, statically linked"),
        ("windows_amd64", pe(PE_X86_64, &[], false), "PE, x86-64, statically linked"),
        ("windows_arm64", pe(PE_ARM64, &[], false), "PE, AArch64, statically linked"),
        ("windows_386", pe(PE_386, &[], false), "PE, x86, statically linked"),
    ] {
        assert_eq!(check(&content, platform), expected, "{platform}");
        // Each binary is rejected for all other platforms.
        for other in Platform::all().map(|it| it.to_string()).filter(|it| it != platform) {
            let result = check(&content, &other);
            assert!(
                result.starts_with("error: expected an executable file for "),
                "{platform}, {other}: {result}"
            );
        }
    }
}

#[test]
fn errors_name_expected_and_found_format() {
    let found = "error: expected an executable file for linux_amd64 (ELF, x86-64), found";
    let object_file = {
        let mut content = elf(ELF_LINUX, ELF_X86_64, &[]);
        content[16] = 1;
        content
    };
    for (content, expected) in [
        (mach_o(MACH_ARM64, &[]), "Mach-O, AArch64"),
        (pe(PE_X86_64, &[], false), "PE, x86-64"),
        (elf(ELF_LINUX, ELF_386, &[]), "ELF, x86"),
        (elf(ELF_LINUX, 8, &[]), "ELF, unsupported architecture"),
        (elf(ELF_FREEBSD, ELF_X86_64, &[]), "ELF for FreeBSD, x86-64"),
        (object_file, "a shared library or an object file"),
        (b"#!/bin/sh\nexec provider\n".to_vec(), "a file that is neither ELF nor Mach-O nor PE"),
        (b"".to_vec(), "a file that is neither ELF nor Mach-O nor PE"),
        (b"\x7fELF\x02\x01\x01\0".repeat(4), "an invalid file: Invalid ELF header size or alignment"),
    ] {
        assert_eq!(check(&content, "linux_amd64"), format!("{found} {expected}"));
    }
    let library = check(&pe(PE_X86_64, &[], true), "windows_amd64");
    assert!(library.ends_with("found a shared library or an object file"), "{library}");
}

#[test]
fn truncated_binaries_are_rejected() {
    let complete = [
        ("linux_arm", elf(ELF_LINUX, ELF_ARM, &[(0x7000_0003, 0, attributes(10))])),
        ("darwin_arm64", mach_o(MACH_ARM64, &[mach_o_library("/usr/lib/a.dylib"), mach_o_signature()])),
        ("darwin_arm64", mach_o_universal(&[(MACH_ARM64, mach_o(MACH_ARM64, &[mach_o_signature()]))])),
        ("windows_amd64", pe(PE_X86_64, &["KERNEL32.dll"], false)),
    ];
    for (platform, content) in complete {
        assert!(!check(&content, platform).starts_with("error"), "{}", check(&content, platform));
        for length in 0..content.len() {
            let result = check(&content[..length], platform);
            assert!(result.starts_with("error"), "{platform}, {length} bytes: {result}");
        }
    }
}

#[test]
fn universal_binary_in_universal_binary_is_rejected() {
    // The slice is the whole file.
    let mut content = mach_o_universal(&[(MACH_ARM64, Vec::new())]);
    content.splice(16..20, [0; 4]);
    content.splice(20..24, 28_u32.to_be_bytes());
    let result = check(&content, "darwin_arm64");
    assert!(result.ends_with("found a file that is neither ELF nor Mach-O nor PE"), "{result}");
}

#[test]
fn macos_binaries_state_libraries_version_and_signature() {
    let libraries = [mach_o_library("/usr/lib/libSystem.B.dylib"), mach_o_library("/opt/lib/libpq.5.dylib")];
    let commands = |more: &[Vec<u8>]| [&libraries[..], more].concat();
    let old_version = mach_o_command(0x24, &[10 << 16 | 12 << 8, 0], "");
    let linked = "linked with libSystem.B.dylib, /opt/lib/libpq.5.dylib";
    for (cpu, more, platform, expected) in [
        (
            MACH_ARM64,
            vec![mach_o_version(11, 0, 0), mach_o_signature()],
            "darwin_arm64",
            format!("Mach-O, AArch64, {linked}; requires macOS 11.0 or later"),
        ),
        (MACH_X86_64, vec![old_version], "darwin_amd64", format!("Mach-O, x86-64, {linked}; requires macOS 10.12 or later")),
        (
            MACH_X86_64,
            vec![mach_o_version(13, 2, 1)],
            "darwin_amd64",
            format!("Mach-O, x86-64, {linked}; requires macOS 13.2.1 or later"),
        ),
        (
            MACH_ARM64,
            vec![mach_o_version(11, 0, 0)],
            "darwin_arm64",
            "error: the executable has no code signature, which macOS requires on Apple silicon; to sign it on macOS, run: \
             codesign --sign - FILE"
                .to_owned(),
        ),
    ] {
        assert_eq!(check(&mach_o(cpu, &commands(&more)), platform), expected);
    }
}

#[test]
fn universal_binary_is_accepted_for_its_architectures() {
    let arm64 = mach_o(MACH_ARM64, &[mach_o_version(11, 0, 0), mach_o_signature()]);
    let amd64 = mach_o(MACH_X86_64, &[mach_o_version(10, 12, 0)]);
    let universal = mach_o_universal(&[(MACH_X86_64, amd64.clone()), (MACH_ARM64, arm64)]);
    let expected = "Mach-O, AArch64, statically linked; requires macOS 11.0 or later";
    assert_eq!(check(&universal, "darwin_arm64"), expected);
    let expected = "Mach-O, x86-64, statically linked; requires macOS 10.12 or later";
    assert_eq!(check(&universal, "darwin_amd64"), expected);
    let one = mach_o_universal(&[(MACH_X86_64, amd64)]);
    assert!(check(&one, "darwin_arm64").ends_with("found Mach-O, x86-64"), "{}", check(&one, "darwin_arm64"));
    let none = check(&mach_o_universal(&[]), "darwin_arm64");
    assert!(none.starts_with("error: expected an executable file"), "{none}");
}

#[test]
fn linux_binaries_state_libraries_and_glibc() {
    const DYNAMIC: u32 = 6;
    const STRINGS: u32 = 3;
    const VERSIONS: u32 = 0x6fff_fffe;
    let strings = b"\0libc.so.6\0GLIBC_2.9\0GLIBC_2.17\0GLIBC_PRIVATE\0".to_vec();
    let offset = |it: &[u8]| strings.windows(it.len()).position(|window| window == it).unwrap() as u32;
    let dynamic: Vec<u8> =
        [1, u64::from(offset(b"libc")), 0, 0].iter().flat_map(|it| it.to_le_bytes()).collect();
    // One library with three versions.
    let mut versions = [1_u16, 3].map(u16::to_le_bytes).concat();
    versions.extend([offset(b"libc"), 16, 0].map(u32::to_le_bytes).concat());
    for (name, next) in [(&b"GLIBC_2.9"[..], 16), (b"GLIBC_2.17", 16), (b"GLIBC_PRIVATE", 0)] {
        versions.extend([0, 0, offset(name), next].map(u32::to_le_bytes).concat());
    }
    let sections = [(STRINGS, 0, strings), (DYNAMIC, 1, dynamic), (VERSIONS, 1, versions)];
    assert_eq!(
        check(&elf(ELF_LINUX, ELF_X86_64, &sections), "linux_amd64"),
        "ELF, x86-64, linked with libc.so.6; requires glibc 2.17 or later"
    );
}

#[test]
fn windows_binaries_state_libraries() {
    for (machine, platform, expected) in [
        (PE_X86_64, "windows_amd64", "PE, x86-64, linked with KERNEL32.dll, ntdll.dll"),
        (PE_386, "windows_386", "PE, x86, linked with KERNEL32.dll, ntdll.dll"),
    ] {
        assert_eq!(check(&pe(machine, &["KERNEL32.dll", "ntdll.dll"], false), platform), expected);
    }
}

#[test]
fn freebsd_version_has_major_and_minor_number() {
    for (number, expected) in
        [(1_203_000, "FreeBSD 12.3"), (1_400_500, "FreeBSD 14.0"), (1_501_000, "FreeBSD 15.1")]
    {
        assert_eq!(elf::format_freebsd_version(number), expected);
    }
}

/// The build attributes of a binary for a version of the Arm architecture.
fn attributes(cpu_arch: u8) -> Vec<u8> {
    // The name of the processor, its architecture, and the profile.
    let attributes = [&[5][..], b"name\0", &[6, cpu_arch, 7, b'A']].concat();
    let scope = [&[1][..], &(attributes.len() as u32 + 5).to_le_bytes(), &attributes].concat();
    let vendor = [b"aeabi\0", &scope[..]].concat();
    [b"A", &(vendor.len() as u32 + 4).to_le_bytes()[..], &vendor].concat()
}

#[test]
fn arm_binaries_state_the_version_of_the_architecture() {
    for (cpu_arch, expected) in [(6, "ARMv6"), (9, "ARMv6"), (10, "ARMv7"), (14, "ARMv8"), (99, "Arm")] {
        let content = elf(ELF_LINUX, ELF_ARM, &[(0x7000_0003, 0, attributes(cpu_arch))]);
        assert_eq!(check(&content, "linux_arm"), format!("ELF, {expected}, statically linked"));
    }
}

/// A binary that a linker has made.
#[test]
#[cfg(any(target_os = "linux", target_os = "macos", target_os = "windows"))]
fn binary_of_these_tests_runs_on_this_machine() {
    let platform = super::super::host_platform();
    let platform = platform.parse().unwrap();
    let info = ExecutableInfo::check_file(&std::env::current_exe().unwrap(), platform).unwrap();
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        assert!(info.libraries.iter().any(|it| it == "libc.so.6"), "{info}");
        assert!(info.minimum_version.as_ref().is_some_and(|it| it.starts_with("glibc 2.")), "{info}");
    } else if cfg!(target_os = "macos") {
        assert!(info.libraries.iter().any(|it| it == "libSystem.B.dylib"), "{info}");
        assert!(info.minimum_version.as_ref().is_some_and(|it| it.starts_with("macOS ")), "{info}");
    } else if cfg!(windows) {
        assert!(info.libraries.iter().any(|it| it.eq_ignore_ascii_case("kernel32.dll")), "{info}");
    }
}
