//! `suppress_diff`, `semantic_eq` and `requires_replace_if` at every nesting level.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Word, check, instance, plan, refreshed};
use expect_test::{Expect, expect};
use ferroform::schema::{Attribute, AttributeExt as _, Block, Nested, Schema, ValueChange};
use ferroform::value::Type;
use ferroform::{Known, Model, Set};
use ferroform_testing::{Action, Configuration, Literal, config, unknown};

fn within_ten_percent(old: &i64, new: &i64) -> bool {
    (old - new).abs() < 10
}

fn same_length(old: &[String], new: &[String]) -> bool {
    old.len() == new.len()
}

fn same_owner(old: &Owner, new: &Owner) -> bool {
    old.name == new.name
}

fn same_ports(old: &BTreeSet<i64>, new: &BTreeSet<i64>) -> bool {
    old.iter().max() == new.iter().max()
}

fn is_not_shorter(old: &[Owner], new: &[Owner]) -> bool {
    new.len() <= old.len()
}

/// A `suppress_diff` attribute of each mode and type.
#[derive(Model, Clone, Debug, PartialEq)]
struct Suppressed {
    #[attr(suppress_diff = str::eq_ignore_ascii_case)]
    name: String,
    #[attr(suppress_diff = within_ten_percent)]
    size: Option<i64>,
    #[attr(default = 50, suppress_diff = within_ten_percent)]
    weight: i64,
    #[attr(optional, computed, suppress_diff = within_ten_percent)]
    depth: i64,
    #[attr(suppress_diff = same_length)]
    tags: Option<Vec<String>>,
    #[attr(suppress_diff = same_ports, requires_replace)]
    ports: Option<BTreeSet<i64>>,
    #[attr(suppress_diff = same_owner, mixed)]
    owner: Option<Owner>,
    #[attr(suppress_diff = is_not_shorter, mixed)]
    owners: Option<Vec<Owner>>,
    note: Option<String>,
    #[attr(computed)]
    stamp: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    mail: Option<String>,
    #[attr(computed)]
    id: String,
}

fn state() -> Configuration {
    config! {
        name = "one", size = 100, weight = 55, depth = 7, tags = ["a", "b"], ports = [1, 9], stamp = "s",
        owner = { name = "me", mail = "old", id = "1" },
        owners = [{ name = "a", id = "1" }, { name = "b", id = "2" }],
    }
}

