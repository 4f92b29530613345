//! The paths of an API that end with a parameter, and the names of their types and parameters.
//!
//! ```text
//! /v1/folders/{id}/notes/{note_id}   the type cloud_note, with the parameters folder_id and note_id
//! ```

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::document::Document;
use crate::generate::names::{free_name, snake_case};

/// A path with an ID.
pub(super) struct Item<'d> {
    pub(super) path: &'d str,
    /// The path without the ID.
    pub(super) collection: &'d str,
    pub(super) operations: &'d Value,
    pub(super) read: &'d Value,
    /// The operations of the path without the ID.
    pub(super) collection_operations: &'d Value,
    /// The name of the type.
    pub(super) name: String,
    pub(super) parameters: Vec<PathParameter<'d>>,
}

/// A parameter of a path.
pub(super) struct PathParameter<'d> {
    pub(super) name: &'d str,
    pub(super) attribute: String,
}

/// Returns the paths that end with a parameter and can be read.
pub(super) fn items<'d>(document: &'d Document, provider: &str, warnings: &mut Vec<String>) -> Vec<Item<'d>> {
    let Some(paths) = document.field("paths").as_object() else { return Vec::new() };
    let by_path: HashMap<&str, &Value> =
        paths.iter().map(|(path, it)| (path.trim_end_matches('/'), document.resolve(it).1)).collect();
    let mut items = Vec::new();
    for (path, operations) in paths {
        let operations = document.resolve(operations).1;
        let Some((collection, last)) = path.trim_end_matches('/').rsplit_once('/') else { continue };
        let Some(read) = operations.get("get").filter(|_| parameter(last).is_some()) else { continue };
        items.push(Item {
            path,
            collection,
            operations,
            read,
            collection_operations: by_path.get(collection).copied().unwrap_or(&Value::Null),
            name: String::new(),
            parameters: Vec::new(),
        });
    }
    // The main type of a word has the shortest path: `cloud_server` is `/servers/{id}`, not `/groups/{id}/servers/{server}`.
    let mut shortest_first: Vec<&mut Item<'_>> = items.iter_mut().collect();
    shortest_first.sort_by_key(|it| it.path.split('/').count());
    let mut used = HashSet::new();
    for item in shortest_first {
        item.name = type_name(item.collection, provider, &used);
        used.insert(item.name.clone());
    }
    for item in &mut items {
        item.parameters = path_parameters(item.path, &item.name, warnings);
    }
    items
}

/// Returns the name of a segment such as `{id}`.
fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// Returns the name of a type: `cloud_server` for `/servers`, with the name before it if the type exists.
fn type_name(collection: &str, provider: &str, used: &HashSet<String>) -> String {
    let mut name = String::new();
    for word in collection.split('/').rev().filter_map(word) {
        name = if name.is_empty() { word } else { format!("{word}_{name}") };
        let full = format!("{provider}_{name}");
        if !used.contains(&full) {
            return full;
        }
    }
    if name.is_empty() {
        name = "object".to_owned();
    }
    free_name(&format!("{provider}_{name}"), |it| !used.contains(it))
}

/// Returns the word of a segment in the names of types: `server` for `servers`.
fn word(segment: &str) -> Option<String> {
    let is_word = !segment.is_empty() && parameter(segment).is_none() && !is_version(segment);
    is_word.then(|| singular(&snake_case(segment)))
}

/// Returns true for the version of an API, such as `v1` or `2.0`.
fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix('v').unwrap_or(segment);
    number.starts_with(|it: char| it.is_ascii_digit())
        && number.chars().all(|it| it.is_ascii_digit() || it == '.')
}

/// Returns the parameters of a path. The attribute `id` is the one of the object, so the parameter `{id}` of its parent
/// has the name of the parent: `folder_id`. So do parameters whose names occur twice.
fn path_parameters<'d>(path: &'d str, object: &str, warnings: &mut Vec<String>) -> Vec<PathParameter<'d>> {
    let segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let attribute = |it: &&str| parameter(it).map(snake_case);
    let all: Vec<String> = segments.iter().filter_map(attribute).collect();
    let mut used = HashSet::new();
    let mut parameters = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        let Some(name) = parameter(segment) else { continue };
        let original = snake_case(name);
        let is_last = index + 1 == segments.len();
        let is_ambiguous = original == "id" || all.iter().filter(|it| **it == original).count() > 1;
        let mut attribute = original.clone();
        if is_ambiguous && !is_last {
            let parent = segments[..index].iter().rev().find_map(|it| word(it));
            let full = format!("{}_{original}", parent.as_deref().unwrap_or("parent"));
            attribute = free_name(&full, |it| !used.contains(it) && all.iter().all(|known| known != it));
            warnings.push(format!(
                "{object}: the parameter {name} in {path} becomes the attribute {attribute}, because the object or \
                 another parameter also has the name {original}"
            ));
        }
        used.insert(attribute.clone());
        parameters.push(PathParameter { name, attribute });
    }
    parameters
}

