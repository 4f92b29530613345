//! Schemas built at run time, each with one mistake.

use ferroform::schema::{
    Attribute, AttributeExt as _, Block, BlockExt as _, GroupRule, Mode, Nested, RelatedAttributes,
    RelationKind, SchemaKind, ValueChange,
};
use ferroform::validators::{self, Validator};
use ferroform::value::{Type, Value};
use ferroform::{Attr, Dynamic, Maybe, Pattern, pattern};

pub(crate) type Made = (Block, SchemaKind);

fn resource(block: Block) -> Made {
    (block, SchemaKind::Resource)
}

fn text(name: &str) -> Attribute {
    Attribute::raw(name, Type::String).mode(Mode::Optional)
}

fn of(attribute: Attribute) -> Made {
    resource(Block::new().attribute(attribute))
}

fn block_of(attribute: Attribute) -> Made {
    resource(Block::new().block(attribute))
}

fn nested(name: &str, nested: Nested) -> Attribute {
    Attribute::raw_nested(name, nested).mode(Mode::Optional)
}

fn inside(attribute: Attribute) -> Block {
    Block::new().attribute(attribute)
}

fn key() -> Attribute {
    text("key").write_only()
}

// Names.

pub(crate) fn capital() -> Made {
    of(text("Path"))
}

pub(crate) fn digit_first() -> Made {
    of(nested("owner", Nested::single(inside(text("2nd")))))
}

pub(crate) fn name_of_block() -> Made {
    block_of(nested("a-b", Nested::list(inside(text("name")))))
}

pub(crate) fn same_name() -> Made {
    resource(Block::new().attribute(text("path")).block(nested("path", Nested::list(Block::new()))))
}

pub(crate) fn flattened_name() -> Made {
    resource(Block::new().attribute(text("path")).flatten(inside(text("path"))))
}

pub(crate) fn reserved() -> Made {
    let block = ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"]
        .into_iter()
        .fold(Block::new(), |block, name| block.attribute(text(name)));
    resource(block)
}

pub(crate) fn reserved_in_data_source() -> Made {
    (Block::new().block(nested("lifecycle", Nested::list(Block::new()))), SchemaKind::DataSource)
}

pub(crate) fn reserved_in_provider() -> Made {
    let block = Block::new().attribute(text("alias")).attribute(text("version")).attribute(text("count"));
    (block.block(nested("provisioner", Nested::list(Block::new()))), SchemaKind::Provider)
}

// Who writes what.

pub(crate) fn write_only_computed() -> Made {
    of(text("key").computed().write_only())
}

pub(crate) fn write_only_default() -> Made {
    of(text("key").default(String::new).write_only())
}

pub(crate) fn write_only_replaces() -> Made {
    of(key().requires_replace())
}

pub(crate) fn write_only_set() -> Made {
    of(Attribute::raw("keys", Type::set(Type::String)).mode(Mode::Optional).write_only())
}

pub(crate) fn write_only_in_data_source() -> Made {
    (Block::new().attribute(nested("access", Nested::single(inside(key())))), SchemaKind::DataSource)
}

pub(crate) fn in_provider() -> Made {
    let computed = nested("access", Nested::single(inside(text("id").computed())));
    (Block::new().attribute(key()).attribute(computed), SchemaKind::Provider)
}

pub(crate) fn write_only_holds_stored() -> Made {
    of(nested("access", Nested::list(inside(text("name")).attribute(key()))).write_only())
}

pub(crate) fn computed_holds_write_only() -> Made {
    let deep = nested("deep", Nested::single(inside(key())));
    of(nested("access", Nested::map(inside(deep))).optional_computed())
}

pub(crate) fn write_only_in_set() -> Made {
    of(nested("access", Nested::set(inside(nested("deep", Nested::single(inside(key())))))))
}

pub(crate) fn write_only_in_set_block() -> Made {
    block_of(nested("access", Nested::set(inside(key()))))
}

pub(crate) fn default_of_required() -> Made {
    of(text("path").default(String::new).mode(Mode::Required))
}

