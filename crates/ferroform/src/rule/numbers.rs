//! Rules for numbers.

use std::cmp::Ordering;

use ferroform_value::{Number, Value};

use super::{Rule, invalid};
use crate::Attr;

fn bounds<T: Attr>(text: String, min: Option<Number>, max: Option<Number>) -> Rule<T> {
    let wanted = text.clone();
    Rule::new(text, move |value| {
        let Value::Number(it) = value else { return Ok(()) };
        let low = min.as_ref().is_some_and(|min| it.compare(min) == Ordering::Less);
        let high = max.as_ref().is_some_and(|max| it.compare(max) == Ordering::Greater);
        if !low && !high {
            return Ok(());
        }
        Err(invalid("Invalid Attribute Value", format!("{wanted} is required, but this is {it}")))
    })
}

/// A bound as a number; what is none (not-a-number, say) bounds nothing.
fn number<T: Attr>(bound: T) -> Option<Number> {
    if let Value::Number(it) = bound.to_value() { Some(it) } else { None }
}

/// No less than `min`.
pub fn at_least<T: Attr>(min: T) -> Rule<T> {
    let min = number(min);
    bounds(format!("a number of at least {}", show(&min)), min, None)
}

/// No more than `max`.
pub fn at_most<T: Attr>(max: T) -> Rule<T> {
    let max = number(max);
    bounds(format!("a number of at most {}", show(&max)), None, max)
}

/// From `min` to `max`, both included.
pub fn between<T: Attr>(min: T, max: T) -> Rule<T> {
    let (min, max) = (number(min), number(max));
    bounds(format!("a number from {} to {}", show(&min), show(&max)), min, max)
}

fn show(bound: &Option<Number>) -> String {
    bound.as_ref().map_or_else(|| "any".into(), ToString::to_string)
}
