//! The schema as a tree.

use std::io::{self, Write};

use ferroform_engine::schema::{Block, Mode};
use ferroform_engine::{Definition, Kind};

use crate::provider_schema::{
    ProviderSchema, nesting_mode, nesting_text, signature, sorted_attributes, sorted_blocks,
};

const INDENT: &str = "  ";

/// Writes all schemas of a provider, sorted by kind and name.
pub(super) fn write(schema: &ProviderSchema, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "provider")?;
    block(&schema.provider.block, 1, out)?;
    for &kind in Definition::KINDS {
        for (name, it) in schema.of_kind(kind) {
            let version = if it.version == 0 { String::new() } else { format!(" (version {})", it.version) };
            writeln!(out, "{} {name}{version}", kind.noun())?;
            block(&it.block, 1, out)?;
            let identity = schema.identities.get(name).filter(|_| kind == Kind::Resource);
            let Some(identity) = identity else { continue };
            writeln!(out, "{INDENT}identity (version {})", identity.version)?;
            for it in sorted_attributes(&identity.block) {
                let import = if it.mode() == Mode::Required { "required" } else { "optional" };
                writeln!(out, "{INDENT}{INDENT}{}: {} ({import} for import)", it.name(), it.ty())?;
            }
        }
    }
    schema.functions.iter().try_for_each(|(name, it)| writeln!(out, "function {}", signature(name, it)))
}

fn block(it: &Block, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let indent = INDENT.repeat(depth);
    for it in sorted_attributes(it) {
        let ty = match it.nested() {
            Some(nested) => nesting_text(nested.nesting()).to_owned(),
            None => it.ty().to_string(),
        };
        let flags = [
            (it.mode() == Mode::Required, "required"),
            (matches!(it.mode(), Mode::Optional | Mode::OptionalComputed), "optional"),
            (it.mode().is_computed(), "computed"),
            (it.is_sensitive(), "sensitive"),
            (it.is_write_only(), "write-only"),
            (it.behavior().deprecated.is_some(), "deprecated"),
        ];
        let flags: Vec<&str> = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
        writeln!(out, "{indent}{}: {ty} ({})", it.name(), flags.join(", "))?;
        if let Some(nested) = it.nested() {
            block(nested.block(), depth + 1, out)?;
        }
    }
    for nested in sorted_blocks(it) {
        let mut properties = vec![format!("{} block", nesting_mode(nested.nesting()))];
        properties.extend((nested.min_items() > 0).then(|| format!("min {}", nested.min_items())));
        properties.extend((nested.max_items() > 0).then(|| format!("max {}", nested.max_items())));
        properties.extend(nested.block().deprecation().map(|_| "deprecated".to_owned()));
        writeln!(out, "{indent}{}: {}", nested.name(), properties.join(", "))?;
        block(nested.block(), depth + 1, out)?;
    }
    Ok(())
}