pub(crate) fn default_of_computed() -> Made {
    of(text("path").default(String::new).mode(Mode::Computed))
}

pub(crate) fn default_of_wrong_type() -> Made {
    of(Attribute::of::<u8>("size").default(|| 300_i64))
}

pub(crate) fn keep_of_input() -> Made {
    of(text("path").use_state_for_unknown())
}

pub(crate) fn keep_of_block() -> Made {
    block_of(nested("disk", Nested::list(Block::new())).use_state_for_unknown())
}

pub(crate) fn follows_itself() -> Made {
    resource(Block::new().attribute(text("id").computed().follows(["id"])).attribute(text("path")))
}

pub(crate) fn follows_nothing() -> Made {
    resource(Block::new().attribute(text("id").computed().follows(["pth"])).attribute(text("path")))
}

pub(crate) fn follows_write_only() -> Made {
    resource(Block::new().attribute(text("id").computed().follows(["key"])).attribute(key()))
}

pub(crate) fn fingerprint_of_stored() -> Made {
    let followed = text("path").optional().fingerprint();
    resource(Block::new().attribute(text("id").computed().follows(["path"])).attribute(followed))
}

pub(crate) fn replace_of_computed() -> Made {
    of(text("id").computed().requires_replace())
}

// Types.

pub(crate) fn dynamic_in_list() -> Made {
    of(Attribute::raw("tags", Type::list(Type::object([("a", Type::Dynamic)]))))
}

pub(crate) fn dynamic_in_map() -> Made {
    of(nested("tags", Nested::map(inside(Attribute::raw("value", Type::Dynamic)))))
}

pub(crate) fn dynamic_in_set() -> Made {
    of(nested("tags", Nested::set(inside(Attribute::raw("value", Type::Dynamic)))))
}

pub(crate) fn dynamic_in_block() -> Made {
    block_of(nested("tag", Nested::list(inside(Attribute::raw("value", Type::Dynamic)))))
}

// Blocks.

pub(crate) fn block_of_strings() -> Made {
    block_of(Attribute::raw("tags", Type::list(Type::String)))
}

pub(crate) fn block_in_attribute() -> Made {
    of(nested("owner", Nested::single(Block::new().block(nested("card", Nested::list(Block::new()))))))
}

pub(crate) fn block_sensitive() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).sensitive())
}

pub(crate) fn block_write_only() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).write_only())
}

pub(crate) fn block_default() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).default(Vec::<String>::new))
}

pub(crate) fn block_key() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).key())
}

pub(crate) fn block_replaces_if() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).requires_replace_if::<Vec<String>>(|_| true))
}

pub(crate) fn block_plans() -> Made {
    block_of(
        nested("owner", Nested::list(Block::new())).optional_computed().plan_with::<Vec<String>, _>(planned),
    )
}

pub(crate) fn block_computed() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).computed())
}

pub(crate) fn computed_block_with_input() -> Made {
    let inner = inside(text("name")).block(nested("card", Nested::list(Block::new())));
    block_of(nested("owner", Nested::list(inner)).optional_computed())
}

pub(crate) fn computed_block_with_least() -> Made {
    block_of(nested("owner", Nested::list(Block::new())).optional_computed().min_items(1))
}

pub(crate) fn computed_block_with_write_only() -> Made {
    let settings = nested("settings", Nested::single(inside(key()))).optional_computed();
    block_of(nested("owner", Nested::list(inside(settings))).optional_computed())
}

// Numbers of elements.

pub(crate) fn items_of_string() -> Made {
    of(text("name").min_items(1))
}

pub(crate) fn items_of_object() -> Made {
    block_of(nested("owner", Nested::single(Block::new())).max_items(2))
}

pub(crate) fn items_of_computed() -> Made {
    of(Attribute::raw("tags", Type::list(Type::String)).computed().max_items(2))
}

pub(crate) fn least_above_most() -> Made {
    block_of(nested("disk", Nested::list(Block::new())).min_items(3).max_items(2))
}

