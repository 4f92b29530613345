//! `cargo ferroform new`: the project of a new provider.
//!
//! | module | contents |
//! | --- | --- |
//! | [`args`] | the command line |
//! | [`name`] | the name and the source address of a provider |
//! | [`template`] | the templates, which are compiled in |
//! | [`license`] | the licenses and their texts |
//! | [`project`] | the files: the templates with the names of the provider |
//! | [`writer`] | the directory of the project |
//!
//! ```text
//! args ──▶ project: the files ──▶ writer ──▶ git init
//! ```

mod args;
pub(crate) mod error;
mod license;
mod name;
mod project;
mod template;
pub(crate) mod writer;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) use self::args::{NewArgs, command, read};

use self::error::{NewError, Result};
use crate::source_address;

/// Runs the command, and returns the exit code.
pub(crate) fn run(
    args: &NewArgs,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    match create(args) {
        Ok(created) => {
            let warnings: String = created.warnings.iter().map(|it| format!("warning: {it}\n")).collect();
            let result = stderr
                .write_all(warnings.as_bytes())
                .and_then(|()| stdout.write_all(created.message.as_bytes()));
            (0, result)
        }
        Err(error) => (1, writeln!(stderr, "error: {error}")),
    }
}

/// The output of the command.
struct Created {
    message: String,
    warnings: Vec<String>,
}

fn create(args: &NewArgs) -> Result<Created> {
    let files = project::files(args)?;
    let directory = args.directory.display();
    if args.is_dry_run {
        writer::check(&args.directory)?;
        let paths: String = files.iter().map(|it| format!("  {}\n", it.path)).collect();
        return Ok(Created { message: format!("Files in {directory}:\n{paths}"), warnings: Vec::new() });
    }
    writer::write(&args.directory, files.iter().map(|it| (&*it.path, &*it.content)), || Ok(()))?;
    let mut warnings = Vec::new();
    if let Some(workspace) = workspace_above(&args.directory) {
        warnings.push(format!(
            "{} is a workspace: add the project to its members, or add an empty [workspace] table to the \
             Cargo.toml of the project",
            workspace.display()
        ));
    }
    if args.has_git && !is_in_repository(&args.directory) {
        warnings.extend(initialize_repository(&args.directory).err().map(|it| it.to_string()));
    }
    // `cd .` would be superfluous.
    let change_directory =
        if args.directory == Path::new(".") { String::new() } else { format!("  cd {directory}\n") };
    let message = format!(
        "Created the provider {address} in {directory}\n\n\
         Next steps:\n\
         {change_directory}  \
           cargo test\n  \
           cargo ferroform docs target/debug/{package}\n  \
           cargo ferroform dev -- terraform -chdir=examples/quickstart apply\n",
        address = source_address::without_default_registry(&args.address),
        package = args.name.package(),
    );
    Ok(Created { message, warnings })
}

/// Returns the `Cargo.toml` of the workspace that contains the directory. Cargo rejects a package that is not a member.
fn workspace_above(directory: &Path) -> Option<PathBuf> {
    let directory = fs::canonicalize(directory).ok()?;
    let mut manifests = directory.ancestors().skip(1).map(|it| it.join("Cargo.toml"));
    manifests.find(|it| {
        fs::read_to_string(it).is_ok_and(|it| it.lines().any(|it| it.trim_start().starts_with("[workspace]")))
    })
}

/// Returns true if a directory above contains a Git repository, as for `cargo new`.
fn is_in_repository(directory: &Path) -> bool {
    fs::canonicalize(directory).is_ok_and(|it| it.ancestors().any(|it| it.join(".git").exists()))
}

/// Initializes a Git repository. The project can be used without one.
///
/// # Errors
///
/// Returns an error if `git` does not run, or if it fails.
fn initialize_repository(directory: &Path) -> Result {
    let failed = |reason: String| {
        NewError::new(format!("the Git repository was not initialized: {reason}")).at(directory)
    };
    let output = Command::new("git")
        // The workflows run for this branch, which is not the default of every Git.
        .args(["init", "--quiet", "--initial-branch=main"])
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(format!("cannot run git: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}
