//! Element matching in sets whose elements differ only in nested values.

use crate::common::deadline::within_deadline;
use crate::common::{Word, check};
use expect_test::expect;
use ferroform::value::{Path, Value};
use ferroform::{Model, Set};
use ferroform_engine::{ReadRequest, contract};
use ferroform_testing::{Configuration, Literal, config, unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Firewall {
    note: Option<String>,
    #[attr(mixed)]
    rules: Set<Rule>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rule {
    #[attr(mixed)]
    of: From,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct From {
    #[attr(default = 80)]
    port: i64,
    #[attr(optional, computed)]
    zone: String,
    #[attr(mixed)]
    hosts: Option<Vec<Host>>,
    #[attr(mixed)]
    tags: Option<Set<Host>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Host {
    #[attr(optional, computed)]
    name: String,
}

fn state() -> Configuration {
    config! { rules = [
        { of = { port = 80, zone = "a" }, id = "1" },
        { of = { port = 443, zone = "b" }, id = "2" },
        { of = { port = 443, zone = "c", hosts = [{ name = "x" }, { name = "y" }] }, id = "3" },
        { of = { port = 443, zone = "c", hosts = [{ name = "v" }, { name = "w" }] }, id = "4" },
        { of = { port = 1, zone = "d", tags = [{ name = "x" }, { name = "y" }] }, id = "5" },
        { of = { port = 1, zone = "d", tags = [{ name = "v" }, { name = "w" }] }, id = "6" },
    ] }
}

#[test]
fn nested_set_elements_match_at_every_depth() {
    let of = |it: &[Configuration]| {
        let of = |it: &Configuration| Literal::from(config! { of = it.clone() });
        Configuration::new().set("rules", it.iter().map(of).collect::<Vec<_>>())
    };
    let mut rules = [
        config! { port = 1, tags = [{}, { name = "v" }] },
        config! { port = 1, tags = [{ name = "y" }, {}] },
        config! { port = 443, hosts = [{}, { name = "w" }] },
        config! { port = 443, hosts = [{}, {}] },
        config! { port = 443, zone = "b" },
        config! {},
    ];
    check::<Firewall>(Some(state()), of(&rules), expect!["no change"]);
    rules.reverse();
    check::<Firewall>(Some(state()), of(&rules), expect!["no change"]);
    // An element with another configured value is a new element and does not keep computed values of a similar one.
    rules[1] = config! { port = 443, zone = "e" };
    check::<Firewall>(
        Some(state()),
        of(&rules),
        expect![[r#"
            update
            ~ rules = [{id = "1", of = {port = 80, zone = "a"}}, {id = "2", of = {port = 443, zone = "b"}}, {id = "3", of = {hosts = [{name = "x"}, {name = "y"}], port = 443, zone = "c"}}, {id = "4", of = {hosts = [{name = "v"}, {name = "w"}], port = 443, zone = "c"}}, {id = "5", of = {port = 1, tags = [{name = "x"}, {name = "y"}], zone = "d"}}, {id = "6", of = {port = 1, tags = [{name = "v"}, {name = "w"}], zone = "d"}}] -> [{id = "1", of = {port = 80, zone = "a"}}, {id = "2", of = {port = 443, zone = "e"}}, {id = "3", of = {hosts = [{name = "x"}, {name = "y"}], port = 443, zone = "c"}}, {id = "4", of = {hosts = [{name = "v"}, {name = "w"}], port = 443, zone = "c"}}, {id = "5", of = {port = 1, tags = [{name = "x"}, {name = "y"}], zone = "d"}}, {id = "6", of = {port = 1, tags = [{name = "v"}, {name = "w"}], zone = "d"}}]"#]],
    );
    rules[1] = config! { port = 443, zone = unknown() };
    check::<Firewall>(
        Some(state()),
        of(&rules),
        expect![[r#"
            update
            ~ rules = [{id = "1", of = {port = 80, zone = "a"}}, {id = "2", of = {port = 443, zone = "b"}}, {id = "3", of = {hosts = [{name = "x"}, {name = "y"}], port = 443, zone = "c"}}, {id = "4", of = {hosts = [{name = "v"}, {name = "w"}], port = 443, zone = "c"}}, {id = "5", of = {port = 1, tags = [{name = "x"}, {name = "y"}], zone = "d"}}, {id = "6", of = {port = 1, tags = [{name = "v"}, {name = "w"}], zone = "d"}}] -> [{id = "1", of = {port = 80, zone = "a"}}, {id = "2", of = {port = 443, zone = (known after apply)}}, {id = "3", of = {hosts = [{name = "x"}, {name = "y"}], port = 443, zone = "c"}}, {id = "4", of = {hosts = [{name = "v"}, {name = "w"}], port = 443, zone = "c"}}, {id = "5", of = {port = 1, tags = [{name = "x"}, {name = "y"}], zone = "d"}}, {id = "6", of = {port = 1, tags = [{name = "v"}, {name = "w"}], zone = "d"}}]"#]],
    );
}

/// Returns a firewall with rules, each with a port, zones and an ID.
fn firewall(rules: impl IntoIterator<Item = (i64, Value, Value)>) -> Value {
    let rule = |(port, zone, id): (i64, Value, Value)| {
        let of = [("port", port.into()), ("zone", zone), ("hosts", Value::Null), ("tags", Value::Null)];
        Value::object([("of", Value::object(of)), ("id", id)])
    };
    Value::object([("note", Value::Null), ("rules", Value::set(rules.into_iter().map(rule)))])
}

/// Checks the plan against the configuration at every nesting level.
#[test]
fn nested_set_elements_fit_their_configuration_at_every_depth() {
    let check = |config: &[(i64, &str)], planned: &[(i64, &str)]| {
        let zone = |it: &str| if it.is_empty() { Value::Null } else { it.into() };
        let config = firewall(config.iter().map(|(port, it)| (*port, zone(it), Value::Null)));
        let planned = firewall(planned.iter().map(|(port, it)| (*port, zone(it), Value::UNKNOWN)));
        let found = contract::check_plan(&Firewall::schema().block, &config, &Value::Null, &planned);
        let message =
            |it: &ferroform::Diagnostic| it.detail.split(". This is").next().unwrap_or_default().to_owned();
        found.iter().map(message).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(check(&[(1, ""), (1, "a")], &[(1, "b"), (1, "a")]), "");
    assert_eq!(check(&[(1, ""), (1, "a")], &[(1, "a"), (1, "b")]), "");
    assert_eq!(check(&[(1, ""), (1, "a"), (1, "b")], &[(1, "a"), (1, "b"), (1, "c")]), "");
    expect![[
        r#"rules[an element of the set].of.zone: the configured value is "a", but the provider planned "c""#
    ]]
    .assert_eq(&check(&[(1, ""), (1, "a")], &[(1, "b"), (1, "c")]));
}

/// Matches 5,000 elements that differ only in nested values, after a change of their order.
#[test]
fn nested_set_matching_scales_to_5000_elements() {
    let state = firewall((0..5_000).map(|port| (port, "a".into(), format!("id {port}").into())));
    let config = firewall((0..5_000).rev().map(|port| (port, Value::Null, Value::Null)));
    let planned =
        within_deadline(|| crate::common::planned(Firewall::schema(), state.clone(), config.clone()))
            .planned
            .unwrap();
    assert!(planned.at(&Path::attribute("rules")) == state.at(&Path::attribute("rules")));
    let block = Firewall::schema().block;
    let found = within_deadline(|| contract::check_plan(&block, &config, &state, &planned));
    assert_eq!(found.to_string(), "");
}

/// Semantically equal values at every nesting level.
#[derive(Model, Clone, Debug, PartialEq)]
struct Words {
    note: Option<String>,
    #[attr(mixed)]
    set: Option<Set<Part>>,
    #[attr(block, mixed)]
    part: Set<Section>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    #[attr(mixed)]
    of: Label,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Section {
    #[attr(block, mixed)]
    more: Vec<Label>,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Label {
    word: Word,
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    text: Option<String>,
    #[attr(computed)]
    size: i64,
}

fn words(a: &str, b: &str) -> Value {
    let label =
        |word: &str| Value::object([("word", word.into()), ("text", word.into()), ("size", Value::from(1))]);
    let part = |name: &str, of: Value| Value::object([(name, of), ("id", "1".into())]);
    let set = [part("of", label(a)), part("of", label(b))];
    let sections = [vec![label(a)], vec![label(a), label(b)]].map(|it| part("more", Value::List(it)));
    Value::object([("note", Value::Null), ("set", Value::set(set)), ("part", Value::set(sections))])
}

#[test]
fn semantically_equal_nested_values_are_kept() {
    // In a read.
    let server = crate::common::reader(Words::schema(), words("A", "B"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request = ReadRequest {
        type_name: "test_thing".into(),
        state: Some(words("a", "b")),
        ..ReadRequest::default()
    };
    let response = runtime.block_on(server.read_resource(request));
    assert_eq!(response.diagnostics.to_string(), "");
    assert_eq!(response.state, Some(words("a", "b")));

    // In a plan.
    let state = || {
        let label = |it: &str| config! { word = it, text = it, size = 1 };
        let (a, b) = (label("a"), label("b"));
        config! {
            set = [{ of = a.clone(), id = "1" }, { of = b.clone(), id = "2" }],
            part { more { word = "a", text = "a", size = 1 }, id = "3" }
            part { id = "4" }
        }
    };
    let (a, b) = (config! { word = "A", text = "a" }, config! { word = "B", text = "B" });
    check::<Words>(
        Some(state()),
        config! {
            set = [{ of = b.clone() }, { of = a.clone() }],
            part {}
            part { more { word = "A", text = "A" } }
        },
        expect!["no change"],
    );
    check::<Words>(
        Some(state()),
        config! {
            set = [{ of = b.clone() }, { of = { word = "C" } }],
            part { more { word = "A", text = "A" } }
        },
        expect![[r#"
            update
            ~ set = [{id = "1", of = {size = 1, text = "a", word = "a"}}, {id = "2", of = {size = 1, text = "b", word = "b"}}] -> [{id = "2", of = {size = 1, text = "b", word = "b"}}, {id = (known after apply), of = {size = (known after apply), word = "C"}}]
            ~ part = [{id = "3", more = [{size = 1, text = "a", word = "a"}]}, {id = "4", more = []}] -> [{id = "3", more = [{size = 1, text = "a", word = "a"}]}]"#]],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Zones {
    #[attr(mixed)]
    zones: Set<Zone>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Zone {
    #[attr(mixed)]
    records: Set<Record>,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Record {
    #[attr(key)]
    name: String,
    #[attr(default = "none".to_owned())]
    note: String,
}

#[test]
fn equal_nested_keys_do_not_match_elements() {
    let record = |note: &str| config! { records = [{ name = "a", note = note }] };
    let zone = |note: &str, id: &str| record(note).set("id", id);
    check::<Zones>(
        Some(config! { zones = [zone("y", "1"), zone("x", "2")] }),
        config! { zones = [record("y"), record("x")] },
        expect!["no change"],
    );
}

/// A null set does not match a configured set, so no element receives the ID of the other one, for any final value.
#[test]
fn configured_set_does_not_match_null_set() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Rack {
        #[attr(mixed)]
        slots: Vec<Slot>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Slot {
        #[attr(optional, computed)]
        guests: Option<Set<Guest>>,
        #[attr(computed, use_state_for_unknown)]
        id: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Guest {
        #[attr(optional, computed)]
        name: Option<Word>,
    }

    let check = |first: Configuration, expected| {
        let state = config! { slots = [{ id = "1" }, { guests = [], id = "2" }] };
        check::<Rack>(Some(state), config! { slots = [first, { guests = [{}] }] }, expected);
    };
    check(
        config! { guests = unknown() },
        expect![[r#"
            update
            + slots[0].guests = (known after apply)
            ~ slots[1].guests = [] -> [{name = (known after apply)}]"#]],
    );
    check(
        config! {},
        expect![[r#"
            update
            + slots[0].guests = (known after apply)
            ~ slots[1].guests = [] -> [{name = (known after apply)}]"#]],
    );
}
