//! `cargo xtask cycles`: at most three files of a crate depend on each other in a cycle.
//!
//! Cargo rejects cycles between crates. This check limits those between the files of a crate, so that a part of it can be
//! read alone. The root of a crate is not a part of any cycle, because it only re-exports. Tests are not checked.

mod graph;
pub(crate) mod imports;
pub(crate) mod modules;

use std::error::Error;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;

use graph::Import;
use modules::Modules;

/// The maximum number of files that may depend on each other in a cycle.
const LARGEST_CYCLE: usize = 3;

/// Checks the `src` directory of every crate of the workspace.
///
/// # Errors
///
/// Returns every cycle of more than three files.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    let mut problems = String::new();
    for directory in crates(root)? {
        let modules = Modules::read(&root.join(&directory).join("src"))?;
        let imports = graph::imports(&modules);
        let cycles = graph::cycles(&modules, &imports);
        check_cycles(&directory, &modules, &imports, &cycles, &mut problems)?;
        println!(
            "{directory}: {} files, {} imports, {} cycles, the largest of {} files",
            modules.len(),
            imports.len(),
            cycles.len(),
            cycles.iter().map(Vec::len).max().unwrap_or_default(),
        );
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

/// The directories of the workspace's crates that have a `src` directory, relative to the root, in the order of the
/// manifest.
fn crates(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let members = manifest.lines().find(|it| it.starts_with("members = ")).ok_or("no members")?;
    let mut directories = Vec::new();
    // The members are the strings in quotation marks.
    for member in members.split('"').skip(1).step_by(2) {
        match member.strip_suffix("/*") {
            None => directories.push(member.to_owned()),
            Some(above) => {
                let entries = fs::read_dir(root.join(above))?.collect::<Result<Vec<_>, _>>()?;
                let mut names: Vec<_> = entries.iter().map(fs::DirEntry::file_name).collect();
                names.sort_unstable();
                directories.extend(names.iter().map(|name| format!("{above}/{}", name.display())));
            }
        }
    }
    directories.retain(|directory| root.join(directory).join("src").is_dir());
    Ok(directories)
}

fn check_cycles(
    directory: &str,
    modules: &Modules,
    imports: &[Import],
    cycles: &[Vec<usize>],
    problems: &mut String,
) -> fmt::Result {
    for cycle in cycles.iter().filter(|it| it.len() > LARGEST_CYCLE) {
        let names: Vec<_> = cycle.iter().map(|it| modules.name(*it)).collect();
        writeln!(problems, "{directory}: {} files depend on each other: {}", names.len(), names.join(", "))?;
        for import in imports.iter().filter(|it| cycle.contains(&it.from) && cycle.contains(&it.to)) {
            writeln!(problems, "  {}", import.describe(modules))?;
        }
    }
    Ok(())
}
