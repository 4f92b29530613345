//! Schemas that are built at run time. Each contains one mistake.

use ferroform::raw::Kind;
use ferroform::schema::{
    Attribute, AttributeExt as _, Block, BlockExt as _, GroupRule, Mode, Nested, RelatedAttributes,
    RelationKind, ValueChange,
};
use ferroform::validators::{self, Validator};
use ferroform::value::{Type, Value};
use ferroform::{Attr, Dynamic, Maybe, Pattern, pattern};

pub(crate) type RuntimeSchema = (Block, Kind);

fn resource(block: Block) -> RuntimeSchema {
    (block, Kind::Resource)
}

fn string(name: &str) -> Attribute {
    Attribute::raw(name, Type::String).with_mode(Mode::Optional)
}

fn of(attribute: Attribute) -> RuntimeSchema {
    resource(Block::new().attribute(attribute))
}

fn block_of(attribute: Attribute) -> RuntimeSchema {
    resource(Block::new().block(attribute))
}

fn nested(name: &str, nested: Nested) -> Attribute {
    Attribute::raw_nested(name, nested).with_mode(Mode::Optional)
}

fn inside(attribute: Attribute) -> Block {
    Block::new().attribute(attribute)
}

fn key() -> Attribute {
    string("key").write_only()
}

// Attribute and block names.

pub(crate) fn uppercase_name() -> RuntimeSchema {
    of(string("Path"))
}

pub(crate) fn digit_first() -> RuntimeSchema {
    of(nested("owner", Nested::single(inside(string("2nd")))))
}

pub(crate) fn name_of_block() -> RuntimeSchema {
    block_of(nested("a-b", Nested::list(inside(string("name")))))
}

pub(crate) fn same_name() -> RuntimeSchema {
    resource(Block::new().attribute(string("path")).block(nested("path", Nested::list(Block::new()))))
}

pub(crate) fn flattened_name() -> RuntimeSchema {
    resource(Block::new().attribute(string("path")).flatten(inside(string("path"))))
}

pub(crate) fn reserved() -> RuntimeSchema {
    let block = ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"]
        .into_iter()
        .fold(Block::new(), |block, name| block.attribute(string(name)));
    resource(block)
}

pub(crate) fn reserved_in_data_source() -> RuntimeSchema {
    (Block::new().block(nested("lifecycle", Nested::list(Block::new()))), Kind::DataSource)
}

pub(crate) fn reserved_in_provider_config() -> RuntimeSchema {
    let block =
        Block::new().attribute(string("alias")).attribute(string("version")).attribute(string("count"));
    (block.block(nested("provisioner", Nested::list(Block::new()))), Kind::Provider)
}

// Attribute modes: required, optional, computed and write-only.

pub(crate) fn write_only_computed() -> RuntimeSchema {
    of(string("key").computed().write_only())
}

pub(crate) fn write_only_default() -> RuntimeSchema {
    of(string("key").default(String::new).write_only())
}

pub(crate) fn requires_replace_of_write_only() -> RuntimeSchema {
    of(key().requires_replace())
}

pub(crate) fn requires_replace_in_set_without_key() -> RuntimeSchema {
    let zone = Attribute::raw("zone", Type::String)
        .with_mode(Mode::OptionalComputed)
        .requires_replace_if_configured();
    of(nested("disks", Nested::set(Block::new().attribute(zone))))
}

pub(crate) fn write_only_set() -> RuntimeSchema {
    of(Attribute::raw("keys", Type::set(Type::String)).with_mode(Mode::Optional).write_only())
}

pub(crate) fn write_only_in_data_source() -> RuntimeSchema {
    (Block::new().attribute(nested("access", Nested::single(inside(key())))), Kind::DataSource)
}

pub(crate) fn computed_in_provider_config() -> RuntimeSchema {
    let computed = nested("access", Nested::single(inside(string("id").computed())));
    (Block::new().attribute(key()).attribute(computed), Kind::Provider)
}

pub(crate) fn write_only_object_with_stored_attribute() -> RuntimeSchema {
    of(nested("access", Nested::list(inside(string("name")).attribute(key()))).write_only())
}

pub(crate) fn computed_object_with_write_only_attribute() -> RuntimeSchema {
    let deep = nested("deep", Nested::single(inside(key())));
    of(nested("access", Nested::map(inside(deep))).optional_computed())
}

pub(crate) fn write_only_in_set() -> RuntimeSchema {
    of(nested("access", Nested::set(inside(nested("deep", Nested::single(inside(key())))))))
}

