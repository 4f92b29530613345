//! Elements of lists and sets that are known by their keys.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{Word, check, instance};
use expect_test::expect;
use ferroform::engine::PlanRequest;
use ferroform::schema::Schema;
use ferroform::value::Value;
use ferroform::{Model, Set};
use ferroform_testing::{Action, Configuration, Literal, config, unknown};

/// Elements with a key, once in each collection.
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
    #[attr(suppress_diff = about)]
    price: Option<i64>,
    #[attr(computed, use_state_for_unknown)]
    number: String,
    #[attr(computed, follows(pages))]
    weight: String,
}

fn about(old: &i64, new: &i64) -> bool {
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
fn an_element_of_a_list_is_found_by_its_key() {
    // Changed and in another place: what the provider wrote goes along.
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
    // Another key is another element, though it stands where one was.
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
fn an_element_of_a_set_is_found_by_its_key() {
    // The changed one settles, the other is as it was.
    check::<Shelf>(
        Some(set()),
        config! { set = [{ title = "B", pages = 9, cover = "hard", price = 205 }, { title = "A", pages = 1, price = 100 }] },
        expect![[r#"
            update
            ~ set = [{cover = "hard", number = "2", pages = 2, price = 200, shop = "y", title = "B", weight = "b"}, {cover = "plain", number = "1", pages = 1, price = 100, shop = "x", title = "A", weight = "a"}] -> [{cover = "hard", number = "2", pages = 9, price = 200, shop = (known after apply), title = "B", weight = (known after apply)}, {cover = "plain", number = "1", pages = 1, price = 100, shop = "x", title = "A", weight = "a"}]"#]],
    );
    // What is suppressed is no change at all.
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
fn a_key_that_is_not_known_yet_is_that_of_a_new_element() {
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
fn elements_with_the_same_key_are_taken_once_each() {
    let state = || {
        config! { list = [
            { title = "A", pages = 1, cover = "plain", number = "1" },
            { title = "A", pages = 2, cover = "plain", number = "2" },
        ] }
    };
    // Equal ones first, then in their order; of three the last is new.
    check::<Shelf>(
        Some(state()),
        config! { list = [{ title = "A", pages = 7 }, { title = "A", pages = 1 }, { title = "A", pages = 8 }] },
        expect![[r#"
            update
            ~ list[0].pages = 1 -> 7
            + list[0].shop = (known after apply)
            ~ list[0].number = "1" -> "2"
            + list[0].weight = (known after apply)
            ~ list[1].pages = 2 -> 1
            + list[1].shop = (known after apply)
            ~ list[1].number = "2" -> "1"
            + list[2].title = "A"
            + list[2].pages = 8
            + list[2].cover = "plain"
            + list[2].shop = (known after apply)
            + list[2].number = (known after apply)
            + list[2].weight = (known after apply)"#]],
    );
}

/// Two keys make one.
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
fn several_keys_are_one() {
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
    // The same things in other elements: with keys that is a change of each.
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
    assert_eq!(common::plan::<Firewall>(Some(fixed("a", "b")), swapped).action, Action::Replace);
}

/// Elements of which the provider may choose the key.
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
fn an_element_with_a_key_comes_before_those_that_leave_it_to_the_provider() {
    let slots = |list: Literal| config! { list = list.clone(), set = list };
    let element = |it: Configuration| Literal::from(it);
    let one = || Some(slots(Literal::Tuple(vec![element(config! { name = "a", id = "1" })])));
    let config = |name: Literal| {
        let open = element(config! { name = name });
        slots(Literal::Tuple(vec![open, element(config! { name = "a", note = "n" })]))
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
    // Which is so before it is known, too.
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

/// Elements of a list of which one part cannot change.
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

/// The reason for a new object is a place that changes for Terraform too, which knows of no keys.
#[test]
fn an_element_that_has_moved_and_changed_replaces_where_terraform_sees_a_change() {
    let state =
        || Some(config! { steps = [{ name = "b", image = "i", id = "1" }, { name = "c", id = "2" }] });
    // Nothing has changed in what stands at that index.
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
    // Where it was, or at the end.
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

/// A key whose type has an equality of its own, which it prints.
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
fn keys_that_mean_the_same_are_the_same() {
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

/// Plans with every place unknown must fit those with everything known.
#[test]
fn what_is_unknown_first_may_be_anything_then() {
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

/// 5,000 elements with a key, all of them changed and in another order.
#[test]
fn five_thousand_keys_pair_in_no_time() {
    const COUNT: i64 = 5_000;
    let book = |i: i64, state: bool| {
        let text = |it: &str| if state { Value::from(it) } else { Value::Null };
        Value::object([
            ("title", Value::from(format!("title {i}"))),
            ("pages", Value::from(if state { i } else { i + 1 })),
            ("cover", text("plain")),
            ("shop", text("x")),
            ("price", Value::Null),
            ("number", if state { Value::from(format!("{i}")) } else { Value::Null }),
            ("weight", text("w")),
        ])
    };
    let shelf = |field: &str, books: Vec<Value>| {
        let of = |name: &str, made: Value| if name == field { made } else { Value::Null };
        Value::object([
            ("note", Value::Null),
            ("list", of("list", Value::List(books.clone()))),
            ("set", of("set", Value::set(books))),
        ])
    };
    for field in ["list", "set"] {
        let server = common::server(Shelf::schema());
        let config = shelf(field, (0..COUNT).rev().map(|i| book(i, false)).collect());
        let request = PlanRequest {
            type_name: "test_thing".into(),
            prior: Some(shelf(field, (0..COUNT).map(|i| book(i, true)).collect())),
            proposed: Some(config.clone()),
            config: Some(config),
            prior_private: Vec::new(),
            ..PlanRequest::default()
        };
        let start = Instant::now();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let planned = runtime.block_on(server.plan(request)).planned.expect("a plan");
        let time = start.elapsed();
        let elements: Vec<&Value> = match planned.attribute(field) {
            Some(Value::List(it)) => it.iter().collect(),
            Some(Value::Set(it)) => it.iter().collect(),
            other => panic!("{other:?}"),
        };
        let kept = elements.iter().all(|it| {
            let of = |name: &str| it.attribute(name).and_then(Value::as_str);
            of("title").and_then(|it| it.strip_prefix("title ")) == of("number")
        });
        assert!(kept && elements.len() == 5_000);
        assert!(time < Duration::from_secs(10), "{field}: {time:?}");
    }
}

/// Words that mean the same but do not print alike, in a set: only their own equality can pair them.
#[derive(Model, Clone, Debug, PartialEq)]
struct Words {
    words: Set<Word>,
    parts: Option<Set<Part>>,
    keyed: Option<Set<Keyed>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    word: Word,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Keyed {
    #[attr(key)]
    name: String,
    #[attr(semantic_eq = str::eq_ignore_ascii_case)]
    word: String,
}

/// What a read answers for a state.
fn read(schema: Schema, state: Value, found: Value) -> (Value, Duration) {
    let start = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
    let read = runtime.block_on(common::reader(schema, found).read(ferroform::engine::ReadRequest {
        type_name: "test_thing".into(),
        state: Some(state),
        private: Vec::new(),
        ..ferroform::engine::ReadRequest::default()
    }));
    assert!(read.diagnostics.is_empty(), "{}", read.diagnostics);
    (read.state.expect("a state"), start.elapsed())
}

/// So many elements in three sets, in capitals or not.
fn words(range: std::ops::Range<usize>, capitals: bool) -> Value {
    let word = |i: usize| {
        let text = format!("word {i}");
        Value::from(if capitals { text.to_uppercase() } else { text })
    };
    let keyed = |i: usize| Value::object([("name", Value::from(format!("{i}"))), ("word", word(i))]);
    Value::object([
        ("words", Value::set(range.clone().map(word))),
        ("parts", Value::set(range.clone().map(|i| Value::object([("word", word(i))])))),
        ("keyed", Value::set(range.map(keyed))),
    ])
}

#[test]
fn what_means_the_same_in_a_set_stays() {
    let (state, _) = read(Words::schema(), words(0..100, false), words(0..101, true));
    let of = |name: &str| match state.attribute(name) {
        Some(Value::Set(it)) => format!("{:?}", it.iter().collect::<Vec<_>>()),
        other => format!("{other:?}"),
    };
    // The new one alone is in capitals.
    for name in ["words", "parts", "keyed"] {
        let text = of(name);
        assert_eq!(
            (text.matches("\"WORD").count(), text.matches("\"word ").count()),
            (1, 100),
            "{name}: {text}"
        );
    }
}

/// With keys all are found, however many they are; without, no more than some hundreds: but in no time.
#[test]
fn many_that_mean_the_same_are_no_trouble() {
    const COUNT: usize = 20_000;
    let (state, time) = read(Words::schema(), words(0..COUNT, false), words(0..COUNT, true));
    let small = |name: &str| match state.attribute(name) {
        Some(Value::Set(it)) => format!("{it:?}").matches("\"word ").count(),
        _ => 0,
    };
    assert_eq!(small("keyed"), COUNT);
    assert!(small("words") >= 300 && small("parts") >= 300, "{} {}", small("words"), small("parts"));
    assert!(time < Duration::from_secs(20), "{time:?}");
}

static COMPARED: AtomicUsize = AtomicUsize::new(0);

fn counted(old: &str, new: &str) -> bool {
    COMPARED.fetch_add(1, Ordering::Relaxed);
    old.eq_ignore_ascii_case(new)
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Counted {
    parts: Option<Set<CountedPart>>,
    list: Option<Vec<CountedPart>>,
    keyed: Option<Set<CountedKeyed>>,
    keyed_list: Option<Vec<CountedKeyed>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct CountedPart {
    #[attr(semantic_eq = counted)]
    word: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct CountedKeyed {
    #[attr(key)]
    name: String,
    #[attr(semantic_eq = counted)]
    word: String,
}

/// How often two values are compared for a plan and for a read, with that many elements in one collection, all of
/// them in capitals or not, and in another order.
fn comparisons(field: &str, count: usize) -> usize {
    let object = |capitals: bool, order: &mut dyn Iterator<Item = usize>| {
        let text = |i: usize| if capitals { format!("WORD {i}") } else { format!("word {i}") };
        let elements: Vec<Value> = order
            .map(|i| match field {
                "parts" | "list" => Value::object([("word", Value::from(text(i)))]),
                _ => Value::object([("name", Value::from(format!("{i}"))), ("word", Value::from(text(i)))]),
            })
            .collect();
        let mut made = match field {
            "parts" | "keyed" => Some(Value::set(elements)),
            _ => Some(Value::List(elements)),
        };
        let names = ["parts", "list", "keyed", "keyed_list"];
        Value::object(names.map(|it| (it, made.take_if(|_| it == field).unwrap_or(Value::Null))))
    };
    let (state, other) = (object(false, &mut (0..count)), object(true, &mut (0..count).rev()));
    COMPARED.store(0, Ordering::Relaxed);
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
    let planned = runtime.block_on(common::server(Counted::schema()).plan(PlanRequest {
        type_name: "test_thing".into(),
        prior: Some(state.clone()),
        proposed: Some(other.clone()),
        config: Some(other.clone()),
        prior_private: Vec::new(),
        ..PlanRequest::default()
    }));
    assert!(planned.diagnostics.is_empty(), "{}", planned.diagnostics);
    read(Counted::schema(), state, other);
    COMPARED.load(Ordering::Relaxed)
}

/// With a key, so many comparisons for each element; without, no more than these and a fixed number.
#[test]
fn comparisons_grow_with_the_elements() {
    const FAILURES: usize = 1 << 16;
    for field in ["parts", "list", "keyed", "keyed_list"] {
        let (few, many) = (comparisons(field, 500), comparisons(field, 4_000));
        let has_key = field.starts_with("keyed");
        let fixed = if has_key { 0 } else { 4 * FAILURES };
        assert!(few <= 12 * 500 + fixed && many <= 12 * 4_000 + fixed, "{field}: {few}, {many}");
        assert!(few > 0, "{field}");
    }
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
fn a_new_element_without_its_key_is_planned_as_it_is_written() {
    check::<Lines>(
        Some(config! { lines = [{ name = "x", word = "A", size = 1 }] }),
        config! { lines = [{ word = "a", size = 2 }] },
        expect![[r#"
            update
            ~ lines = [{name = "x", size = 1, word = "A"}] -> [{name = (known after apply), size = 2, word = "a"}]"#]],
    );
}
