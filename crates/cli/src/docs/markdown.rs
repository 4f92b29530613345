//! The section "Schema" of a page: the attributes and blocks by mode, and an anchor for each nested schema.
//!
//! ```text
//! ### Required
//!
//! - `disks` (Attributes List) The disks. See [the nested schema](#nestedatt--disks).
//!
//! <a id="nestedatt--disks"></a>
//! ### Nested Schema for `disks`
//! ```
//!
//! The headings, the order and the anchors are those of HashiCorp's documentation tool, so that links to sections
//! remain valid.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use ferroform_engine::schema::{Attribute, Block, IdentitySchema, Mode, NestedBlock, Nesting};
use ferroform_value::Type;

use super::text;
use crate::provider_schema::sorted_attributes;

/// The headings of the groups, in their order.
const GROUPS: [&str; 3] = ["Required", "Optional", "Read-Only"];
const REQUIRED: usize = 0;
const OPTIONAL: usize = 1;
const READ_ONLY: usize = 2;

/// The registry cuts pages off at this size, in bytes.
pub(super) const PAGE_LIMIT: usize = 500_000;

const WRITE_ONLY: &str = "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

/// The paragraph before a group that contains write-only attributes.
const WRITE_ONLY_NOTE: &str =
    "> **NOTE**: Write-only arguments require Terraform 1.11 or later, or OpenTofu 1.11 or later.";

/// An attribute or a block of a schema.
#[derive(PartialEq, Eq, Hash)]
struct Entry<'a> {
    name: Cow<'a, str>,
    /// The index in [`GROUPS`].
    group: usize,
    /// The type and its properties: `String, Sensitive`.
    notes: Vec<String>,
    /// Whether the attribute, or a nested one, is write-only.
    has_write_only: bool,
    description: String,
    /// The prefix of the anchor, and the nested schema.
    nested: Option<(&'static str, Vec<Entry<'a>>)>,
}

/// The groups of a schema with its nested schemas.
///
/// Each nested schema has a section of its own. If the result exceeds the size limit of the registry, equal nested
/// schemas share the section of the first one.
pub(crate) fn schema(block: &Block) -> String {
    let mut entries = block_entries(block);
    // SDKv2 adds an optional, computed `id` without a description to each resource, but only the provider sets it.
    if block.get("id").is_some_and(|it| it.mode().is_computed() && it.full_description().is_empty())
        && let Some(id) = entries.iter_mut().find(|it| it.name == "id")
    {
        id.group = READ_ONLY;
        id.description = "The ID of this object.".to_owned();
        entries = sorted(entries);
    }
    let mut complete = Writer::default();
    complete.schema(&entries, &mut Vec::new());
    if complete.out.len() <= PAGE_LIMIT {
        return complete.out;
    }
    let mut shared = Writer { sections: Some(HashMap::new()), ..Writer::default() };
    shared.schema(&entries, &mut Vec::new());
    shared.out
}

#[derive(Default)]
struct Writer<'e, 'a> {
    out: String,
    /// The anchors of the written nested schemas, if equal ones share a section.
    sections: Option<HashMap<&'e [Entry<'a>], String>>,
}