// Rules.

pub(crate) fn rule_of_computed() -> Made {
    of(text("id").computed().validate::<String, _>(validators::length_at_most(3)))
}

pub(crate) fn rule_of_other_type() -> Made {
    of(Attribute::raw("size", Type::Number).validate::<String, _>(validators::length_at_most(3)))
}

pub(crate) fn rule_of_other_elements() -> Made {
    of(Attribute::raw("sizes", Type::list(Type::Number))
        .validate::<Vec<String>, _>(validators::each(validators::matches("^a", "an a is required"))))
}

pub(crate) fn rule_of_no_collection() -> Made {
    let mut name = text("name");
    let erased: Validator<Vec<String>> =
        validators::all([validators::size_at_least(1), validators::unique_values()]);
    name.behavior_mut()
        .validators
        .push(Validator::<Value>::new("", |_| Ok(())).check_type(move |ty| erased.type_error(ty)));
    of(name)
}

pub(crate) fn broken_expression() -> Made {
    of(text("name").validate::<String, _>(validators::matches("a(", "an a is required")))
}

pub(crate) fn empty_range() -> Made {
    of(Attribute::of::<Option<i64>>("size").validate::<i64, _>(validators::between(10, 1)))
}

pub(crate) fn empty_length() -> Made {
    of(text("name")
        .validate::<String, _>(validators::any([validators::length_between(5, 4), validators::json()])))
}

pub(crate) fn empty_size() -> Made {
    let tags = Attribute::of::<Option<Vec<String>>>("tags");
    of(tags.validate::<Vec<String>, _>(validators::warning(validators::size_between(5, 4))))
}

// What is set together.

fn pair(kind: RelationKind, one: Attribute, other: Attribute) -> Made {
    let named = other.name.clone();
    resource(Block::new().attribute(one.relation(kind, [named])).attribute(other))
}

pub(crate) fn relation_typo() -> Made {
    of(text("path").relation(RelationKind::Requires, ["url"]))
}

pub(crate) fn relation_with_itself() -> Made {
    of(text("path").relation(RelationKind::ConflictsWith, ["path"]))
}

pub(crate) fn relation_with_nothing() -> Made {
    of(text("path").relation_to(RelationKind::ConflictsWith, RelatedAttributes::default()))
}

pub(crate) fn conflicts_of_required() -> Made {
    pair(RelationKind::ConflictsWith, text("path").mode(Mode::Required), text("url"))
}

pub(crate) fn exactly_one_of_of_required() -> Made {
    pair(RelationKind::ExactlyOneOf, text("path").mode(Mode::Required), text("url"))
}

pub(crate) fn at_least_one_of_of_required() -> Made {
    pair(RelationKind::AtLeastOneOf, text("path").mode(Mode::Required), text("url"))
}

pub(crate) fn conflicts_with_required() -> Made {
    pair(RelationKind::ConflictsWith, text("path"), text("url").mode(Mode::Required))
}

pub(crate) fn requires_required() -> Made {
    pair(RelationKind::Requires, text("path"), text("url").mode(Mode::Required))
}

pub(crate) fn requires_required_block() -> Made {
    let block = nested("disk", Nested::single(Block::new())).mode(Mode::Required);
    resource(Block::new().attribute(text("path").relation(RelationKind::Requires, ["disk"])).block(block))
}

pub(crate) fn relation_of_computed() -> Made {
    pair(RelationKind::Requires, text("id").computed(), text("url"))
}

pub(crate) fn relation_with_computed() -> Made {
    pair(RelationKind::ConflictsWith, text("path"), text("id").computed())
}

pub(crate) fn prefer_stored() -> Made {
    pair(RelationKind::PreferWriteOnly, text("key"), text("token"))
}

pub(crate) fn sum_of_text() -> Made {
    pair(RelationKind::AtLeastSumOf, text("total"), text("part"))
}

