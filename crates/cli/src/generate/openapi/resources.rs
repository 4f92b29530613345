//! The resources and data sources of an API.
//!
//! A path with an ID that can be read and deleted is a resource, if its objects can be created:
//!
//! ```text
//! POST   /servers               create
//! GET    /servers/{server_id}   read      also a data source
//! PATCH  /servers/{server_id}   update    without it, every change requires replacement
//! DELETE /servers/{server_id}   delete
//! ```

use serde_json::Value;

use super::document::{Document, is_true, string};
use super::types::{TypeReader, collect_properties, is_nullable, required};
use crate::generate::definition::{Description, Field, Form, Kind, Mode, Model, Object, Operation, Type};
use crate::generate::names::snake_case;

/// A path with an ID.
struct Item<'d> {
    path: &'d str,
    /// The path without the ID.
    collection: &'d str,
    operations: &'d Value,
    /// The operations of the path without the ID.
    collection_operations: &'d Value,
}

/// Returns the resources and data sources of a document.
pub(super) fn objects(document: &Document, provider: &str, warnings: &mut Vec<String>) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    for item in items(document) {
        let Some(read) = item.operations.get("get") else { continue };
        let name = object_name(item.collection, provider, &objects);
        let reader = &mut ObjectReader { types: TypeReader::new(document), document, warnings: Vec::new() };
        match reader.resource(&item, &name, read) {
            Some(resource) => objects.push(resource),
            None if item.operations.get("delete").is_some() => warnings.push(format!(
                "data source {name}: no resource is generated, because neither POST {} nor PUT {} creates the object",
                item.collection, item.path
            )),
            None => {}
        }
        objects.push(reader.data_source(&item, &name, read));
        reader.warnings.dedup();
        warnings.append(&mut reader.warnings);
        warnings.extend(reader.types.omissions.iter().map(|it| format!("{name}: {it}")));
    }
    objects
}

/// The names that Terraform reserves in blocks of resources and data sources.
const RESERVED: [&str; 7] =
    ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];

/// Returns the paths that end with a parameter.
fn items(document: &Document) -> Vec<Item<'_>> {
    let Some(paths) = document.field("paths").as_object() else { return Vec::new() };
    let mut items = Vec::new();
    for (path, operations) in paths {
        let Some((collection, last)) = path.trim_end_matches('/').rsplit_once('/') else { continue };
        if parameter(last).is_none() {
            continue;
        }
        let same = |it: &&String| it.trim_end_matches('/') == collection;
        let collection_operations = paths.keys().find(same).and_then(|it| paths.get(it));
        items.push(Item {
            path,
            collection,
            operations: document.resolve(operations).1,
            collection_operations: collection_operations.map_or(&Value::Null, |it| document.resolve(it).1),
        });
    }
    items
}

/// Returns the name of a segment such as `{id}`.
fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// Returns the name of a type: `cloud_server` for `/servers`, with the name before it if the type exists.
fn object_name(collection: &str, provider: &str, existing: &[Object]) -> String {
    let is_word = |it: &&str| !it.is_empty() && parameter(it).is_none() && !is_version(it);
    let segments: Vec<&str> = collection.split('/').filter(is_word).collect();
    let mut name = String::new();
    for segment in segments.iter().rev() {
        let word = singular(&snake_case(segment));
        name = if name.is_empty() { word } else { format!("{word}_{name}") };
        let full = format!("{provider}_{name}");
        if existing.iter().all(|it| it.name != full) {
            return full;
        }
    }
    let numbered = (2..).map(|number| format!("{provider}_{name}{number}"));
    // The numbers never end, so a name is always found.
    let mut free = numbered.filter(|full| existing.iter().all(|it| it.name != *full));
    free.next().unwrap_or(name)
}

/// Returns true for the version of an API, such as `v1` or `2.0`.
fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix('v').unwrap_or(segment);
    number.starts_with(|it: char| it.is_ascii_digit())
        && number.chars().all(|it| it.is_ascii_digit() || it == '.')
}

/// Returns the singular of an English noun.
fn singular(plural: &str) -> String {
    let end = |suffix: &str| plural.strip_suffix(suffix);
    if let Some(stem) = end("ies") {
        return format!("{stem}y");
    }
    let is_es = ["sses", "xes", "ches", "shes"].iter().any(|it| plural.ends_with(it));
    if is_es && let Some(stem) = end("es") {
        return stem.to_owned();
    }
    let is_singular = ["ss", "us", "is"].iter().any(|it| plural.ends_with(it));
    end("s").filter(|_| !is_singular).unwrap_or(plural).to_owned()
}

