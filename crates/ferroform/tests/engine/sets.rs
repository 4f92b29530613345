//! Element matching in sets of objects.

use crate::common::deadline::within_deadline;
use crate::common::{Word, check, check_without_update, plan};
use expect_test::expect;
use ferroform::schema::{Attribute, Block, Nested};
use ferroform::value::{Type, Value};
use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, Set};
use ferroform_engine::{ReadRequest, contract};
use ferroform_testing::{Action, Configuration, Literal, config, provider, unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Group {
    note: Option<String>,
    #[attr(mixed)]
    rules: Set<Rule>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rule {
    port: i64,
    #[attr(default = "tcp".to_owned())]
    protocol: String,
    #[attr(optional, computed, use_state_for_unknown)]
    zone: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

fn state() -> Configuration {
    config! { rules = [
        { port = 80, protocol = "tcp", zone = "a", id = "1" },
        { port = 53, protocol = "udp", zone = "b", id = "2" },
    ] }
}

#[test]
fn set_elements_match_by_configured_attributes() {
    check::<Group>(
        Some(state()),
        config! { rules = [{ port = 53, protocol = "udp" }, { port = 80 }] },
        expect![[r#"no change"#]],
    );
    check::<Group>(
        Some(state()),
        config! { rules = [{ port = 80, zone = "a" }, { port = 53, protocol = "udp" }] },
        expect![[r#"no change"#]],
    );
    check::<Group>(
        Some(state()),
        config! { rules = [{ port = 80 }] },
        expect![[r#"
            update
            ~ rules = [{id = "1", port = 80, protocol = "tcp", zone = "a"}, {id = "2", port = 53, protocol = "udp", zone = "b"}] -> [{id = "1", port = 80, protocol = "tcp", zone = "a"}]"#]],
    );
}

#[test]
fn default_in_set_element_does_not_affect_siblings() {
    check::<Group>(
        Some(state()),
        config! { note = "n", rules = [{ port = 80, zone = "z" }, { port = 53 }] },
        expect![[r#"
            update
            + note = "n"
            ~ rules = [{id = "1", port = 80, protocol = "tcp", zone = "a"}, {id = "2", port = 53, protocol = "udp", zone = "b"}] -> [{id = "1", port = 80, protocol = "tcp", zone = "z"}, {id = (known after apply), port = 53, protocol = "tcp", zone = (known after apply)}]"#]],
    );
    check::<Group>(
        None,
        config! { rules = [{ port = 80, zone = "z" }, { port = 81, protocol = "udp" }, { port = unknown() }] },
        expect![[r#"
            create
            + rules = [{id = (known after apply), port = 80, protocol = "tcp", zone = "z"}, {id = (known after apply), port = 81, protocol = "udp", zone = (known after apply)}, {id = (known after apply), port = (known after apply), protocol = "tcp", zone = (known after apply)}]"#]],
    );
}

#[test]
fn prior_element_matches_only_once() {
    let equal_elements = config! { rules = [
        { port = 80, protocol = "tcp", zone = "a", id = "1" },
        { port = 80, protocol = "tcp", zone = "b", id = "2" },
    ] };
    check::<Group>(
        Some(equal_elements),
        config! { rules = [{ port = 80, zone = "b" }, { port = 80 }] },
        expect![[r#"no change"#]],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct PartlyConfigured {
    note: Option<String>,
    #[attr(mixed)]
    ports: Set<Port>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Port {
    #[attr(optional, computed)]
    port: i64,
    #[attr(optional, computed)]
    zone: String,
}

#[test]
fn partly_configured_set_elements_match_by_elimination() {
    let state = || config! { ports = [{ port = 80, zone = "a" }, { port = 81, zone = "a" }] };
    check::<PartlyConfigured>(
        Some(state()),
        config! { ports = [{ zone = "a" }, { port = 80 }] },
        expect!["no change"],
    );
    check::<PartlyConfigured>(
        Some(state()),
        config! { ports = [{ port = 80 }, { zone = "a" }] },
        expect!["no change"],
    );
    check::<PartlyConfigured>(
        Some(state()),
        config! { ports = [{ port = 81 }, { zone = "a" }] },
        expect!["no change"],
    );
    // The second element matches only after the first one has matched.
    let state = config! { ports = [
        { port = 80, zone = "a" },
        { port = 81, zone = "a" },
        { port = 81, zone = "b" },
        { port = 82, zone = "b" },
    ] };
    check::<PartlyConfigured>(
        Some(state),
        config! { ports = [{ zone = "a" }, { port = 81 }, { zone = "b" }, { port = 80 }] },
        expect!["no change"],
    );
}

#[test]
fn unknown_value_makes_equal_elements_ambiguous() {
    let state = || {
        config! { ports = [
            { port = 80, zone = "a" }, { port = 81, zone = "a" }, { port = 9, zone = "c" },
        ] }
    };
    let config = |zone: Literal| {
        config! { ports = [
            { zone = "a" }, { port = 80 }, { port = 81, zone = zone }, { port = 9 },
        ] }
    };
    check::<PartlyConfigured>(
        Some(state()),
        config(unknown()),
        expect![[r#"
            update
            ~ ports = [{port = 80, zone = "a"}, {port = 81, zone = "a"}, {port = 9, zone = "c"}] -> [{port = 80, zone = (known after apply)}, {port = 81, zone = (known after apply)}, {port = 9, zone = (known after apply)}, {port = (known after apply), zone = "a"}]"#]],
    );
    check::<PartlyConfigured>(
        Some(state()),
        config("a".into()),
        expect![[r#"
        update
        ~ ports = [{port = 80, zone = "a"}, {port = 81, zone = "a"}, {port = 9, zone = "c"}] -> [{port = 80, zone = "a"}, {port = 81, zone = "a"}, {port = 9, zone = "c"}, {port = (known after apply), zone = "a"}]"#]],
    );
    check::<PartlyConfigured>(
        Some(state()),
        config("b".into()),
        expect![[r#"
        update
        ~ ports = [{port = 80, zone = "a"}, {port = 81, zone = "a"}, {port = 9, zone = "c"}] -> [{port = 80, zone = "a"}, {port = 81, zone = "a"}, {port = 81, zone = "b"}, {port = 9, zone = "c"}]"#]],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Fixed {
    rules: Set<FixedRule>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FixedRule {
    #[attr(requires_replace)]
    port: i64,
}

#[test]
fn added_or_removed_element_requires_replacement() {
    let state = || config! { rules = [{ port = 80 }] };
    check::<Fixed>(Some(state()), config! { rules = [{ port = 80 }] }, expect![[r#"no change"#]]);
    check::<Fixed>(
        Some(state()),
        config! { rules = [{ port = 80 }, { port = 81 }] },
        expect![[r#"
            replace
            ~ rules = [{port = 80}] -> [{port = 80}, {port = 81}] # forces replacement"#]],
    );
    check_without_update::<Group>(
        config! { rules = [] },
        config! { rules = [{ port = 80 }] },
        expect![[r#"
            replace
            ~ rules = [] -> [{id = (known after apply), port = 80, protocol = "tcp", zone = (known after apply)}] # forces replacement"#]],
    );
}

/// Plans 5,000 elements in another order, half of which are new.
#[test]
fn set_matching_scales_to_5000_elements() {
    const COUNT: i64 = 5_000;
    let rule = |port: i64, computed: bool| {
        let string = |it: &str| if computed { Value::from(it) } else { Value::Null };
        Value::object([
            ("port", Value::from(port)),
            ("protocol", string("tcp")),
            ("zone", string("z")),
            ("id", if computed { Value::from(format!("id {port}")) } else { Value::Null }),
        ])
    };
    let group = |ports: std::ops::Range<i64>, computed| {
        let ports = ports.rev().map(|port| rule(port, computed));
        Value::object([("note", Value::Null), ("rules", Value::set(ports))])
    };
    let (state, config) = (group(0..COUNT, true), group(COUNT / 2..COUNT + COUNT / 2, false));
    let planned = within_deadline(|| crate::common::planned(Group::schema(), state, config)).planned.unwrap();
    let Some(Value::Set(rules)) = planned.attribute("rules") else { panic!("no set") };
    let kept = rules.iter().filter(|it| it.attribute("id").is_some_and(|it| !it.is_unknown())).count();
    assert_eq!((rules.len(), kept), (5_000, 2_500));
    let applied = with_ids(&planned);
    let found = within_deadline(|| contract::check_new_state(&Group::schema().block, &planned, &applied));
    assert_eq!(found.to_string(), "");
}

/// A string type with semantic equality in a set.
#[derive(Model, Clone, Debug, PartialEq)]
struct Words {
    groups: Set<Named>,
    words: Set<Word>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Named {
    word: Word,
    size: i64,
}

provider! { Test { resource Words = "test_words" } }

impl Resource for Words {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<WordsComputed> {
        Ok(WordsComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn set_refresh_scales_to_many_elements() {
    let word = |i: i64| Value::from(format!("word {i}"));
    let named = |i| Value::object([("word", word(i)), ("size", Value::from(i))]);
    let state = Value::object([
        ("groups", Value::set((0..20_000).map(named))),
        ("words", Value::set((0..20_000).map(word))),
    ]);
    let server = ferroform::server::<Test>();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    assert!(
        runtime
            .block_on(server.configure_provider(Value::object::<&str>([]), &Default::default()))
            .is_empty()
    );
    let type_name = "test_words".to_owned();
    let request = ReadRequest { type_name, state: Some(state.clone()), ..ReadRequest::default() };
    let response = within_deadline(|| runtime.block_on(server.read_resource(request)));
    assert_eq!(response.diagnostics.to_string(), "");
    assert!(response.state == Some(state));
}

/// Returns the new state for a plan: unknown values become known.
fn with_ids(planned: &Value) -> Value {
    let filled = planned.clone().transform(&mut |_, it| {
        Ok::<_, std::convert::Infallible>(if it.is_unknown() { "computed".into() } else { it })
    });
    filled.unwrap_or_else(|never| match never {})
}

#[test]
fn set_of_scalars_is_one_value() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Tagged {
        tags: std::collections::BTreeSet<String>,
    }
    let state = || config! { tags = ["a", "b"] };
    assert_eq!(plan::<Tagged>(Some(state()), config! { tags = ["b", "a", "b"] }).action, Action::NoOp);
    check::<Tagged>(
        Some(state()),
        config! { tags = ["c", unknown()] },
        expect![[r#"
            update
            ~ tags = ["a", "b"] -> ["c", (known after apply)]"#]],
    );
}

/// Whether Terraform accepts a new state for a set that was planned with unknown values.
#[test]
fn applied_set_matches_planned_set_by_element() {
    let inner = Block::new()
        .attribute(Attribute::raw("port", Type::Number))
        .attribute(Attribute::raw("id", Type::String).computed());
    let block = Block::new().attribute(Attribute::raw_nested("rules", Nested::set(inner)));
    let object = |rules: &[(i64, Value)]| {
        let rule =
            |(port, id): &(i64, Value)| Value::object([("port", Value::from(*port)), ("id", id.clone())]);
        Value::object([("rules", Value::set(rules.iter().map(rule)))])
    };
    let check = |planned: &[(i64, Value)], state: &[(i64, Value)], expected: expect_test::Expect| {
        let found = contract::check_new_state(&block, &object(planned), &object(state)).to_string();
        expected.assert_eq(found.split(". This is a bug").next().unwrap_or_default());
    };
    let later = Value::UNKNOWN;
    check(&[(1, later.clone()), (2, later.clone())], &[(2, "b".into()), (1, "a".into())], expect![[r#""#]]);
    check(&[(1, "a".into()), (2, later.clone())], &[(1, "a".into()), (2, "b".into())], expect![[r#""#]]);
    // Elements that turn out to be equal are merged.
    check(&[(1, later.clone()), (1, "a".into())], &[(1, "a".into())], expect![[r#""#]]);
    check(
        &[(1, later.clone()), (2, later.clone())],
        &[(1, "a".into()), (3, "b".into())],
        expect![
            "rules: Provider produced inconsistent result after apply: rules: the planned value is a set of length 2, but the provider returned a set of length 2: a planned element has no counterpart"
        ],
    );
    check(
        &[(1, later.clone())],
        &[(1, "a".into()), (1, "b".into())],
        expect![
            "rules: Provider produced inconsistent result after apply: rules: the planned value is a set of length 1, but the provider returned a set of length 2: there are more elements than were planned"
        ],
    );
    check(
        &[(1, "a".into()), (2, later)],
        &[(1, "x".into()), (2, "b".into())],
        expect![
            "rules: Provider produced inconsistent result after apply: rules: the planned value is a set of length 2, but the provider returned a set of length 2: a planned element has no counterpart"
        ],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Shared {
    #[attr(block, mixed)]
    part: Set<SharedPart>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct SharedPart {
    #[attr(optional, computed)]
    tag: String,
    #[attr(optional, computed)]
    of: SharedOf,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct SharedOf {
    #[attr(optional, computed)]
    id: String,
}

/// Blocks in a set may become equal, provided that every planned element is accounted for.
#[test]
fn set_blocks_that_become_equal_are_merged() {
    let of = |id: Value| Value::object([("id", id)]);
    let part = |tag: Value, of: Value| Value::object([("tag", tag), ("of", of)]);
    let object = |parts: [Value; 2]| Value::object([("part", Value::set(parts))]);
    let config = object([part(Value::Null, of(Value::Null)), part("b".into(), Value::Null)]);
    let planned = object([part("b".into(), of("1".into())), part("c".into(), of("2".into()))]);
    let found = contract::check_plan(&Shared::schema().block, &config, &planned, &planned);
    assert_eq!(found.to_string(), "");
}

/// Plans 2,000 elements that match two prior elements each, and 1,000 that match none, with and without an unknown
/// value. An unknown value makes the matches ambiguous.
#[test]
fn matching_of_remaining_elements_scales() {
    let port = |port: Value, zone: Value| Value::object([("port", port), ("zone", zone)]);
    let zone = |i: i64| Value::from(format!("z{}", i / 2));
    let state = (0..4_000).map(|i| port(i.into(), zone(i)));
    let object = |ports: Vec<Value>| Value::object([("note", Value::Null), ("ports", Value::set(ports))]);
    let state = object(state.collect());
    // The elements with a zone are matched first. Each of them also matches the only candidate of an element with a
    // port.
    let zones = (0..2_000).map(|i| port(Value::Null, zone(2 * i)));
    let ports = (0..2_000).map(|i| port((2 * i).into(), Value::Null));
    let new = (0..1_000).map(|i| port((9_000 + i).into(), Value::Null));
    let known: Vec<Value> = zones.chain(ports).chain(new).collect();
    let unknown = [port(Value::UNKNOWN, "z0".into())];
    let kept = [known.clone(), known.into_iter().chain(unknown).collect()].map(|ports| {
        let config = object(ports);
        let response =
            within_deadline(|| crate::common::planned(PartlyConfigured::schema(), state.clone(), config));
        let planned = response.planned.unwrap();
        let Some(Value::Set(ports)) = planned.attribute("ports") else { panic!("no set") };
        ports.iter().filter(|it| it.is_wholly_known()).count()
    });
    assert_eq!(kept, [4_000, 0]);
}
