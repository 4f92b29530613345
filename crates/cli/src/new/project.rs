//! The files of a project: the templates, with the names of the provider.

use super::args::NewArgs;
use super::error::{NewError, Result};
use super::license::License;
use crate::ferroform_source::{FerroformSource, VERSION};
use crate::source_address;

/// The Rust version that Ferroform requires.
const RUST_VERSION: &str = env!("CARGO_PKG_RUST_VERSION");
/// The maximum width of a line of Rust code, which is the default of rustfmt.
const MAX_WIDTH: usize = 100;

/// A file of the project.
pub(super) struct File {
    /// The path, relative to the directory of the project, with slashes.
    pub(super) path: String,
    pub(super) content: String,
}

/// Returns the files of the project, sorted by their paths.
///
/// # Errors
///
/// Returns an error if the path of a dependency does not contain Ferroform.
pub(super) fn files(args: &NewArgs) -> Result<Vec<File>> {
    let variables = variables(args)?;
    let licenses = args.license.map(License::files).unwrap_or_default();
    let mut files: Vec<File> = args
        .template
        .files()
        .into_iter()
        .chain(licenses)
        .map(|(path, template)| File {
            path: replace(path, &variables),
            content: replace(template, &variables),
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Returns the values of the variables, each of which a template contains as `{{name}}`.
fn variables(args: &NewArgs) -> Result<Vec<(&'static str, String)>> {
    let name = &args.name;
    let (serve, import_protocol) = match args.protocol {
        5 => ("ferroform::serve_protocols::<Client>(&[Protocol::V5])", "use ferroform::Protocol;\n"),
        _ => ("ferroform::serve::<Client>()", ""),
    };
    let (license, license_section) = match args.license {
        Some(license) => (
            format!("license = \"{}\"\n", license.name()),
            format!("\n## License\n\nLicensed under {}.\n", license.name().replace(" OR ", " or ")),
        ),
        None => Default::default(),
    };
    let dependency = |directory, features| args.source.dependency(directory, features).map_err(NewError::new);
    let mut variables = vec![
        ("name", name.to_string()),
        ("NAME", name.variable()),
        ("package", name.package()),
        ("library", name.library()),
        ("address_constant", address_constant(&args.address)),
        ("source", source_address::without_default_registry(&args.address).to_owned()),
        ("version", VERSION.to_owned()),
        ("rust_version", RUST_VERSION.to_owned()),
        ("serve", serve.to_owned()),
        ("import_protocol", import_protocol.to_owned()),
        ("install", install(&args.source)),
        ("license", license),
        ("license_section", license_section),
        ("ferroform", dependency("ferroform", &[])?),
        ("ferroform_testing", dependency("testing", args.template.testing_features())?),
        ("ignored", args.template.ignored().to_owned()),
        ("dependencies", args.template.dependencies().to_owned()),
    ];
    // It contains other variables.
    let readme = replace(args.template.readme(), &variables);
    variables.push(("readme", readme));
    Ok(variables)
}

/// Returns the declaration of the address, with the line break that rustfmt requires for a long one.
fn address_constant(address: &str) -> String {
    let line = format!("    const ADDRESS: &'static str = {address:?};");
    if line.len() <= MAX_WIDTH {
        line
    } else {
        format!("    const ADDRESS: &'static str =\n        {address:?};")
    }
}

/// Returns the command with which a workflow installs `cargo ferroform`. A local clone does not exist there.
fn install(source: &FerroformSource) -> String {
    match source {
        FerroformSource::Git(url) => format!("cargo install --locked --git {url} cargo-ferroform"),
        FerroformSource::Registry | FerroformSource::Path(_) => {
            format!("cargo install --locked cargo-ferroform --version {VERSION}")
        }
    }
}

/// Replaces all variables of a template.
fn replace(template: &str, variables: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        // Other braces belong to the file, such as an expression of a workflow.
        let value = after.split_once("}}").and_then(|(name, rest)| {
            let (_, value) = variables.iter().find(|(it, _)| *it == name)?;
            Some((value, rest))
        });
        match value {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
