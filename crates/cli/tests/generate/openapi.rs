//! The generated code and the warnings for constructs in OpenAPI documents.

use std::fs;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::run;

/// Generates code for the paths of a document, and compares the struct with this name and the warnings.
fn check(document: &Value, name: &str, expected: &Expect) {
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
fn resource(request: Value, response: Value) -> Value {
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
fn with_properties(properties: Value) -> Value {
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
fn required_headers_and_forms_become_attributes() {
    let header = |name: &str, required: bool| json!({ "name": name, "in": "header", "required": required, "schema": { "type": "string" } });
    let mut document = with_properties(json!({ "id": { "type": "string", "readOnly": true } }));
    let post = &mut document["paths"]["/notes"]["post"];
    post["parameters"] =
        json!([header("X-Tenant", true), header("X-Request-Id", false), header("authorization", true)]);
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
fn enum_accepts_values_of_requests_and_can_contain_those_of_responses() {
    let kind = |values: &[&str]| json!({ "type": "string", "enum": values });
    let schema = |values: &[&str], subset: &[&str], zone: Value| {
        let disk = json!({ "type": "object", "properties": { "kind": kind(values) } });
        json!({ "type": "object", "required": ["size"], "properties": {
            "size": { "type": "string", "enum": values, "default": "small" },
            "sizes": { "type": "array", "items": kind(values), "default": ["small"] },
            "by_name": { "type": "object", "additionalProperties": { "type": "array", "items": kind(values) } },
            "disk": disk,
            "class": kind(subset),
            "zone": zone,
        } })
    };
    let request = schema(&["small", "large"], &["a", "b"], kind(&["eu", "us"]));
    let response = schema(&["small", "large", "huge"], &["a"], json!({ "type": "string" }));
    let document = resource(request, response);
    check(
        &document,
        "Note",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace, default = "small", validate = validators::one_of(["small", "large"]))]
            pub size: String,
            #[attr(
                requires_replace,
                default = vec!["small".to_owned()],
                validate = validators::each(validators::one_of(["small", "large"]))
            )]
            pub sizes: Vec<String>,
            #[attr(
                optional,
                computed,
                requires_replace,
                validate = validators::each(validators::each(validators::one_of(["small", "large"]))),
                use_state_for_unknown
            )]
            pub by_name: Option<BTreeMap<String, Vec<String>>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub class: Option<NoteClass>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub disk: Option<NoteDisk>,
            #[attr(
                optional,
                computed,
                requires_replace,
                validate = validators::one_of(["eu", "us"]),
                use_state_for_unknown
            )]
            pub zone: Option<String>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "##]],
    );
    check(
        &document,
        "NoteDisk",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteDisk {
            #[attr(validate = validators::one_of(["small", "large"]))]
            pub kind: Option<String>,
        }

    "##]],
    );
}

#[test]
fn enum_of_query_parameter_can_contain_other_values_of_responses() {
    let kind = |values: &[&str]| json!({ "type": "string", "enum": values });
    let mut document = with_properties(json!({ "kind": kind(&["a", "b"]), "order": kind(&["a"]) }));
    let query = |name: &str| json!({ "name": name, "in": "query", "schema": kind(&["a", "c"]) });
    document["paths"]["/notes/{note}"]["get"]["parameters"] = json!([query("kind"), query("order")]);
    check(
        &document,
        "NoteData",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteData {
            pub note: String,
            #[attr(optional, computed, validate = validators::one_of(["a", "c"]))]
            pub kind: Option<String>,
            #[attr(optional, computed)]
            pub order: Option<NoteDataOrder>,
        }

    "##]],
    );
}

