//! The plan for each combination of prior state and configuration. The test kit checks each plan as Terraform does.

use std::collections::BTreeMap;

use crate::common::{Word, check, check_without_update};
use expect_test::expect;
use ferroform::Model;
use ferroform_testing::{config, unknown};

/// One attribute of each mode.
#[derive(Model, Clone, Debug, PartialEq)]
struct Kinds {
    name: String,
    note: Option<String>,
    #[attr(optional, computed)]
    zone: String,
    #[attr(default = 3)]
    size: i64,
    #[attr(write_only)]
    token: Option<String>,
    #[attr(computed)]
    etag: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

fn kinds() -> ferroform_testing::Configuration {
    config! { name = "a", note = "n", zone = "z", size = 3, etag = "e", id = "1" }
}

#[test]
fn create_plans_unset_computed_values_as_unknown() {
    check::<Kinds>(
        None,
        config! { name = "a" },
        expect![[r#"
            create
            + name = "a"
            + zone = (known after apply)
            + size = 3
            + etag = (known after apply)
            + id = (known after apply)"#]],
    );
    check::<Kinds>(
        None,
        config! { name = unknown(), note = null, zone = "z", size = unknown(), token = "secret" },
        expect![[r#"
            create
            + name = (known after apply)
            + zone = "z"
            + size = (known after apply)
            + etag = (known after apply)
            + id = (known after apply)"#]],
    );
}

#[test]
fn unchanged_object_keeps_all_computed_values() {
    check::<Kinds>(Some(kinds()), config! { name = "a", note = "n" }, expect![[r#"no change"#]]);
    check::<Kinds>(
        Some(kinds()),
        config! { name = "a", note = "n", zone = "z", size = 3 },
        expect![[r#"no change"#]],
    );
    // A changed write-only value alone is not a change.
    check::<Kinds>(
        Some(kinds()),
        config! { name = "a", note = "n", token = "other" },
        expect![[r#"no change"#]],
    );
}

#[test]
fn update_makes_computed_values_unknown_unless_kept() {
    check::<Kinds>(
        Some(kinds()),
        config! { name = "b", note = "n" },
        expect![[r#"
            update
            ~ name = "a" -> "b"
            ~ zone = "z" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
    check::<Kinds>(
        Some(kinds()),
        config! { name = "a" },
        expect![[r#"
            update
            ~ zone = "z" -> (known after apply)
            ~ etag = "e" -> (known after apply)
            - note = "n""#]],
    );
    check::<Kinds>(
        Some(kinds()),
        config! { name = "a", note = unknown(), zone = "z" },
        expect![[r#"
            update
            ~ note = "n" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
}

#[test]
fn default_replaces_omitted_values_at_every_depth() {
    let changed = config! { name = "a", note = "n", zone = "z", size = 7, etag = "e", id = "1" };
    check::<Kinds>(
        Some(changed),
        config! { name = "a", note = "n", zone = "z" },
        expect![[r#"
            update
            ~ size = 7 -> 3
            ~ etag = "e" -> (known after apply)"#]],
    );
}

/// Attributes that follow each other.
#[derive(Model, Clone, Debug, PartialEq)]
struct Chain {
    text: String,
    other: Option<String>,
    word: Option<Word>,
    #[attr(computed, follows(sum))]
    sign: String,
    #[attr(computed, follows(text))]
    sum: String,
    #[attr(computed, follows(word))]
    root: String,
    #[attr(optional, computed, follows(other))]
    label: String,
}

#[test]
fn following_value_is_kept_while_followed_values_are_unchanged() {
    let state =
        || config! { text = "t", other = "o", word = "Word", sum = "s", sign = "g", root = "r", label = "l" };
    let config = |text: &str, other: &str, word: &str| config! { text = text, other = other, word = word };
    check::<Chain>(Some(state()), config("t", "o", "Word"), expect![[r#"no change"#]]);
    check::<Chain>(
        Some(state()),
        config("T", "o", "Word"),
        expect![[r#"
            update
            ~ text = "t" -> "T"
            ~ sign = "g" -> (known after apply)
            ~ sum = "s" -> (known after apply)"#]],
    );
    check::<Chain>(
        Some(state()),
        config! { text = unknown(), other = "o", word = "Word" },
        expect![[r#"
            update
            ~ text = "t" -> (known after apply)
            ~ sign = "g" -> (known after apply)
            ~ sum = "s" -> (known after apply)"#]],
    );
    check::<Chain>(
        Some(state()),
        config("t", "p", "WORD"),
        expect![[r#"
            update
            ~ other = "o" -> "p"
            ~ label = "l" -> (known after apply)"#]],
    );
    // No attribute follows the configured value.
    check::<Chain>(
        Some(state()),
        config! { text = "t", other = "p", word = "Word", label = "mine" },
        expect![[r#"
            update
            ~ other = "o" -> "p"
            ~ label = "l" -> "mine""#]],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Words {
    one: Option<Word>,
    many: Option<Vec<Word>>,
    by_name: Option<BTreeMap<String, Word>>,
    parts: Option<Vec<Part>>,
    owner: Option<Part>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    name: Word,
    size: Option<i64>,
}

#[test]
fn semantically_equal_value_keeps_prior_value() {
    let state = || {
        config! {
            one = "One",
            many = ["A", "B"],
            by_name = { k = "V" },
            parts = [{ name = "P", size = 1 }, { name = "Q", size = 2 }],
            owner = { name = "Me" },
        }
    };
    check::<Words>(
        Some(state()),
        config! {
            one = "ONE",
            many = ["a", "b"],
            by_name = { k = "v" },
            parts = [{ name = "p", size = 1 }, { name = "q", size = 2 }],
            owner = { name = "me" },
        },
        expect![[r#"
            update
            ~ many = ["A", "B"] -> ["a", "b"]
            ~ by_name = {"k" = "V"} -> {"k" = "v"}"#]],
    );
    // A list of strings is one value, so a changed list is planned as configured. In objects, each attribute keeps
    // its prior value.
    check::<Words>(
        Some(state()),
        config! {
            one = "two",
            many = ["a", "c"],
            by_name = { k = "v", l = "w" },
            parts = [{ name = "p", size = 9 }, { name = "q", size = 2 }],
            owner = { name = "me", size = 1 },
        },
        expect![[r#"
            update
            ~ one = "One" -> "two"
            ~ many = ["A", "B"] -> ["a", "c"]
            ~ by_name = {"k" = "V"} -> {"k" = "v", "l" = "w"}
            ~ parts[0].size = 1 -> 9
            + owner.size = 1"#]],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Shelf {
    #[attr(mixed)]
    books: Vec<Book>,
    #[attr(mixed)]
    by_key: Option<BTreeMap<String, Book>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Book {
    title: Word,
    pages: Option<i64>,
    #[attr(default = "plain".to_owned())]
    cover: String,
    #[attr(computed, use_state_for_unknown)]
    number: String,
    #[attr(computed)]
    stamp: String,
}

#[test]
fn list_elements_without_key_match_by_index() {
    let state = || {
        config! { books = [
            { title = "A", cover = "plain", number = "1", stamp = "x" },
            { title = "B", cover = "plain", number = "2", stamp = "y" },
            { title = "C", cover = "plain", number = "3", stamp = "z" },
        ] }
    };
    check::<Shelf>(
        Some(state()),
        config! { books = [{ title = "C" }, { title = "A" }] },
        expect![[r#"
            update
            ~ books[0].title = "A" -> "C"
            ~ books[0].stamp = "x" -> (known after apply)
            ~ books[1].title = "B" -> "A"
            ~ books[1].stamp = "y" -> (known after apply)
            - books[2].title = "C"
            - books[2].cover = "plain"
            - books[2].number = "3"
            - books[2].stamp = "z""#]],
    );
    // An element that changes in place keeps its computed values.
    check::<Shelf>(
        Some(state()),
        config! { books = [{ title = "A" }, { title = "B", pages = 7 }, { title = "C" }] },
        expect![[r#"
            update
            ~ books[0].stamp = "x" -> (known after apply)
            + books[1].pages = 7
            ~ books[1].stamp = "y" -> (known after apply)
            ~ books[2].stamp = "z" -> (known after apply)"#]],
    );
    // A new element at the start does not receive the computed values of the elements behind it.
    check::<Shelf>(
        Some(config! { books = [{ title = "A", cover = "plain", number = "1", stamp = "x" }] }),
        config! { books = [{ title = "N" }, { title = "A" }] },
        expect![[r#"
            update
            ~ books[0].title = "A" -> "N"
            ~ books[0].stamp = "x" -> (known after apply)
            + books[1].title = "A"
            + books[1].cover = "plain"
            + books[1].number = (known after apply)
            + books[1].stamp = (known after apply)"#]],
    );
}

#[test]
fn map_elements_match_by_map_key() {
    let state =
        config! { books = [], by_key = { a = { title = "A", cover = "plain", number = "1", stamp = "x" } } };
    check::<Shelf>(
        Some(state),
        config! { books = [], by_key = { b = { title = "A" }, a = { title = "a", cover = "hard" } } },
        expect![[r#"
            update
            ~ by_key["a"].cover = "plain" -> "hard"
            ~ by_key["a"].stamp = "x" -> (known after apply)
            + by_key["b"].title = "A"
            + by_key["b"].cover = "plain"
            + by_key["b"].number = (known after apply)
            + by_key["b"].stamp = (known after apply)"#]],
    );
}

/// Optional and computed nested objects.
#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    name: String,
    #[attr(optional, computed)]
    address: Address,
    #[attr(optional, computed, use_state_for_unknown)]
    kept: Address,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Address {
    ip: String,
}

#[test]
fn removed_optional_computed_object_becomes_unknown() {
    // `ip` is not computed, so it must have been configured. Terraform proposes null, which is a change.
    let config = || config! { name = "a", address = { ip = "10.0.0.1" }, kept = { ip = "10.0.0.2" } };
    check::<Network>(Some(config()), config(), expect![[r#"no change"#]]);
    check::<Network>(
        Some(config()),
        config! { name = "a", kept = { ip = "10.0.0.2" } },
        expect![[r#"
            update
            + address = (known after apply)
            - address.ip = "10.0.0.1""#]],
    );
    let only_address = config! { name = "a", address = { ip = "10.0.0.1" } };
    check::<Network>(Some(config()), only_address, expect![[r#"no change"#]]);
}

/// Attributes that require replacement.
#[derive(Model, Clone, Debug, PartialEq)]
struct Fixed {
    #[attr(requires_replace)]
    name: Word,
    #[attr(requires_replace_if_configured, optional, computed)]
    zone: String,
    note: Option<String>,
    #[attr(mixed)]
    disks: Option<Vec<Disk>>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed)]
    etag: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    #[attr(requires_replace)]
    kind: String,
    size: Option<i64>,
    #[attr(computed, use_state_for_unknown)]
    serial: String,
}

#[test]
fn replacement_makes_all_computed_values_unknown() {
    let state = || {
        config! { name = "a", zone = "z", disks = [{ kind = "ssd", size = 1, serial = "s" }], id = "1", etag = "e" }
    };
    check::<Fixed>(
        Some(state()),
        config! { name = "b", disks = [{ kind = "ssd", size = 1 }] },
        expect![[r#"
            replace
            ~ name = "a" -> "b" # forces replacement
            ~ zone = "z" -> (known after apply)
            ~ disks[0].serial = "s" -> (known after apply)
            ~ id = "1" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
    check::<Fixed>(
        Some(state()),
        config! { name = unknown(), zone = "z", disks = [{ kind = "ssd", size = 1 }] },
        expect![[r#"
            replace
            ~ name = "a" -> (known after apply) # forces replacement
            ~ disks[0].serial = "s" -> (known after apply)
            ~ id = "1" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
    // Neither a semantically equal string nor an unknown computed value requires replacement.
    check::<Fixed>(
        Some(state()),
        config! { name = "A", note = "n", disks = [{ kind = "ssd", size = 1 }] },
        expect![[r#"
            update
            ~ zone = "z" -> (known after apply)
            + note = "n"
            ~ etag = "e" -> (known after apply)"#]],
    );
    check::<Fixed>(
        Some(state()),
        config! { name = "a", zone = "y", disks = [{ kind = "ssd", size = 1 }] },
        expect![[r#"
            replace
            ~ zone = "z" -> "y" # forces replacement
            ~ disks[0].serial = "s" -> (known after apply)
            ~ id = "1" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
    check::<Fixed>(
        Some(state()),
        config! { name = "a", disks = [{ kind = "hdd", size = 2 }] },
        expect![[r#"
            replace
            ~ zone = "z" -> (known after apply)
            ~ disks[0].kind = "ssd" -> "hdd" # forces replacement
            ~ disks[0].size = 1 -> 2
            ~ disks[0].serial = "s" -> (known after apply)
            ~ id = "1" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
}

#[test]
fn resource_without_update_replaces_on_every_change() {
    let state = || config! { name = "a", zone = "z", note = "n", id = "1", etag = "e" };
    check_without_update::<Fixed>(state(), config! { name = "a", note = "n" }, expect![[r#"no change"#]]);
    check_without_update::<Fixed>(
        state(),
        config! { name = "a", note = "m" },
        expect![[r#"
            replace
            ~ zone = "z" -> (known after apply)
            ~ note = "n" -> "m" # forces replacement
            ~ id = "1" -> (known after apply)
            ~ etag = "e" -> (known after apply)"#]],
    );
    check_without_update::<Fixed>(
        state(),
        config! { name = "a" },
        expect![[r#"
            replace
            ~ zone = "z" -> (known after apply)
            ~ id = "1" -> (known after apply)
            ~ etag = "e" -> (known after apply)
            - note = "n" # forces replacement"#]],
    );
}

/// A resource with blocks.
#[derive(Model, Clone, Debug, PartialEq)]
struct Firewall {
    name: String,
    #[attr(block, mixed)]
    rule: Vec<Rule>,
    #[attr(block)]
    timeouts: Option<Timeouts>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rule {
    port: i64,
    #[attr(default = "tcp".to_owned())]
    protocol: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Timeouts {
    create: Option<String>,
}

#[test]
fn blocks_are_planned_like_attributes() {
    check::<Firewall>(
        None,
        config! { name = "f", rule { port = 80 } rule { port = 53, protocol = "udp" } timeouts { create = "1m" } },
        expect![[r#"
            create
            + name = "f"
            + rule[0].port = 80
            + rule[0].protocol = "tcp"
            + rule[1].port = 53
            + rule[1].protocol = "udp"
            + timeouts.create = "1m""#]],
    );
    let state = || config! { name = "f", rule { port = 80, protocol = "tcp" } timeouts { create = "1m" } };
    check::<Firewall>(
        Some(state()),
        config! { name = "f", rule { port = 80 } timeouts { create = "1m" } },
        expect![[r#"no change"#]],
    );
    check::<Firewall>(
        Some(state()),
        config! { name = "f" },
        expect![[r#"
            update
            - rule[0].port = 80
            - rule[0].protocol = "tcp"
            - timeouts.create = "1m""#]],
    );
    check::<Firewall>(
        Some(state()),
        config! { name = "f", rule = unknown(), timeouts { create = unknown() } },
        expect![[r#"
            update
            + rule = (known after apply)
            ~ timeouts.create = "1m" -> (known after apply)
            - rule[0].port = 80
            - rule[0].protocol = "tcp""#]],
    );
}

/// Optional and computed objects that contain an attribute which is not computed.
#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(optional, computed, use_state_for_unknown)]
    kept: Access,
    #[attr(optional, computed, use_non_null_state_for_unknown)]
    once: Access,
    #[attr(optional, computed, follows(name))]
    follows: Access,
    #[attr(optional, computed)]
    recomputed: Access,
    #[attr(computed)]
    stamp: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Access {
    key: Option<String>,
    #[attr(computed)]
    id: String,
}

#[test]
fn removed_optional_computed_value_keeps_prior_value() {
    let state = |recomputed| {
        let access = |id: &str| config! { key = "k", id = id };
        config! { name = "n", kept = (access("1")), once = (access("2")), follows = (access("3")), stamp = "s" }
            .set("recomputed", recomputed)
    };
    let (configured, computed) = (config! { key = "k", id = "4" }, config! { id = "4" });
    check::<Server>(Some(state(computed.clone())), config! { name = "n" }, expect!["no change"]);
    check::<Server>(
        Some(state(computed)),
        config! { name = "m" },
        expect![[r#"
        update
        ~ name = "n" -> "m"
        + follows = (known after apply)
        + recomputed = (known after apply)
        ~ stamp = "s" -> (known after apply)
        - follows.key = "k"
        - follows.id = "3"
        - recomputed.id = "4""#]],
    );
    // A configured object that is removed becomes computed, so it is unknown.
    check::<Server>(
        Some(state(configured)),
        config! { name = "n" },
        expect![[r#"
        update
        + recomputed = (known after apply)
        ~ stamp = "s" -> (known after apply)
        - recomputed.key = "k"
        - recomputed.id = "4""#]],
    );
}