impl<'e, 'a> Writer<'e, 'a> {
    fn schema(&mut self, entries: &'e [Entry<'a>], path: &mut Vec<&'e str>) {
        // The nested schemas that have no section yet, in the order of the lines that refer to them.
        let mut missing: Vec<(&str, &'e [Entry<'a>], String)> = Vec::new();
        let mut lines: Vec<String> = Vec::with_capacity(entries.len());
        for entry in entries {
            let anchor = entry.nested.as_ref().map(|(prefix, nested)| {
                let names: Vec<&str> = path.iter().copied().chain([&*entry.name]).collect();
                let own = format!("{prefix}--{}", names.join("--"));
                let section = self.sections.as_mut().and_then(|it| match it.get(&**nested) {
                    Some(section) => Some(section.clone()),
                    None => {
                        it.insert(nested, own.clone());
                        None
                    }
                });
                section.unwrap_or_else(|| {
                    missing.push((&entry.name, nested, own.clone()));
                    own
                })
            });
            lines.push(line(entry, anchor.as_deref()));
        }
        for (group, heading) in GROUPS.iter().enumerate() {
            let mut members = entries.iter().zip(&lines).filter(|(it, _)| it.group == group).peekable();
            if members.peek().is_none() {
                continue;
            }
            let heading = if path.is_empty() { format!("### {heading}") } else { format!("{heading}:") };
            let _ = write!(self.out, "\n{heading}\n\n");
            if path.is_empty() && entries.iter().any(|it| it.group == group && it.has_write_only) {
                let _ = write!(self.out, "{WRITE_ONLY_NOTE}\n\n");
            }
            for (_, line) in members {
                let _ = writeln!(self.out, "{line}");
            }
        }
        for (name, nested, anchor) in missing {
            path.push(name);
            let _ =
                write!(self.out, "\n<a id=\"{anchor}\"></a>\n### Nested Schema for `{}`\n", path.join("."));
            self.schema(nested, path);
            path.pop();
        }
    }
}

/// The attributes of a resource identity: those that an import requires, and those that it can omit.
pub(super) fn identity(schema: &IdentitySchema) -> String {
    let mut out = "### Identity Schema\n".to_owned();
    for (heading, is_required) in [("Required", true), ("Optional", false)] {
        let is_member = |it: &&Attribute| (it.mode() == Mode::Required) == is_required;
        let mut members = sorted_attributes(&schema.block).into_iter().filter(is_member).peekable();
        if members.peek().is_none() {
            continue;
        }
        let _ = write!(out, "\n#### {heading}\n\n");
        for it in members {
            let line = format!("- `{}` ({}) {}", it.name(), type_name(it.ty()), text::of_attribute(it));
            let _ = writeln!(out, "{}", item(&line));
        }
    }
    out
}

fn line(entry: &Entry<'_>, anchor: Option<&str>) -> String {
    let mut description = entry.description.trim().to_owned();
    if let Some(anchor) = anchor {
        let separator = match description.is_empty() {
            true => "",
            false if description.contains('\n') => "\n\n",
            false => " ",
        };
        let _ = write!(description, "{separator}See [the nested schema](#{anchor}).");
    }
    item(&format!("- `{}` ({}) {description}", entry.name, entry.notes.join(", ")))
}

/// Returns an item of a list. Its further lines are indented, and empty lines have no trailing spaces.
fn item(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, it)| if i == 0 || it.is_empty() { it.trim_end().to_owned() } else { format!("  {it}") })
        .collect();
    lines.join("\n")
}

/// Returns the attributes and blocks by group and name.
fn block_entries(block: &Block) -> Vec<Entry<'_>> {
    sorted(block.attributes().iter().map(attribute).chain(block.blocks().iter().map(nested_block)).collect())
}

fn sorted(mut entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    entries.sort_by(|a, b| (a.group, &a.name).cmp(&(b.group, &b.name)));
    entries
}

/// Returns the group of an attribute.
fn attribute_group(it: &Attribute) -> usize {
    match it.mode() {
        Mode::Required => REQUIRED,
        Mode::Optional | Mode::OptionalComputed => OPTIONAL,
        Mode::Computed => READ_ONLY,
    }
}

/// Returns the group of a block. A block without limits whose attributes are all computed is read-only.
fn block_group(it: &NestedBlock) -> usize {
    let (attributes, blocks) = (it.block().attributes(), it.block().blocks());
    let is_empty = attributes.is_empty() && blocks.is_empty();
    if it.min_items() > 0 {
        REQUIRED
    } else if it.max_items() == 0
        && !is_empty
        && attributes.iter().all(|it| attribute_group(it) == READ_ONLY)
        && blocks.iter().all(|it| block_group(it) == READ_ONLY)
    {
        READ_ONLY
    } else {
        OPTIONAL
    }
}

