//! The generated code for enums, defaults and null in OpenAPI documents.

use expect_test::expect;
use serde_json::{Value, json};

use crate::openapi::{check, resource, with_properties};

#[test]
fn enum_accepts_values_of_requests_and_can_contain_those_of_responses() {
    let kind = |values: &[&str]| json!({ "type": "string", "enum": values });
    let schema = |values: &[&str], subset: &[&str], zone: Value| {
        let disk = json!({ "type": "object", "properties": {
            "kind": kind(values),
            "status": { "type": "string", "enum": values, "readOnly": true },
        } });
        json!({ "type": "object", "required": ["size"], "properties": {
            "size": { "type": "string", "enum": values, "default": "small" },
            "sizes": { "type": "array", "items": kind(values), "default": ["small"] },
            "by_name": { "type": "object", "additionalProperties": { "type": "array", "items": kind(values) } },
            "disk": disk,
            "source": { "oneOf": [disk, { "type": "string" }] },
            "class": kind(subset),
            "zone": zone,
            "unknown": { "type": "string", "enum": values, "default": "other" },
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
                #[attr(optional, computed, requires_replace, use_state_for_unknown)]
                pub source: Option<NoteSource>,
                #[attr(
                    optional,
                    computed,
                    requires_replace,
                    validate = validators::one_of(["small", "large"]),
                    use_state_for_unknown
                )]
                pub unknown: Option<String>,
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

            warning: cloud_note: property unknown: the default "other" is ignored, because it is not supported
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
                /// Known values: `small`, `large`, `huge`.
                #[attr(computed)]
                pub status: Option<String>,
            }

            warning: cloud_note: property unknown: the default "other" is ignored, because it is not supported
        "##]],
    );
    check(
        &document,
        "NoteVariant1",
        &expect![[r##"
            #[derive(Model, Clone, Debug, PartialEq)]
            pub struct NoteVariant1 {
                #[attr(validate = validators::one_of(["small", "large"]))]
                pub kind: Option<String>,
                /// Known values: `small`, `large`.
                #[attr(computed)]
                pub status: Option<String>,
            }

            warning: cloud_note: property unknown: the default "other" is ignored, because it is not supported
        "##]],
    );
}

#[test]
fn alternatives_with_known_strings_are_one_enum() {
    let kind = |values: &[&str]| json!({ "type": "string", "enum": values });
    let alternatives = json!([kind(&["a"]), { "const": "b" }, kind(&["a", "c"]), { "type": "null" }]);
    let document =
        with_properties(json!({ "kind": { "oneOf": alternatives, "default": "b" }, "name": kind(&["x"]) }));
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(requires_replace, default = NoteKind::B)]
            pub kind: NoteKind,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub name: Option<NoteName>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "#]],
    );
    check(
        &document,
        "NoteKind",
        &expect![[r#"
        #[derive(Attr, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum NoteKind {
            A,
            B,
            C,
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
            /// Known values: `a`, `b`, `c`.
            #[attr(computed)]
            pub kind: Option<String>,
            /// Known values: `x`.
            #[attr(computed)]
            pub name: Option<String>,
        }

    "#]],
    );
}

#[test]
fn enum_of_query_parameter_can_contain_other_values_of_responses() {
    let kind = |values: &[&str]| json!({ "type": "string", "enum": values });
    let read_only = |values: &[&str]| json!({ "type": "string", "enum": values, "readOnly": true });
    let mut document = with_properties(json!({ "kind": read_only(&["a", "b"]), "order": read_only(&["a"]) }));
    let query = |name: &str| json!({ "name": name, "in": "query", "schema": kind(&["a", "c"]) });
    let parameters = json!([query("kind"), query("order")]);
    document["paths"]["/notes/{note}"]["get"]["parameters"] = parameters.clone();
    document["paths"]["/notes"]["post"]["parameters"] = parameters;
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
                validate = validators::one_of(["a", "c"]),
                use_state_for_unknown
            )]
            pub kind: Option<String>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub order: Option<Order>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

    "##]],
    );
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
                pub order: Option<Order>,
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
fn limits_that_no_value_satisfies_are_ignored_with_a_warning() {
    let document = with_properties(json!({
        "integer": { "type": "integer", "minimum": 5, "maximum": 1 },
        "exclusive": { "type": "integer", "exclusiveMinimum": 5, "maximum": 5 },
        "small": { "type": "integer", "format": "int32", "minimum": 3_000_000_000_i64 },
        "number": { "type": "number", "minimum": 5, "maximum": 1 },
        "string": { "type": "string", "minLength": 5, "maxLength": 1 },
        "list": { "type": "array", "items": { "type": "string" }, "minItems": 5, "maxItems": 1 },
        "equal": { "type": "integer", "minimum": 5, "maximum": 5 },
        "signed": { "type": "integer", "format": "uint32", "minimum": -1, "maximum": 5 },
    }));
    check(
        &document,
        "Note",
        &expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct Note {
            #[attr(
                optional,
                computed,
                requires_replace,
                validate = validators::between(5, 5),
                use_state_for_unknown
            )]
            pub equal: Option<i64>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub exclusive: Option<i64>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub integer: Option<i64>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub list: Option<Vec<String>>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub number: Option<f64>,
            #[attr(
                optional,
                computed,
                requires_replace,
                validate = validators::at_most(5),
                use_state_for_unknown
            )]
            pub signed: Option<u32>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub small: Option<i32>,
            #[attr(optional, computed, requires_replace, use_state_for_unknown)]
            pub string: Option<String>,
            #[attr(computed, use_state_for_unknown)]
            pub id: String,
        }

        warning: cloud_note: property exclusive: the minimum value 6 and the maximum value 5 are ignored, because no value satisfies both
        warning: cloud_note: property integer: the minimum value 5 and the maximum value 1 are ignored, because no value satisfies both
        warning: cloud_note: property list: the minimum number of elements 5 and the maximum number of elements 1 are ignored, because no value satisfies both
        warning: cloud_note: property number: the minimum value 5.0 and the maximum value 1.0 are ignored, because no value satisfies both
        warning: cloud_note: property small: the minimum value 3000000000 and the maximum value 2147483647 are ignored, because no value satisfies both
        warning: cloud_note: property string: the minimum length 5 and the maximum length 1 are ignored, because no value satisfies both
    "#]],
    );
}
