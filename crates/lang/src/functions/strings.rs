//! String functions.
//!
//! Offsets and lengths count grapheme clusters: a letter with its combining accents is one cluster.
//!
//! | function | result |
//! | --- | --- |
//! | `upper(string)`, `lower(string)`, `title(string)` | the string in another case |
//! | `startswith(string, prefix)`, `endswith(string, suffix)`, `strcontains(string, part)` | a bool |
//! | `trim(string, characters)`, `trimspace`, `chomp` | the string without characters at its start or end |
//! | `trimprefix(string, prefix)`, `trimsuffix(string, suffix)` | the string without a prefix or suffix |
//! | `strrev(string)` | the grapheme clusters in reverse order |
//! | `substr(string, offset, length)` | a part, counted in grapheme clusters |
//! | `split(separator, string)`, `join(separator, lists…)` | a list of strings, and the reverse |
//! | `indent(spaces, string)` | the string with all lines but the first indented |
//! | `replace(string, part, replacement)` | a string; a part in slashes is a regular expression |
//! | `basename(path)`, `dirname(path)` | the last component of a path, and the rest |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"upper("a") == "A" && startswith("abc", "ab")"#)?, r#"true"#);
//! assert_eq!(show(r#"substr("hello", 1, 3)"#)?, r#""ell""#);
//! assert_eq!(show(r#"join("-", split(",", "a,b"))"#)?, r#""a-b""#);
//! assert_eq!(show(r#"dirname("a/b/c.txt")"#)?, r#""a/b""#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use ferroform_value::{Type, Value};
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use super::arguments::Treatment::{Known, KnownOrNull, Unmarked};
use super::arguments::{Args, CallError, CallResult, Function, Kind, MANY, bool, list, string, unknown};
use super::regex;
use crate::marks::Marked;

pub(crate) const ALL: &[Function] = &[
    ("upper", 1..=1, Known(&[Kind::String], Kind::String), |args| {
        Ok(string(args.string()?.chars().map(upper).collect::<String>()))
    }),
    ("lower", 1..=1, Known(&[Kind::String], Kind::String), |args| {
        Ok(string(args.string()?.chars().map(lower).collect::<String>()))
    }),
    ("title", 1..=1, Known(&[Kind::String], Kind::String), |args| Ok(string(title(&args.string()?)))),
    ("startswith", 2..=2, Unmarked, startswith),
    ("endswith", 2..=2, Known(&[Kind::String], Kind::Bool), |args| {
        two(args, |it, part| bool(it.ends_with(part)))
    }),
    ("strcontains", 2..=2, KnownOrNull(&[Kind::String], Kind::Bool), |args| {
        two(args, |it, part| bool(it.contains(part)))
    }),
    ("trim", 2..=2, Known(&[Kind::String], Kind::String), |args| {
        two(args, |it, set| string(it.trim_matches(|it| set.contains(it))))
    }),
    ("trimprefix", 2..=2, Known(&[Kind::String], Kind::String), |args| {
        two(args, |it, part| string(it.strip_prefix(part).unwrap_or(it)))
    }),
    ("trimsuffix", 2..=2, Known(&[Kind::String], Kind::String), |args| {
        two(args, |it, part| string(it.strip_suffix(part).unwrap_or(it)))
    }),
    ("trimspace", 1..=1, Known(&[Kind::String], Kind::String), |args| Ok(string(args.string()?.trim()))),
    ("chomp", 1..=1, Known(&[Kind::String], Kind::String), |args| {
        Ok(string(args.string()?.trim_end_matches(['\r', '\n'])))
    }),
    ("strrev", 1..=1, Known(&[Kind::String], Kind::String), |args| {
        let it = args.string()?;
        Ok(string(graphemes(&it).into_iter().rev().collect::<String>()))
    }),
    ("split", 2..=2, Known(&[Kind::String], Kind::Strings), |args| two(args, split)),
    ("join", 1..=MANY, Known(&[Kind::String, Kind::Strings], Kind::String), join),
    ("indent", 2..=2, Known(&[Kind::Number, Kind::String], Kind::String), indent),
    ("replace", 3..=3, Known(&[Kind::String], Kind::String), replace),
    ("substr", 3..=3, Known(&[Kind::String, Kind::Number], Kind::String), substr),
    ("basename", 1..=1, Known(&[Kind::String], Kind::String), |args| Ok(string(basename(&args.string()?)))),
    ("dirname", 1..=1, Known(&[Kind::String], Kind::String), |args| Ok(string(dirname(&args.string()?)))),
];

/// Splits a string into grapheme clusters by the rules of Unicode 15. Later versions join the consonants of conjuncts
/// in Indic scripts.
pub(crate) fn graphemes(string: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for cluster in string.graphemes(true) {
        let (mut start, mut before) = (0, '\0');
        for (at, next) in cluster.char_indices() {
            let joins = is_combining_mark(before) || before == '\u{200d}';
            if joins && is_indic(next) && next.is_alphabetic() && !is_combining_mark(next) {
                found.push(&cluster[start..at]);
                start = at;
            }
            before = next;
        }
        found.push(&cluster[start..]);
    }
    found
}

