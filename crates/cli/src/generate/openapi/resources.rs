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

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::rc::Rc;

use serde_json::Value;

use super::document::{Document, string};
use super::fields::{FieldList, accept_parameter, finish, is_compatible, open_enum};
use super::parameters::{Operations, Parameters};
use super::paths::{Item, items};
use super::schemas::{Properties, Schemas};
use super::types::TypeReader;
use crate::generate::definition::{
    Collection, Description, Field, Form, Kind, Mode, Model, Object, Operation, Type,
};
use crate::generate::names::snake_case;

/// Returns the resources and data sources of a document.
pub(super) fn objects(document: &Document, provider: &str, warnings: &mut Vec<String>) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    let schemas = Schemas::new(document);
    for item in items(document, provider, warnings) {
        let name = &item.name;
        let reader = &mut ObjectReader::new(TypeReader::new(&schemas));
        match reader.resource(&item) {
            Some(resource) => objects.push(resource),
            None if item.operations.get("delete").is_some() => warnings.push(format!(
                "data source {name}: no resource is generated, because neither POST {} nor PUT {} creates the object",
                item.collection, item.path
            )),
            None => {}
        }
        objects.push(reader.data_source(&item));
        reader.warnings.dedup();
        warnings.append(&mut reader.warnings);
        warnings.extend(reader.types.warnings.iter().map(|it| format!("{name}: {it}")));
    }
    objects
}

/// The names that Terraform reserves in blocks of resources and data sources.
const RESERVED: [&str; 7] =
    ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];

/// The schemas of the bodies of the requests and responses of a resource.
struct Bodies<'d> {
    /// The request that creates an object.
    create: Option<&'d Value>,
    /// The response of the request that creates an object.
    created: Option<&'d Value>,
    read: Option<&'d Value>,
    update: Option<&'d Value>,
}

struct ObjectReader<'s, 'd> {
    types: TypeReader<'s, 'd>,
    /// The name of the current object in warnings.
    object: String,
    warnings: Vec<String>,
}

impl<'s, 'd> ObjectReader<'s, 'd> {
    fn new(types: TypeReader<'s, 'd>) -> ObjectReader<'s, 'd> {
        ObjectReader { types, object: String::new(), warnings: Vec::new() }
    }

    /// Adds a warning about the current object.
    fn warn(&mut self, warning: impl fmt::Display) {
        self.warnings.push(format!("{}: {warning}", self.object));
    }

    /// Returns the resource of a path; `None` if its objects cannot be created and deleted.
    fn resource(&mut self, item: &Item<'d>) -> Option<Object> {
        let (read, operations, collection) = (item.read, item.operations, item.collection_operations);
        let delete = operations.get("delete")?;
        let (create, create_method) = match collection.get("post") {
            Some(post) => (post, format!("POST {}", item.collection)),
            None => (operations.get("put")?, format!("PUT {}", item.path)),
        };
        let update = ["patch", "put"].into_iter().find_map(|it| Some((it, operations.get(it)?)));
        self.object = format!("resource {}", item.name);
        let update_method = update.map(|(method, _)| format!("{} {}", method.to_uppercase(), item.path));
        let bodies = Bodies {
            create: self.request(create),
            created: self.response(create),
            read: self.response(read),
            update: update.and_then(|(_, it)| self.request(it)),
        };
        let methods = [&*create_method, update_method.as_deref().unwrap_or_default()];
        let mut fields = self.resource_fields(item, &bodies, methods);
        let updated = self.properties(bodies.update);
        let updated: HashSet<String> = updated.keys().map(|it| snake_case(it)).collect();
        for field in fields.iter_mut() {
            let is_updated = update.is_some() && updated.contains(&field.name);
            field.requires_replace = field.mode != Mode::Computed && !field.is_write_only && !is_updated;
        }
        let (id, parents) = item.parameters.split_last()?;
        // The service chooses the ID, except if the request that creates the object contains it in its path.
        let is_id_configured = collection.get("post").is_none();
        let configured = if is_id_configured { &*item.parameters } else { parents };
        let owner = if is_id_configured { operations } else { collection };
        let parameters = Parameters { schemas: self.types.schemas, item };
        let mut added = FieldList::default();
        for it in configured {
            let field = Field { requires_replace: true, ..parameters.path(&mut self.types, it) };
            self.add_parameter(&mut fields, &mut added, field, "path");
        }
        let operations_with_parameters = Operations {
            create: [Some(create), Some(owner)],
            others: [Some(read), Some(operations), update.map(|(_, it)| it), Some(delete)],
        };
        for (attribute, parameter, is_created) in parameters.of_resource(&operations_with_parameters) {
            // The state contains the values of the other operations.
            let is_known =
                added.get(&attribute).is_some() || (!is_created && fields.get(&attribute).is_some());
            if !is_known {
                let field = parameters.query(&mut self.types, &attribute, parameter);
                // Later requests may need the parameter, so it is stored.
                let field = Field { requires_replace: true, ..field };
                self.add_parameter(&mut fields, &mut added, field, location(parameter));
            }
        }
        let parameter = parameters.path(&mut self.types, id);
        let property = fields.get(&id.attribute);
        let is_property = property.is_some_and(|it| is_compatible(&it.ty, &parameter.ty));
        if !is_property && added.get(&id.attribute).is_none() {
            let name = match fields.get("id") {
                Some(field) if parameters.is_id(&mut self.types, id, field) => None,
                Some(_) => Some(id.attribute.clone()),
                None => Some("id".to_owned()),
            };
            if let Some(name) = name {
                let id = Field::new(name, parameter.ty, Mode::Computed);
                self.rename_property(&mut fields, &id, "path");
                drop(fields.add(id));
            }
        }
        let fields = self.finish(added, fields, &item.name);
        let model = Model { description: describe(&[create, read]), fields, ..Model::default() };
        let mut requests = vec![
            Operation { method: "create", request: create_method },
            Operation { method: "read", request: format!("GET {}", item.path) },
        ];
        requests.extend(update_method.map(|request| Operation { method: "update", request }));
        requests.push(Operation { method: "delete", request: format!("DELETE {}", item.path) });
        let resource = Object::new(Kind::Resource, &item.name, model);
        Some(Object { has_update: update.is_some(), operations: requests, ..resource })
    }

