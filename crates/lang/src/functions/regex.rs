//! Regular expression functions.
//!
//! A pattern that Terraform may interpret differently is not evaluated; see the module `regex_syntax`.
//!
//! | function | result |
//! | --- | --- |
//! | `regex(pattern, string)` | the first match: a string, a tuple of unnamed groups, or an object of named groups |
//! | `regexall(pattern, string)` | a list of all matches |
//! | `replace(string, "/pattern/", replacement)` | the string with each match replaced |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"regex("[a-z]+", "53ab")"#)?, r#""ab""#);
//! assert_eq!(show(r#"regex("(?P<year>[0-9]{4})-", "2026-11").year"#)?, r#""2026""#);
//! assert_eq!(show(r#"length(regexall("a", "aba"))"#)?, r#"2"#);
//! assert_eq!(show(r#"replace("ab", "/(a)/", "<$1>")"#)?, r#""<a>b""#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::sync::Arc;

use regex::bytes::{Captures, Match, Regex};

use super::arguments::Treatment::Unmarked;
use super::arguments::{Args, CallError, CallResult, Function, list, string, unknown};
use super::pattern::{Compiled, build, compile_cost};
use super::regex_syntax::translated;
use ferroform_value::{NfcString, Type, Typed, Value};

pub(crate) const ALL: &[Function] =
    &[("regex", 2..=2, Unmarked, first), ("regexall", 2..=2, Unmarked, every)];

/// Returns true if the functions accept the pattern, and its meaning in Terraform is known.
pub(crate) fn is_supported_pattern(pattern: &str) -> bool {
    let regex = translated(pattern).and_then(|(translated, _)| build(&translated, false));
    regex.is_some_and(|it| Groups::of(&it).is_ok())
}

/// Returns the compiled pattern for a string, from the cache if it contains the pattern.
fn compiled(args: &mut Args<'_>, pattern: &str, string: &str) -> CallResult<Regex> {
    let kind = usize::from(string.is_ascii());
    if !args.patterns[kind].contains_key(pattern) {
        let compiled = match translated(pattern) {
            Some((translated, repeats)) => {
                args.spend(compile_cost(&translated, repeats))?;
                build(&translated, string.is_ascii()).map(|regex| Compiled { regex, repeats })
            }
            None => None,
        };
        args.patterns[kind].insert(pattern.into(), compiled);
    }
    let it = args.patterns[kind].get(pattern).cloned().flatten().ok_or(CallError::Undetermined)?;
    args.spend(string.len().saturating_mul(1 + it.repeats) / 16)?;
    Ok(it.regex)
}

/// Returns all matches. The search works on bytes, but never matches within a character.
fn matches<'t>(pattern: &'t Regex, string: &'t str) -> impl Iterator<Item = Captures<'t>> {
    let starts_character =
        |it: &Captures<'_>| it.get(0).is_some_and(|it| string.is_char_boundary(it.start()));
    pattern.captures_iter(string.as_bytes()).filter(starts_character)
}

fn matched_string<'t>(it: Match<'t>) -> &'t str {
    std::str::from_utf8(it.as_bytes()).unwrap_or_default()
}

/// Converts a match to the result for the groups of the pattern.
enum Groups {
    None,
    Numbered(usize),
    Named(Vec<Arc<str>>),
}