#[test]
fn required_properties_with_defaults_are_optional() {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let disk = json!({
        "type": "object",
        "required": ["size"],
        "properties": {
            "size": { "type": "integer", "default": 8 },
            "fileSystem": { "type": "string", "enum": ["ext4", "xfs"] },
            "zone": { "type": "string" },
        },
    });
    let with = |schema: &Value, default: Value| {
        let mut schema = schema.clone();
        schema["default"] = default;
        schema
    };
    let properties = json!({
        "empty": with(&strings, json!([])),
        "labels": with(&strings, json!(["a", "b\n"])),
        "ports": { "type": "array", "uniqueItems": true, "items": { "type": "integer" }, "default": [80, 443] },
        "weights": { "type": "array", "uniqueItems": true, "items": { "type": "number" }, "default": [1] },
        "tags": { "type": "object", "additionalProperties": { "type": "string" }, "default": {} },
        "limits": { "type": "object", "additionalProperties": { "type": "integer" }, "default": { "a": 1 } },
        "boot": with(&disk, json!({ "fileSystem": "xfs" })),
        "disks": { "type": "array", "items": disk, "default": [{ "size": 2, "zone": null }] },
        "options": { "type": "object", "default": { "a": [1] } },
        "optional": { "type": "array", "items": { "type": "string", "nullable": true }, "default": ["a", null] },
        "wrong": with(&strings, json!([1])),
        "address": { "type": "string", "format": "ipv4", "default": "10.0.0.1" },
        "secret": { "type": "array", "items": { "type": "string" }, "writeOnly": true, "default": [] },
    });
    let mut required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    required.retain(|it| *it != "optional");
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    check(
        &resource(schema.clone(), schema),
        "Note",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace)]
            pub address: Ipv4Addr,
            #[attr(write_only, sensitive)]
            pub secret: Vec<String>,
            #[attr(requires_replace)]
            pub wrong: Vec<String>,
            #[attr(
                requires_replace,
                default = NoteBoot { file_system: Some(NoteFileSystem::Xfs), size: 8, zone: None }
            )]
            pub boot: NoteBoot,
            #[attr(requires_replace, default = vec![NoteDisks { file_system: None, size: 2, zone: None }])]
            pub disks: Vec<NoteDisks>,
            #[attr(requires_replace, default = vec![])]
            pub empty: Vec<String>,
            #[attr(requires_replace, default = vec!["a".to_owned(), "b\n".to_owned()])]
            pub labels: Vec<String>,
            #[attr(requires_replace, default = BTreeMap::from([("a".to_owned(), 1)]))]
            pub limits: BTreeMap<String, i64>,
            #[attr(requires_replace, default = vec![Some("a".to_owned()), None])]
            pub optional: Vec<Option<String>>,
            #[attr(requires_replace, default_with = || Json::new("{\"a\":[1]}").map(Some))]
            pub options: Json,
            #[attr(requires_replace, default = BTreeSet::from([80, 443]))]
            pub ports: BTreeSet<i64>,
            #[attr(requires_replace, default = BTreeMap::from([]))]
            pub tags: BTreeMap<String, String>,
            #[attr(requires_replace, default = Set::from([1.0]))]
            pub weights: Set<f64>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

        warning: cloud_note: property address: the default "10.0.0.1" is ignored, because it is not supported
        warning: cloud_note: property secret: marked as sensitive, because the name indicates a secret
        warning: cloud_note: property secret: the default [] is ignored, because it is not supported
        warning: cloud_note: property wrong: the default [1] is ignored, because it is not supported
    "##]],
    );
}

#[test]
fn default_of_object_with_other_properties_in_the_response_is_reported() {
    let disk = |properties: Value| json!({ "type": "object", "default": {}, "properties": properties });
    let note = |disk: Value| {
        let properties = json!({ "disk": disk, "name": { "type": "string" } });
        json!({ "type": "object", "properties": properties, "required": ["disk"] })
    };
    let size = json!({ "type": "integer" });
    let request = note(disk(json!({ "size": size })));
    let response = note(disk(json!({ "size": size, "device": { "type": "string" } })));
    check(
        &resource(request, response),
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(mixed, requires_replace)]
            pub disk: NoteDisk,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub name: Option<String>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

        warning: cloud_note: property disk: the default {} is ignored, because it is not supported
    "#]],
    );
}

#[test]
fn elements_that_can_be_null_are_options() {
    let disk = json!({ "type": "object", "nullable": true, "properties": { "size": { "type": "integer" } } });
    let document = with_properties(json!({
        "old": { "type": "array", "items": { "type": "string", "nullable": true } },
        "new": { "type": "array", "uniqueItems": true, "items": { "type": ["string", "null"] } },
        "map": { "type": "object", "additionalProperties": { "oneOf": [{ "type": "integer" }, { "type": "null" }] } },
        "kinds": { "type": "array", "items": { "enum": ["a", null] } },
        "disks": { "type": "array", "items": disk },
        "lists": { "type": "array", "items": { "type": ["array", "null"], "items": { "type": ["boolean", "null"] } } },
    }));
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub disks: Option<Vec<Option<NoteDisks>>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub kinds: Option<Vec<Option<NoteKinds>>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub lists: Option<Vec<Option<Vec<Option<bool>>>>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub map: Option<BTreeMap<String, Option<i64>>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub new: Option<BTreeSet<Option<String>>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub old: Option<Vec<Option<String>>>,
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
            pub note: String,
            #[attr(computed)]
            pub disks: Option<Vec<Option<NoteDataDisks>>>,
            /// Known values: `a`.
            #[attr(computed)]
            pub kinds: Option<Vec<Option<String>>>,
            #[attr(computed)]
            pub lists: Option<Vec<Option<Vec<Option<bool>>>>>,
            #[attr(computed)]
            pub map: Option<BTreeMap<String, Option<i64>>>,
            #[attr(computed)]
            pub new: Option<BTreeSet<Option<String>>>,
            #[attr(computed)]
            pub old: Option<Vec<Option<String>>>,
        }

    "#]],
    );
}

