//! `cargo xtask layers`: the modules of each crate import downward only, and no more than three files depend on each
//! other in a cycle.
//!
//! Cargo enforces the layers of crates. This check enforces the layers of modules: [`table::CRATES`] lists the
//! top-level modules of each crate from the top layer to the bottom layer, and a module may import only from
//! modules below it. Tests are not checked.

mod graph;
pub(crate) mod imports;
pub(crate) mod modules;
mod table;

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use graph::Import;
use modules::Modules;
use table::Layers;

/// The maximum number of files that may depend on each other in a cycle.
const LARGEST_CYCLE: usize = 3;

/// Checks every crate of the table.
///
/// # Errors
///
/// Returns every import that leads upward, every module that the table does not list, and every cycle of more than
/// three files.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
    let mut faults = String::new();
    for layers in table::CRATES {
        let modules = Modules::read(&root.join(layers.folder).join("src"))?;
        let imports = graph::imports(&modules);
        check(layers, &modules, &imports, &mut faults)?;
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

fn check(layers: &Layers, modules: &Modules, imports: &[Import], faults: &mut String) -> std::fmt::Result {
    let mut upward = 0;
    for import in imports {
        let (from, to) = (modules.top_level(import.from), modules.top_level(import.to));
        if from == to {
            continue;
        }
        let is_downward = match (layers.position(from), layers.position(to)) {
            (Some(from), Some(to)) => from < to,
            _ => false,
        };
        if !is_downward {
            upward += 1;
            let (user, used) = (modules.name(import.from), modules.name(import.to));
            writeln!(faults, "{}: {user} imports {} from {used}", layers.folder, import.item)?;
        }
    }
    for module in modules.top_levels().filter(|it| layers.position(it).is_none()) {
        writeln!(faults, "{}: the module {module} is not in the table of layers", layers.folder)?;
    }
    let cycles = graph::cycles(modules, imports);
    for cycle in cycles.iter().filter(|it| it.len() > LARGEST_CYCLE) {
        let names: Vec<_> = cycle.iter().map(|it| modules.name(*it)).collect();
        writeln!(
            faults,
            "{}: {} files depend on each other: {}",
            layers.folder,
            names.len(),
            names.join(", ")
        )?;
    }
    println!(
        "{}: {} files, {} imports, {upward} upward, {} cycles, the largest of {} files",
        layers.folder,
        modules.len(),
        imports.len(),
        cycles.len(),
        cycles.iter().map(Vec::len).max().unwrap_or_default(),
    );
    Ok(())
}
