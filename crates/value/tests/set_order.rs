//! Compares the order of set elements with the string forms by which Terraform orders them.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

#[path = "common/deadline.rs"]
mod deadline;

use deadline::within_deadline;
use ferroform_value::{Set, Type, Value, write_quoted};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// Returns the string form by which Terraform orders the element. Numbers are small and whole here; the vectors
/// contain others.
fn form(value: &Value) -> String {
    let all = |open: &str, values: Vec<String>, close: &str| {
        format!("{open}{}{close}", values.into_iter().map(|it| it + ";").collect::<String>())
    };
    let quoted = |string: &str| {
        let mut form = String::new();
        write_quoted(&mut form, string);
        form
    };
    match value {
        Value::Null => "~".into(),
        Value::Unknown(_) => "?".into(),
        Value::Bool(it) => if *it { "T" } else { "F" }.into(),
        Value::Number(it) => it.to_string(),
        Value::String(it) => quoted(it),
        Value::List(it) => all("[", it.iter().map(form).collect(), "]"),
        Value::Set(it) => all("[", by_form(it).into_iter().map(form).collect(), "]"),
        Value::Tuple(it) => all("<", it.iter().map(form).collect(), ">"),
        Value::Object(it) => all("<", it.values().map(form).collect(), ">"),
        Value::Map(it) => {
            all("{", it.iter().map(|(key, it)| format!("{}:{}", quoted(key), form(it))).collect(), "}")
        }
        Value::Dynamic(it) => form(&it.value),
    }
}

fn rank(value: &Value) -> u8 {
    match value.without_type() {
        Value::Null => 2,
        Value::Unknown(_) => 1,
        _ => 0,
    }
}

fn by_form(set: &Set) -> Vec<&Value> {
    let mut sorted: Vec<&Value> = set.iter().collect();
    if sorted.iter().all(|it| matches!(it.without_type(), Value::Number(_) | Value::Null | Value::Unknown(_)))
    {
        sorted.sort_by_key(|it| if let Value::Number(it) = it.without_type() { it.to_i64() } else { None });
    } else if sorted
        .iter()
        .all(|it| matches!(it.without_type(), Value::String(_) | Value::Null | Value::Unknown(_)))
    {
        sorted.sort_by_key(|it| it.without_type().as_str().map(str::to_owned));
    } else {
        sorted.sort_by_key(|it| form(it));
    }
    sorted.sort_by_key(|it| rank(it));
    sorted
}

/// Strings of few characters, so that many have a common prefix.
fn string() -> impl Strategy<Value = String> {
    "[a!\" ~\\\\é\u{2028}\u{7f}\n]{0,3}"
}

fn value(ty: &Type) -> BoxedStrategy<Value> {
    let known = match ty {
        Type::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::Number => (-20i64..200).prop_map(Value::from).boxed(),
        Type::String => string().prop_map(Value::string).boxed(),
        Type::List(ty) => vec(value(ty), 0..4).prop_map(Value::List).boxed(),
        Type::Set(ty) => vec(value(ty), 0..4).prop_map(Value::set).boxed(),
        Type::Map(ty) => btree_map(string(), value(ty), 0..4).prop_map(Value::map).boxed(),
        Type::Tuple(types) => types.iter().map(value).collect::<Vec<_>>().prop_map(Value::Tuple).boxed(),
        Type::Object(it) => {
            let all: Vec<_> =
                it.attributes().iter().map(|it| (Just(it.name.clone()), value(&it.ty))).collect();
            all.prop_map(Value::object).boxed()
        }
        // The elements of a set of `any` have one type.
        Type::Dynamic => string().prop_map(|it| Value::dynamic(Type::String, Value::string(it))).boxed(),
    };
    prop_oneof![8 => known, 1 => Just(Value::Null), 1 => Just(Value::UNKNOWN)].boxed()
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::Bool), Just(Type::Number), Just(Type::String), Just(Type::Dynamic)];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            vec(inner.clone(), 0..3).prop_map(Type::tuple),
            vec(inner, 1..3).prop_map(|it| Type::object(["a", "b", "c"].into_iter().zip(it))),
        ]
    })
}

proptest! {
    #[test]
    fn sets_are_ordered_by_string_forms(elements in ty().prop_flat_map(|ty| vec(value(&ty), 0..8))) {
        let set = Set::with_duplicates(elements);
        let forms = |it: Vec<&Value>| it.into_iter().map(form).collect::<Vec<_>>();
        prop_assert_eq!(forms(set.sorted()), forms(by_form(&set)));
    }
}

/// Nested sets are sorted once. Sorting them for each comparison would take years here.
#[test]
fn nested_sets_are_sorted_once() {
    let mut value = Value::set([Value::Null]);
    let mut other = Value::set([Value::Bool(true)]);
    for _ in 0..15 {
        let deeper = Value::set([value.clone(), other.clone()]);
        other = Value::set([other, Value::set([])]);
        value = deeper;
    }
    let Value::Set(set) = value else { unreachable!("it is a set") };
    assert_eq!(within_deadline(|| set.sorted().len()), 2);
}
