//! Rules of every type, and rules made of rules.

use ferroform_value::Value;

use super::{Rule, invalid};
use crate::{Attr, Diagnostic, Diagnostics, Severity};

fn listed<T: Attr>(word: &str, values: impl IntoIterator<Item: Into<T>>, wanted: bool) -> Rule<T> {
    let values: Vec<T> = values.into_iter().map(Into::into).collect();
    let shown: Vec<String> = values.iter().map(|it| show(&it.to_value())).collect();
    let text = format!("{word} {}", shown.join(", "));
    Rule::new(text.clone(), move |value| {
        let Ok(it) = T::from_value(value) else { return Ok(()) };
        if values.contains(&it) == wanted {
            return Ok(());
        }
        Err(invalid(
            "Invalid Attribute Value Match",
            format!("{text} is required, but this is {}", show(value)),
        ))
    })
}

fn show(value: &Value) -> String {
    match value {
        Value::String(it) => format!("{it:?}"),
        Value::Number(it) => it.to_string(),
        Value::Bool(it) => it.to_string(),
        _ => format!("a {}", value.kind()),
    }
}

/// One of these.
pub fn one_of<T: Attr>(values: impl IntoIterator<Item: Into<T>>) -> Rule<T> {
    listed("one of", values, true)
}

/// None of these.
pub fn none_of<T: Attr>(values: impl IntoIterator<Item: Into<T>>) -> Rule<T> {
    listed("none of", values, false)
}

/// This and nothing else.
pub fn equals<T: Attr>(value: impl Into<T>) -> Rule<T> {
    listed("the value", [value], true)
}

/// All of these rules: for use inside [`any`].
pub fn all<T: Attr>(rules: impl IntoIterator<Item = Rule<T>>) -> Rule<T> {
    let rules: Vec<Rule<T>> = rules.into_iter().collect();
    let text = join(&rules, " and ");
    let rule = Rule::new(text, move |value| {
        let mut found = Diagnostics::new();
        for rule in &rules {
            found.take(rule.judge(value));
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    });
    rule.partial()
}

/// At least one of these rules. Of the first that finds no error the warnings are kept; where there is none,
/// everything that was found.
pub fn any<T: Attr>(rules: impl IntoIterator<Item = Rule<T>>) -> Rule<T> {
    alternatives(rules, false)
}

/// The same, but where one finds no error the warnings of all are kept.
pub fn any_with_all_warnings<T: Attr>(rules: impl IntoIterator<Item = Rule<T>>) -> Rule<T> {
    alternatives(rules, true)
}

fn alternatives<T: Attr>(rules: impl IntoIterator<Item = Rule<T>>, all_warnings: bool) -> Rule<T> {
    let rules: Vec<Rule<T>> = rules.into_iter().collect();
    let text = join(&rules, " or ");
    let rule = Rule::new(text, move |value| {
        let mut found = Diagnostics::new();
        let mut passed = false;
        for rule in &rules {
            match rule.judge(value) {
                Err(broken) if broken.has_error() => found.extend(broken),
                fine if !all_warnings => return fine,
                fine => {
                    passed = true;
                    found.take(fine);
                }
            }
        }
        let is_warning = |it: &Diagnostic| it.severity == Severity::Warning;
        if passed {
            found = found.into_iter().filter(is_warning).collect();
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    });
    rule.partial()
}

fn join<T>(rules: &[Rule<T>], with: &str) -> String {
    rules.iter().map(Rule::text).filter(|it| !it.is_empty()).collect::<Vec<_>>().join(with)
}