    /// Returns the properties of a body; none without a body.
    fn properties(&self, schema: Option<&'d Value>) -> Rc<Properties<'d>> {
        schema.map(|it| self.types.schemas.properties(it)).unwrap_or_default()
    }

    /// Returns the names of the required properties of a body.
    fn required(&self, schema: Option<&'d Value>) -> BTreeSet<&'d str> {
        schema.map(|it| self.types.schemas.required(it)).unwrap_or_default()
    }

    /// Combines the properties of the requests and of the responses. `methods` are the requests that create and update an
    /// object.
    fn resource_fields(&mut self, item: &Item<'d>, bodies: &Bodies<'d>, methods: [&str; 2]) -> FieldList {
        let schemas = self.types.schemas;
        let (requested, updated) = (self.properties(bodies.create), self.properties(bodies.update));
        let (returned, created) = (self.properties(bodies.read), self.properties(bodies.created));
        let (required, always_set) = (self.required(bodies.create), self.required(bodies.read));
        let resolve = |it| std::ptr::from_ref(schemas.resolve(it).1);
        // Returns true if a body contains the property with the same schema.
        let is_in = |properties: &Properties<'d>, name: &str, property| {
            properties.get(name).is_some_and(|it| resolve(it) == resolve(property))
        };
        let is_id = |name: &str| {
            let name = snake_case(name);
            name == "id" || item.parameters.iter().any(|it| it.attribute == name)
        };
        let [create, update] = methods;
        let mut warnings = Vec::new();
        let mut updated_only = |it: &str| {
            warnings.push(format!(
                "property {it}: only {update} accepts it, so `create` must send this request as well"
            ));
        };
        let only_updated = updated.iter().filter(|(name, it)| !is_in(&requested, name, it) && !is_id(name));
        let mut fields = FieldList::default();
        let mut duplicates = Vec::new();
        let mut returned_fields = FieldList::default();
        // The properties whose values in the response are those of the request.
        let mut equal = HashSet::new();
        let requests = requested.iter().map(|it| (it, true)).chain(only_updated.map(|it| (it, false)));
        for ((&name, &property), is_create) in requests {
            let keywords = schemas.merged(property);
            if keywords.is_true("readOnly") {
                continue;
            }
            let in_response = returned.get(name).or_else(|| created.get(name));
            let in_response = in_response.filter(|it| !schemas.is_true(it, "writeOnly"));
            let is_write_only = keywords.is_true("writeOnly");
            let mode = match is_create && required.contains(name) {
                // The request contains null if the configuration omits it.
                true if keywords.is_nullable => Mode::Optional,
                true => Mode::Required,
                false if in_response.is_some() && !is_write_only => Mode::OptionalComputed,
                false => Mode::Optional,
            };
            let mut field = self.types.field(name, property, mode);
            if is_write_only {
                write_only(&mut field);
            }
            let is_first = is_create || !requested.contains_key(name);
            let is_equal = in_response.is_some_and(|it| resolve(it) == resolve(property));
            if is_first && (is_write_only || is_equal) {
                equal.insert(name);
            }
            if is_create {
                duplicates.extend(fields.add(field));
            } else {
                fields.add_missing(field, &mut updated_only);
            }
        }
        let (changed, new): (Vec<_>, Vec<_>) =
            created.iter().partition(|(name, _)| returned.contains_key(*name));
        for (&name, &property) in
            returned.iter().chain(new.iter().copied()).filter(|(name, _)| !equal.contains(*name))
        {
            let Some(field) = self.types.returned(name, property, &always_set) else { continue };
            // Another property can have the same name in snake case.
            let is_known = requested.contains_key(name) || updated.contains_key(name);
            let is_duplicate = !is_known && fields.get(&field.name).is_some();
            duplicates.extend(if is_duplicate { Some(field) } else { returned_fields.add(field) });
        }
        fields.add_response(returned_fields.into_vec(), &mut |it| warnings.push(it));
        let mut created_only = |it: &str| {
            warnings.push(format!(
                "property {it}: only the response of {create} contains it, so `read` must return the value in the state"
            ));
        };
        for (name, _) in new {
            if let Some(field) = fields.get_mut(&snake_case(name)).filter(|it| it.mode.is_computed()) {
                field.is_unchanged = field.mode == Mode::Computed;
                created_only(name);
            }
        }
        for (name, property) in changed {
            let is_same = is_in(&returned, name, property) || is_in(&requested, name, property);
            let field = self.types.returned(name, property, &BTreeSet::new()).filter(|_| !is_same);
            field.into_iter().for_each(|it| fields.add_missing(it, &mut created_only));
        }
        warnings.extend(duplicates.iter().map(duplicate));
        warnings.into_iter().for_each(|it| self.warn(it));
        fields
    }

    fn data_source(&mut self, item: &Item<'d>) -> Object {
        self.object = format!("data source {}", item.name);
        let response = self.response(item.read);
        let (properties, always_set) = (self.properties(response), self.required(response));
        let (mut fields, mut added) = (FieldList::default(), FieldList::default());
        for (&name, &property) in &*properties {
            let field = self.types.returned(name, property, &always_set);
            if let Some(field) = field.and_then(|it| fields.add(it)) {
                self.warn(duplicate(&field));
            }
        }
        let parameters = Parameters { schemas: self.types.schemas, item };
        for (index, it) in item.parameters.iter().enumerate() {
            let mut field = parameters.path(&mut self.types, it);
            // The ID of an object is usually its attribute `id`.
            let is_id = index + 1 == item.parameters.len()
                && fields.get(&field.name).is_none()
                && fields.get("id").is_some_and(|id| parameters.is_id(&mut self.types, it, id));
            if is_id {
                field.name = "id".to_owned();
            }
            self.add_parameter(&mut fields, &mut added, field, "path");
        }
        for (attribute, parameter) in parameters.of_data_source(item.read) {
            if added.get(&attribute).is_none() {
                let field = parameters.query(&mut self.types, &attribute, parameter);
                // The API has the default of a parameter that the request omits.
                let field = Field { default: None, ..field };
                self.add_parameter(&mut fields, &mut added, field, location(parameter));
            }
        }
        let fields = self.finish(added, fields, &item.name);
        let model = Model { description: describe(&[item.read]), fields, ..Model::default() };
        let operations = vec![Operation { method: "read", request: format!("GET {}", item.path) }];
        Object { operations, ..Object::new(Kind::DataSource, &item.name, model) }
    }

    /// Adds the attribute of a parameter, unless a property has its name: the parameter then makes that attribute
    /// configurable. A property of another kind, such as an object or a list, gets another name.
    fn add_parameter(
        &mut self,
        fields: &mut FieldList,
        added: &mut FieldList,
        parameter: Field,
        location: &str,
    ) {
        self.rename_property(fields, &parameter, location);
        match fields.get_mut(&parameter.name) {
            Some(property) => accept_parameter(property, parameter),
            None => drop(added.add(parameter)),
        }
    }

    /// Renames the property with the name of a parameter if its values are of another kind.
    fn rename_property(&mut self, fields: &mut FieldList, parameter: &Field, location: &str) {
        let name = &*parameter.name;
        if fields.get(name).is_some_and(|it| !is_compatible(&it.ty, &parameter.ty)) {
            let renamed = fields.rename(name, &format!("{name}_details"));
            self.warn(renaming(name, &renamed, &format!("a {location} parameter has")));
        }
    }

    /// Returns the completed fields of an object: those of parameters, and those of properties. Attributes whose names Terraform
    /// reserves are renamed: `count` of a server is `server_count`.
    fn finish(&mut self, mut fields: FieldList, properties: FieldList, name: &str) -> Vec<Field> {
        properties.into_vec().into_iter().for_each(|it| drop(fields.add(it)));
        let word = name.rsplit('_').next().unwrap_or_default();
        for reserved in RESERVED.iter().filter(|it| fields.get(it).is_some()).collect::<Vec<_>>() {
            let renamed = fields.rename(reserved, &format!("{word}_{reserved}"));
            self.warn(renaming(reserved, &renamed, "Terraform reserves"));
        }
        let mut fields = fields.into_vec();
        finish(&mut fields, &mut |it| self.types.warnings.extend([it]));
        fields
    }

    /// Returns the schema of the body of a request.
    fn request(&self, operation: &'d Value) -> Option<&'d Value> {
        let body = self.types.schemas.document.resolve(operation.get("requestBody")?).1;
        self.content(body)
    }

    /// Returns the schema of the body of a successful response.
    fn response(&self, operation: &'d Value) -> Option<&'d Value> {
        let responses = operation.get("responses")?;
        let content = |it| self.content(self.types.schemas.document.resolve(responses.get(it)?).1);
        // Next to a successful response, the default one describes errors.
        let is_success = responses.as_object()?.keys().any(|it| it.starts_with('2'));
        let codes: &[&str] = if is_success { &["200", "201", "2XX"] } else { &["default"] };
        codes.iter().find_map(|it| content(*it))
    }

    /// Returns the schema of a body in JSON, or else of a form. An object that only contains the actual object is skipped.
    fn content(&self, body: &'d Value) -> Option<&'d Value> {
        let content = body.get("content")?.as_object()?;
        let media_type = |part: &str| content.iter().find(|(name, _)| name.contains(part));
        let body = ["json", "form-urlencoded", "form-data"].into_iter().find_map(media_type)?.1;
        let schema = body.get("schema")?;
        let schemas = self.types.schemas;
        let properties = schemas.properties(schema);
        let only = properties.values().next().filter(|_| properties.len() == 1);
        Some(only.filter(|it| !schemas.properties(it).is_empty()).unwrap_or(&schema))
    }
}

/// Makes an attribute write-only. A set cannot be write-only, nor can an object whose attributes are stored. A required
/// attribute needs a type with a default value.
fn write_only(field: &mut Field) {
    field.is_write_only = true;
    if field.ty.has_models() {
        field.ty = Type::Scalar("Json");
        (field.form, field.min_items, field.max_items) = (Form::Attribute, 0, 0);
    }
    match &mut field.ty {
        Type::Collection(collection @ Collection::Set, _) => *collection = Collection::List,
        Type::Enum(_) if field.mode == Mode::Required => open_enum(field),
        Type::Scalar(name @ ("Json" | "Ipv4Addr" | "Ipv6Addr")) if field.mode == Mode::Required => {
            *name = "String"
        }
        _ => {}
    }
}

/// Returns the location of a parameter that is not in a path.
fn location(parameter: &Value) -> &str {
    string(parameter, "in").unwrap_or("query")
}

/// Returns the warning about a property whose attribute has the name of another one.
fn duplicate(second: &Field) -> String {
    format!("two properties have the attribute name {}; only the first one is generated", second.name)
}

/// Returns the warning for a property whose attribute has another name.
fn renaming(property: &str, attribute: &str, reason: &str) -> String {
    format!("the property {property} becomes the attribute {attribute}, because {reason} the name {property}")
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
            data source cloud_disk: two properties have the attribute name size_gb; only the first one is generated
            data source cloud_disk: the property owner becomes the attribute owner_details, because a path parameter has the name owner
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
