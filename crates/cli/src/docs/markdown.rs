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

use ferroform_proto::tfplugin6::ResourceIdentitySchema;
use ferroform_proto::tfplugin6::schema::nested_block::NestingMode as BlockNesting;
use ferroform_proto::tfplugin6::schema::object::NestingMode as ObjectNesting;
use ferroform_proto::tfplugin6::schema::{Attribute, Block, NestedBlock};
use ferroform_value::Type;

use crate::provider_schema::types;

/// The headings of the groups, in their order.
const GROUPS: [&str; 3] = ["Required", "Optional", "Read-Only"];

/// The registry cuts pages off at this size, in bytes.
pub(super) const PAGE_LIMIT: usize = 500_000;

/// An attribute or a block of a schema.
#[derive(PartialEq, Eq, Hash)]
struct Entry<'a> {
    name: Cow<'a, str>,
    /// The index in [`GROUPS`].
    group: usize,
    /// The type and its properties: `String, Sensitive`.
    notes: Vec<String>,
    description: String,
    /// The prefix of the anchor, and the nested schema.
    nested: Option<(&'static str, Vec<Entry<'a>>)>,
}

/// The groups of a schema with its nested schemas.
///
/// Each nested schema has a section of its own. If the result exceeds the size limit of the registry, equal nested
/// schemas share the section of the first one.
pub(crate) fn schema(block: &Block) -> Result<String, String> {
    let entries = block_entries(block)?;
    let mut complete = Writer::default();
    complete.schema(&entries, &mut Vec::new());
    if complete.out.len() <= PAGE_LIMIT {
        return Ok(complete.out);
    }
    let mut shared = Writer { sections: Some(HashMap::new()), ..Writer::default() };
    shared.schema(&entries, &mut Vec::new());
    Ok(shared.out)
}

#[derive(Default)]
struct Writer<'e, 'a> {
    out: String,
    /// The anchors of the written nested schemas, if equal ones share a section.
    sections: Option<HashMap<&'e [Entry<'a>], String>>,
}

impl<'e, 'a> Writer<'e, 'a> {
    fn schema(&mut self, entries: &'e [Entry<'a>], path: &mut Vec<&'e str>) {
        // The nested schemas that have no section yet.
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
pub(super) fn identity(schema: &ResourceIdentitySchema) -> Result<String, String> {
    let mut out = "### Identity Schema\n".to_owned();
    let mut attributes: Vec<_> = schema.identity_attributes.iter().collect();
    attributes.sort_by_key(|it| &it.name);
    for (heading, is_required) in [("Required", true), ("Optional", false)] {
        let mut members = attributes.iter().filter(|it| it.required_for_import == is_required).peekable();
        if members.peek().is_none() {
            continue;
        }
        let _ = write!(out, "\n#### {heading}\n\n");
        for it in members {
            let ty = type_name(&it.r#type)
                .map_err(|error| format!("identity attribute {:?}: {error}", it.name))?;
            let _ = writeln!(out, "{}", item(&format!("- `{}` ({ty}) {}", it.name, it.description.trim())));
        }
    }
    Ok(out)
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

fn block_entries(block: &Block) -> Result<Vec<Entry<'_>>, String> {
    let attributes = block.attributes.iter().map(attribute);
    let mut entries =
        attributes.chain(block.block_types.iter().map(nested_block)).collect::<Result<Vec<_>, _>>()?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn attribute(it: &Attribute) -> Result<Entry<'_>, String> {
    let group = match (it.required, it.optional) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    let (ty, nested) = match &it.nested_type {
        Some(object) => {
            let ty = match object.nesting() {
                ObjectNesting::List => "Attributes List",
                ObjectNesting::Set => "Attributes Set",
                ObjectNesting::Map => "Attributes Map",
                ObjectNesting::Single | ObjectNesting::Invalid => "Attributes",
            };
            let mut entries = object.attributes.iter().map(attribute).collect::<Result<Vec<_>, _>>()?;
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            (ty.to_owned(), Some(("nestedatt", entries)))
        }
        None => {
            let ty = types::parse(&it.r#type).map_err(|error| format!("attribute {:?}: {error}", it.name))?;
            (type_in_words(&ty), object_entries(&ty, group))
        }
    };
    let mut notes = vec![ty];
    let flags = [(it.sensitive, "Sensitive"), (it.deprecated, "Deprecated"), (it.write_only, "Write-only")];
    notes.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, note)| (*note).to_owned()));
    let description = with_deprecation(&it.description, &it.deprecation_message);
    Ok(Entry { name: Cow::Borrowed(&it.name), group, notes, description, nested })
}

