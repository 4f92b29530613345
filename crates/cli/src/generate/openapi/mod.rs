//! The resources and data sources of an API that an OpenAPI 3 document describes.

mod document;
mod fields;
mod keywords;
mod parameters;
mod paths;
mod resources;
mod schemas;
mod types;

use serde_json::Value;

use self::document::{Document, string};
use super::definition::{Description, Field, Mode, Model, Provider, Type};
use super::names::snake_case;

/// Converts a document in JSON or YAML. `address` is the address of the provider; by default, its type is the title of
/// the API.
///
/// # Errors
///
/// If the document is invalid, or describes no objects.
pub(super) fn provider(
    content: &str,
    address: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<Provider, String> {
    let document = Document::parse(content)?;
    if let [first, ..] = *document.external_references() {
        warnings.push(format!(
            "references to other documents, such as {first}, are ignored: bundle the documents into one file first"
        ));
    }
    let title = string(document.field("info"), "title").unwrap_or("api");
    let title = title.strip_suffix(" API").unwrap_or(title);
    // Terraform separates the type of the provider from the rest of a name at the first underscore.
    let default_name = snake_case(title).replace('_', "");
    // The name of a type starts with a letter.
    let is_name = default_name.starts_with(|it: char| it.is_ascii_alphabetic());
    let default_name = if is_name { default_name } else { format!("api{default_name}") };
    let address =
        address.map_or_else(|| format!("registry.terraform.io/example/{default_name}"), str::to_owned);
    let name = address.rsplit('/').next().unwrap_or_default().to_owned();
    let objects = resources::objects(&document, &name, warnings);
    if objects.is_empty() {
        return Err("no path with a GET operation ends with a path parameter".to_owned());
    }
    Ok(Provider { config: config(&document), objects, functions: Vec::new(), address })
}

/// The configuration of the provider: the URL of the API and the credentials.
fn config(document: &Document) -> Model {
    let mut fields = Vec::new();
    let mut add = |name: &str, description: &str, is_sensitive: bool| {
        fields.push(Field {
            description: Description { content: description.to_owned(), is_plain: false },
            is_sensitive,
            ..Field::new(name, Type::Scalar("String"), Mode::Optional)
        });
    };
    add("endpoint", "The URL of the API.", false);
    let schemes = document.field("components").get("securitySchemes").and_then(Value::as_object);
    for scheme in schemes.into_iter().flat_map(|it| it.values()).map(|it| document.resolve(it).1) {
        match (string(scheme, "type"), string(scheme, "scheme")) {
            (Some("http"), Some("basic")) => {
                add("username", "The name of the user.", false);
                add("password", "The password of the user.", true);
            }
            (Some("http" | "oauth2" | "openIdConnect"), _) => add("token", "The access token.", true),
            (Some("apiKey"), _) => add("api_key", "The API key.", true),
            _ => {}
        }
    }
    let mut names = Vec::new();
    fields.retain(|it| {
        let is_new = !names.contains(&it.name);
        names.push(it.name.clone());
        is_new
    });
    let url = document.field("servers").get(0).and_then(|it| string(it, "url"));
    // A relative URL or a template is no default.
    if let Some(url) = url.filter(|it| it.contains("://") && !it.contains('{')) {
        fields[0].default = Some(url.into());
    }
    Model { fields, ..Model::default() }
}
