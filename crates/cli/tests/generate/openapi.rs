//! The generated code and the warnings for constructs in OpenAPI documents.

use std::fs;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::run;

/// Generates code for the paths of a document, and compares the struct with this name and the warnings.
pub(crate) fn check(document: &Value, name: &str, expected: &Expect) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("api.json");
    fs::write(&file, document.to_string()).unwrap();
    let output = run(&["generate", "--from", "openapi", file.to_str().unwrap()]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let item =
        |it: &&str| it.lines().any(|line| line.contains(&format!(" {name} {{")) && line.starts_with("pub"));
    let items: Vec<&str> = output.stdout.split("\n\n").filter(item).collect();
    expected.assert_eq(&format!("{}\n\n{}", items.join("\n\n"), output.stderr));
}

fn body(schema: Value) -> Value {
    json!({ "content": { "application/json": { "schema": schema } } })
}

/// A document with a resource that is created with a request and returned as a response.
pub(crate) fn resource(request: Value, response: Value) -> Value {
    json!({
        "openapi": "3.0.0",
        "info": { "title": "Cloud" },
        "paths": {
            "/notes": { "post": { "requestBody": body(request) } },
            "/notes/{note}": { "get": { "responses": { "200": body(response) } }, "delete": {} },
        },
    })
}

/// A document with a resource whose request and response have these properties.
pub(crate) fn with_properties(properties: Value) -> Value {
    let schema = json!({ "type": "object", "properties": properties });
    resource(schema.clone(), schema)
}

#[test]
fn path_parameters_and_properties_have_different_names() {
    let note = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    let document = json!({
        "openapi": "3.0.0",
        "info": { "title": "Cloud" },
        "paths": { "/folders/{id}/notes/{note_id}": { "get": { "responses": { "200": body(note) } } } },
    });
    check(
        &document,
        "NoteData",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteData {
            pub folder_id: String,
            pub id: String,
        }

        warning: cloud_note: the parameter id in /folders/{id}/notes/{note_id} becomes the attribute folder_id, because the object or another parameter also has the name id
    "#]],
    );
}

#[test]
fn enum_contains_each_value_once() {
    let document = with_properties(json!({
        "order": { "type": "string", "enum": ["by-date", "by_date", "by-date", "self"], "default": "by_date" },
    }));
    check(
        &document,
        "NoteOrder",
        &expect![[r##"
        #[derive(Attr, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum NoteOrder {
            #[attr(rename = "by-date")]
            ByDate,
            #[attr(rename = "by_date")]
            ByDate2,
            #[attr(rename = "self")]
            Itself,
        }

    "##]],
    );
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace, default = NoteOrder::ByDate2)]
            pub order: NoteOrder,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "#]],
    );
}

#[test]
fn read_only_property_of_alternative_makes_attribute_mixed() {
    let file = json!({ "type": "object", "title": "file", "properties": { "size": { "type": "integer", "readOnly": true } } });
    let source = json!({ "oneOf": [file, { "type": "string" }] });
    let properties = json!({ "source": source, "more": { "type": "array", "items": source } });
    let schema = json!({ "type": "object", "properties": properties, "required": ["source", "more"] });
    check(
        &resource(schema.clone(), schema),
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(mixed, requires_replace)]
            pub more: Vec<NoteMore>,
            #[attr(mixed, requires_replace)]
            pub source: NoteSource,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "#]],
    );
}

#[test]
fn names_and_descriptions_with_unusual_characters_are_valid() {
    let document = with_properties(json!({
        "_": { "type": "string" },
        "__": { "type": "string", "description": "Right \u{202e}to left" },
    }));
    check(
        &document,
        "Note",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(optional, computed, requires_replace, use_state_for_unknown, rename = "_")]
            pub __: Option<String>,
            #[doc = "Right \u{202e}to left"]
            #[attr(optional, computed, requires_replace, use_state_for_unknown, rename = "__")]
            pub ___: Option<String>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "##]],
    );
}