/// The attributes of an object, or of the objects in a collection. They are in the group of the whole attribute.
fn object_entries(ty: &Type, group: usize) -> Option<(&'static str, Vec<Entry<'static>>)> {
    let object = match ty {
        Type::Object(object) => object,
        Type::List(it) | Type::Set(it) | Type::Map(it) => return object_entries(it, group),
        _ => return None,
    };
    let entry = |it: &ferroform_value::Attribute| Entry {
        name: Cow::Owned(it.name.to_string()),
        group,
        notes: vec![type_in_words(&it.ty)],
        description: String::new(),
        nested: object_entries(&it.ty, group),
    };
    Some(("nestedobjatt", object.attributes().iter().map(entry).collect()))
}

fn nested_block(it: &NestedBlock) -> Result<Entry<'_>, String> {
    const NO_BLOCK: &Block = &Block {
        version: 0,
        attributes: Vec::new(),
        block_types: Vec::new(),
        description: String::new(),
        description_kind: 0,
        deprecated: false,
        deprecation_message: String::new(),
        computed: false,
    };
    let block = it.block.as_ref().unwrap_or(NO_BLOCK);
    let (ty, is_single) = match it.nesting() {
        BlockNesting::List => ("Block List", false),
        BlockNesting::Set => ("Block Set", false),
        BlockNesting::Map => ("Block Map", false),
        BlockNesting::Single | BlockNesting::Group | BlockNesting::Invalid => ("Block", true),
    };
    let mut notes = vec![ty.to_owned()];
    for (label, limit) in [("Min", it.min_items), ("Max", it.max_items)] {
        if limit > 0 && !is_single {
            notes.push(format!("{label}: {limit}"));
        }
    }
    if block.deprecated {
        notes.push("Deprecated".to_owned());
    }
    Ok(Entry {
        name: Cow::Borrowed(&it.type_name),
        group: usize::from(it.min_items == 0),
        notes,
        description: with_deprecation(&block.description, &block.deprecation_message),
        nested: Some(("nestedblock", block_entries(block)?)),
    })
}

/// Adds the message of a deprecation to a description.
pub(super) fn with_deprecation(description: &str, message: &str) -> String {
    let description = description.trim();
    match (description.is_empty(), message.is_empty()) {
        (_, true) => description.to_owned(),
        (true, false) => format!("**Deprecated:** {message}"),
        (false, false) => format!("{description}\n\n**Deprecated:** {message}"),
    }
}

