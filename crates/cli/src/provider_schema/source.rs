//! Reading a schema from a provider binary, a file or the standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ferroform_engine::schema::ProviderSchemas;

use super::{ProviderSchema, binary};

/// The origin of a schema.
#[derive(Debug, PartialEq)]
pub(crate) enum Source {
    Stdin,
    /// A provider binary or a JSON file.
    File(PathBuf),
}

impl Source {
    /// Parses an argument: `-` is the standard input.
    pub(crate) fn new(argument: &Path, working_directory: &Path) -> Source {
        if argument == Path::new("-") {
            Source::Stdin
        } else {
            Source::File(working_directory.join(argument))
        }
    }

    /// Reads the schema of the provider with the given address, or of the only provider. Returns its address.
    pub(crate) fn read(&self, provider: Option<&str>) -> Result<(String, ProviderSchema), String> {
        match self {
            Source::File(path) if !is_json(path)? => {
                let address = provider.map_or_else(|| provider_name(path), str::to_owned);
                Ok((address, binary::of_binary(path)?))
            }
            _ => parse(&self.read_to_string()?, provider),
        }
    }

    /// Reads the whole source as text.
    pub(crate) fn read_to_string(&self) -> Result<String, String> {
        match self {
            Source::Stdin => io::read_to_string(io::stdin()),
            Source::File(path) => std::fs::read_to_string(path),
        }
        .map_err(|error| error.to_string())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stdin => f.write_str("standard input"),
            Source::File(path) => path.display().fmt(f),
        }
    }
}

/// Returns true if the file begins with a JSON object. The first bytes of a program are never `{`.
fn is_json(path: &Path) -> Result<bool, String> {
    let mut start = Vec::new();
    let file = File::open(path).and_then(|it| it.take(64).read_to_end(&mut start));
    file.map_err(|it| it.to_string())?;
    Ok(start.trim_ascii_start().starts_with(b"{"))
}

/// Parses JSON and selects a provider.
fn parse(json: &str, provider: Option<&str>) -> Result<(String, ProviderSchema), String> {
    let mut all = ProviderSchemas::all(json.as_bytes()).map_err(|error| {
        format!("expected the output of `terraform providers schema -json`, but it is invalid: {error}")
    })?;
    let found = match provider {
        Some(address) => all.remove_entry(address).ok_or(format!("no provider has the address {address:?}")),
        None if all.len() > 1 => {
            let addresses: Vec<&str> = all.keys().map(String::as_str).collect();
            Err(format!("set --provider to one of: {}", addresses.join(", ")))
        }
        None => all.pop_first().ok_or("no provider found".to_owned()),
    };
    let (address, json) = found?;
    Ok((address, ProviderSchema::from_json(&json)?))
}

/// Returns the type of the provider: `local` for the binary `terraform-provider-local_v1.0.0`, otherwise the file name.
fn provider_name(binary: &Path) -> String {
    let name = binary.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    provider_type(name).unwrap_or(name).to_owned()
}

/// Returns the type of the provider from the file name of its binary; `None` if it is not the one of a provider.
pub(crate) fn provider_type(file_name: &str) -> Option<&str> {
    let name = file_name.strip_suffix(".exe").unwrap_or(file_name);
    let found = name.strip_prefix("terraform-provider-").and_then(|it| it.split("_v").next());
    found.filter(|it| !it.is_empty())
}