#[test]
fn null_element_of_response_can_be_read_but_not_configured() {
    let array = |nullable: bool, values: &[&str]| {
        let items = json!({ "type": "string", "enum": values, "nullable": nullable });
        let properties = json!({ "kinds": { "type": "array", "items": items } });
        json!({ "type": "object", "properties": properties })
    };
    let document = resource(array(false, &["a"]), array(true, &["a", "b"]));
    check(
        &document,
        "Note",
        &expect![[r##"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(
                optional,
                computed,
                requires_replace,
                validate = validators::no_null_values(),
                validate = validators::each(validators::one_of(["a".to_owned()])),
                use_state_for_unknown
            )]
            pub kinds: Option<Vec<Option<String>>>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "##]],
    );
}

#[test]
fn required_properties_that_can_be_null_are_optional() {
    let string = || json!({ "type": "string" });
    let reference = || json!({ "$ref": "#/components/schemas/Zone" });
    let properties = json!({
        "keyword": { "type": "string", "nullable": true },
        "type_list": { "type": ["string", "null"] },
        "one_of": { "oneOf": [string(), { "type": "null" }] },
        "any_of": { "anyOf": [{ "type": "string", "minLength": 3, "format": "password" }, { "const": null }] },
        "union": { "oneOf": [string(), { "type": "integer" }, { "enum": [null] }] },
        "sibling": { "$ref": "#/components/schemas/Zone", "nullable": true, "description": "The zone." },
        "all_of": { "allOf": [reference()], "nullable": true },
        "reference": { "oneOf": [reference(), { "$ref": "#/components/schemas/Null" }] },
        "null_default": { "type": "string", "nullable": true, "default": null },
        "nested": { "type": "object", "required": ["a", "b"], "properties": {
            "a": { "type": "string", "nullable": true },
            "b": string(),
        } },
        "never_null": { "type": "string", "enum": ["null"] },
    });
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let mut document = resource(schema.clone(), schema);
    document["components"]["schemas"] = json!({
        "Zone": { "type": "object", "required": ["name"], "properties": { "name": string() } },
        "Null": { "type": "null" },
    });
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace)]
            pub nested: NoteNested,
            #[attr(requires_replace)]
            pub never_null: NoteNeverNull,
            #[attr(requires_replace)]
            pub all_of: Option<NoteAllOf>,
            #[attr(sensitive, requires_replace, validate = validators::utf8_length_at_least(3))]
            pub any_of: Option<String>,
            #[attr(requires_replace)]
            pub keyword: Option<String>,
            #[attr(requires_replace)]
            pub null_default: Option<String>,
            #[attr(requires_replace)]
            pub one_of: Option<String>,
            #[attr(requires_replace)]
            pub reference: Option<NoteReference>,
            /// The zone.
            #[attr(requires_replace)]
            pub sibling: Option<NoteSibling>,
            #[attr(requires_replace)]
            pub type_list: Option<String>,
            #[attr(requires_replace)]
            pub r#union: Option<NoteUnion>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "#]],
    );
    check(
        &document,
        "NoteNested",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteNested {
            pub b: String,
            pub a: Option<String>,
        }

    "#]],
    );
    check(
        &document,
        "NoteData",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct NoteData {
            pub note: String,
            #[attr(computed)]
            pub all_of: Option<NoteDataAllOf>,
            #[attr(computed, sensitive)]
            pub any_of: Option<String>,
            #[attr(computed)]
            pub keyword: Option<String>,
            #[attr(computed)]
            pub nested: NoteDataNested,
            /// Known values: `null`.
            #[attr(computed)]
            pub never_null: String,
            #[attr(computed)]
            pub null_default: Option<String>,
            #[attr(computed)]
            pub one_of: Option<String>,
            #[attr(computed)]
            pub reference: Option<NoteDataReference>,
            /// The zone.
            #[attr(computed)]
            pub sibling: Option<NoteDataSibling>,
            #[attr(computed)]
            pub type_list: Option<String>,
            #[attr(computed)]
            pub r#union: Option<Json>,
        }

    "#]],
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