/// The type of a parameter or an identity attribute in words: `List of String`. An object is a type constraint with its
/// attributes.
pub(super) fn type_name(ty: &[u8]) -> Result<String, String> {
    let ty = types::parse(ty)?;
    Ok(if object_entries(&ty, 0).is_some() { format!("`{ty}`") } else { type_in_words(&ty) })
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
mod tests {
    use ferroform_proto::tfplugin6::resource_identity_schema::IdentityAttribute;
    use ferroform_proto::tfplugin6::schema::Object;

    use super::*;

    fn string(name: &str) -> Attribute {
        Attribute { name: name.to_owned(), r#type: "\"string\"".into(), ..Attribute::default() }
    }

    #[test]
    fn nested_schemas_have_anchors_with_their_path() {
        let label = Attribute { required: true, ..string("label") };
        let object =
            Object { attributes: vec![label], nesting: ObjectNesting::List.into(), ..Object::default() };
        let tags = Attribute { nested_type: Some(object), optional: true, ..Attribute::default() };
        let tags = Attribute { name: "tags".to_owned(), description: "The tags.".to_owned(), ..tags };
        let inside = Block { attributes: vec![tags], ..Block::default() };
        let block = |name: &str, min_items, max_items| NestedBlock {
            type_name: name.to_owned(),
            block: Some(inside.clone()),
            nesting: BlockNesting::List.into(),
            min_items,
            max_items,
        };
        let zone =
            Attribute { computed: true, description: "The zone.\n\n- `a`".to_owned(), ..string("zone") };
        let outside = Block {
            attributes: vec![zone],
            block_types: vec![block("port", 0, 2), block("disk", 1, 0)],
            ..Block::default()
        };
        expect_test::expect![[r#"

            ### Required

            - `disk` (Block List, Min: 1) See [the nested schema](#nestedblock--disk).

            ### Optional

            - `port` (Block List, Max: 2) See [the nested schema](#nestedblock--port).

            ### Read-Only

            - `zone` (String) The zone.

              - `a`

            <a id="nestedblock--disk"></a>
            ### Nested Schema for `disk`

            Optional:

            - `tags` (Attributes List) The tags. See [the nested schema](#nestedatt--disk--tags).

            <a id="nestedatt--disk--tags"></a>
            ### Nested Schema for `disk.tags`

            Required:

            - `label` (String)

            <a id="nestedblock--port"></a>
            ### Nested Schema for `port`

            Optional:

            - `tags` (Attributes List) The tags. See [the nested schema](#nestedatt--port--tags).

            <a id="nestedatt--port--tags"></a>
            ### Nested Schema for `port.tags`

            Required:

            - `label` (String)
        "#]]
        .assert_eq(&schema(&outside).unwrap());
    }

    #[test]
    fn invalid_types_are_errors_that_name_the_attribute() {
        let attribute = Attribute { r#type: "\"text\"".into(), ..string("size") };
        let error = schema(&Block { attributes: vec![attribute], ..Block::default() }).unwrap_err();
        assert!(error.starts_with("attribute \"size\": invalid type: "), "{error}");
    }

    #[test]
    fn types_are_words_in_lists_and_constraints_in_signatures() {
        let ty = br#"["map",["list","bool"]]"#;
        assert_eq!(type_name(ty).unwrap(), "Map of List of Boolean");
        assert_eq!(types::constraint(ty).unwrap(), "map(list(bool))");
        assert_eq!(type_name(br#"["object",{"a":"number"}]"#).unwrap(), "`object({a = number})`");
    }

    #[test]
    fn attributes_of_objects_have_sections() {
        let ty =
            br#"["list",["object",{"disks":["map",["list",["object",{"size":"number"}]]],"name":"string"}]]"#;
        let rules =
            Attribute { name: "rules".to_owned(), r#type: ty.to_vec().into(), ..Attribute::default() };
        let block = Block { attributes: vec![rules], ..Block::default() };
        expect_test::expect![[r#"

            ### Read-Only

            - `rules` (List of Object) See [the nested schema](#nestedobjatt--rules).

            <a id="nestedobjatt--rules"></a>
            ### Nested Schema for `rules`

            Read-Only:

            - `disks` (Map of List of Object) See [the nested schema](#nestedobjatt--rules--disks).
            - `name` (String)

            <a id="nestedobjatt--rules--disks"></a>
            ### Nested Schema for `rules.disks`

            Read-Only:

            - `size` (Number)
        "#]]
        .assert_eq(&schema(&block).unwrap());
    }

    #[test]
    fn equal_nested_schemas_of_a_long_page_share_a_section() {
        let rule = |name: &str, description: &str| NestedBlock {
            type_name: name.to_owned(),
            block: Some(Block {
                attributes: vec![Attribute {
                    description: description.to_owned(),
                    optional: true,
                    ..string("port")
                }],
                ..Block::default()
            }),
            nesting: BlockNesting::List.into(),
            ..NestedBlock::default()
        };
        let long = "x".repeat(PAGE_LIMIT / 2);
        let mut block =
            Block { block_types: vec![rule("egress", &long), rule("ingress", &long)], ..Block::default() };
        let page = schema(&block).unwrap();
        assert!(page.len() < PAGE_LIMIT);
        assert_eq!(page.matches("See [the nested schema](#nestedblock--egress).").count(), 2);
        assert_eq!(page.matches("### Nested Schema").count(), 1);

        block.block_types = vec![rule("egress", "x"), rule("ingress", "x")];
        assert_eq!(schema(&block).unwrap().matches("### Nested Schema").count(), 2);
    }

    #[test]
    fn identity_attributes_are_grouped_by_mode() {
        let attribute = |name: &str, required_for_import| IdentityAttribute {
            name: name.to_owned(),
            r#type: "\"string\"".into(),
            description: "The text.".to_owned(),
            required_for_import,
            ..IdentityAttribute::default()
        };
        let identity_attributes =
            vec![attribute("zone", false), attribute("name", true), attribute("account", false)];
        let it = ResourceIdentitySchema { identity_attributes, ..ResourceIdentitySchema::default() };
        expect_test::expect![[r#"
            ### Identity Schema

            #### Required

            - `name` (String) The text.

            #### Optional

            - `account` (String) The text.
            - `zone` (String) The text.
        "#]]
        .assert_eq(&identity(&it).unwrap());
    }
}
