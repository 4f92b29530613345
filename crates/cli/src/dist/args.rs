//! The command line of `cargo ferroform dist`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{ArgAction, ValueParser};
use clap::{Arg, ArgMatches, value_parser};

use super::platform::Platform;
use crate::source_address::Address;

/// The arguments of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct DistArgs {
    pub(crate) package: Option<String>,
    /// `None` for all platforms that can be built.
    pub(crate) platforms: Option<Vec<Platform>>,
    /// The build command: `cargo`, `zigbuild` for `cargo zigbuild`, or a Cargo-compatible program. `None` if it is one of
    /// the first two, depending on the target.
    pub(crate) cargo: Option<OsString>,
    /// The arguments for `cargo build`.
    pub(crate) build_options: Vec<OsString>,
    /// A directory with binaries that were built on other machines.
    pub(crate) prebuilt: Option<PathBuf>,
    /// True if the platforms without a prebuilt binary are built. It is not the default, because a wrong path would then
    /// publish an untested binary.
    pub(crate) builds_missing: bool,
    /// A directory with further files for each platform.
    pub(crate) include: Option<PathBuf>,
    /// The tag of the release, such as `v1.2.3`.
    pub(crate) tag: Option<String>,
    pub(crate) signing: Signing,
    /// The directory of the release; by default, `dist` in the target directory.
    pub(crate) out: Option<PathBuf>,
    pub(crate) mirror: Option<PathBuf>,
    pub(crate) address: Option<Address>,
    /// The protocol versions; `None` if the binary of this machine reports them.
    pub(crate) protocols: Option<BTreeSet<u16>>,
    /// The directory of the package, or one of its workspace.
    pub(crate) directory: PathBuf,
    pub(crate) action: Action,
}

impl DistArgs {
    /// The directory in which Cargo and the compiler run, so that they read the configuration of the package.
    pub(crate) fn working_directory(&self) -> &Path {
        if self.directory.as_os_str().is_empty() { Path::new(".") } else { &self.directory }
    }
}

/// How the checksums are signed.
#[derive(Debug, PartialEq)]
pub(crate) enum Signing {
    No,
    /// With a key, or with the default key of `gpg`.
    Gpg(Option<String>),
}

/// The variants of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Build,
    /// Print what `Build` would do.
    DryRun,
    /// Verify a release that exists.
    Verify,
}

const AFTER_HELP: &str = "\
Examples:
  cargo ferroform dist --dry-run
  cargo ferroform dist --tag v1.2.3 --key 0123ABCD
  cargo ferroform dist --platform linux_amd64 --no-sign --mirror mirror
  cargo ferroform dist --cargo cross --platform linux_arm64
  cargo ferroform dist --verify --out dist

A platform is built if its Rust target is installed (`rustup target add …`). To link the binaries
of other platforms, install cargo-zigbuild (`pip install cargo-zigbuild`). Without --platform, all
platforms of the registries are built, and those that cannot be built are reported. With --prebuilt,
nothing is built unless --build-missing is set.
The key is taken from --key, from GPG_FINGERPRINT in the environment, or it is gpg's default key.
The exit code is 1 if a platform, the signature or the verification fails, and 2 if the command
line is invalid.";