#[test]
fn suppressed_difference_is_not_planned() {
    check::<Suppressed>(
        Some(state()),
        config! {
            name = "ONE", size = 101, depth = 9, tags = ["c", "d"], ports = [2, 9],
            owner = { name = "me", mail = "new" }, owners = [{ name = "x" }],
        },
        expect![[r#"no change"#]],
    );
    // If another attribute changes, suppressed attributes keep their prior values, including computed values inside
    // them.
    check::<Suppressed>(
        Some(state()),
        config! {
            name = "ONE", size = 101, depth = 9, tags = ["c", "d"], ports = [2, 9], note = "n",
            owner = { name = "me", mail = "new" }, owners = [{ name = "x" }],
        },
        expect![[r#"
            update
            + note = "n"
            ~ stamp = "s" -> (known after apply)"#]],
    );
}

#[test]
fn difference_that_is_not_suppressed_is_planned() {
    check::<Suppressed>(
        Some(state()),
        config! {
            name = "two", size = 110, weight = 70, depth = 30, tags = ["c"], ports = [1, 8],
            owner = { name = "you" }, owners = [{ name = "a" }, { name = "b" }, { name = "c" }],
        },
        expect![[r#"
            replace
            ~ name = "one" -> "two"
            ~ size = 100 -> 110
            ~ weight = 55 -> 70
            ~ depth = 7 -> 30
            ~ tags = ["a", "b"] -> ["c"]
            ~ ports = [1, 9] -> [1, 8] # forces replacement
            ~ owner.name = "me" -> "you"
            ~ owner.id = "1" -> (known after apply)
            ~ owners[0].id = "1" -> (known after apply)
            ~ owners[1].id = "2" -> (known after apply)
            + owners[2].name = "c"
            + owners[2].id = (known after apply)
            ~ stamp = "s" -> (known after apply)
            - owner.mail = "old""#]],
    );
}

/// `suppress_diff` is not called if the prior or the planned value is null or unknown.
#[test]
fn suppress_diff_compares_only_known_values() {
    fn never(_: &String, _: &String) -> bool {
        panic!("suppress_diff was called")
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct NeverCompared {
        #[attr(suppress_diff = never)]
        name: String,
        #[attr(suppress_diff = never)]
        note: Option<String>,
        #[attr(optional, computed, suppress_diff = never)]
        zone: String,
    }
    for (state, config, action) in [
        (None, config! { name = "a", note = "n", zone = "z" }, Action::Create),
        (Some(config! { name = "a", zone = "z" }), config! { name = "a", note = "n" }, Action::Update),
        (Some(config! { name = "a", note = "n", zone = "z" }), config! { name = "a" }, Action::Update),
        (
            Some(config! { name = "a", zone = "z" }),
            config! { name = unknown(), zone = unknown() },
            Action::Update,
        ),
        (Some(config! { name = "a", zone = "z" }), config! { name = "a", zone = "z" }, Action::NoOp),
        (Some(config! { name = "a", zone = "z" }), config! { name = "a" }, Action::NoOp),
    ] {
        assert_eq!(plan::<NeverCompared>(state, config).action, action);
    }
}

/// The options in nested attributes of every nesting mode.
#[derive(Model, Clone, Debug, PartialEq)]
struct Deep {
    #[attr(mixed)]
    one: Option<Part>,
    #[attr(mixed)]
    list: Option<Vec<Part>>,
    #[attr(mixed)]
    map: Option<BTreeMap<String, Part>>,
    #[attr(mixed)]
    set: Option<Set<Part>>,
    #[attr(mixed)]
    keyed: Option<Set<Keyed>>,
    #[attr(block, mixed)]
    block: Vec<Part>,
    #[attr(mixed)]
    deeper: Option<BTreeMap<String, Inner>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Inner {
    #[attr(mixed)]
    parts: Vec<Part>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    label: String,
    #[attr(suppress_diff = within_ten_percent, requires_replace_if = shrinks)]
    size: Option<i64>,
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    word: Option<String>,
    #[attr(computed, follows(size, word))]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Keyed {
    #[attr(key)]
    label: String,
    #[attr(suppress_diff = within_ten_percent, suppress_on_refresh, requires_replace_if = shrinks)]
    size: Option<i64>,
    word: Option<Word>,
    #[attr(computed, follows(size, word))]
    id: String,
}

fn shrinks(it: &ValueChange<i64>) -> bool {
    match (&it.prior, &it.plan) {
        (Some(old), Known(Some(new))) => new < old,
        (_, plan) => plan.is_unknown(),
    }
}

/// Returns a configuration with one part for each nesting mode.
fn deep(part: Configuration) -> Configuration {
    let one = || Literal::from(part.clone());
    let many = || Literal::Tuple(vec![one()]);
    let by_key = |key: &str, it: Literal| Literal::from(Configuration::new().set(key, it));
    Configuration::new()
        .set("one", one())
        .set("list", many())
        .set("map", by_key("k", one()))
        .set("set", many())
        .set("keyed", many())
        .block("block", part.clone())
        .set("deeper", by_key("x", by_key("parts", many())))
}

fn check_deep(state: Configuration, config: Configuration, expected: Expect) {
    expected.assert_eq(&plan::<Deep>(Some(deep(state)), deep(config)).to_string());
}

#[test]
fn suppress_diff_works_in_every_nesting() {
    let state = || config! { label = "a", size = 100, word = "Word", id = "1" };
    check_deep(state(), config! { label = "a", size = 105, word = "WORD" }, expect!["no change"]);
    check_deep(
        state(),
        config! { label = "a", size = 120, word = "Word" },
        expect![[r#"
        update
        ~ one.size = 100 -> 120
        ~ one.id = "1" -> (known after apply)
        ~ list[0].size = 100 -> 120
        ~ list[0].id = "1" -> (known after apply)
        ~ map["k"].size = 100 -> 120
        ~ map["k"].id = "1" -> (known after apply)
        ~ set = [{id = "1", label = "a", size = 100, word = "Word"}] -> [{id = (known after apply), label = "a", size = 120, word = "Word"}]
        ~ keyed = [{id = "1", label = "a", size = 100, word = "Word"}] -> [{id = (known after apply), label = "a", size = 120, word = "Word"}]
        ~ deeper["x"].parts[0].size = 100 -> 120
        ~ deeper["x"].parts[0].id = "1" -> (known after apply)
        ~ block[0].size = 100 -> 120
        ~ block[0].id = "1" -> (known after apply)"#]],
    );
    check_deep(
        state(),
        config! { label = "a", size = 100, word = unknown() },
        expect![[r#"
            update
            ~ one.word = "Word" -> (known after apply)
            ~ one.id = "1" -> (known after apply)
            ~ list[0].word = "Word" -> (known after apply)
            ~ list[0].id = "1" -> (known after apply)
            ~ map["k"].word = "Word" -> (known after apply)
            ~ map["k"].id = "1" -> (known after apply)
            ~ set = [{id = "1", label = "a", size = 100, word = "Word"}] -> [{id = (known after apply), label = "a", size = (known after apply), word = (known after apply)}]
            ~ keyed = [{id = "1", label = "a", size = 100, word = "Word"}] -> [{id = (known after apply), label = "a", size = 100, word = (known after apply)}]
            ~ deeper["x"].parts[0].word = "Word" -> (known after apply)
            ~ deeper["x"].parts[0].id = "1" -> (known after apply)
            ~ block[0].word = "Word" -> (known after apply)
            ~ block[0].id = "1" -> (known after apply)"#]],
    );
}

#[test]
fn requires_replace_if_works_in_every_nesting() {
    let state = || config! { label = "a", size = 100, id = "1" };
    for (config, action) in [
        (config! { label = "a", size = 50 }, Action::Replace),
        (config! { label = "a", size = 150 }, Action::Update),
        (config! { label = "a", size = 95 }, Action::NoOp),
        (config! { label = "a" }, Action::Update),
        (config! { label = "a", size = unknown() }, Action::Replace),
        (config! { label = "b", size = 100 }, Action::Update),
    ] {
        assert_eq!(plan::<Deep>(Some(deep(state())), deep(config.clone())).action, action, "{config:?}");
    }
    let replacement_paths = |config| {
        let plan = plan::<Deep>(Some(deep(state())), deep(config));
        plan.requires_replace.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    expect![[r#"one.size list[0].size map["k"].size keyed deeper["x"].parts[0].size block[0].size"#]]
        .assert_eq(&replacement_paths(config! { label = "a", size = 50 }));
}

/// The plan with an unknown value is consistent with the plan for every final value.
#[test]
fn unknown_value_may_become_any_value() {
    let tried = |state: Configuration, config: Configuration| {
        instance(Deep::schema(), true, Some(state)).plan_with_unknowns(config)
    };
    for config in [
        config! { label = "a", size = 150, word = "other" },
        config! { label = "b", size = 50 },
        config! { label = "a", size = 100 },
    ] {
        let state = deep(config! { label = "a", size = 100, word = "Word", id = "1" });
        assert!(tried(state, deep(config)) > 20);
    }
    // If the key is unknown, the matching prior element is unknown too, so no difference is suppressed.
    let part = || config! { label = "a", size = 105, word = "WORD" };
    let config = Configuration::new().set("one", part()).set("list", Literal::Tuple(vec![part().into()]));
    let state = config! {
        one = { label = "a", size = 100, word = "Word", id = "1" },
        list = [{ label = "a", size = 100, word = "Word", id = "1" }],
    };
    assert!(tried(state, config) > 5);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Read {
    #[attr(suppress_diff = within_ten_percent, suppress_on_refresh)]
    quiet: Option<i64>,
    #[attr(suppress_diff = within_ten_percent)]
    loud: Option<i64>,
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    word: Option<String>,
    #[attr(semantic_eq = same_owner, mixed)]
    owner: Option<Owner>,
    #[attr(semantic_eq = str::eq_ignore_ascii_case, computed)]
    origin: Option<String>,
    list: Option<Vec<Quiet>>,
    keyed: Option<Vec<KeyedQuiet>>,
    map: Option<BTreeMap<String, Quiet>>,
    set: Option<Set<Quiet>>,
    keyed_set: Option<Set<KeyedQuiet>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Quiet {
    label: String,
    #[attr(suppress_diff = within_ten_percent, suppress_on_refresh)]
    size: i64,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct KeyedQuiet {
    #[attr(key)]
    label: String,
    #[attr(suppress_diff = within_ten_percent, suppress_on_refresh)]
    size: i64,
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    word: Option<String>,
}

/// Compares the state after a read with a snapshot.
fn check_read(state: Configuration, found: Configuration, expected: Expect) {
    expected.assert_eq(&refreshed(Read::schema(), state, found));
}

#[test]
fn suppress_on_refresh_keeps_prior_value() {
    check_read(
        config! {
            quiet = 100, loud = 100, word = "Word", owner = { name = "me", mail = "old", id = "1" }, origin = "Made",
            list = [{ label = "a", size = 1 }, { label = "b", size = 50 }],
            keyed = [{ label = "a", size = 1, word = "Ay" }, { label = "b", size = 50, word = "Bee" }],
            map = { a = { label = "a", size = 1 }, b = { label = "b", size = 50 } },
            set = [{ label = "a", size = 1 }, { label = "b", size = 50 }],
            keyed_set = [{ label = "a", size = 1, word = "Ay" }, { label = "b", size = 50, word = "Bee" }],
        },
        config! {
            quiet = 101, loud = 101, word = "WORD", owner = { name = "me", mail = "new", id = "2" }, origin = "MADE",
            list = [{ label = "a", size = 2 }, { label = "b", size = 70 }],
            keyed = [{ label = "b", size = 51, word = "BEE" }, { label = "a", size = 20, word = "AY" }],
            map = { a = { label = "a", size = 2 }, c = { label = "b", size = 51 } },
            set = [{ label = "b", size = 51 }, { label = "a", size = 20 }],
            keyed_set = [{ label = "b", size = 51, word = "BEE" }, { label = "a", size = 20, word = "AY" }],
        },
        expect![[r#"
            quiet = 100
            loud = 101
            word = "Word"
            owner.name = "me"
            owner.mail = "old"
            owner.id = "1"
            origin = "Made"
            list[0].label = "a"
            list[0].size = 1
            list[1].label = "b"
            list[1].size = 70
            keyed[0].label = "b"
            keyed[0].size = 50
            keyed[0].word = "Bee"
            keyed[1].label = "a"
            keyed[1].size = 20
            keyed[1].word = "Ay"
            map["a"].label = "a"
            map["a"].size = 1
            map["c"].label = "b"
            map["c"].size = 51
            set = [{label = "a", size = 20}, {label = "b", size = 50}]
            keyed_set = [{label = "a", size = 20, word = "Ay"}, {label = "b", size = 50, word = "Bee"}]"#]],
    );
    // A null value is equal only to null.
    check_read(
        config! { quiet = 1, word = "a" },
        config! { loud = 1, owner = { name = "me", id = "1" } },
        expect![[r#"
            loud = 1
            owner.name = "me"
            owner.id = "1""#]],
    );
}

/// `semantic_eq` of an attribute applies in addition to the equality of its type.
#[test]
fn semantic_eq_extends_the_equality_of_the_type() {
    fn first_letter(old: &Word, new: &Word) -> bool {
        old.0.chars().next() == new.0.chars().next()
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Both {
        #[attr(semantic_eq = first_letter)]
        word: Word,
        #[attr(semantic_eq = same_many)]
        words: Option<Vec<Word>>,
    }
    fn same_many(old: &[Word], new: &[Word]) -> bool {
        old.is_empty() && new.len() == 1
    }
    let state = || config! { word = "Word", words = ["A", "B"] };
    for (config, action) in [
        (config! { word = "WORD", words = ["A", "B"] }, Action::NoOp),
        (config! { word = "Wing", words = ["A", "B"] }, Action::NoOp),
        (config! { word = "other", words = ["A", "B"] }, Action::Update),
        (config! { word = "Word", words = ["a", "c"] }, Action::Update),
    ] {
        assert_eq!(plan::<Both>(Some(state()), config.clone()).action, action, "{config:?}");
    }
    // A semantically equal collection is planned as configured and does not require replacement.
    for (words, config) in [
        (vec!["A", "B"], config! { word = "WORD", words = ["a", "b"] }),
        (vec![], config! { word = "WORD", words = ["x"] }),
    ] {
        let state = config! { word = "Word", words = words };
        assert_eq!(instance(Both::schema(), false, Some(state)).plan(config).action, Action::Update);
    }
}

#[test]
fn requires_replace_if_receives_configuration_state_and_plan() {
    fn value_is_removed_or_added(it: &ValueChange<String>) -> bool {
        // Requires replacement if the value is removed from the configuration, or set for the first time.
        it.config == Known(None) && it.plan == Known(Some("d".into())) || it.prior.is_none()
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct ReplacedConditionally {
        #[attr(default = "d", requires_replace_if = value_is_removed_or_added)]
        a: String,
        #[attr(requires_replace_if = value_is_removed_or_added)]
        b: Option<String>,
    }
    for (state, config, action) in [
        (config! { a = "x" }, config! {}, Action::Replace),
        (config! { a = "x" }, config! { a = "d" }, Action::Update),
        (config! { a = "d", b = "x" }, config! { a = "d", b = "y" }, Action::Update),
        (config! { a = "d" }, config! { b = "x" }, Action::Replace),
        (config! { a = "d", b = "x" }, config! {}, Action::Update),
    ] {
        assert_eq!(
            plan::<ReplacedConditionally>(Some(state.clone()), config.clone()).action,
            action,
            "{state:?} {config:?}"
        );
    }
    assert_eq!(plan::<ReplacedConditionally>(None, config! { b = "x" }).action, Action::Create);
}

#[test]
fn runtime_schema_behaves_the_same_and_reports_errors() {
    let string = |name: &str| Attribute::raw(name, Type::String);
    let like = |a: &String, b: &String| a == b;
    let inner = Block::new().attribute(string("name"));
    let block = Block::new()
        .attribute(string("computed").computed().suppress_diff::<String, _>(like))
        .attribute(string("secret").write_only().suppress_diff::<String, _>(like))
        .attribute(string("other").write_only().semantic_eq::<String, _>(like))
        .attribute(string("alone").suppress_on_refresh())
        .attribute(string("origin").computed().requires_replace_if::<String>(|_| true))
        .attribute(string("hidden").write_only().requires_replace_if::<String>(|_| true))
        .attribute(string("key").computed().key())
        .attribute(string("word").write_only().key())
        .attribute(string("token").write_only().fingerprint())
        .block(Attribute::raw_nested("block", Nested::list(inner)).key());
    let errors = Schema::new(block).definition_errors();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    expect![[r#"
        computed: `suppress_diff` has no effect on a computed-only attribute
        secret: a write-only value is not stored, so it cannot be compared with a prior value
        other: a write-only value is not stored, so it cannot be compared with a prior value
        alone: `suppress_on_refresh` requires `suppress_diff`
        origin: `requires_replace` has no effect on a computed-only attribute
        hidden: a write-only value is not stored, so a change cannot be detected and cannot require replacement
        key: a key must be set by the configuration and stored in the state, so it cannot be computed-only or write-only
        word: a key must be set by the configuration and stored in the state, so it cannot be computed-only or write-only
        token: its fingerprint has no effect: no computed attribute or block follows `token`
        block: a block does not support this option; add it to the attributes of the block"#]]
    .assert_eq(&errors.join("\n"));

    let size = Attribute::raw("size", Type::Number).suppress_diff::<i64, _>(within_ten_percent);
    let schema = Schema::new(Block::new().attribute(size));
    let mut instance = instance(schema, true, Some(config! { size = 1 }));
    assert_eq!(instance.plan(config! { size = 2 }).action, Action::NoOp);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct WithComputedId {
    name: String,
    #[attr(computed, semantic_eq = |one, other| one.eq_ignore_ascii_case(other))]
    id: String,
}

/// `semantic_eq` applies to computed attributes: a semantically equal value from `read` keeps the prior value.
#[test]
fn semantically_equal_computed_value_keeps_prior_value() {
    let after = |read: &str| {
        refreshed(
            WithComputedId::schema(),
            config! { name = "a", id = "X-1" },
            config! { name = "a", id = read },
        )
    };
    assert_eq!(after("x-1"), after("X-1"));
    assert_ne!(after("x-2"), after("X-1"));
}
