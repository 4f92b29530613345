//! `cargo ferroform dist`: the files with which a provider is published.
//!
//! | module | contents |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`package`] | the package of the provider, and its build |
//! | [`toolchain`] | the build command and the target triple for each platform |
//! | [`macos_frameworks`] | explanations of link errors for missing macOS frameworks |
//! | [`executable`] | the format, the architecture and the requirements of a binary |
//! | [`binary`] | the address and the protocol versions of the built provider |
//! | [`platform`], [`release`] | the names that registries require |
//! | [`archive`], [`manifest`], [`checksums`], [`signature`] | the files of a release |
//! | [`verify`] | the checks of a registry |
//! | [`mirror`], [`submission`] | the ways to publish a release without HashiCorp's registry |

mod archive;
mod args;
mod binary;
mod checksums;
mod error;
mod executable;
mod macos_frameworks;
mod manifest;
mod mirror;
mod package;
mod platform;
mod release;
mod signature;
mod submission;
mod toolchain;
mod verify;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::args::{Action, Signing};
pub(crate) use self::args::{DistArgs, command, read};
use self::checksums::Checksums;
use self::error::{DistError, DistErrorKind, Result};
use self::executable::ExecutableInfo;
use self::package::Package;
use self::platform::Platform;
use self::release::Release;
use self::toolchain::{BuildTarget, Toolchain};
use self::verify::Verified;
use crate::source_address::Address;

/// The file with the instructions for the registry of OpenTofu.
const SUBMISSION: &str = "opentofu-submission.txt";

/// How the binary for a platform is obtained.
enum Source {
    /// A binary that another machine has built.
    Prebuilt(PathBuf),
    Build(BuildTarget),
    /// This machine cannot build it, for this reason.
    Unavailable(String),
}

/// Runs the command, and returns the exit code.
pub(crate) fn run(
    args: &DistArgs,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    let mut output = Output { stdout, stderr, result: Ok(()) };
    let code = match dist(args, &mut output) {
        Ok(code) => code,
        Err(error) => {
            output.progress(&format!("error: {error}"));
            1
        }
    };
    (code, output.result)
}

/// The output streams. After a write error, such as a closed pipe, the command continues without output.
struct Output<'a> {
    stdout: &'a mut dyn io::Write,
    stderr: &'a mut dyn io::Write,
    result: io::Result<()>,
}

impl Output<'_> {
    fn line(&mut self, line: &str) {
        if self.result.is_ok() {
            self.result = writeln!(self.stdout, "{line}");
        }
    }

    fn progress(&mut self, line: &str) {
        // Progress is not part of the result.
        let _ = writeln!(self.stderr, "{line}");
    }
}

fn dist(args: &DistArgs, output: &mut Output<'_>) -> Result<u8> {
    let relative = args.working_directory();
    let directory = fs::canonicalize(relative).map_err(DistError::file(relative))?;
    if let (Action::Verify, Some(directory)) = (args.action, &args.out) {
        let release = Release::find(directory)?;
        return verify_release(&release, args, output).map(|_| 0);
    }
    let package = Package::find(&directory, args.package.as_deref())?;
    check_tag(&package, args.tag.as_deref())?;
    check_address(&package, args.address.as_ref())?;
    let directory = args.out.clone().unwrap_or_else(|| package.target_directory.join("dist"));
    let release = Release::new(package.provider_name(), &package.version, &directory)?;
    match args.action {
        Action::Verify => verify_release(&release, args, output).map(|_| 0),
        Action::DryRun => dry_run(&release, args, output),
        Action::Build => build(&package, &release, args, output),
    }
}

/// A release with another version than its tag would be published under a wrong version.
fn check_tag(package: &Package, tag: Option<&str>) -> Result {
    let expected = format!("v{}", package.version);
    match tag {
        Some(tag) if tag != expected => {
            let name = &package.name;
            let message =
                format!("the tag is {tag:?}, but the version of the package {name} requires {expected:?}");
            Err(DistError::new(DistErrorKind::Package, message))
        }
        _ => Ok(()),
    }
}

