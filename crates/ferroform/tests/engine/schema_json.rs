//! Schemas that are read from the output of `terraform providers schema -json`.

use std::sync::Arc;

use expect_test::{Expect, expect};
use ferroform::raw::Kind;
use ferroform::schema::{Attribute, Block, DescriptionKind, Mode, Nested, ProviderSchemas, Schema};
use ferroform::value::Type;

const ADDRESS: &str = "registry.terraform.io/example/cloud";

fn output(block: &str) -> String {
    format!(
        r#"{{"format_version":"1.0","provider_schemas":{{"{ADDRESS}":{{
            "provider":{{"version":0,"block":{{"attributes":{{"token":{{"type":"string","optional":true,"sensitive":true}}}}}}}},
            "resource_schemas":{{"cloud_server":{{"version":3,"block":{block}}}}},
            "data_source_schemas":{{"cloud_image":{{"version":0,"block":{{}}}}}},
            "functions":{{}}
        }}}}}}"#
    )
}

fn read(block: &str) -> Result<Schema, String> {
    let schemas =
        ProviderSchemas::from_json(output(block).as_bytes(), ADDRESS).map_err(|it| it.to_string())?;
    schemas.of_kind(Kind::Resource)["cloud_server"].read().map_err(|it| it.to_string())
}

#[test]
fn every_property_of_a_schema_is_read() {
    let schema = read(
        r#"{
            "description": "A server.",
            "description_kind": "markdown",
            "deprecated": true,
            "attributes": {
                "id": {"type": "string", "description": "The ID.", "description_kind": "plain", "computed": true},
                "name": {"type": "string", "required": true},
                "note": {"type": "dynamic", "optional": true, "deprecated": true, "deprecation_message": "Use name."},
                "password": {"type": "string", "optional": true, "write_only": true, "sensitive": true},
                "region": {"type": ["list", ["object", {"x": "bool"}]], "optional": true, "computed": true},
                "disks": {
                    "nested_type": {
                        "nesting_mode": "map",
                        "attributes": {"size": {"type": "number", "required": true}}
                    },
                    "optional": true
                }
            },
            "block_types": {
                "boot": {"nesting_mode": "single", "min_items": 1, "max_items": 1, "block": {}},
                "owner": {"nesting_mode": "single", "block": {}},
                "rule": {
                    "nesting_mode": "set", "min_items": 2, "max_items": 4,
                    "block": {"attributes": {"port": {"type": "number", "optional": true}}, "deprecated": true}
                }
            }
        }"#,
    );
    let raw = Attribute::raw;
    let size = Block::new().attribute(raw("size", Type::Number));
    let port = Block::new().attribute(raw("port", Type::Number).optional());
    let expected = Block::new()
        .attribute(raw("disks", Type::map(size.ty().clone())))
        .attribute(raw("id", Type::String))
        .attribute(raw("name", Type::String))
        .attribute(raw("note", Type::Dynamic))
        .attribute(raw("password", Type::String))
        .attribute(raw("region", Type::list(Type::object([("x", Type::Bool)]))))
        .block(Attribute::raw_nested("boot", Nested::single(Block::new())))
        .block(Attribute::raw_nested("owner", Nested::single(Block::new())))
        .block(Attribute::raw_nested("rule", Nested::set(port)));
    let schema = schema.unwrap();
    assert_eq!((schema.version, schema.block.ty()), (3, expected.ty()));
    assert_eq!(schema.definition_errors(), []);
    let block = &schema.block;
    assert_eq!(
        (block.full_description(), block.description_kind()),
        ("A server.", DescriptionKind::Markdown)
    );
    assert_eq!(block.deprecation(), Some(""));
    let attribute = |name| block.get(name).unwrap();
    let modes: Vec<Mode> = block.attributes().iter().map(|it| it.mode()).collect();
    let (optional, both) = (Mode::Optional, Mode::OptionalComputed);
    assert_eq!(modes, [Mode::Computed, Mode::Required, optional, optional, both, optional]);
    let id = attribute("id");
    assert_eq!((&*id.full_description(), id.description_kind()), ("The ID.", DescriptionKind::Plain));
    assert_eq!(attribute("note").behavior().deprecated.as_deref(), Some("Use name."));
    assert!(attribute("password").is_write_only() && attribute("password").is_sensitive());
    assert!(attribute("disks").nested().is_some());
    let items: Vec<_> = block.blocks().iter().map(|it| (it.min_items(), it.max_items())).collect();
    assert_eq!(items, [(1, 1), (0, 0), (2, 4)]);
    assert_eq!(block.blocks()[2].block().deprecation(), Some(""));
}