fn attribute(it: &Attribute) -> Entry<'_> {
    let group = attribute_group(it);
    let (ty, nested) = match it.nested() {
        Some(object) => {
            let ty = match object.nesting() {
                Nesting::List => "Attributes List",
                Nesting::Set => "Attributes Set",
                Nesting::Map => "Attributes Map",
                Nesting::Single => "Attributes",
            };
            (ty.to_owned(), Some(("nestedatt", block_entries(object.block()))))
        }
        None => {
            let nested = object_entries(it.ty(), group).map(|entries| ("nestedatt", entries));
            (type_in_words(it.ty()), nested)
        }
    };
    let mut notes = vec![ty];
    let flags = [
        (it.is_sensitive(), "Sensitive"),
        (it.behavior().deprecated.is_some(), "Deprecated"),
        (it.is_write_only(), WRITE_ONLY),
    ];
    notes.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, note)| (*note).to_owned()));
    Entry {
        name: Cow::Borrowed(it.name()),
        group,
        notes,
        has_write_only: it.is_write_only() || has_write_only(&nested),
        description: text::of_attribute(it),
        nested,
    }
}

fn has_write_only(nested: &Option<(&str, Vec<Entry<'_>>)>) -> bool {
    nested.as_ref().is_some_and(|(_, entries)| entries.iter().any(|it| it.has_write_only))
}

/// The attributes of an object, or of the objects in a collection. They are in the group of the whole attribute.
fn object_entries(ty: &Type, group: usize) -> Option<Vec<Entry<'static>>> {
    let object = match ty {
        Type::Object(object) => object,
        Type::List(it) | Type::Set(it) | Type::Map(it) => return object_entries(it, group),
        _ => return None,
    };
    let entry = |it: &ferroform_value::Attribute| Entry {
        name: Cow::Owned(it.name.to_string()),
        group,
        notes: vec![type_in_words(&it.ty)],
        has_write_only: false,
        description: String::new(),
        nested: object_entries(&it.ty, group).map(|entries| ("nestedobjatt", entries)),
    };
    Some(object.attributes().iter().map(entry).collect())
}

fn nested_block(it: &NestedBlock) -> Entry<'_> {
    let ty = match it.nesting() {
        Nesting::List => "Block List",
        Nesting::Set => "Block Set",
        Nesting::Map => "Block Map",
        Nesting::Single => "Block",
    };
    let group = block_group(it);
    let mut notes = vec![ty.to_owned()];
    if it.nesting() == Nesting::Single {
        notes.push(if group == READ_ONLY { "Read-only" } else { GROUPS[group] }.to_owned());
    } else {
        let limits = [("Min", it.min_items()), ("Max", it.max_items())].into_iter();
        notes
            .extend(limits.filter(|(_, limit)| *limit > 0).map(|(label, limit)| format!("{label}: {limit}")));
    }
    if it.block().deprecation().is_some() {
        notes.push("Deprecated".to_owned());
    }
    let nested = Some(("nestedblock", block_entries(it.block())));
    Entry {
        name: Cow::Borrowed(it.name()),
        group,
        notes,
        has_write_only: has_write_only(&nested),
        description: text::of_block(it.block()),
        nested,
    }
}

/// The type of a parameter or an identity attribute in words: `List of String`. An object is a type constraint with its
/// attributes.
pub(super) fn type_name(ty: &Type) -> String {
    if object_entries(ty, 0).is_some() { format!("`{ty}`") } else { type_in_words(ty) }
}

fn type_in_words(ty: &Type) -> String {
    match ty {
        Type::Bool => "Boolean".to_owned(),
        Type::Number => "Number".to_owned(),
        Type::String => "String".to_owned(),
        Type::Dynamic => "Dynamic".to_owned(),
        Type::List(it) => format!("List of {}", type_in_words(it)),
        Type::Set(it) => format!("Set of {}", type_in_words(it)),
        Type::Map(it) => format!("Map of {}", type_in_words(it)),
        // Its attributes have a section of their own.
        Type::Object(_) => "Object".to_owned(),
        Type::Tuple(_) => format!("`{ty}`"),
    }
}

#[cfg(test)]
mod tests;
