//! `cargo ferroform generate`: the generated code compiles, and serves the schema that it was generated from.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

mod openapi;
mod openapi_values;
mod random;
#[path = "../shared_target/mod.rs"]
mod shared_target;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_ferroform::Output;
use expect_test::{expect, expect_file};
use shared_target::{deny_warnings_of_clippy, target_directory, use_target_directory};
use tempfile::TempDir;

/// A schema with all kinds of objects, attributes and blocks.
const KINDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generate/kinds.json");
/// The schema of the example in the guide.
const NOTES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generate/notes.json");
/// An API with all kinds of schemas.
const CLOUD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generate/cloud.yaml");
/// Example configurations.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generate/example.tf.txt");
const GUIDE: &str = include_str!("../../../../docs/generate-command.md");
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn run(args: &[&str]) -> Output {
    cargo_ferroform::run(args.iter().map(OsString::from).collect(), Vec::new())
}

/// Returns the standard output of a successful command without warnings.
fn stdout(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{args:?}");
    output.stdout
}

/// Generates a crate that depends on the crates of this workspace. Returns the warnings as well.
fn create_crate(source: &str, more: &[&str]) -> (TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let output = run(&[&["generate", source, "--out", out, "--path", WORKSPACE], more].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    (directory, output.stderr)
}

/// Generates a crate without warnings.
fn generate(source: &str, more: &[&str]) -> TempDir {
    let (directory, warnings) = create_crate(source, more);
    assert_eq!(warnings, "");
    directory
}

/// Returns the code for an OpenAPI document.
fn generate_code(document: &str) -> String {
    let output = run(&["generate", "--from", "openapi", document]);
    assert_eq!(output.code, 0, "{document}: {}", output.stderr);
    output.stdout
}

/// Compiles a generated crate with the profile of this workspace.
fn cargo_build(directory: &Path, configure: impl FnOnce(&mut Command)) {
    // The versions of the dependencies are those of this workspace.
    fs::copy(format!("{WORKSPACE}/Cargo.lock"), directory.join("Cargo.lock")).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--manifest-path"]).arg(directory.join("Cargo.toml"));
    use_target_directory(&mut cargo);
    configure(cargo.env("CARGO_PROFILE_DEV_DEBUG", "false"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Checks that the code of a generated crate compiles.
fn check(directory: &Path) {
    cargo_build(directory, |_| {});
}

/// Builds the provider of a generated crate with the lints of Clippy, and returns its path.
fn build(directory: &Path, name: &str) -> PathBuf {
    cargo_build(directory, deny_warnings_of_clippy);
    target_directory().join("debug").join(name)
}

/// Checks that the program serves exactly the schema of the file.
fn check_schema(program: &Path, original: &str) {
    let args = ["schema", "--diff", original, "--fail-on", "any", program.to_str().unwrap()];
    let output = run(&args);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
}

#[test]
fn generated_provider_serves_the_original_schema() {
    let directory = generate(KINDS, &[]);
    let mut names: Vec<String> = fs::read_dir(directory.path().join("src"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected =
        ["disk.rs", "functions.rs", "lib.rs", "main.rs", "provider.rs", "server.rs", "shared.rs", "token.rs"];
    assert_eq!(names, expected);
    let provider = fs::read_to_string(directory.path().join("src/provider.rs")).unwrap();
    expect_file!["provider.rs.txt"].assert_eq(&provider);
    let format = ["--check", "--edition", "2024", "src/lib.rs", "src/main.rs"];
    let formatted = Command::new("rustfmt").args(format).current_dir(directory.path()).output().unwrap();
    assert!(formatted.status.success(), "{}", String::from_utf8_lossy(&formatted.stdout));
    check_schema(&build(directory.path(), "terraform-provider-kinds"), KINDS);
}

#[test]
fn objects_are_printed_as_one_module() {
    let code = stdout(&["generate", KINDS]);
    expect_file!["kinds.rs.txt"].assert_eq(&code);
    let disk = stdout(&["generate", "--only", "first", "--number-type", "i64", KINDS]);
    expect![[r#"
        //! The functions of the provider.

        use ferroform::{Function, Model, Parameters, Registry, RequestCx, Result};

        use crate::{Kinds, not_implemented};

        /// Registers the types of this module.
        pub(crate) fn register(registry: &mut Registry<Kinds>) {
            registry.function::<First>("first");
        }

        // The function `first`.

        /// Returns the first value.
        #[derive(Parameters, Clone, Debug)]
        #[attr(summary = "First value", deprecated = "Use an index.")]
        pub struct First {
            /// The separator.
            pub separator: Option<String>,
            #[attr(variadic)]
            pub values: Vec<String>,
        }

        impl Function for First {
            type Output = FirstResult;

            async fn call(self, _cx: &RequestCx) -> Result<FirstResult> {
                Err(not_implemented("first", "call"))
            }
        }

        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct FirstResult {
            pub index: Option<i64>,
            pub value: Option<String>,
        }
    "#]]
    .assert_eq(&disk);
}

#[test]
fn sdkv2_resources_get_the_option_upgrade_from_sdkv2() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("schema.json");
    let schema = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/example/broker": {
        "resource_schemas": {
            "broker_queue": {"version": 2, "block": {
                "attributes": {
                    "id": {"type": "string", "optional": true, "computed": true},
                    "labels": {"type": ["map", "string"], "optional": true},
                    "name": {"type": "string", "required": true}
                },
                "block_types": {"policy": {"nesting_mode": "list", "max_items": 1, "block": {
                    "attributes": {"rules": {"type": ["list", "string"], "optional": true}}
                }}}
            }},
            "broker_topic": {"version": 2, "block": {
                "attributes": {
                    "labels": {"type": ["map", ["set", "string"]], "optional": true},
                    "partitions": {"type": ["list", "number"], "computed": true},
                    "rules": {"type": ["list", ["object", {"port": "number"}]], "required": true}
                }
            }}
        }
    }}}"#;
    fs::write(&file, schema).unwrap();
    let file = file.to_str().unwrap();
    let models = |name: &str| {
        let code = stdout(&["generate", "--number-type", "i64", "--only", name, file]);
        let is_model =
            |it: &&str| it.starts_with("#[derive") || it.starts_with("#[attr") || it.contains("pub ");
        code.lines().filter(is_model).map(|it| format!("{it}\n")).collect::<String>()
    };
    expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        #[attr(version = 3, upgrade_from_sdkv2)]
        pub struct Queue {
            pub name: String,
            pub labels: Option<BTreeMap<String, String>>,
            pub id: Option<String>,
            pub policy: Vec<QueuePolicy>,
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct QueuePolicy {
            pub rules: Option<Vec<String>>,
    "#]]
    .assert_eq(&models("broker_queue"));
    expect![[r#"
        #[derive(Model, Clone, Debug, PartialEq)]
        #[attr(version = 2, oldest)]
        pub struct Topic {
            pub rules: Vec<Option<TopicRules>>,
            pub labels: Option<BTreeMap<String, Option<BTreeSet<Option<String>>>>>,
            pub partitions: Option<Vec<i64>>,
        #[derive(Model, Clone, Debug, PartialEq)]
        pub struct TopicRules {
            pub port: Option<i64>,
    "#]]
    .assert_eq(&models("broker_topic"));
}

#[test]
fn provider_of_openapi_document_compiles() {
    let code = stdout(&["generate", "--from", "openapi", CLOUD]);
    expect_file!["cloud.rs.txt"].assert_eq(&code);
    let directory = generate(CLOUD, &["--from", "openapi"]);
    let program = build(directory.path(), "terraform-provider-cloud");
    let tree = stdout(&["schema", "--tree", program.to_str().unwrap()]);
    expect_file!["cloud.tree.txt"].assert_eq(&tree);
}

#[test]
fn invalid_openapi_documents_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("api.yaml");
    let error = |content: &str| {
        fs::write(&file, content).unwrap();
        let output = run(&["generate", "--from", "openapi", file.to_str().unwrap()]);
        assert_eq!((output.code, &*output.stdout), (1, ""));
        output.stderr.replace(file.to_str().unwrap(), "FILE")
    };
    expect![[r#"
        error: FILE: expected an OpenAPI document with the field `openapi`
    "#]]
    .assert_eq(&error("swagger: '2.0'"));
    expect![[r#"
        error: FILE: expected an OpenAPI document with the field `openapi`
    "#]]
    .assert_eq(&error("openapi: 2.9"));
    expect![[r#"
        error: FILE: OpenAPI 2.9 is not supported; expected 3.x
    "#]]
    .assert_eq(&error("openapi: '2.9'"));
    expect![[r#"
        error: FILE: invalid JSON: EOF while parsing an object at line 1 column 1
    "#]]
    .assert_eq(&error("{"));
    expect![[r#"
        error: FILE: invalid YAML: while parsing a flow sequence, expected ',' or ']' at byte 5 line 2 column 1
    "#]].assert_eq(&error("a: [b"));
    expect![[r#"
        error: FILE: no path with a GET operation ends with a path parameter
    "#]]
    .assert_eq(&error(r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}"#));
}

#[test]
fn references_to_other_documents_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("api.yaml");
    let path = "/v1/notes/{id}:\n    get: {responses: {200: {$ref: 'responses.yaml#/note'}}}";
    fs::write(&file, format!("openapi: 3.0.0\ninfo: {{title: Notes API}}\npaths:\n  {path}\n")).unwrap();
    let output = run(&["generate", "--from", "openapi", file.to_str().unwrap()]);
    expect![[r#"
        warning: references to other documents, such as responses.yaml#/note, are ignored: bundle the documents into one file first
    "#]].assert_eq(&output.stderr);
    assert!(output.stdout.contains("data_source::<NoteData>(\"notes_note\")"), "{}", output.stdout);
}

#[test]
fn omitted_parts_of_schemas_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("api.yaml");
    let schema = "{type: object, properties: {zone: {type: string, pattern: '^(?!eu)'}, limit: {type: object, \
                  properties: {soft: {type: integer}, Soft: {type: integer}}, additionalProperties: {type: integer}}}}";
    let content = format!("{{content: {{application/json: {{schema: {schema}}}}}}}");
    let path = format!("/notes/{{id}}:\n    get: {{responses: {{200: {content}}}}}\n    delete: {{}}");
    let path = format!("{path}\n    put: {{requestBody: {content}}}");
    fs::write(&file, format!("openapi: 3.0.0\ninfo: {{title: Notes API}}\npaths:\n  {path}\n")).unwrap();
    let output = run(&["generate", "--from", "openapi", file.to_str().unwrap()]);
    expect![[r#"
        warning: notes_note: property limit: `additionalProperties` is ignored, because `properties` is also set
        warning: notes_note: property soft: omitted, because another property has the attribute name soft
        warning: notes_note: property zone: the pattern "^(?!eu)" is ignored, because it is not supported
    "#]].assert_eq(&output.stderr);
}

#[test]
fn json_document_and_yaml_document_are_equal() {
    let directory = tempfile::tempdir().unwrap();
    let generated = |name: &str, content: &str| {
        let file = directory.path().join(name);
        fs::write(&file, content).unwrap();
        stdout(&["generate", "--from", "openapi", file.to_str().unwrap()])
    };
    let json = r##"{
        "openapi": "3.0.3",
        "info": {"title": "Notes"},
        "paths": {"/notes/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
            "type": "object", "properties": {"id": {"type": "integer"}, "text": {"type": "string", "nullable": true}}
        }}}}}}}}
    }"##;
    let yaml = "
openapi: 3.0.3
info: {title: Notes}
paths:
  /notes/{id}:
    get:
      responses:
        200:
          content:
            application/json:
              schema:
                type: object
                properties: {id: {type: integer}, text: {type: string, nullable: true}}
";
    assert_eq!(generated("a.json", json), generated("a.yaml", yaml));
}

/// Responses often contain the parameters of the path as read-only properties.
#[test]
fn parameter_of_the_path_in_the_response_requires_replacement() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("api.yaml");
    let content = "content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}";
    let document = format!(
        "
openapi: 3.0.3
info: {{title: Notes}}
components:
  schemas:
    Note:
      properties: {{project: {{type: string, readOnly: true}}, text: {{type: string}}}}
paths:
  /projects/{{project}}/notes:
    post: {{requestBody: {{{content}}}, responses: {{201: {{description: ok}}}}}}
  /projects/{{project}}/notes/{{id}}:
    get: {{responses: {{200: {{{content}}}}}}}
    patch: {{requestBody: {{{content}}}, responses: {{200: {{description: ok}}}}}}
    delete: {{responses: {{204: {{description: ok}}}}}}
"
    );
    fs::write(&file, document).unwrap();
    let code = stdout(&["generate", "--from", "openapi", file.to_str().unwrap()]);
    let resource = code.split_once("pub struct Note {").unwrap().1.split_once('}').unwrap().0;
    assert!(resource.contains("    #[attr(requires_replace)]\n    pub project: String,\n"), "{resource}");
    assert!(
        resource.contains("    #[attr(optional, computed)]\n    pub text: Option<String>,\n"),
        "{resource}"
    );
}

#[test]
fn provider_of_example_configurations_compiles() {
    let output = run(&["generate", "--from", "hcl", EXAMPLE]);
    assert_eq!(output.code, 0);
    expect![[r#"
        warning: resource cloud_server: the type of image_id is not known; string is assumed
        warning: resource cloud_server: the type of rule.port is not known; string is assumed
        warning: resource other_thing: omitted, because it belongs to another provider than cloud
        warning: action cloud_reboot: the type of server_id is not known; string is assumed
    "#]]
    .assert_eq(&output.stderr);
    expect_file!["example.rs.txt"].assert_eq(&output.stdout);
    let directory = create_crate(EXAMPLE, &["--from", "hcl"]).0;
    let program = build(directory.path(), "terraform-provider-cloud");
    let tree = stdout(&["schema", "--tree", program.to_str().unwrap()]);
    expect_file!["example.tree.txt"].assert_eq(&tree);
}

#[test]
fn guide_contains_the_generated_code() {
    let code = stdout(&["generate", "--only", "notes_note", NOTES]);
    expect_file!["notes.rs.txt"].assert_eq(&code);
    assert!(GUIDE.contains(&code));
}

#[test]
fn invalid_requests_are_reported() {
    let error = |args: &[&str]| {
        let output = run(args);
        assert_eq!((output.code, &*output.stdout), (1, ""));
        output.stderr.replace(env!("CARGO_MANIFEST_DIR"), "…")
    };
    expect![[r#"
        error: the provider has no type or function "kinds_nothing"
    "#]]
    .assert_eq(&error(&["generate", "--only", "kinds_nothing", KINDS]));
    expect![[r#"
        error: /no/such/file: No such file or directory (os error 2)
    "#]]
    .assert_eq(&error(&["generate", "/no/such/file"]));
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a"), "").unwrap();
    let out = directory.path().to_str().unwrap();
    let not_empty = error(&["generate", "--out", out, KINDS]).replace(out, "DIRECTORY");
    expect![[r#"
        error: DIRECTORY: the directory exists and is not empty
    "#]]
    .assert_eq(&not_empty);

    let schema = |ty: &str| {
        let attribute = format!(r#"{{"attributes": {{"a": {{"type": {ty}, "optional": true}}}}}}"#);
        let block =
            format!(r#"{{"block_types": {{"b": {{"nesting_mode": "list", "block": {attribute}}}}}}}"#);
        format!(
            r#"{{"format_version": "1.0", "provider_schemas": {{"x": {{"resource_schemas": {{"x_y": {{"block": {block}}}}}}}}}}}"#
        )
    };
    let file = directory.path().join("schema.json");
    let of_type = |ty: &str| {
        fs::write(&file, schema(ty)).unwrap();
        error(&["generate", file.to_str().unwrap()]).replace(file.to_str().unwrap(), "FILE")
    };
    expect![[r#"
        error: FILE: resource x_y: b.a: the type list(any) is not supported, because its elements have different types
    "#]].assert_eq(&of_type(r#"["list", "dynamic"]"#));
    expect![[r#"
        error: FILE: resource x_y: b.a: a tuple has 1 to 12 elements, but the type is tuple([])
    "#]]
    .assert_eq(&of_type(r#"["tuple", []]"#));
    expect![[r#"
        error: FILE: resource x_y: b.a.maxSize: a name consists of lowercase letters, digits and underscores, and does not start with a digit
    "#]].assert_eq(&of_type(r#"["object", {"maxSize": "number"}]"#));
    expect![[r#"
        error: FILE: resource x_y: b.a: unknown type "text"
    "#]]
    .assert_eq(&of_type(r#""text""#));
}