/// The subcommand.
pub(crate) fn command() -> clap::Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let path = |arg: Arg| arg.value_parser(value_parser!(PathBuf));
    clap::Command::new("dist")
        .about("Build, sign and verify the files of a release")
        .after_help(AFTER_HELP)
        .arg(option("package", "NAME", "The package of the provider"))
        .arg(
            option("platform", "OS_ARCH", "Build for this platform, such as linux_amd64; can be repeated")
                .action(ArgAction::Append)
                .value_parser(ValueParser::new(|it: &str| it.parse::<Platform>())),
        )
        .arg(option("features", "FEATURES", "The features of the package, as for cargo build"))
        .arg(flag("locked", "Require that Cargo.lock is up to date"))
        .arg(
            option(
                "cargo",
                "PROGRAM",
                "Build command: `cargo`, `zigbuild` (for `cargo zigbuild`), or a Cargo-compatible program such as `cross` \
                 [default: zigbuild for Linux and for targets that cargo cannot link, otherwise cargo]",
            )
            .value_parser(value_parser!(OsString)),
        )
        .arg(path(option(
            "prebuilt",
            "DIRECTORY",
            "Use the binaries DIRECTORY/OS_ARCH/terraform-provider-NAME[.exe] instead of building them",
        )))
        .arg(
            flag("build-missing", "Build the platforms that have no subdirectory in the directory of --prebuilt")
                .requires("prebuilt"),
        )
        .arg(path(option(
            "include",
            "DIRECTORY",
            "Add the files DIRECTORY/OS_ARCH/* to the archive of each platform",
        )))
        .arg(option("tag", "TAG", "The tag of the release; the version of the package must be the same"))
        .arg(option("key", "KEY", "The key that signs the checksums"))
        .arg(flag("no-sign", "Do not sign the checksums").conflicts_with("key"))
        .arg(path(option(
            "out",
            "DIRECTORY",
            "The directory of the release [default: dist in the target directory]",
        )))
        .arg(path(option("mirror", "DIRECTORY", "Also add the release to a provider mirror")))
        .arg(
            option("address", "ADDRESS", "The source address of the provider, if its binary cannot run on this machine")
                .value_parser(ValueParser::new(|it: &str| it.parse::<Address>())),
        )
        .arg(
            option(
                "protocol",
                "5|6",
                "A protocol version that the provider serves, if its binary cannot run on this machine or must not be \
                 executed; can be repeated",
            )
            .action(ArgAction::Append)
            .value_parser(value_parser!(u16).range(5..=6)),
        )
        .arg(flag("dry-run", "Print the files of the release without creating them"))
        .arg(flag("verify", "Verify the release in the output directory").conflicts_with("dry-run"))
}

/// Reads the arguments.
pub(crate) fn read(matches: &ArgMatches, environment: &[(OsString, OsString)]) -> DistArgs {
    let string = |name: &str| matches.get_one::<String>(name).cloned();
    let directory = matches.get_one::<PathBuf>("chdir").cloned().unwrap_or_default();
    let path = |name: &str| matches.get_one::<PathBuf>(name).map(|it| directory.join(it));
    let mut build_options = Vec::new();
    if let Some(features) = string("features") {
        build_options.extend(["--features".into(), features.into()]);
    }
    if matches.get_flag("locked") {
        build_options.push("--locked".into());
    }
    let key_of_environment = || {
        let value = environment.iter().find(|(name, _)| name == "GPG_FINGERPRINT")?.1.to_str()?;
        Some(value.to_owned()).filter(|it| !it.is_empty())
    };
    DistArgs {
        package: string("package"),
        platforms: matches.get_many::<Platform>("platform").map(|it| {
            let mut platforms: Vec<Platform> = Vec::new();
            for it in it {
                if !platforms.contains(it) {
                    platforms.push(*it);
                }
            }
            platforms
        }),
        builds_missing: matches.get_flag("build-missing"),
        cargo: matches.get_one::<OsString>("cargo").cloned(),
        build_options,
        prebuilt: path("prebuilt"),
        include: path("include"),
        tag: string("tag"),
        signing: match matches.get_flag("no-sign") {
            true => Signing::No,
            false => Signing::Gpg(string("key").or_else(key_of_environment)),
        },
        out: path("out"),
        mirror: path("mirror"),
        address: matches.get_one::<Address>("address").cloned(),
        protocols: matches.get_many::<u16>("protocol").map(|it| it.copied().collect()),
        directory: directory.clone(),
        action: match (matches.get_flag("dry-run"), matches.get_flag("verify")) {
            (true, _) => Action::DryRun,
            (_, true) => Action::Verify,
            _ => Action::Build,
        },
    }
}