/// Returns true for the blocks of scripts whose consonants form conjuncts.
fn is_indic(it: char) -> bool {
    matches!(it, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        || matches!(it, '\u{1a20}'..='\u{1bff}' | '\u{a980}'..='\u{aaff}' | '\u{10a00}'..='\u{11fff}')
}

/// `startswith`: the known prefix of an unknown string can decide the result.
fn startswith(args: &mut Args<'_>) -> CallResult {
    let it = args.of(&Type::String)?.value;
    let Some(prefix) = args.known_string()? else { return unknown(Type::Bool) };
    match &it {
        Value::String(it) => Ok(bool(it.starts_with(&*prefix))),
        _ if prefix.is_empty() => Ok(bool(true)),
        Value::Unknown(Some(refinements)) => match refinements.prefix() {
            Some(known) if known.starts_with(&*prefix) => Ok(bool(true)),
            Some(known) if known.len() >= prefix.len() => Ok(bool(false)),
            _ => unknown(Type::Bool),
        },
        _ => unknown(Type::Bool),
    }
}

fn two(args: &mut Args<'_>, make: impl Fn(&str, &str) -> Marked) -> CallResult {
    let first = args.string()?;
    let second = args.string()?;
    Ok(make(&first, &second))
}

/// Converts each letter to one letter, as Terraform does, although the uppercase form of some letters has two.
fn upper(it: char) -> char {
    let mut upper = it.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        // Small letters with iota subscript have capitals with iota adscript, which exist as single characters.
        _ => match it {
            '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
                char::from_u32(u32::from(it) + 8).unwrap_or(it)
            }
            '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(u32::from(it) + 9).unwrap_or(it),
            it => it,
        },
    }
}

fn lower(it: char) -> char {
    // Only the lowercase form of the capital I with a dot has two characters. As in Terraform, the result is the
    // first one.
    it.to_lowercase().next().unwrap_or(it)
}

/// Returns the title case of a letter. In a character of two letters, only the first is uppercase.
fn initial(it: char) -> char {
    match it {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        // Georgian has uppercase letters, but words in title case do not start with them.
        'ა'..='ჿ' => it,
        it => upper(it),
    }
}

fn title(it: &str) -> String {
    let is_separator =
        |it: char| if it.is_ascii() { !it.is_ascii_alphanumeric() && it != '_' } else { it.is_whitespace() };
    let mut before = ' ';
    let change = |it| {
        let starts = is_separator(before);
        before = it;
        if starts { initial(it) } else { it }
    };
    it.chars().map(change).collect()
}

fn split(by: &str, it: &str) -> Marked {
    let parts: Vec<&str> = match by {
        "" => it.split("").filter(|it| !it.is_empty()).collect(),
        _ => it.split(by).collect(),
    };
    list(Type::String, parts.into_iter().map(Value::string).collect())
}

fn join(args: &mut Args<'_>) -> CallResult {
    let by = args.string()?;
    if args.remaining() == 0 {
        return Err(CallError::Call("at least two arguments are required".into()));
    }
    let mut all = Vec::new();
    let mut size = 0;
    while args.remaining() > 0 {
        for it in args.list(Type::String)?.1 {
            let Value::String(it) = it else { return Err(args.invalid("the elements must not be null")) };
            size += it.len() + by.len();
            all.push(it);
        }
    }
    args.check_size(size)?;
    Ok(string(all.join(&*by)))
}

fn indent(args: &mut Args<'_>) -> CallResult {
    let spaces =
        usize::try_from(args.integer()?).map_err(|_| args.expected("a number that is not negative"))?;
    let it = args.string()?;
    args.check_size(it.matches('\n').count().max(1).saturating_mul(spaces))?;
    Ok(string(it.replace('\n', &format!("\n{}", " ".repeat(spaces)))))
}

fn replace(args: &mut Args<'_>) -> CallResult {
    let (it, part, by) = (args.string()?, args.string()?, args.string()?);
    if part.len() > 1 && part.starts_with('/') && part.ends_with('/') {
        return regex::replace(args, &it, &part[1..part.len() - 1], &by);
    }
    args.check_size(it.matches(&*part).count().saturating_mul(by.len()))?;
    Ok(string(it.replace(&*part, &by)))
}

/// `substr`: a negative offset counts from the end, and a negative length selects the rest.
fn substr(args: &mut Args<'_>) -> CallResult {
    let (it, offset, length) = (args.string()?, args.integer()?, args.integer()?);
    let clusters = graphemes(&it);
    let start = match usize::try_from(offset) {
        Ok(_) if length == 0 => return Ok(string("")),
        Ok(start) => start,
        // As in Terraform, a length of zero selects the rest if the offset is negative.
        Err(_) => usize::try_from(offset.saturating_add(clusters.len() as i64)).unwrap_or(0),
    };
    let length = usize::try_from(length).ok().filter(|it| *it > 0).unwrap_or(usize::MAX);
    Ok(string(clusters.into_iter().skip(start).take(length).collect::<String>()))
}

/// `basename`: returns the last component of a path.
fn basename(path: &str) -> &str {
    let whole = path.trim_end_matches('/');
    match (path, whole) {
        ("", _) => ".",
        (_, "") => "/",
        _ => whole.rsplit('/').next().unwrap_or(whole),
    }
}

/// `dirname`: returns a path without its last component and without redundant components.
fn dirname(path: &str) -> String {
    let directory = path.rfind('/').map_or("", |it| &path[..=it]);
    let rooted = directory.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for it in directory.split('/') {
        match (it, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            ("..", None) if rooted => {}
            _ => parts.push(it),
        }
    }
    let plain = parts.join("/");
    match (rooted, &*plain) {
        (true, _) => format!("/{plain}"),
        (false, "") => ".".to_owned(),
        _ => plain,
    }
}
