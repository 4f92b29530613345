//! Rules of every type, and rules made of rules.

use std::sync::Arc;

use ferroform_value::{Refinements, Type, Value};

use super::read;
use crate::{Attr, Diagnostic, Diagnostics, Severity};
use ferroform_engine::validator::{Takes, Validator, described, invalid, is_unread, may_be};

const MATCH: &str = "Invalid Attribute Value Match";

/// What a rule says.
type Verdict = Result<(), Diagnostics>;
/// What several say, one at a time.
type Verdicts<'a> = &'a mut dyn Iterator<Item = Verdict>;

fn listed<T: Attr>(word: &str, values: impl IntoIterator<Item: Into<T>>, wanted: bool) -> Validator<T> {
    let values: Vec<T> = values.into_iter().map(Into::into).collect();
    let printed: Vec<Value> = values.iter().map(T::to_value).collect();
    let text = format!("{word} {}", printed.iter().map(T::__display).collect::<Vec<_>>().join(", "));
    let wanted_early = text.clone();
    let rule = Validator::new(text.clone(), move |value| {
        let it = read::<T>(value)?;
        if values.contains(&it) == wanted {
            return Ok(());
        }
        Err(invalid(MATCH, format!("{text} is required, but got {}", value.summary())))
    });
    let rule = rule.taking(Takes::Typed);
    rule.early(move |known| match described(known) {
        // Where values that differ may be equal to the author's type, what one begins with says nothing.
        Some(what) if wanted && T::EXACT && !printed.iter().any(|it| may_be(known, it)) => {
            Err(invalid(MATCH, format!("{wanted_early} is required, but this {what}")))
        }
        _ => Ok(()),
    })
}

/// One of these.
pub fn one_of<T: Attr>(values: impl IntoIterator<Item: Into<T>>) -> Validator<T> {
    listed("one of", values, true)
}

/// None of these.
pub fn none_of<T: Attr>(values: impl IntoIterator<Item: Into<T>>) -> Validator<T> {
    listed("none of", values, false)
}

/// This and nothing else.
pub fn equals<T: Attr>(value: impl Into<T>) -> Validator<T> {
    listed("the value", [value], true)
}

/// All of these rules: for use inside [`any`] and [`not`].
pub fn all<T: Attr>(rules: impl IntoIterator<Item = Validator<T>>) -> Validator<T> {
    combined(rules, " and ", |found| {
        let mut all = Diagnostics::new();
        for it in found {
            all.take(it);
        }
        said(all)
    })
}

/// At least one of these rules. Of the first that finds no error the warnings are kept; where there is none,
/// everything that was found.
pub fn any<T: Attr>(rules: impl IntoIterator<Item = Validator<T>>) -> Validator<T> {
    combined(rules, " or ", |found| alternatives(found, false))
}

/// The same, but where one finds no error the warnings of all are kept.
pub fn any_with_all_warnings<T: Attr>(rules: impl IntoIterator<Item = Validator<T>>) -> Validator<T> {
    combined(rules, " or ", |found| alternatives(found, true))
}

/// What this rule refuses. The message says what is required instead; a value that is known in part is left alone
/// until it is known.
pub fn not<T: Attr>(rule: Validator<T>, message: impl Into<String>) -> Validator<T> {
    let message = message.into();
    let (inner, takes) = (rule.clone(), rule.takes());
    let rule = Validator::new(message.clone(), move |value| match rule.judge(value) {
        Err(found) if found.iter().any(is_unread) => Err(found),
        Err(found) if found.has_error() => Ok(()),
        _ => Err(invalid("Invalid Attribute Value", &message)),
    });
    rule.unless(move |ty| inner.fault(ty)).taking(takes)
}

/// What this rule requires, as advice: a value that breaks it is taken all the same, with a warning.
pub fn warning<T: Attr>(rule: Validator<T>) -> Validator<T> {
    let soften = |found: Verdict| {
        let soft = |mut it: Diagnostic| {
            if !is_unread(&it) {
                it.severity = Severity::Warning;
            }
            it
        };
        found.map_err(|it| it.into_iter().map(soft).collect::<Diagnostics>())
    };
    let (text, inner, early) = (rule.text().to_owned(), rule.clone(), rule.clone());
    let (constant, takes) = (rule.is_constant(), rule.takes());
    let soft = Validator::new(text, move |value| soften(rule.judge(value)))
        .early(move |known| soften(early.judge(&unknown(known))))
        .unless(move |ty| inner.fault(ty));
    soft.partial().constant(constant).taking(takes)
}

/// A rule that is made of what others find.
fn combined<T: Attr>(
    rules: impl IntoIterator<Item = Validator<T>>,
    with: &str,
    verdict: fn(Verdicts<'_>) -> Verdict,
) -> Validator<T> {
    let rules: Arc<[Validator<T>]> = rules.into_iter().collect();
    let texts = rules.iter().map(Validator::text).filter(|it| !it.is_empty());
    let text = texts.collect::<Vec<_>>().join(with);
    let constant = rules.iter().all(Validator::is_constant);
    let takes = rules.iter().map(Validator::takes).max().unwrap_or_default();
    let (early, inner) = (rules.clone(), rules.clone());
    let rule = Validator::new(text, move |value| verdict(&mut rules.iter().map(|it| it.judge(value))))
        .early(move |known| {
            let known = unknown(known);
            verdict(&mut early.iter().map(|it| it.judge(&known)))
        })
        .unless(move |ty: &Type| inner.iter().find_map(|it| it.fault(ty)));
    rule.partial().constant(constant).taking(takes)
}

fn unknown(known: &Refinements) -> Value {
    Value::Unknown(Some(Box::new(known.clone())))
}

fn said(found: Diagnostics) -> Verdict {
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn alternatives(all: Verdicts<'_>, all_warnings: bool) -> Verdict {
    let mut found = Diagnostics::new();
    let mut passed = false;
    for it in all {
        match it {
            Err(broken) if broken.has_error() => found.extend(broken),
            fine if !all_warnings => return fine,
            fine => {
                passed = true;
                found.take(fine);
            }
        }
    }
    if passed {
        found = found.warnings().cloned().collect();
    }
    said(found)
}
