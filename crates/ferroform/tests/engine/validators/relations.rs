//! Relations between attributes, such as `conflicts_with`.

use ferroform::schema::{Attribute, Block, GroupRule, Mode, Nested, RelatedAttributes, RelationKind, Schema};
use ferroform::value::{Refinements, Type};
use ferroform::{Model, Pattern, pattern};
use ferroform_testing::{Configuration, Literal, config, refined, unknown};

use crate::common::instance;

/// The names of the tested validators in Go.
pub(crate) const GO: [&str; 12] = [
    "AlsoRequires",
    "AtLeastOneOf",
    "ConflictsWith",
    "ExactlyOneOf",
    "PreferWriteOnlyAttribute",
    "AtLeastSumOf",
    "AtMostSumOf",
    "EqualToSumOf",
    "EqualToProductOf",
    "RequiredTogether",
    "Conflicting",
    "IsRequired",
];

fn string(name: &str) -> Attribute {
    Attribute::raw(name, Type::String).with_mode(Mode::Optional)
}

fn number(name: &str) -> Attribute {
    Attribute::raw(name, Type::Number).with_mode(Mode::Optional)
}

/// Validates configurations against their expected diagnostics. An empty string expects a valid configuration.
fn check(block: &Block, cases: &[(Configuration, &str)]) {
    let schema = Schema::new(block.clone());
    assert_eq!(schema.definition_errors(), []);
    for (config, expected) in cases {
        let mut instance = instance(schema.clone(), true, None);
        let found = match expected {
            &"" => {
                let warnings = instance.plan(config.clone()).warnings;
                assert!(warnings.is_empty(), "{config:?}: {warnings}");
                continue;
            }
            expected if expected.starts_with("warning ") => {
                format!("warning {}", instance.plan(config.clone()).warnings)
            }
            _ => instance.try_apply(config.clone()).error().to_string(),
        };
        assert_eq!(found, *expected, "{config:?}");
    }
}

fn set() -> Literal {
    refined(Refinements::new().not_null())
}

#[test]
fn conflicts_with_rejects_attributes_set_together() {
    let block = Block::new()
        .attribute(string("a").relation(RelationKind::ConflictsWith, ["b", "c"]))
        .attribute(string("b"))
        .attribute(string("c"));
    check(
        &block,
        &[
            (config! {}, ""),
            (config! { a = "1" }, ""),
            (config! { b = "1", c = "1" }, ""),
            (
                config! { a = "", b = "" },
                r#"a: Invalid Attribute Combination: "a" cannot be set together with "b"."#,
            ),
            (
                config! { a = "1", b = null, c = "" },
                r#"a: Invalid Attribute Combination: "a" cannot be set together with "c"."#,
            ),
            (config! { a = "1", b = unknown() }, ""),
            (config! { a = unknown(), b = "1" }, ""),
            // An unknown value that is not null counts as set.
            (
                config! { a = "1", b = set() },
                r#"a: Invalid Attribute Combination: "a" cannot be set together with "b"."#,
            ),
            (
                config! { a = set(), c = "1" },
                r#"a: Invalid Attribute Combination: "a" cannot be set together with "c"."#,
            ),
        ],
    );
}

#[test]
fn requires_rejects_missing_attributes() {
    let block = Block::new()
        .attribute(string("a").relation(RelationKind::Requires, ["b", "c"]))
        .attribute(string("b"))
        .attribute(string("c"));
    check(
        &block,
        &[
            (config! { b = "1" }, ""),
            (config! { a = "1", b = "1", c = "1" }, ""),
            (
                config! { a = "1" },
                "a: Invalid Attribute Combination: \"b\" must be set if \"a\" is set.\n\
                 a: Invalid Attribute Combination: \"c\" must be set if \"a\" is set.",
            ),
            (config! { a = "1", b = unknown() }, ""),
            (
                config! { a = "1", c = unknown() },
                r#"a: Invalid Attribute Combination: "b" must be set if "a" is set."#,
            ),
            (config! { a = unknown() }, ""),
        ],
    );
}