#[test]
fn required_headers_cookies_and_forms_become_attributes() {
    let parameter = |location: &str, name: &str, required: bool| json!({ "name": name, "in": location, "required": required, "schema": { "type": "string" } });
    let header = |name: &str, required: bool| parameter("header", name, required);
    let mut document = with_properties(json!({ "id": { "type": "string", "readOnly": true } }));
    let post = &mut document["paths"]["/notes"]["post"];
    post["parameters"] = json!([
        header("X-Tenant", true),
        header("X-Request-Id", false),
        header("authorization", true),
        parameter("cookie", "region", true),
        parameter("cookie", "theme", false),
    ]);
    let form = json!({ "schema": { "type": "object", "properties": { "title": { "type": "string" } } } });
    post["requestBody"] = json!({ "content": { "application/x-www-form-urlencoded": form } });
    check(
        &document,
        "Note",
        &expect![[r#"
            #[derive(Model, Clone, Debug, PartialEq)]
            pub struct Note {
                #[attr(requires_replace)]
                pub x_tenant: String,
                #[attr(requires_replace)]
                pub region: String,
                #[attr(requires_replace)]
                pub title: Option<String>,
                #[attr(computed, use_state_for_unknown)]
                pub id: String,
            }

        "#]],
    );
}

#[test]
fn query_parameters_become_attributes() {
    let query = |name: &str, required: bool| json!({ "name": name, "in": "query", "required": required, "schema": { "type": "string" } });
    let mut document = with_properties(
        json!({ "id": { "type": "string", "readOnly": true }, "text": { "type": "string" } }),
    );
    let paths = &mut document["paths"];
    paths["/notes"]["parameters"] = json!([query("project", true)]);
    paths["/notes"]["post"]["parameters"] = json!([query("validate-only", false), query("text", true)]);
    paths["/notes/{note}"]["get"]["parameters"] = json!([query("project", false), query("fields", false)]);
    paths["/notes/{note}"]["delete"]["parameters"] = json!([query("reason", true), query("force", false)]);
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace)]
            pub project: String,
            #[attr(requires_replace)]
            pub reason: String,
            #[attr(requires_replace)]
            pub text: String,
            #[attr(requires_replace)]
            pub validate_only: Option<String>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "#]],
    );
    check(
        &document,
        "NoteData",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteData {
            pub id: String,
            pub project: Option<String>,
            pub fields: Option<String>,
            #[attr(computed)]
            pub text: Option<String>,
        }

    "#]],
    );
}

#[test]
fn property_with_another_type_than_the_parameter_with_its_name_is_renamed() {
    let strings = || json!({ "type": "array", "items": { "type": "string" } });
    let note = json!({ "type": "object", "properties": {
        "id": { "type": "integer" },
        "team": strings(),
        "note": { "type": "object", "additionalProperties": { "type": "string" } },
        "zone": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
        "tags": strings(),
        "state": { "type": "string" },
    } });
    let mut document = resource(note.clone(), note);
    let query = |name: &str, schema: Value| json!({ "name": name, "in": "query", "required": true, "schema": schema });
    let string = json!({ "type": "string" });
    let paths = document["paths"].as_object_mut().unwrap();
    let [mut collection, mut item] = ["/notes", "/notes/{note}"].map(|it| paths.remove(it).unwrap());
    let parameters = json!([query("zone", string), query("tags", strings()), query("state", strings())]);
    collection["post"]["parameters"] = parameters;
    item["parameters"] = json!([{ "name": "note", "in": "path", "schema": { "type": "string" } }]);
    paths.insert("/teams/{team}/notes".to_owned(), collection);
    paths.insert("/teams/{team}/notes/{note}".to_owned(), item);
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace)]
            pub team: String,
            #[attr(requires_replace)]
            pub zone: String,
            #[attr(requires_replace)]
            pub state: Vec<String>,
            #[attr(requires_replace)]
            pub tags: Vec<String>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub id: Option<i64>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub note_details: Option<BTreeMap<String, String>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub state_details: Option<String>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub team_details: Option<Vec<String>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub zone_details: Option<NoteZoneDetails>,
            #[attr(computed)]
            pub note: Option<String>,
        }

        warning: resource cloud_note: the property team becomes the attribute team_details, because a path parameter has the name team
        warning: resource cloud_note: the property zone becomes the attribute zone_details, because a query parameter has the name zone
        warning: resource cloud_note: the property state becomes the attribute state_details, because a query parameter has the name state
        warning: resource cloud_note: the property note becomes the attribute note_details, because a path parameter has the name note
        warning: data source cloud_note: the property team becomes the attribute team_details, because a path parameter has the name team
        warning: data source cloud_note: the property note becomes the attribute note_details, because a path parameter has the name note
    "#]],
    );
    check(
        &document,
        "NoteData",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteData {
            pub team: String,
            pub note: String,
            #[attr(computed)]
            pub id: Option<i64>,
            #[attr(computed)]
            pub note_details: Option<BTreeMap<String, String>>,
            #[attr(computed)]
            pub state: Option<String>,
            #[attr(computed)]
            pub tags: Option<Vec<String>>,
            #[attr(computed)]
            pub team_details: Option<Vec<String>>,
            #[attr(computed)]
            pub zone: Option<Json>,
        }

        warning: resource cloud_note: the property team becomes the attribute team_details, because a path parameter has the name team
        warning: resource cloud_note: the property zone becomes the attribute zone_details, because a query parameter has the name zone
        warning: resource cloud_note: the property state becomes the attribute state_details, because a query parameter has the name state
        warning: resource cloud_note: the property note becomes the attribute note_details, because a path parameter has the name note
        warning: data source cloud_note: the property team becomes the attribute team_details, because a path parameter has the name team
        warning: data source cloud_note: the property note becomes the attribute note_details, because a path parameter has the name note
    "#]],
    );
}

