//! `cargo ferroform dist` with `cargo zigbuild`: a provider is built on Linux for several platforms, and executed.
//!
//! The test is slow, so it runs only if the environment variable `FERROFORM_DIST_PLATFORMS` lists platforms, such as
//! `linux_arm64,windows_amd64`. It then requires `cargo zigbuild`, the Rust targets, and the emulators `qemu-*-static` for Arm.
//! Windows binaries are executed with Wine if `WINEPATH` is set: Wine 8 needs a directory with the library
//! `bcryptprimitives.dll`, which it does not contain. macOS and FreeBSD have no emulator, so their binaries are verified
//! but not executed.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::path::Path;
use std::process::Command;

use ferroform_testing::plugin::PluginCommand;
use ferroform_testing::plugin::tfplugin6::get_provider_schema;

/// The environment of the build. `dist` builds with the release profile. Without optimizations, the build takes a fraction of
/// the time and links the same libraries.
const BUILD_ENVIRONMENT: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/dist")),
];

/// Returns the start of the line about each archive, which contains the format and the architecture.
fn format(platform: &str) -> &'static str {
    match platform {
        "darwin_amd64" => "Mach-O, x86-64, linked with libSystem.B.dylib",
        "darwin_arm64" => "Mach-O, AArch64, linked with libSystem.B.dylib",
        "freebsd_386" => "ELF for FreeBSD, x86, linked with ",
        "freebsd_amd64" => "ELF for FreeBSD, x86-64, linked with ",
        "linux_386" => "ELF, x86, statically linked",
        "linux_amd64" => "ELF, x86-64, statically linked",
        "linux_arm" => "ELF, ARMv",
        "linux_arm64" => "ELF, AArch64, statically linked",
        "windows_386" => "PE, x86, linked with ",
        "windows_amd64" => "PE, x86-64, linked with ",
        "windows_arm64" => "PE, AArch64, linked with ",
        _ => panic!("{platform} has no standard library"),
    }
}

/// Returns the command that runs a binary on this machine; `None` if there is no emulator for the platform.
fn command(platform: &str, binary: &Path) -> Option<PluginCommand> {
    let emulator = match platform {
        "linux_386" | "linux_amd64" => return Some(PluginCommand::new(binary)),
        "linux_arm" => "qemu-arm-static",
        "linux_arm64" => "qemu-aarch64-static",
        "windows_amd64" if std::env::var_os("WINEPATH").is_some() => "wine",
        _ => return None,
    };
    Some(PluginCommand::new(emulator).arg(binary).env("WINEDEBUG", "-all"))
}

#[test]
fn provider_is_built_and_executed_for_other_platforms() {
    let Ok(platforms) = std::env::var("FERROFORM_DIST_PLATFORMS") else {
        eprintln!("skipped, because FERROFORM_DIST_PLATFORMS is not set");
        return;
    };
    let platforms: Vec<&str> = platforms.split(',').collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let release = tempfile::tempdir().unwrap();
    let mut dist = Command::new(env!("CARGO_BIN_EXE_cargo-ferroform"));
    dist.args([
        "dist",
        "--package",
        "terraform-provider-local",
        "--locked",
        "--no-sign",
        "--cargo",
        "zigbuild",
    ]);
    dist.args(["--protocol", "6", "--address", "hashicorp/local", "--out"]).arg(release.path());
    dist.args(platforms.iter().flat_map(|it| ["--platform", *it])).envs(BUILD_ENVIRONMENT);
    let output = dist.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../providers")).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    print!("{stdout}");

    for platform in platforms {
        let verified =
            stdout.lines().find(|it| it.contains(&format!("_{platform}.zip: verified: "))).unwrap();
        assert!(verified.contains(format(platform)), "{verified}");
        let path = verified.split(": ").next().unwrap();
        let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
        archive.extract(release.path().join(platform)).unwrap();
        let name = archive.file_names().next().unwrap().unwrap().into_owned();
        let binary = release.path().join(platform).join(name);
        let Some(command) = command(platform, &binary) else {
            println!("{platform}: not executed");
            continue;
        };
        runtime.block_on(async {
            let plugin = command.start().await.unwrap_or_else(|error| panic!("{platform}: {error}"));
            let schema = plugin
                .client()
                .get_provider_schema(get_provider_schema::Request {})
                .await
                .unwrap()
                .into_inner();
            assert!(schema.resource_schemas.contains_key("local_file"), "{platform}: {schema:?}");
            plugin.stop().await.unwrap();
        });
        println!("{platform}: executed");
    }
}