#[test]
fn exactly_one_of_rejects_none_and_several() {
    let block = Block::new()
        .attribute(string("a").relation(RelationKind::ExactlyOneOf, ["b"]))
        .attribute(string("b"));
    check(
        &block,
        &[
            (config! { a = "1" }, ""),
            (config! { b = "1" }, ""),
            (
                config! {},
                r#"a: Invalid Attribute Combination: Exactly one of "a", "b" must be set, but none is set."#,
            ),
            (
                config! { a = "1", b = "2" },
                r#"a: Invalid Attribute Combination: Exactly one of "a", "b" must be set, but "a" and "b" are set."#,
            ),
            (config! { a = "1", b = unknown() }, ""),
            (config! { a = unknown() }, ""),
        ],
    );
    // Two of three attributes are set, so the third does not matter.
    let a = string("a").relation(RelationKind::ExactlyOneOf, ["b", "c"]);
    let block = Block::new().attribute(a).attribute(string("b")).attribute(string("c"));
    let are_set = |names: &str| {
        format!(
            r#"a: Invalid Attribute Combination: Exactly one of "a", "b", "c" must be set, but {names} are set."#
        )
    };
    let (first, last) = (are_set(r#""a" and "b""#), are_set(r#""b" and "c""#));
    check(
        &block,
        &[
            (config! { a = "1", b = "2", c = unknown() }, &*first),
            (config! { a = unknown(), b = "2", c = "3" }, &*last),
            (config! { a = unknown(), b = "2", c = unknown() }, ""),
        ],
    );
}

#[test]
fn at_least_one_of_rejects_none() {
    let block = Block::new()
        .attribute(string("a").relation(RelationKind::AtLeastOneOf, ["b"]))
        .attribute(string("b"));
    check(
        &block,
        &[
            (config! { a = "1" }, ""),
            (config! { a = "1", b = "1" }, ""),
            (config! { b = unknown() }, ""),
            (config! {}, r#"a: Invalid Attribute Combination: At least one of "a", "b" must be set."#),
        ],
    );
}

#[test]
fn groups_validate_their_members() {
    let of =
        |group_rule| Block::new().attribute(string("a")).attribute(string("b")).group(group_rule, ["a", "b"]);
    let both = || config! { a = "1", b = "1" };
    let one = || config! { b = "1" };
    let one_unknown = || config! { a = unknown(), b = "1" };
    let none = || config! {};
    check(
        &of(GroupRule::ExactlyOne),
        &[
            (one(), ""),
            (one_unknown(), ""),
            (config! { a = unknown() }, ""),
            (
                both(),
                r#"a: Invalid Attribute Combination: Exactly one of "a", "b" must be set, but "a" and "b" are set."#,
            ),
            (
                config! { a = set(), b = "1" },
                r#"a: Invalid Attribute Combination: Exactly one of "a", "b" must be set, but "a" and "b" are set."#,
            ),
            (
                none(),
                r#"Missing Attribute Configuration: Exactly one of "a", "b" must be set, but none is set."#,
            ),
        ],
    );
    check(
        &of(GroupRule::AtLeastOne),
        &[
            (one(), ""),
            (both(), ""),
            (config! { a = unknown() }, ""),
            (
                none(),
                r#"Missing Attribute Configuration: At least one of "a", "b" must be set, but none is set."#,
            ),
        ],
    );
    check(
        &of(GroupRule::AtMostOne),
        &[
            (one(), ""),
            (none(), ""),
            (one_unknown(), ""),
            (
                both(),
                r#"a: Invalid Attribute Combination: At most one of "a", "b" can be set, but "a" and "b" are set."#,
            ),
        ],
    );
    check(
        &of(GroupRule::AllOrNone),
        &[
            (both(), ""),
            (none(), ""),
            (one_unknown(), ""),
            (
                one(),
                r#"b: Invalid Attribute Combination: Either all or none of "a", "b" must be set, but only "b" is set."#,
            ),
        ],
    );
}

fn exact(decimal: &str) -> Literal {
    Literal::Number(decimal.parse().expect("a number"))
}

#[test]
fn sums_and_products_compare_numbers() {
    let of = |kind| {
        Block::new()
            .attribute(number("total").relation(kind, ["a", "b"]))
            .attribute(number("a"))
            .attribute(number("b"))
    };
    check(
        &of(RelationKind::AtLeastSumOf),
        &[
            (config! { total = 3, a = 1, b = 2 }, ""),
            (config! { total = 4, a = 1, b = 2 }, ""),
            (config! { total = 1, a = 1 }, ""),
            (config! { total = 0, a = 1, b = unknown() }, ""),
            (config! { total = unknown(), a = 1 }, ""),
            (config! { a = 1 }, ""),
            (
                config! { total = 2, a = 1, b = 2 },
                r#"total: Invalid Attribute Value: "total" must be at least the sum of "a" and "b": 3, but it is 2."#,
            ),
        ],
    );
    check(
        &of(RelationKind::AtMostSumOf),
        &[
            (config! { total = 3, a = 1, b = 2 }, ""),
            (
                config! { total = 4, a = exact("1.5"), b = 2 },
                r#"total: Invalid Attribute Value: "total" must be at most the sum of "a" and "b": 3.5, but it is 4."#,
            ),
        ],
    );
    check(
        &of(RelationKind::EqualToSumOf),
        &[
            (config! { total = exact("0.3"), a = exact("0.1"), b = exact("0.2") }, ""),
            (config! { total = exact("0.11"), a = exact("0.01"), b = exact("0.1") }, ""),
            (
                config! { total = exact("1.32"), a = exact("0.01"), b = exact("1.3") },
                r#"total: Invalid Attribute Value: "total" must be the sum of "a" and "b": 1.31, but it is 1.32."#,
            ),
            (
                config! { total = 3 },
                r#"total: Invalid Attribute Value: "total" must be the sum of "a" and "b": 0, but it is 3."#,
            ),
        ],
    );
    check(
        &of(RelationKind::EqualToProductOf),
        &[
            (config! { total = 6, a = 2, b = 3 }, ""),
            (config! { total = 6, a = 2 }, ""),
            (config! { total = exact("0.007"), a = exact("0.01"), b = exact("0.7") }, ""),
            (
                config! { total = 5, a = 2, b = 3 },
                r#"total: Invalid Attribute Value: "total" must be the product of "a" and "b": 6, but it is 5."#,
            ),
        ],
    );
    let secret = Block::new()
        .attribute(number("total").relation(RelationKind::EqualToSumOf, ["pin"]))
        .attribute(number("pin").sensitive());
    check(
        &secret,
        &[(
            config! { total = 1, pin = 4711 },
            r#"total: Invalid Attribute Value: "total" must be the sum of "pin"."#,
        )],
    );
}

#[test]
fn prefer_write_only_warns() {
    let block = Block::new()
        .attribute(string("token").relation(RelationKind::PreferWriteOnly, ["token_wo"]))
        .attribute(string("token_wo").write_only());
    check(
        &block,
        &[
            (config! { token_wo = "x" }, ""),
            (config! { token = unknown() }, ""),
            (
                config! { token = "x" },
                r#"warning token: Available Write-Only Attribute Alternative: The value of "token" is stored in the state. Use the write-only attribute "token_wo" instead, which is not stored."#,
            ),
        ],
    );
}

#[test]
fn blocks_count_as_set_if_present() {
    let part = || Block::new().attribute(string("name"));
    let block = |name: &str, nested: Nested| Attribute::raw_nested(name, nested).with_mode(Mode::Optional);
    let schema = Block::new()
        .attribute(string("a").relation(RelationKind::ConflictsWith, ["list", "map"]))
        .block(block("list", Nested::list(part())))
        .block(block("map", Nested::map(part())).relation(RelationKind::Requires, ["single"]))
        .block(block("single", Nested::single(part())));
    check(
        &schema,
        &[
            (config! { a = "1" }, ""),
            (
                config! { a = "1", list {} },
                r#"a: Invalid Attribute Combination: "a" cannot be set together with "list"."#,
            ),
            (config! { map "k" {} single {} }, ""),
            (
                config! { map "k" {} },
                r#"map: Invalid Attribute Combination: "single" must be set if "map" is set."#,
            ),
        ],
    );
    let required = Block::new().block(block("set", Nested::set(part())).min_items(1));
    check(
        &required,
        &[
            (config! { set {} }, ""),
            (config! {}, "set: Insufficient set blocks: At least 1 \"set\" blocks are required."),
        ],
    );
}

fn relative(kind: RelationKind, pattern: Pattern) -> Block {
    let size = string("size").relation_to(kind, RelatedAttributes::default().and([pattern]));
    let disk = Block::new().attribute(string("kind")).attribute(size);
    Block::new()
        .attribute(string("name"))
        .attribute(Attribute::raw_nested("disks", Nested::list(disk)).with_mode(Mode::Optional))
}

#[test]
fn relations_name_attributes_by_pattern() {
    check(
        &relative(RelationKind::Requires, pattern!(super.kind)),
        &[
            (config! { disks = [{ size = "1", kind = "a" }] }, ""),
            (
                config! { disks = [{ kind = "a" }, { size = "1" }] },
                r#"disks[1].size: Invalid Attribute Combination: "disks[1].kind" must be set if "disks[1].size" is set."#,
            ),
        ],
    );
    // Each `super` leads one level up: to the element, the list and the root object.
    check(
        &relative(RelationKind::ConflictsWith, pattern!(super.super.super.name)),
        &[
            (config! { name = "a", disks = [{}] }, ""),
            (
                config! { name = "a", disks = [{ size = "1" }] },
                r#"disks[0].size: Invalid Attribute Combination: "disks[0].size" cannot be set together with "name"."#,
            ),
        ],
    );
    check(
        &relative(RelationKind::Requires, pattern!(disks[*].kind)),
        &[
            (config! { disks = [{ size = "1", kind = "a" }, { kind = "b" }] }, ""),
            (
                config! { disks = [{ size = "1", kind = "a" }, {}] },
                r#"disks[0].size: Invalid Attribute Combination: "disks[1].kind" must be set if "disks[0].size" is set."#,
            ),
        ],
    );
    let inner = Block::new().attribute(string("b"));
    let block = Block::new()
        .attribute(string("a"))
        .attribute(Attribute::raw_nested("inner", Nested::single(inner)).with_mode(Mode::Optional))
        .group_with(GroupRule::ExactlyOne, RelatedAttributes::siblings(["a"]).and([pattern!(inner.b)]));
    check(
        &block,
        &[
            (config! { a = "1" }, ""),
            (config! { a = "1", inner = {} }, ""),
            (config! { inner = { b = "1" } }, ""),
            (config! { inner = unknown() }, ""),
            (
                config! { a = "1", inner = { b = "1" } },
                r#"a: Invalid Attribute Combination: Exactly one of "a", "inner.b" must be set, but "a" and "inner.b" are set."#,
            ),
            (
                config! {},
                r#"Missing Attribute Configuration: Exactly one of "a", "inner" must be set, but none is set."#,
            ),
        ],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Common {
    region: Option<String>,
    r#type: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(required_together(region, size))]
struct Flat {
    #[attr(flatten, inputs_only)]
    common: Common,
    size: Option<String>,
    #[attr(conflicts_with(region, r#type))]
    path: Option<String>,
}

/// Relations can name the attributes of a flattened model like those of the enclosing model.
#[test]
fn relations_name_flattened_attributes() {
    assert_eq!(Flat::schema().definition_errors(), []);
    let fails = |config| instance(Flat::schema(), true, None).try_apply(config).error().to_string();
    assert_eq!(
        fails(config! { path = "p", type = "t" }),
        "path: Invalid Attribute Combination: \"path\" cannot be set together with \"type\"."
    );
    assert_eq!(
        fails(config! { region = "r" }),
        "region: Invalid Attribute Combination: Either all or none of \"region\", \"size\" must be set, but only \"region\" is set."
    );
}
