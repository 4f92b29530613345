//! The schema as a tree.

use std::io::{self, Write};

use super::diff::{nesting_text, type_text};
use crate::provider_schema::model::{
    Attribute, Block, ByName, Function, IdentitySchema, ProviderSchema, Schema,
};

const INDENT: &str = "  ";

/// Writes all schemas of a provider, sorted by kind and name.
pub(super) fn write(schema: &ProviderSchema, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "provider")?;
    block(schema.provider.block.as_ref(), 1, out)?;
    schemas("resource", &schema.resource_schemas, Some(&schema.resource_identity_schemas), out)?;
    schemas("data source", &schema.data_source_schemas, None, out)?;
    schemas("ephemeral resource", &schema.ephemeral_resource_schemas, None, out)?;
    schemas("list resource", &schema.list_resource_schemas, None, out)?;
    for (name, action) in &schema.action_schemas {
        writeln!(out, "action {name}")?;
        block(action.block.as_ref(), 1, out)?;
    }
    schemas("state store", &schema.state_store_schemas, None, out)?;
    schema.functions.iter().try_for_each(|(name, it)| writeln!(out, "function {}", signature(name, it)))
}

fn schemas(
    kind: &str,
    schemas: &ByName<Schema>,
    identities: Option<&ByName<IdentitySchema>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (name, schema) in schemas {
        let version =
            if schema.version == 0 { String::new() } else { format!(" (version {})", schema.version) };
        writeln!(out, "{kind} {name}{version}")?;
        block(schema.block.as_ref(), 1, out)?;
        let Some(identity) = identities.and_then(|it| it.get(name)) else { continue };
        writeln!(out, "{INDENT}identity (version {})", identity.version)?;
        for (name, it) in &identity.attributes {
            let import = if it.required_for_import { "required" } else { "optional" };
            writeln!(out, "{INDENT}{INDENT}{name}: {} ({import} for import)", type_text(&it.ty))?;
        }
    }
    Ok(())
}

fn block(block: Option<&Block>, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let Some(it) = block else { return Ok(()) };
    attributes(&it.attributes, depth, out)?;
    for (name, nested) in &it.block_types {
        let mut properties = vec![format!("{} block", nested.nesting_mode)];
        properties.extend((nested.min_items > 0).then(|| format!("min {}", nested.min_items)));
        properties.extend((nested.max_items > 0).then(|| format!("max {}", nested.max_items)));
        properties.extend(nested.block.deprecated.then(|| "deprecated".to_owned()));
        writeln!(out, "{}{name}: {}", INDENT.repeat(depth), properties.join(", "))?;
        self::block(Some(&nested.block), depth + 1, out)?;
    }
    Ok(())
}

fn attributes(attributes: &ByName<Attribute>, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    for (name, it) in attributes {
        let ty = match &it.nested_type {
            Some(nested) => nesting_text(&nested.nesting_mode).to_owned(),
            None => type_text(&it.ty),
        };
        let flags = [
            (it.required, "required"),
            (it.optional, "optional"),
            (it.computed, "computed"),
            (it.sensitive, "sensitive"),
            (it.write_only, "write-only"),
            (it.deprecated, "deprecated"),
        ];
        let flags: Vec<&str> = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
        writeln!(out, "{}{name}: {ty} ({})", INDENT.repeat(depth), flags.join(", "))?;
        if let Some(nested) = &it.nested_type {
            self::attributes(&nested.attributes, depth + 1, out)?;
        }
    }
    Ok(())
}

fn signature(name: &str, function: &Function) -> String {
    let mut parameters: Vec<String> =
        function.parameters.iter().map(|it| format!("{} {}", it.name, type_text(&it.ty))).collect();
    parameters
        .extend(function.variadic_parameter.iter().map(|it| format!("{} {}...", it.name, type_text(&it.ty))));
    format!("{name}({}) {}", parameters.join(", "), type_text(&function.return_type))
}
