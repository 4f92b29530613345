//! Element matching in large collections takes linear time.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::Word;
use crate::common::deadline::within_deadline;
use ferroform::value::Value;
use ferroform::{Model, Set};

/// The same elements with a key in a list and in a set.
#[derive(Model, Clone, Debug, PartialEq)]
struct Shelf {
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
    #[attr(computed, use_state_for_unknown)]
    number: String,
}

/// Matches 5,000 changed elements by key, after a change of their order.
#[test]
fn matching_by_key_scales_to_5000_elements() {
    const COUNT: i64 = 5_000;
    let book = |i: i64, state: bool| {
        Value::object([
            ("title", Value::from(format!("title {i}"))),
            ("pages", Value::from(if state { i } else { i + 1 })),
            ("number", if state { Value::from(format!("{i}")) } else { Value::Null }),
        ])
    };
    let shelf = |field: &str, books: Vec<Value>| {
        let of = |name: &str, value: Value| if name == field { value } else { Value::Null };
        Value::object([
            ("list", of("list", Value::List(books.clone()))),
            ("set", of("set", Value::set(books))),
        ])
    };
    for field in ["list", "set"] {
        let state = shelf(field, (0..COUNT).map(|i| book(i, true)).collect());
        let config = shelf(field, (0..COUNT).rev().map(|i| book(i, false)).collect());
        let planned = within_deadline(|| crate::common::planned(Shelf::schema(), state, config))
            .planned
            .expect("a plan");
        let elements: Vec<&Value> = match planned.attribute(field) {
            Some(Value::List(it)) => it.iter().collect(),
            Some(Value::Set(it)) => it.iter().collect(),
            other => panic!("{other:?}"),
        };
        let all_ids_are_kept = elements.iter().all(|it| {
            let of = |name: &str| it.attribute(name).and_then(Value::as_str);
            of("title").and_then(|it| it.strip_prefix("title ")) == of("number")
        });
        assert!(all_ids_are_kept && elements.len() == 5_000);
    }
}

/// Set elements that are semantically equal but not equal strings. Only their equality can match them.
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

/// Returns three sets with one element for each number, in uppercase or lowercase.
fn words(range: std::ops::Range<usize>, capitals: bool) -> Value {
    let word = |i: usize| {
        let word = format!("word {i}");
        Value::from(if capitals { word.to_uppercase() } else { word })
    };
    let keyed = |i: usize| Value::object([("name", Value::from(format!("{i}"))), ("word", word(i))]);
    Value::object([
        ("words", Value::set(range.clone().map(word))),
        ("parts", Value::set(range.clone().map(|i| Value::object([("word", word(i))])))),
        ("keyed", Value::set(range.map(keyed))),
    ])
}

#[test]
fn semantically_equal_set_elements_are_kept() {
    let state = crate::common::read(Words::schema(), words(0..100, false), words(0..101, true));
    let of = |name: &str| match state.attribute(name) {
        Some(Value::Set(it)) => format!("{:?}", it.iter().collect::<Vec<_>>()),
        other => format!("{other:?}"),
    };
    // Only the new element is in uppercase.
    for name in ["words", "parts", "keyed"] {
        let elements = of(name);
        assert_eq!(
            (elements.matches("\"WORD").count(), elements.matches("\"word ").count()),
            (1, 100),
            "{name}: {elements}"
        );
    }
}

/// With a key, all elements match. Without a key, at least some hundred match. Both are fast.
#[test]
fn many_semantically_equal_elements_match_quickly() {
    const COUNT: usize = 20_000;
    let (state, found) = (words(0..COUNT, false), words(0..COUNT, true));
    let state = within_deadline(|| crate::common::read(Words::schema(), state, found));
    let small = |name: &str| match state.attribute(name) {
        Some(Value::Set(it)) => format!("{it:?}").matches("\"word ").count(),
        _ => 0,
    };
    assert_eq!(small("keyed"), COUNT);
    assert!(small("words") >= 300 && small("parts") >= 300, "{} {}", small("words"), small("parts"));
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

/// Returns the number of comparisons in a plan and a read of a collection with `count` elements, whose case and order
/// change.
fn comparisons(field: &str, count: usize) -> usize {
    let object = |capitals: bool, order: &mut dyn Iterator<Item = usize>| {
        let word = |i: usize| if capitals { format!("WORD {i}") } else { format!("word {i}") };
        let elements: Vec<Value> = order
            .map(|i| match field {
                "parts" | "list" => Value::object([("word", Value::from(word(i)))]),
                _ => Value::object([("name", Value::from(format!("{i}"))), ("word", Value::from(word(i)))]),
            })
            .collect();
        let mut collection = match field {
            "parts" | "keyed" => Some(Value::set(elements)),
            _ => Some(Value::List(elements)),
        };
        let names = ["parts", "list", "keyed", "keyed_list"];
        Value::object(names.map(|it| (it, collection.take_if(|_| it == field).unwrap_or(Value::Null))))
    };
    let (state, other) = (object(false, &mut (0..count)), object(true, &mut (0..count).rev()));
    COMPARED.store(0, Ordering::Relaxed);
    crate::common::planned(Counted::schema(), state.clone(), other.clone());
    crate::common::read(Counted::schema(), state, other);
    COMPARED.load(Ordering::Relaxed)
}

/// With a key, the number of comparisons is linear. Without a key, a constant is added.
#[test]
fn number_of_comparisons_grows_linearly() {
    const FAILURES: usize = 1 << 16;
    for field in ["parts", "list", "keyed", "keyed_list"] {
        let (few, many) = (comparisons(field, 500), comparisons(field, 4_000));
        let has_key = field.starts_with("keyed");
        let fixed = if has_key { 0 } else { 4 * FAILURES };
        assert!(few <= 12 * 500 + fixed && many <= 12 * 4_000 + fixed, "{field}: {few}, {many}");
        assert!(few > 0, "{field}");
    }
}
