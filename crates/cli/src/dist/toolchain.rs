//! The program and the target triple with which the binary for a platform is built.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::args::DistArgs;
use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;

/// The value of `--cargo` that selects the subcommand `cargo zigbuild`.
pub(crate) const ZIGBUILD: &str = "zigbuild";
/// Installs zig, too.
const INSTALL_ZIGBUILD: &str = "pip install cargo-zigbuild";
/// The glibc version that Rust's standard library requires, so a lower one has no use.
const GLIBC: &str = "2.17";

/// The variable with the oldest version of macOS, which compilers and linkers read.
const DEPLOYMENT_TARGET: &str = "MACOSX_DEPLOYMENT_TARGET";

/// The targets for which rustup installs no standard library, as of Rust 1.95.
const TARGETS_WITHOUT_STANDARD_LIBRARY: [&str; 3] =
    ["aarch64-unknown-freebsd", "armv6-unknown-freebsd", "armv7-unknown-freebsd"];

/// The program that builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Builder {
    Cargo,
    /// `cargo zigbuild`, which links with zig.
    Zigbuild,
    /// A program that accepts the arguments of Cargo, and brings targets and linkers along, such as `cross`.
    Other(OsString),
}

/// How the binary for a platform is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Build {
    pub(crate) builder: Builder,
    pub(crate) triple: &'static str,
}

/// The parts of this machine that determine what can be built.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// The target triple of this machine.
    host: String,
    /// The directory of Rust's standard libraries, with one subdirectory for each installed target.
    targets: PathBuf,
    has_zigbuild: bool,
    /// The program that `--cargo` selects. `None` if each target selects the program.
    selected: Option<Builder>,
}

impl Builder {
    fn named(name: &OsStr) -> Builder {
        match name.to_str() {
            Some("cargo") => Builder::Cargo,
            Some(ZIGBUILD) => Builder::Zigbuild,
            _ => Builder::Other(name.to_owned()),
        }
    }

    /// Returns the command that builds, without options.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(match self {
            Builder::Cargo | Builder::Zigbuild => OsStr::new("cargo"),
            Builder::Other(program) => program,
        });
        command.arg(if *self == Builder::Zigbuild { ZIGBUILD } else { "build" });
        command
    }
}

impl fmt::Display for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Builder::Cargo => f.write_str("cargo build"),
            Builder::Zigbuild => f.write_str("cargo zigbuild"),
            Builder::Other(program) => write!(f, "{} build", program.to_string_lossy()),
        }
    }
}

impl Build {
    /// Returns the value of `--target`. zig links with any version of glibc, and the oldest one has the most users.
    pub(crate) fn target(&self) -> String {
        let uses_old_glibc = self.builder == Builder::Zigbuild && self.uses_glibc();
        if uses_old_glibc { format!("{}.{GLIBC}", self.triple) } else { self.triple.to_owned() }
    }

    /// Returns an environment variable for the build. Without the oldest version of macOS, zig links for a recent one, and
    /// the binary does not start on the versions that Rust supports. A value of the user has precedence.
    pub(crate) fn environment(&self, directory: &Path) -> Option<(&'static str, String)> {
        let is_needed = self.builder == Builder::Zigbuild
            && self.triple.ends_with("-apple-darwin")
            && std::env::var_os(DEPLOYMENT_TARGET).is_none();
        if !is_needed {
            return None;
        }
        let output = rustc(directory, &["--print", "deployment-target", "--target", self.triple]).ok()?;
        Some((DEPLOYMENT_TARGET, output.trim().split_once('=')?.1.to_owned()))
    }

    /// Returns what the binary requires from its users, if another target of the platform requires less.
    pub(crate) fn limitation(&self, platform: Platform) -> Option<String> {
        let best = platform.triples()[0];
        if self.triple.starts_with("armv7-") && self.triple != best {
            return Some(format!(
                "the binary requires ARMv7, and does not start on ARMv6 processors, such as that of the Raspberry Pi Zero; to \
                 build a binary for both: rustup target add {best}"
            ));
        }
        let glibc = match self.builder {
            Builder::Zigbuild => format!("glibc {GLIBC}"),
            _ => "the glibc of this machine".to_owned(),
        };
        self.uses_glibc().then(|| {
            format!(
                "the binary requires {glibc} or later, and does not start in images without glibc; to build a static binary: \
                 rustup target add {best}"
            )
        })
    }

    fn uses_glibc(&self) -> bool {
        self.triple.contains("-linux-gnu")
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} --target {}", self.builder, self.target())
    }
}

