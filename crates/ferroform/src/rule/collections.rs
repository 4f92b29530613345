//! Rules for lists, sets and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ferroform_value::{Path, Step, Value};

use super::{IntoRule, Rule, invalid};
use crate::{Attr, Diagnostics, Set};

/// A collection whose elements can be judged one by one.
pub trait Elements: Attr {
    /// The type of an element.
    type Element: Attr;
}

macro_rules! elements {
    ($($collection:ty;)+) => {$(
        impl<T: Attr> Elements for $collection where $collection: Attr {
            type Element = T;
        }
    )+};
}

elements! {
    Vec<T>;
    Set<T>;
    BTreeSet<T>;
    BTreeMap<String, T>;
}

impl<T, S> Elements for HashSet<T, S>
where
    T: Attr,
    HashSet<T, S>: Attr,
{
    type Element = T;
}

impl<T, S> Elements for HashMap<String, T, S>
where
    T: Attr,
    HashMap<String, T, S>: Attr,
{
    type Element = T;
}

fn size(value: &Value) -> Option<usize> {
    match value {
        Value::List(it) | Value::Tuple(it) => Some(it.len()),
        Value::Set(it) => Some(it.len()),
        Value::Map(it) => Some(it.len()),
        _ => None,
    }
}

fn sized<T: Attr>(text: String, min: usize, max: usize) -> Rule<T> {
    let wanted = text.clone();
    let rule = Rule::new(text, move |value| match size(value) {
        Some(got) if !(min..=max).contains(&got) => {
            let elements = if got == 1 { "element" } else { "elements" };
            Err(invalid(
                "Invalid Attribute Value",
                format!("{wanted} are required, but there are {got} {elements}"),
            ))
        }
        _ => Ok(()),
    });
    rule.partial()
}

/// At least so many elements.
pub fn size_at_least<T: Attr>(min: usize) -> Rule<T> {
    sized(format!("at least {min} elements"), min, usize::MAX)
}

/// At most so many elements.
pub fn size_at_most<T: Attr>(max: usize) -> Rule<T> {
    sized(format!("at most {max} elements"), 0, max)
}

/// From `min` to `max` elements.
pub fn size_between<T: Attr>(min: usize, max: usize) -> Rule<T> {
    sized(format!("{min} to {max} elements"), min, max)
}

/// No two equal elements in a list. Unknown elements equal none.
pub fn unique_values<T: Attr>() -> Rule<T> {
    let rule = Rule::new("elements that differ", |value| {
        let Value::List(elements) = value else { return Ok(()) };
        let mut seen = std::collections::HashSet::with_capacity(elements.len());
        let twice = elements.iter().filter(|it| it.is_wholly_known()).find(|it| !seen.insert(*it));
        match twice {
            Some(_) => Err(invalid("Duplicate List Value", "the elements must differ, but two are equal")),
            None => Ok(()),
        }
    });
    rule.partial()
}

/// No null among the elements.
pub fn no_null_values<T: Attr>() -> Rule<T> {
    let rule = Rule::new("elements that are not null", |value| {
        let mut null = false;
        each_value(value, |_, it| null |= it.is_null());
        let kind = match value {
            _ if !null => return Ok(()),
            Value::Map(_) => "Map",
            Value::Set(_) => "Set",
            _ => "List",
        };
        Err(invalid(&format!("Null {kind} Value"), "no element may be null, but one is"))
    });
    rule.partial()
}

/// Each element obeys the rule. Null and unknown elements are left alone.
pub fn each<T: Elements, How>(rule: impl IntoRule<T::Element, How>) -> Rule<T> {
    let rule = rule.into_rule();
    let text = format!("elements, each {}", rule.text());
    let every = Rule::new(text, move |value| {
        let mut found = Diagnostics::new();
        each_value(value, |step, it| {
            if let Err(broken) = rule.judge(it) {
                found.extend(broken.at(&Path::from_iter([step()])));
            }
        });
        if found.is_empty() { Ok(()) } else { Err(found) }
    });
    every.partial()
}

/// Each key of a map obeys the rule.
pub fn each_key<T: Elements, How>(rule: impl IntoRule<String, How>) -> Rule<T> {
    let rule = rule.into_rule();
    let text = format!("keys, each {}", rule.text());
    let every = Rule::new(text, move |value| {
        let Value::Map(entries) = value else { return Ok(()) };
        let mut found = Diagnostics::new();
        for key in entries.keys() {
            if let Err(broken) = rule.judge(&Value::String(key.clone())) {
                found.extend(broken.at(&Path::from_iter([Step::Key(key.clone())])));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    });
    every.partial()
}

/// Each element with its step, which is only made when it is asked for.
fn each_value(value: &Value, mut visit: impl FnMut(&dyn Fn() -> Step, &Value)) {
    match value {
        Value::List(it) | Value::Tuple(it) => {
            it.iter().enumerate().for_each(|(i, it)| visit(&|| Step::Index(i), it));
        }
        Value::Set(it) => it.iter().for_each(|it| visit(&|| Step::Element(Box::new(it.clone())), it)),
        Value::Map(it) => it.iter().for_each(|(key, it)| visit(&|| Step::Key(key.clone()), it)),
        _ => {}
    }
}
