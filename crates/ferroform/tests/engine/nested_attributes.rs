//! Computed values at every nesting level: kept, following others, optional and computed, unknown.

use std::collections::BTreeMap;

use crate::common::{Word, check, instance};
use expect_test::{Expect, expect};
use ferroform::value::{Path, Step, Value};
use ferroform::{Model, Set};
use ferroform_testing::{Configuration, Literal, config, unknown};

/// One attribute of each behavior.
#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    label: String,
    size: Option<i64>,
    #[attr(default = "d")]
    color: String,
    #[attr(optional, computed)]
    zone: String,
    #[attr(optional, computed, use_state_for_unknown)]
    region: String,
    #[attr(optional, computed, follows(size))]
    grade: String,
    #[attr(computed)]
    stamp: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed, use_non_null_state_for_unknown)]
    link: Option<String>,
    #[attr(computed, follows(size))]
    weight: String,
    #[attr(computed, follows(weight, owner))]
    price: String,
    #[attr(mixed)]
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    #[attr(computed, follows(name))]
    mail: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Deep {
    note: Option<String>,
    #[attr(mixed)]
    one: Option<Part>,
    #[attr(mixed)]
    list: Option<Vec<Part>>,
    #[attr(mixed)]
    map: Option<BTreeMap<String, Part>>,
    #[attr(block, mixed)]
    single: Option<Part>,
    #[attr(block, mixed)]
    block: Vec<Part>,
    #[attr(mixed)]
    deeper: Option<BTreeMap<String, Inner>>,
    #[attr(mixed)]
    set: Option<Set<Part>>,
    #[attr(block, mixed)]
    set_block: Set<Part>,
    #[attr(mixed)]
    keyed: Option<Set<Keyed>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Inner {
    #[attr(mixed)]
    parts: Vec<Part>,
}

/// The same attributes with a key.
#[derive(Model, Clone, Debug, PartialEq)]
struct Keyed {
    #[attr(key)]
    label: String,
    #[attr(flatten)]
    rest: Rest,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rest {
    size: Option<i64>,
    #[attr(default = "d")]
    color: String,
    #[attr(optional, computed)]
    zone: String,
    #[attr(optional, computed, use_state_for_unknown)]
    region: String,
    #[attr(optional, computed, follows(size))]
    grade: String,
    #[attr(computed)]
    stamp: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed, use_non_null_state_for_unknown)]
    link: Option<String>,
    #[attr(computed, follows(size))]
    weight: String,
    #[attr(computed, follows(weight, owner))]
    price: String,
    #[attr(mixed)]
    owner: Option<Owner>,
}

/// Returns a configuration with the part at every nesting level except in sets.
fn at_every_level(part: &Configuration) -> Configuration {
    let one = || Literal::from(part.clone());
    let many = || Literal::Tuple(vec![one()]);
    let by_key = |key: &str, it: Literal| Literal::from(Configuration::new().set(key, it));
    Configuration::new()
        .set("one", one())
        .set("list", many())
        .set("map", by_key("k", one()))
        .block("single", part.clone())
        .block("block", part.clone())
        .set("deeper", by_key("x", by_key("parts", many())))
}

fn in_sets(part: &Configuration) -> Configuration {
    let many = || Literal::Tuple(vec![part.clone().into()]);
    Configuration::new().set("set", many()).block("set_block", part.clone()).set("keyed", many())
}

fn planned(state: Option<Configuration>, config: Configuration) -> Value {
    instance(Deep::schema(), true, state).plan(config).after.expect("a plan").value().clone()
}

/// Formats the non-null attributes of a part.
fn show(part: &Value) -> String {
    let Value::Object(part) = part else { return format!("{part:?}") };
    let format_value = |it: &Value| match it {
        Value::Unknown(_) => "?".to_owned(),
        Value::String(it) => it.to_string(),
        Value::Number(it) => it.to_string(),
        it => format!("{{{}}}", show(it)),
    };
    let set = part.iter().filter(|(_, it)| !it.is_null());
    set.map(|(name, it)| format!("{name}={}", format_value(it))).collect::<Vec<_>>().join(" ")
}

