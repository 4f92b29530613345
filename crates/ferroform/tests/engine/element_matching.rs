//! Element matching: regression tests and the examples of the documentation.

use crate::common::{Word, check, instance, plan};
use expect_test::expect;
use ferroform::{Model, Set};
use ferroform_testing::{Action, Configuration, Literal, config, unknown};

fn at(name: &str, elements: Vec<Configuration>) -> Configuration {
    Configuration::new().set(name, Literal::Tuple(elements.into_iter().map(Literal::from).collect()))
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(mixed)]
    disks: Vec<Disk>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    size: i64,
    #[attr(optional, computed, use_state_for_unknown, requires_replace)]
    zone: String,
}

/// A list without a key matches by index, both for computed values and for replacement.
#[test]
fn removing_a_list_element_without_key_does_not_replace() {
    let state = || at("disks", vec![config! { size = 1, zone = "a" }, config! { size = 2, zone = "b" }]);
    check::<Machine>(
        Some(state()),
        at("disks", vec![config! { size = 2 }]),
        expect![[r#"
            update
            ~ disks[0].size = 1 -> 2
            - disks[1].size = 2
            - disks[1].zone = "b""#]],
    );
    let machine = || instance(Machine::schema(), true, Some(state()));
    assert!(machine().plan_with_unknowns(at("disks", vec![config! { size = 2 }])) > 1);
    assert!(machine().plan_with_unknowns(at("disks", vec![config! { size = 2 }, config! { size = 1 }])) > 1);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Interface {
    #[attr(mixed)]
    addresses: Set<Address>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Address {
    #[attr(optional, computed)]
    v4: Option<String>,
    #[attr(optional, computed)]
    v6: Option<String>,
    #[attr(optional, computed)]
    names: Option<Vec<String>>,
}

/// Two elements with the same values in different attributes are different elements.
#[test]
fn unchanged_set_of_optional_computed_attributes_plans_no_change() {
    let state = |other: &str| {
        at(
            "addresses",
            vec![
                config! { v4 = "x", v6 = other, names = ["x"] },
                config! { v4 = "other", v6 = "x", names = [] },
                config! { v4 = "o", v6 = "p", names = ["x", "y"] },
            ],
        )
    };
    let config =
        || at("addresses", vec![config! { v6 = "x" }, config! { v4 = "x" }, config! { names = ["x", "y"] }]);
    for other in ["x", "y"] {
        assert_eq!(plan::<Interface>(Some(state(other)), config()).action, Action::NoOp, "{other}");
    }
    let changed = at("addresses", vec![config! { names = [(unknown())] }, config! { v4 = unknown() }]);
    assert_eq!(plan::<Interface>(Some(state("y")), changed).action, Action::Update);
    assert!(instance(Interface::schema(), true, Some(state("y"))).plan_with_unknowns(config()) > 3);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Groups {
    #[attr(mixed)]
    groups: Set<Group>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Group {
    name: Option<String>,
    #[attr(mixed)]
    members: Set<Member>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Member {
    word: Word,
    words: Option<Vec<Word>>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

fn group(name: &str, member: Configuration) -> Configuration {
    at("members", vec![member]).set("name", name)
}

/// While the outer element is unknown, the inner set may match either prior element.
#[test]
fn final_plan_of_nested_sets_agrees_with_initial_plan() {
    let member = |word: &str, id: &str| config! { word = word, words = [word], id = id };
    let state = at("groups", vec![group("a", member("x", "1")), group("b", member("X", "2"))]);
    let words = |word: &str| config! { word = word, words = [word] };
    for (one, two) in [("X", "x"), ("x", "X"), ("X", "X"), ("x", "y")] {
        let config = at("groups", vec![group("a", words(one)), group("b", words(two))]);
        assert!(instance(Groups::schema(), true, Some(state.clone())).plan_with_unknowns(config) > 5);
    }
}

/// A semantically equal string or list of strings in a set element is not a change.
#[test]
fn semantically_equal_values_in_set_elements_plan_no_change() {
    let state = at("groups", vec![group("a", config! { word = "x", words = ["y", "z"], id = "1" })]);
    let uppercase = at("groups", vec![group("a", config! { word = "X", words = ["Y", "z"] })]);
    check::<Groups>(Some(state), uppercase, expect!["no change"]);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Labels {
    #[attr(mixed)]
    labels: Vec<Label>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Label {
    #[attr(suppress_diff = str::eq_ignore_ascii_case, requires_replace)]
    text: String,
    #[attr(computed)]
    id: String,
}

/// The string of the same index is planned, together with its computed value.
#[test]
fn swapped_semantically_equal_list_elements_plan_no_change() {
    let state = || at("labels", vec![config! { text = "a", id = "1" }, config! { text = "A", id = "2" }]);
    let swapped = at("labels", vec![config! { text = "A" }, config! { text = "a" }]);
    check::<Labels>(Some(state()), swapped, expect!["no change"]);
}

/// The examples of the documentation of element matching.
mod documentation {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Firewall {
        #[attr(mixed)]
        rules: Option<Set<Rule>>,
        #[attr(mixed)]
        ports: Option<Set<Port>>,
        fixed: Option<Set<Fixed>>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Rule {
        #[attr(key)]
        port: u16,
        #[attr(key, default = "tcp")]
        protocol: String,
        note: Option<String>,
        #[attr(computed, use_state_for_unknown)]
        id: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Port {
        port: u16,
        #[attr(optional, computed)]
        zone: String,
        #[attr(computed, use_state_for_unknown)]
        id: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Fixed {
        #[attr(requires_replace)]
        port: u16,
        note: Option<String>,
    }

    #[test]
    fn elements_match_by_key() {
        let state = vec![
            config! { port = 80, protocol = "tcp", note = "web", id = "1" },
            config! { port = 53, protocol = "udp", id = "2" },
        ];
        check::<Firewall>(
            Some(at("rules", state)),
            at("rules", vec![config! { port = 80, note = "site" }, config! { port = 53 }]),
            expect![[r#"
                update
                ~ rules = [{id = "1", note = "web", port = 80, protocol = "tcp"}, {id = "2", port = 53, protocol = "udp"}] -> [{id = "1", note = "site", port = 80, protocol = "tcp"}, {id = (known after apply), port = 53, protocol = "tcp"}]"#]],
        );
    }

    #[test]
    fn set_elements_without_key_match_by_configured_values() {
        let state = || {
            at(
                "ports",
                vec![
                    config! { port = 80, zone = "a", id = "1" },
                    config! { port = 53, zone = "b", id = "2" },
                ],
            )
        };
        check::<Firewall>(
            Some(state()),
            at("ports", vec![config! { port = 80, zone = "z" }, config! { port = 54 }]),
            expect![[r#"
                update
                ~ ports = [{id = "1", port = 80, zone = "a"}, {id = "2", port = 53, zone = "b"}] -> [{id = "1", port = 80, zone = "z"}, {id = (known after apply), port = 54, zone = (known after apply)}]"#]],
        );
        check::<Firewall>(
            Some(at("ports", vec![config! { port = 80, zone = "a", id = "1" }])),
            at("ports", vec![config! { port = unknown() }]),
            expect![[r#"
                update
                ~ ports = [{id = "1", port = 80, zone = "a"}] -> [{id = (known after apply), port = (known after apply), zone = (known after apply)}]"#]],
        );
        let state = || at("addresses", vec![config! { v4 = "x", v6 = "p" }, config! { v4 = "q", v6 = "y" }]);
        check::<Interface>(
            Some(state()),
            at("addresses", vec![config! { v4 = "x" }, config! { v6 = "y" }]),
            expect!["no change"],
        );
        check::<Interface>(
            Some(state()),
            at("addresses", vec![config! { v4 = "x" }, config! { v6 = unknown() }]),
            expect![[r#"
                update
                ~ addresses = [{v4 = "q", v6 = "y"}, {v4 = "x", v6 = "p"}] -> [{names = (known after apply), v4 = "x", v6 = (known after apply)}, {names = (known after apply), v4 = (known after apply), v6 = (known after apply)}]"#]],
        );
    }

    #[test]
    fn replacement_in_sets_without_key() {
        let state = || at("fixed", vec![config! { port = 80, note = "a" }]);
        let action = |port: u16, note: &str| {
            plan::<Firewall>(Some(state()), at("fixed", vec![config! { port = port, note = note }])).action
        };
        assert_eq!(action(80, "b"), Action::Update);
        assert_eq!(action(81, "a"), Action::Replace);
    }
}
