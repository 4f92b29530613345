//! `cargo ferroform dist`: the files of a release, its signature and its verification.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

#[allow(dead_code, unreachable_pub, reason = "shared with unit tests")]
mod binaries;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};
use tempfile::TempDir;

/// A package with a provider whose binaries are prebuilt.
struct Package(TempDir);

impl Package {
    fn new() -> Package {
        let package = Package(tempfile::tempdir().unwrap());
        package.write(
            "Cargo.toml",
            "[package]\nname = \"disk\"\nversion = \"1.2.3\"\nedition = \"2024\"\n[workspace]\n\
             [[bin]]\nname = \"terraform-provider-disk\"\npath = \"main.rs\"\n",
        );
        package.write("main.rs", "fn main() {}\n");
        let linux = binaries::elf(binaries::ELF_LINUX, binaries::ELF_X86_64, &[]);
        package.write("bin/linux_amd64/terraform-provider-disk", linux);
        let windows = binaries::pe(binaries::PE_X86_64, &["KERNEL32.dll", "ntdll.dll"], false);
        package.write("bin/windows_amd64/terraform-provider-disk.exe", windows);
        package
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Runs the command in the directory of the package, with the keys of `gpg` in the directory `gpg`.
    fn dist(&self, options: &str) -> (String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
        command.arg("dist").args(options.split_whitespace()).current_dir(self.0.path());
        command.env("GNUPGHOME", self.path("gpg")).env_remove("GPG_FINGERPRINT");
        let output = command.output().unwrap();
        let string = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let text = format!("{}--\n{}", string(output.stdout), string(output.stderr));
        (text.replace(&*self.0.path().to_string_lossy(), "[package]"), output.status.code().unwrap())
    }

    fn check(&self, options: &str, expected_code: i32, expected: Expect) {
        let (text, code) = self.dist(options);
        expected.assert_eq(&text);
        assert_eq!(code, expected_code);
    }

    /// Creates a key. Returns false if there is no `gpg`, unless the tests require real clients.
    fn create_key(&self) -> bool {
        let directory = self.path("gpg");
        fs::create_dir(&directory).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
        }
        let mut gpg = Command::new("gpg");
        gpg.args([
            "--batch",
            "--quiet",
            "--passphrase",
            "",
            "--quick-generate-key",
            "Disk",
            "rsa2048",
            "sign",
        ]);
        match gpg.env("GNUPGHOME", directory).output() {
            Ok(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                true
            }
            Err(error) if std::env::var_os("FERROFORM_E2E").is_some_and(|it| it == "required") => {
                panic!("cannot run gpg: {error}")
            }
            Err(error) => {
                eprintln!("skipped, because gpg does not run: {error}");
                false
            }
        }
    }
}

/// Its transcripts are the output of these tests.
const GUIDE: &str = include_str!("../../../docs/dist-command.md");

/// The options with which no binary has to run.
const OPTIONS: &str = "--prebuilt bin --out dist --address acme/disk --protocol 6 --platform linux_amd64 --platform windows_amd64";