#[test]
fn different_types_in_request_and_response_are_two_attributes() {
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let string = || json!({ "type": "string" });
    let integer = || json!({ "type": "integer" });
    let disk = object(json!({ "size": integer(), "zone": string() }));
    let returned_disk =
        object(json!({ "size": integer(), "zone": object(json!({ "name": string() })), "device": string() }));
    let request = object(json!({
        "image": string(),
        "disks": { "type": "array", "items": disk },
        "address": { "type": "string", "format": "ipv4" },
    }));
    let response = object(json!({
        "image": object(json!({ "name": string() })),
        "disks": { "type": "array", "items": returned_disk },
        "address": string(),
    }));
    let document = resource(request, response);
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub address: Option<Ipv4Addr>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub disks: Option<Vec<NoteDisks>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub image: Option<String>,
            #[attr(computed)]
            pub image_details: Option<NoteImageDetails>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

        warning: resource cloud_note: property zone: string in the request, but object in the response; the attribute zone_details contains the value in the response
        warning: resource cloud_note: property image: string in the request, but object in the response; the attribute image_details contains the value in the response
    "#]],
    );
    check(
        &document,
        "NoteDisks",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteDisks {
            pub size: Option<i64>,
            pub zone: Option<String>,
            #[attr(computed)]
            pub device: Option<String>,
            #[attr(computed)]
            pub zone_details: Option<NoteZoneDetails>,
        }

        warning: resource cloud_note: property zone: string in the request, but object in the response; the attribute zone_details contains the value in the response
        warning: resource cloud_note: property image: string in the request, but object in the response; the attribute image_details contains the value in the response
    "#]],
    );
}

#[test]
fn properties_of_one_operation_become_attributes_with_a_warning() {
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let string = || json!({ "type": "string" });
    let boolean = || json!({ "type": "boolean" });
    let keys = |properties: Value| json!({ "type": "array", "items": object(properties) });
    let request = object(json!({
        "title": string(),
        "pin": string(),
        "keys": keys(json!({ "name": string() })),
    }));
    let response = object(json!({
        "id": string(),
        "title": string(),
        "keys": keys(json!({ "name": string() })),
        "links": object(json!({ "html": string() })),
        "archived": boolean(),
    }));
    let created = object(json!({
        "id": string(),
        "secret_value": string(),
        "pin": string(),
        "keys": keys(json!({ "name": string(), "value": string() })),
        "links": object(json!({ "html": string(), "setup": string() })),
    }));
    let updated = json!({ "type": "object", "required": ["enabled"], "properties": {
        "id": string(),
        "title": string(),
        "enabled": boolean(),
        "archived": boolean(),
        "reason": { "type": "string", "writeOnly": true },
        "version": { "type": "integer", "readOnly": true },
        "keys": keys(json!({ "name": string(), "label": string() })),
    } });
    let error = object(json!({ "message": string() }));
    let mut document = resource(request, response);
    document["paths"]["/notes"]["post"]["responses"] =
        json!({ "200": {}, "201": body(created), "default": body(error) });
    document["paths"]["/notes/{note}"]["patch"] = json!({ "requestBody": body(updated) });
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            pub enabled: Option<bool>,
            #[attr(write_only)]
            pub reason: Option<String>,
            #[attr(optional, computed)]
            pub keys: Option<Vec<NoteKeys>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub pin: Option<String>,
            #[attr(optional, computed)]
            pub title: Option<String>,
            #[attr(optional, computed)]
            pub archived: Option<bool>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
            #[attr(computed)]
            pub links: Option<NoteLinks>,
            #[attr(computed, use_state_for_unknown)]
            pub secret_value: Option<String>,
        }

        warning: resource cloud_note: property archived: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property enabled: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property label: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property reason: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property pin: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property secret_value: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property value: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property setup: only the response of POST /notes contains it, so `read` must return the value in the state
    "#]],
    );
    check(
        &document,
        "NoteKeys",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteKeys {
            pub name: Option<String>,
            pub label: Option<String>,
            #[attr(computed)]
            pub value: Option<String>,
        }

        warning: resource cloud_note: property archived: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property enabled: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property label: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property reason: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property pin: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property secret_value: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property value: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property setup: only the response of POST /notes contains it, so `read` must return the value in the state
    "#]],
    );
    check(
        &document,
        "NoteLinks",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteLinks {
            #[attr(computed)]
            pub html: Option<String>,
            #[attr(computed)]
            pub setup: Option<String>,
        }

        warning: resource cloud_note: property archived: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property enabled: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property label: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property reason: only PATCH /notes/{note} accepts it, so `create` must send this request as well
        warning: resource cloud_note: property pin: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property secret_value: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property value: only the response of POST /notes contains it, so `read` must return the value in the state
        warning: resource cloud_note: property setup: only the response of POST /notes contains it, so `read` must return the value in the state
    "#]],
    );
}