pub(crate) fn write_only_in_set_block() -> RuntimeSchema {
    block_of(nested("access", Nested::set(inside(key()))))
}

pub(crate) fn default_of_required() -> RuntimeSchema {
    of(string("path").default(String::new).with_mode(Mode::Required))
}

pub(crate) fn default_of_computed() -> RuntimeSchema {
    of(string("path").default(String::new).with_mode(Mode::Computed))
}

pub(crate) fn default_of_wrong_type() -> RuntimeSchema {
    of(Attribute::of::<u8>("size").default(|| 300_i64))
}

pub(crate) fn use_state_for_unknown_of_input() -> RuntimeSchema {
    of(string("path").use_state_for_unknown())
}

pub(crate) fn use_state_for_unknown_of_block() -> RuntimeSchema {
    block_of(nested("disk", Nested::list(Block::new())).use_state_for_unknown())
}

pub(crate) fn follows_itself() -> RuntimeSchema {
    resource(Block::new().attribute(string("id").computed().follows(["id"])).attribute(string("path")))
}

pub(crate) fn follows_missing_attribute() -> RuntimeSchema {
    resource(Block::new().attribute(string("id").computed().follows(["pth"])).attribute(string("path")))
}

pub(crate) fn follows_write_only() -> RuntimeSchema {
    resource(Block::new().attribute(string("id").computed().follows(["key"])).attribute(key()))
}

pub(crate) fn fingerprint_of_stored() -> RuntimeSchema {
    let followed = string("path").optional().fingerprint();
    resource(Block::new().attribute(string("id").computed().follows(["path"])).attribute(followed))
}

pub(crate) fn requires_replace_of_computed() -> RuntimeSchema {
    of(string("id").computed().requires_replace())
}

// Attribute types.

pub(crate) fn dynamic_in_list() -> RuntimeSchema {
    of(Attribute::raw("tags", Type::list(Type::object([("a", Type::Dynamic)]))))
}

pub(crate) fn dynamic_in_map() -> RuntimeSchema {
    of(nested("tags", Nested::map(inside(Attribute::raw("value", Type::Dynamic)))))
}

pub(crate) fn dynamic_in_set() -> RuntimeSchema {
    of(nested("tags", Nested::set(inside(Attribute::raw("value", Type::Dynamic)))))
}

pub(crate) fn dynamic_in_block() -> RuntimeSchema {
    block_of(nested("tag", Nested::list(inside(Attribute::raw("value", Type::Dynamic)))))
}

// Blocks.

pub(crate) fn block_of_strings() -> RuntimeSchema {
    block_of(Attribute::raw("tags", Type::list(Type::String)))
}

pub(crate) fn block_in_attribute() -> RuntimeSchema {
    of(nested("owner", Nested::single(Block::new().block(nested("card", Nested::list(Block::new()))))))
}

pub(crate) fn block_sensitive() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).sensitive())
}

pub(crate) fn block_write_only() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).write_only())
}

pub(crate) fn block_default() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).default(Vec::<String>::new))
}

pub(crate) fn block_key() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).key())
}

pub(crate) fn requires_replace_if_of_block() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).requires_replace_if::<Vec<String>>(|_| true))
}

pub(crate) fn plan_with_of_block() -> RuntimeSchema {
    block_of(
        nested("owner", Nested::list(Block::new())).optional_computed().plan_with::<Vec<String>, _>(planned),
    )
}

pub(crate) fn block_computed() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).computed())
}

pub(crate) fn computed_block_with_input() -> RuntimeSchema {
    let inner = inside(string("name")).block(nested("card", Nested::list(Block::new())));
    block_of(nested("owner", Nested::list(inner)).optional_computed())
}

pub(crate) fn computed_block_with_min_items() -> RuntimeSchema {
    block_of(nested("owner", Nested::list(Block::new())).optional_computed().min_items(1))
}

pub(crate) fn computed_block_with_write_only() -> RuntimeSchema {
    let settings = nested("settings", Nested::single(inside(key()))).optional_computed();
    block_of(nested("owner", Nested::list(inside(settings))).optional_computed())
}

// Numbers of elements.

pub(crate) fn items_of_string() -> RuntimeSchema {
    of(string("name").min_items(1))
}

pub(crate) fn items_of_object() -> RuntimeSchema {
    block_of(nested("owner", Nested::single(Block::new())).max_items(2))
}

pub(crate) fn items_of_computed() -> RuntimeSchema {
    of(Attribute::raw("tags", Type::list(Type::String)).computed().max_items(2))
}