impl Toolchain {
    /// Finds what is installed on this machine.
    ///
    /// # Errors
    ///
    /// Returns an error if `rustc` does not run, or if the program is `cargo zigbuild`, which is not installed.
    pub(crate) fn find(args: &DistArgs) -> Result<Toolchain> {
        let directory = args.working_directory();
        let sysroot = rustc(directory, &["--print", "sysroot"])?;
        let version = rustc(directory, &["--version", "--verbose"])?;
        let host = version.lines().find_map(|it| it.strip_prefix("host: ")).unwrap_or_default();
        let toolchain = Toolchain {
            host: host.to_owned(),
            targets: directory.join(sysroot.trim()).join("lib").join("rustlib"),
            has_zigbuild: has_zigbuild(directory),
            selected: args.cargo.as_deref().map(Builder::named),
        };
        if toolchain.selected == Some(Builder::Zigbuild) && !toolchain.has_zigbuild {
            let message = format!(
                "cargo zigbuild does not run; to install it with zig, its linker: {INSTALL_ZIGBUILD}"
            );
            return Err(DistError::new(DistErrorKind::Build, message));
        }
        Ok(toolchain)
    }

    /// Returns how the binary for a platform is built.
    ///
    /// # Errors
    ///
    /// Returns the reason if it cannot be built.
    pub(crate) fn build(&self, platform: Platform) -> std::result::Result<Build, String> {
        let builds = self.builds(platform);
        if let Some(build) = builds.iter().find(|it| self.is_installed(it)) {
            return Ok(build.clone());
        }
        let best = match builds.first() {
            Some(build) => build.triple,
            None => self.linked_by_zig(platform),
        };
        Err(if TARGETS_WITHOUT_STANDARD_LIBRARY.contains(&best) {
            format!(
                "rustup has no standard library for {best}; use --prebuilt with a binary that is built elsewhere"
            )
        } else if builds.is_empty() {
            let add_target = if self.targets.join(best).is_dir() {
                String::new()
            } else {
                format!(" && rustup target add {best}")
            };
            format!(
                "Cargo has no linker for {best} on this machine; to link it with zig: {INSTALL_ZIGBUILD}{add_target}"
            )
        } else {
            format!("the target is not installed: rustup target add {best}")
        })
    }

    /// Returns the target that zig would link if it were installed.
    fn linked_by_zig(&self, platform: Platform) -> &'static str {
        let triples = || platform.triples().iter().copied().filter(|it| zig_links(it));
        let installed = triples().find(|it| self.targets.join(it).is_dir());
        installed.or(triples().next()).unwrap_or(platform.triples()[0])
    }

    /// Returns the targets of a platform that a program on this machine can link, best first.
    fn builds(&self, platform: Platform) -> Vec<Build> {
        let build = |triple: &&'static str| Some(Build { builder: self.builder(triple)?, triple });
        platform.triples().iter().filter_map(build).collect()
    }

    /// Returns the program that builds for a target.
    fn builder(&self, triple: &str) -> Option<Builder> {
        let is_native = is_native(&self.host, triple);
        match &self.selected {
            Some(Builder::Zigbuild) => zig_links(triple).then_some(Builder::Zigbuild),
            // Outside of Windows, such programs use MinGW.
            Some(Builder::Other(_)) if triple.ends_with("-msvc") && !is_native => None,
            Some(builder) => Some(builder.clone()),
            // For musl, Cargo needs a C compiler that is not installed everywhere. For glibc, it uses the version of this
            // machine.
            None if self.has_zigbuild && zig_links(triple) && (triple.contains("-linux-") || !is_native) => {
                Some(Builder::Zigbuild)
            }
            None => is_native.then_some(Builder::Cargo),
        }
    }

    fn is_installed(&self, build: &Build) -> bool {
        matches!(build.builder, Builder::Other(_)) || self.targets.join(build.triple).is_dir()
    }
}

/// zig has the libraries of all platforms except those of Microsoft's compiler.
fn zig_links(triple: &str) -> bool {
    !triple.ends_with("-msvc")
}

/// True if the linker of this machine links binaries for the target.
fn is_native(host: &str, triple: &str) -> bool {
    let arch = |it: &str| it.split_once('-').map(|(arch, _)| arch.to_owned());
    let have_suffix = |suffix: &str| host.ends_with(suffix) && triple.ends_with(suffix);
    let is_musl = host.contains("-linux-") && triple.ends_with("-linux-musl") && arch(host) == arch(triple);
    host == triple || is_musl || have_suffix("-apple-darwin") || have_suffix("-windows-msvc")
}

/// Cargo finds its subcommands on the `PATH` and in its own directory.
fn has_zigbuild(directory: &Path) -> bool {
    let mut command = Command::new("cargo");
    // The subcommand has no option for its version.
    command
        .args([ZIGBUILD, "--help"])
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}

