//! `cargo xtask layers`: at most three files of a crate depend on each other in a cycle, and the modules of a crate with
//! layers import downward only.
//!
//! Cargo enforces the layers of crates. This check enforces the layers of modules: [`table::CRATES`] lists the
//! top-level modules of a crate from the top layer to the bottom layer, and a module may import only from modules
//! below it. The root of a crate is above every module. Tests are not checked.

mod graph;
pub(crate) mod imports;
pub(crate) mod modules;
mod table;

use std::error::Error;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;

use graph::Import;
use modules::Modules;
use table::Layers;

/// The maximum number of files that may depend on each other in a cycle.
const LARGEST_CYCLE: usize = 3;

/// Checks the `src` directory of every crate of the workspace.
///
/// # Errors
///
/// Returns every cycle of more than three files. For crates with layers, returns every import that leads upward, and
/// every module that the table does not list.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
    let mut problems = String::new();
    for folder in crates(root)? {
        let modules = Modules::read(&root.join(&folder).join("src"))?;
        let imports = graph::imports(&modules);
        let cycles = graph::cycles(&modules, &imports);
        check_cycles(&folder, &modules, &imports, &cycles, &mut problems)?;
        let layers = table::CRATES.iter().find(|it| it.folder == folder);
        if let Some(layers) = layers {
            check_layers(layers, &modules, &imports, &mut problems)?;
        }
        println!(
            "{folder}: {} files, {} imports, {} cycles, the largest of {} files, {}",
            modules.len(),
            imports.len(),
            cycles.len(),
            cycles.iter().map(Vec::len).max().unwrap_or_default(),
            if layers.is_some() { "with layers" } else { "no layers" },
        );
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

/// The folders of the workspace's crates that have a `src` directory, relative to the root, in the order of the
/// manifest.
fn crates(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let members = manifest.lines().find(|it| it.starts_with("members = ")).ok_or("no members")?;
    let mut folders = Vec::new();
    // The members are the strings in quotation marks.
    for member in members.split('"').skip(1).step_by(2) {
        match member.strip_suffix("/*") {
            None => folders.push(member.to_owned()),
            Some(above) => {
                let entries = fs::read_dir(root.join(above))?.collect::<Result<Vec<_>, _>>()?;
                let mut names: Vec<_> = entries.iter().map(fs::DirEntry::file_name).collect();
                names.sort_unstable();
                folders.extend(names.iter().map(|name| format!("{above}/{}", name.display())));
            }
        }
    }
    folders.retain(|folder| root.join(folder).join("src").is_dir());
    Ok(folders)
}

fn check_cycles(
    folder: &str,
    modules: &Modules,
    imports: &[Import],
    cycles: &[Vec<usize>],
    problems: &mut String,
) -> fmt::Result {
    for cycle in cycles.iter().filter(|it| it.len() > LARGEST_CYCLE) {
        let names: Vec<_> = cycle.iter().map(|it| modules.name(*it)).collect();
        writeln!(problems, "{folder}: {} files depend on each other: {}", names.len(), names.join(", "))?;
        for import in imports.iter().filter(|it| cycle.contains(&it.from) && cycle.contains(&it.to)) {
            writeln!(problems, "  {}", import.describe(modules))?;
        }
    }
    Ok(())
}

fn check_layers(
    layers: &Layers,
    modules: &Modules,
    imports: &[Import],
    problems: &mut String,
) -> fmt::Result {
    let folder = layers.folder;
    for import in imports {
        let (from, to) = (modules.top_level(import.from), modules.top_level(import.to));
        let is_downward = match (from, to) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(from), Some(to)) => from == to || layers.position(from) < layers.position(to),
        };
        if !is_downward {
            writeln!(problems, "{folder}: {}", import.describe(modules))?;
        }
    }
    for module in modules.top_levels().filter(|it| layers.position(it).is_none()) {
        writeln!(problems, "{folder}: the module {module} is not in the table of layers")?;
    }
    Ok(())
}