/// The singulars that do not follow the rules, as last words of a name.
const SINGULARS: [(&str, &str); 12] = [
    ("apis", "api"),
    ("caches", "cache"),
    ("cookies", "cookie"),
    ("cpus", "cpu"),
    ("dns", "dns"),
    ("gpus", "gpu"),
    ("indices", "index"),
    ("movies", "movie"),
    ("nfs", "nfs"),
    ("series", "series"),
    ("skus", "sku"),
    ("tls", "tls"),
];

/// The endings of plurals, with those of their singulars. The first one applies.
const ENDINGS: [(&str, &str); 19] = [
    ("ies", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    // `statuses`, `viruses`, `bonuses` and `aliases`, but not `causes` and `databases`.
    ("tuses", "tus"),
    ("ruses", "rus"),
    ("nuses", "nus"),
    ("iases", "ias"),
    // `analyses`, `hypotheses` and `diagnoses`.
    ("lyses", "lysis"),
    ("theses", "thesis"),
    ("gnoses", "gnosis"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    // `alias` and `saas`.
    ("ias", "ias"),
    ("aas", "aas"),
    ("kms", "kms"),
    ("s", ""),
];

/// Returns the singular of an English noun, which can be the last word of a name.
fn singular(plural: &str) -> String {
    let start = plural.rfind('_').map_or(0, |it| it + 1);
    let (before, word) = plural.split_at(start);
    let exception = SINGULARS.iter().find(|(it, _)| *it == word).map(|(_, singular)| (*singular).to_owned());
    let regular = || {
        let (stem, end) = ENDINGS.iter().find_map(|(it, end)| Some((word.strip_suffix(it)?, end)))?;
        Some(format!("{stem}{end}")).filter(|it| !it.is_empty())
    };
    format!("{before}{}", exception.or_else(regular).unwrap_or_else(|| word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_singular() {
        for (plural, expected) in [
            ("servers", "server"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("status", "status"),
            ("statuses", "status"),
            ("service_statuses", "service_status"),
            ("aliases", "alias"),
            ("alias", "alias"),
            ("analyses", "analysis"),
            ("causes", "cause"),
            ("warehouses", "warehouse"),
            ("caches", "cache"),
            ("branches", "branch"),
            ("nfs", "nfs"),
            ("saas", "saas"),
            ("schemas", "schema"),
            ("vpcs", "vpc"),
            ("apis", "api"),
            ("access", "access"),
            ("databases", "database"),
            ("s", "s"),
        ] {
            assert_eq!(singular(plural), expected);
        }
    }

    #[test]
    fn names_are_unique() {
        let used = ["cloud_rule", "cloud_firewall_rule"].map(str::to_owned).into();
        assert_eq!(type_name("/v1/servers", "cloud", &used), "cloud_server");
        assert_eq!(type_name("/2.0/zones/{zone}/rules", "cloud", &used), "cloud_zone_rule");
        assert_eq!(type_name("/firewalls/{id}/rules", "cloud", &used), "cloud_firewall_rule2");
        assert_eq!(type_name("", "cloud", &used), "cloud_object");
    }

    #[test]
    fn shortest_path_determines_name_of_type() {
        let document = Document::parse(
            "{\"openapi\": \"3.0.0\", \"paths\": {\
             \"/groups/{group}/members/servers/{server}\": {\"get\": {}}, \"/servers/{server}\": {\"get\": {}}}}",
        );
        let document = document.unwrap();
        let names = items(&document, "cloud", &mut Vec::new()).into_iter().map(|it| (it.path, it.name));
        assert_eq!(
            names.collect::<Vec<_>>(),
            [
                ("/groups/{group}/members/servers/{server}", "cloud_member_server".to_owned()),
                ("/servers/{server}", "cloud_server".to_owned())
            ]
        );
    }

    #[test]
    fn parameters_of_parents_have_names_of_their_own() {
        let mut warnings = Vec::new();
        let mut attributes = |path: &'static str| {
            let parameters = path_parameters(path, "cloud_note", &mut warnings).into_iter();
            parameters.map(|it| it.attribute).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(attributes("/folders/{id}/notes/{note_id}"), "folder_id note_id");
        assert_eq!(attributes("/folders/{ID}/notes/{id}"), "folder_id id");
        assert_eq!(attributes("/folders/{name}/notes/{name}"), "folder_name name");
        assert_eq!(attributes("/a/{key}/bs/{Key}/c/{id}"), "a_key b_key id");
        assert_eq!(attributes("/{id}/{folder}"), "parent_id folder");
        assert_eq!(attributes("/folders/{id}/{folder_id}/x"), "folder_id2 folder_id");
        assert_eq!(attributes("/projects/{project}/notes/{note}"), "project note");
        expect_test::expect![[r#"
            cloud_note: the parameter id in /folders/{id}/notes/{note_id} becomes the attribute folder_id, because the object or another parameter also has the name id
        "#]]
        .assert_eq(&format!("{}\n", warnings[0]));
        assert_eq!(warnings.len(), 7);
    }
}