#[test]
fn release_contains_archives_manifest_and_checksums() {
    let package = Package::new();
    let (text, _) = package.dist(&format!("{OPTIONS} --no-sign --mirror mirror"));
    assert!(GUIDE.contains(text.split("--\n").next().unwrap()));
    package.check(&format!("{OPTIONS} --no-sign --mirror mirror --tag v1.2.3"), 0, expect![[r#"
        dist/terraform-provider-disk_1.2.3_linux_amd64.zip: verified: ELF, x86-64, statically linked
        dist/terraform-provider-disk_1.2.3_windows_amd64.zip: verified: PE, x86-64, linked with KERNEL32.dll, ntdll.dll
        dist/terraform-provider-disk_1.2.3_manifest.json: protocol versions 6.0
        dist/opentofu-submission.txt: form values for submission to the OpenTofu Registry
        mirror/registry.terraform.io/acme/disk: archives added to the provider mirror
        mirror/registry.opentofu.org/acme/disk: archives added to the provider mirror
        --
        warning: dist/terraform-provider-disk_1.2.3_SHA256SUMS is not signed, but the registries accept only signed releases
    "#]]);
    let manifest =
        fs::read_to_string(package.path("dist/terraform-provider-disk_1.2.3_manifest.json")).unwrap();
    expect![[r#"
        {
          "metadata": {
            "protocol_versions": [
              "6.0"
            ]
          },
          "version": 1
        }
    "#]]
    .assert_eq(&manifest);
    let checksums =
        fs::read_to_string(package.path("dist/terraform-provider-disk_1.2.3_SHA256SUMS")).unwrap();
    let names: Vec<_> = checksums.lines().map(|it| &it[66..]).collect();
    assert_eq!(
        names,
        [
            "terraform-provider-disk_1.2.3_linux_amd64.zip",
            "terraform-provider-disk_1.2.3_manifest.json",
            "terraform-provider-disk_1.2.3_windows_amd64.zip"
        ]
    );
    for registry in ["registry.terraform.io", "registry.opentofu.org"] {
        let archive = format!("mirror/{registry}/acme/disk/terraform-provider-disk_1.2.3_windows_amd64.zip");
        assert!(package.path(&archive).is_file(), "{archive}");
    }
}

#[test]
fn dry_run_creates_no_files() {
    let package = Package::new();
    package.check(
        &format!("{OPTIONS} --dry-run --key 0123ABCD"),
        0,
        expect![[r#"
        Files in dist:
          terraform-provider-disk_1.2.3_linux_amd64.zip containing bin/linux_amd64/terraform-provider-disk
          terraform-provider-disk_1.2.3_windows_amd64.zip containing bin/windows_amd64/terraform-provider-disk.exe
          terraform-provider-disk_1.2.3_manifest.json
          terraform-provider-disk_1.2.3_SHA256SUMS
          terraform-provider-disk_1.2.3_SHA256SUMS.sig signed with 0123ABCD
          opentofu-submission.txt
        --
    "#]],
    );
    assert!(!package.path("dist").exists());
    let (text, _) = package.dist(&format!("{OPTIONS} --dry-run --key 0123ABCD"));
    assert!(GUIDE.contains(text.strip_suffix("--\n").unwrap()));
}

#[test]
fn tag_and_version_must_agree() {
    let package = Package::new();
    package.check(
        &format!("{OPTIONS} --no-sign --tag v1.2.4"),
        1,
        expect![[r#"
        --
        error: the tag is "v1.2.4", but the version of the package disk requires "v1.2.3"
    "#]],
    );
}

#[test]
fn address_and_binary_must_have_the_same_provider_type() {
    let package = Package::new();
    let (text, code) = package.dist("--prebuilt bin --address acme/volume --protocol 6 --dry-run");
    let expected = "--\nerror: the address registry.terraform.io/acme/volume has the provider type \"volume\", but the \
                    binary of the package disk has \"disk\"\n";
    assert_eq!((text.as_str(), code), (expected, 1));
}

#[test]
fn requested_platform_without_target_is_an_error() {
    let package = Package::new();
    let options = "--out dist --no-sign --address acme/disk --protocol 6 --platform freebsd_arm";
    let (text, code) = package.dist(options);
    let expected = "freebsd_arm: not built: rustup has no standard library for armv6-unknown-freebsd; use --prebuilt \
                    with a binary that is built elsewhere\n";
    assert!(text.contains(expected) && code == 1, "{text}");
    let (text, code) = package.dist(&format!("{options} --dry-run"));
    assert!(text.contains(expected) && code == 1, "{text}");
}

#[test]
fn prebuilt_binaries_must_exist() {
    let package = Package::new();
    fs::create_dir(package.path("empty")).unwrap();
    let options = "--out dist --no-sign --address acme/disk --protocol 6";
    for action in ["", "--dry-run"] {
        let (text, code) = package.dist(&format!("{options} {action} --prebuilt bni --platform linux_amd64"));
        assert!(text.starts_with("--\nerror: bni: ") && code == 1, "{text}");
        // Without the error, an untested build would be published.
        let selected = "--platform linux_amd64 --platform linux_arm64";
        let (text, code) = package.dist(&format!("{options} {action} --prebuilt bin {selected}"));
        let expected = "--\nerror: bin/linux_arm64/terraform-provider-disk: missing prebuilt binary for linux_arm64; to build it on \
                        this machine, add --build-missing\n";
        assert_eq!((text.as_str(), code), (expected, 1));
        let (text, code) = package.dist(&format!("{options} {action} --prebuilt empty"));
        let expected = "--\nerror: empty: expected a directory with a binary for each platform, such as linux_amd64, found none\n";
        assert_eq!((text.as_str(), code), (expected, 1));
    }
    // Without `--platform`, only the platforms with prebuilt binaries are released.
    let (text, code) = package.dist(&format!("{options} --prebuilt bin --dry-run"));
    let archives = ["linux_amd64.zip containing", "windows_amd64.zip containing", "zip built"]
        .map(|it| text.contains(it));
    assert_eq!((archives, code), ([true, true, false], 0), "{text}");
    let missing = "--build-missing --cargo cargo --platform linux_amd64 --platform freebsd_amd64";
    let (text, _) = package.dist(&format!("{options} --prebuilt bin --dry-run {missing}"));
    assert!(text.contains("linux_amd64.zip containing bin/") && text.contains("freebsd_amd64"), "{text}");
    assert!(!text.contains("missing prebuilt binary"), "{text}");
    // The name of the file is misspelled.
    package.write("bin/freebsd_amd64/terraform-provider-dsik", "binary");
    let (text, code) = package.dist(&format!("{options} --prebuilt bin --dry-run {missing}"));
    let expected =
        "--\nerror: bin/freebsd_amd64/terraform-provider-disk: missing prebuilt binary for freebsd_amd64\n";
    assert_eq!((text.as_str(), code), (expected, 1));
    fs::remove_dir_all(package.path("bin/freebsd_amd64")).unwrap();
    // A misspelled platform would be built instead.
    package.write("bin/macos_arm64/terraform-provider-disk", "binary");
    let (text, code) = package.dist(&format!("{OPTIONS} --no-sign --dry-run"));
    let expected = "--\nerror: bin/macos_arm64: the directory name is not a platform; expected a name such as darwin_arm64\n";
    assert_eq!((text.as_str(), code), (expected, 1));
}

#[test]
fn detectable_errors_are_reported_before_the_build() {
    let package = Package::new();
    let options = "--out dist --prebuilt bin --platform windows_amd64";
    for action in ["--no-sign", "--no-sign --dry-run"] {
        let (text, code) = package.dist(&format!("{options} {action}"));
        assert!(text.contains("or set --protocol and --address\n") && code == 1, "{text}");
        assert!(!package.path("dist").exists());
    }
    if Command::new("gpg").arg("--version").output().is_ok() {
        let (text, code) = package.dist(&format!("{OPTIONS} --key NOSUCHKEY"));
        assert!(text.contains("gpg has no private key \"NOSUCHKEY\"") && code == 1, "{text}");
        assert!(!package.path("dist").exists());
    }
}

/// An archive without a checksum, and a signature of other checksums, must not remain in the directory of the release.
#[test]
fn archives_and_signature_of_an_earlier_build_are_removed() {
    let package = Package::new();
    assert_eq!(package.dist(&format!("{OPTIONS} --no-sign")).1, 0);
    let archive = package.path("dist/terraform-provider-disk_1.2.3_windows_amd64.zip");
    assert!(archive.is_file());
    let signature = "dist/terraform-provider-disk_1.2.3_SHA256SUMS.sig";
    package.write(signature, "signature");
    let options =
        "--prebuilt bin --out dist --address acme/disk --protocol 6 --platform linux_amd64 --no-sign";
    assert_eq!(package.dist(options).1, 0);
    assert!(!archive.exists() && !package.path(signature).exists());
}

#[test]
fn platform_is_built_once() {
    let package = Package::new();
    let (text, code) = package.dist(&format!("{OPTIONS} --platform linux_amd64 --no-sign --dry-run"));
    assert_eq!((text.matches("linux_amd64.zip").count(), code), (1, 0), "{text}");
}

#[test]
fn binary_for_another_platform_is_rejected() {
    let package = Package::new();
    let macos = binaries::mach_o(binaries::MACH_ARM64, &[]);
    package.write("bin/linux_amd64/terraform-provider-disk", &macos);
    for action in ["", "--dry-run"] {
        package.check(&format!("{OPTIONS} --no-sign {action}"), 1, expect![[r#"
            --
            error: bin/linux_amd64/terraform-provider-disk: expected an executable file for linux_amd64 (ELF, x86-64), found Mach-O, AArch64
        "#]]);
    }
    package.write("bin/darwin_arm64/terraform-provider-disk", &macos);
    package.check("--prebuilt bin --address acme/disk --protocol 6 --no-sign --dry-run --platform darwin_arm64", 1, expect![[r#"
        --
        error: bin/darwin_arm64/terraform-provider-disk: the executable has no code signature, which macOS requires on Apple silicon; to sign it on macOS, run: codesign --sign - FILE
    "#]]);
}

#[test]
fn verification_finds_wrong_binaries_unsafe_entries_and_missing_platforms() {
    let package = Package::new();
    assert_eq!(package.dist(&format!("{OPTIONS} --no-sign")).1, 0);
    package.check("--verify --protocol 6 --out dist --no-sign --platform windows_amd64 --platform linux_arm64", 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_SHA256SUMS: the checksum of terraform-provider-disk_1.2.3_linux_arm64.zip is missing
    "#]]);
    let binary = fs::read(package.path("bin/windows_amd64/terraform-provider-disk.exe")).unwrap();
    let linux = fs::read(package.path("bin/linux_amd64/terraform-provider-disk")).unwrap();
    // The archive with the other content has a valid checksum, as if it had been signed.
    let replace = |entries: &[(&str, &[u8])]| {
        let name = "terraform-provider-disk_1.2.3_linux_amd64.zip";
        let mut writer =
            zip::ZipWriter::new(fs::File::create(package.path(&format!("dist/{name}"))).unwrap());
        for (name, content) in entries {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default().unix_permissions(0o755))
                .unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        let sums = package.path("dist/terraform-provider-disk_1.2.3_SHA256SUMS");
        let (text, _) = package.dist("--verify --protocol 6 --out dist --no-sign");
        let checksums = fs::read_to_string(&sums).unwrap();
        let (before, found) = text.trim_end().rsplit_once(", found ").unwrap();
        let expected = before.rsplit_once(' ').unwrap().1;
        fs::write(&sums, checksums.replace(expected, found)).unwrap();
    };
    replace(&[("terraform-provider-disk_v1.2.3", &binary)]);
    package.check("--verify --protocol 6 --out dist --no-sign", 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_linux_amd64.zip: expected an executable file for linux_amd64 (ELF, x86-64), found PE, x86-64
    "#]]);
    replace(&[("terraform-provider-disk_v1.2.3", b"#!/bin/sh\n")]);
    package.check("--verify --protocol 6 --out dist --no-sign", 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_linux_amd64.zip: expected an executable file for linux_amd64 (ELF, x86-64), found a file that is neither ELF nor Mach-O nor PE
    "#]]);
    replace(&[("terraform-provider-disk_v1.2.3", &linux), ("../../evil", b"content")]);
    package.check("--verify --protocol 6 --out dist --no-sign", 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_linux_amd64.zip: archive entry "../../evil" would be extracted outside the provider directory
    "#]]);
}

#[test]
fn cargo_option_selects_build_command() {
    let package = Package::new();
    let options = "--dry-run --no-sign --address acme/disk --protocol 6 --out dist --cargo cross --platform linux_arm64 --platform windows_amd64";
    package.check(options, 0, expect![[r#"
        Files in dist:
          terraform-provider-disk_1.2.3_linux_arm64.zip built with cross build --target aarch64-unknown-linux-musl
          terraform-provider-disk_1.2.3_windows_amd64.zip built with cross build --target x86_64-pc-windows-gnu
          terraform-provider-disk_1.2.3_manifest.json
          terraform-provider-disk_1.2.3_SHA256SUMS
          opentofu-submission.txt
        --
    "#]]);
}

#[test]
fn package_of_another_directory_is_built() {
    let package = Package::new();
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    command.arg("--chdir").arg(package.0.path()).args([
        "dist",
        "--no-sign",
        "--cargo",
        "cargo",
        "--out",
        "dist",
    ]);
    command.args(["--address", "acme/disk", "--protocol", "6", "--platform", &format!("{os}_{arch}")]);
    let output = command.current_dir(std::env::temp_dir()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(package.path(&format!("dist/terraform-provider-disk_1.2.3_{os}_{arch}.zip")).is_file());
}

#[test]
fn included_files_are_in_the_archives() {
    let package = Package::new();
    package.write("go/linux_amd64/disk-go", "the binary of another provider");
    let options = "--out dist --no-sign --address acme/disk --protocol 6 --prebuilt bin --include go --platform linux_amd64";
    let (text, code) = package.dist(&format!("{options} --dry-run"));
    assert!(
        text.contains("linux_amd64.zip containing") && text.contains("and go/linux_amd64/disk-go\n"),
        "{text}"
    );
    assert_eq!(code, 0);
    let (text, code) = package.dist(options);
    assert_eq!(code, 0, "{text}");
    let archive = fs::File::open(package.path("dist/terraform-provider-disk_1.2.3_linux_amd64.zip")).unwrap();
    let archive = zip::ZipArchive::new(archive).unwrap();
    let names: Vec<_> = archive.file_names().flatten().collect();
    assert_eq!(names, ["terraform-provider-disk_v1.2.3", "disk-go"]);

    // A platform without the files would be released without the other provider.
    let (text, code) = package.dist(&format!("{options} --platform windows_amd64"));
    assert!(text.contains("go/windows_amd64") && code == 1, "{text}");
}

#[test]
fn signed_release_is_verified() {
    let package = Package::new();
    if !package.create_key() {
        return;
    }
    let (text, code) = package.dist(OPTIONS);
    assert!(
        text.contains("terraform-provider-disk_1.2.3_SHA256SUMS: signed with GPG key ") && code == 0,
        "{text}"
    );
    assert!(!text.contains("warning"), "{text}");
    // Terraform does not read a signature in ASCII armor, but gpg does.
    let signature = package.path("dist/terraform-provider-disk_1.2.3_SHA256SUMS.sig");
    let binary_signature = fs::read(&signature).unwrap();
    let armored = Command::new("gpg").args(["--enarmor", "--output", "-"]).arg(&signature).output().unwrap();
    assert!(armored.stdout.starts_with(b"-----BEGIN PGP"), "{armored:?}");
    fs::write(&signature, armored.stdout).unwrap();
    package.check("--verify --protocol 6 --out dist", 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_SHA256SUMS.sig: the signature is ASCII-armored or invalid, but Terraform requires a binary OpenPGP signature; sign without --armor, or convert it: gpg --dearmor
    "#]]);
    fs::write(&signature, binary_signature).unwrap();
    let submission = fs::read_to_string(package.path("dist/opentofu-submission.txt")).unwrap();
    assert!(submission.contains("\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n"), "{submission}");
    let (verified, code) = package.dist("--verify --protocol 6 --out dist");
    assert!(verified.contains("signed with GPG key ") && code == 0, "{verified}");

    // After a change of the checksums, the signature is not valid.
    let checksums = package.path("dist/terraform-provider-disk_1.2.3_SHA256SUMS");
    let content = fs::read_to_string(&checksums).unwrap();
    fs::write(&checksums, content.lines().rev().map(|it| format!("{it}\n")).collect::<String>()).unwrap();
    let (text, code) = package.dist("--verify --protocol 6 --out dist");
    assert!(text.contains("gpg did not verify the signature") && code == 1, "{text}");
    let (text, code) = package.dist("--verify --protocol 6 --out dist --no-sign");
    assert!(text.contains("is not signed") && code == 0, "{text}");
}

#[test]
fn verification_finds_changed_and_missing_files() {
    let package = Package::new();
    assert_eq!(package.dist(&format!("{OPTIONS} --no-sign")).1, 0);
    package.check(
        "--verify --protocol 6 --out dist",
        1,
        expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_SHA256SUMS.sig: No such file or directory (os error 2)
    "#]],
    );
    let manifest = package.path("dist/terraform-provider-disk_1.2.3_manifest.json");
    fs::write(&manifest, "{}").unwrap();
    package.check("--verify --protocol 6 --out dist --no-sign", 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_manifest.json: expected the SHA-256 checksum 2152efebf161dcc7303b95817630f17f32a1e07086fa534d36fa82c891fe87a5, found 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    "#]]);
    fs::remove_file(manifest).unwrap();
    let (text, code) = package.dist("--verify --protocol 6 --out dist --no-sign");
    let start = "--\nerror: dist/terraform-provider-disk_1.2.3_manifest.json: ";
    assert!(text.starts_with(start) && code == 1, "{text}");
    package.check(
        "--verify --out bin",
        1,
        expect![[r#"
        --
        error: bin: expected one file terraform-provider-NAME_VERSION_SHA256SUMS, found 0
    "#]],
    );
}

#[test]
fn verification_finds_archives_without_checksum_and_other_protocol_versions() {
    let package = Package::new();
    assert_eq!(package.dist(&format!("{OPTIONS} --no-sign")).1, 0);
    let verify = "--verify --out dist --no-sign";
    for name in
        ["terraform-provider-disk_1.2.3_linux_arm64.zip", "terraform-provider-disk_1.2.3_notes", "other.zip"]
    {
        let path = format!("dist/{name}");
        package.write(&path, "content");
        let (text, code) = package.dist(&format!("{verify} --protocol 6"));
        let expected = format!(
            "--\nerror: {path}: expected a checksum in terraform-provider-disk_1.2.3_SHA256SUMS, found none\n"
        );
        assert_eq!((text, code), (expected, 1));
        fs::remove_file(package.path(&path)).unwrap();
    }
    package.check(&format!("{verify} --protocol 5"), 1, expect![[r#"
        --
        error: dist/terraform-provider-disk_1.2.3_manifest.json: metadata.protocol_versions: expected 5.0, which the provider serves, found 6.0
    "#]]);
    // The binary of the test has no code.
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let (text, code) = package.dist(verify);
        let archive = "--\nerror: dist/terraform-provider-disk_1.2.3_linux_amd64.zip: ";
        assert!(text.starts_with(archive) && code == 1, "{text}");
    }
}

#[test]
fn package_without_provider_is_an_error() {
    let package = Package::new();
    package.write(
        "Cargo.toml",
        "[package]\nname = \"disk\"\nversion = \"1.2.3\"\n[workspace]\n[lib]\npath = \"main.rs\"\n",
    );
    package.check(
        OPTIONS,
        1,
        expect![[r#"
        --
        error: no package has exactly one binary whose name starts with "terraform-provider-"
    "#]],
    );
    assert!(!Path::new("dist").exists());
}