#[test]
fn defaults_secrets_and_values_of_responses_are_modeled() {
    let mut request = json!({ "type": "object", "required": ["arch", "api_token"], "properties": {
        "arch": { "type": "string", "default": "arm" },
        "api_token": { "type": "string" },
        "password_policy": { "type": "string" },
        "old": { "type": "string", "deprecated": true },
    } });
    let mut response = request.clone();
    response["properties"]["status"] =
        json!({ "type": "string", "enum": ["on", "off"], "description": "The status." });
    request["properties"]["key"] = json!({ "type": "string", "enum": ["a"], "writeOnly": true });
    request["required"] = json!(["arch", "api_token", "key"]);
    check(
        &resource(request, response),
        "Note",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(sensitive, requires_replace)]
            pub api_token: String,
            #[attr(write_only, validate = validators::one_of(["a"]))]
            pub key: String,
            #[attr(requires_replace, default = "arm")]
            pub arch: String,
            #[attr(optional, computed, requires_replace, deprecated, use_state_for_unknown)]
            pub old: Option<String>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub password_policy: Option<String>,
            /// The status.
            ///
            /// Known values: `on`, `off`.
            #[attr(computed)]
            pub status: Option<String>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

        warning: cloud_note: property api_token: marked as sensitive, because the name indicates a secret
    "##]],
    );
}

#[test]
fn schema_inside_its_own_parts_is_json() {
    let tree = json!({ "$ref": "#/components/schemas/Tree" });
    let other = json!({ "type": "object", "properties": { "size": { "type": "integer" } } });
    let mut document = with_properties(json!({ "tree": tree, "name": { "type": "string" } }));
    document["components"]["schemas"]["Tree"] = json!({ "type": "object", "properties": {
        "only": { "allOf": [tree], "nullable": true },
        "both": { "allOf": [tree, other] },
        "alternative": { "properties": { "name": { "type": "string" } }, "anyOf": [tree] },
    } });
    check(
        &document,
        "NoteTree",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteTree {
            pub alternative: Option<NoteAlternative>,
            pub both: Option<NoteTreeBoth>,
            pub only: Option<Json>,
        }

    "#]],
    );
}

#[test]
fn failed_generation_leaves_no_files() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("api.json");
    let path = format!("/{}/{{id}}", "x".repeat(300));
    let document =
        json!({ "openapi": "3.0.0", "info": { "title": "Cloud" }, "paths": { path: { "get": {} } } });
    fs::write(&file, document.to_string()).unwrap();
    for out in ["new", "empty"] {
        let out = directory.path().join(out);
        if out.ends_with("empty") {
            fs::create_dir(&out).unwrap();
        }
        let output =
            run(&["generate", "--from", "openapi", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert_eq!(output.code, 1);
        assert!(output.stderr.contains("/src/xxx"), "{}", output.stderr);
    }
    let mut names: Vec<_> = fs::read_dir(directory.path())
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["api.json", "empty"]);
    assert_eq!(fs::read_dir(directory.path().join("empty")).unwrap().count(), 0);
}