/// Returns the binary that another machine has built; `None` if this machine builds it.
fn prebuilt(platform: Platform, release: &Release, args: &DistArgs) -> Result<Option<PathBuf>> {
    let Some(directory) = &args.prebuilt else { return Ok(None) };
    let directory = directory.join(platform.to_string());
    let path =
        directory.join(format!("terraform-provider-{}{}", release.name(), platform.executable_suffix()));
    if path.is_file() {
        // A wrong binary is found before the other platforms are built.
        ExecutableInfo::check_file(&path, platform)?;
        return Ok(Some(path));
    }
    // A directory with another file is a mistake in any case.
    let is_missing = !directory.exists();
    if is_missing && args.builds_missing {
        return Ok(None);
    }
    // A binary built on this machine is not the one that was tested.
    let hint = if is_missing { "; to build it on this machine, add --build-missing" } else { "" };
    let message = format!("missing prebuilt binary for {platform}{hint}");
    Err(DistError::new(DistErrorKind::File, message).at(&path))
}

/// Returns the platforms that have a subdirectory in the directory of prebuilt binaries.
fn prebuilt_platforms(directory: &Path) -> Result<BTreeSet<Platform>> {
    let mut platforms = BTreeSet::new();
    for entry in fs::read_dir(directory).map_err(DistError::file(directory))? {
        let path = entry.map_err(DistError::file(directory))?.path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            platforms.insert(name.parse().map_err(|_| {
                let message = "the directory name is not a platform; expected a name such as darwin_arm64";
                DistError::new(DistErrorKind::File, message).at(&path)
            })?);
        }
    }
    Ok(platforms)
}

/// Without `--platform`, the platforms of all prebuilt binaries, or all platforms if they can be built.
fn sources(release: &Release, args: &DistArgs) -> Result<Vec<(Platform, Source)>> {
    let mut default = Platform::all().collect();
    if let Some(directory) = &args.prebuilt {
        let found = prebuilt_platforms(directory)?;
        if !args.builds_missing {
            default = Vec::from_iter(found);
        }
        if default.is_empty() && args.platforms.is_none() {
            let message =
                "expected a directory with a binary for each platform, such as linux_amd64, found none";
            return Err(DistError::new(DistErrorKind::File, message).at(directory));
        }
    }
    if let Some(included) = &args.include {
        for platform in args.platforms.iter().flatten() {
            archive::files_in(&included.join(platform.to_string()))?;
        }
    }
    let mut toolchain = None;
    let mut sources = Vec::new();
    for platform in args.platforms.clone().unwrap_or(default) {
        let source = match prebuilt(platform, release, args)? {
            Some(path) => Source::Prebuilt(path),
            None => {
                let toolchain = match &mut toolchain {
                    Some(toolchain) => toolchain,
                    None => toolchain.insert(Toolchain::find(args)?),
                };
                toolchain.select_target(platform).map_or_else(Source::Unavailable, Source::Build)
            }
        };
        sources.push((platform, source));
    }
    Ok(sources)
}

fn unavailable_message(platform: Platform, reason: &str) -> String {
    format!("{platform}: not built: {reason}")
}

/// Prints the files of the release. Returns the exit code that the build would have for platforms that cannot be built.
fn dry_run(release: &Release, args: &DistArgs, output: &mut Output<'_>) -> Result<u8> {
    let mut is_unavailable = false;
    let sources = sources(release, args)?;
    check_host_binary(&sources, args)?;
    output.line(&format!("Files in {}:", release.directory().display()));
    for (platform, source) in sources {
        let name = release.archive_name(platform);
        match source {
            Source::Prebuilt(path) => output.line(&format!("  {name} containing {}", path.display())),
            Source::Build(target) => {
                output.line(&format!("  {name} built with {target}"));
                if let Some(limitation) = target.limitation(platform) {
                    output.progress(&format!("{platform}: {limitation}"));
                }
            }
            Source::Unavailable(reason) => {
                is_unavailable = true;
                output.progress(&unavailable_message(platform, &reason));
                continue;
            }
        }
        if let Some(included) = &args.include {
            for (_, path) in archive::files_in(&included.join(platform.to_string()))? {
                output.line(&format!("    and {}", path.display()));
            }
        }
    }
    output.line(&format!("  {}", release.manifest_name()));
    output.line(&format!("  {}", release.checksums_name()));
    if let Signing::Gpg(key) = &args.signing {
        let key = key.as_deref().unwrap_or("the default key of gpg");
        output.line(&format!("  {} signed with {key}", release.signature_name()));
    }
    output.line(&format!("  {SUBMISSION}"));
    if let Some(mirror) = &args.mirror {
        output.line(&format!("Copies of the archives in {}", mirror.display()));
    }
    Ok(u8::from(is_unavailable && args.platforms.is_some()))
}

