//! `cargo ferroform schema`: the schema of a provider as JSON or as a tree, and the changes between two versions.
//!
//! ```text
//! provider_schema ──┬──▶ JSON, tree
//!                   └──▶ diff ──▶ report
//! ```

mod args;
mod diff;
mod report;
mod tree;

use std::io::{self, IsTerminal as _, Write as _};

use crate::provider_schema::source::Source;
use crate::provider_schema::{ProviderSchema, print};
use crate::source_address::is_same_provider;
pub(crate) use args::{command, read};
use diff::Change;

/// The arguments of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct Request {
    source: Source,
    /// The earlier version, for `--diff`.
    old: Option<Source>,
    format: Format,
    fail_on: FailOn,
    /// The address of the provider, such as `registry.terraform.io/hashicorp/local`.
    provider: Option<String>,
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    /// A tree, or one line for each change.
    Text,
    Markdown,
}

/// The changes for which the exit code is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FailOn {
    Breaking,
    Any,
    Never,
}

/// Runs the command and returns the exit code: 0; 1 if an error occurred or a change fails the check.
pub(crate) fn run(
    request: &Request,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    match &request.old {
        None => match read_schemas(&request.source, request, stderr) {
            Ok((address, schema)) => (0, write(&address, &schema, request.format, stdout)),
            Err(error) => (1, writeln!(stderr, "error: {error}")),
        },
        Some(old) => match compare(old, request, stderr) {
            Ok(changes) => {
                let is_failure = match request.fail_on {
                    FailOn::Breaking => changes.iter().any(Change::is_failure),
                    FailOn::Any => !changes.is_empty(),
                    FailOn::Never => false,
                };
                (u8::from(is_failure), report::write(&changes, request.format, stdout))
            }
            Err(error) => (1, writeln!(stderr, "error: {error}")),
        },
    }
}

fn compare(old: &Source, request: &Request, stderr: &mut dyn io::Write) -> Result<Vec<Change>, String> {
    if *old == Source::Stdin && request.source == Source::Stdin {
        return Err("only one of the two sources can be the standard input".to_owned());
    }
    let (old_address, old) = read_schemas(old, request, stderr)?;
    let (new_address, new) = read_schemas(&request.source, request, stderr)?;
    // Without --provider, a binary has only a name.
    let are_addresses = [&old_address, &new_address].iter().all(|it| it.contains('/'));
    if are_addresses && !is_same_provider(&old_address, &new_address) {
        // The verdicts do not depend on the address, so an error of the output is ignored.
        drop(writeln!(
            stderr,
            "warning: the schemas have different source addresses: {old_address} and {new_address}"
        ));
    }
    Ok(diff::changes(&old, &new))
}

/// Reads a source. Reports the progress if a user waits for it.
fn read_schemas(
    source: &Source,
    request: &Request,
    stderr: &mut dyn io::Write,
) -> Result<(String, ProviderSchema), String> {
    if io::stderr().is_terminal() {
        // The progress is only a convenience, so an error is ignored.
        drop(writeln!(stderr, "reading {source}"));
    }
    source.read(request.provider.as_deref()).map_err(|error| format!("{source}: {error}"))
}

fn write(
    address: &str,
    schema: &ProviderSchema,
    format: Format,
    stdout: &mut dyn io::Write,
) -> io::Result<()> {
    // The standard output is written line by line otherwise, and a schema has millions of lines.
    let mut out = io::BufWriter::new(stdout);
    match format {
        Format::Json => {
            print::write(address, schema, &mut out)?;
            writeln!(out)?;
        }
        Format::Text | Format::Markdown => tree::write(schema, &mut out)?,
    }
    out.flush()
}