struct ObjectReader<'d> {
    types: TypeReader<'d>,
    document: &'d Document,
    warnings: Vec<String>,
}

impl<'d> ObjectReader<'d> {
    /// Returns the resource of a path; `None` if its objects cannot be created and deleted.
    fn resource(&mut self, item: &Item<'d>, name: &str, read: &'d Value) -> Option<Object> {
        let (operations, collection) = (item.operations, item.collection_operations);
        operations.get("delete")?;
        let (create, create_method) = match collection.get("post") {
            Some(post) => (post, format!("POST {}", item.collection)),
            None => (operations.get("put")?, format!("PUT {}", item.path)),
        };
        let update = ["patch", "put"].into_iter().find_map(|it| Some((it, operations.get(it)?)));
        let request = self.request(create);
        let response = self.response(read);
        let updatable = update.and_then(|(_, it)| self.request(it));
        let mut model = self.resource_model(name, request, response);
        let mut updated = Vec::new();
        if let Some(schema) = updatable {
            collect_properties(self.document, schema, &mut updated, 0);
        }
        let updated: Vec<String> = updated.iter().map(|(name, _)| snake_case(name)).collect();
        for field in &mut model.fields {
            let is_updated = update.is_some() && updated.contains(&field.name);
            field.requires_replace = field.mode != Mode::Computed && !field.is_write_only && !is_updated;
        }
        let parameters = path_parameters(item.path);
        let [parents @ .., (id_parameter, id)] = &*parameters else { return None };
        // The service chooses the ID, except if the request that creates the object contains it in its path.
        let is_id_configured = collection.get("post").is_none();
        let configured = if is_id_configured { &*parameters } else { parents };
        for (parameter, attribute) in configured {
            self.rename_object(&mut model.fields, attribute, &format!("resource {name}"));
            let field = model.fields.iter_mut().find(|it| it.name == *attribute);
            match field {
                // A response often contains the parameters of the path as read-only properties.
                Some(field) => {
                    (field.mode, field.default) = (Mode::Required, None);
                    field.requires_replace = !field.is_write_only;
                }
                None => {
                    let field = self.parameter(item, parameter, attribute);
                    model.fields.insert(0, Field { requires_replace: true, ..field });
                }
            }
        }
        if !model.fields.iter().any(|it| it.name == *id) {
            let parameter = self.parameter(item, id_parameter, id);
            match model.fields.iter().find(|it| it.name == "id") {
                Some(field) if self.is_id(item, id_parameter, field) => {}
                Some(_) => model.fields.push(Field::new(id, parameter.ty, Mode::Computed)),
                None => model.fields.push(Field::new("id", parameter.ty, Mode::Computed)),
            }
        }
        self.rename_reserved(&mut model.fields, Kind::Resource, name);
        model.description = describe(&[create, read]);
        model.fields.sort_by_key(|it| it.mode);
        let mut requests = vec![
            Operation { method: "create", request: create_method },
            Operation { method: "read", request: format!("GET {}", item.path) },
        ];
        requests.extend(update.map(|(method, _)| Operation {
            method: "update",
            request: format!("{} {}", method.to_uppercase(), item.path),
        }));
        requests.push(Operation { method: "delete", request: format!("DELETE {}", item.path) });
        let resource = Object::new(Kind::Resource, name, model);
        Some(Object { has_update: update.is_some(), operations: requests, ..resource })
    }