fn build(package: &Package, release: &Release, args: &DistArgs, output: &mut Output<'_>) -> Result<u8> {
    let directory = release.directory();
    let sources = sources(release, args)?;
    // Errors that need no build to detect are reported first.
    check_host_binary(&sources, args)?;
    if let Signing::Gpg(key) = &args.signing {
        signature::check_key(key.as_deref())?;
    }
    fs::create_dir_all(directory).map_err(DistError::file(directory))?;
    // An archive of an earlier build would have no checksum in SHA256SUMS, and its signature would not match the checksums.
    let archives = Platform::all().map(|it| release.archive_name(it));
    for name in archives.chain([release.signature_name()]) {
        let file = release.path(&name);
        if file.exists() {
            fs::remove_file(&file).map_err(DistError::file(&file))?;
        }
    }
    let mut built = Vec::new();
    // A platform that was requested must be built. A build that fails is an error in every case.
    let mut has_failed = false;
    for (platform, source) in sources {
        let binary = match source {
            Source::Prebuilt(path) => path,
            Source::Unavailable(reason) => {
                has_failed |= args.platforms.is_some();
                output.progress(&unavailable_message(platform, &reason));
                continue;
            }
            Source::Build(target) => {
                output.progress(&format!("{platform}: {target}"));
                if let Some(limitation) = target.limitation(platform) {
                    output.progress(&format!("{platform}: {limitation}"));
                }
                match package::build(package, &target, args, &mut |it| output.progress(it)) {
                    Ok(path) => {
                        path.with_file_name(format!("{}{}", package.binary, platform.executable_suffix()))
                    }
                    // The other platforms are built nevertheless.
                    Err(error) if error.kind == DistErrorKind::Build => {
                        has_failed = true;
                        output.progress(&format!("{platform}: {error}"));
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        let mut files = vec![(release.binary_name(platform), binary.clone())];
        if let Some(included) = &args.include {
            files.extend(archive::files_in(&included.join(platform.to_string()))?);
        }
        archive::write(&release.path(&release.archive_name(platform)), &files)?;
        built.push((platform, binary));
    }
    if built.is_empty() {
        return Err(DistError::new(DistErrorKind::Build, "no platform was built"));
    }
    let protocols = match &args.protocols {
        Some(protocols) => protocols.clone(),
        None => binary::protocols(host_binary(&built)?)?,
    };
    let address = match &args.address {
        Some(address) => address.clone(),
        None => binary::address(host_binary(&built)?)?,
    };
    write_manifest_and_checksums(release, &built, &protocols)?;
    if let Signing::Gpg(key) = &args.signing {
        let checksums = release.path(&release.checksums_name());
        signature::sign(&checksums, &release.path(&release.signature_name()), key.as_deref())?;
    }
    let verified = verify_release(release, args, output)?;
    write_submission(release, &address, &verified)?;
    output.line(&format!(
        "{}: form values for submission to the OpenTofu Registry",
        release.path(SUBMISSION).display()
    ));
    if let Some(mirror) = &args.mirror {
        let platforms: Vec<_> = verified.archives.iter().map(|(it, _)| *it).collect();
        for directory in mirror::add(release, &platforms, &address, mirror)? {
            output.line(&format!("{}: archives added to the provider mirror", directory.display()));
        }
    }
    Ok(u8::from(has_failed))
}

/// Terraform and OpenTofu require that the provider type of the address is in the name of the binary.
fn check_address(package: &Package, address: Option<&Address>) -> Result {
    let expected = package.provider_name();
    match address {
        Some(address) if address.name() != expected => {
            let message = format!(
                "the address {address} has the provider type {:?}, but the binary of the package {} has {expected:?}",
                address.name(),
                package.name
            );
            Err(DistError::new(DistErrorKind::Package, message))
        }
        _ => Ok(()),
    }
}

/// Returns the name of the platform of this machine.
fn host_platform() -> String {
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        arch => arch,
    };
    format!("{os}_{arch}")
}

/// Returns the binary that runs on this machine.
fn host_binary(built: &[(Platform, PathBuf)]) -> Result<&Path> {
    let host = host_platform();
    let found = built.iter().find(|(it, _)| it.to_string() == host);
    found.map(|(_, path)| path.as_path()).ok_or_else(missing_host_binary)
}

fn missing_host_binary() -> DistError {
    let message = format!(
        "none of the binaries can run on this machine: add --platform {}, or set --protocol and --address",
        host_platform()
    );
    DistError::new(DistErrorKind::Build, message)
}

/// Checks that there will be a binary that runs on this machine, unless the options make it unnecessary.
fn check_host_binary(sources: &[(Platform, Source)], args: &DistArgs) -> Result {
    let host = host_platform();
    let is_unnecessary = args.protocols.is_some() && args.address.is_some();
    let is_available = |(platform, source): &(Platform, Source)| {
        platform.to_string() == host && !matches!(source, Source::Unavailable(_))
    };
    // If no platform can be built, the reasons are reported instead.
    let has_no_buildable_platform = sources.iter().all(|(_, it)| matches!(it, Source::Unavailable(_)));
    match is_unnecessary || has_no_buildable_platform || sources.iter().any(is_available) {
        true => Ok(()),
        false => Err(missing_host_binary()),
    }
}

fn write_manifest_and_checksums(
    release: &Release,
    built: &[(Platform, PathBuf)],
    protocols: &BTreeSet<u16>,
) -> Result {
    let manifest = release.path(&release.manifest_name());
    fs::write(&manifest, manifest::content(protocols)).map_err(DistError::file(&manifest))?;
    let archives = built.iter().map(|(platform, _)| release.archive_name(*platform));
    let checksums = Checksums::calculate(release.directory(), archives.chain([release.manifest_name()]))?;
    let path = release.path(&release.checksums_name());
    fs::write(&path, checksums.content()).map_err(DistError::file(&path))
}

fn write_submission(release: &Release, address: &Address, verified: &Verified) -> Result {
    let key = verified.signature.as_ref().map(|it| signature::public_key(&it.fingerprint)).transpose()?;
    let path = release.path(SUBMISSION);
    fs::write(&path, submission::text(address, key.as_deref())).map_err(DistError::file(&path))
}

/// Checks that the binary for this machine serves the protocol versions of the manifest. The release is verified, so the binary
/// matches the signed checksums.
fn check_protocols(
    release: &Release,
    args: &DistArgs,
    verified: &Verified,
    output: &mut Output<'_>,
) -> Result {
    let host = verified.archives.iter().map(|(it, _)| *it).find(|it| it.to_string() == host_platform());
    let served = match (&args.protocols, host) {
        (Some(protocols), _) => protocols.clone(),
        (None, Some(platform)) => {
            let archive = release.path(&release.archive_name(platform));
            let served =
                archive::with_extracted(&archive, &release.binary_name(platform), binary::protocols)?;
            served.map_err(|error| error.at(&archive))?
        }
        (None, None) => {
            output.progress("the protocol versions were not compared: no binary can run on this machine");
            return Ok(());
        }
    };
    let served: Vec<String> = served.iter().map(|it| format!("{it}.0")).collect();
    match verified.protocol_versions.iter().find(|it| !served.contains(it)) {
        None => Ok(()),
        Some(version) => {
            let path = release.path(&release.manifest_name());
            let message = format!(
                "metadata.protocol_versions: expected {}, which the provider serves, found {version}",
                served.join(" and ")
            );
            Err(DistError::new(DistErrorKind::Verification, message).at(&path))
        }
    }
}

fn verify_release(release: &Release, args: &DistArgs, output: &mut Output<'_>) -> Result<Verified> {
    // After a build, failures of single platforms have been reported.
    let required = args.platforms.as_deref().filter(|_| args.action == Action::Verify).unwrap_or_default();
    let verified = verify::verify(release, required, args.signing != Signing::No)?;
    // After a build, the manifest contains what the binary has reported.
    if args.action == Action::Verify {
        check_protocols(release, args, &verified, output)?;
    }
    for (platform, info) in &verified.archives {
        let path = release.path(&release.archive_name(*platform));
        output.line(&format!("{}: verified: {info}", path.display()));
    }
    let versions = verified.protocol_versions.join(", ");
    output
        .line(&format!("{}: protocol versions {versions}", release.path(&release.manifest_name()).display()));
    let checksums = release.path(&release.checksums_name());
    match &verified.signature {
        Some(signature) => {
            output.line(&format!("{}: signed with GPG key {}", checksums.display(), signature.fingerprint));
            if !signature.is_accepted_by_terraform_registry() {
                output.progress(
                    "warning: the Terraform Registry accepts only RSA and DSA keys, but this key is of another type",
                );
            }
        }
        None => output.progress(&format!(
            "warning: {} is not signed, but the registries accept only signed releases",
            checksums.display()
        )),
    }
    Ok(verified)
}
