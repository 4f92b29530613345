//! Keeps sensitive values out of what the user is told.

use std::borrow::Cow;

use ferroform_value::Value;

use super::Server;
use super::planning::defaults::{self, Which};
use crate::print::{print, shortened};
use crate::rule::Rule;
use crate::schema::{Attribute, Block};
use crate::{Diagnostic, Diagnostics};

/// Shorter texts are parts of other words: they are hidden only where they stand in quotes.
const SHORT: usize = 4;
pub(super) const HIDDEN: &str = "(sensitive value)";

/// What is wrong with a sensitive value. What the rule itself says may quote the value in whatever form, so it
/// is shown only where it cannot.
pub(super) fn complaint(rule: &Rule<Value>, broken: Diagnostics, value: &Value) -> Diagnostics {
    if rule.is_constant() {
        return broken;
    }
    let detail = match rule.text() {
        "" => "The value is refused. What the provider says of it is not shown, because it is sensitive."
            .to_owned(),
        text => crate::diag::sentence(&format!(
            "{text} is required; the value is not shown, because it is sensitive"
        )),
    };
    let told = broken.into_iter().map(|it| Diagnostic { detail: detail.clone(), ..it }).collect();
    mask(told, &texts(value))
}

/// What is wrong with a sensitive value of another type: what was wanted, without what came.
pub(crate) fn misfit(message: &str, value: &Value) -> String {
    let wanted = message.split(", but ").next().unwrap_or_default();
    let masked = hide(wanted.to_owned(), &texts(value));
    format!("{masked}, but this is {HIDDEN:?}")
}

/// The sensitive values of an object.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

impl Server {
    /// The sensitive values in what a call brings along.
    pub(super) fn secrets<const N: usize>(&self, type_name: &str, values: [&Option<Value>; N]) -> Secrets {
        match self.resource(type_name) {
            Ok(resource) => Secrets::of(&resource.schema().block, values.into_iter().flatten()),
            Err(_) => Secrets::default(),
        }
    }
}

impl Secrets {
    /// Those in the values, and those that a default puts in.
    pub(super) fn of<'a>(block: &Block, values: impl IntoIterator<Item = &'a Value>) -> Secrets {
        let mut all = Vec::new();
        if has_sensitive(block) {
            for it in values {
                sensitive(block, it, &mut all);
                if let Ok(Cow::Owned(filled)) = defaults::fill(block, it, Which::Given) {
                    sensitive(block, &filled, &mut all);
                }
            }
        }
        Secrets(sorted(all))
    }

    /// Hides them in what the user is told, whoever wrote it.
    pub(super) fn mask(&self, found: &mut Diagnostics) {
        if !self.0.is_empty() && !found.is_empty() {
            *found = mask(std::mem::take(found), &self.0);
        }
    }
}

/// An object of a set, as it is written, without what is sensitive in it and what it leaves out.
pub(super) fn shown(block: &Block, object: &Value) -> String {
    let Value::Object(object) = object else { return print(object) };
    let is_secret = |name: &str| match (block.get(name), block.blocks.iter().find(|it| &*it.name == name)) {
        (Some(it), _) => {
            it.sensitive || it.write_only || it.nested.as_ref().is_some_and(|it| has_sensitive(&it.block))
        }
        (None, nested) => nested.is_some_and(|it| has_sensitive(&it.block)),
    };
    let said = object.iter().filter(|(_, it)| !it.is_null()).map(|(name, it)| match is_secret(name) {
        true => format!("{name} = {HIDDEN}"),
        false => format!("{name} = {}", print(it)),
    });
    shortened(format!("{{{}}}", said.collect::<Vec<_>>().join(", ")))
}

fn has_sensitive(block: &Block) -> bool {
    let attribute = |it: &Attribute| {
        it.sensitive || it.write_only || it.nested.as_ref().is_some_and(|it| has_sensitive(&it.block))
    };
    block.attributes.iter().any(attribute) || block.blocks.iter().any(|it| has_sensitive(&it.block))
}

fn sensitive(block: &Block, value: &Value, all: &mut Vec<String>) {
    if !has_sensitive(block) {
        return;
    }
    match value {
        Value::Object(object) => {
            for it in &block.attributes {
                let Some(value) = object.get(&it.name) else { continue };
                if it.sensitive || it.write_only {
                    all.extend(texts(value));
                } else if let Some(nested) = &it.nested {
                    sensitive(&nested.block, value, all);
                }
            }
            for it in &block.blocks {
                object.get(&it.name).into_iter().for_each(|value| sensitive(&it.block, value, all));
            }
        }
        Value::List(it) | Value::Tuple(it) => it.iter().for_each(|it| sensitive(block, it, all)),
        Value::Set(it) => it.iter().for_each(|it| sensitive(block, it, all)),
        Value::Map(it) => it.values().for_each(|it| sensitive(block, it, all)),
        _ => {}
    }
}

/// The texts and numbers inside a value, as they would be quoted.
fn texts(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    value.walk(&mut |_, it| {
        match it {
            Value::String(it) if !it.is_empty() => all.push(it.to_string()),
            Value::Number(it) => all.push(it.to_string()),
            _ => {}
        }
        true
    });
    sorted(all)
}

/// The longest first, for one may be a part of another.
fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort_by_key(|it| std::cmp::Reverse(it.len()));
    all
}

fn mask(found: Diagnostics, secrets: &[String]) -> Diagnostics {
    let masked = |it: Diagnostic| Diagnostic {
        summary: hide(it.summary, secrets),
        detail: hide(it.detail, secrets),
        ..it
    };
    found.into_iter().map(masked).collect()
}

fn hide(text: String, secrets: &[String]) -> String {
    secrets.iter().fold(text, |text, secret| {
        let quoted = format!("{secret:?}");
        if secret.len() < SHORT {
            return text.replace(&quoted, &format!("{HIDDEN:?}"));
        }
        text.replace(quoted.trim_matches('"'), HIDDEN).replace(secret.as_str(), HIDDEN)
    })
}