/// Checks the plan of a part. The plan is the same at every nesting level, except in sets.
fn check_part(state: Option<Configuration>, config: Configuration, expected: Expect, in_a_set: Expect) {
    let plan = planned(state.as_ref().map(at_every_level), at_every_level(&config));
    let at =
        |steps: &[Step]| show(plan.at(&steps.iter().cloned().collect::<Path>()).expect("the path exists"));
    let name = |it: &str| Step::Attribute(it.into());
    let first = at(&[name("one")]);
    expected.assert_eq(&first);
    for steps in [
        vec![name("list"), Step::Index(0)],
        vec![name("map"), Step::from("k")],
        vec![name("single")],
        vec![name("block"), Step::Index(0)],
        vec![name("deeper"), Step::from("x"), name("parts"), Step::Index(0)],
    ] {
        assert_eq!(at(&steps), first, "{steps:?}");
    }
    let plan = planned(state.as_ref().map(in_sets), in_sets(&config));
    let sets = ["set", "set_block", "keyed"].map(|name| match plan.attribute(name) {
        Some(Value::Set(it)) => it.iter().map(show).collect::<Vec<_>>().join("; "),
        other => format!("{other:?}"),
    });
    assert_eq!(sets[0], sets[1]);
    in_a_set.assert_eq(&format!("{}\nkeyed: {}", sets[0], sets[2]));
}

fn state() -> Configuration {
    config! {
        label = "a", size = 1, color = "d", zone = "z", region = "r", grade = "g", stamp = "s", id = "1",
        weight = "w", price = "p", owner = { name = "me", mail = "m", id = "2" },
    }
}

