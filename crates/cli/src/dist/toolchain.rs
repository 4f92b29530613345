//! The build command and the target triple for each platform.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::args::DistArgs;
use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;

/// The value of `--cargo` that selects the subcommand `cargo zigbuild`.
pub(crate) const ZIGBUILD: &str = "zigbuild";
/// Also installs zig.
const INSTALL_ZIGBUILD: &str = "pip install cargo-zigbuild";
const INSTALL_ZIG: &str = "pip install ziglang";
/// The minimum glibc version of Rust's standard library.
const GLIBC: &str = "2.17";

/// The environment variable with the minimum macOS version, which compilers and linkers read.
const DEPLOYMENT_TARGET: &str = "MACOSX_DEPLOYMENT_TARGET";

/// The targets for which rustup installs no standard library, as of Rust 1.95.
const TARGETS_WITHOUT_STANDARD_LIBRARY: [&str; 3] =
    ["aarch64-unknown-freebsd", "armv6-unknown-freebsd", "armv7-unknown-freebsd"];

/// The command that builds a binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BuildTool {
    Cargo,
    /// `cargo zigbuild`, which links with zig.
    Zigbuild,
    /// A Cargo-compatible program that provides its own targets and linkers, such as `cross`.
    Other(OsString),
}

/// A target of a platform, and the command that builds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BuildTarget {
    pub(crate) tool: BuildTool,
    pub(crate) triple: &'static str,
}

/// The build tools installed on this machine.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// The target triple of this machine.
    host: String,
    /// The directory of Rust's standard libraries, with one subdirectory for each installed target.
    targets: PathBuf,
    has_zigbuild: bool,
    /// The build tool that `--cargo` selects. `None` if it depends on the target.
    selected: Option<BuildTool>,
}

impl BuildTool {
    fn from_name(name: &OsStr) -> BuildTool {
        match name.to_str() {
            Some("cargo") => BuildTool::Cargo,
            Some(ZIGBUILD) => BuildTool::Zigbuild,
            _ => BuildTool::Other(name.to_owned()),
        }
    }

    /// Returns the build command without options.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(match self {
            BuildTool::Cargo | BuildTool::Zigbuild => OsStr::new("cargo"),
            BuildTool::Other(program) => program,
        });
        command.arg(if *self == BuildTool::Zigbuild { ZIGBUILD } else { "build" });
        command
    }
}

impl fmt::Display for BuildTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildTool::Cargo => f.write_str("cargo build"),
            BuildTool::Zigbuild => f.write_str("cargo zigbuild"),
            BuildTool::Other(program) => write!(f, "{} build", program.to_string_lossy()),
        }
    }
}

impl BuildTarget {
    /// Returns the value of `--target`.
    pub(crate) fn target(&self) -> String {
        // `cargo zigbuild` can link against any glibc version. The oldest supported one makes the binary run on the most
        // systems.
        let uses_old_glibc = self.tool == BuildTool::Zigbuild && self.uses_glibc();
        if uses_old_glibc { format!("{}.{GLIBC}", self.triple) } else { self.triple.to_owned() }
    }

    /// Returns an environment variable for the build. Without it, zig links for a recent macOS version, and the binary does
    /// not run on all versions that Rust supports. A value in the user's environment takes precedence.
    pub(crate) fn environment(&self, directory: &Path) -> Option<(&'static str, String)> {
        let is_needed = self.tool == BuildTool::Zigbuild
            && self.triple.ends_with("-apple-darwin")
            && std::env::var_os(DEPLOYMENT_TARGET).is_none();
        if !is_needed {
            return None;
        }
        let output = rustc(directory, &["--print", "deployment-target", "--target", self.triple]).ok()?;
        Some((DEPLOYMENT_TARGET, output.trim().split_once('=')?.1.to_owned()))
    }

    /// Returns a warning about the binary's system requirements, if another target of the platform has lower ones.
    pub(crate) fn limitation(&self, platform: Platform) -> Option<String> {
        let best = platform.triples()[0];
        let mut limitations = Vec::new();
        if self.triple.starts_with("armv7-") && self.triple != best {
            let processors = "ARMv6 processors, such as that of the Raspberry Pi Zero";
            limitations.push(format!("requires ARMv7 and does not run on {processors}"));
        }
        if self.uses_glibc() {
            let glibc = match self.tool {
                BuildTool::Zigbuild => format!("glibc {GLIBC}"),
                _ => "this machine's glibc version".to_owned(),
            };
            let images = "container images without glibc";
            limitations.push(format!("requires {glibc} or later and does not run in {images}"));
        }
        let limitations = limitations.join(", and ");
        (!limitations.is_empty())
            .then(|| format!("the binary {limitations}; for a binary without these limitations, run: rustup target add {best}"))
    }