pub(crate) fn min_items_above_max() -> RuntimeSchema {
    block_of(nested("disk", Nested::list(Block::new())).min_items(3).max_items(2))
}

// Validators.

pub(crate) fn validator_of_computed() -> RuntimeSchema {
    of(string("id").computed().validate::<String, _>(validators::length_at_most(3)))
}

pub(crate) fn validator_of_other_type() -> RuntimeSchema {
    of(Attribute::raw("size", Type::Number).validate::<String, _>(validators::length_at_most(3)))
}

pub(crate) fn validator_of_other_elements() -> RuntimeSchema {
    of(Attribute::raw("sizes", Type::list(Type::Number))
        .validate::<Vec<String>, _>(validators::each(validators::matches("^a", "an a is required"))))
}

pub(crate) fn element_validator_of_string() -> RuntimeSchema {
    let mut name = string("name");
    let erased: Validator<Vec<String>> =
        validators::all([validators::size_at_least(1), validators::unique_values()]);
    name.behavior_mut()
        .validators
        .push(Validator::<Value>::new("", |_| Ok(())).check_type(move |ty| erased.type_error(ty)));
    of(name)
}

pub(crate) fn invalid_regular_expression() -> RuntimeSchema {
    of(string("name").validate::<String, _>(validators::matches("a(", "an a is required")))
}

pub(crate) fn empty_range() -> RuntimeSchema {
    of(Attribute::of::<Option<i64>>("size").validate::<i64, _>(validators::between(10, 1)))
}

pub(crate) fn empty_length() -> RuntimeSchema {
    of(string("name")
        .validate::<String, _>(validators::any([validators::length_between(5, 4), validators::json()])))
}

pub(crate) fn empty_size() -> RuntimeSchema {
    let tags = Attribute::of::<Option<Vec<String>>>("tags");
    of(tags.validate::<Vec<String>, _>(validators::warning(validators::size_between(5, 4))))
}

// Relations and groups.

fn related(kind: RelationKind, one: Attribute, other: Attribute) -> RuntimeSchema {
    let named = other.name().clone();
    resource(Block::new().attribute(one.relation(kind, [named])).attribute(other))
}

pub(crate) fn relation_typo() -> RuntimeSchema {
    of(string("path").relation(RelationKind::Requires, ["url"]))
}

pub(crate) fn relation_with_itself() -> RuntimeSchema {
    of(string("path").relation(RelationKind::ConflictsWith, ["path"]))
}

pub(crate) fn relation_without_attributes() -> RuntimeSchema {
    of(string("path").relation_to(RelationKind::ConflictsWith, RelatedAttributes::default()))
}

pub(crate) fn required_with_conflicts() -> RuntimeSchema {
    related(RelationKind::ConflictsWith, string("path").with_mode(Mode::Required), string("url"))
}

pub(crate) fn exactly_one_of_required() -> RuntimeSchema {
    related(RelationKind::ExactlyOneOf, string("path").with_mode(Mode::Required), string("url"))
}

pub(crate) fn at_least_one_of_required() -> RuntimeSchema {
    related(RelationKind::AtLeastOneOf, string("path").with_mode(Mode::Required), string("url"))
}

pub(crate) fn conflicts_with_required() -> RuntimeSchema {
    related(RelationKind::ConflictsWith, string("path"), string("url").with_mode(Mode::Required))
}

pub(crate) fn requires_required() -> RuntimeSchema {
    related(RelationKind::Requires, string("path"), string("url").with_mode(Mode::Required))
}

pub(crate) fn requires_required_block() -> RuntimeSchema {
    let block = nested("disk", Nested::single(Block::new())).with_mode(Mode::Required);
    resource(Block::new().attribute(string("path").relation(RelationKind::Requires, ["disk"])).block(block))
}

pub(crate) fn relation_of_computed() -> RuntimeSchema {
    related(RelationKind::Requires, string("id").computed(), string("url"))
}

pub(crate) fn relation_with_computed() -> RuntimeSchema {
    related(RelationKind::ConflictsWith, string("path"), string("id").computed())
}

pub(crate) fn prefer_write_only_of_stored() -> RuntimeSchema {
    related(RelationKind::PreferWriteOnly, string("key"), string("token"))
}

pub(crate) fn sum_of_string() -> RuntimeSchema {
    related(RelationKind::AtLeastSumOf, string("total"), string("part"))
}