fn group(together: GroupRule, names: &[&'static str]) -> Made {
    let block = Block::new()
        .attribute(text("path"))
        .attribute(text("url"))
        .attribute(text("size").mode(Mode::Required))
        .attribute(text("id").computed());
    resource(block.group(together, names.iter().copied()))
}

pub(crate) fn group_typo() -> Made {
    group(GroupRule::ExactlyOne, &["path", "ulr"])
}

pub(crate) fn group_with_required() -> Made {
    group(GroupRule::AtMostOne, &["path", "size"])
}

pub(crate) fn group_with_computed() -> Made {
    group(GroupRule::AllOrNone, &["path", "id"])
}

pub(crate) fn group_of_one() -> Made {
    group(GroupRule::AtLeastOne, &["path"])
}

pub(crate) fn group_names_twice() -> Made {
    group(GroupRule::AtLeastOne, &["path", "path"])
}

fn elsewhere(pattern: Pattern) -> Made {
    let size = text("size").relation_to(RelationKind::Requires, RelatedAttributes::default().and([pattern]));
    let disk = inside(text("kind")).attribute(size);
    resource(Block::new().attribute(nested("disks", Nested::list(disk))).attribute(text("path")))
}

pub(crate) fn pattern_typo() -> Made {
    elsewhere(pattern!(disks[*].knd))
}

pub(crate) fn pattern_without_element() -> Made {
    elsewhere(pattern!(disks.kind))
}

pub(crate) fn pattern_too_high() -> Made {
    elsewhere(pattern!(super.super.super.super.path))
}

/// An attribute `path` that bears on what the pattern means, beside others.
fn pointing(kind: RelationKind, path: Attribute, pattern: Pattern) -> Made {
    let person = |name| nested(name, Nested::single(inside(text("name").mode(Mode::Required))));
    resource(
        Block::new()
            .attribute(path.relation_to(kind, RelatedAttributes::default().and([pattern])))
            .attribute(text("url").mode(Mode::Required))
            .attribute(text("id").computed())
            .attribute(person("owner"))
            .attribute(person("boss").mode(Mode::Required)),
    )
}

pub(crate) fn pattern_of_itself() -> Made {
    pointing(RelationKind::ConflictsWith, text("path"), pattern!(path))
}

pub(crate) fn pattern_of_itself_in_element() -> Made {
    elsewhere(pattern!(super.size))
}

pub(crate) fn pattern_of_required() -> Made {
    pointing(RelationKind::ConflictsWith, text("path"), pattern!(url))
}

pub(crate) fn pattern_of_required_deeper() -> Made {
    pointing(RelationKind::Requires, text("path"), pattern!(boss.name))
}

pub(crate) fn pattern_of_required_beside() -> Made {
    pointing(RelationKind::ExactlyOneOf, text("path"), pattern!(super.url))
}

pub(crate) fn pattern_of_computed() -> Made {
    pointing(RelationKind::ConflictsWith, text("path"), pattern!(super.id))
}

pub(crate) fn pattern_of_stored() -> Made {
    pointing(RelationKind::PreferWriteOnly, text("path"), pattern!(owner))
}

pub(crate) fn pattern_of_text() -> Made {
    let path = Attribute::of::<Option<i64>>("path");
    pointing(RelationKind::AtLeastSumOf, path, pattern!(owner.name))
}

pub(crate) fn group_of_pattern_twice() -> Made {
    let both = RelatedAttributes::siblings(["path"]).and([pattern!(path)]);
    resource(inside(text("path")).group_with(GroupRule::AtMostOne, both))
}

// Functions for other types.

fn never<T>(_: &T, _: &T) -> bool {
    false
}

pub(crate) fn replaces_if_of_other_type() -> Made {
    of(text("name").requires_replace_if::<i64>(|_| false))
}

pub(crate) fn suppresses_of_other_type() -> Made {
    of(text("name").suppress_diff::<i64, _>(never::<i64>))
}

pub(crate) fn means_of_other_type() -> Made {
    of(text("name").semantic_eq::<i64, _>(never::<i64>))
}

pub(crate) fn default_with_of_other_type() -> Made {
    of(text("name").default_with::<i64, _>(|| Some(1_i64)))
}

pub(crate) fn suppresses_on_refresh_alone() -> Made {
    of(text("name").suppress_on_refresh())
}

pub(crate) fn suppresses_computed() -> Made {
    of(text("id").computed().suppress_diff::<String, _>(never::<String>))
}

pub(crate) fn suppresses_write_only() -> Made {
    of(key().suppress_diff::<String, _>(never::<String>))
}

pub(crate) fn compares_write_only() -> Made {
    of(key().semantic_eq::<String, _>(never::<String>))
}

pub(crate) fn key_of_computed() -> Made {
    of(text("id").computed().key())
}

pub(crate) fn rule_of_other_object() -> Made {
    resource(inside(text("name")).validate::<i64, _>(|_: &i64| Err("never")))
}

pub(crate) fn rule_of_other_object_flattened() -> Made {
    let name = inside(text("name")).validate::<i64, _>(|_: &i64| Err("never"));
    resource(inside(text("other")).flatten(name))
}

pub(crate) fn dynamic_in_object() -> Made {
    of(Attribute::raw("tags", Type::object([("x", Type::set(Type::Dynamic))])))
}

pub(crate) fn dynamic_in_tuple() -> Made {
    of(Attribute::raw("tags", Type::tuple([Type::String, Type::list(Type::Dynamic)])))
}

// Functions that say what is planned.

fn planned<T: Attr>(it: &ValueChange<T>) -> Maybe<Option<T>> {
    it.as_planned()
}

pub(crate) fn plans_required() -> Made {
    of(Attribute::of::<i64>("size").plan_with::<i64, _>(planned))
}

pub(crate) fn plans_optional() -> Made {
    of(text("name").plan_with::<String, _>(planned))
}

pub(crate) fn plans_default() -> Made {
    of(text("name").default(String::new).plan_with::<String, _>(planned))
}

pub(crate) fn plans_default_with() -> Made {
    of(text("name").default_with(|| Some(String::new())).plan_with::<String, _>(planned))
}

pub(crate) fn plans_write_only() -> Made {
    of(key().plan_with::<String, _>(planned))
}

pub(crate) fn plans_other_type() -> Made {
    of(text("name").computed().plan_with::<i64, _>(planned))
}

// No mistakes.

pub(crate) fn sound() -> Vec<Made> {
    let mut inner = inside(text("name").optional_computed()).attribute(text("id").computed());
    inner = inner.block(nested("part", Nested::list(inside(text("id").computed()))).optional_computed());
    let disk = nested("disk", Nested::set(inner)).optional_computed().use_state_for_unknown().max_items(4);
    let labelled = nested("rule", Nested::map(inside(text("port")))).min_items(1).max_items(9);
    let provider = inside(text("count")).attribute(text("region").default(String::new));
    vec![
        of(text("name").computed().plan_with::<String, _>(planned)),
        elsewhere(pattern!(disks[*].kind)),
        elsewhere(pattern!(super.kind)),
        elsewhere(pattern!(super.super.super.path)),
        // Of the sizes one at most; the owner need not be there.
        elsewhere(pattern!(disks[*].size)),
        pointing(RelationKind::ConflictsWith, text("path"), pattern!(owner.name)),
        resource(
            Block::new()
                .attribute(text("id").computed().follows(["disk"]))
                .block(nested("disk", Nested::list(inside(text("name"))))),
        ),
        of(text("id").computed().semantic_eq::<String, _>(never::<String>)),
        of(Attribute::raw("any", Type::tuple([Type::Dynamic, Type::object([("x", Type::Dynamic)])]))),
        resource(
            inside(text("other"))
                .flatten(inside(text("name")).validate::<Dynamic, _>(|_: &Dynamic| Err("never"))),
        ),
        block_of(disk),
        block_of(labelled),
        block_of(nested("owner", Nested::single(inside(text("name")))).mode(Mode::Required)),
        (provider, SchemaKind::Provider),
    ]
}