    fn uses_glibc(&self) -> bool {
        self.triple.contains("-linux-gnu")
    }
}

impl fmt::Display for BuildTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} --target {}", self.tool, self.target())
    }
}

impl Toolchain {
    /// Finds the build tools on this machine.
    ///
    /// # Errors
    ///
    /// Returns an error if `rustc` does not run, if `--cargo` selects `cargo zigbuild` and it is not installed, or if
    /// `cargo-zigbuild` is installed without zig.
    pub(crate) fn find(args: &DistArgs) -> Result<Toolchain> {
        let directory = args.working_directory();
        let sysroot = rustc(directory, &["--print", "sysroot"])?;
        let version = rustc(directory, &["--version", "--verbose"])?;
        let host = version.lines().find_map(|it| it.strip_prefix("host: ")).unwrap_or_default();
        let toolchain = Toolchain {
            host: host.to_owned(),
            targets: directory.join(sysroot.trim()).join("lib").join("rustlib"),
            has_zigbuild: has_zigbuild(directory),
            selected: args.cargo.as_deref().map(BuildTool::from_name),
        };
        if toolchain.selected == Some(BuildTool::Zigbuild) && !toolchain.has_zigbuild {
            let message = format!(
                "cargo-zigbuild is not installed; to install it together with zig, run: {INSTALL_ZIGBUILD}"
            );
            return Err(DistError::new(DistErrorKind::Build, message));
        }
        if toolchain.has_zigbuild && toolchain.selected != Some(BuildTool::Cargo) && !has_zig() {
            let message = format!(
                "cargo-zigbuild needs zig, which is not installed; to install it, run: {INSTALL_ZIG}"
            );
            return Err(DistError::new(DistErrorKind::Build, message));
        }
        Ok(toolchain)
    }

