//! Functions with patterns.

use std::collections::HashMap;
use std::sync::Arc;

use regex::{Captures, Regex, RegexBuilder};

use super::Function;
use super::args::{Args, Made, Refusal, list, text};
use super::pattern::translated;
use crate::{Type, Typed, Value};

pub(super) const ALL: &[Function] = &[("regex", 2..=2, first), ("regexall", 2..=2, every)];

/// Patterns that were compiled before; none for one that is not used.
pub(in crate::expr) type Patterns = HashMap<Arc<str>, Option<Compiled>>;

/// How large a pattern may become, in bytes.
const MAX_SIZE: usize = 2_000_000;

#[derive(Clone)]
pub(in crate::expr) struct Compiled {
    regex: Regex,
    /// How often something in it repeats, which is about how many ways there are to go on from a character.
    repeats: usize,
}

/// What it takes to compile a pattern. Each class of Unicode has hundreds of ranges.
fn compiling(translated: &str, repeats: usize) -> usize {
    let classes = translated.matches("\\p{").count() + translated.matches("\\P{").count();
    translated.len() + repeats.saturating_mul(20 + 4000 * classes)
}

/// The compiled pattern, to be used on the text.
fn compiled(args: &mut Args<'_>, pattern: &str, text: &str) -> Made<Regex> {
    if !args.patterns.contains_key(pattern) {
        let made = match translated(pattern) {
            Some((translated, repeats)) => {
                args.spend(compiling(&translated, repeats))?;
                let regex = RegexBuilder::new(&translated).size_limit(MAX_SIZE).build();
                regex.ok().map(|regex| Compiled { regex, repeats })
            }
            None => None,
        };
        args.patterns.insert(pattern.into(), made);
    }
    let it = args.patterns.get(pattern).cloned().flatten().ok_or(Refusal::Unsure)?;
    args.spend(text.len().saturating_mul(1 + it.repeats) / 16)?;
    Ok(it.regex)
}

/// What the groups of a pattern make of a match.
enum Groups {
    None,
    Numbered(usize),
    Named(Vec<Arc<str>>),
}

impl Groups {
    fn of(pattern: &Regex) -> Made<Groups> {
        let names: Vec<Option<&str>> = pattern.capture_names().skip(1).collect();
        let named: Vec<Arc<str>> = names.iter().flatten().map(|it| (*it).into()).collect();
        match (names.len(), named.len()) {
            (0, _) => Ok(Groups::None),
            (count, 0) => Ok(Groups::Numbered(count)),
            (count, named_count) if count == named_count => Ok(Groups::Named(named)),
            _ => Err(Refusal::Argument(0, "some groups have names and others have none".into())),
        }
    }

    fn ty(&self) -> Type {
        match self {
            Groups::None => Type::String,
            Groups::Numbered(count) => Type::tuple(vec![Type::String; *count]),
            Groups::Named(names) => Type::object(names.iter().map(|it| (it.clone(), Type::String))),
        }
    }

    fn value(&self, found: &Captures<'_>) -> Value {
        let group = |i| found.get(i).map_or(Value::Null, |it| Value::string(it.as_str()));
        match self {
            Groups::None => group(0),
            Groups::Numbered(count) => Value::Tuple((1..=*count).map(group).collect()),
            Groups::Named(names) => {
                Value::object(names.iter().enumerate().map(|(i, it)| (it.clone(), group(i + 1))))
            }
        }
    }
}

fn first(args: &mut Args<'_>) -> Made {
    let (pattern, it) = (args.text()?, args.text()?);
    let pattern = compiled(args, &pattern, &it)?;
    let groups = Groups::of(&pattern)?;
    let found = pattern.captures(&it).ok_or_else(|| Refusal::Call("the pattern does not match".into()))?;
    Ok(Typed::new(groups.ty(), groups.value(&found)))
}

fn every(args: &mut Args<'_>) -> Made {
    let (pattern, it) = (args.text()?, args.text()?);
    let pattern = compiled(args, &pattern, &it)?;
    let groups = Groups::of(&pattern)?;
    Ok(list(groups.ty(), pattern.captures_iter(&it).map(|it| groups.value(&it)).collect()))
}

/// The text with each match replaced; `$1` and `${name}` stand for what a group has found.
pub(super) fn replace(args: &mut Args<'_>, it: &str, pattern: &str, by: &str) -> Made {
    let pattern = compiled(args, pattern, it)?;
    let mut out = String::new();
    let mut end = 0;
    for found in pattern.captures_iter(it) {
        let Some(whole) = found.get(0) else { continue };
        out.push_str(&it[end..whole.start()]);
        end = whole.end();
        expand(&mut out, by, &found);
        args.afford(out.len())?;
    }
    out.push_str(&it[end..]);
    Ok(text(out))
}

fn expand(out: &mut String, by: &str, found: &Captures<'_>) {
    let mut rest = by;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let inner = rest.strip_prefix('{').unwrap_or(rest);
        let length = inner.find(|it: char| it != '_' && !it.is_alphanumeric()).unwrap_or(inner.len());
        let (name, after) = inner.split_at(length);
        let after = if inner.len() < rest.len() { after.strip_prefix('}') } else { Some(after) };
        match after {
            Some(after) if !name.is_empty() => {
                // A number with zeros in front is a name.
                let number = name.parse::<usize>().ok().filter(|_| name == "0" || !name.starts_with('0'));
                let group = number.map_or_else(|| found.name(name), |it| found.get(it));
                out.push_str(group.map_or("", |it| it.as_str()));
                rest = after;
            }
            _ => out.push('$'),
        }
    }
    out.push_str(rest);
}
