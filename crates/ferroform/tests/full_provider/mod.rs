//! The same provider in two forms: derived, and built at run time.

#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, reason = "test code")]

pub mod raw;
pub mod typed;

use ferroform::value::{Step, Value};

/// Returns true if both lists contain the same strings in any order.
fn same_words(old: &[String], new: &[String]) -> bool {
    let sorted = |it: &[String]| {
        let mut it = it.to_vec();
        it.sort();
        it
    };
    sorted(old) == sorted(new)
}

/// Replaces the unknown values of a plan with known ones.
fn with_computed_values(plan: Value) -> Value {
    let applied = plan.transform(&mut |path, it| {
        let is_list = matches!(path.last(), Some(Step::Attribute(name)) if &**name == "endpoint");
        let is_number = matches!(path.last(), Some(Step::Attribute(name)) if name.ends_with("revision"));
        Ok::<_, std::convert::Infallible>(match it {
            Value::Unknown(_) if is_list => Value::List(vec![Value::object([("host", "computed".into())])]),
            Value::Unknown(_) if is_number => 7.into(),
            Value::Unknown(_) => "computed".into(),
            it => it,
        })
    });
    let Ok(applied) = applied;
    applied
}
