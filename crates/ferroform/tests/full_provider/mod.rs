//! One provider in two forms: derived, and built at run time.

#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, reason = "test code")]

pub mod raw;
pub mod typed;

use ferroform::value::{Step, Value};

/// True where the words are the same in another order.
fn same_words(old: &[String], new: &[String]) -> bool {
    let sorted = |it: &[String]| {
        let mut it = it.to_vec();
        it.sort();
        it
    };
    sorted(old) == sorted(new)
}

/// A plan whose unknown parts have become something.
fn filled(plan: Value) -> Value {
    let made = plan.transform(&mut |place, it| {
        let is_list = matches!(place.last(), Some(Step::Attribute(name)) if &**name == "endpoint");
        let is_number = matches!(place.last(), Some(Step::Attribute(name)) if name.ends_with("revision"));
        Ok::<_, std::convert::Infallible>(match it {
            Value::Unknown(_) if is_list => Value::List(vec![Value::object([("host", "made".into())])]),
            Value::Unknown(_) if is_number => 7.into(),
            Value::Unknown(_) => "made".into(),
            it => it,
        })
    });
    let Ok(made) = made;
    made
}
