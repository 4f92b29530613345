use ferroform_engine::schema::Nested;

use super::*;

fn string(name: &str) -> Attribute {
    Attribute::raw(name, Type::String)
}

#[test]
fn nested_schemas_have_anchors_with_their_path() {
    let label = Block::new().attribute(string("label"));
    let tags = Attribute::raw_nested("tags", Nested::list(label)).optional().description("The tags.");
    let inside = Block::new().attribute(tags);
    let block = |name: &str, min_items, max_items| {
        Attribute::raw_block(name, Nested::list(inside.clone()), min_items, max_items)
    };
    let zone = string("zone").computed().description("The zone.\n\n- `a`");
    let outside = Block::new().attribute(zone).block(block("port", 0, 2)).block(block("disk", 1, 0));
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
    .assert_eq(&schema(&outside));
}

/// The order of the nested schemas is that of the lines that refer to them.
#[test]
fn nested_schemas_and_blocks_without_configurable_attributes_are_in_the_order_of_the_groups() {
    let nested = |name: &str, nesting, min_items, attribute: Attribute| {
        Attribute::raw_block(name, Nested::new(nesting, Block::new().attribute(attribute)), min_items, 0)
    };
    let block = Block::new()
        // As SDKv2 serves it.
        .attribute(string("id").optional_computed())
        .block(nested("addresses", Nesting::List, 0, string("ip").computed()))
        .block(nested("login", Nesting::List, 0, string("secret").optional().write_only()))
        .block(nested("zone", Nesting::List, 1, string("name").optional()))
        .block(nested("timeouts", Nesting::Single, 0, string("create").optional()));
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
    "#]].assert_eq(&schema(&block));
}

#[test]
fn types_are_words_in_lists_and_constraints_in_signatures() {
    assert_eq!(type_name(&Type::map(Type::list(Type::Bool))), "Map of List of Boolean");
    assert_eq!(type_name(&Type::object([("a", Type::Number)])), "`object({a = number})`");
}

#[test]
fn attributes_of_objects_have_sections() {
    let disks = Type::map(Type::list(Type::object([("size", Type::Number)])));
    let ty = Type::list(Type::object([("disks", disks), ("name", Type::String)]));
    let block = Block::new().attribute(Attribute::raw("rules", ty).computed());
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
    .assert_eq(&schema(&block));
}

#[test]
fn equal_nested_schemas_of_a_long_page_share_a_section() {
    let schema_with = |description: &str| {
        let rule = Block::new().attribute(string("port").optional().description(description));
        let rules =
            ["egress", "ingress"].map(|it| Attribute::raw_block(it, Nested::list(rule.clone()), 0, 0));
        schema(&Block::new().nested_blocks(rules))
    };
    let page = schema_with(&"x".repeat(PAGE_LIMIT / 2));
    assert!(page.len() < PAGE_LIMIT);
    assert_eq!(page.matches("See [the nested schema](#nestedblock--egress).").count(), 2);
    assert_eq!(page.matches("### Nested Schema").count(), 1);
    assert_eq!(schema_with("x").matches("### Nested Schema").count(), 2);
}

#[test]
fn identity_attributes_are_grouped_by_mode() {
    let attributes = [string("account").optional(), string("name"), string("zone").optional()];
    let attributes = attributes.map(|it| it.description("The text."));
    let it = IdentitySchema::raw(Block::new().with_attributes(attributes));
    expect_test::expect![[r#"
        ### Identity Schema

        #### Required

        - `name` (String) The text.

        #### Optional

        - `account` (String) The text.
        - `zone` (String) The text.
    "#]]
    .assert_eq(&identity(&it));
}
