use ferroform_proto::tfplugin6::resource_identity_schema::IdentityAttribute;
use ferroform_proto::tfplugin6::schema::Object;

use super::*;

fn string(name: &str) -> Attribute {
    Attribute { name: name.to_owned(), r#type: "\"string\"".into(), ..Attribute::default() }
}

#[test]
fn nested_schemas_have_anchors_with_their_path() {
    let label = Attribute { required: true, ..string("label") };
    let object = Object { attributes: vec![label], nesting: ObjectNesting::List.into(), ..Object::default() };
    let tags = Attribute { nested_type: Some(object), optional: true, ..Attribute::default() };
    let tags = Attribute { name: "tags".to_owned(), description: "The tags.".to_owned(), ..tags };
    let inside = Block { attributes: vec![tags], ..Block::default() };
    let block = |name: &str, min_items, max_items| NestedBlock {
        type_name: name.to_owned(),
        block: Some(inside.clone()),
        nesting: BlockNesting::List.into(),
        min_items,
        max_items,
    };
    let zone = Attribute { computed: true, description: "The zone.\n\n- `a`".to_owned(), ..string("zone") };
    let outside = Block {
        attributes: vec![zone],
        block_types: vec![block("port", 0, 2), block("disk", 1, 0)],
        ..Block::default()
    };
    expect_test::expect![[r#"

        ### Required

        - `disk` (Block List, Min: 1) See [the nested schema](#nestedblock--disk).

        ### Optional

        - `port` (Block List, Max: 2) See [the nested schema](#nestedblock--port).

        ### Read-Only

        - `zone` (String) The zone.

          - `a`

        <a id="nestedblock--disk"></a>
        ### Nested Schema for `disk`

        Optional:

        - `tags` (Attributes List) The tags. See [the nested schema](#nestedatt--disk--tags).

        <a id="nestedatt--disk--tags"></a>
        ### Nested Schema for `disk.tags`

        Required:

        - `label` (String)

        <a id="nestedblock--port"></a>
        ### Nested Schema for `port`

        Optional:

        - `tags` (Attributes List) The tags. See [the nested schema](#nestedatt--port--tags).

        <a id="nestedatt--port--tags"></a>
        ### Nested Schema for `port.tags`

        Required:

        - `label` (String)
    "#]]
    .assert_eq(&schema(&outside).unwrap());
}

/// The order of the nested schemas is that of the lines that refer to them.
#[test]
fn nested_schemas_and_blocks_without_configurable_attributes_are_in_the_order_of_the_groups() {
    let nested = |name: &str, min_items, attribute: Attribute| NestedBlock {
        type_name: name.to_owned(),
        block: Some(Block { attributes: vec![attribute], ..Block::default() }),
        nesting: BlockNesting::List.into(),
        min_items,
        ..NestedBlock::default()
    };
    let computed = |name: &str| Attribute { computed: true, ..string(name) };
    let optional = |name: &str| Attribute { optional: true, ..string(name) };
    let secret = Attribute { write_only: true, ..optional("secret") };
    let timeouts =
        NestedBlock { nesting: BlockNesting::Single.into(), ..nested("timeouts", 0, optional("create")) };
    let block = Block {
        // As SDKv2 serves it.
        attributes: vec![Attribute { optional: true, ..computed("id") }],
        block_types: vec![
            nested("addresses", 0, computed("ip")),
            nested("login", 0, secret),
            nested("zone", 1, optional("name")),
            timeouts,
        ],
        ..Block::default()
    };
    expect_test::expect![[r#"

        ### Required

        - `zone` (Block List, Min: 1) See [the nested schema](#nestedblock--zone).

        ### Optional

        > **NOTE**: Write-only arguments require Terraform 1.11 or later, or OpenTofu 1.11 or later.

        - `login` (Block List) See [the nested schema](#nestedblock--login).
        - `timeouts` (Block, Optional) See [the nested schema](#nestedblock--timeouts).

        ### Read-Only

        - `addresses` (Block List) See [the nested schema](#nestedblock--addresses).
        - `id` (String) The ID of this object.

        <a id="nestedblock--zone"></a>
        ### Nested Schema for `zone`

        Optional:

        - `name` (String)

        <a id="nestedblock--login"></a>
        ### Nested Schema for `login`

        Optional:

        - `secret` (String, [Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments))

        <a id="nestedblock--timeouts"></a>
        ### Nested Schema for `timeouts`

        Optional:

        - `create` (String)

        <a id="nestedblock--addresses"></a>
        ### Nested Schema for `addresses`

        Read-Only:

        - `ip` (String)
    "#]].assert_eq(&schema(&block).unwrap());
}

#[test]
fn invalid_types_are_errors_that_name_the_attribute() {
    let attribute = Attribute { r#type: "\"text\"".into(), ..string("size") };
    let error = schema(&Block { attributes: vec![attribute], ..Block::default() }).unwrap_err();
    assert!(error.starts_with("attribute \"size\": invalid type: "), "{error}");
}

#[test]
fn types_are_words_in_lists_and_constraints_in_signatures() {
    let ty = br#"["map",["list","bool"]]"#;
    assert_eq!(type_name(ty).unwrap(), "Map of List of Boolean");
    assert_eq!(types::constraint(ty).unwrap(), "map(list(bool))");
    assert_eq!(type_name(br#"["object",{"a":"number"}]"#).unwrap(), "`object({a = number})`");
}

#[test]
fn attributes_of_objects_have_sections() {
    let ty =
        br#"["list",["object",{"disks":["map",["list",["object",{"size":"number"}]]],"name":"string"}]]"#;
    let rules = Attribute { name: "rules".to_owned(), r#type: ty.to_vec().into(), ..Attribute::default() };
    let block = Block { attributes: vec![rules], ..Block::default() };
    expect_test::expect![[r#"

        ### Read-Only

        - `rules` (List of Object) See [the nested schema](#nestedatt--rules).

        <a id="nestedatt--rules"></a>
        ### Nested Schema for `rules`

        Read-Only:

        - `disks` (Map of List of Object) See [the nested schema](#nestedobjatt--rules--disks).
        - `name` (String)

        <a id="nestedobjatt--rules--disks"></a>
        ### Nested Schema for `rules.disks`

        Read-Only:

        - `size` (Number)
    "#]]
    .assert_eq(&schema(&block).unwrap());
}

#[test]
fn equal_nested_schemas_of_a_long_page_share_a_section() {
    let rule = |name: &str, description: &str| NestedBlock {
        type_name: name.to_owned(),
        block: Some(Block {
            attributes: vec![Attribute {
                description: description.to_owned(),
                optional: true,
                ..string("port")
            }],
            ..Block::default()
        }),
        nesting: BlockNesting::List.into(),
        ..NestedBlock::default()
    };
    let long = "x".repeat(PAGE_LIMIT / 2);
    let mut block =
        Block { block_types: vec![rule("egress", &long), rule("ingress", &long)], ..Block::default() };
    let page = schema(&block).unwrap();
    assert!(page.len() < PAGE_LIMIT);
    assert_eq!(page.matches("See [the nested schema](#nestedblock--egress).").count(), 2);
    assert_eq!(page.matches("### Nested Schema").count(), 1);

    block.block_types = vec![rule("egress", "x"), rule("ingress", "x")];
    assert_eq!(schema(&block).unwrap().matches("### Nested Schema").count(), 2);
}

#[test]
fn identity_attributes_are_grouped_by_mode() {
    let attribute = |name: &str, required_for_import| IdentityAttribute {
        name: name.to_owned(),
        r#type: "\"string\"".into(),
        description: "The text.".to_owned(),
        required_for_import,
        ..IdentityAttribute::default()
    };
    let identity_attributes =
        vec![attribute("zone", false), attribute("name", true), attribute("account", false)];
    let it = ResourceIdentitySchema { identity_attributes, ..ResourceIdentitySchema::default() };
    expect_test::expect![[r#"
        ### Identity Schema

        #### Required

        - `name` (String) The text.

        #### Optional

        - `account` (String) The text.
        - `zone` (String) The text.
    "#]]
    .assert_eq(&identity(&it).unwrap());
}
