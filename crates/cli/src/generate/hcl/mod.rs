//! The objects of example configurations.
//!
//! ```text
//! resource "cloud_server" "web" {        struct Server {
//!   name = "web"                             name: String,
//!   disk { size = 8 }                        disk: Vec<ServerDisk>, as a block
//!   disk { size = 9 }
//! }
//! output "id" {
//!   value = cloud_server.web.id              id: String, computed
//! }                                      }
//! ```

mod shape;

use std::collections::BTreeMap;

use ferroform_lang::body::{self, Block, Body, Traversal};

use self::shape::Example;
use super::definition::{Field, Kind, Mode, Model, Object, Provider, Type};

/// The arguments and blocks that Terraform itself reads.
const META_ARGUMENTS: [&str; 7] =
    ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];

/// All examples of a type.
struct ExampleType {
    kind: Kind,
    name: String,
    /// The names of the examples, by which other blocks refer to them.
    labels: Vec<String>,
    example: Example,
}

/// Converts the examples of a file. `address` is the address of the provider; by default, its type is the first word of
/// the first example.
///
/// # Errors
///
/// If the file is invalid, or contains no examples.
pub(super) fn provider(
    content: &str,
    address: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<Provider, String> {
    let file = body::parse(content).map_err(|error| error.to_string())?;
    let mut types: Vec<ExampleType> = Vec::new();
    for block in &file.blocks {
        let Some(kind) = Kind::of_block_type(block.name) else { continue };
        let [name, label] = &*block.labels else { continue };
        let index = types.iter().position(|it| it.kind == kind && it.name == name.text);
        let index = index.unwrap_or_else(|| {
            let example = Example::default();
            types.push(ExampleType { kind, name: name.text.clone(), labels: Vec::new(), example });
            types.len() - 1
        });
        types[index].labels.push(label.text.clone());
        // The arguments of an action or a list are in a block.
        let inner = block.body.blocks.iter().find(|it| it.name == "config").map(|it| &it.body);
        let arguments = match kind {
            Kind::Action | Kind::ListResource => inner,
            _ => Some(&block.body),
        };
        let empty = Body::default();
        types[index].example.add(arguments.unwrap_or(&empty), &META_ARGUMENTS);
    }
    let Some(first) = types.first() else {
        return Err("the file contains no block `resource`, `data`, `ephemeral` or `action`".to_owned());
    };
    let first_word = first.name.split('_').next().unwrap_or_default();
    let address =
        address.map_or_else(|| format!("registry.terraform.io/example/{first_word}"), str::to_owned);
    let name = address.rsplit('/').next().unwrap_or_default();
    let mut objects = Vec::new();
    for it in &types {
        let title = format!("{} {}", it.kind.noun(), it.name);
        if !it.name.starts_with(&format!("{name}_")) {
            warnings.push(format!("{title}: omitted, because it belongs to another provider than {name}"));
        } else if it.kind == Kind::ListResource {
            warnings.push(format!(
                "{title}: omitted, because an example does not contain the identity of its resource"
            ));
        } else {
            let mut is_unknown = |path: &str| {
                warnings.push(format!("{title}: the type of {path} is not known; string is assumed"));
            };
            let mut model = it.example.model(&mut is_unknown);
            add_referenced(it, &file, &mut model, &mut is_unknown);
            objects.push(Object::new(it.kind, &it.name, model));
        }
    }
    let config = file.blocks.iter().filter(|it| it.name == "provider");
    let config = config.filter(|it| it.labels.first().is_some_and(|label| label.text == name));
    let mut example = Example::default();
    config.for_each(|it| example.add(&it.body, &["alias", "version"]));
    let config = example.model(&mut |path| {
        warnings.push(format!("provider configuration: the type of {path} is not known; string is assumed"));
    });
    Ok(Provider { config, objects, functions: Vec::new(), address })
}

/// Adds attributes that expressions refer to, but that no example sets: the provider computes them. `is_unknown` is
/// called for an attribute whose elements or attributes an expression uses, because the reference shows no type.
fn add_referenced(of: &ExampleType, file: &Body<'_>, model: &mut Model, is_unknown: &mut dyn FnMut(&str)) {
    let prefix: &[&str] = match of.kind {
        Kind::Action => return,
        Kind::DataSource => &["data"],
        Kind::EphemeralResource => &["ephemeral"],
        _ => &[],
    };
    let mut traversals = Vec::new();
    collect_traversals(file, &mut traversals);
    let mut found: BTreeMap<&str, bool> = BTreeMap::new();
    for traversal in &traversals {
        let names: Vec<&str> = traversal.names.iter().map(String::as_str).collect();
        if let Some([name, label, attribute, inside @ ..]) = names.strip_prefix(prefix)
            && *name == of.name
            && of.labels.iter().any(|it| it == label)
        {
            *found.entry(attribute).or_default() |= !inside.is_empty();
        }
    }
    for (name, has_inside) in found {
        if model.fields.iter().all(|it| it.name != name) {
            if has_inside {
                is_unknown(name);
            }
            model.fields.push(Field::new(name, Type::Scalar("String"), Mode::Computed));
        }
    }
}

/// Collects the references in all expressions of a body.
fn collect_traversals(body: &Body<'_>, traversals: &mut Vec<Traversal>) {
    traversals.extend(body.arguments.iter().flat_map(|it| it.value.references().traversals));
    body.blocks.iter().for_each(|it: &Block<'_>| collect_traversals(&it.body, traversals));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referenced_attributes_are_computed() {
        let expressions = "[cloud_server.web.id, cloud_server.web[0].url, cloud_server.web[each.key].zone, \"${cloud_server.web.name}\", \
                           cloud_server.web[*].ipv4[0].address, data.cloud_server.web.image, cloud_server.other.x, cloud_server.web]";
        let content = format!(
            "resource \"cloud_server\" \"web\" {{\n  empty = {{}}\n}}\noutput \"a\" {{\n  value = {expressions}\n}}\n"
        );
        let mut warnings = Vec::new();
        let found = provider(&content, None, &mut warnings).unwrap();
        let fields: Vec<&str> = found.objects[0].model.fields.iter().map(|it| &*it.name).collect();
        assert_eq!(fields, ["empty", "id", "ipv4", "name", "url", "zone"]);
        let unknown =
            |name: &str| format!("resource cloud_server: the type of {name} is not known; string is assumed");
        assert_eq!(warnings, [unknown("empty"), unknown("ipv4")]);
    }
}
