//! Translates regular expressions of Terraform (RE2) to ECMAScript.
//!
//! The result matches the same strings in every engine that matches code points, which in ECMAScript requires the flag `u`
//! or `v`. Other patterns have no translation: flags, word boundaries, Unicode classes and characters outside of ASCII.
//!
//! | RE2 | ECMAScript |
//! | --- | --- |
//! | `.` | `[^\n]` |
//! | `\d`, `\w`, `\s` | `[0-9]`, `[0-9A-Za-z_]`, `[\t\n\f\r ]` |
//! | `\A`, `\z` | `^`, `$` |
//! | `(?P<name>…)` | `(?:…)` |
//! | `[[:alpha:]]` | `[A-Za-z]` |

use std::iter::Peekable;
use std::str::Chars;

/// Returns the ECMAScript pattern for a valid RE2 pattern; `None` if it is not certain that they match the same strings.
pub(super) fn to_ecmascript(pattern: &str) -> Option<String> {
    let mut characters = pattern.chars().peekable();
    let mut out = String::new();
    // True if a quantifier can follow.
    let mut is_atom = false;
    while let Some(next) = characters.next() {
        let was_atom = std::mem::replace(&mut is_atom, true);
        match next {
            '*' | '+' | '?' | '{' => {
                if !was_atom {
                    return None;
                }
                out.push(next);
                if next == '{' {
                    translate_repetition(&mut characters, &mut out)?;
                }
                // A lazy quantifier matches the same strings.
                characters.next_if_eq(&'?');
                is_atom = false;
            }
            '^' | '$' | '|' => {
                out.push(next);
                is_atom = false;
            }
            '(' => {
                translate_group(&mut characters, &mut out)?;
                is_atom = false;
            }
            ')' => out.push(')'),
            '.' => out.push_str("[^\\n]"),
            '[' => translate_class(&mut characters, &mut out)?,
            '\\' => match characters.next()? {
                anchor @ ('A' | 'z') => {
                    out.push(if anchor == 'A' { '^' } else { '$' });
                    is_atom = false;
                }
                kind @ ('d' | 'w' | 's') => out.push_str(&format!("[{}]", perl_class(kind)?)),
                kind @ ('D' | 'W' | 'S') => {
                    out.push_str(&format!("[^{}]", perl_class(kind.to_ascii_lowercase())?))
                }
                other => write_literal(unescape(other)?, false, &mut out)?,
            },
            other => write_literal(other, false, &mut out)?,
        }
    }
    Some(out)
}

/// Translates `{2}`, `{2,}` or `{2,5}` after the opening brace.
fn translate_repetition(characters: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    let counts: String = characters.by_ref().take_while(|it| *it != '}').collect();
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let (least, most) = counts.split_once(',').unwrap_or((&counts, ""));
    if !is_number(least) || !(most.is_empty() || is_number(most)) {
        return None;
    }
    out.push_str(&counts);
    out.push('}');
    Some(())
}

/// Translates the start of a group after its parenthesis.
fn translate_group(characters: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('(');
    if characters.next_if_eq(&'?').is_none() {
        return Some(());
    }
    match characters.next()? {
        ':' => {}
        'P' if characters.next()? == '<' => characters.find(|it| *it == '>').map(|_| ())?,
        '<' => characters.find(|it| *it == '>').map(|_| ())?,
        _ => return None,
    }
    out.push_str("?:");
    Some(())
}

/// Translates a class after its opening bracket.
fn translate_class(characters: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('[');
    if characters.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    let mut is_first = true;
    loop {
        let next = characters.next()?;
        match next {
            ']' if !is_first => break,
            '[' if characters.next_if_eq(&':').is_some() => {
                let name: String = characters.by_ref().take_while(|it| *it != ':').collect();
                characters.next_if_eq(&']')?;
                out.push_str(posix_class(&name)?);
            }
            '\\' if matches!(characters.peek(), Some('d' | 'w' | 's')) => {
                out.push_str(perl_class(characters.next()?)?)
            }
            _ => {
                let first = if next == '\\' { unescape(characters.next()?)? } else { next };
                write_literal(first, true, out)?;
                let mut rest = characters.clone();
                if rest.next() == Some('-') && rest.peek() != Some(&']') {
                    *characters = rest;
                    let last = match characters.next()? {
                        '\\' => unescape(characters.next()?)?,
                        last => last,
                    };
                    out.push('-');
                    write_literal(last, true, out)?;
                }
            }
        }
        is_first = false;
    }
    out.push(']');
    Some(())
}

/// Returns the content of the class for `\d`, `\w` or `\s`.
fn perl_class(kind: char) -> Option<&'static str> {
    match kind {
        'd' => Some("0-9"),
        'w' => Some("0-9A-Za-z_"),
        's' => Some("\\t\\n\\f\\r "),
        _ => None,
    }
}

/// Returns the content of a POSIX class.
fn posix_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "blank" => " \\t",
        "digit" => "0-9",
        "lower" => "a-z",
        "space" => "\\t\\n\\v\\f\\r ",
        "upper" => "A-Z",
        "word" => "0-9A-Za-z_",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

/// Returns the character for an escape sequence.
fn unescape(escape: char) -> Option<char> {
    match escape {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        it => it.is_ascii_punctuation().then_some(it),
    }
}

/// Writes a literal character.
fn write_literal(character: char, in_class: bool, out: &mut String) -> Option<()> {
    let special = if in_class { "\\]^-[(){}|/" } else { "^$\\.*+?()[]{}|" };
    match character {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        // Two of them are an operator in some engines.
        '&' | '~' if in_class => out.push_str(&format!("\\x{:x}", u32::from(character))),
        it if special.contains(it) => out.extend(['\\', it]),
        ' '..='~' => out.push(character),
        _ => return None,
    }
    Some(())
}

/// Returns a pattern that matches a literal string.
pub(super) fn quote(text: &str) -> Option<String> {
    let mut out = String::new();
    text.chars().try_for_each(|it| write_literal(it, false, &mut out))?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_translated_or_rejected() {
        let check = |pattern, expected| assert_eq!(to_ecmascript(pattern).as_deref(), expected, "{pattern}");
        check("^[a-z][a-z0-9-]{1,14}$", Some("^[a-z][a-z0-9\\-]{1,14}$"));
        check("\\Aami-\\w+?\\z", Some("^ami-[0-9A-Za-z_]+$"));
        check("(?P<a>.)|(b)", Some("(?:[^\\n])|(b)"));
        check("[]a&[:alpha:]\\s-]", Some("[\\]a\\x26A-Za-z\\t\\n\\f\\r \\-]"));
        check("10\\.\\d{2,}/", Some("10\\.[0-9]{2,}/"));
        for pattern in ["(?i)a", "a\\b", "\\pL", "é", "a**", "a{,2}", "[[:^alpha:]]", "[\\D]", "^*", "\\101"]
        {
            check(pattern, None);
        }
    }
}