#[test]
fn computed_values_of_new_object_are_unknown() {
    check_part(
        None,
        config! { label = "a", zone = "mine", owner = { name = "me" } },
        expect![
            "color=d grade=? id=? label=a link=? owner={id=? mail=? name=me} price=? region=? stamp=? weight=? zone=mine"
        ],
        expect![[r#"
            color=d grade=? id=? label=a link=? owner={id=? mail=? name=me} price=? region=? stamp=? weight=? zone=mine
            keyed: color=d grade=? id=? label=a link=? owner={id=? mail=? name=me} price=? region=? stamp=? weight=? zone=mine"#]],
    );
}

#[test]
fn unchanged_configuration_plans_no_change() {
    check_part(
        Some(state()),
        config! { label = "a", size = 1, owner = { name = "me" } },
        expect![
            "color=d grade=g id=1 label=a owner={id=2 mail=m name=me} price=p region=r size=1 stamp=s weight=w zone=z"
        ],
        expect![[r#"
            color=d grade=g id=1 label=a owner={id=2 mail=m name=me} price=p region=r size=1 stamp=s weight=w zone=z
            keyed: color=d grade=g id=1 label=a owner={id=2 mail=m name=me} price=p region=r size=1 stamp=s weight=w zone=z"#]],
    );
    // A value that is removed from the configuration is kept until another attribute changes.
    check_part(
        Some(state()),
        config! { label = "a", size = 1, color = "d", zone = "z", region = null, owner = { name = "me" } },
        expect![
            "color=d grade=g id=1 label=a owner={id=2 mail=m name=me} price=p region=r size=1 stamp=s weight=w zone=z"
        ],
        expect![[r#"
            color=d grade=g id=1 label=a owner={id=2 mail=m name=me} price=p region=r size=1 stamp=s weight=w zone=z
            keyed: color=d grade=g id=1 label=a owner={id=2 mail=m name=me} price=p region=r size=1 stamp=s weight=w zone=z"#]],
    );
}

#[test]
fn change_of_sibling_keeps_nested_computed_values() {
    check_part(
        Some(state()),
        config! { label = "b", size = 1, owner = { name = "me" } },
        expect![
            "color=d grade=g id=1 label=b link=? owner={id=2 mail=m name=me} price=p region=r size=1 stamp=? weight=w zone=?"
        ],
        expect![[r#"
            color=d grade=? id=? label=b link=? owner={id=? mail=? name=me} price=? region=? size=1 stamp=? weight=? zone=?
            keyed: color=d grade=? id=? label=b link=? owner={id=? mail=? name=me} price=? region=? size=1 stamp=? weight=? zone=?"#]],
    );
}

#[test]
fn change_of_followed_attribute_makes_value_unknown() {
    check_part(
        Some(state()),
        config! { label = "a", size = 2, owner = { name = "me" } },
        expect![
            "color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=? region=r size=2 stamp=? weight=? zone=?"
        ],
        expect![[r#"
            color=d grade=? id=? label=a link=? owner={id=? mail=? name=me} price=? region=? size=2 stamp=? weight=? zone=?
            keyed: color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=? region=r size=2 stamp=? weight=? zone=?"#]],
    );
    check_part(
        Some(state()),
        config! { label = "a", size = unknown(), grade = "mine", owner = { name = "me" } },
        expect![
            "color=d grade=mine id=1 label=a link=? owner={id=2 mail=m name=me} price=? region=r size=? stamp=? weight=? zone=?"
        ],
        expect![[r#"
            color=d grade=mine id=? label=a link=? owner={id=? mail=? name=me} price=? region=? size=? stamp=? weight=? zone=?
            keyed: color=d grade=mine id=1 label=a link=? owner={id=2 mail=m name=me} price=? region=r size=? stamp=? weight=? zone=?"#]],
    );
    check_part(
        Some(state()),
        config! { label = "a", owner = { name = "me" } },
        expect![
            "color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=? region=r stamp=? weight=? zone=?"
        ],
        expect![[r#"
            color=d grade=? id=? label=a link=? owner={id=? mail=? name=me} price=? region=? stamp=? weight=? zone=?
            keyed: color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=? region=r stamp=? weight=? zone=?"#]],
    );
}

#[test]
fn change_inside_followed_object_makes_value_unknown() {
    check_part(
        Some(state()),
        config! { label = "a", size = 1, owner = { name = "you" } },
        expect![
            "color=d grade=g id=1 label=a link=? owner={id=2 mail=? name=you} price=? region=r size=1 stamp=? weight=w zone=?"
        ],
        expect![[r#"
            color=d grade=? id=? label=a link=? owner={id=? mail=? name=you} price=? region=? size=1 stamp=? weight=? zone=?
            keyed: color=d grade=g id=1 label=a link=? owner={id=2 mail=? name=you} price=? region=r size=1 stamp=? weight=w zone=?"#]],
    );
    check_part(
        Some(state()),
        config! { label = "a", size = 1 },
        expect!["color=d grade=g id=1 label=a link=? price=? region=r size=1 stamp=? weight=w zone=?"],
        expect![[r#"
        color=d grade=? id=? label=a link=? price=? region=? size=1 stamp=? weight=? zone=?
        keyed: color=d grade=g id=1 label=a link=? price=? region=r size=1 stamp=? weight=w zone=?"#]],
    );
    check_part(
        Some(state()),
        config! { label = "a", size = 1, owner = unknown() },
        expect![
            "color=d grade=g id=1 label=a link=? owner=? price=? region=r size=1 stamp=? weight=w zone=?"
        ],
        expect![[r#"
            color=d grade=? id=? label=a link=? owner=? price=? region=? size=1 stamp=? weight=? zone=?
            keyed: color=d grade=g id=1 label=a link=? owner=? price=? region=r size=1 stamp=? weight=w zone=?"#]],
    );
}

#[test]
fn configured_value_replaces_computed_value() {
    check_part(
        Some(state()),
        config! { label = "a", size = 1, zone = "mine", region = "mine", grade = unknown(), owner = { name = "me" } },
        expect![
            "color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=p region=mine size=1 stamp=? weight=w zone=mine"
        ],
        expect![[r#"
            color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=p region=mine size=1 stamp=? weight=w zone=mine
            keyed: color=d grade=? id=1 label=a link=? owner={id=2 mail=m name=me} price=p region=mine size=1 stamp=? weight=w zone=mine"#]],
    );
}

#[test]
fn unknown_value_may_become_any_value() {
    let mut tried = 0;
    for part in [
        config! { label = "a", size = 1, owner = { name = "me" } },
        config! { label = "b", zone = "y", owner = { name = "you" } },
        config! { label = "a", size = 2, color = "e", region = "r", grade = "h" },
    ] {
        for nest in [at_every_level, in_sets] {
            let mut instance = instance(Deep::schema(), true, Some(nest(&state())));
            tried += instance.plan_with_unknowns(nest(&part));
        }
    }
    assert!(tried > 150, "{tried}");
}

/// Elements of a list without a key.
#[derive(Model, Clone, Debug, PartialEq)]
struct Row {
    #[attr(mixed)]
    seats: Vec<Seat>,
    #[attr(mixed)]
    set: Option<Set<Seat>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Seat {
    title: Word,
    size: Option<i64>,
    #[attr(optional, computed, use_state_for_unknown)]
    zone: String,
    #[attr(computed, use_state_for_unknown)]
    number: String,
}

fn row() -> Configuration {
    config! { seats = [
        { title = "A", zone = "x", number = "1" },
        { title = "B", zone = "y", number = "2" },
        { title = "C", zone = "z", number = "3" },
    ] }
}

/// Elements of a list without a key match by index, regardless of unknown values in them.
#[test]
fn unknown_values_in_a_list_element_do_not_affect_others() {
    check::<Row>(
        Some(row()),
        config! { seats = [{ title = "N" }, { title = unknown() }, { title = "C" }] },
        expect![[r#"
            update
            ~ seats[0].title = "A" -> "N"
            ~ seats[1].title = "B" -> (known after apply)"#]],
    );
    check::<Row>(
        Some(row()),
        config! { seats = [{ title = "A" }, { title = unknown() }, { title = "C" }] },
        expect![[r#"
            update
            ~ seats[1].title = "B" -> (known after apply)"#]],
    );
    // The unknown element may be inserted before the other elements.
    check::<Row>(
        Some(row()),
        config! { seats = [{ title = unknown() }, { title = "A" }, { title = "B" }, { title = "C" }] },
        expect![[r#"
            update
            ~ seats[0].title = "A" -> (known after apply)
            ~ seats[1].title = "B" -> "A"
            ~ seats[2].title = "C" -> "B"
            + seats[3].title = "C"
            + seats[3].zone = (known after apply)
            + seats[3].number = (known after apply)"#]],
    );
    check::<Row>(
        Some(row()),
        config! { seats = [unknown(), { title = "A", size = 7 }] },
        expect![[r#"
            update
            + seats[0] = (known after apply)
            ~ seats[1].title = "B" -> "A"
            + seats[1].size = 7
            - seats[0].title = "A"
            - seats[0].zone = "x"
            - seats[0].number = "1"
            - seats[2].title = "C"
            - seats[2].zone = "z"
            - seats[2].number = "3""#]],
    );
}

#[test]
fn final_plan_agrees_with_initial_plan() {
    let seat = |title: &str, size: Option<i64>| {
        let seat = Configuration::new().set("title", title);
        Literal::from(if let Some(it) = size { seat.set("size", it) } else { seat })
    };
    let titles = ["A", "B", "C", "N", "a"];
    let mut tried = 0;
    for first in titles {
        for second in titles {
            for third in [Some(seat("C", None)), Some(seat("B", Some(1))), None] {
                let seats = [Some(seat(first, None)), Some(seat(second, None)), third];
                let seats = Literal::Tuple(seats.into_iter().flatten().collect());
                let config = Configuration::new().set("seats", seats);
                tried += instance(Row::schema(), true, Some(row())).plan_with_unknowns(config);
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

/// In a set, an element with more configured values is matched first, so the result does not depend on the order.
#[test]
fn set_element_keeps_computed_values_when_sibling_changes() {
    let state = || {
        config! { seats = [], set = [
            { title = "A", zone = "x", number = "1" },
            { title = "A", zone = "y", number = "2" },
        ] }
    };
    check::<Row>(
        Some(state()),
        config! { seats = [], set = [{ title = "A" }, { title = "A", zone = "x" }] },
        expect!["no change"],
    );
    check::<Row>(
        Some(state()),
        config! { seats = [], set = [{ title = "a" }, { title = "A", zone = "x" }] },
        expect!["no change"],
    );
    let config =
        config! { seats = [], set = [{ title = "A" }, { title = "A", zone = "x" }, { title = "N" }] };
    assert!(instance(Row::schema(), true, Some(state())).plan_with_unknowns(config) > 10);
}
