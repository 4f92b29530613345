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

use ferroform_lang::body::{self, Block, Body};

use self::shape::Example;
use super::definition::{Field, Kind, Mode, Model, Object, Provider, Type};

/// The block types with examples.
const KINDS: [(&str, Kind); 5] = [
    ("resource", Kind::Resource),
    ("data", Kind::DataSource),
    ("ephemeral", Kind::EphemeralResource),
    ("action", Kind::Action),
    ("list", Kind::ListResource),
];

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
        let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == block.name) else { continue };
        let [name, label] = &*block.labels else { continue };
        let index = types.iter().position(|it| it.kind == *kind && it.name == name.text);
        let index = index.unwrap_or_else(|| {
            let example = Example::default();
            types.push(ExampleType { kind: *kind, name: name.text.clone(), labels: Vec::new(), example });
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
        let title = format!("{} {}", it.kind.title(), it.name);
        if !it.name.starts_with(&format!("{name}_")) {
            warnings.push(format!("{title}: omitted, because it belongs to another provider than {name}"));
        } else if it.kind == Kind::ListResource {
            warnings.push(format!(
                "{title}: omitted, because an example does not contain the identity of its resource"
            ));
        } else {
            let mut model = it.example.model(&mut |path| {
                warnings.push(format!("{title}: the type of {path} is not known; string is assumed"));
            });
            add_referenced(it, content, &file, &mut model);
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

/// Adds attributes that expressions refer to, but that no example sets: the provider computes them.
fn add_referenced(of: &ExampleType, content: &str, file: &Body<'_>, model: &mut Model) {
    if of.kind == Kind::Action {
        return;
    }
    let prefix = match of.kind {
        Kind::DataSource => "data.",
        Kind::EphemeralResource => "ephemeral.",
        _ => "",
    };
    let mut expressions = Vec::new();
    collect_expressions(file, content, &mut expressions);
    let mut names: Vec<&str> = Vec::new();
    for label in &of.labels {
        let object = format!("{prefix}{}.{label}", of.name);
        names.extend(expressions.iter().flat_map(|it| attributes_after(it, &object)));
    }
    names.sort_unstable();
    for name in names {
        if model.fields.iter().all(|it| it.name != name) {
            model.fields.push(Field::new(name, Type::Scalar("String"), Mode::Computed));
        }
    }
}

/// Collects the source of all expressions of a body.
fn collect_expressions<'s>(body: &Body<'_>, content: &'s str, expressions: &mut Vec<&'s str>) {
    expressions.extend(body.arguments.iter().filter_map(|it| content.get(it.value.at())));
    body.blocks.iter().for_each(|it: &Block<'_>| collect_expressions(&it.body, content, expressions));
}

/// Returns the attributes in references such as `cloud_server.web.id` and `cloud_server.web[0].id`.
fn attributes_after<'s>(expression: &'s str, object: &str) -> Vec<&'s str> {
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
    let found = expression.match_indices(object).filter_map(|(start, _)| {
        if expression[..start].ends_with(is_name) {
            return None;
        }
        let mut rest = &expression[start + object.len()..];
        if rest.starts_with('[') {
            rest = rest.split_once(']')?.1;
        }
        let rest = rest.strip_prefix('.')?;
        let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
        Some(&rest[..end]).filter(|it| it.starts_with(|it: char| it.is_ascii_lowercase()))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn referenced_attributes_are_found() {
        let found = |expression| attributes_after(expression, "cloud_server.web");
        assert_eq!(found("cloud_server.web.id"), ["id"]);
        assert_eq!(found("[cloud_server.web[0].url, cloud_server.web[each.key].id]"), ["url", "id"]);
        assert_eq!(found("\"${cloud_server.web.id}\""), ["id"]);
        assert_eq!(found("data.cloud_server.web.id"), Vec::<&str>::new());
        assert_eq!(found("cloud_server.web2.id + cloud_server.web"), Vec::<&str>::new());
    }
}
