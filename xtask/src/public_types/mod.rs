//! `cargo xtask public-types`: no type of another crate is in a public signature unless [`table::ALLOWED`] lists it.
//!
//! A type of another crate in a public signature ties the releases of Ferroform to those of that crate: a new major
//! version of that crate requires a new major version of Ferroform. The check reads the `use` declarations and the
//! public items of every file with `syn`, so it needs no nightly compiler. Everything that is `pub` counts as public,
//! because the lint `unreachable_pub` rejects unreachable `pub` items.

mod signatures;
mod table;

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::cycles::modules::Modules;

/// Checks every published crate.
///
/// # Errors
///
/// Returns every foreign type that the table does not list, and every entry of the table that is not used.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
    let mut problems = String::new();
    for allowed in table::ALLOWED {
        let folder = root.join(allowed.folder);
        let foreign = dependencies(&fs::read_to_string(folder.join("Cargo.toml"))?);
        let mut found = BTreeSet::new();
        for (_, module) in Modules::read(&folder.join("src"))?.files() {
            found.extend(signatures::foreign_types(&module.syntax, &foreign));
        }
        let listed: BTreeSet<String> = allowed.types.iter().map(|(name, _)| (*name).to_owned()).collect();
        for name in found.difference(&listed) {
            writeln!(problems, "{}: {name} is in a public signature", allowed.folder)?;
        }
        for name in listed.difference(&found) {
            writeln!(problems, "{}: {name} is listed, but in no public signature", allowed.folder)?;
        }
        println!("{}: {} foreign types in public signatures", allowed.folder, found.len());
    }
    if problems.is_empty() {
        return Ok(());
    }
    problems += "xtask/src/public_types/table.rs lists the foreign types that may be public.";
    Err(problems.into())
}

/// Returns the crate names of the dependencies of a crate, without the crates of this workspace.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut is_dependencies = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            is_dependencies = section.ends_with("dependencies") && !section.contains("dev-");
        } else if let (true, Some((name, _))) = (is_dependencies, line.split_once(['=', '.'])) {
            let name = name.trim().replace('-', "_");
            if !name.starts_with('#') && !name.starts_with("ferroform") {
                names.insert(name);
            }
        }
    }
    names
}