fn group(rule: GroupRule, names: &[&'static str]) -> RuntimeSchema {
    let block = Block::new()
        .attribute(string("path"))
        .attribute(string("url"))
        .attribute(string("size").with_mode(Mode::Required))
        .attribute(string("id").computed());
    resource(block.group(rule, names.iter().copied()))
}

pub(crate) fn group_typo() -> RuntimeSchema {
    group(GroupRule::ExactlyOne, &["path", "ulr"])
}

pub(crate) fn group_with_required() -> RuntimeSchema {
    group(GroupRule::AtMostOne, &["path", "size"])
}

pub(crate) fn group_with_computed() -> RuntimeSchema {
    group(GroupRule::AllOrNone, &["path", "id"])
}

pub(crate) fn group_with_one_member() -> RuntimeSchema {
    group(GroupRule::AtLeastOne, &["path"])
}

pub(crate) fn group_with_repeated_member() -> RuntimeSchema {
    group(GroupRule::AtLeastOne, &["path", "path"])
}

fn related_in_list(pattern: Pattern) -> RuntimeSchema {
    let size =
        string("size").relation_to(RelationKind::Requires, RelatedAttributes::default().and([pattern]));
    let disk = inside(string("kind")).attribute(size);
    resource(Block::new().attribute(nested("disks", Nested::list(disk))).attribute(string("path")))
}

pub(crate) fn pattern_typo() -> RuntimeSchema {
    related_in_list(pattern!(disks[*].knd))
}

pub(crate) fn pattern_without_element() -> RuntimeSchema {
    related_in_list(pattern!(disks.kind))
}

pub(crate) fn pattern_outside_of_root() -> RuntimeSchema {
    related_in_list(pattern!(super.super.super.super.path))
}

/// Returns a schema whose attribute `path` is related to the attribute that the pattern names.
fn related_to_pattern(kind: RelationKind, path: Attribute, pattern: Pattern) -> RuntimeSchema {
    let person = |name| nested(name, Nested::single(inside(string("name").with_mode(Mode::Required))));
    resource(
        Block::new()
            .attribute(path.relation_to(kind, RelatedAttributes::default().and([pattern])))
            .attribute(string("url").with_mode(Mode::Required))
            .attribute(string("id").computed())
            .attribute(person("owner"))
            .attribute(person("boss").with_mode(Mode::Required)),
    )
}

pub(crate) fn pattern_of_itself() -> RuntimeSchema {
    related_to_pattern(RelationKind::ConflictsWith, string("path"), pattern!(path))
}

pub(crate) fn pattern_of_itself_in_element() -> RuntimeSchema {
    related_in_list(pattern!(super.size))
}

pub(crate) fn pattern_of_required() -> RuntimeSchema {
    related_to_pattern(RelationKind::ConflictsWith, string("path"), pattern!(url))
}

pub(crate) fn pattern_of_required_nested_attribute() -> RuntimeSchema {
    related_to_pattern(RelationKind::Requires, string("path"), pattern!(boss.name))
}

pub(crate) fn pattern_of_required_sibling() -> RuntimeSchema {
    related_to_pattern(RelationKind::ExactlyOneOf, string("path"), pattern!(super.url))
}

pub(crate) fn pattern_of_computed() -> RuntimeSchema {
    related_to_pattern(RelationKind::ConflictsWith, string("path"), pattern!(super.id))
}

pub(crate) fn pattern_of_stored() -> RuntimeSchema {
    related_to_pattern(RelationKind::PreferWriteOnly, string("path"), pattern!(owner))
}

pub(crate) fn pattern_of_string() -> RuntimeSchema {
    let path = Attribute::of::<Option<i64>>("path");
    related_to_pattern(RelationKind::AtLeastSumOf, path, pattern!(owner.name))
}

pub(crate) fn group_with_repeated_pattern() -> RuntimeSchema {
    let both = RelatedAttributes::siblings(["path"]).and([pattern!(path)]);
    resource(inside(string("path")).group_with(GroupRule::AtMostOne, both))
}

// Functions with an argument of another type.

fn never<T>(_: &T, _: &T) -> bool {
    false
}

pub(crate) fn requires_replace_if_of_other_type() -> RuntimeSchema {
    of(string("name").requires_replace_if::<i64>(|_| false))
}

pub(crate) fn suppress_diff_of_other_type() -> RuntimeSchema {
    of(string("name").suppress_diff::<i64, _>(never::<i64>))
}

pub(crate) fn semantic_eq_of_other_type() -> RuntimeSchema {
    of(string("name").semantic_eq::<i64, _>(never::<i64>))
}

pub(crate) fn default_with_of_other_type() -> RuntimeSchema {
    of(string("name").default_with::<i64, _>(|| Some(1_i64)))
}

pub(crate) fn suppress_on_refresh_without_suppress_diff() -> RuntimeSchema {
    of(string("name").suppress_on_refresh())
}

pub(crate) fn suppress_diff_of_computed() -> RuntimeSchema {
    of(string("id").computed().suppress_diff::<String, _>(never::<String>))
}

pub(crate) fn suppress_diff_of_write_only() -> RuntimeSchema {
    of(key().suppress_diff::<String, _>(never::<String>))
}

pub(crate) fn semantic_eq_of_write_only() -> RuntimeSchema {
    of(key().semantic_eq::<String, _>(never::<String>))
}

pub(crate) fn key_of_computed() -> RuntimeSchema {
    of(string("id").computed().key())
}

pub(crate) fn validator_of_other_object() -> RuntimeSchema {
    resource(inside(string("name")).validate::<i64, _>(|_: &i64| Err("never")))
}

pub(crate) fn flattened_validator_of_other_object() -> RuntimeSchema {
    let name = inside(string("name")).validate::<i64, _>(|_: &i64| Err("never"));
    resource(inside(string("other")).flatten(name))
}

pub(crate) fn dynamic_in_object() -> RuntimeSchema {
    of(Attribute::raw("tags", Type::object([("x", Type::set(Type::Dynamic))])))
}

pub(crate) fn dynamic_in_tuple() -> RuntimeSchema {
    of(Attribute::raw("tags", Type::tuple([Type::String, Type::list(Type::Dynamic)])))
}

// Plan modifiers.

fn planned<T: Attr>(it: &ValueChange<T>) -> Maybe<Option<T>> {
    it.as_planned()
}

pub(crate) fn plan_with_of_required() -> RuntimeSchema {
    of(Attribute::of::<i64>("size").plan_with::<i64, _>(planned))
}

pub(crate) fn plan_with_of_optional() -> RuntimeSchema {
    of(string("name").plan_with::<String, _>(planned))
}

pub(crate) fn plan_with_and_default() -> RuntimeSchema {
    of(string("name").default(String::new).plan_with::<String, _>(planned))
}

pub(crate) fn plan_with_and_default_with() -> RuntimeSchema {
    of(string("name").default_with(|| Some(String::new())).plan_with::<String, _>(planned))
}

pub(crate) fn plan_with_of_write_only() -> RuntimeSchema {
    of(key().plan_with::<String, _>(planned))
}

pub(crate) fn plan_with_of_other_type() -> RuntimeSchema {
    of(string("name").computed().plan_with::<i64, _>(planned))
}

// Valid schemas.

pub(crate) fn valid() -> Vec<RuntimeSchema> {
    let mut inner = inside(string("name").optional_computed()).attribute(string("id").computed());
    inner = inner.block(nested("part", Nested::list(inside(string("id").computed()))).optional_computed());
    let disk = nested("disk", Nested::set(inner)).optional_computed().use_state_for_unknown().max_items(4);
    let labelled = nested("rule", Nested::map(inside(string("port")))).min_items(1).max_items(9);
    let provider = inside(string("count")).attribute(string("region").default(String::new));
    vec![
        of(string("name").computed().plan_with::<String, _>(planned)),
        related_in_list(pattern!(disks[*].kind)),
        related_in_list(pattern!(super.kind)),
        related_in_list(pattern!(super.super.super.path)),
        // A relation to the same attribute of another element, and to an attribute of an optional object.
        related_in_list(pattern!(disks[*].size)),
        related_to_pattern(RelationKind::ConflictsWith, string("path"), pattern!(owner.name)),
        resource(
            Block::new()
                .attribute(string("id").computed().follows(["disk"]))
                .block(nested("disk", Nested::list(inside(string("name"))))),
        ),
        of(string("id").computed().semantic_eq::<String, _>(never::<String>)),
        of(Attribute::raw("any", Type::tuple([Type::Dynamic, Type::object([("x", Type::Dynamic)])]))),
        resource(
            inside(string("other"))
                .flatten(inside(string("name")).validate::<Dynamic, _>(|_: &Dynamic| Err("never"))),
        ),
        block_of(disk),
        block_of(labelled),
        block_of(nested("owner", Nested::single(inside(string("name")))).with_mode(Mode::Required)),
        (provider, Kind::Provider),
    ]
}
