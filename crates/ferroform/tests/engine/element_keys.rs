//! Element matching by key in lists and sets.

use crate::common::{Word, check, instance};
use expect_test::expect;
use ferroform::{Model, Set};
use ferroform_testing::{Action, Configuration, Literal, config, unknown};

/// The same elements with a key in a list and in a set.
#[derive(Model, Clone, Debug, PartialEq)]
struct Shelf {
    note: Option<String>,
    #[attr(mixed)]
    list: Option<Vec<Book>>,
    #[attr(mixed)]
    set: Option<Set<Book>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Book {
    #[attr(key)]
    title: String,
    pages: Option<i64>,
    #[attr(default = "plain")]
    cover: String,
    #[attr(optional, computed)]
    shop: String,
    #[attr(suppress_diff = within_ten_percent)]
    price: Option<i64>,
    #[attr(computed, use_state_for_unknown)]
    number: String,
    #[attr(computed, follows(pages))]
    weight: String,
}

fn within_ten_percent(old: &i64, new: &i64) -> bool {
    (old - new).abs() < 10
}

fn list() -> Configuration {
    config! { list = [
        { title = "A", pages = 1, cover = "plain", shop = "x", price = 100, number = "1", weight = "a" },
        { title = "B", pages = 2, cover = "hard", shop = "y", price = 200, number = "2", weight = "b" },
        { title = "C", pages = 3, cover = "plain", shop = "z", price = 300, number = "3", weight = "c" },
    ] }
}

fn set() -> Configuration {
    config! { set = [
        { title = "A", pages = 1, cover = "plain", shop = "x", price = 100, number = "1", weight = "a" },
        { title = "B", pages = 2, cover = "hard", shop = "y", price = 200, number = "2", weight = "b" },
    ] }
}

#[test]
fn list_elements_match_by_key() {
    // A changed element at another index keeps its computed values.
    check::<Shelf>(
        Some(list()),
        config! { list = [{ title = "C", pages = 9, price = 300 }, { title = "A", pages = 1, price = 100 }] },
        expect![[r#"
            update
            ~ list[0].title = "A" -> "C"
            ~ list[0].pages = 1 -> 9
            ~ list[0].shop = "x" -> (known after apply)
            ~ list[0].price = 100 -> 300
            ~ list[0].number = "1" -> "3"
            ~ list[0].weight = "a" -> (known after apply)
            ~ list[1].title = "B" -> "A"
            ~ list[1].pages = 2 -> 1
            ~ list[1].cover = "hard" -> "plain"
            ~ list[1].shop = "y" -> (known after apply)
            ~ list[1].price = 200 -> 100
            ~ list[1].number = "2" -> "1"
            ~ list[1].weight = "b" -> "a"
            - list[2].title = "C"
            - list[2].pages = 3
            - list[2].cover = "plain"
            - list[2].shop = "z"
            - list[2].price = 300
            - list[2].number = "3"
            - list[2].weight = "c""#]],
    );
    // An element with another key is new, although an element existed at its index.
    check::<Shelf>(
        Some(list()),
        config! { list = [
            { title = "N", pages = 1, price = 100 },
            { title = "B", pages = 2, cover = "hard", price = 205 },
            { title = "C", pages = 3, price = 350 },
        ] },
        expect![[r#"
            update
            ~ list[0].title = "A" -> "N"
            ~ list[0].shop = "x" -> (known after apply)
            ~ list[0].number = "1" -> (known after apply)
            ~ list[0].weight = "a" -> (known after apply)
            ~ list[1].shop = "y" -> (known after apply)
            ~ list[2].shop = "z" -> (known after apply)
            ~ list[2].price = 300 -> 350"#]],
    );
}

#[test]
fn set_elements_match_by_key() {
    // The matched element is planned as configured, and the other one is unchanged.
    check::<Shelf>(
        Some(set()),
        config! { set = [{ title = "B", pages = 9, cover = "hard", price = 205 }, { title = "A", pages = 1, price = 100 }] },
        expect![[r#"
            update
            ~ set = [{cover = "hard", number = "2", pages = 2, price = 200, shop = "y", title = "B", weight = "b"}, {cover = "plain", number = "1", pages = 1, price = 100, shop = "x", title = "A", weight = "a"}] -> [{cover = "hard", number = "2", pages = 9, price = 200, shop = (known after apply), title = "B", weight = (known after apply)}, {cover = "plain", number = "1", pages = 1, price = 100, shop = "x", title = "A", weight = "a"}]"#]],
    );
    // A suppressed difference is not a change.
    check::<Shelf>(
        Some(set()),
        config! { set = [{ title = "A", pages = 1, price = 101 }, { title = "B", pages = 2, cover = "hard", price = 195 }] },
        expect![[r#"no change"#]],
    );
    check::<Shelf>(
        Some(set()),
        config! { note = "n", set = [{ title = "N", pages = 1, price = 100 }] },
        expect![[r#"
            update
            + note = "n"
            ~ set = [{cover = "hard", number = "2", pages = 2, price = 200, shop = "y", title = "B", weight = "b"}, {cover = "plain", number = "1", pages = 1, price = 100, shop = "x", title = "A", weight = "a"}] -> [{cover = "plain", number = (known after apply), pages = 1, price = 100, shop = (known after apply), title = "N", weight = (known after apply)}]"#]],
    );
}

#[test]
fn element_with_unknown_key_is_new() {
    let config = || {
        config! { list = [
            { title = unknown(), pages = 1, price = 100 },
            { title = "B", pages = 2, cover = "hard", price = unknown() },
            { title = "A", pages = 1, price = 100 },
        ] }
    };
    check::<Shelf>(
        Some(list()),
        config(),
        expect![[r#"
            update
            ~ list[0].title = "A" -> (known after apply)
            ~ list[0].shop = "x" -> (known after apply)
            ~ list[0].number = "1" -> (known after apply)
            ~ list[0].weight = "a" -> (known after apply)
            ~ list[1].shop = "y" -> (known after apply)
            ~ list[1].price = 200 -> (known after apply)
            ~ list[2].title = "C" -> "A"
            ~ list[2].pages = 3 -> 1
            ~ list[2].shop = "z" -> (known after apply)
            ~ list[2].price = 300 -> 100
            ~ list[2].number = "3" -> "1"
            ~ list[2].weight = "c" -> "a""#]],
    );
}

#[test]
fn configuration_with_equal_keys_is_rejected() {
    let instance = || instance(Shelf::schema(), true, Some(list()));
    let mut errors = Vec::new();
    let mut reject = |config: Configuration| errors.push(instance().try_apply(config).error().to_string());
    reject(config! { list = [{ title = "A", pages = 7 }, { title = "B" }, { title = "A", pages = 8 }] });
    reject(config! { set = [{ title = "A", pages = 7 }, { title = "A", pages = 8 }] });
    // The first plan has an unknown key, and the second one a key of another element.
    let mut unknown_key = instance();
    unknown_key.plan(config! { list = [{ title = "A" }, { title = unknown() }] });
    errors.push(
        unknown_key.try_apply(config! { list = [{ title = "A" }, { title = "A" }] }).error().to_string(),
    );
    expect![[r#"
        list: Duplicate Element Key: The elements 0 and 2 have the same key: {title = "A"}. The key of each element must be unique.
        set: Duplicate Element Key: Two elements of the set have the same key: {title = "A"}. The key of each element must be unique.
        list: Duplicate Element Key: The elements 0 and 1 have the same key: {title = "A"}. The key of each element must be unique."#]].assert_eq(&errors.join("\n"));
}

/// The prior state can contain equal keys, because an API may return them.
#[test]
fn prior_list_elements_with_equal_keys_match_in_order() {
    let state = config! { list = [
        { title = "A", pages = 1, cover = "plain", shop = "x", number = "1", weight = "a" },
        { title = "A", pages = 2, cover = "plain", shop = "y", number = "2", weight = "b" },
    ] };
    check::<Shelf>(
        Some(state),
        config! { list = [{ title = "A", pages = 2 }] },
        expect![[r#"
        update
        ~ list[0].pages = 1 -> 2
        ~ list[0].shop = "x" -> (known after apply)
        ~ list[0].weight = "a" -> (known after apply)
        - list[1].title = "A"
        - list[1].pages = 2
        - list[1].cover = "plain"
        - list[1].shop = "y"
        - list[1].number = "2"
        - list[1].weight = "b""#]],
    );
}

/// A compound key of two attributes.
#[derive(Model, Clone, Debug, PartialEq)]
struct Firewall {
    #[attr(block, mixed)]
    rule: Set<Rule>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rule {
    #[attr(key)]
    protocol: String,
    #[attr(key, default = 80)]
    port: i64,
    note: Option<String>,
    #[attr(requires_replace)]
    fixed: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[test]
fn compound_key_matches_as_a_whole() {
    let state = || {
        config! {
            rule { protocol = "tcp", port = 80, note = "a", id = "1" }
            rule { protocol = "tcp", port = 81, note = "b", id = "2" }
        }
    };
    check::<Firewall>(
        Some(state()),
        config! {
            rule { protocol = "tcp", note = "x" }
            rule { protocol = "tcp", port = 81, note = "y" }
            rule { protocol = "udp" }
        },
        expect![[r#"
            update
            ~ rule = [{id = "1", note = "a", port = 80, protocol = "tcp"}, {id = "2", note = "b", port = 81, protocol = "tcp"}] -> [{id = "1", note = "x", port = 80, protocol = "tcp"}, {id = "2", note = "y", port = 81, protocol = "tcp"}, {id = (known after apply), port = 80, protocol = "udp"}]"#]],
    );
    // The key values are swapped, which changes both elements.
    let fixed = |a: &str, b: &str| {
        config! {
            rule { protocol = "tcp", port = 80, fixed = a, id = "1" }
            rule { protocol = "tcp", port = 81, fixed = b, id = "2" }
        }
    };
    let swapped = config! {
        rule { protocol = "tcp", port = 80, fixed = "b" }
        rule { protocol = "tcp", port = 81, fixed = "a" }
    };
    assert_eq!(crate::common::plan::<Firewall>(Some(fixed("a", "b")), swapped).action, Action::Replace);
}

/// Elements with an optional and computed key.
#[derive(Model, Clone, Debug, PartialEq)]
struct Slots {
    #[attr(mixed)]
    list: Option<Vec<Slot>>,
    #[attr(mixed)]
    set: Option<Set<Slot>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Slot {
    #[attr(key, optional, computed)]
    name: String,
    note: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[test]
fn configured_key_matches_before_computed_key() {
    let slots = |list: Literal| config! { list = list.clone(), set = list };
    let element = |it: Configuration| Literal::from(it);
    let one = || Some(slots(Literal::Tuple(vec![element(config! { name = "a", id = "1" })])));
    let config = |name: Literal| {
        let without_note = element(config! { name = name });
        slots(Literal::Tuple(vec![without_note, element(config! { name = "a", note = "n" })]))
    };
    check::<Slots>(
        one(),
        config(Literal::Null),
        expect![[r#"
        update
        ~ list[0].name = "a" -> (known after apply)
        ~ list[0].id = "1" -> (known after apply)
        + list[1].name = "a"
        + list[1].note = "n"
        + list[1].id = "1"
        ~ set = [{id = "1", name = "a"}] -> [{id = "1", name = "a", note = "n"}, {id = (known after apply), name = (known after apply)}]"#]],
    );
    // The plan with an unknown name matches in the same way.
    check::<Slots>(
        one(),
        config(unknown()),
        expect![[r#"
        update
        ~ list[0].name = "a" -> (known after apply)
        ~ list[0].id = "1" -> (known after apply)
        + list[1].name = "a"
        + list[1].note = "n"
        + list[1].id = "1"
        ~ set = [{id = "1", name = "a"}] -> [{id = "1", name = "a", note = "n"}, {id = (known after apply), name = (known after apply)}]"#]],
    );
    let two = config! { name = "a", note = "n", id = "1" };
    let two = vec![element(config! { name = "b", id = "2" }), element(two)];
    check::<Slots>(Some(slots(Literal::Tuple(two))), config(Literal::Null), expect!["no change"]);
}

/// List elements with an attribute that requires replacement.
#[derive(Model, Clone, Debug, PartialEq)]
struct Steps {
    #[attr(mixed)]
    steps: Vec<Step>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Step {
    #[attr(key)]
    name: String,
    #[attr(requires_replace)]
    image: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

/// Terraform does not know keys, so the replacement path must be one whose value changes for Terraform.
#[test]
fn moved_and_changed_element_requires_replacement_at_its_index() {
    let state =
        || Some(config! { steps = [{ name = "b", image = "i", id = "1" }, { name = "c", id = "2" }] });
    // The value at that index does not change.
    check::<Steps>(
        state(),
        config! { steps = [{ name = "c" }, { name = "b" }] },
        expect![[r#"
            replace
            ~ steps[0].name = "b" -> "c"
            ~ steps[0].id = "1" -> (known after apply)
            ~ steps[1].name = "c" -> "b" # forces replacement
            ~ steps[1].id = "2" -> (known after apply) # forces replacement
            - steps[0].image = "i""#]],
    );
    check::<Steps>(
        state(),
        config! { steps = [{ name = "a" }, { name = "c" }, { name = "b" }] },
        expect![[r#"
            replace
            ~ steps[0].name = "b" -> "a"
            ~ steps[0].id = "1" -> (known after apply)
            ~ steps[1].id = "2" -> (known after apply)
            + steps[2].name = "b" # forces replacement
            + steps[2].id = (known after apply) # forces replacement
            - steps[0].image = "i""#]],
    );
    check::<Steps>(
        state(),
        config! { steps = [{ name = "a", image = "i" }, { name = "b", image = "i" }] },
        expect![[r#"
            replace
            ~ steps[0].name = "b" -> "a" # forces replacement
            ~ steps[0].id = "1" -> (known after apply) # forces replacement
            ~ steps[1].name = "c" -> "b"
            + steps[1].image = "i"
            ~ steps[1].id = "2" -> (known after apply)"#]],
    );
    // The element is at its old index or at the end.
    check::<Steps>(
        state(),
        config! { steps = [{ name = "b" }, { name = "c" }] },
        expect![[r#"
        replace
        ~ steps[0].id = "1" -> (known after apply)
        ~ steps[1].id = "2" -> (known after apply)
        - steps[0].image = "i" # forces replacement"#]],
    );
    check::<Steps>(
        state(),
        config! { steps = [{ name = "b", image = "i" }, { name = "c" }, { name = "d", image = "i" }] },
        expect![[r#"
            replace
            ~ steps[0].id = "1" -> (known after apply)
            ~ steps[1].id = "2" -> (known after apply)
            + steps[2].name = "d"
            + steps[2].image = "i" # forces replacement
            + steps[2].id = (known after apply)"#]],
    );
}

/// A key type with semantic equality, whose diagnostics show the normalized string.
#[derive(Model, Clone, Debug, PartialEq)]
struct Hosts {
    #[attr(mixed)]
    hosts: Vec<Host>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Host {
    #[attr(key)]
    address: std::net::Ipv6Addr,
    note: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[test]
fn semantically_equal_keys_match() {
    check::<Hosts>(
        Some(config! { hosts = [{ address = "::1", id = "1" }, { address = "::2", id = "2" }] }),
        config! { hosts = [{ address = "0:0:0:0:0:0:0:2", note = "n" }, { address = "0::1", note = "m" }] },
        expect![[r#"
            update
            ~ hosts[0].address = "::1" -> "0:0:0:0:0:0:0:2"
            + hosts[0].note = "n"
            ~ hosts[0].id = "1" -> "2"
            ~ hosts[1].address = "::2" -> "0::1"
            + hosts[1].note = "m"
            ~ hosts[1].id = "2" -> "1""#]],
    );
}

/// The plan with unknown values is consistent with the plan for every final value.
#[test]
fn unknown_value_may_become_any_value() {
    let mut tried = 0;
    for (state, config) in [
        (
            list(),
            config! { list = [{ title = "B", pages = 2, price = 1 }, { title = "N" }, { title = "A" }] },
        ),
        (
            list(),
            config! { list = [{ title = "A", pages = 1 }, { title = "B", price = 1 }, { title = "C" }] },
        ),
        (
            set(),
            config! { set = [{ title = "A" }, { title = "N", pages = 1 }, { title = "B", price = 230 }] },
        ),
    ] {
        tried += instance(Shelf::schema(), true, Some(state)).plan_with_unknowns(config);
    }
    assert!(tried > 30, "{tried}");
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Lines {
    #[attr(mixed)]
    lines: Set<Line>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Line {
    #[attr(key, optional, computed)]
    name: String,
    word: Word,
    size: i64,
}

#[test]
fn new_element_without_key_is_planned_as_configured() {
    check::<Lines>(
        Some(config! { lines = [{ name = "x", word = "A", size = 1 }] }),
        config! { lines = [{ word = "a", size = 2 }] },
        expect![[r#"
            update
            ~ lines = [{name = "x", size = 1, word = "A"}] -> [{name = (known after apply), size = 2, word = "a"}]"#]],
    );
}