    /// Selects the target of a platform, and the command that builds it.
    ///
    /// # Errors
    ///
    /// Returns the reason if it cannot be built.
    pub(crate) fn select_target(&self, platform: Platform) -> std::result::Result<BuildTarget, String> {
        let candidates = self.candidates(platform);
        if let Some(target) = candidates.iter().find(|it| self.is_installed(it)) {
            return Ok(target.clone());
        }
        let best = match candidates.first() {
            Some(target) => target.triple,
            None => self.linked_by_zig(platform),
        };
        Err(if TARGETS_WITHOUT_STANDARD_LIBRARY.contains(&best) {
            format!(
                "rustup has no standard library for {best}; use --prebuilt with a binary that is built elsewhere"
            )
        } else if candidates.is_empty() {
            let add_target = if self.targets.join(best).is_dir() {
                String::new()
            } else {
                format!(" && rustup target add {best}")
            };
            format!(
                "no known linker for {best}; install cargo-zigbuild: {INSTALL_ZIGBUILD}{add_target}. If your Cargo configuration \
                 sets a linker, use --cargo cargo"
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

    /// Returns the targets of a platform that this machine can link, in order of preference.
    fn candidates(&self, platform: Platform) -> Vec<BuildTarget> {
        let candidate = |triple: &&'static str| Some(BuildTarget { tool: self.select_tool(triple)?, triple });
        platform.triples().iter().filter_map(candidate).collect()
    }

    /// Selects the build tool for a target. Returns `None` if no tool can link it.
    fn select_tool(&self, triple: &str) -> Option<BuildTool> {
        let can_link = can_link_without_zig(&self.host, triple);
        match &self.selected {
            Some(BuildTool::Zigbuild) => zig_links(triple).then_some(BuildTool::Zigbuild),
            // On other hosts, Cargo-compatible programs use MinGW.
            Some(BuildTool::Other(_)) if triple.ends_with("-msvc") && !can_link => None,
            Some(tool) => Some(tool.clone()),
            // For musl, Cargo needs a C compiler that is not installed everywhere. For glibc, it uses the version of this
            // machine.
            None if self.has_zigbuild && zig_links(triple) && (triple.contains("-linux-") || !can_link) => {
                Some(BuildTool::Zigbuild)
            }
            None => can_link.then_some(BuildTool::Cargo),
        }
    }

    fn is_installed(&self, target: &BuildTarget) -> bool {
        matches!(target.tool, BuildTool::Other(_)) || self.targets.join(target.triple).is_dir()
    }
}

/// zig bundles C libraries for all targets of [`Platform`] except `*-msvc`.
fn zig_links(triple: &str) -> bool {
    !triple.ends_with("-msvc")
}

/// True if the linker of this machine links binaries for the target.
fn can_link_without_zig(host: &str, triple: &str) -> bool {
    let arch = |it: &str| it.split_once('-').map(|(arch, _)| arch.to_owned());
    let have_suffix = |suffix: &str| host.ends_with(suffix) && triple.ends_with(suffix);
    let is_musl = host.contains("-linux-") && triple.ends_with("-linux-musl") && arch(host) == arch(triple);
    host == triple || is_musl || have_suffix("-apple-darwin") || have_suffix("-windows-msvc")
}

/// Cargo finds its subcommands on the `PATH` and in its own directory.
fn has_zigbuild(directory: &Path) -> bool {
    // The subcommand has no option for its version.
    succeeds(Command::new("cargo").args([ZIGBUILD, "--help"]).current_dir(directory))
}

/// `cargo zigbuild` uses the zig in `CARGO_ZIGBUILD_ZIG_PATH`, that of a Python package, or that on the `PATH`.
fn has_zig() -> bool {
    std::env::var_os("CARGO_ZIGBUILD_ZIG_PATH").is_some()
        || succeeds(Command::new("python3").args(["-m", "ziglang", "version"]))
        || succeeds(Command::new("python").args(["-m", "ziglang", "version"]))
        || succeeds(Command::new("zig").arg("version"))
}

/// Returns true if the command succeeds. Discards its output.
fn succeeds(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
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

    /// Returns the build command for a platform on a machine with these targets.
    fn select_target(
        (host, has_zigbuild, tool): (&str, bool, Option<&str>),
        targets: &[&str],
        platform: &str,
    ) -> String {
        let directory = tempfile::tempdir().unwrap();
        for target in targets {
            std::fs::create_dir(directory.path().join(target)).unwrap();
        }
        let toolchain = Toolchain {
            host: host.to_owned(),
            targets: directory.path().to_owned(),
            has_zigbuild,
            selected: tool.map(|it| BuildTool::from_name(OsStr::new(it))),
        };
        toolchain.select_target(platform.parse().unwrap()).map_or_else(|it| it, |it| it.to_string())
    }

    #[test]
    fn target_selects_build_tool() {
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
            assert_eq!(select_target(machine, targets, platform), expected, "{machine:?} {platform}");
        }
    }

    #[test]
    fn missing_target_or_linker_reports_install_command() {
        let add = "the target is not installed: rustup target add";
        let install = |it: &str, add_target: &str| {
            format!(
                "no known linker for {it}; install cargo-zigbuild: {INSTALL_ZIGBUILD}{add_target}. If your Cargo \
                 configuration sets a linker, use --cargo cargo"
            )
        };
        let windows = "x86_64-pc-windows-gnu";
        for (has_zigbuild, targets, platform, expected) in [
            (true, &[][..], "windows_amd64", format!("{add} {windows}")),
            (true, &[], "linux_arm", format!("{add} arm-unknown-linux-musleabihf")),
            (false, &[windows], "windows_amd64", install(windows, "")),
            (
                false,
                &[],
                "windows_amd64",
                install(windows, &format!(" && rustup target add {windows}")),
            ),
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
            assert_eq!(select_target((LINUX, has_zigbuild, None), targets, platform), expected, "{platform}");
        }
    }

    #[test]
    fn limitations_name_the_target_without_them() {
        for (tool, platform, triple, expected) in [
            (BuildTool::Zigbuild, "linux_amd64", "x86_64-unknown-linux-gnu", Some("glibc 2.17 or later")),
            (
                BuildTool::Cargo,
                "linux_amd64",
                "x86_64-unknown-linux-gnu",
                Some("this machine's glibc version or later"),
            ),
            (BuildTool::Zigbuild, "linux_arm", "armv7-unknown-linux-gnueabihf", Some("requires ARMv7")),
            (BuildTool::Zigbuild, "linux_amd64", "x86_64-unknown-linux-musl", None),
            (BuildTool::Zigbuild, "darwin_arm64", "aarch64-apple-darwin", None),
        ] {
            let limitation = BuildTarget { tool, triple }.limitation(platform.parse().unwrap());
            assert_eq!(limitation.is_some(), expected.is_some(), "{triple}: {limitation:?}");
            let limitation = limitation.unwrap_or_default();
            assert!(limitation.contains(expected.unwrap_or_default()), "{triple}: {limitation}");
        }
    }
}