    /// Combines the properties of the request and of the response.
    fn resource_model(
        &mut self,
        object: &str,
        request: Option<&'d Value>,
        response: Option<&'d Value>,
    ) -> Model {
        let properties = |schema: Option<&'d Value>| {
            let mut properties = Vec::new();
            if let Some(schema) = schema {
                collect_properties(self.document, schema, &mut properties, 0);
            }
            properties
        };
        let (requested, returned) = (properties(request), properties(response));
        let required = request.map(|it| required(self.document, it)).unwrap_or_default();
        let returned_always = response.map(|it| self::required(self.document, it)).unwrap_or_default();
        let always_set: Vec<&str> = returned_always.iter().map(String::as_str).collect();
        let resolved = |it: &'d Value| self.document.resolve(it).1;
        let mut found: Vec<(&str, &Value, Mode, bool)> = Vec::new();
        for (name, property) in &requested {
            if is_true(resolved(property), "readOnly") {
                continue;
            }
            let is_returned =
                returned.iter().any(|(it, value)| it == name && !is_true(resolved(value), "writeOnly"));
            let is_secret = is_true(resolved(property), "writeOnly") || (!is_returned && response.is_some());
            let mode = match required.contains(&(*name).to_owned()) {
                true => Mode::Required,
                false if is_returned => Mode::OptionalComputed,
                false => Mode::Optional,
            };
            let is_write_only = is_secret && is_true(resolved(property), "writeOnly");
            found.push((name, property, mode, is_write_only));
        }
        for (name, property) in &returned {
            if found.iter().all(|(it, ..)| it != name) && !is_true(resolved(property), "writeOnly") {
                found.push((name, property, Mode::Computed, false));
            }
        }
        let mut fields: Vec<Field> = Vec::new();
        for (name, property, mode, is_write_only) in found {
            let field = self.types.field(name, property, mode);
            let is_always_set =
                mode == Mode::Computed && always_set.contains(&name) && !is_nullable(self.document, property);
            // A default makes an attribute optional, and a set cannot be write-only.
            let mode = if field.default.is_some() { Mode::Optional } else { mode };
            let default = field.default.clone().filter(|_| !is_write_only);
            let field = Field { mode, is_write_only, default, is_always_set, ..field };
            if fields.iter().any(|it| it.name == field.name) {
                self.warnings.push(duplicate(&format!("resource {object}"), &field.name));
            } else {
                fields.push(field);
            }
        }
        Model { fields, ..Model::default() }
    }

    fn data_source(&mut self, item: &Item<'d>, name: &str, read: &'d Value) -> Object {
        let mut properties = Vec::new();
        let response = self.response(read);
        if let Some(schema) = response {
            collect_properties(self.document, schema, &mut properties, 0);
        }
        let always_set = response.map(|it| required(self.document, it)).unwrap_or_default();
        let readable =
            properties.into_iter().filter(|(_, it)| !is_true(self.document.resolve(it).1, "writeOnly"));
        let readable: Vec<(&str, &Value)> = readable.collect();
        let mut fields: Vec<Field> = Vec::new();
        let parameters = path_parameters(item.path);
        let last = parameters.len().saturating_sub(1);
        for (index, (parameter, attribute)) in parameters.iter().enumerate() {
            // The ID of an object is usually its attribute `id`.
            let has = |it: &str| readable.iter().any(|(name, _)| snake_case(name) == it);
            let own = self.parameter(item, parameter, attribute);
            let field = |reader: &mut Self, name: &str| {
                let property = readable.iter().find(|(it, _)| snake_case(it) == name);
                property.map(|(_, property)| reader.types.field(name, property, Mode::Required))
            };
            let id = if index == last && !has(attribute) { field(self, "id") } else { None };
            let same = field(self, attribute).filter(|it| matches!(it.ty, Type::Scalar(_) | Type::Enum(_)));
            let id = id.filter(|it| self.is_id(item, parameter, it));
            fields.push(id.or(same).unwrap_or(own));
        }
        for (property_name, property) in readable {
            let mut field = self.types.field(property_name, property, Mode::Computed);
            field.is_always_set =
                always_set.iter().any(|it| it == property_name) && !is_nullable(self.document, property);
            match fields.iter().find(|it| it.name == field.name) {
                None => fields.push(field),
                Some(existing) if existing.mode == Mode::Computed => {
                    self.warnings.push(duplicate(&format!("data source {name}"), &field.name));
                }
                Some(existing) if !matches!(existing.ty, Type::Model(_)) && field.ty.model().is_some() => {
                    let renamed = format!("{}_details", field.name);
                    self.warnings.push(renaming(
                        &format!("data source {name}"),
                        &field.name,
                        &renamed,
                        "a path parameter has",
                    ));
                    fields.push(Field { name: renamed, ..field });
                }
                Some(_) => {}
            }
        }
        self.rename_reserved(&mut fields, Kind::DataSource, name);
        let model = Model { description: describe(&[read]), fields, ..Model::default() };
        let operations = vec![Operation { method: "read", request: format!("GET {}", item.path) }];
        Object { operations, ..Object::new(Kind::DataSource, name, model) }
    }

    /// Renames a property that is an object, because a path parameter has the same name.
    fn rename_object(&mut self, fields: &mut [Field], parameter: &str, object: &str) {
        let found = fields.iter_mut().find(|it| it.name == parameter && it.form == Form::NestedAttribute);
        if let Some(field) = found {
            field.name = format!("{parameter}_details");
            self.warnings.push(renaming(object, parameter, &field.name, "a path parameter has"));
        }
    }

    /// Renames attributes whose names Terraform reserves: `count` of a server is `server_count`.
    fn rename_reserved(&mut self, fields: &mut [Field], kind: Kind, name: &str) {
        let word = name.rsplit('_').next().unwrap_or_default();
        for field in fields.iter_mut().filter(|it| RESERVED.contains(&&*it.name)) {
            let renamed = format!("{word}_{}", field.name);
            let object = format!("{} {name}", kind.noun());
            self.warnings.push(renaming(&object, &field.name, &renamed, "Terraform reserves"));
            field.name = renamed;
        }
    }

    /// Returns true if the last path parameter is the attribute `id`. Otherwise, the path contains another value, for
    /// example the name of the object, whose ID is a number.
    fn is_id(&mut self, item: &Item<'d>, parameter: &str, id: &Field) -> bool {
        let declared = self.declared_parameter(item, parameter).and_then(|it| it.get("schema"));
        let is_named_id = snake_case(parameter).ends_with("id");
        is_named_id || declared.is_none_or(|it| self.types.field("id", it, Mode::Required).ty == id.ty)
    }

    /// Returns the declaration of a path parameter.
    fn declared_parameter(&self, item: &Item<'d>, parameter: &str) -> Option<&'d Value> {
        let operation = item.operations.get("get").unwrap_or(&Value::Null);
        let lists =
            [operation, item.operations].into_iter().filter_map(|it| it.get("parameters")?.as_array());
        let mut declared = lists.flatten().map(|it| self.document.resolve(it).1);
        declared.find(|it| string(it, "in") == Some("path") && string(it, "name") == Some(parameter))
    }

    /// Returns a required attribute for a path parameter. It is a string if the parameter has no schema.
    fn parameter(&mut self, item: &Item<'d>, parameter: &str, attribute: &str) -> Field {
        let declared = self.declared_parameter(item, parameter);
        let schema = declared.and_then(|it| it.get("schema"));
        let field = schema.map(|it| self.types.field(attribute, it, Mode::Required));
        let field = field.filter(|it| {
            matches!(&it.ty, Type::Scalar(name) if *name != "Json") || matches!(it.ty, Type::Enum(_))
        });
        let mut field =
            field.unwrap_or_else(|| Field::new(attribute, Type::Scalar("String"), Mode::Required));
        if let Some(description) = declared.and_then(|it| string(it, "description")) {
            field.description = Description { content: description.trim().to_owned(), is_plain: false };
        }
        field
    }

    /// Returns the schema of the body of a request.
    fn request(&self, operation: &'d Value) -> Option<&'d Value> {
        let body = self.document.resolve(operation.get("requestBody")?).1;
        self.content(body)
    }

    /// Returns the schema of the body of a successful response.
    fn response(&self, operation: &'d Value) -> Option<&'d Value> {
        let responses = operation.get("responses")?;
        let response = ["200", "201", "2XX", "default"].into_iter().find_map(|it| responses.get(it))?;
        self.content(self.document.resolve(response).1)
    }

    /// Returns the schema of a body in JSON. An object that only contains the actual object is skipped.
    fn content(&self, body: &'d Value) -> Option<&'d Value> {
        let content = body.get("content")?.as_object()?;
        let json = content.iter().find(|(name, _)| name.contains("json"))?.1;
        let schema = json.get("schema")?;
        let mut properties = Vec::new();
        collect_properties(self.document, schema, &mut properties, 0);
        match properties.as_slice() {
            [(_, only)] => {
                let mut inner = Vec::new();
                collect_properties(self.document, only, &mut inner, 0);
                Some(if inner.is_empty() { schema } else { only })
            }
            _ => Some(schema),
        }
    }
}

/// Returns the warning for the second property with the same name in snake case.
fn duplicate(object: &str, attribute: &str) -> String {
    format!("{object}: two properties have the attribute name {attribute}; only the first one is generated")
}

/// Returns the warning for a property whose attribute has another name.
fn renaming(object: &str, property: &str, attribute: &str, reason: &str) -> String {
    format!(
        "{object}: the property {property} becomes the attribute {attribute}, because {reason} the name {property}"
    )
}

/// Returns the parameters of a path, each with the name of its attribute.
fn path_parameters(path: &str) -> Vec<(&str, String)> {
    path.split('/').filter_map(parameter).map(|it| (it, snake_case(it))).collect()
}

/// Returns the first summary or description of the operations.
fn describe(operations: &[&Value]) -> Description {
    let text =
        |it: &&Value| string(it, "description").or(string(it, "summary")).map(str::trim).map(str::to_owned);
    let content = operations.iter().find_map(text).unwrap_or_default();
    Description { content, is_plain: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_singular_and_unique() {
        for (plural, expected) in [
            ("servers", "server"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("status", "status"),
            ("access", "access"),
            ("databases", "database"),
        ] {
            assert_eq!(singular(plural), expected);
        }
        let object = |name: &str| Object::new(Kind::DataSource, name, Model::default());
        let existing = [object("cloud_rule"), object("cloud_firewall_rule")];
        assert_eq!(object_name("/v1/servers", "cloud", &existing), "cloud_server");
        assert_eq!(object_name("/2.0/zones/{zone}/rules", "cloud", &existing), "cloud_zone_rule");
        assert_eq!(object_name("/firewalls/{id}/rules", "cloud", &existing), "cloud_firewall_rule2");
    }

    #[test]
    fn names_that_are_in_use_are_replaced_with_a_warning() {
        let document = Document::parse(
            "openapi: 3.0.0\n\
             paths:\n  \
               /zones/{owner}/disks:\n    \
                 post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Disk'}}}}}\n  \
               /zones/{owner}/disks/{disk}:\n    \
                 parameters: [{name: disk, in: path, schema: {type: string}}]\n    \
                 get: {responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/Disk'}}}}}}\n    \
                 delete: {}\n  \
               /images/{image}:\n    \
                 get: {}\n    \
                 delete: {}\n\
             components:\n  \
               schemas:\n    \
                 Disk:\n      \
                   type: object\n      \
                   properties:\n        \
                     id: {type: integer, readOnly: true}\n        \
                     count: {type: integer}\n        \
                     sizeGb: {type: integer}\n        \
                     size_gb: {type: string}\n        \
                     owner: {type: object, properties: {login: {type: string}}}\n",
        );
        let mut warnings = Vec::new();
        let objects = objects(&document.unwrap(), "cloud", &mut warnings);
        let fields = |it: &Object| {
            let fields = it.model.fields.iter().map(|it| format!("{}: {:?}", it.name, it.mode));
            format!("{} {}: {}\n", it.kind.noun(), it.name, fields.collect::<Vec<_>>().join(", "))
        };
        expect_test::expect![[r#"
            data source cloud_image: image: Required
            resource cloud_disk: owner: Required, disk_count: OptionalComputed, owner_details: OptionalComputed, size_gb: OptionalComputed, id: Computed, disk: Computed
            data source cloud_disk: owner: Required, disk: Required, disk_count: Computed, id: Computed, owner_details: Computed, size_gb: Computed

            data source cloud_image: no resource is generated, because neither POST /images nor PUT /images/{image} creates the object
            resource cloud_disk: two properties have the attribute name size_gb; only the first one is generated
            resource cloud_disk: the property owner becomes the attribute owner_details, because a path parameter has the name owner
            resource cloud_disk: the property count becomes the attribute disk_count, because Terraform reserves the name count
            data source cloud_disk: the property owner becomes the attribute owner_details, because a path parameter has the name owner
            data source cloud_disk: two properties have the attribute name size_gb; only the first one is generated
            data source cloud_disk: the property count becomes the attribute disk_count, because Terraform reserves the name count"#]].assert_eq(&format!(
            "{}\n{}",
            objects.iter().map(fields).collect::<String>(),
            warnings.join("\n")
        ));
    }

    /// Each schema refers to all others, so there are more paths through them than memory.
    #[test]
    fn large_graphs_of_schemas_are_limited() {
        let references = |of: usize| {
            let reference = |it: usize| format!("s{it}: {{$ref: '#/components/schemas/S{it}'}}");
            (0..30).filter(|it| *it != of).map(reference).collect::<Vec<_>>().join(", ")
        };
        let schema = |it: usize| format!("    S{it}: {{type: object, properties: {{{}}}}}\n", references(it));
        let schemas: String = (0..30).map(schema).collect();
        let content = "{200: {content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}}";
        let document = Document::parse(&format!(
            "openapi: 3.0.0\npaths:\n  /a/{{id}}:\n    get: {{responses: {content}}}\ncomponents:\n  schemas:\n{schemas}"
        ));
        let objects = objects(&document.unwrap(), "cloud", &mut Vec::new());
        fn count(model: &Model) -> usize {
            model.fields.iter().map(|it| 1 + it.ty.model().map_or(0, count)).sum()
        }
        assert!((100..10_000).contains(&count(&objects[0].model)), "{}", count(&objects[0].model));
    }
}