impl Groups {
    fn of(pattern: &Regex) -> CallResult<Groups> {
        let names: Vec<Option<&str>> = pattern.capture_names().skip(1).collect();
        let named: Vec<Arc<str>> = names.iter().flatten().map(|it| (*it).into()).collect();
        match (names.len(), named.len()) {
            (0, _) => Ok(Groups::None),
            (count, 0) => Ok(Groups::Numbered(count)),
            (count, named_count) if count == named_count => Ok(Groups::Named(named)),
            _ => Err(CallError::Argument(
                0,
                "the capture groups must be either all named or all unnamed".into(),
            )),
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
        let group = |i| found.get(i).map_or(Value::Null, |it| Value::string(matched_string(it)));
        match self {
            Groups::None => group(0),
            Groups::Numbered(count) => Value::Tuple((1..=*count).map(group).collect()),
            Groups::Named(names) => {
                Value::object(names.iter().enumerate().map(|(i, it)| (it.clone(), group(i + 1))))
            }
        }
    }
}

/// Returns the pattern and the string. If the pattern is known, it determines the type of the result, even if the string
/// is unknown.
fn pattern_and_string(
    args: &mut Args<'_>,
    result: fn(Type) -> Type,
) -> CallResult<(Regex, Groups, NfcString)> {
    let (pattern, string) = (args.known_string()?, args.known_string()?);
    let Some(pattern) = pattern else { return unknown(result(Type::Dynamic)) };
    let regex = compiled(args, &pattern, string.as_deref().unwrap_or(""))?;
    let groups = Groups::of(&regex)?;
    match string {
        Some(string) => Ok((regex, groups, string)),
        None => unknown(result(groups.ty())),
    }
}

fn first(args: &mut Args<'_>) -> CallResult {
    let (pattern, groups, it) = pattern_and_string(args, |it| it)?;
    let found =
        matches(&pattern, &it).next().ok_or_else(|| CallError::Call("the pattern does not match".into()))?;
    Ok(Typed::new(groups.ty(), groups.value(&found)).into())
}

fn every(args: &mut Args<'_>) -> CallResult {
    let (pattern, groups, it) = pattern_and_string(args, Type::list)?;
    Ok(list(groups.ty(), matches(&pattern, &it).map(|it| groups.value(&it)).collect()))
}

/// Replaces each match. `$1` and `${name}` are replaced with the match of a group.
pub(crate) fn replace(args: &mut Args<'_>, it: &str, pattern: &str, by: &str) -> CallResult {
    let pattern = compiled(args, pattern, it)?;
    let mut out = String::new();
    let mut end = 0;
    for found in matches(&pattern, it) {
        let Some(whole) = found.get(0) else { continue };
        out.push_str(&it[end..whole.start()]);
        end = whole.end();
        expand(&mut out, by, &found);
        args.check_size(out.len())?;
    }
    out.push_str(&it[end..]);
    Ok(string(out))
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
                // A group reference with leading zeros, such as `$01`, is a name.
                let number = name.parse::<usize>().ok().filter(|_| name == "0" || !name.starts_with('0'));
                let group = number.map_or_else(|| found.name(name), |it| found.get(it));
                out.push_str(group.map_or("", matched_string));
                rest = after;
            }
            _ => out.push('$'),
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "test code")]
mod tests {
    use super::*;

    /// A pattern without Unicode support has the same matches in ASCII strings as a pattern with Unicode support.
    #[test]
    fn unicode_support_does_not_change_the_matches_in_ascii_strings() {
        const PIECES: [&str; 24] = [
            "k",
            "S",
            "é",
            "1",
            " ",
            ".",
            "^",
            "$",
            "|",
            "*",
            "+?",
            "{0,2}",
            "(",
            ")",
            "(?i)",
            "(?s)",
            "(?m)",
            "[a-k]",
            "[^Sk]",
            "[^É-í]",
            "[[:^alpha:]]",
            "\\W",
            "\\b",
            "\\pL",
        ];
        const STRINGS: [&str; 4] = ["", "kK sS\n1", "abc-1 KELVIN", "a\n\nb  S"];
        let mut compared = 0;
        for (i, last) in PIECES.iter().flat_map(|it| PIECES.map(|next| format!("{it}{next}"))).enumerate() {
            let pattern = format!("{}{last}", PIECES[i % PIECES.len()]);
            let Some((pattern, _)) = translated(&pattern) else { continue };
            let (Some(plain), Some(full)) = (build(&pattern, true), build(&pattern, false)) else { continue };
            for string in STRINGS {
                let found = |it| {
                    matches(it, string).map(|it| matched_string(it.get(0).unwrap()).to_owned()).collect()
                };
                let (plain, full): (Vec<String>, Vec<String>) = (found(&plain), found(&full));
                assert_eq!(plain, full, "{pattern} in {string:?}");
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn no_match_starts_within_a_character() {
        for pattern in ["", "(?-u:\\B)", "x*"] {
            let pattern = build(pattern, false).unwrap();
            let found: Vec<usize> = matches(&pattern, "é").map(|it| it.get(0).unwrap().start()).collect();
            assert_eq!(found, [0, 2], "{pattern}");
        }
    }
}