#[test]
fn equal_nested_blocks_share_one_block() {
    let rule = r#"{"nesting_mode": "list", "block": {"attributes": {"port": {"type": "number", "optional": true}}}}"#;
    let set = rule.replace("list", "set");
    let other = rule.replace("port", "ports");
    let json = format!(r#"{{"block_types": {{"a": {rule}, "b": {set}, "c": {other}}}}}"#);
    let schema = read(&json).unwrap();
    let blocks = schema.block.blocks();
    assert!(Arc::ptr_eq(blocks[0].block(), blocks[1].block()));
    assert!(blocks[2].block().get("ports").is_some() && blocks[0].block().get("port").is_some());
}

#[test]
fn provider_and_data_sources_are_read() {
    let schemas = ProviderSchemas::from_json(output("{}").as_bytes(), ADDRESS).unwrap();
    assert!(schemas.provider.as_ref().unwrap().read().unwrap().block.get("token").unwrap().is_sensitive());
    assert_eq!(schemas.of_kind(Kind::DataSource)["cloud_image"].read().unwrap().block.attributes().len(), 0);
    let lazy = schemas.of_kind(Kind::Resource)["cloud_server"].clone().into_lazy().unwrap();
    assert_eq!(lazy.get().version, 3);
}

#[test]
fn invalid_schemas_are_errors_with_their_path() {
    let check = |block: &str, expected: Expect| expected.assert_eq(&read(block).unwrap_err());
    check(
        r#"{"attributes": {"a": {"type": "text", "optional": true}}}"#,
        expect![[r#"a: unknown type "text""#]],
    );
    check(
        r#"{"attributes": {"a": {"type": "string"}}}"#,
        expect!["a: the attribute must be required, optional, computed, or optional and computed"],
    );
    check(r#"{"attributes": {"a": {"optional": true}}}"#, expect!["a: a type is missing"]);
    check(
        r#"{"block_types": {"b": {"nesting_mode": "group", "block": {}}}}"#,
        expect![[r#"b: the nesting mode "single", "list", "set" or "map" is required, but got "group""#]],
    );
    check(
        r#"{"block_types": {"b": {"nesting_mode": "list", "block": {"attributes": {"a": {"type": "bool"}}}}}}"#,
        expect!["b.a: the attribute must be required, optional, computed, or optional and computed"],
    );
    check("[", expect!["invalid schema JSON: expected value at line 3 column 70"]);
    let other = ProviderSchemas::from_json(output("{}").as_bytes(), "example/other").unwrap_err();
    expect![
        "no schemas for example/other; the output contains schemas for registry.terraform.io/example/cloud"
    ]
    .assert_eq(&other.to_string());
    let only = ProviderSchemas::only_provider(br#"{"provider_schemas": {"a": {}, "b": {}}}"#).unwrap_err();
    expect!["expected the schemas of one provider, but got a, b"].assert_eq(&only.to_string());
    assert_eq!(
        ProviderSchemas::only_provider(output("{}").as_bytes()).unwrap().of_kind(Kind::Resource).len(),
        1
    );
    let none = ProviderSchemas::from_json(b"{}", ADDRESS).unwrap_err();
    expect![
        "no schemas for registry.terraform.io/example/cloud; the output contains schemas for no provider"
    ]
    .assert_eq(&none.to_string());
}