fn rustc(directory: &Path, options: &[&str]) -> Result<String> {
    let failed = |error: String| DistError::new(DistErrorKind::Build, format!("cannot run rustc: {error}"));
    let output = Command::new("rustc")
        .args(options)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINUX: &str = "x86_64-unknown-linux-gnu";
    const MAC: &str = "aarch64-apple-darwin";
    const WINDOWS: &str = "x86_64-pc-windows-msvc";

    /// Returns how a machine with these targets builds for a platform.
    fn build(
        (host, has_zigbuild, program): (&str, bool, Option<&str>),
        targets: &[&str],
        platform: &str,
    ) -> String {
        let folder = tempfile::tempdir().unwrap();
        for target in targets {
            std::fs::create_dir(folder.path().join(target)).unwrap();
        }
        let toolchain = Toolchain {
            host: host.to_owned(),
            targets: folder.path().to_owned(),
            has_zigbuild,
            selected: program.map(|it| Builder::named(OsStr::new(it))),
        };
        toolchain.build(platform.parse().unwrap()).map_or_else(|it| it, |it| it.to_string())
    }

    #[test]
    fn target_selects_program() {
        let with_zig = (LINUX, true, None);
        let without_zig = (LINUX, false, None);
        let (musl, gnu) = ("x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu");
        let windows = ["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"];
        for (machine, targets, platform, expected) in [
            (with_zig, &[gnu, musl][..], "linux_amd64", "cargo zigbuild --target x86_64-unknown-linux-musl"),
            (with_zig, &[gnu], "linux_amd64", "cargo zigbuild --target x86_64-unknown-linux-gnu.2.17"),
            (without_zig, &[gnu, musl], "linux_amd64", "cargo build --target x86_64-unknown-linux-musl"),
            (without_zig, &[gnu], "linux_amd64", "cargo build --target x86_64-unknown-linux-gnu"),
            (with_zig, &windows, "windows_amd64", "cargo zigbuild --target x86_64-pc-windows-gnu"),
            (with_zig, &[MAC], "darwin_arm64", "cargo zigbuild --target aarch64-apple-darwin"),
            ((MAC, true, None), &[MAC], "darwin_arm64", "cargo build --target aarch64-apple-darwin"),
            ((MAC, true, None), &[musl], "linux_amd64", "cargo zigbuild --target x86_64-unknown-linux-musl"),
            ((WINDOWS, true, None), &windows, "windows_amd64", "cargo build --target x86_64-pc-windows-msvc"),
            // The option overrides the selection.
            (
                (LINUX, true, Some("cargo")),
                &[MAC],
                "darwin_arm64",
                "cargo build --target aarch64-apple-darwin",
            ),
            (
                (MAC, true, Some("zigbuild")),
                &[MAC],
                "darwin_arm64",
                "cargo zigbuild --target aarch64-apple-darwin",
            ),
            (
                (LINUX, true, Some("cross")),
                &[],
                "windows_amd64",
                "cross build --target x86_64-pc-windows-gnu",
            ),
            (
                (LINUX, true, Some("cross")),
                &[],
                "linux_arm",
                "cross build --target arm-unknown-linux-musleabihf",
            ),
        ] {
            assert_eq!(build(machine, targets, platform), expected, "{machine:?} {platform}");
        }
    }

    #[test]
    fn missing_parts_have_instructions() {
        let add = "the target is not installed: rustup target add";
        let install = |it: &str| {
            format!("Cargo has no linker for {it} on this machine; to link it with zig: {INSTALL_ZIGBUILD}")
        };
        let windows = "x86_64-pc-windows-gnu";
        for (has_zigbuild, targets, platform, expected) in [
            (true, &[][..], "windows_amd64", format!("{add} {windows}")),
            (true, &[], "linux_arm", format!("{add} arm-unknown-linux-musleabihf")),
            (false, &[windows], "windows_amd64", install(windows)),
            (false, &[], "windows_amd64", format!("{} && rustup target add {windows}", install(windows))),
            (false, &[], "linux_amd64", format!("{add} x86_64-unknown-linux-musl")),
            (
                true,
                &[],
                "freebsd_arm64",
                "rustup has no standard library for aarch64-unknown-freebsd; use --prebuilt with a binary that is built \
                 elsewhere"
                    .to_owned(),
            ),
        ] {
            assert_eq!(build((LINUX, has_zigbuild, None), targets, platform), expected, "{platform}");
        }
    }

    #[test]
    fn limitations_name_the_target_without_them() {
        for (builder, platform, triple, expected) in [
            (Builder::Zigbuild, "linux_amd64", "x86_64-unknown-linux-gnu", Some("glibc 2.17 or later")),
            (
                Builder::Cargo,
                "linux_amd64",
                "x86_64-unknown-linux-gnu",
                Some("the glibc of this machine or later"),
            ),
            (Builder::Zigbuild, "linux_arm", "armv7-unknown-linux-gnueabihf", Some("requires ARMv7")),
            (Builder::Zigbuild, "linux_amd64", "x86_64-unknown-linux-musl", None),
            (Builder::Zigbuild, "darwin_arm64", "aarch64-apple-darwin", None),
        ] {
            let limitation = Build { builder, triple }.limitation(platform.parse().unwrap());
            assert_eq!(limitation.is_some(), expected.is_some(), "{triple}: {limitation:?}");
            let limitation = limitation.unwrap_or_default();
            assert!(limitation.contains(expected.unwrap_or_default()), "{triple}: {limitation}");
        }
    }
}
